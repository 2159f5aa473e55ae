"""Hypothesis strategies for rows, files, account snapshots and profiles.

Numbers are in the range of wearables; every value may be missing.  Rows are in ascending order of
date, and most dates are consecutive.  Files are written as producers do: whole numbers of a column
with gaps as `61.0`, missing values as empty cells.  Parsing them returns the rows.
"""

import csv
import io
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import accumulate
from typing import Any, Final, TypeVar, get_args

import attrs
from hypothesis import strategies as st

from healthapi.models import ActivityRow, HrvRow, RhrRow, SleepLog
from healthapi.profile import Profile, load
from healthapi.rows.mapping import NATIVE, TableMap
from healthapi.snapshot import SNAPSHOT_FILE
from status_contracts import json_text

__all__ = [
    "csv_file",
    "days",
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
_CHOICES: Final = {
    "exercise_examples": (None, "Walk", "Run、Swim", "Hike, long"),
    "is_main_sleep": (True, True, True, False),
    "start_time": (None, "2026-01-01T23:02:00.000"),
    "end_time": (None, "2026-01-02T07:02:00.000"),
}
"""Member that is no number to its values."""


def _member(field: "attrs.Attribute[Any]") -> st.SearchStrategy[Any]:
    """Generate values of a member of a row, `float` with a tenth."""
    if field.name in _CHOICES:
        return st.sampled_from(_CHOICES[field.name])
    least, most = _RANGES.get(field.name, (0, 900))
    if float in get_args(field.type):
        return st.none() | st.integers(least * 10, most * 10).map(lambda tenths: tenths / 10)
    return st.none() | st.integers(least, most)


def _row(model: type[R]) -> st.SearchStrategy[R]:
    """Generate rows without a date."""
    measured = [field for field in attrs.fields(model) if field.name not in {"date", "log_id"}]
    members = {field.name: _member(field) for field in measured}
    return st.builds(model, date=st.just(""), **members)


def days(most: int = _ROWS) -> st.SearchStrategy[list[str]]:
    """Generate ascending, unique days; most of them are consecutive."""
    steps = st.lists(st.sampled_from((1, 1, 1, 1, 2, 9, 40)), max_size=most)
    first = st.dates(date(1999, 12, 1), date(2031, 3, 1))
    return st.builds(
        lambda day, steps: [f"{day + timedelta(total)}" for total in accumulate(steps)],
        first,
        steps,
    )


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


@st.composite
def profile_files(draw: st.DrawFn, most: int = _ROWS) -> dict[str, bytes]:
    """Generate the files of a profile by name; any of them may be missing."""
    files = native_files(
        activity=draw(st.none() | rows(ActivityRow, most)),
        sleep=draw(st.none() | sleep_logs(most)),
        hrv=draw(st.none() | rows(HrvRow, most)),
        rhr=draw(st.none() | rows(RhrRow, most)),
    )
    snapshot = draw(st.none() | snapshots())
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
    timezone=st.sampled_from(("Europe/Berlin", "UTC", "Asia/Kolkata")),
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
_DATA: Final[dict[str, st.SearchStrategy[Any]]] = {
    "profile": _object({}, user=_USER),
    "devices": st.lists(_DEVICE, max_size=3),
    "sleep_goal": _object({"goal": _object({"minDuration": st.integers(200, 700)})}),
    "activity_goals_daily": _object({"goals": _object({"steps": st.integers(0, 30_000)})}),
    "weight_log_recent": _object({"weight": st.lists(_WEIGHT, max_size=4)}),
    "badges": _object({"badges": st.lists(_object({"shortName": st.just("10k")}), max_size=3)}),
}


@st.composite
def snapshots(draw: st.DrawFn) -> dict[str, Any]:
    """Generate account snapshots; some endpoints are missing, skipped or failed."""
    keys = draw(st.lists(st.sampled_from(sorted(_DATA)), unique=True))
    return {
        "profile_id": "person",
        "saved_at": draw(st.none() | st.just("2026-01-31T08:00:00")),
        "requested_scopes": ["activity", "profile", "settings", "sleep", "weight"],
        "token_scope": draw(
            st.lists(st.sampled_from(("activity", "sleep", "weight")), unique=True)
        ),
        "range": {"today": "2026-01-31", "recent_start": "2026-01-02", "recent_days": 30},
        "fetch_summary": {"total": len(keys), "ok": len(keys), "skipped": 0, "failed": 0},
        "endpoints": {key: draw(_entry(key)) for key in keys},
    }


_STATES: Final[tuple[dict[str, Any], ...]] = (
    *({}, {}, {}),
    {"ok": False, "status": None, "skipped": True, "reason": "missing_scope:profile"},
    {"ok": False, "status": 500, "error": "upstream"},
)
"""What the members of a response are instead; most have succeeded."""


def _entry(key: str) -> st.SearchStrategy[dict[str, Any]]:
    entry = {
        "ok": True,
        "status": 200,
        "fetched_at": "2026-01-31T08:00:00",
        "label": key.replace("_", " "),
        "group": "account",
        "scope": "profile",
    }
    state = st.sampled_from(_STATES)
    return st.builds(lambda data, state: {**entry, "data": data, **state}, _DATA[key], state)


def csv_file(rows: Sequence[attrs.AttrsInstance], table: TableMap) -> bytes:
    """Write rows in the columns of a table; each column must be a column of the file."""
    names = [table.date, *(name for _, name in table.sources())]
    fields = ["date", *table.columns]
    gaps = {field for field in fields if any(getattr(row, field) is None for row in rows)}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow(_cell(getattr(row, field), has_gaps=field in gaps) for field in fields)
    return text.getvalue().encode()


def native_files(**rows_of: Sequence[attrs.AttrsInstance] | None) -> dict[str, bytes]:
    """Write the files of a profile, except those of datasets that are None.

    `activity`, `sleep`, `hrv` and `rhr` are rows of the classes `ActivityRow`, `SleepLog`, `HrvRow`
    and `RhrRow`.
    """
    return {
        f"csv/{table.file}": csv_file(rows, table)
        for name, table in NATIVE.tables.items()
        if (rows := rows_of.get(name)) is not None
    }


def _cell(value: object, *, has_gaps: bool) -> str:
    if value is None:
        return ""
    if has_gaps and isinstance(value, int) and not isinstance(value, bool):
        return f"{value}.0"
    return str(value)


st.register_type_strategy(Profile, lambda _: profiles())
