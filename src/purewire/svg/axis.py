"""Choose the ticks of a time axis: round times of day, or round dates.

Invariant *round ticks*: ticks are whole multiples of a round step, counted from midnight (UTC), or
every day, every Monday, or the first days of every so many months or years, counted from January
and from year 0.
Invariant *finest that fits*: the step is the finest that leaves each label its space.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import partial
from typing import Final

import attrs

from purewire.instants import MINUTE_MS, SECOND_MS
from purewire.svg.labels import format_time
from purewire.svg.text import text_width

__all__ = ["Tick", "TickChoice", "date_ticks", "finest_ticks", "time_ticks"]

_STEPS_MS: Final = (
    *(1, 2, 5, 10, 20, 50, 100, 200, 500),
    *(SECOND_MS * seconds for seconds in (1, 2, 5, 10, 15, 30)),
    *(MINUTE_MS * minutes for minutes in (1, 2, 3, 5, 15)),
)
_STEPS_DAYS: Final = (1, 7)  # ordinal 1 was a Monday
_YEAR: Final = 12
_STEPS_MONTHS: Final = (
    *(1, 3, 6),
    *(_YEAR * years for years in (1, 2, 5, 10, 20, 50, 100, 500, 2000)),
)
_DAY_LABEL: Final = slice(len("YYYY-"), None)
_MONTH_LABEL: Final = slice(len("YYYY-MM"))
_YEAR_LABEL: Final = slice(len("YYYY"))


@attrs.frozen
class Tick:
    """A value of an axis and its label."""

    value: int
    label: str


TickChoice = tuple[range, Callable[[int], Tick]]
"""Multiples of one step, and how to build the tick of each."""


def finest_ticks(
    choices: Iterable[TickChoice], length: float, font_size: float, spacing: float
) -> list[Tick]:
    """Build the ticks of the first choice whose labels have space; none where none has.

    Args:
        choices: from fine to coarse; the labels of one choice are equally wide.
        length: of the axis, px.
        font_size: of the labels, px.
        spacing: distance of two labels, px.

    """
    for multiples, build_tick in choices:
        if not multiples:
            return []
        label_width = text_width(build_tick(multiples[0]).label, font_size)
        if len(multiples) * (label_width + spacing) <= length:
            return list(map(build_tick, multiples))
    return []


def time_ticks(start: int, end: int) -> Iterator[TickChoice]:
    """Yield times of day from one instant to another (ms, both included)."""
    for step in _STEPS_MS:
        yield range(start + -start % step, end + 1, step), partial(_time_tick, step)


def _time_tick(step_ms: int, instant: int) -> Tick:
    return Tick(instant, format_time(instant, step_ms))


def date_ticks(first: int, last: int, *, daily: bool) -> Iterator[TickChoice]:
    """Yield days between two days (ordinals, both excluded).

    A day is labelled `01-31`, the first of a month `2026-01`, of a year `2026`.  Days and Mondays
    are among the choices where `daily` only.
    """
    for step in _STEPS_DAYS if daily else ():
        days = range(first + 1 + -first % step, last, step)
        yield days, partial(_date_tick, date.fromordinal, _DAY_LABEL)
    start, stop = _month_number(first) + 1, _month_number(last - 1) + 1
    for step in _STEPS_MONTHS:
        label = _MONTH_LABEL if step < _YEAR else _YEAR_LABEL
        yield range(start + -start % step, stop, step), partial(_date_tick, _first_day, label)


def _date_tick(to_day: Callable[[int], date], label: slice, number: int) -> Tick:
    day = to_day(number)
    return Tick(day.toordinal(), day.isoformat()[label])


def _month_number(ordinal: int) -> int:
    """Return the number of the month of a day, counted from January of year 0."""
    day = date.fromordinal(ordinal)
    return day.year * _YEAR + day.month - 1


def _first_day(month: int) -> date:
    return date(month // _YEAR, month % _YEAR + 1, 1)
