"""Every goal in one table: `python benchmarks/goals.py`.

Each row is a ratio of medians from interleaved rounds in this one process (commands: of processes
that take turns), against the peer that it names; the rules of all peers are those of the verdict
table in `device.py`.  The other scripts show the details of each row.

Imports are measured with bytecode of both packages, whatever the environment: the first round,
which does not count, writes it.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from device_data import READERS, REFUSALS, PWindow, snapshot_plain, window_plain
from device_http import NOW, OURS, PEER, Asked, apps, ask, full_body, stored_value
from measuring import compare
from playback import replay

from devicestatus import ContractError, Window, limits, parse_window, prepare
from status_contracts import json_text as codec
from status_contracts.structuring.converter import structure

ROUNDS: Final = 21
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
            try:
                read(body)
            except (ContractError, *REFUSALS):
                pass

    return call


def with_findings(body: bytes) -> None:
    """Refuse a window, and read all findings."""
    try:
        parse_window(body, received_at=NOW)
    except ContractError as error:
        if not error.findings:
            raise ValueError("nothing was found") from None


def reading() -> Iterator[Row]:
    """Return the ratios of parsing and refusing, of bodies without URLs and of larger ones."""
    for payload, running, urls in (("4 apps", 4, False), ("URLs, 14 apps", 14, True)):
        window = partial(window_plain, apps=running, urls=urls)
        most = window(limits.WINDOW_EVENTS, limits.WINDOW_GAPS)
        full = codec.encode(most)
        bodies = (
            ("snapshot", "snapshot", codec.encode(snapshot_plain(running, urls=urls)), 200, 0.85),
            ("window of 200 events", "window", codec.encode(window(200, 12)), 4, 0.55),
            ("full window", "window", full, 1, 0.5),
        )
        for what, kind, body, times, goal in bodies:
            ours, theirs = (read_call(READERS[of][kind], body, times) for of in (OURS, "pydantic"))
            yield Row(f"parse a {what}, {payload}", "pydantic", ratio(ours, theirs), goal)
        by_msgspec = read_call(READERS["msgspec"]["window"], full)
        ours = read_call(READERS[OURS]["window"], full)
        yield Row(f"parse a full window, {payload}", "msgspec", ratio(ours, by_msgspec), None)
        by_cattrs = partial(structure, most, Window, "refuse", limits.FINDINGS_CAP)
        validated = ratio(by_cattrs, partial(PWindow.model_validate, most))
        yield Row(f"the same by cattrs, {payload}", "pydantic", validated, None)
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
    window = parse_window(body, received_at=NOW)
    project = prepare(window).project
    moments = [window.window_start + n * 7919 % limits.WINDOW_SPAN_MS for n in range(MANY)]
    nows = [at + limits.PLAYBACK_DELAY_MS for at in moments] * FEW

    def ask_all() -> None:
        for now in nows:
            project(now)

    def replay_some() -> None:
        for at in moments[:FEW]:
            replay(window, at)

    # A projection takes as long as one call and one bisection, 0.25 us, and a replay 110 us: the
    # ratio shows that a projection does not depend on the number of events.
    times = (len(nows), FEW)
    yield Row("project", "naive replay", 1 / ratio(ask_all, replay_some, times), 300, more=True)
    preparing = ratio(lambda: prepare(window), lambda: parse_window(body, received_at=NOW))
    yield Row("prepare a full window", "parsing it", preparing, 0.5)


def requests() -> Iterator[Row]:
    """Return the ratios of requests in process."""
    body = full_body()
    made = apps(stored_value(body))
    cases = (
        ("GET /api/now, full window", Asked("GET", "/api/now"), (100, 2), 20.0),
        ("GET /api/timeline, full window", Asked("GET", "/api/timeline"), (100, 2), None),
        ("POST /api/batch, full window", Asked("POST", "/api/batch", body), (2, 2), 1.5),
    )
    with asyncio.Runner() as runner:

        def asking(name: str, asked: Asked, times: int) -> Callable[[], None]:
            async def all_of_them() -> None:
                for _ in range(times):
                    await ask(made[name], asked)

            return lambda: runner.run(all_of_them())

        for what, asked, times, goal in cases:
            ours, theirs = (
                asking(name, asked, each) for name, each in zip((OURS, PEER), times, strict=True)
            )
            yield Row(what, PEER, 1 / ratio(ours, theirs, times), goal, more=True)


def starting() -> Iterator[Row]:
    """Return the ratios of imports and help, in separate processes."""
    cases: tuple[tuple[str, list[str], str, list[str], float | None], ...] = (
        (
            "import devicestatus",
            python("import devicestatus"),
            "import pydantic",
            python("import pydantic"),
            1.0,
        ),
        (
            "the first window parsed",
            python("from devicestatus import parse_window"),
            "a first model of pydantic",
            python("from pydantic import BaseModel\nclass A(BaseModel):\n    x: int"),
            None,
        ),
        (
            "devicestatus --help",
            [str(BIN / "devicestatus"), "--help"],
            "python -c pass",
            python("pass"),
            3.0,
        ),
    )
    for what, ours, peer, theirs, goal in cases:
        yield Row(what, peer, ratio(running(ours), running(theirs)), goal)


def python(code: str) -> list[str]:
    """Return the command that runs some code."""
    return [sys.executable, "-c", code]


def running(command: list[str]) -> Callable[[], Any]:
    """Return a function that runs a command."""
    environment = {name: os.environ[name] for name in os.environ.keys() - _WITHOUT_BYTECODE}
    return lambda: subprocess.run(  # noqa: S603 - our own
        command, check=True, stdout=subprocess.DEVNULL, env=environment
    )


_WITHOUT_BYTECODE: Final = {"PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"}


def main() -> None:
    """Measure and print, row by row."""
    print(f"{'':50}{'against':28}{'ratio':>9}  goal")
    for rows in (reading, projecting, requests, starting):
        for row in rows():
            sign = ">=" if row.more else "<="
            goal = "" if row.goal is None else f"{sign} {row.goal:g}: {row.verdict}"
            print(f"{row.what:50}{row.peer:28}{row.ratio:9.3f}  {goal}", flush=True)


if __name__ == "__main__":
    main()
