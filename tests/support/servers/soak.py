"""A soak: three real servers, asked over connections that stay open, for as long as it takes.

    PYTHONPATH=examples python tests/soak.py --requests 100000

The servers are the commands themselves (`devicestatus serve` with SQLite, `healthapi serve`,
`sitedata serve`), each a process.  Clients ask for every endpoint of the three products in turn, by
every method that it has, with conditions, refusals and writes among them; every answer is checked.
Now and then a client leaves its connection and opens another.

What is reported of each server: answers and faults; resident memory and open descriptors after the
warm-up and in the end.
"""

import argparse
import asyncio
import http.client
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import attrs
import psutil
from demonstration.probes import Answer, Probe, Round, fault_of, go_round

from demonstration import device_round, health_round, site_round
from status_contracts.adapters.clocks import system_clock
from status_contracts.http.messages import Response
from status_contracts.json import codec
from status_contracts.structuring.to_builtins import to_builtins
from support.checks.answer_rules import check_wire
from support.checks.canary import TOKEN
from support.devicestatus.examples import event, snapshot, window
from support.servers.commands import started
from support.sitedata.site_versions import body_of

__all__ = ["Measured", "Served", "main", "soak"]

EXAMPLES: Final = Path(__file__).parents[3] / "examples" / "lifesnaps"
TIMEOUT_SECONDS: Final = 30
CLIENTS: Final = 3
"""For each server."""
STAY: Final = 397
"""Requests after which a client opens another connection."""
WARM_UP: Final = 10
"""The part of a soak, one in so many, that is not measured."""

Asking = Callable[[int], Probe]
"""Return the next thing to ask for, by its number."""


# What is asked for


def asking_of(url: str, rounds: Round) -> Asking:
    """Go a round once, and give its requests again and again."""
    probes: list[Probe] = []
    with closing(Client(url)) as client:

        async def answer(probe: Probe) -> Answer:
            probes.append(probe)
            return client.ask(probe)

        asyncio.run(go_round(rounds, answer))
    return lambda number: probes[number % len(probes)]


def asking_of_device(url: str) -> Asking:
    """Return a round of the device's endpoints, in which each write is made of the time it is."""
    taken = snapshot(collected_at=system_clock(), active_app="Firefox")
    with closing(Client(url)) as client:
        fault = fault_of(_write(0), client.ask(_write(0)))
        assert fault is None, fault
    whole = device_round.whole_round(taken, TOKEN, device_round.small_window(taken, system_clock()))
    probes = [each for each in _all_of(url, whole) if each.status != 200 or each.method != "POST"]
    lasting = [attrs.evolve(each, holds=_any) for each in probes]
    return lambda number: _write(number) if number % WRITES == 0 else lasting[number % len(lasting)]


WRITES: Final = 23
"""One of so many requests is a write; no factor of the length of a round."""


def _any(_: Answer) -> bool:
    return True


def _all_of(url: str, rounds: Round) -> list[Probe]:
    ask = asking_of(url, rounds)
    first = ask(0)
    found = [first]
    for number in range(1, 10_000):
        if (probe := ask(number)) is first:
            break
        found.append(probe)
    return found


def problem_of(probe: Probe, answer: Answer) -> str | None:
    """Report what is wrong with an answer: not what was expected, or against the rules of all."""
    response = Response(answer.status, tuple(answer.headers.items()), answer.body)
    try:
        check_wire(probe.method, probe.path.encode(), response)
    except (AssertionError, KeyError, ValueError) as fault:
        return f"breaks a rule ({fault})"
    return fault_of(probe, answer)


def _write(number: int) -> Probe:
    """Return an upload: a snapshot, or a window of two hundred events."""
    now = system_clock()
    model: attrs.AttrsInstance
    if number % 2:
        start = now - 600_000
        events = tuple(event(each + 1, start + each * 1000) for each in range(200))
        model = window(window_start=start, window_end=now, batch_seq=number + 1, events=events)
    else:
        model = snapshot(collected_at=now, active_app=f"App {number}")
    path = "/api/batch" if number % 2 else "/api/update"
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    return Probe("POST", path, 200, "an upload", _any, headers, codec.encode(to_builtins(model)))


# Who asks


class Client:
    """One client, whose connection stays open until it is closed."""

    def __init__(self, url: str) -> None:
        address = urlsplit(url)
        self._connection = http.client.HTTPConnection(
            address.hostname or "", address.port, timeout=TIMEOUT_SECONDS
        )

    def ask(self, probe: Probe) -> Answer:
        """Ask for one thing."""
        connection = self._connection
        connection.request(probe.method, probe.path, probe.body, dict(probe.headers))
        with connection.getresponse() as response:
            headers = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, headers, response.read())

    def close(self) -> None:
        """Leave; the next question opens another connection."""
        self._connection.close()


