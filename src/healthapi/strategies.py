"""Hypothesis strategies for rows, files, snapshots and profiles, valid or with one fault.

Numbers are in the range of wearables; every value may be missing.  Rows are in ascending order of
date, and most dates are consecutive.  Files are written as producers do: whole numbers of a column
with gaps as `61.0`, missing values as empty cells.  Parsing them returns the rows.

Breaks of `ROW_RULES` are findings in one row or in the header; with a break of `FILE_RULES` the
whole file cannot be read.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any, Final, TypeVar, get_args

import attrs
from hypothesis import strategies as st

from healthapi.limits import SNAPSHOT_DEPTH
from healthapi.models import (
    ActivityRow,
    HrvRow,
    RhrRow,
    SleepLog,
)
from healthapi.profile import Profile, load
from healthapi.rows.findings import RowRule
from healthapi.rows.mapping import NATIVE, TableMap
from healthapi.rows.reading import CELL_LENGTH, FileRule
from healthapi.snapshot import SNAPSHOT_FILE
from status_contracts import json_text

__all__ = [
    "FILE_RULES",
    "ROW_RULES",
    "Faulty",
    "csv_file",
    "csv_text",
    "days",
    "faulty_files",
    "native_files",
    "profile_files",
    "profiles",
    "rows",
    "sleep_logs",
    "snapshots",
]

_ROWS: Final = 60
_STAMP: Final = "2026-01-31T12:00:00"
R = TypeVar("R", ActivityRow, SleepLog, HrvRow, RhrRow)


_RANGES: Final = {
    "steps": (0, 60_000),
    "activity_calories": (0, 6000),
    "calories_out": (800, 9000),
    "active_zone_minutes": (0, 400),
    "sedentary_minutes": (0, 1440),
    "duration": (0, 50_000_000),
    **dict.fromkeys(("efficiency", "sleep_score"), (0, 100)),
    **dict.fromkeys(("hrv", "deep_rmssd"), (5, 200)),
    "rhr": (30, 120),
}
"""Member to its range; other numbers are minutes."""
_MINUTES: Final = 0, 900
_CHOICES: Final = {
    "exercise_examples": (None, "Walk", "Run、Swim", "Hike, long"),
    "is_main_sleep": (True, True, True, False),
    "start_time": (None, "2026-01-01T23:02:00.000"),
    "end_time": (None, "2026-01-02T07:02:00.000"),
}
"""Member that is no number to its values."""


def _maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | values


def _member(field: "attrs.Attribute[Any]") -> st.SearchStrategy[Any]:
    """Generate values of a member of a row, `float` with a tenth."""
    if field.name in _CHOICES:
        return st.sampled_from(_CHOICES[field.name])
    least, most = _RANGES.get(field.name, _MINUTES)
    if float in get_args(field.type):
        return _maybe(st.integers(least * 10, most * 10).map(lambda tenths: tenths / 10))
    return _maybe(st.integers(least, most))


def _row(model: type[R]) -> st.SearchStrategy[R]:
    """Generate rows without a date."""
    names = {field.name: field for field in attrs.fields(model)}
    measured = names.keys() - {"date", "log_id"}
    return st.builds(
        model, date=st.just(""), **{name: _member(names[name]) for name in sorted(measured)}
    )


def days(most: int = _ROWS) -> st.SearchStrategy[list[str]]:
    """Generate ascending, unique days; most of them are consecutive."""
    steps = st.lists(st.sampled_from((1, 1, 1, 1, 2, 9, 40)), max_size=most)
    first = st.dates(date(1999, 12, 1), date(2031, 3, 1))
    return st.builds(_stepped, first, steps)


def _stepped(first: date, steps: list[int]) -> list[str]:
    dates, day = [], first
    for step in steps:
        dates.append(day.isoformat())
        day += timedelta(step)
    return dates


@st.composite
def rows(draw: st.DrawFn, model: type[R], most: int = _ROWS) -> list[R]:
    """Generate rows of `ActivityRow`, `HrvRow` or `RhrRow`, one for each day."""
    return [attrs.evolve(draw(_row(model)), date=day) for day in draw(days(most))]


@st.composite
def sleep_logs(draw: st.DrawFn, most: int = _ROWS) -> list[SleepLog]:
    """Generate sleep logs, one to three a date: main sleeps, naps, or naps alone."""
    return [
        attrs.evolve(draw(_row(SleepLog)), date=day, log_id=f"{number}{place}")
        for number, day in enumerate(draw(days(most)))
        for place in range(draw(st.integers(1, 3)))
    ]


_ROWS_OF: Final[dict[str, Callable[[int], st.SearchStrategy[Any]]]] = {
    "activity": partial(rows, ActivityRow),
    "sleep": sleep_logs,
    "hrv": partial(rows, HrvRow),
    "rhr": partial(rows, RhrRow),
}


@st.composite
def profile_files(draw: st.DrawFn, most: int = _ROWS) -> dict[str, bytes]:
    """Generate the files of a profile by name; any of them may be missing."""
    files = native_files(**{name: draw(_maybe(drawn(most))) for name, drawn in _ROWS_OF.items()})
    snapshot = draw(_maybe(snapshots()))
    if snapshot is not None:
        files[SNAPSHOT_FILE] = json_text.encode(snapshot)
    return files


def profiles(most: int = _ROWS) -> st.SearchStrategy[Profile]:
    """Generate complete profiles."""
    return st.builds(lambda files: load("person", files, generated_at=_STAMP), profile_files(most))


def _object(
    required: dict[str, st.SearchStrategy[Any]], **optional: st.SearchStrategy[Any]
) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(required, optional=optional)


_USER: Final = _object(
    {},
    displayName=st.sampled_from(("Ada", "Grace H.", "")),
    fullName=st.just("Ada Example"),
    timezone=st.sampled_from(("Europe/Berlin", "UTC", "No/Where")),
    locale=st.just("en_GB"),
    memberSince=st.just("2020-01-01"),
    height=st.floats(120, 210),
    weight=st.floats(35, 180),
)
_DEVICE: Final = _object(
    {"id": st.integers(1, 9).map(str), "deviceVersion": st.just("Band 5")},
    battery=st.sampled_from(("High", "Low")),
    type=st.just("TRACKER"),
)
_WEIGHT: Final = _object(
    {"date": st.just("2026-01-02"), "weight": st.floats(30, 200)}, bmi=st.floats(10, 60)
)
_BADGE: Final = _object({"shortName": st.just("10k")})
_DATA: Final[dict[str, st.SearchStrategy[Any]]] = {
    "profile": _object({}, user=_USER),
    "devices": st.lists(_DEVICE, max_size=3),
    "sleep_goal": _object({"goal": _object({"minDuration": st.integers(200, 700)})}),
    "activity_goals_daily": _object({"goals": _object({"steps": st.integers(0, 30_000)})}),
    "weight_log_recent": _object({"weight": st.lists(_WEIGHT, max_size=4)}),
    "badges": _object({"badges": st.lists(_BADGE, max_size=3)}),
}


@st.composite
def snapshots(draw: st.DrawFn) -> dict[str, Any]:
    """Generate account snapshots; some endpoints are missing, skipped or failed."""
    keys = draw(st.lists(st.sampled_from(sorted(_DATA)), unique=True))
    return {
        "profile_id": "person",
        "saved_at": draw(_maybe(st.just("2026-01-31T08:00:00"))),
        "requested_scopes": ["activity", "profile", "settings", "sleep", "weight"],
        "token_scope": draw(
            st.lists(st.sampled_from(("activity", "sleep", "weight")), unique=True)
        ),
        "range": {"today": "2026-01-31", "recent_start": "2026-01-02", "recent_days": 30},
        "fetch_summary": {"total": len(keys), "ok": len(keys), "skipped": 0, "failed": 0},
        "endpoints": {key: draw(_entry(key)) for key in keys},
    }


@st.composite
def _entry(draw: st.DrawFn, key: str) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "ok": True,
        "status": 200,
        "fetched_at": "2026-01-31T08:00:00",
        "label": key.replace("_", " "),
        "group": "account",
        "scope": "profile",
        "data": draw(_DATA[key]),
    }
    state = draw(st.sampled_from(("ok", "ok", "ok", "skipped", "failed")))
    if state == "skipped":
        entry |= {"ok": False, "status": None, "skipped": True, "reason": "missing_scope:profile"}
    elif state == "failed":
        entry |= {"ok": False, "status": 500, "error": "upstream"}
    return entry


def csv_file(rows: Sequence[attrs.AttrsInstance], table: TableMap) -> bytes:
    """Write rows in the columns of a table; each column must be a column of the file."""
    names = [table.date, *(column.terms[0][0] for column in table.columns)]
    fields = ["date", *(column.field for column in table.columns)]
    gaps = {field for field in fields if any(getattr(row, field) is None for row in rows)}
    return csv_text(
        [
            names,
            *(
                [_cell(getattr(row, field), has_gaps=field in gaps) for field in fields]
                for row in rows
            ),
        ]
    )


def csv_text(lines: Iterable[Sequence[str]]) -> bytes:
    """Write the cells of each line."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().encode()


