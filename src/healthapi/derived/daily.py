"""The four datasets by date: one row for each date on which any of them has a row.

Source: health facts, section 4; health-data rulings on repeated dates and naps.

Invariant *a blank erases nothing*: of the rows of one date and set the last value that is there
counts, member by member.
Invariant *a nap never becomes a night*: a date that has only naps says so, and how many; its other
sleep members have no value.
Days without data are not filled in.
"""

from itertools import compress
from typing import Any, Final

import attrs

from healthapi.rows.days import runs
from healthapi.rows.records import ActivityRow, Cell, DailyRow, HrvRow, RhrRow, Rows, SleepRow
from purewire.absent import ABSENT

__all__ = ["merge"]

_Columns = dict[str, tuple[Cell, ...]]

_TOLD_OF_NAPS: Final = {"date", "is_main_sleep", "nap_count"}
"""The sleep members that a date with naps only has."""


def merge(
    activity: Rows[ActivityRow],
    sleep: Rows[SleepRow],
    hrv: Rows[HrvRow],
    rhr: Rows[RhrRow],
) -> Rows[DailyRow]:
    """Give the daily rows; each set by date, sleep with one row for a date."""
    sets = [_by_date(activity), _nights(sleep), _by_date(hrv), _by_date(rhr)]
    dates: list[tuple[Any, ...]] = [columns["date"] for columns in sets]
    merged: _Columns = {}
    if any(others != dates[0] for others in dates[1:]):
        every: list[str] = sorted(set().union(*dates))
        sets = [_aligned(columns, every) for columns in sets]
    for columns in sets:
        merged |= columns
    return Rows("daily", DailyRow, merged)


def _by_date(rows: Rows[Any]) -> _Columns:
    """Give the columns of a set with the rows of each date laid over each other."""
    repeats = runs(rows.labels)
    if not repeats:
        return dict(rows.columns)
    stays = bytearray(b"\1") * len(rows)
    for start, stop in repeats:
        stays[start + 1 : stop] = bytes(stop - start - 1)
    return {
        name: tuple(compress(_laid_over(cells, repeats), stays))
        for name, cells in rows.columns.items()
    }


def _laid_over(cells: tuple[Cell, ...], repeats: list[tuple[int, int]]) -> list[Cell]:
    """Give cells of which the first of each run is the last that is there."""
    laid = list(cells)
    for start, stop in repeats:
        laid[start] = next((cell for cell in reversed(cells[start:stop]) if cell is not None), None)
    return laid


def _nights(sleep: Rows[SleepRow]) -> _Columns:
    """Give the columns of sleep without the values of naps."""
    columns = dict(sleep.columns)
    main = columns["is_main_sleep"]
    if all(main):
        return columns
    for field in attrs.fields(SleepRow):
        if field.name not in _TOLD_OF_NAPS:
            none = ABSENT if field.default is ABSENT else None
            columns[field.name] = tuple(
                cell if night else none
                for cell, night in zip(columns[field.name], main, strict=True)
            )
    return columns


def _aligned(columns: _Columns, dates: list[str]) -> _Columns:
    """Return the columns of a set for all dates, ABSENT where it has no row."""
    if not columns["date"]:
        absent: tuple[Cell, ...] = (ABSENT,) * len(
            dates
        )  # one for all: a calendar has 3.65 million days
        return dict.fromkeys(columns, absent) | {"date": tuple(dates)}
    places = {day: index for index, day in enumerate(columns["date"])}
    beyond = len(places)
    indexes = [places.get(day, beyond) for day in dates]
    aligned = {
        name: tuple(map((*cells, ABSENT).__getitem__, indexes)) for name, cells in columns.items()
    }
    return aligned | {"date": tuple(dates)}
