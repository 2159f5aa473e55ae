"""Choose the sizes of a chart, and arrange its lanes, in px.

A chart of one metric has its name above the plot; lanes have their names beside them, in a narrow
image of high lanes above them.

Invariant *plot size*: all lanes together are at least `MIN_PLOT_HEIGHT` high, and as wide.

Contract: HA-CHART-17, HA-CHART-22.
"""

from collections.abc import Iterable, Sequence
from math import ceil
from typing import Final

import attrs

from purewire.svg.axis import Level, Scale
from purewire.svg.image import LARGE, MEDIUM, SMALL, Frame, Style
from purewire.svg.lanes import Layout
from purewire.svg.text import text_width

MIN_PLOT_HEIGHT: Final = 90
"""Least height of a plot, px."""

_NARROW: Final = 600  # px: a narrower image has no space for names beside high lanes
_LOW: Final = 24  # px: a lane that would be lower has its name beside it
_NAMES: Final = 0.38  # greatest share of the width for names; the rest has space for two dates
_NUMBERS: Final = 0.2  # and for numbers
_ALONE: Final = 0.55, 0.3  # the same shares where there is only one of both
_TWO_NUMBERS: Final = 2.5  # font sizes: least height of a lane with two numbers


@attrs.frozen
class Sizes:
    """Sizes of a chart, in px.

    The plot begins `above` below the base line of the title, and ends `below` above the end of the
    image; lanes are `spacing` apart, lines `stroke` wide.
    """

    left: int
    right: int
    title_line: int
    above: int
    below: int
    spacing: int
    stroke: float
    style: Style


_SIZES: Final = (  # least width, least height
    (1440, 640, Sizes(40, 36, 42, 24, 48, 20, 3, LARGE)),
    (600, 280, Sizes(28, 24, 28, 16, 34, 12, 2, MEDIUM)),
    (0, 0, Sizes(14, 14, 21, 9, 24, 7, 1.5, SMALL)),
)


def sizes_of(width: int, height: int) -> Sizes:
    """Choose the sizes for an image."""
    return next(each for wide, high, each in _SIZES if width >= wide and height >= high)


@attrs.frozen
class Texts:
    """The texts of a lane: its name, its note, and the levels with numbers right of it."""

    name: str
    note: str
    levels: Sequence[Level]

    def shown_levels(self, bar: int, style: Style) -> Sequence[Level]:
        """Return the levels for a height of the lane; those of a low one as one text: `6 to 9`."""
        if len(self.levels) > 1 and bar < _TWO_NUMBERS * style.text:
            first, *_, last = self.levels
            return [Level(0.5, f"{last.label} to {first.label}")]
        return self.levels


def arrange_lanes(
    texts: Sequence[Texts], days: tuple[int, int], height: int, sizes: Sizes, frame: Frame
) -> tuple[Layout, int]:
    """Arrange lanes between two days; return their layout and the upper end of the first."""
    style, count, width = sizes.style, len(texts), frame.right - frame.left
    top, bottom = sizes.title_line + sizes.above, height - sizes.below
    bar = (bottom - top - (count - 1) * sizes.spacing) // count
    is_above = count == 1 or (frame.width < _NARROW and bar - style.row >= _LOW)
    if is_above:
        bar -= style.row
    is_low = bar < 2 * style.row
    start, end, (names_share, numbers_share) = frame.left, frame.right, _ALONE
    if is_above or not is_low or frame.width >= _NARROW:
        if not is_above:
            names_share, numbers_share = _NAMES, _NUMBERS
        labels = (level.label for each in texts for level in each.shown_levels(bar, style))
        end -= min(_widest(labels, style), round(width * numbers_share)) + 2 * style.gap
    if not is_above:
        names = [text for each in texts for text in (each.name, each.note)]
        if is_low:
            names = [f"{each.name} {each.note}" for each in texts]
        start += min(_widest(names, style) + style.gap, round(width * names_share)) + 2 * style.gap
    used = count * (bar + style.row * is_above) + (count - 1) * sizes.spacing
    return Layout(frame, Scale(*days, start, end), bar, sizes.spacing), bottom - used


def _widest(texts: Iterable[str], style: Style) -> int:
    return ceil(max((text_width(text, style.text) for text in texts), default=0.0))