def native_files(**rows_of: Sequence[attrs.AttrsInstance] | None) -> dict[str, bytes]:
    """Write the files of a profile, except those of datasets that are None.

    `activity`, `sleep`, `hrv` and `rhr` are rows of the classes `ActivityRow`, `SleepLog`, `HrvRow`
    and `RhrRow`.
    """
    tables = {name: getattr(NATIVE, name) for name in rows_of}
    return {
        f"csv/{tables[name].file}": csv_file(rows, tables[name])
        for name, rows in rows_of.items()
        if rows is not None
    }


def _cell(value: object, *, has_gaps: bool) -> str:
    if value is None:
        return ""
    if has_gaps and isinstance(value, int) and not isinstance(value, bool):
        return f"{value}.0"
    return str(value)


ROW_RULES: Final[tuple[str, ...]] = get_args(RowRule)
FILE_RULES: Final[tuple[str, ...]] = (
    *get_args(FileRule),
    *("snapshot.json", "snapshot.shape", "snapshot.depth"),
)

_MAX_ROWS: Final = 8


@attrs.frozen
class Faulty:
    """The files of a profile with one fault.

    Attributes:
        files: file name to bytes, as `load` takes them.

    """

    files: Mapping[str, bytes]
    file: str
    rule: str


_TEXTS: Final[dict[str, tuple[str, ...]]] = {
    "date.missing": ("", " "),
    "date.form": ("2026/01/31", "20260131", "31.01.2026", "2026-1-31", "today"),
    "date.unreal": ("2026-02-30", "2025-02-29", "2026-13-01", "0000-01-01"),
    "number.form": ("1,234", "1_234", "inf", "-nan", "0x1F", "n/a", "=1+1", "\uff11"),
    "number.range": ("1e16", "-9007199254740994", "1e400"),
    "number.implausible": ("6000", "-1", "19"),
    "boolean.form": ("maybe", "2", "on"),
    "minutes.range": ("25200", "-1"),
    "percent.range": ("101", "-1"),
    "rmssd.range": ("301", "-1"),
    "steps.range": ("-1",),
    "steps.whole": ("8123.5",),
    "energy.range": ("-5",),
    "number.thousands": ("8.123",),
}
"""Rule to the texts that break it in a cell."""
_ENDS: Final[dict[str, tuple[str, ...]]] = {
    "file.encoding": ("\xff\n",),
    "file.torn": ('2026-01-31,"', "2026-01-31"),
    "file.field": (f'"{"1" * (CELL_LENGTH + 1)}"\n',),
}
"""Rule to the texts, in Latin-1, that break it at the end of a file."""
_SHAPES: Final[dict[str, Callable[[list[list[str]], int, int], list[list[str]]]]] = {
    "row.short": lambda lines, row, _: [*lines[:row], lines[row][:-1], *lines[row + 1 :]],
    "row.long": lambda lines, row, _: [*lines[:row], [*lines[row], ""], *lines[row + 1 :]],
    "row.repeated": lambda lines, row, _: [*lines, lines[row]],
    "date.repeated": lambda lines, row, _: [*lines, lines[row]],
    "column.case": lambda lines, _, column: [
        [name.upper() if at == column else name for at, name in enumerate(lines[0])],
        *lines[1:],
    ],
    "column.missing": lambda lines, _, column: [
        line[:column] + line[column + 1 :] for line in lines
    ],
    "column.repeated": lambda lines, _, column: [[*line, line[column]] for line in lines],
    "file.header": lambda lines, *_: [line[1:] for line in lines],
}
"""Rule to the function that breaks it in the cells of a table, with a row and a column."""

