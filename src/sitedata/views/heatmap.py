"""The contribution calendar as an SVG image: a column for each week, a square for each day.

Invariant *same calendar, same bytes*: the image depends on nothing but the arguments.
Invariant *told apart by lightness*: each level is darker than the one below it, or on a dark page
brighter, by a step that every eye sees, with colours or without.
Invariant *in words too*: the description says what each month holds, and so does each month's
group of squares to who points at it.
Invariant *whole by itself*: there is no script, no style and no reference outside; colours are
constants.
"""

from itertools import groupby
from math import ceil
from typing import Final, Literal

import attrs

from purewire.svg.image import Canvas, fit, image
from purewire.svg.text import truncate, width, xml_text
from sitedata.views.calendar import WEEK_DAYS, Calendar
from sitedata.views.heat_levels import Heat, HeatMonth, empty_text, heat_of, in_words, scale_of

__all__ = ["CELL", "INKS", "Inks", "Theme", "heatmap"]

Theme = Literal["light", "transparent"]

CELL: Final = range(6, 41)
"""Sizes of a square, px."""

_TITLE_LENGTH: Final = 120  # code points
_WEEK_DAY_NAMES: Final = ((0, "Mon"), (2, "Wed"), (4, "Fri"))


@attrs.frozen
class Inks:
    """What a theme paints with.

    Attributes:
        back: the background; None for none.
        title: colour of the title.
        words: colour of all other words.
        levels: attributes of the squares of each level, from 0.

    """

    back: str | None
    title: str
    words: str
    levels: tuple[str, ...]


_MIDDLE: Final = "#1f78d1"

INKS: Final = {
    "light": Inks(
        "#fff",
        "#202124",
        "#5f6368",
        tuple(
            f'fill="{color}"' for color in ("#eceef1", "#b9d6f2", "#74a9dc", "#3576bb", "#123c78")
        ),
    ),
    "transparent": Inks(
        None,
        "#767676",
        "#767676",
        (
            'fill="#767676" fill-opacity=".15"',
            *(f'fill="{_MIDDLE}" fill-opacity="{part}"' for part in (".36", ".58", ".8", "1")),
        ),
    ),
}
"""Theme to inks; words have a contrast of at least 4.5 to 1 to white, the latter to black too."""


