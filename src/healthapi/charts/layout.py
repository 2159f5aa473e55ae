"""Choose the sizes of a chart and the place of its plot, in px.

Source: health facts, sections 17 and 18.14; design decisions under "Charts".

Invariant *plot size*: with a legend of at most `MAX_LEGEND_ROWS` rows the plot is at least
`MIN_PLOT_HEIGHT` high.

Contract: HA-CHART-17, HA-CHART-22.
"""

from typing import Final

import attrs

from purewire.svg.legend import LegendStyle

__all__ = ["MAX_LEGEND_ROWS", "MIN_PLOT_HEIGHT", "Layout", "Style", "build_layout", "style_of"]

MIN_PLOT_HEIGHT: Final = 90
"""Least height of a plot, px."""
MAX_LEGEND_ROWS: Final = 5


@attrs.frozen
class Style:
    """Sizes in px.

    Attributes:
        left: space left of plot and legend.
        right: space right of them.
        title: font size of the title.
        title_line: base line of the title.
        text: font size of other text.
        legend_line: base line of the first row of the legend.
        row: distance of two rows.
        above: from the base line of the last row to the plot.
        below: from the plot to the end of the image.
        date_line: from the base line of the dates to the end of the image.
        sample: length of the line in front of a legend entry.
        gap: between that line and the text.
        stroke: width of a line.

    """

    left: int
    right: int
    title: int
    title_line: int
    text: int
    legend_line: int
    row: int
    above: int
    below: int
    date_line: int
    sample: int
    gap: int
    stroke: float

    @property
    def legend(self) -> LegendStyle:
        """The sizes of the legend."""
        return LegendStyle(self.text, self.row, self.sample, self.gap)


_COMPACT: Final = Style(14, 14, 13, 20, 10, 37, 14, 10, 24, 8, 16, 4, 1.5)
_REGULAR: Final = Style(28, 24, 16, 28, 12, 52, 18, 16, 34, 13, 24, 6, 2)
_LARGE: Final = Style(40, 36, 24, 42, 17, 78, 26, 24, 48, 18, 34, 9, 3)
_REGULAR_FROM: Final = (600, 280)
_LARGE_FROM: Final = (1440, 640)


@attrs.frozen
class Layout:
    """The size of a chart, and the edges of its plot."""

    width: int
    height: int
    style: Style
    left: int
    top: int
    right: int
    bottom: int


def style_of(width: int, height: int) -> Style:
    """Choose the sizes for an image."""
    for style, (min_width, min_height) in ((_LARGE, _LARGE_FROM), (_REGULAR, _REGULAR_FROM)):
        if width >= min_width and height >= min_height:
            return style
    return _COMPACT


def build_layout(width: int, height: int, legend_rows: int) -> Layout:
    """Place the plot below a legend with a number of rows."""
    style = style_of(width, height)
    last_line = style.title_line
    if legend_rows:
        last_line = style.legend_line + (legend_rows - 1) * style.row
    return Layout(
        width,
        height,
        style,
        style.left,
        last_line + style.above,
        width - style.right,
        height - style.below,
    )
