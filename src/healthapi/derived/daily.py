"""Select one sleep for each date, and merge four datasets by date.

`healthapi.rows.reading` has already removed repeated logs.

Invariant *main sleep first*: a main sleep represents its date.  Of several it is the longest, by
minutes asleep, then by duration, then by the order of the file.
Invariant *a nap is not a main sleep*: a date with naps only has its best nap in the dataset of
sleep, with `is_main_sleep` False, which is included in `nap_count`.  Its daily row has these two
members; its other sleep members have no value.
Invariant *missing values do not overwrite*: of several rows of one date and dataset, each member
of the daily row has the last value that is not missing.
Days without data get no daily row.
"""

from collections.abc import Sequence
from functools import partial
from itertools import compress
from operator import sub
from typing import Any, Final, cast

import attrs

from healthapi.derived.statistics import rounded
from healthapi.models import ActivityRow, DailyRow, HrvRow, RhrRow, SleepLog, SleepRow
from healthapi.rows.reading import sleep_rank
from healthapi.rows.rows import Cell, Rows
from status_contracts.days import find_runs

_LOG_MEMBERS: Final = [
    field.name for field in attrs.fields(SleepRow) if field.name in attrs.fields_dict(SleepLog)
]
"""The members that are copied from the log."""

_Minutes = Sequence[int | None]


def build_sleep_rows(logs: Rows[SleepLog]) -> Rows[SleepRow]:
    """Return the sleep of each date; the logs ascend by date and have no repetitions."""
    chosen = bytearray(b"\1") * len(logs)
    counts = [1] * len(logs)
    for start, stop in find_runs(logs.labels):
        best = max(range(start, stop), key=partial(sleep_rank, logs))  # the first of equal ones
        chosen[start:stop] = bytes(stop - start)
        chosen[best] = True
        counts[best] = stop - start
    columns = {name: tuple(compress(logs.cells[name], chosen)) for name in _LOG_MEMBERS}
    # A chosen main sleep (True, which is 1) is not counted as a nap.
    columns["nap_count"] = tuple(
        map(sub, compress(counts, chosen), cast("tuple[bool, ...]", columns["is_main_sleep"]))
    )
    asleep = cast("_Minutes", columns["minutes_asleep"])
    columns["sleep_hours"] = tuple(
        None if minutes is None else rounded(minutes / 60) for minutes in asleep
    )
    columns["deep_pct"] = _share(cast("_Minutes", columns["minutes_deep"]), asleep)
    columns["rem_pct"] = _share(cast("_Minutes", columns["minutes_rem"]), asleep)
    return Rows("sleep", SleepRow, columns)


def _share(parts: _Minutes, totals: _Minutes) -> tuple[Cell, ...]:
    """Return parts in percent of totals, one decimal."""
    return tuple(
        None if part is None or not total else rounded(part / total * 100)
        for part, total in zip(parts, totals, strict=True)
    )


_Columns = dict[str, tuple[Cell, ...]]

_NAP_MEMBERS: Final = {"date", "is_main_sleep", "nap_count"}
"""The sleep members of a date with naps only."""


def build_daily_rows(
    activity: Rows[ActivityRow], sleep: Rows[SleepRow], hrv: Rows[HrvRow], rhr: Rows[RhrRow]
) -> Rows[DailyRow]:
    """Return the daily rows of datasets by date; `sleep` has one row for each date."""
    datasets = [_by_date(activity), _main_sleep(sleep), _by_date(hrv), _by_date(rhr)]
    dates: list[tuple[Any, ...]] = [columns["date"] for columns in datasets]
    merged: _Columns = {}
    absent: dict[str, bytes] = {}
    if any(others != dates[0] for others in dates[1:]):
        all_dates: list[str] = sorted(set().union(*dates))
        for columns in datasets:
            places = {day: index for index, day in enumerate(columns.pop("date"))}
            merged |= _align(columns, places, all_dates)
            absent |= dict.fromkeys(columns, bytes(day not in places for day in all_dates))
        return Rows("daily", DailyRow, {"date": tuple(all_dates), **merged}, absent)
    for columns in datasets:
        merged |= columns
    return Rows("daily", DailyRow, merged)


def _by_date(rows: Rows[Any]) -> _Columns:
    """Return the columns with one row a date, of the last values that are not missing."""
    repeats = find_runs(rows.labels)
    if not repeats:
        return dict(rows.cells)
    is_kept = bytearray(b"\1") * len(rows)
    for start, stop in repeats:
        is_kept[start + 1 : stop] = bytes(stop - start - 1)
    merged = {}
    for name, cells in rows.cells.items():
        column = list(cells)
        for start, stop in repeats:
            present = (cell for cell in reversed(cells[start:stop]) if cell is not None)
            column[start] = next(present, None)
        merged[name] = tuple(compress(column, is_kept))
    return merged


def _main_sleep(sleep: Rows[SleepRow]) -> _Columns:
    """Return the columns of sleep without the values of naps."""
    columns = dict(sleep.cells)
    main = columns["is_main_sleep"]
    if all(main):
        return columns
    for name in columns.keys() - _NAP_MEMBERS:
        columns[name] = tuple(
            cell if night else None for cell, night in zip(columns[name], main, strict=True)
        )
    return columns


def _align(columns: _Columns, places: dict[Cell, int], dates: list[str]) -> _Columns:
    """Return the columns of a dataset for all dates; those without a row have no values."""
    if not places:
        # All columns share one tuple, because a calendar has 3.65 million days.
        none: tuple[Cell, ...] = (None,) * len(dates)
        return dict.fromkeys(columns, none)
    no_row = len(places)
    indexes = [places.get(day, no_row) for day in dates]
    return {
        name: tuple(map((*cells, None).__getitem__, indexes)) for name, cells in columns.items()
    }
