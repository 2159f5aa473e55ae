"""Rows for tests: given ones, or consecutive days with some columns."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import TypeVar

import attrs

from healthapi.models import DailyRow
from healthapi.rows.rows import Cell, Rows

FIRST_DAY = date(2026, 1, 1)
R = TypeVar("R", bound=attrs.AttrsInstance)


def rows_of(row: type[R], found: Iterable[R]) -> Rows[R]:
    """Return rows as a dataset has them."""
    given = list(found)
    columns: dict[str, tuple[Cell, ...]] = {
        field.name: tuple(getattr(each, field.name) for each in given)
        for field in attrs.fields(row)
    }
    return Rows("rows", row, columns)


def daily_of(**columns: Sequence[Cell]) -> Rows[DailyRow]:
    """Return daily rows with these columns, all of one length; every other column is None."""
    length = len(next(iter(columns.values()), ()))
    days = [FIRST_DAY + timedelta(number) for number in range(length)]
    cells: dict[str, tuple[Cell, ...]] = {
        field.name: (None,) * length for field in attrs.fields(DailyRow)
    }
    cells["date"] = tuple(day.isoformat() for day in days)
    return Rows("daily", DailyRow, cells | {key: tuple(given) for key, given in columns.items()})
