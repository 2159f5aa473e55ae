"""Every goal in one table: `python benchmarks/goals.py`.

Each row is a ratio of medians from interleaved rounds in this one process (commands: of processes
that take turns), against the peer that it names.  First the peer must accept and refuse the bodies
of `vectors/devicestatus/parsing.json` as they say.

Imports are measured with bytecode of both packages, whatever the environment: the first round,
which does not count, writes it.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from device_data import (
    NOON,
    READERS,
    RECEIVED_AT,
    REFUSALS,
    full_body,
    snapshot_plain,
    window_plain,
)
from fastapi_service import FastApiService, replayed
from measuring import compare

from devicestatus import ContractError, Settings, limits, parse_window, prepare
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from status_contracts import json_text
from status_contracts.adapters.asgi import App
from status_contracts.adapters.contract import body_bytes
from status_contracts.instants import format_instant

ROUNDS: Final = 21
OURS, PEER = "devicestatus", "FastAPI and pydantic"
TOKEN: Final = "t" * limits.TOKEN_LENGTH_MIN
VECTORS: Final = Path(__file__).parents[1] / "vectors" / "devicestatus" / "parsing.json"
MANY: Final = 2000
FEW: Final = 50
BIN: Final = Path(sys.executable).parent


class Row(NamedTuple):
    """A ratio of our figure to a peer's, with its goal."""

    what: str
    peer: str
    ratio: float
    goal: float | None
    more: bool = False

    @property
    def verdict(self) -> str:
        """Whether the goal is met."""
        if self.goal is None:
            return ""
        met = self.ratio >= self.goal if self.more else self.ratio <= self.goal
        return "met" if met else "missed"


def ratio(
    ours: Callable[[], object], theirs: Callable[[], object], times: tuple[int, int] = (1, 1)
) -> float:
    """Return the ratio of our time to the peer's; a call may stand for several."""
    one, other = compare({"ours": ours, "theirs": theirs}, ROUNDS)
    return (one.median / times[0]) / (other.median / times[1])


def read_call(read: Callable[[bytes], object], body: bytes, times: int = 1) -> Callable[[], None]:
    """Return a function that accepts or refuses a body."""

    def call() -> None:
        for _ in range(times):
            with suppress(*REFUSALS):
                read(body)

    return call


def with_findings(body: bytes) -> None:
    """Refuse a window, and read all findings."""
    try:
        parse_window(body, received_at=RECEIVED_AT)
    except ContractError as error:
        if not error.findings:
            raise ValueError("nothing was found") from None


def reading() -> Iterator[Row]:
    """Return the ratios of parsing and refusing, of bodies without URLs and of larger ones."""
    for payload, running, urls in (("4 apps", 4, False), ("URLs, 14 apps", 14, True)):
        window = partial(window_plain, apps=running, urls=urls)
        full = json_text.encode(window(limits.WINDOW_EVENTS, limits.WINDOW_GAPS))
        bodies = (
            (
                "snapshot",
                "snapshot",
                json_text.encode(snapshot_plain(running, urls=urls)),
                200,
                0.85,
            ),
            ("window of 200 events", "window", json_text.encode(window(200, 12)), 4, 0.55),
            ("full window", "window", full, 1, 0.5),
        )
        for what, kind, body, times, goal in bodies:
            ours, theirs = (read_call(READERS[of][kind], body, times) for of in (OURS, "pydantic"))
            yield Row(f"parse a {what}, {payload}", "pydantic", ratio(ours, theirs), goal)
        for what, fault in (("type", b'"x"'), ("order", b"2047")):
            late = full.replace(b'"seq":2048,', b'"seq":%b,' % fault)
            pydantic = read_call(READERS["pydantic"]["window"], late)
            ours = read_call(READERS[OURS]["window"], late)
            yield Row(f"late fault of {what}, {payload}", "pydantic", ratio(ours, pydantic), 0.35)
            every = ratio(partial(with_findings, late), pydantic)
            yield Row(f"all findings of {what}, {payload}", "pydantic", every, 1.0)


def projecting() -> Iterator[Row]:
    """Return the ratios of a prepared window."""
    body = full_body()
    window = parse_window(body, received_at=RECEIVED_AT)
    project = prepare(window).project
    moments = [window.window_start + n * 7919 % limits.WINDOW_SPAN_MS for n in range(MANY)]
    nows = [at + limits.PLAYBACK_DELAY_MS for at in moments] * FEW
    plain: Any = READERS["pydantic"]["window"](body)
    texts = [format_instant(at) for at in moments[:FEW]]

    def ask_all() -> None:
        for now in nows:
            project(now)

    def replay_some() -> None:
        for moment in texts:
            replayed(plain, moment)

    # A projection takes as long as one call and one bisection, 0.25 us, and a replay 110 us: the
    # ratio shows that a projection does not depend on the number of events.
    times = (len(nows), FEW)
    yield Row("project", "naive replay", 1 / ratio(ask_all, replay_some, times), 300, more=True)
    preparing = ratio(lambda: prepare(window), lambda: parse_window(body, received_at=RECEIVED_AT))
    yield Row("prepare a full window", "parsing it", preparing, 0.5)


