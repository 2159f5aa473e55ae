"""Write complete SVG images with title and legend: accessible, self-contained, safe to show.

Invariant *accessible*: the image has the role `img` and is named and described by its title and
its description, which are complete even where the visible title is cut.
Invariant *deterministic*: an image depends only on the arguments.
Invariant *self-contained*: there is no script, no style and no outside reference, so an image of
constants looks the same under `default-src 'none'; style-src 'none'; sandbox`.
Invariant *rows*: the entries of a legend follow each other, in as many rows as they need; those
with values that need several are in columns, each value at the end of its column.
Invariant *values stay whole*: where an entry has too little space its name is cut, not its value.
Invariant *values stay last*: a name that is written from right to left does not turn its value.
"""

from collections.abc import Callable, Iterable
from math import ceil
from typing import Final

import attrs

from status_contracts.svg.labels import Label, write_labels
from status_contracts.svg.palette import PAPERS, Paper, Theme
from status_contracts.svg.text import BOLD, fit, isolated_text, text_width, truncate, xml_text

FONTS: Final = "Verdana,Geneva,DejaVu Sans,sans-serif"
"""Fonts of all text; `status_contracts.svg.text` estimates its width."""
_MAX_TITLE_LENGTH: Final = 120  # code points; a longer title is cut
RADIUS: Final = 3  # px, of the corners of bars and badges

_ENTRY_GAPS: Final = 3  # the distance of two entries of a legend, in gaps
_WIDEST_ENTRY: Final = 24  # font sizes
_CAPITAL: Final = 0.72  # height of a capital letter or a digit, in font sizes


def paper_of(theme: Theme) -> Paper:
    """Return the colours of a theme; raises ValueError for an unknown one."""
    if theme not in PAPERS:
        raise ValueError(f'the theme is {theme!r}; expected "light", "dark" or "transparent"')
    return PAPERS[theme]


@attrs.frozen(repr=False)
class Picture:
    """An SVG image that notebooks show."""

    svg: bytes

    def _repr_svg_(self) -> str:
        return self.svg.decode()

    def __repr__(self) -> str:
        return f"<Picture: SVG, {len(self.svg)} bytes>"


@attrs.frozen
class Style:
    """Sizes of the text and the legend of an image, px."""

    title: int
    text: int
    row: int  # distance of two base lines
    sample: int  # width of the sample in front of a legend entry
    gap: int  # between sample and entry; three times as much between entries

    @property
    def capital(self) -> float:
        """Height of a capital letter or a digit, px."""
        return self.text * _CAPITAL

    def base_line(self, top: float, height: float) -> float:
        """Return the base line of text in the middle of a box, px."""
        return top + (height + self.capital) / 2


SMALL: Final = Style(title=14, text=11, row=15, sample=11, gap=5)
MEDIUM: Final = Style(title=16, text=12, row=18, sample=12, gap=6)
LARGE: Final = Style(title=24, text=17, row=26, sample=17, gap=9)
"""The sizes of the text of all pictures; that of a badge is `SMALL`."""


@attrs.frozen
class Frame:
    """Edges, text sizes and colours that all parts of an image share."""

    width: int  # of the image, px
    left: int  # left end of title and legend, px
    right: int  # their right end, px
    style: Style
    paper: Paper

    def heading(self, title: str, y: int, lines: Iterable[str] = ()) -> str:
        """Write the visible title, cut to the frame, with the base line `y`; lines below it."""
        shown = isolated_text(fit(_short(title), self.style.title * BOLD, self.right - self.left))
        look = f'font-size="{self.style.title}" font-weight="bold" fill="{self.paper.title}"'
        texts = "".join(
            write_labels([Label(line, self.left)], y + number * self.style.row)
            for number, line in enumerate(lines, 1)
        )
        return f'<text x="{self.left}" y="{y}" {look}>{shown}</text>{self.text(texts)}'

    def text(self, content: str) -> str:
        """Return SVG texts in the colour of all that is not the title."""
        return f'<g fill="{self.paper.text}">{content}</g>' if content else ""

    def image(self, title: str, description: str, height: int, content: str) -> bytes:
        """Write the image, UTF-8."""
        from hashlib import blake2s  # noqa: PLC0415 - loads OpenSSL, which takes long

        size = f'width="{self.width}" height="{height}"'
        name, about = f"{xml_text(_short(title))}</title>", f"{xml_text(description)}</desc>"
        # An id must be unique in the page around the image, unless the texts are equal.
        key = blake2s((name + about).encode(), digest_size=6).hexdigest()
        back = self.paper.background
        backdrop = f'<rect {size} fill="{back}"/>' if back else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}'
            f' viewBox="0 0 {self.width} {height}" role="img" aria-labelledby="t{key}"'
            f' aria-describedby="d{key}" font-family="{FONTS}" font-size="{self.style.text}"'
            f' text-rendering="geometricPrecision"><title id="t{key}">{name}'
            f'<desc id="d{key}">{about}{backdrop}{content}</svg>'
        ).encode()


def _short(title: str) -> str:
    return truncate(title, _MAX_TITLE_LENGTH, _MAX_TITLE_LENGTH - 1)


@attrs.frozen
class LegendEntry:
    """One entry of a legend: a sample, a name and a value, both any text."""

    name: str  # cut where space is short
    value: str = ""  # never cut; may be empty
    draw_sample: Callable[[int, int], str] | None = None  # from its left end and the base line

    def indent(self, style: Style) -> int:
        """Return the width of the sample and of the gap after it in px."""
        return 0 if self.draw_sample is None else style.sample + style.gap

    def width(self, style: Style) -> int:
        """Return the width of sample and text in px."""
        return ceil(text_width(f"{self.name} {self.value}", style.text)) + self.indent(style)

    def cut(self, style: Style, room: int) -> "LegendEntry":
        """Return the entry, its name cut so that its width is at most `room` px."""
        taken = self.width(style) - text_width(self.name, style.text)
        return attrs.evolve(self, name=fit(self.name, style.text, room - taken))


def legend(entries: Iterable[LegendEntry], y: int, frame: Frame) -> tuple[str, int]:
    """Write entries as SVG, the first at the base line `y`; return them and the number of rows."""
    style, x, rows, samples, texts = frame.style, frame.right, 0, "", ""
    wide, spacing = frame.right - frame.left, _ENTRY_GAPS * style.gap
    shown = [entry.cut(style, min(_WIDEST_ENTRY * style.text, wide)) for entry in entries]
    widths = [entry.width(style) for entry in shown]
    is_table = sum(widths) + (len(shown) - 1) * spacing > wide and any(e.value for e in shown)
    for entry, own in zip(shown, widths, strict=True):
        width = min(max(widths) + style.gap, wide) if is_table else own
        if x + width > frame.right:
            x, rows = frame.left, rows + 1
        base = y + (rows - 1) * style.row
        samples += "" if entry.draw_sample is None else entry.draw_sample(x, base)
        place, value = f'x="{x + entry.indent(style)}" y="{base}"', xml_text(entry.value)
        end = f' x="{x + width}" text-anchor="end"' if is_table else ""
        value = value and f' <tspan{end} fill="{frame.paper.title}">{value}</tspan>'
        texts += f"<text {place}>{isolated_text(entry.name)}{value}</text>"
        x += width + spacing
    return samples + frame.text(texts), rows
