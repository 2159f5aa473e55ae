"""Write the contribution calendar as lines of text, for terminals.

Invariant *readable without colour*: each level has its own character, denser than the one below it.
Invariant *fits*: no line is wider than `columns`.
"""

from itertools import groupby
from typing import Final

from sitedata.reading.times import write_day
from sitedata.views.calendar import WEEK_DAYS, Calendar
from sitedata.views.heatmap import (
    MAX_WEEKS,
    YEAR_WEEKS,
    Heat,
    build_heat,
    empty_text,
    legend_levels,
)
from status_contracts.svg.text import truncate

SHADES: Final = "·░▒▓█"
"""A character for each level, from 0."""
ASCII_SHADES: Final = ".-+*#"
"""The same for terminals that only support ASCII."""
MIN_COLUMNS: Final = 40
"""The narrowest terminal."""

_NAMES: Final = ("Mon ", "    ", "Wed ", "    ", "Fri ", "    ", "    ")
_INDENT: Final = len(_NAMES[0])
_CELL: Final = 2  # columns: a character and a space
_FAINT, _GREEN, _RESET = "\x1b[2m", "\x1b[32m", "\x1b[0m"


def heatmap_text(
    calendar: Calendar,
    *,
    until: str | None = None,
    columns: int = 80,
    color: bool = False,
    shades: str = SHADES,
) -> tuple[str, ...]:
    """Write a calendar as lines: summary, months, seven days of the week, and the legend.

    As many weeks are shown as fit, at most 53.  The summary counts these weeks only; if there are
    earlier counts, it begins with the number of weeks.

    Args:
        calendar: the counts.
        until: the last visible day; None for that of `build_heat`, or for the last day with a count
            where the weeks that fit have none.
        columns: width of the terminal, 40 or more.
        color: whether to use colours, with ANSI escapes.
        shades: a character for each of the five levels.

    Raises ValueError for text that is no day and for fewer columns.

    """
    if columns < MIN_COLUMNS:
        raise ValueError(f"columns is {columns}; expected {MIN_COLUMNS} or more")
    weeks = min(YEAR_WEEKS, (columns - _INDENT) // _CELL)
    heat = build_heat(calendar, until=until, weeks=weeks)
    if heat is None and until is None:  # the last count is earlier than the weeks that fit
        last = min(filter(None, (calendar.last, calendar.end)), default=None)
        heat = build_heat(calendar, until=last, weeks=weeks)
    if heat is None:
        return (empty_text(calendar.unit),)
    rows = [_row(heat, day, shades, color=color) for day in range(WEEK_DAYS)]
    legend = "  ".join(f"{shades[level]} {counts}" for level, counts in legend_levels(heat))
    is_complete = write_day(heat.days[0]) <= min(calendar.counts)
    is_idle = until is None and write_day(heat.days[-1]) != calendar.end
    span = f"last {weeks} weeks{' of activity' if is_idle else ''}"
    summary = heat.summary if is_complete else f"{span}: {heat.summary}"
    texts = summary, _months(heat), " " * _INDENT + legend
    summary, months, legend = (truncate(text, columns, columns - 1) for text in texts)
    return (summary, months, *rows, legend)


def _months(heat: Heat) -> str:
    """Write the names of the months above the weeks in which they start, where they have space."""
    line, free = "", MAX_WEEKS * _CELL
    for month in reversed(heat.months):
        name = month.short_name
        start = _INDENT + _CELL * heat.week_and_weekday(month.days[0])[0]
        if not line or start + len(name) < free:
            line = name.ljust(free - start if line else 0) + line
            free = start
    return " " * free + line


def _row(heat: Heat, day: int, shades: str, *, color: bool) -> str:
    days = range(heat.monday + day, heat.days.stop, WEEK_DAYS)
    levels = [heat.levels.get(number, 0) if number in heat.days else None for number in days]
    cells = [" " if level is None else shades[level] for level in levels]
    if not color:
        return f"{_NAMES[day]}{' '.join(cells)}".rstrip()
    runs = groupby(zip(levels, cells, strict=True), key=lambda pair: bool(pair[0]))
    colored = (
        f"{_GREEN if is_active else _FAINT}{' '.join(cell for _, cell in run)}{_RESET}"
        for is_active, run in runs
    )
    return _NAMES[day] + " ".join(colored)
