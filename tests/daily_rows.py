"""Daily rows for tests: consecutive days from 2026-01-01, with the columns that a test is about."""

from collections.abc import Sequence
from datetime import date, timedelta

import attrs

from healthapi.rows.records import Cell, DailyRow, Rows
from purewire.absent import ABSENT

FIRST_DAY = date(2026, 1, 1)


def daily_of(**columns: Sequence[Cell]) -> Rows[DailyRow]:
    """Give daily rows with these columns, all of one length; every other column is ABSENT."""
    length = len(next(iter(columns.values()), ()))
    days = [FIRST_DAY + timedelta(number) for number in range(length)]
    cells: dict[str, tuple[Cell, ...]] = {
        field.name: (ABSENT,) * length for field in attrs.fields(DailyRow)
    }
    cells["date"] = tuple(day.isoformat() for day in days)
    return Rows("daily", DailyRow, cells | {key: tuple(given) for key, given in columns.items()})
