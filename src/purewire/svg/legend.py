"""Arrange and write the legend of a picture: a sample, a name and a value an entry.

Invariant *rows and columns*: entries fill as many columns as their texts need side by side, row by
row; where that would make too many rows, the widest columns become narrower and names are cut.
Invariant *values stay whole*: where an entry has too little space its name is cut, not its value.
Invariant *values stay last*: a name that is written from right to left does not turn its value.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import ceil
from typing import Final

import attrs

from purewire.svg.image import Frame, Style
from purewire.svg.text import fit, isolated_text, text_width, xml_text

_COLUMN_GAPS: Final = 3  # the distance of two columns, in gaps


@attrs.frozen
class Entry:
    """One entry.

    Attributes:
        name: any text; cut where space is short.
        value: any text, never cut; may be empty.
        draw_sample: draws the sample as SVG, from its left end and the base line of the text;
            None for no sample.

    """

    name: str
    value: str = ""
    draw_sample: Callable[[int, int], str] | None = None

    def width(self, style: Style) -> int:
        """Return the width of sample and text in px."""
        text = ceil(text_width(f"{self.name} {self.value}", style.text))
        return text + style.sample + style.gap


def legend(entries: Sequence[Entry], y: int, max_rows: int, frame: Frame) -> tuple[str, int]:
    """Write entries as SVG in at most so many rows, the first at the base line `y`; count them."""
    style = frame.style
    needed = [entry.width(style) for entry in entries]
    columns = arrange(needed, frame.right - frame.left, max_rows, style)
    parts = []
    for number, entry in enumerate(entries):
        row, column = divmod(number, len(columns))
        x, max_width = columns[column]
        parts.append(_entry(entry, frame.left + x, y + row * style.row, max_width, frame))
    rows = ceil(len(entries) / len(columns)) if columns else 0
    return frame.text("".join(parts)), rows


def _entry(entry: Entry, x: int, y: int, max_width: float, frame: Frame) -> str:
    style, name = frame.style, entry.name
    indent = style.sample + style.gap
    if entry.width(style) > max_width:
        taken = indent + text_width(f"x {entry.value}", style.text)
        name = fit(name, style.text, max_width - taken)
    sample = "" if entry.draw_sample is None else entry.draw_sample(x, y)
    value = ""
    if entry.value:
        value = f' <tspan fill="{frame.paper.title}">{xml_text(entry.value)}</tspan>'
    return f'{sample}<text x="{x + indent}" y="{y}">{isolated_text(name)}{value}</text>'


def arrange(
    needed: Sequence[int], width: float, max_rows: int, style: Style
) -> list[tuple[int, float]]:
    """Arrange entries in columns."""
    if not needed:
        return []
    for rows in range(1, max_rows + 1):
        columns = ceil(len(needed) / rows)
        wanted = [max(needed[column::columns]) for column in range(columns)]
        missing = columns_width(wanted, style) - width
        if missing <= 0:
            break
    widths = _share(sum(wanted) - max(missing, 0), wanted)
    distance = _COLUMN_GAPS * style.gap
    starts = accumulate((each + distance for each in widths), initial=0.0)
    return [(round(start), each) for start, each in zip(starts, widths, strict=False)]


def _share(width: float, wanted: Sequence[int]) -> list[float]:
    """Divide a width: columns that need less than an equal share leave the rest to the others."""
    widths: dict[int, float] = {}
    for column in sorted(range(len(wanted)), key=lambda column: wanted[column]):
        widths[column] = min(wanted[column], width / (len(wanted) - len(widths)))
        width -= widths[column]
    return [widths[column] for column in range(len(wanted))]


def columns_width(widths: Sequence[float], style: Style) -> float:
    """Return the width of columns side by side, with the distances between them, px."""
    return sum(widths) + _COLUMN_GAPS * style.gap * (len(widths) - 1)