@attrs.define(eq=False)
class Work:
    """A number of requests to one server, shared by its clients."""

    url: str
    asking: Asking
    count: int
    faults: list[str] = attrs.Factory(list)
    answers: int = 0
    _next: Iterator[int] = attrs.field(init=False)
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    def __attrs_post_init__(self) -> None:
        self._next = iter(range(self.count))

    def done(self) -> None:
        """Have all of it done by some clients at once."""
        clients = [threading.Thread(target=self._client) for _ in range(CLIENTS)]
        for each in clients:
            each.start()
        for each in clients:
            each.join()

    def _client(self) -> None:
        with closing(Client(self.url)) as client:
            while (number := self._number()) is not None:
                probe = self.asking(number)
                try:
                    fault = problem_of(probe, client.ask(probe))
                    with self._lock:
                        self.answers += 1
                except (OSError, http.client.HTTPException) as error:
                    fault = f"no answer ({type(error).__name__})"
                    client.close()
                if fault is not None:
                    self.faults.append(f"{number}: {probe.method} {probe.path}: {fault}")
                if number % STAY == STAY - 1:
                    client.close()

    def _number(self) -> int | None:
        with self._lock:
            return next(self._next, None)


# Who answers


@attrs.frozen
class Served:
    """A server that runs."""

    name: str
    url: str
    process: psutil.Process
    asking: Asking


@contextmanager
def all_served(folder: Path) -> Iterator[list[Served]]:
    """Serve the three products by their commands."""
    site = folder / "site-data.json"
    site.write_bytes(body_of(1, problems=500))
    store = f"sqlite:{folder / 'status.sqlite'}"
    with ExitStack() as stack:

        def serve(product: str, *arguments: object) -> tuple[str, psutil.Process]:
            command = started(
                "serve", "--port", "0", *arguments, module=f"{product}.cli.main", cwd=folder
            )
            running = stack.enter_context(command)
            url = urlsplit(running.wait_for(r"http://[^ ]+/[^ ]*  "))
            return f"http://{url.netloc}", psutil.Process(running.process.pid)

        device, device_process = serve("devicestatus", "--store", store)
        health, health_process = serve("healthapi", EXAMPLES)
        data, data_process = serve("sitedata", site)
        people = ("person-1", "person-2", "person-3")
        yield [
            Served("devicestatus", device, device_process, asking_of_device(device)),
            Served(
                "healthapi",
                health,
                health_process,
                asking_of(health, health_round.whole_round(people)),
            ),
            Served("sitedata", data, data_process, asking_of(data, site_round.whole_round())),
        ]


# What is measured


@attrs.frozen
class Measured:
    """The measurements of one server; pairs are from after the warm-up and from the end."""

    name: str
    answers: int
    faults: tuple[str, ...]
    memory: tuple[int, int]
    descriptors: tuple[int, int]

    def __str__(self) -> str:
        (rss, rss_end), (fds, fds_end) = self.memory, self.descriptors
        return (
            f"{self.name:<13} {self.answers:>7} answers  {len(self.faults)} faults"
            f"  memory {rss / 2**20:6.1f} -> {rss_end / 2**20:6.1f} MiB"
            f"  descriptors {fds} -> {fds_end}"
        )


def soak(served: Served, count: int) -> Measured:
    """Ask a server for so many things; the warm-up comes on top."""
    warm = Work(served.url, served.asking, max(count // WARM_UP, 200))
    warm.done()
    memory, descriptors = _memory(served), _descriptors(served)
    work = Work(served.url, served.asking, count)
    work.done()
    return Measured(
        served.name,
        work.answers,
        tuple(warm.faults + work.faults),
        (memory, _memory(served)),
        (descriptors, _descriptors(served)),
    )


def _memory(served: Served) -> int:
    resident: int = served.process.memory_info().rss
    return resident


def _descriptors(served: Served) -> int:
    """Count descriptors when the server has noticed that the clients left."""
    counts = [served.process.num_fds()]
    while len(counts) < 3 or counts[-1] < counts[-2]:
        time.sleep(0.05)
        counts.append(served.process.num_fds())
    return counts[-1]


def measured(count: int) -> list[Measured]:
    """Soak all three products, one third of the requests each, all at the same time."""
    found: list[Measured] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        all_served(Path(folder)) as all_of_them,
    ):
        threads = [
            threading.Thread(target=lambda one=one: found.append(soak(one, count // 3)))
            for one in all_of_them
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == len(all_of_them), "a soak did not end"
    return sorted(found, key=lambda one: one.name)


MOST_MEMORY: Final = 1.05
"""The maximum growth from the start to the end of a long soak."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak, and tell what was measured; 1 where something grew or went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--requests", type=int, default=100_000)
    count: int = parser.parse_args(arguments).requests
    began = time.monotonic()
    sound = True
    for one in measured(count):
        sys.stdout.write(f"{one}\n")
        for fault in one.faults[:10]:
            sys.stdout.write(f"  {fault}\n")
        sound &= not one.faults and one.descriptors[1] <= one.descriptors[0]
        sound &= one.memory[1] <= one.memory[0] * MOST_MEMORY
    sys.stdout.write(f"{count} requests in {time.monotonic() - began:.0f} s\n")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