_COLUMNS: Final = {
    "activity": "steps",
    "sleep": "minutesAsleep",
    "hrv": "dailyRmssd",
    "rhr": "resting_heart_rate",
}
"""Dataset to a column of numbers."""
_COLUMN_OF: Final = {
    "boolean.form": "isMainSleep",
    "percent.range": "efficiency",
    "energy.range": "caloriesOut",
}
"""Rule to the column in which it is broken, if that is another one."""
_DATASET_OF: Final = {
    "boolean.form": "sleep",
    "number.implausible": "rhr",
    "row.repeated": "sleep",
    "minutes.range": "sleep",
    "percent.range": "sleep",
    "rmssd.range": "hrv",
    "steps.range": "activity",
    "steps.whole": "activity",
    "energy.range": "activity",
    "number.thousands": "activity",
    "date.repeated": "activity",
}
"""Rule to the only dataset that can break it."""


def faulty_files(*rules: str) -> st.SearchStrategy[Faulty]:
    """Generate files that break one of the rules (by default any) and no other."""
    return st.sampled_from(rules or (*ROW_RULES, *FILE_RULES)).flatmap(_faulty)


def _faulty(rule: str) -> st.SearchStrategy[Faulty]:
    if rule.startswith("snapshot."):
        return snapshots().flatmap(lambda value: _broken_snapshot(rule, value))
    return _broken_table(rule)


