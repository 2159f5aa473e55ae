"""Charts: a series as an SVG image that is small, exact and safe to show anywhere.

Source: health-data specification, "Parameters" and the charts; health facts, sections 17 and
18.14; rulings under "Charts".

Invariant *same series, same bytes*: the image depends on nothing but the arguments.
Invariant *whole by itself*: there is no script, no style and no reference outside, so the image is
whole under `default-src 'none'; style-src 'none'; sandbox`; colours are constants.
Invariant *small*: an image of any series and size has at most `BYTES_MOST` bytes.
Invariant *empty too*: without any value there is an image of the same size and theme that says so.
"""

from hashlib import blake2s
from typing import Final, Literal

import attrs

from healthapi import limits
from healthapi.charts.axes import axes
from healthapi.charts.layout import Layout, layout_of, style_of
from healthapi.charts.legend import entries_of, legend
from healthapi.charts.lines import lines_of
from healthapi.charts.palette import PAPERS, Paper
from healthapi.charts.plot import plot
from healthapi.charts.scale import periods_of
from healthapi.charts.words import description, fitted, title_text
from healthapi.figures.series import Series
from purewire.svgtext import xml_text

__all__ = ["BYTES_MOST", "Picture", "Theme", "draw"]

Theme = Literal["light", "transparent"]

BYTES_MOST: Final = 60_000
"""Size of the largest image."""

_FONTS: Final = "Verdana,Geneva,DejaVu Sans,sans-serif"
_EMPTY: Final = "There are no values to show."


@attrs.frozen(repr=False)
class Picture:
    """An SVG image that notebooks show: `Picture(draw(series, title="Sleep"))`."""

    svg: bytes

    def _repr_svg_(self) -> str:
        return self.svg.decode()

    def __repr__(self) -> str:
        return f"<Picture: SVG, {len(self.svg)} bytes>"


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
        if not bounds.least <= size <= bounds.most:
            raise ValueError(f"a chart is {bounds.least} to {bounds.most} px here")
    if theme not in PAPERS:
        raise ValueError("the theme of a chart is light or transparent")
    lines, left_out = lines_of(series)
    style, paper = style_of(width, height), PAPERS[theme]
    if any(line.present for line in lines):
        entries = entries_of(lines, left_out, style)
        layout = layout_of(width, height, [entry.need for entry in entries], style)
        periods = periods_of(series.labels, series.granularity)
        around = legend(entries, layout, paper) + axes(series, periods, layout, paper)
        inside = around + plot(periods, lines, layout)
    else:
        layout = layout_of(width, height, [], style)
        inside = _empty(layout, paper)
    return _image(layout, paper, title, description(series, lines, left_out), inside).encode()


def _image(layout: Layout, paper: Paper, title: str, about: str, inside: str) -> str:
    width, height, style = layout.width, layout.height, layout.style
    shown = fitted(title_text(title), style.title, layout.right - layout.left)
    names = f"<title>{xml_text(title_text(title))}</title><desc>{xml_text(about)}</desc>"
    # ids are of the whole page that the image stands in: images that say the same may share them
    key = blake2s(names.encode(), digest_size=6).hexdigest()
    names = names.replace("<title>", f'<title id="t{key}">', 1)
    names = names.replace("<desc>", f'<desc id="d{key}">', 1)
    back = f'<rect width="{width}" height="{height}" fill="{paper.back}"/>' if paper.back else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" aria-labelledby="t{key} d{key}"'
        f' font-family="{_FONTS}" font-size="{style.text}" text-rendering="geometricPrecision">'
        f"{names}{back}"
        f'<text x="{layout.left}" y="{style.title_line}" font-size="{style.title}"'
        f' fill="{paper.title}">{xml_text(shown)}</text>{inside}</svg>'
    )


def _empty(layout: Layout, paper: Paper) -> str:
    x, y = (layout.left + layout.right) / 2, (layout.top + layout.bottom) / 2
    return f'<text x="{x:g}" y="{y:g}" fill="{paper.words}" text-anchor="middle">{_EMPTY}</text>'
