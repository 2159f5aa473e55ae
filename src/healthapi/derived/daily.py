"""Merge four datasets by date: one row for each date on which any of them has a row.

Invariant *missing values do not overwrite*: of several rows of one date and dataset, each member
has the last value that is not missing.
Invariant *a nap is not a main sleep*: a date with naps only has `is_main_sleep` False and its
`nap_count`; its other sleep members have no value.
Days without data get no row.

Contract: HA-SLEEP-07, HA-DAY-01 to 06.
"""

from itertools import compress
from typing import Any, Final

import attrs

from healthapi.rows.days import find_runs
from healthapi.rows.records import ActivityRow, Cell, DailyRow, HrvRow, RhrRow, Rows, SleepRow
from purewire.absent import ABSENT

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
    if any(others != dates[0] for others in dates[1:]):
        all_dates: list[str] = sorted(set().union(*dates))
        datasets = [_align(columns, all_dates) for columns in datasets]
    for columns in datasets:
        merged |= columns
    return Rows("daily", DailyRow, merged)


def _by_date(rows: Rows[Any]) -> _Columns:
    """Return the columns of a dataset with the rows of each date merged into one."""
    repeats = find_runs(rows.labels)
    if not repeats:
        return dict(rows.columns)
    is_kept = bytearray(b"\1") * len(rows)
    for start, stop in repeats:
        is_kept[start + 1 : stop] = bytes(stop - start - 1)
    return {
        name: tuple(compress(_merge_runs(cells, repeats), is_kept))
        for name, cells in rows.columns.items()
    }


def _merge_runs(cells: tuple[Cell, ...], repeats: list[tuple[int, int]]) -> list[Cell]:
    """Return cells in which the first of each run is the last one that is not missing."""
    merged = list(cells)
    for start, stop in repeats:
        merged[start] = next(
            (cell for cell in reversed(cells[start:stop]) if cell is not None), None
        )
    return merged


def _main_sleep(sleep: Rows[SleepRow]) -> _Columns:
    """Return the columns of sleep without the values of naps."""
    columns = dict(sleep.columns)
    main = columns["is_main_sleep"]
    if all(main):
        return columns
    for field in attrs.fields(SleepRow):
        if field.name not in _NAP_MEMBERS:
            none = ABSENT if field.default is ABSENT else None
            columns[field.name] = tuple(
                cell if night else none
                for cell, night in zip(columns[field.name], main, strict=True)
            )
    return columns


def _align(columns: _Columns, dates: list[str]) -> _Columns:
    """Return the columns of a dataset for all dates, ABSENT on dates without a row."""
    if not columns["date"]:
        # All columns share one tuple, because a calendar has 3.65 million days.
        absent: tuple[Cell, ...] = (ABSENT,) * len(dates)
        return dict.fromkeys(columns, absent) | {"date": tuple(dates)}
    places = {day: index for index, day in enumerate(columns["date"])}
    absent_index = len(places)
    indexes = [places.get(day, absent_index) for day in dates]
    columns_of_all_dates = {
        name: tuple(map((*cells, ABSENT).__getitem__, indexes)) for name, cells in columns.items()
    }
    return columns_of_all_dates | {"date": tuple(dates)}