@st.composite
def _broken_table(draw: st.DrawFn, rule: str) -> Faulty:
    dataset = _DATASET_OF.get(rule) or draw(st.sampled_from(sorted(_ROWS_OF)))
    rows = draw(_ROWS_OF[dataset](_MAX_ROWS).filter(bool))
    ((file, data),) = native_files(**{dataset: rows}).items()
    lines = list(csv.reader(io.StringIO(data.decode())))
    name = _COLUMN_OF.get(rule, _COLUMNS[dataset])
    column = 0 if rule.startswith("date.") else lines[0].index(name)
    row = draw(st.integers(1, len(lines) - 1))
    if rule in _ENDS:
        data += draw(st.sampled_from(_ENDS[rule])).encode("latin-1")
    elif rule in _SHAPES:
        data = csv_text(_SHAPES[rule](lines, row, column))
    else:
        lines[row][column] = draw(st.sampled_from(_TEXTS[rule]))
        data = csv_text(lines)
    return Faulty({file: data}, file, rule)


def _broken_snapshot(rule: str, value: dict[str, Any]) -> st.SearchStrategy[Faulty]:
    text = json.dumps(value).encode()
    deep = b'{"endpoints":{"a":%s%s}}' % (b"[" * SNAPSHOT_DEPTH, b"]" * SNAPSHOT_DEPTH)
    broken: dict[str, st.SearchStrategy[bytes]] = {
        "snapshot.json": st.integers(0, len(text) - 1).map(lambda end: text[:end]),
        "snapshot.shape": st.sampled_from((b"[%s]" % text, b"null", b'{"endpoints":[]}')),
        "snapshot.depth": st.just(deep),
    }
    return broken[rule].map(lambda data: Faulty({SNAPSHOT_FILE: data}, SNAPSHOT_FILE, rule))


st.register_type_strategy(Profile, lambda _: profiles())
