"""Convert problems and calendars to polars frames; needs the extra `frames`.

Columns have a fixed order and type: `submitted_at` is text as read, `instant` the same time in UTC
to the millisecond, `day` a date; unknown values are null.  Undocumented members are omitted.
"""

from collections.abc import Iterable
from math import floor
from typing import Final

import attrs
import polars as pl

from sitedata.reading.models import Problem, Snapshot
from sitedata.reading.times import read_day
from sitedata.views.calendar import Calendar

__all__ = ["to_frame"]

_TEXTS: Final = tuple(
    field.name for field in attrs.fields(Problem) if field.name not in {"extra", "instant"}
)
_MAX_COUNT: Final = 2**63 - 1


def to_frame(data: Snapshot | Calendar | Iterable[Problem]) -> pl.DataFrame:
    """Return problems, the problems of a snapshot, or the days of a calendar as a frame.

    Raises:
        OverflowError: a calendar has a count of 2 ** 63 or more.

    """
    if isinstance(data, Calendar):
        return _of_calendar(data)
    return _of_problems(tuple(data.problems if isinstance(data, Snapshot) else data))


def _of_problems(problems: tuple[Problem, ...]) -> pl.DataFrame:
    texts = [
        pl.Series(name, [getattr(problem, name) for problem in problems], dtype=pl.String)
        for name in _TEXTS
    ]
    instants = (problem.instant for problem in problems)
    whole = [None if instant is None else floor(instant) for instant in instants]
    times = pl.Series("instant", whole, dtype=pl.Int64).cast(pl.Datetime("ms", "UTC"))
    return pl.DataFrame([*texts, times])


def _of_calendar(calendar: Calendar) -> pl.DataFrame:
    days = pl.Series("day", [read_day(day) for day in calendar.counts], dtype=pl.Int32)
    values = list(calendar.counts.values())
    if max(values, default=0) > _MAX_COUNT:
        raise OverflowError("a count has more than 63 bits")
    counts = pl.Series("count", values, dtype=pl.Int64)
    return pl.DataFrame([days.cast(pl.Date), counts])