async def ask(app: App, method: str, path: str, body: bytes = b"") -> bytes:
    """Call an application in this process; return the body of its response."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:  # noqa: ANN401 - of ASGI
        sent.append(message)

    headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    await app(scope, receive, send)
    return b"".join(each.get("body", b"") for each in sent[1:])


def requests() -> Iterator[Row]:
    """Return the ratios of requests in process; both give the same responses."""
    body, clock = full_body(), lambda: RECEIVED_AT
    made: dict[str, App] = {
        OURS: asgi_app(Settings(TOKEN), store=MemoryStore(), clock=clock),
        PEER: FastApiService(MemoryStore(), token=TOKEN, clock=clock).app(),
    }
    cases = (
        ("POST /api/batch, full window", ("POST", "/api/batch", body), (2, 2), 1.5),
        ("GET /api/now, full window", ("GET", "/api/now"), (100, 2), 20.0),
        ("GET /api/timeline, full window", ("GET", "/api/timeline"), (100, 2), None),
    )
    with asyncio.Runner() as runner:

        def asking(name: str, asked: tuple[Any, ...], times: int) -> Callable[[], None]:
            async def all_of_them() -> None:
                for _ in range(times):
                    await ask(made[name], *asked)

            return lambda: runner.run(all_of_them())

        for what, asked, times, goal in cases:
            one, other = (json.loads(runner.run(ask(app, *asked))) for app in made.values())
            if one != other:
                raise ValueError(f"the responses differ: {what}")
            ours, theirs = (
                asking(name, asked, each) for name, each in zip((OURS, PEER), times, strict=True)
            )
            yield Row(what, PEER, 1 / ratio(ours, theirs, times), goal, more=True)


def starting() -> Iterator[Row]:
    """Return the ratios of imports and help, in separate processes."""
    window, model = "from devicestatus import parse_window", "class A(BaseModel):\n    x: int"
    first = f"from pydantic import BaseModel\n{model}"
    ours, theirs = python("import devicestatus"), python("import pydantic")
    yield Row("import devicestatus", "import pydantic", ratio(ours, theirs), 1.0)
    ours, theirs = python(window), python(first)
    yield Row("the first window parsed", "a first model of pydantic", ratio(ours, theirs), None)
    ours, theirs = running([str(BIN / "devicestatus"), "--help"]), python("pass")
    yield Row("devicestatus --help", "python -c pass", ratio(ours, theirs), 3.0)


def python(code: str) -> Callable[[], Any]:
    """Return a function that runs some code in a process."""
    return running([sys.executable, "-c", code])


def running(command: list[str]) -> Callable[[], Any]:
    """Return a function that runs a command."""
    environment = {name: os.environ[name] for name in os.environ.keys() - _WITHOUT_BYTECODE}
    return lambda: subprocess.run(  # noqa: S603 - our own
        command, check=True, stdout=subprocess.DEVNULL, env=environment
    )


_WITHOUT_BYTECODE: Final = {"PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"}


def check_peer() -> int:
    """Return how many bodies the peer accepts and refuses as their vectors say.

    Raises:
        ValueError: it has other rules.

    """
    known = {"/api/update": ("snapshot", NOON), "/api/batch": ("window", RECEIVED_AT)}
    checked = 0
    for case in json.loads(VECTORS.read_bytes())["cases"]:
        kind, received_at = known[case["input"]["endpoint"]]
        if case["input"]["received_at"] != received_at:
            continue
        checked += 1
        is_valid = False
        with suppress(*REFUSALS):
            READERS["pydantic"][kind](body_bytes(case["input"]["body"]))
            is_valid = True
        if is_valid != case["expected"]["valid"]:
            raise ValueError(f"the peer has another rule: {case['id']}")
    return checked


def main() -> None:
    """Measure and print, row by row."""
    print(f"the peer agrees with {check_peer()} vectors")
    print(f"{'':50}{'against':28}{'ratio':>9}  goal")
    for rows in (reading, projecting, requests, starting):
        for row in rows():
            sign = ">=" if row.more else "<="
            goal = "" if row.goal is None else f"{sign} {row.goal:g}: {row.verdict}"
            print(f"{row.what:50}{row.peer:28}{row.ratio:9.3f}  {goal}", flush=True)


if __name__ == "__main__":
    main()
