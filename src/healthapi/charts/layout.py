"""Choose the sizes of a chart and the place of its plot, in px.

Source: health facts, sections 17 and 18.14; design decisions under "Charts".

Invariant *plot size*: with a legend of at most `MAX_LEGEND_ROWS` rows the plot is at least
`MIN_PLOT_HEIGHT` high.

Contract: HA-CHART-17, HA-CHART-22.
"""

from typing import Final

import attrs

from purewire.svg.image import Style

__all__ = ["MAX_LEGEND_ROWS", "MIN_PLOT_HEIGHT", "Sizes", "sizes_of"]

MIN_PLOT_HEIGHT: Final = 90
"""Least height of a plot, px."""
MAX_LEGEND_ROWS: Final = 5


@attrs.frozen
class Sizes:
    """Sizes in px.

    Attributes:
        left: space left of plot and legend.
        right: space right of them.
        title_line: base line of the title.
        legend_line: base line of the first row of the legend.
        above: from the base line of the last row to the plot.
        below: from the plot to the end of the image.
        date_line: from the base line of the dates to the end of the image.
        stroke: width of a line.
        style: sizes of the text and the legend.

    """

    left: int
    right: int
    title_line: int
    legend_line: int
    above: int
    below: int
    date_line: int
    stroke: float
    style: Style

    def plot_top(self, legend_rows: int) -> int:
        """Return the upper end of the plot below a legend with a number of rows."""
        if not legend_rows:
            return self.title_line + self.above
        return self.legend_line + (legend_rows - 1) * self.style.row + self.above


_SIZES: Final = (  # least width, least height
    (1440, 640, Sizes(40, 36, 42, 78, 24, 48, 18, 3, Style(24, 17, 26, 34, 9))),
    (600, 280, Sizes(28, 24, 28, 52, 16, 34, 13, 2, Style(16, 12, 18, 24, 6))),
    (0, 0, Sizes(14, 14, 20, 37, 10, 24, 8, 1.5, Style(13, 10, 14, 16, 4))),
)


def sizes_of(width: int, height: int) -> Sizes:
    """Choose the sizes for an image."""
    return next(each for wide, high, each in _SIZES if width >= wide and height >= high)
