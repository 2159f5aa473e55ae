"""Draw the contribution calendar as an SVG image: a column for each week, a square for each day.

It is deterministic and self-contained, as `purewire.svg.image` states.

Invariant *readable by lightness*: each level is darker than the one below it, or on a dark page
brighter, by a step that is visible without colour vision.
Invariant *complete in text*: the description states the total of each month, and so does the title
of each month's group of squares.

Contract: SD-VIEW-08.
"""

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from math import ceil
from typing import Final

import attrs

from purewire.svg.image import Frame, Style
from purewire.svg.labels import Label, place_labels, write_labels
from purewire.svg.legend import Entry, columns_width, legend
from purewire.svg.palette import Paper, Theme, paper_of
from purewire.svg.text import text_width
from sitedata.views.calendar import WEEK_DAYS, Calendar
from sitedata.views.heat_levels import (
    Heat,
    HeatMonth,
    build_heat,
    empty_text,
    format_total,
    legend_levels,
)

__all__ = ["CELL", "FILLS", "Theme", "heatmap"]

CELL: Final = range(6, 41)
"""Sizes of a square, px."""

_BLUE: Final = "#1f78d1"
FILLS: Final[dict[Theme, tuple[str, ...]]] = {
    "light": tuple(
        f'fill="{color}"' for color in ("#eceef1", "#b9d6f2", "#74a9dc", "#3576bb", "#123c78")
    ),
    "transparent": (
        'fill="#767676" fill-opacity=".15"',
        *(f'fill="{_BLUE}" fill-opacity="{opacity}"' for opacity in (".36", ".58", ".8", "1")),
    ),
}
"""Theme to the attributes of the squares of each level, from 0."""

_WEEK_DAY_NAMES: Final = ((0, "Mon"), (2, "Wed"), (4, "Fri"))
_MONTH_SPACING: Final = 2  # px between two names of months


@attrs.frozen
class _Grid:
    """Sizes in px.

    Attributes:
        cell: side of a square.
        step: distance of two squares.
        margin: space around everything.
        left: left end of the squares.
        top: upper end of the squares.
        style: sizes of the text and the legend.
        fills: attributes of the squares of each level.

    """

    cell: int
    step: int
    margin: int
    left: int
    top: int
    style: Style
    fills: tuple[str, ...]

    def square(self, x: int, y: int) -> str:
        """Return the path data of a square."""
        return f"M{x} {y}h{self.cell}v{self.cell}h-{self.cell}z"


def heatmap(
    calendar: Calendar,
    *,
    title: str = "Contributions",
    until: str | None = None,
    weeks: int = 53,
    cell: int = 11,
    theme: Theme = "light",
) -> bytes:
    """Draw a calendar as an SVG image, UTF-8.

    Args:
        calendar: the counts.
        title: any text; cut where it is too long.
        until: the last visible day; None for the last day of the calendar.
        weeks: number of visible weeks, 1 to 106.
        cell: side of a square, 6 to 40 px.
        theme: on white, or without background and readable on white and on black.

    Raises ValueError for arguments out of these bounds and for text that is no day.

    """
    if cell not in CELL:
        raise ValueError(f"cell is {cell}; expected {CELL[0]} to {CELL[-1]} px")
    paper, grid = paper_of(theme), _build_grid(cell, FILLS[theme])
    heat = build_heat(calendar, until=until, weeks=weeks)
    summary = empty_text(calendar.unit) if heat is None else heat.summary
    entries = [] if heat is None else _legend_entries(heat, grid)
    frame = _build_frame(grid, weeks, summary, entries, paper)
    content = frame.heading(title, grid.margin + grid.style.title, [summary])
    bottom = grid.top + WEEK_DAYS * grid.step + grid.style.row
    about = summary
    if heat is not None:
        beside = attrs.evolve(frame, left=grid.left)  # the legend starts where the squares do
        names, _ = legend(entries, round(grid.style.base_line(bottom - cell, cell)), 1, beside)
        content += frame.text(_write_names(heat, grid)) + _draw_squares(heat, grid) + names
        months = (f"{_describe_month(heat, month)}." for month in heat.months)
        about = " ".join([f"{summary}.", *months])
    return frame.image(title, about, bottom + grid.margin, content)


def _build_grid(cell: int, fills: tuple[str, ...]) -> _Grid:
    text = max(9, cell - 1)
    step, margin, title = cell + max(1, round(cell / 5)), max(10, cell), round(text * 1.3)
    left = margin + ceil(text_width("Wed", text)) + step - cell + 3
    top = margin + title + ceil(text * 4.4)
    style = Style(title, text, row=ceil(text * 1.7), sample=cell, gap=step - cell + 2)
    return _Grid(cell, step, margin, left, top, style, fills)


def _build_frame(
    grid: _Grid, weeks: int, summary: str, entries: Sequence[Entry], paper: Paper
) -> Frame:
    """Make the image as wide as the squares, the legend and the summary need."""
    needed = columns_width([entry.width(grid.style) for entry in entries], grid.style)
    squares = grid.left + max(weeks * grid.step, needed)
    texts = grid.margin + text_width(summary, grid.style.text)
    right = ceil(max(squares, texts))
    return Frame(right + grid.margin, grid.margin, right, grid.style, paper)


def _describe_month(heat: Heat, month: HeatMonth) -> str:
    return f"{month.name}: {format_total(month.total, month.active_days, heat.unit)}"


def _write_names(heat: Heat, grid: _Grid) -> str:
    """Write the names of three days of the week, and of the months that have space."""
    x = grid.left - grid.step + grid.cell - 3
    days = "".join(
        write_labels(
            [Label(name, x, "end")], grid.style.base_line(grid.top + row * grid.step, grid.cell)
        )
        for row, name in _WEEK_DAY_NAMES
    )
    latest_first = (
        Label(month.short_name, grid.left + grid.step * heat.week_and_weekday(month.days[0])[0])
        for month in reversed(heat.months)
    )
    placed = place_labels(latest_first, grid.style.text, _MONTH_SPACING)
    return days + write_labels(placed, grid.top - grid.style.text // 2)


def _draw_squares(heat: Heat, grid: _Grid) -> str:
    months = "".join(
        f"<g><title>{_describe_month(heat, month)}</title>{_draw_month(heat, month, grid)}</g>"
        for month in heat.months
    )
    return f'<g transform="translate({grid.left} {grid.top})">{months}</g>'


def _draw_month(heat: Heat, month: HeatMonth, grid: _Grid) -> str:
    days = sorted((heat.levels.get(day, 0), *heat.week_and_weekday(day)) for day in month.days)
    paths = (
        (level, "".join(grid.square(grid.step * x, grid.step * y) for _, x, y in each))
        for level, each in groupby(days, key=lambda found: found[0])
    )
    return "".join(f'<path {grid.fills[level]} d="{squares}"/>' for level, squares in paths)


def _legend_entries(heat: Heat, grid: _Grid) -> list[Entry]:
    """Build an entry for each level: a square, and its counts."""
    above = round(grid.style.base_line(0, grid.cell))  # from the top of a square to the base line

    def square(level: int, x: int, y: int) -> str:
        return f'<path {grid.fills[level]} d="{grid.square(x, y - above)}"/>'

    return [Entry(counts, "", partial(square, level)) for level, counts in legend_levels(heat)]
