"""Health data compared with its goals: `make bench` prints all figures.

- loading ten years and deriving everything, against pandas reading the same files and making weekly
  and monthly means;
- each resource after loading, requested for the first time and again;
- charts of ten years; memory by day; a million rows.
"""

import io
from collections.abc import Callable
from functools import partial
from http import HTTPStatus

import pandas as pd
from health_data import profile_files
from measuring import Measured, compare, memory_of, show

from healthapi.chart import draw
from healthapi.keys import CHARTS, DATASETS, SECTIONS, TABLES
from healthapi.profile import Profile, derive, load, read_sources
from healthapi.resources import build_dashboard
from healthapi.service import Service
from status_contracts.exchange import Effect, ReadSource, drive
from status_contracts.messages import Request

DAYS = 3650
MANY = 1_000_000
ROUNDS = 5
STAMP = "2026-01-31T12:00:00"
ROOT = "/api/public/v1/profiles/me"

MEANS = {
    "sleepScore": "sleep",
    "minutesAsleep": "sleep",
    "dailyRmssd": "hrv",
    "resting_heart_rate": "rhr",
    "steps": "activity",
    "activeMinutes": "activity",
    "activeZoneMinutes": "activity",
    "caloriesOut": "activity",
}
"""Columns whose means are computed for each period, and their files."""


def with_pandas(files: dict[str, bytes]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read four files and compute weekly and monthly means only."""
    tables = {
        name: pd.read_csv(io.BytesIO(files[f"csv/fitbit_{name}.csv"]), parse_dates=["date"])
        for name in ("activity", "sleep", "hrv", "rhr")
    }
    tables["sleep"] = tables["sleep"][tables["sleep"]["isMainSleep"]]
    daily = pd.concat(
        [
            table.set_index("date")[[name for name, source in MEANS.items() if source == key]]
            for key, table in tables.items()
        ],
        axis=1,
    )
    return daily.resample("W").mean(), daily.resample("MS").mean()


def read_only(files: dict[str, bytes]) -> None:
    """Read four files with pandas; dates stay text."""
    for data in files.values():
        pd.read_csv(io.BytesIO(data))


def asking(service: Service, profile: Profile, path: str, query: bytes = b"") -> Callable[[], int]:
    """Return a function that requests a resource and returns the size of the response."""

    def perform(effect: Effect) -> object:
        if not isinstance(effect, ReadSource):
            raise TypeError("only the source is read")
        return ("me",) if effect.name is None else profile

    request = Request("GET", path.encode(), query=query)

    def call() -> int:
        response = drive(service(request), perform)
        if response.status != HTTPStatus.OK:
            raise ValueError(path)
        return len(response.body)

    return call


def resources() -> list[tuple[str, bytes]]:
    """Return path and query of every resource of a profile."""
    plain = (
        *("", "/dashboard", "/catalog", "/overview", "/coverage", "/metrics", "/metrics/steps"),
        *("/correlations", "/snapshot-status", "/datasets", "/sections", "/tables", "/snapshot"),
        "/snapshot/endpoints",
    )
    keyed = [
        *(f"/datasets/{key}" for key in DATASETS),
        *(f"/sections/{key}" for key in SECTIONS),
        *(f"/tables/{key}" for key in TABLES),
    ]
    series = [
        ("/series/daily", b"metrics=steps,hrv,rhr,sleep_score&limit=365"),
        ("/series/daily", b"metrics=steps,hrv,rhr,sleep_score"),
        ("/series/daily", b""),
        ("/series/weekly", b""),
        ("/series/monthly", b""),
        ("/datasets/daily", b"limit=1000"),
    ]
    return [
        (ROOT + path, query) for path, query in [*((p, b"") for p in (*plain, *keyed)), *series]
    ]


def load_and_derive() -> None:
    """Measure loading."""
    files = profile_files(DAYS)
    show(
        f"{DAYS} days, four files: load and derive everything",
        compare(
            {
                "pandas: read, weekly and monthly means": lambda: with_pandas(files),
                "pandas: read only, dates as text": lambda: read_only(files),
                "healthapi: read only": lambda: read_sources("me", files),
                "healthapi: load, derive everything": lambda: build_dashboard(
                    load("me", files, generated_at=STAMP)
                ),
            }
        ),
    )


def answers() -> None:
    """Measure each resource, requested for the first time and again."""
    files = profile_files(DAYS)
    sources = read_sources("me", files)

    def first(path: str, query: bytes) -> Measured:
        fresh = [derive(sources, generated_at=STAMP) for _ in range(ROUNDS + 1)]
        calls = [asking(Service(), profile, path, query) for profile in fresh]

        def ask() -> int:
            return calls.pop()()

        return compare({"first": ask}, ROUNDS)[0]

    print(f"\n{DAYS} days: ms of engine time for each resource, first time and again")
    profile, service = derive(sources, generated_at=STAMP), Service()
    for path, query in resources():
        call = asking(service, profile, path, query)
        again = compare({"again": call}, ROUNDS)[0]
        shown = f"{path.removeprefix(ROOT)}?{query.decode()}".rstrip("?")
        print(
            f"  {shown or '(profile)':<58} {call():>9} bytes"
            f"  first {first(path, query).median * 1e3:8.3f}  again {again.median * 1e3:8.3f}"
        )


def charts() -> None:
    """Measure drawing."""
    profile = load("me", profile_files(DAYS), generated_at=STAMP)
    print(f"\n{DAYS} days: charts")
    for chart in CHARTS.values():
        series = profile.series(chart.granularity, chart.metrics)
        picture = partial(draw, series, title=chart.title)
        measured = compare({chart.key: picture})
        size = len(picture())
        print(
            f"  {chart.key:<20} {len(chart.metrics)} metrics, {len(series):>5} points:"
            f" {size:>7} bytes, median {measured[0].median * 1e3:.3f} ms"
        )


def memory() -> None:
    """Measure the memory of a loaded profile."""
    files = profile_files(DAYS)
    held, peak = memory_of(lambda: load("me", files, generated_at=STAMP))
    print(f"\nmemory: {held / DAYS:.0f} bytes held a day, {peak / DAYS:.0f} at the most on the way")


def many_rows() -> None:
    """Measure a million rows against a tenth of them."""
    name = "csv/fitbit_activity.csv"
    head, *lines = profile_files(10_000)[name].split(b"\n")
    body = b"\n".join(lines[:-1]) + b"\n"
    few = {name: head + b"\n" + body * (MANY // 100_000)}
    many = {name: head + b"\n" + body * (MANY // 10_000)}
    measured = compare(
        {
            f"{MANY // 10:,} rows": lambda: load("me", few, generated_at=STAMP),
            f"{MANY:,} rows": lambda: load("me", many, generated_at=STAMP),
        },
        rounds=3,
    )
    show("many rows of one file (linear: a ratio of 10)", measured)
    held, peak = memory_of(lambda: load("me", many, generated_at=STAMP))
    print(f"  a row: {held / MANY:.0f} bytes held, {peak / MANY:.0f} at the most on the way")


if __name__ == "__main__":
    load_and_derive()
    answers()
    charts()
    memory()
    many_rows()
