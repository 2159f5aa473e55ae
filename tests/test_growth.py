"""No public function, and no regular expression, costs more than linear time in its input.

Four times the input must not take anything like sixteen times as long (`costs`).  The inputs are
those that careless code is slow on: equal keys, one path many times, everything broken.
"""

import importlib
import inspect
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache, partial
from typing import Any, Final

import attrs
import pytest

import devicestatus
import healthapi
import sitedata
import status_contracts
from devicestatus import ContractError, Settings
from devicestatus.record import encode_record
from healthapi.page import build_site
from healthapi.resources import build_dashboard
from healthapi.rows.mapping import NATIVE
from sitedata.building.history import CommitDate, History, TreeFile
from status_contracts.pages.settings import DEFAULT_PAGE
from support.checks.costs import assert_linear
from support.devicestatus.examples import (
    COVERED_SONG,
    NOON,
    RECEIVED_AT,
    TOKEN,
    body,
    event,
    gap,
    plain,
    snapshot,
    window,
    window_record,
)
from support.faults.heavy_bodies import collisions
from support.sitedata.site_versions import LATER, snapshot_of

pytestmark = pytest.mark.check

STAMP: Final = "2026-01-31T12:00:00"
PRODUCTS: Final = (devicestatus, healthapi, sitedata)


def events(size: int) -> Any:
    """Return a window of that many events; a size beyond 2048 breaks the contract."""
    changes = {"music": COVERED_SONG, "running_apps": ("a", "b")}
    return window(events=tuple(event(n + 1, NOON + n, **changes) for n in range(size)))


def uploads(size: int) -> list[devicestatus.Window]:
    """Return that many windows of a session: some overlap, some touch, some follow a gap."""
    found = []
    for number in range(size):
        start = NOON + number * 900_000 - number % 3 * 200_000
        found.append(
            window(
                batch_seq=number + 1,
                window_start=start,
                window_end=start + 900_000,
                generated_at=start + 900_000,
                events=(event(1, start + 400_000, active_app=f"App {number}"),),
                gaps=(gap(start + 500_000, start + 500_001, "sleep"),),
            )
        )
    return found


def rejected(parse: Callable[..., object], received_at: int) -> Callable[[bytes], object]:
    def call(data: bytes) -> None:
        with pytest.raises(ContractError):
            parse(data, received_at=received_at)

    return call


def apps(size: int) -> dict[str, Any]:
    return {**plain(snapshot()), "running_apps": list(collisions(size)), "x": [[]] * size}