@attrs.frozen
class _Sizes:
    """Lengths in px: of squares, of the steps from one to the next, of letters, of rooms."""

    cell: int
    step: int
    text: int
    title: int
    margin: int
    left: int
    top: int

    @property
    def row(self) -> int:
        """From one line of words to the next."""
        return ceil(self.text * 1.7)


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
        calendar: what is drawn.
        title: any text; what has no room is left out.
        until: the last day that is shown; None for that to which the calendar runs.
        weeks: how many weeks are shown, 1 to 106.
        cell: size of a square, 6 to 40 px.
        theme: on white, or without background and readable on white as on black.

    Raises ValueError for arguments out of these bounds and for text that is no day.

    """
    if cell not in CELL:
        raise ValueError(f"a square has {CELL[0]} to {CELL[-1]} px")
    if theme not in INKS:
        raise ValueError("the theme of a heat map is light or transparent")
    heat = heat_of(calendar, until=until, weeks=weeks)
    sizes, inks, name = _sizes(cell), INKS[theme], truncate(title, _TITLE_LENGTH, _TITLE_LENGTH - 1)
    legend, need = ("", 0) if heat is None else _legend(heat, sizes, inks)
    high = sizes.top + WEEK_DAYS * sizes.step + sizes.row + sizes.margin
    summary = empty_text(calendar.unit) if heat is None else heat.summary
    wide = sizes.left + ceil(max(weeks * sizes.step, need)) + sizes.margin
    wide = max(wide, ceil(width(summary, sizes.text)) + 2 * sizes.margin)
    inside = _words(name, summary, wide, sizes, inks)
    if heat is not None:
        inside += _names(heat, sizes, inks) + _squares(heat, sizes, inks) + legend
    about = empty_text(calendar.unit) if heat is None else _description(heat)
    return image(Canvas(wide, high, sizes.text, inks.back), name, about, inside)


def _sizes(cell: int) -> _Sizes:
    text = max(9, cell - 1)
    step, margin = cell + max(1, round(cell / 5)), max(10, cell)
    title = round(text * 1.3)
    left = margin + ceil(width("Wed", text)) + step - cell + 3
    return _Sizes(cell, step, text, title, margin, left, margin + title + ceil(text * 4.4))


def _description(heat: Heat) -> str:
    months = (f"{_in_words(heat, month)}." for month in heat.months)
    return " ".join([f"{heat.summary}.", *months])


def _in_words(heat: Heat, month: HeatMonth) -> str:
    return f"{month.name}: {in_words(month.total, month.active_days, heat.unit)}"


def _words(name: str, summary: str, wide: int, sizes: _Sizes, inks: Inks) -> str:
    """Write as much of the title as has room and, below it, all in one line."""
    line = sizes.margin + sizes.title
    shown = fit(name, sizes.title, wide - 2 * sizes.margin)
    return (
        f'<text x="{sizes.margin}" y="{line}" font-size="{sizes.title}"'
        f' fill="{inks.title}">{xml_text(shown)}</text>'
        f'<text x="{sizes.margin}" y="{line + sizes.row}"'
        f' fill="{inks.words}">{summary}</text>'
    )


def _names(heat: Heat, sizes: _Sizes, inks: Inks) -> str:
    """Write the names of three days of the week and of the months that have room."""
    days = "".join(
        f'<text x="{sizes.left - sizes.step + sizes.cell - 3}"'
        f' y="{_base_line(sizes, sizes.top + row * sizes.step)}" text-anchor="end">{name}</text>'
        for row, name in _WEEK_DAY_NAMES
    )
    months, free = "", 0
    for month in reversed(heat.months):
        week, _ = heat.place_of(month.days[0])
        name = f"{month.year:04}" if month.number == 1 else month.name[:3]
        end = sizes.left + week * sizes.step + ceil(width(f"{name} ", sizes.text))
        if not free or end <= free:
            free = sizes.left + week * sizes.step
            months += f'<text x="{free}" y="{sizes.top - sizes.text // 2}">{name}</text>'
    return f'<g fill="{inks.words}">{days}{months}</g>'


def _base_line(sizes: _Sizes, top: int) -> str:
    """Give where words beside a square stand, so that both have one middle."""
    return f"{top + sizes.cell / 2 + sizes.text * 0.36:g}"


def _squares(heat: Heat, sizes: _Sizes, inks: Inks) -> str:
    months = "".join(
        f"<g><title>{_in_words(heat, month)}</title>{_of_month(heat, month, sizes, inks)}</g>"
        for month in heat.months
    )
    return f'<g transform="translate({sizes.left} {sizes.top})">{months}</g>'


def _of_month(heat: Heat, month: HeatMonth, sizes: _Sizes, inks: Inks) -> str:
    levels = ((heat.levels.get(day, 0), heat.place_of(day)) for day in month.days)
    paths = (
        (inks.levels[level], "".join(_square(*place, sizes) for _, place in each))
        for level, each in groupby(sorted(levels), key=lambda found: found[0])
    )
    return "".join(f'<path {ink} d="{squares}"/>' for ink, squares in paths)


def _square(week: int, day: int, sizes: _Sizes) -> str:
    return f"M{week * sizes.step} {day * sizes.step}h{sizes.cell}v{sizes.cell}h-{sizes.cell}z"


def _legend(heat: Heat, sizes: _Sizes, inks: Inks) -> tuple[str, float]:
    """Draw a square of each level beside the counts it stands for; give its width as well."""
    top = sizes.top + WEEK_DAYS * sizes.step + sizes.row - sizes.cell
    parts, x = [], 0
    for level, counts in scale_of(heat):
        at = sizes.left + x
        square = f"M{at} {top}h{sizes.cell}v{sizes.cell}h-{sizes.cell}z"
        parts.append(
            f'<path {inks.levels[level]} d="{square}"/>'
            f'<text x="{at + sizes.step + 2}" y="{_base_line(sizes, top)}">{counts}</text>'
        )
        x += sizes.step + 2 + ceil(width(counts, sizes.text)) + sizes.step
    return f'<g fill="{inks.words}">{"".join(parts)}</g>', x - sizes.step
