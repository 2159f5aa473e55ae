"""Problems and calendars as tables for pandas, polars and pyarrow; needs the extra `frames`.

`to_arrow(data).to_polars()` and `to_arrow(data).to_pandas()` make a frame.

Columns have a fixed order and type: `submitted_at` is text as read, `instant` the same time in UTC
to the millisecond, `day` a date; unknown values are null.  Undocumented members are omitted.
"""

from collections.abc import Iterable
from math import floor
from typing import Final

import attrs

from purewire.adapters.arrow import ArrowTable, Column
from sitedata.reading.models import Problem, Snapshot
from sitedata.reading.times import read_day
from sitedata.views.calendar import Calendar

_TEXTS: Final = tuple(
    field.name for field in attrs.fields(Problem) if field.name not in {"extra", "instant"}
)
_MAX_COUNT: Final = 2**63 - 1


def to_arrow(data: Snapshot | Calendar | Iterable[Problem]) -> ArrowTable:
    """Return problems, the problems of a snapshot, or the days of a calendar as a table.

    Raise OverflowError for a count of 2 ** 63 or more.
    """
    if isinstance(data, Calendar):
        return _of_calendar(data)
    return _of_problems(tuple(data.problems if isinstance(data, Snapshot) else data))


def _of_problems(problems: tuple[Problem, ...]) -> ArrowTable:
    columns: dict[str, Column] = {
        name: ("text", [getattr(problem, name) for problem in problems]) for name in _TEXTS
    }
    instants = (problem.instant for problem in problems)
    whole = (None if instant is None else floor(instant) for instant in instants)
    return ArrowTable({**columns, "instant": ("instant", whole)})


def _of_calendar(calendar: Calendar) -> ArrowTable:
    values = list(calendar.counts.values())
    if max(values, default=0) > _MAX_COUNT:
        raise OverflowError("a count has more than 63 bits")
    days = map(read_day, calendar.counts)
    return ArrowTable({"day": ("date", days), "count": ("integer", values)})
