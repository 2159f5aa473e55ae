"""The contribution calendar as lines of text, for terminals.

Invariant *told apart without colour*: a level is a character of its own, denser than the one below
it; colour only sets days that count apart from those that do not, since nobody knows whether a
terminal is dark or light.
Invariant *fits*: no line has more columns than asked for.
"""

from itertools import groupby
from typing import Final

from purewire.svg.text import truncate
from sitedata.views.calendar import WEEK_DAYS, Calendar
from sitedata.views.heat_levels import WEEKS_MOST, Heat, empty_text, heat_of, scale_of

__all__ = ["ASCII_SHADES", "COLUMNS_LEAST", "SHADES", "heatmap_text"]

SHADES: Final = "·░▒▓█"
"""A character for each level, from 0."""
ASCII_SHADES: Final = ".-+*#"
"""The same for terminals that know ASCII only."""
COLUMNS_LEAST: Final = 40
"""The narrowest terminal."""

_NAMES: Final = ("Mon ", "    ", "Wed ", "    ", "Fri ", "    ", "    ")
_INDENT: Final = len(_NAMES[0])
_CELL: Final = 2  # columns: a character and a space
_YEAR: Final = 53  # weeks
_FAINT, _WARM, _PLAIN = "\x1b[2m", "\x1b[32m", "\x1b[0m"


def heatmap_text(
    calendar: Calendar,
    *,
    until: str | None = None,
    columns: int = 80,
    color: bool = False,
    shades: str = SHADES,
) -> tuple[str, ...]:
    """Write a calendar as lines: all in one, months, seven days of the week, and the legend.

    As many weeks are shown as fit, at most 53.

    Args:
        calendar: what is written.
        until: the last day that is shown; None for that to which the calendar runs.
        columns: width of the terminal, 40 or more.
        color: whether to paint, with ANSI escapes.
        shades: a character for each of the five levels.

    Raises ValueError for text that is no day and for a terminal that is too narrow.

    """
    if columns < COLUMNS_LEAST:
        raise ValueError(f"a heat map needs {COLUMNS_LEAST} columns")
    weeks = min(_YEAR, (columns - _INDENT) // _CELL)
    heat = heat_of(calendar, until=until, weeks=weeks)
    if heat is None:
        return (empty_text(calendar.unit),)
    rows = [_row(heat, day, shades, color=color) for day in range(WEEK_DAYS)]
    scale = "  ".join(f"{shades[level]} {counts}" for level, counts in scale_of(heat))
    words = (heat.summary, "    " + scale)
    months, *others = [truncate(line, columns, columns - 1) for line in (_months(heat), *words)]
    return (others[0], months, *rows, others[1])


def _months(heat: Heat) -> str:
    """Write the names of the months above the weeks in which they begin, where they have room."""
    line, free = "", WEEKS_MOST * _CELL
    for month in reversed(heat.months):
        name = f"{month.year:04}" if month.number == 1 else month.name[:3]
        start = _INDENT + _CELL * heat.place_of(month.days[0])[0]
        if not line or start + len(name) < free:
            line = name.ljust(free - start if line else 0) + line
            free = start
    return " " * free + line


def _row(heat: Heat, day: int, shades: str, *, color: bool) -> str:
    """Write one day of all weeks."""
    days = range(heat.monday + day, heat.days.stop, WEEK_DAYS)
    levels = [heat.levels.get(each, 0) if each in heat.days else None for each in days]
    cells = [" " if level is None else shades[level] for level in levels]
    if not color:
        return f"{_NAMES[day]}{' '.join(cells)}".rstrip()
    runs = groupby(zip(levels, cells, strict=True), key=lambda each: bool(each[0]))
    painted = (
        f"{_WARM if warm else _FAINT}{' '.join(cell for _, cell in run)}{_PLAIN}"
        for warm, run in runs
    )
    return _NAMES[day] + " ".join(painted)
