"""Charts: a series as an SVG image that is small, exact and safe to show anywhere.

Source: health-data specification, "Parameters" and the charts; health facts, sections 17 and
18.14; rulings under "Charts".

Invariant *same series, same bytes*: the image depends on nothing but the arguments.
Invariant *whole by itself*: there is no script, no style and no reference outside, so the image is
whole under `default-src 'none'; style-src 'none'; sandbox`; colours are constants.
Invariant *small*: an image of any series and size has at most `BYTES_MOST` bytes.
Invariant *empty too*: without any value there is an image of the same size and theme that says so.
"""

from typing import Final, Literal

from healthapi import limits
from healthapi.charts.axes import axes
from healthapi.charts.labels import description, fitted, title_text
from healthapi.charts.layout import Layout, layout_of, style_of
from healthapi.charts.legend import entries_of, legend
from healthapi.charts.lines import lines_of
from healthapi.charts.palette import PAPERS, Paper
from healthapi.charts.plot import plot
from healthapi.charts.scale import periods_of
from healthapi.derived.series import Series
from purewire.svg.image import Canvas, image
from purewire.svg.text import xml_text

__all__ = ["BYTES_MOST", "Theme", "draw"]

Theme = Literal["light", "transparent"]

BYTES_MOST: Final = 60_000
"""Size of the largest image."""

_EMPTY: Final = "There are no values to show."


def draw(
    series: Series,
    *,
    title: str,
    width: int = 960,
    height: int = 320,
    theme: Theme = "light",
) -> bytes:
    """Draw a series as an SVG image, UTF-8.

    Args:
        series: what is drawn; its values are finite, its labels periods of its granularity.
        title: any text; what has no room is left out.
        width: of the image, px.
        height: of the image, px.
        theme: on white, or without background and readable on white as on black.

    Raises ValueError for a size out of `limits.CHART_WIDTH` and `limits.CHART_HEIGHT`, for another
    theme, and for a label that is no period.

    """
    for bounds, size in ((limits.CHART_WIDTH, width), (limits.CHART_HEIGHT, height)):
        if not bounds.minimum <= size <= bounds.maximum:
            raise ValueError(f"a chart is {bounds.minimum} to {bounds.maximum} px here")
    if theme not in PAPERS:
        raise ValueError("the theme of a chart is light or transparent")
    lines, left_out = lines_of(series)
    style, paper = style_of(width, height), PAPERS[theme]
    if any(line.present for line in lines):
        entries = entries_of(lines, series.labels[-1], left_out, style)
        layout = layout_of(width, height, [entry.need for entry in entries], style)
        periods = periods_of(series.labels, series.granularity)
        around = legend(entries, layout, paper) + axes(series, periods, layout, paper)
        inside = around + plot(periods, lines, layout)
    else:
        layout = layout_of(width, height, [], style)
        inside = _empty(layout, paper)
    canvas = Canvas(width, height, style.text, paper.back)
    name, about = title_text(title), description(series, lines, left_out)
    return image(canvas, name, about, _title(name, layout, paper) + inside)


def _title(name: str, layout: Layout, paper: Paper) -> str:
    style = layout.style
    shown = fitted(name, style.title, layout.right - layout.left)
    return (
        f'<text x="{layout.left}" y="{style.title_line}" font-size="{style.title}"'
        f' fill="{paper.title}">{xml_text(shown)}</text>'
    )


def _empty(layout: Layout, paper: Paper) -> str:
    x, y = (layout.left + layout.right) / 2, (layout.top + layout.bottom) / 2
    return f'<text x="{x:g}" y="{y:g}" fill="{paper.words}" text-anchor="middle">{_EMPTY}</text>'