def tables(size: int, cell: str = "x") -> dict[str, bytes]:
    """Return the files of that many rows and half as many days, with one text in all cells."""
    days = [(date(1900, 1, 1) + timedelta(n % (size // 2))).isoformat() for n in range(size)]
    return {
        f"csv/{table.file}": (
            f"{table.date},{','.join(name for _, name in table.sources())}\n"
            + "".join(f"{day}{f',{cell}' * len(table.columns)}\n" for day in days)
        ).encode()
        for table in NATIVE.tables.values()
    }


@cache
def months(size: int) -> healthapi.Profile:
    """Return a profile of that many months with a day each."""
    rows = "".join(f"{month // 12:04}-{month % 12 + 1:02}-01,5000\n" for month in range(12, size))
    files = {"csv/fitbit_activity.csv": f"date,steps\n{rows}".encode()}
    return healthapi.load("me", files, generated_at=STAMP)


def profile(size: int) -> healthapi.Profile:
    return healthapi.load("me", tables(size), generated_at=STAMP)


def history(size: int) -> History:
    """Return a history of that many files, half of them of one name in different case."""
    names = sorted({f"{'kattis' if n % 2 else 'Kattis'}/{n // 2}.py".encode() for n in range(size)})
    return History(
        ref="main",
        branch="main",
        commit="c0ffee" * 6 + "c0ff",
        remote="git@github.com:ada/practice.git",
        files=tuple(map(TreeFile, names)),
        commit_dates={name: CommitDate("c0ffee" * 6 + "c0ff", 1_700_000_000, 0) for name in names},
        commit_count=size,
        contributions=contributions(size),
    )


def days(size: int) -> dict[date, int]:
    return {date(1000, 1, 1) + timedelta(n): n + 1 for n in range(size)}


def contributions(size: int) -> dict[str, int]:
    return {str(day): count for day, count in days(size).items()}


def repository(size: int) -> sitedata.Snapshot:
    """Return a snapshot of that many problems, a quarter of them at one path, and as many days."""
    made = snapshot_of(1, problems=size)
    problems = tuple(
        attrs.evolve(each, path="a/b.py" if n % 4 else each.path, platform=f"{n}", language=f"{n}")
        for n, each in enumerate(made.problems)
    )
    counts = contributions(size)
    return attrs.evolve(made, problems=problems, contributions=counts, extra=counts)


Growth = tuple[Callable[[Any], object], Callable[[int], Any], int]
CASES: Final[dict[str, Growth]] = {
    "devicestatus.check_snapshot": (devicestatus.check_snapshot, apps, 3000),
    "devicestatus.check_window": (devicestatus.check_window, lambda n: plain(events(n)), 300),
    "devicestatus.encode": (
        devicestatus.encode,
        lambda size: devicestatus.parse_window(body(events(size)), received_at=RECEIVED_AT),
        300,
    ),
    "devicestatus.unstructure": (
        devicestatus.unstructure,
        lambda size: devicestatus.parse_window(body(events(size)), received_at=RECEIVED_AT),
        300,
    ),
    "devicestatus.parse_snapshot": (
        rejected(devicestatus.parse_snapshot, NOON),
        lambda size: body(apps(size))[: size * 4],
        1000,
    ),
    "devicestatus.parse_window": (
        lambda data: devicestatus.parse_window(data, received_at=RECEIVED_AT),
        lambda size: body(events(size)),
        400,
    ),
    "devicestatus.prepare": (devicestatus.prepare, events, 500),
    "devicestatus.intervals": (
        lambda made: devicestatus.intervals(made, "active_app", lambda app: app),
        lambda size: devicestatus.join_windows(uploads(size)),
        500,
    ),
    "devicestatus.join_windows": (devicestatus.join_windows, uploads, 300),
    "devicestatus.total_durations": (
        devicestatus.total_durations,
        lambda size: [devicestatus.Interval(n, n + 1, f"{n // 2}") for n in range(size)],
        3000,
    ),
    "devicestatus.explain": (
        lambda stored: devicestatus.explain(stored, RECEIVED_AT, Settings(TOKEN)),
        lambda size: encode_record(window_record(events(size))),
        400,
    ),
    "healthapi.load": (
        lambda files: healthapi.load("me", files, generated_at=STAMP).catalog,
        tables,
        400,
    ),
    "healthapi.derive": (
        lambda loaded: build_dashboard(healthapi.derive(loaded, generated_at=STAMP)),
        lambda size: healthapi.load("me", tables(size, "1"), generated_at=STAMP),
        400,
    ),
    "healthapi.draw": (lambda made: healthapi.draw(made.series("daily"), title="x"), profile, 400),
    "healthapi.clean": (
        healthapi.clean,
        lambda size: [{"name": f"{n}", "value": "token=x&a=b", "x": [{}]} for n in range(size)],
        300,
    ),
    "sitedata.build": (
        lambda made: sitedata.build(made, sitedata.BuildSettings(), generated_at=LATER),
        history,
        500,
    ),
    "sitedata.calendar_of": (lambda made: sitedata.calendar_of(made).streaks, repository, 1000),
    "sitedata.check": (sitedata.check, lambda size: plain(repository(size)), 300),
    "sitedata.counts": (sitedata.counts, lambda size: repository(size).problems, 1000),
    "sitedata.encode": (sitedata.encode, repository, 500),
    "sitedata.unstructure": (sitedata.unstructure, repository, 500),
    "healthapi.unstructure": (
        healthapi.unstructure,
        lambda size: healthapi.ActivityRow("2026-01-01", exercise_examples="a" * size),
        100_000,
    ),
    "sitedata.group": (
        lambda problems: sitedata.group(problems, "platform"),
        lambda size: repository(size).problems,
        1000,
    ),
    "sitedata.heatmap": (sitedata.heatmap, lambda size: sitedata.calendar_of(days(size)), 3000),
    "sitedata.ordered": (sitedata.ordered, lambda size: repository(size).problems, 1000),
    "sitedata.parse": (sitedata.parse, lambda size: sitedata.encode(repository(size)), 300),
    "sitedata.publish": (sitedata.publish, lambda size: sitedata.encode(repository(size)), 300),
    "sitedata.structure": (sitedata.structure, lambda size: plain(repository(size)), 300),
    "sitedata.select": (
        lambda problems: sitedata.select(problems, platforms=["1"], text="x"),
        lambda size: repository(size).problems,
        1000,
    ),
}

CONSTANT_COST: Final = {
    f"{product}.{name}"
    for product in ("devicestatus", "sitedata")
    for name in ("from_datetime", "to_datetime")
}
"""Functions whose input has one size only."""


class TestPublicFunctions:
    @pytest.mark.parametrize("name", CASES)
    def test_cost_linear_time(self, name: str) -> None:
        assert_linear(*CASES[name])

    def test_a_page_of_many_months_costs_linear_time(self) -> None:
        assert_linear(lambda made: build_site([made], DEFAULT_PAGE), months, 8000)

    def test_every_public_function_has_a_case(self) -> None:
        public = {
            f"{product.__name__}.{name}"
            for product in PRODUCTS
            for name in product.__all__
            if inspect.isfunction(getattr(product, name))
        }
        assert public - CONSTANT_COST == CASES.keys()


MOTIFS: Final = (
    *("a", "A", "0", "-", "a-", "0-", "_", ".", "a.", "/", "a/", "%41", "\\", "\\u0041"),
    *('"', '"a",', "sol ", "v1-", "problem 1 "),
    *("'", " ", "\t", "\n", " \n", "=", "a=", "a=1&", "a: ", "; ", ",", "a,", "{", "[", "<", "1e"),
    *("+", "é", "eyJ", "A1_", "//", "*", "W/", "()", "-----BEGIN ", "a@", "00:", "2026-01-01T"),
)
SIZE: Final = 1000
MEASURABLE_SECONDS: Final = 0.002
"""Shorter times are not measured reliably; a quadratic cost of 4000 characters is longer."""


def patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yield the name and value of every compiled expression of a module, its lists and tables."""
    seen: set[re.Pattern[Any]] = set()
    for package in (status_contracts, *PRODUCTS):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".testing" in found.name:
                continue
            for name, value in vars(importlib.import_module(found.name)).items():
                values = value.values() if isinstance(value, dict) else value
                for each in values if isinstance(values, tuple | list) else [value]:
                    if isinstance(each, re.Pattern) and each not in seen:
                        seen.add(each)
                        yield f"{found.name}.{name}", each


class TestPatterns:
    """An expression matches a text, or its start, in linear time."""

    def test_no_repetition_is_backtracked_into(self) -> None:
        failures = []
        for name, pattern in patterns():
            try:
                self._match_in_linear_time(pattern)
            except AssertionError as error:
                failures.append(f"{name}: {error}")
        assert not failures

    @staticmethod
    def _match_in_linear_time(pattern: re.Pattern[Any]) -> None:
        encoded = isinstance(pattern.pattern, bytes)

        def make(motif: str, size: int) -> Any:
            text = motif * (size // len(motif)) + "\x01"
            return text.encode() if encoded else text

        for decide in (pattern.fullmatch, pattern.match):
            for motif in MOTIFS:
                text = make(motif, SIZE * 4)
                start = time.process_time()
                decide(make(motif, 50))
                decide(text)
                if time.process_time() - start > MEASURABLE_SECONDS:
                    assert_linear(decide, partial(make, motif), SIZE)
