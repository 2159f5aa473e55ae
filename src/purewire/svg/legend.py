"""Arrange and write the legend of a picture: a sample, a name and a value an entry.

Invariant *rows and columns*: entries fill as many columns as their texts need side by side, row by
row; where that would make too many rows, the widest columns become narrower and names are cut.
Invariant *values stay whole*: where an entry has too little space its name is cut, not its value.
"""

from collections.abc import Callable, Iterator, Sequence
from math import ceil
from typing import Final

import attrs

from purewire.svg.palette import Paper
from purewire.svg.text import fit, text_width, xml_text

__all__ = ["Entry", "LegendStyle", "arrange", "columns_width", "legend"]

_COLUMN_GAPS: Final = 3  # the distance of two columns, in gaps


@attrs.frozen
class LegendStyle:
    """Sizes in px.

    Attributes:
        text: font size.
        row: distance of two base lines.
        sample: width of the sample in front of the text.
        gap: between sample and text; three times as much between columns.

    """

    text: int
    row: int
    sample: int
    gap: int


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

    def needed(self, font_size: int) -> int:
        """Return the width of the text in px."""
        return ceil(text_width(f"{self.name} {self.value}", font_size))


def legend(
    entries: Sequence[Entry],
    box: tuple[int, int, int],
    max_rows: int,
    style: LegendStyle,
    paper: Paper,
) -> tuple[str, int]:
    """Write entries as SVG, and count their rows.

    Args:
        entries: any number.
        box: the left end, the base line of the first row, and the width, px.
        max_rows: most rows.
        style: sizes.
        paper: colours of the texts.

    """
    left, top, width = box
    columns = arrange([entry.needed(style.text) for entry in entries], width, max_rows, style)
    parts = []
    for number, entry in enumerate(entries):
        row, column = divmod(number, len(columns))
        x, max_width = columns[column]
        parts.append(_entry(entry, left + x, top + row * style.row, max_width, style, paper))
    rows = ceil(len(entries) / len(columns)) if columns else 0
    return f'<g fill="{paper.text}">{"".join(parts)}</g>', rows


def _entry(entry: Entry, x: int, y: int, max_width: float, style: LegendStyle, paper: Paper) -> str:
    name = entry.name
    if entry.needed(style.text) > max_width:
        name = fit(name, style.text, max_width - text_width(f"x {entry.value}", style.text))
    sample = "" if entry.draw_sample is None else entry.draw_sample(x, y)
    value = f' <tspan fill="{paper.title}">{xml_text(entry.value)}</tspan>' if entry.value else ""
    start = x + style.sample + style.gap
    return f'{sample}<text x="{start}" y="{y}">{xml_text(name)}{value}</text>'


def arrange(
    needs: Sequence[int], width: float, max_rows: int, style: LegendStyle
) -> list[tuple[int, float]]:
    """Arrange entries in columns.

    Args:
        needs: width of the text of each entry, px.
        width: of the legend, px.
        max_rows: most rows.
        style: sizes.

    Returns:
        For each column its distance from the left and the width that it has for texts, px.

    """
    if not needs:
        return []
    for columns in range(len(needs), 0, -1):
        rows = ceil(len(needs) / columns)
        widths: Sequence[float] = _widths(needs, ceil(len(needs) / rows), style)
        if columns_width(widths, style) <= width and rows <= max_rows:
            break
    else:
        wanted = _widths(needs, ceil(len(needs) / max_rows), style)
        widths = _share(width - columns_width(wanted, style) + sum(wanted), wanted)
    return list(_columns(widths, style))


def _share(width: float, wanted: Sequence[int]) -> list[float]:
    """Divide a width: columns that need less than an equal share leave the rest to the others."""
    widths: dict[int, float] = {}
    for column in sorted(range(len(wanted)), key=lambda column: wanted[column]):
        widths[column] = min(wanted[column], width / (len(wanted) - len(widths)))
        width -= widths[column]
    return [widths[column] for column in range(len(wanted))]


def columns_width(widths: Sequence[float], style: LegendStyle) -> float:
    """Return the width of columns side by side, with the distances between them, px."""
    return sum(widths) + _COLUMN_GAPS * style.gap * (len(widths) - 1)


def _columns(widths: Sequence[float], style: LegendStyle) -> Iterator[tuple[int, float]]:
    x: float = 0
    for width in widths:
        yield round(x), width - style.sample - style.gap
        x += width + _COLUMN_GAPS * style.gap


def _widths(needs: Sequence[int], columns: int, style: LegendStyle) -> list[int]:
    indent = style.sample + style.gap
    return [max(needs[column::columns]) + indent for column in range(columns)]
