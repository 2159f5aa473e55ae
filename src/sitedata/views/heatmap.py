"""Draw the contribution calendar as an SVG image: a column for each week, a square for each day.

Invariant *deterministic*: the image depends only on the arguments.
Invariant *readable by lightness*: each level is darker than the one below it, or on a dark page
brighter, by a step that is visible without colour vision.
Invariant *complete in text*: the description states the total of each month, and so does the title
of each month's group of squares.
Invariant *self-contained*: there is no script, no style and no outside reference; colours are
constants.
"""

from collections.abc import Callable
from itertools import groupby
from math import ceil
from typing import Final

import attrs

from purewire.svg.image import Canvas, heading, image
from purewire.svg.labels import Label, place_labels, write_labels
from purewire.svg.legend import Entry, LegendStyle, columns_width, legend
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
class _Style:
    """Sizes in px.

    Attributes:
        cell: side of a square.
        step: distance of two squares.
        text: font size.
        title: font size of the title.
        margin: space around everything.
        left: left end of the squares.
        top: upper end of the squares.

    """

    cell: int
    step: int
    text: int
    title: int
    margin: int
    left: int
    top: int

    @property
    def row(self) -> int:
        """Distance of two lines of text."""
        return ceil(self.text * 1.7)

    @property
    def legend(self) -> LegendStyle:
        """The sizes of the legend."""
        return LegendStyle(self.text, self.row, self.cell, self.step - self.cell + 2)

    def middle(self, top: int) -> float:
        """Return the base line of text beside a square."""
        return top + self.cell / 2 + self.text * 0.36


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
    paper, fills = paper_of(theme), FILLS[theme]
    heat = build_heat(calendar, until=until, weeks=weeks)
    style = _build_style(cell)
    summary = empty_text(calendar.unit) if heat is None else heat.summary
    entries = [] if heat is None else _legend_entries(heat, style, fills)
    indent = style.legend.sample + style.legend.gap
    needs = [entry.needed(style.text) + indent for entry in entries]
    squares_width = max(weeks * style.step, columns_width(needs, style.legend))
    width = ceil(
        max(
            style.left + squares_width + style.margin,
            text_width(summary, style.text) + 2 * style.margin,
        )
    )
    bottom = style.top + WEEK_DAYS * style.step + style.row
    content = _draw_head(title, summary, width, style, paper)
    about = summary
    if heat is not None:
        base = round(style.middle(bottom - cell))
        box = style.left, base, width - style.left - style.margin
        names, _ = legend(entries, box, 1, style.legend, paper)
        content += _draw_names(heat, style, paper) + _draw_squares(heat, style, fills) + names
        months = (f"{_describe_month(heat, month)}." for month in heat.months)
        about = " ".join([f"{summary}.", *months])
    canvas = Canvas(width, bottom + style.margin, style.text, paper.background)
    return image(canvas, title, about, content)


def _build_style(cell: int) -> _Style:
    text = max(9, cell - 1)
    step, margin = cell + max(1, round(cell / 5)), max(10, cell)
    title = round(text * 1.3)
    left = margin + ceil(text_width("Wed", text)) + step - cell + 3
    return _Style(cell, step, text, title, margin, left, margin + title + ceil(text * 4.4))


def _describe_month(heat: Heat, month: HeatMonth) -> str:
    return f"{month.name}: {format_total(month.total, month.active_days, heat.unit)}"


def _draw_head(title: str, summary: str, width: int, style: _Style, paper: Paper) -> str:
    """Write the title and, below it, the summary."""
    line = style.margin + style.title
    name = heading(title, style.margin, line, width - 2 * style.margin, style.title, paper)
    text = write_labels([Label(summary, style.margin)], line + style.row)
    return f'{name}<g fill="{paper.text}">{text}</g>'


def _draw_names(heat: Heat, style: _Style, paper: Paper) -> str:
    """Write the names of three days of the week, and of the months that have space."""
    x = style.left - style.step + style.cell - 3
    days = "".join(
        write_labels([Label(name, x, "end")], style.middle(style.top + row * style.step))
        for row, name in _WEEK_DAY_NAMES
    )
    latest_first = (
        Label(month.short_name, style.left + style.step * heat.week_and_weekday(month.days[0])[0])
        for month in reversed(heat.months)
    )
    placed = place_labels(latest_first, style.text, _MONTH_SPACING)
    months = write_labels(placed, style.top - style.text // 2)
    return f'<g fill="{paper.text}">{days}{months}</g>'


def _draw_squares(heat: Heat, style: _Style, fills: tuple[str, ...]) -> str:
    months = "".join(
        f"<g><title>{_describe_month(heat, month)}</title>"
        f"{_draw_month(heat, month, style, fills)}</g>"
        for month in heat.months
    )
    return f'<g transform="translate({style.left} {style.top})">{months}</g>'


def _draw_month(heat: Heat, month: HeatMonth, style: _Style, fills: tuple[str, ...]) -> str:
    days = ((heat.levels.get(day, 0), heat.week_and_weekday(day)) for day in month.days)
    paths = (
        (
            fills[level],
            "".join(_square(style.step * x, style.step * y, style) for _, (x, y) in each),
        )
        for level, each in groupby(sorted(days), key=lambda found: found[0])
    )
    return "".join(f'<path {fill} d="{squares}"/>' for fill, squares in paths)


def _square(x: int, y: int, style: _Style) -> str:
    return f"M{x} {y}h{style.cell}v{style.cell}h-{style.cell}z"


def _legend_entries(heat: Heat, style: _Style, fills: tuple[str, ...]) -> list[Entry]:
    """Build an entry for each level: a square, and its counts."""
    above = round(style.middle(0))  # from the top of a square to the base line

    def square(level: int) -> Callable[[int, int], str]:
        return lambda x, y: f'<path {fills[level]} d="{_square(x, y - above, style)}"/>'

    return [Entry(counts, "", square(level)) for level, counts in legend_levels(heat)]
