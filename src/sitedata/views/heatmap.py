"""Draw the contribution calendar as an SVG image: a column for each week, a square for each day.

Invariant *readable by lightness*: levels differ visibly without colour vision.
Invariant *complete in text*: the description states the total of each month.
Invariant *fits a width*: with `max_width` the weeks are in as few rows as fit with squares of 9 px,
and squares are as large as these rows allow.

Contract: SD-VIEW-08.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from math import ceil
from typing import Final

import attrs

from purewire.svg.image import CELL_RADIUS, LARGE, MEDIUM, SMALL, Frame, Style
from purewire.svg.labels import Label, place_labels, wrap, write_labels
from purewire.svg.legend import Entry, columns_width, legend
from purewire.svg.palette import FILLS, Theme, paper_of
from purewire.svg.text import text_width
from sitedata.views.calendar import WEEK_DAYS, Calendar
from sitedata.views.heat_levels import (
    Heat,
    HeatMonth,
    build_heat,
    empty_text,
    legend_levels,
)

__all__ = ["CELL", "MIN_WIDTH", "Grid", "Theme", "draw_squares", "heatmap"]

CELL: Final = range(6, 41)
"""Sizes of a square, px."""
MIN_WIDTH: Final = 320
"""The least `max_width`, px."""

_WEEK_DAY_NAMES: Final = ((0, "Mon"), (2, "Wed"), (4, "Fri"))
_LARGE_CELL: Final = 20  # px
_SMALL_CELL: Final = 9  # px: a smaller one has small text


@attrs.frozen
class Grid:
    """Sizes and colours of the squares, px."""

    cell: int
    step: int
    weeks: int
    rows: int
    margin: int
    left: int
    style: Style
    fills: tuple[tuple[str, str], ...]

    @property
    def height(self) -> int:
        """Distance of two rows of weeks: the squares of a week, and the names of months."""
        return WEEK_DAYS * self.step + self.style.row

    def place(self, week: int, weekday: int) -> tuple[int, int]:
        """Return the left and the upper end of a square, from those of the first one."""
        row, column = divmod(week, self.weeks)
        return column * self.step, row * self.height + weekday * self.step

    def squares(self, level: int, places: Iterable[tuple[int, int]]) -> str:
        """Draw squares of a level.

        They are smaller by the radius of their corners, and have strokes with round corners.
        """
        radius = CELL_RADIUS if self.cell >= _SMALL_CELL else 1
        side = self.cell - 2 * radius
        data = "".join(f"M{x + radius} {y + radius}h{side}v{side}h-{side}z" for x, y in places)
        color, opacity = self.fills[level]
        faint = "" if opacity == "1" else f' opacity="{opacity}"'  # of fill and stroke together
        edge = f'stroke="{color}" stroke-width="{2 * radius}" stroke-linejoin="round"'
        return f'<path fill="{color}" {edge}{faint} d="{data}"/>'


def heatmap(  # noqa: PLR0913 - all but one are settings, by name
    calendar: Calendar,
    *,
    title: str = "Contributions",
    until: str | None = None,
    weeks: int = 53,
    cell: int = 11,
    theme: Theme = "light",
    max_width: int | None = None,
) -> bytes:
    """Draw a calendar as an SVG image, UTF-8.

    Args:
        calendar: the counts.
        title: any text; cut where it is too long.
        until: the last visible day; None for the last day of the calendar, which for a snapshot is
            the day it was generated, or for the last active day if that is more than a year before.
        weeks: number of visible weeks, 1 to 106.
        cell: side of a square, 6 to 40 px; with `max_width` down to 9 where that saves a row.
        theme: on white, on a dark page, or without background and readable on both.
        max_width: of the image, 320 px or more: a year fits a phone of 390 px in two rows.  None
            for all weeks in one row.

    Raises ValueError for arguments out of these bounds and for text that is no day.

    """
    if cell not in CELL:
        raise ValueError(f"cell is {cell}; expected {CELL[0]} to {CELL[-1]} px")
    if max_width is not None and max_width < MIN_WIDTH:
        raise ValueError(f"max_width is {max_width}; expected {MIN_WIDTH} px or more")
    paper = paper_of(theme)
    heat = build_heat(calendar, until=until, weeks=weeks)
    summary = empty_text(calendar.unit) if heat is None else heat.summary
    grid = _build_grid(cell, weeks, max_width, FILLS[theme])
    style = grid.style
    entries = [] if heat is None else _legend_entries(heat, grid)
    width = _natural_width(grid, summary, entries)
    right = (width if max_width is None else min(width, max_width)) - grid.margin
    frame = Frame(right + grid.margin, grid.margin, right, style, paper)
    lines = wrap(summary.split(", "), style.text, right - grid.margin)
    title_line = grid.margin + style.title
    top = title_line + (len(lines) + 1) * style.row + style.gap
    content = frame.heading(title, title_line, lines)
    bottom, about = top + grid.rows * grid.height, summary
    if heat is not None:
        beside = attrs.evolve(frame, left=grid.left)  # the legend starts where the squares do
        names, rows = legend(entries, bottom, len(entries), beside)
        content += (
            f'<g transform="translate({grid.left} {top})">'
            f"{frame.text(_write_names(heat, grid))}{draw_squares(heat, grid)}</g>{names}"
        )
        bottom += (rows - 1) * style.row
        sentences = summary, *map(heat.describe, heat.months)
        about = " ".join(f"{sentence}." for sentence in sentences)
    return frame.image(title, about, bottom + grid.margin, content)


def _build_grid(
    cell: int, weeks: int, max_width: int | None, fills: tuple[tuple[str, str], ...]
) -> Grid:
    """Choose the sizes: the fewest rows of weeks that fit, and in them the largest squares."""
    style = LARGE if cell >= _LARGE_CELL else MEDIUM if cell >= _SMALL_CELL else SMALL
    margin, rows = max(12, cell), 1
    left = margin + ceil(text_width("Wed", style.text)) + style.gap
    if max_width is not None:
        width = max_width - left - margin
        rows = ceil(weeks / (width // _step(min(cell, _SMALL_CELL))))
        columns = ceil(weeks / rows)
        cell = next(each for each in range(cell, 0, -1) if columns * _step(each) <= width)
    return Grid(cell, _step(cell), ceil(weeks / rows), rows, margin, left, style, fills)


def _step(cell: int) -> int:
    return cell + max(1, round(cell / 5))


def _natural_width(grid: Grid, summary: str, entries: Sequence[Entry]) -> int:
    needed = columns_width([entry.width(grid.style) for entry in entries], grid.style)
    squares = grid.left + max(grid.weeks * grid.step, needed)
    texts = grid.margin + text_width(summary, grid.style.text)
    return ceil(max(squares, texts)) + grid.margin


def _write_names(heat: Heat, grid: Grid) -> str:
    """Write the names of three days of the week, and of the months that have space."""
    written = []
    for row in range(grid.rows):
        _, top = grid.place(row * grid.weeks, 0)
        for day, name in _WEEK_DAY_NAMES:
            base = grid.style.base_line(top + day * grid.step, grid.cell)
            written.append(write_labels([Label(name, -grid.style.gap, "end")], base))
        weeks = range(row * grid.weeks, (row + 1) * grid.weeks)
        starts = {heat.week_and_weekday(month.days[0])[0]: month for month in heat.months}
        inside = [week for week in sorted(starts) if week in weeks][::-1]
        labels = [Label(starts[week].short_name, grid.place(week, 0)[0]) for week in inside]
        placed = place_labels(labels, grid.style.text, grid.style.gap)
        written.append(write_labels(placed, top - grid.style.gap))
    return "".join(written)


def draw_squares(heat: Heat, grid: Grid) -> str:
    """Draw the squares of all days, each month with its total as a title."""
    return "".join(
        f"<g><title>{heat.describe(month)}</title>{_draw_month(heat, month, grid)}</g>"
        for month in heat.months
    )


def _draw_month(heat: Heat, month: HeatMonth, grid: Grid) -> str:
    days = sorted((heat.levels.get(day, 0), *heat.week_and_weekday(day)) for day in month.days)
    return "".join(
        grid.squares(level, [grid.place(week, weekday) for _, week, weekday in each])
        for level, each in groupby(days, key=lambda found: found[0])
    )


def _legend_entries(heat: Heat, grid: Grid) -> list[Entry]:
    """Build an entry for each level: a square, and its counts."""
    above = round(grid.style.base_line(0, grid.cell))  # from the top of a square to the base line

    def square(level: int, x: int, y: int) -> str:
        return grid.squares(level, [(x, y - above)])

    return [Entry(counts, "", partial(square, level)) for level, counts in legend_levels(heat)]
