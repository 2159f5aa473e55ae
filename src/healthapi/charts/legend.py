"""The legend of a chart: for each metric its line, its name and its last value.

A value that is older than the last period of the chart has its period: `8412 steps (2026-01-29)`.

Invariant *values stay whole*: where an entry has too little room its name is cut, not its value.
"""

from collections.abc import Sequence
from math import ceil

import attrs

from healthapi.charts.labels import NO_VALUES, amount, fitted
from healthapi.charts.layout import Cell, Layout, Style
from healthapi.charts.lines import Line
from healthapi.charts.palette import Ink, Paper
from healthapi.charts.plot import dashes
from purewire.svg.text import width, xml_text

__all__ = ["Entry", "entries_of", "legend"]


@attrs.frozen
class Entry:
    """One entry.

    Attributes:
        ink: of its line; None where it stands for no line.
        name: the metric.
        value: its last value, with the period of it where that is not the chart's last.
        need: room that its words need, px.

    """

    ink: Ink | None
    name: str
    value: str
    need: int


def entries_of(lines: Sequence[Line], last_label: str, left_out: int, style: Style) -> list[Entry]:
    """Return the entries of lines, and one that says how many metrics are left out.

    Args:
        lines: the lines of the chart.
        last_label: the last period of the chart.
        left_out: how many metrics are not drawn.
        style: sizes of the words.

    """
    entries = [
        _entry(line.ink, line.metric.label, _value(line, last_label), style) for line in lines
    ]
    more = [_entry(None, f"+{left_out} more", "", style)] if left_out else []
    return entries + more


def _value(line: Line, last_label: str) -> str:
    if not line.present:
        return NO_VALUES
    shown = amount(line.present[-1], line.metric.unit)
    return shown if line.last_label == last_label else f"{shown} ({line.last_label})"


def _entry(ink: Ink | None, name: str, value: str, style: Style) -> Entry:
    return Entry(ink, name, value, ceil(width(f"{name} {value}", style.text)))


def legend(entries: Sequence[Entry], layout: Layout, paper: Paper) -> str:
    """Write the entries into their cells."""
    style = layout.style
    pairs = zip(entries, layout.cells, strict=True)
    return (
        f'<g fill="{paper.words}" stroke-width="{style.stroke:g}">'
        f"{''.join(_written(entry, cell, style, paper) for entry, cell in pairs)}</g>"
    )


def _written(entry: Entry, cell: Cell, style: Style, paper: Paper) -> str:
    name = entry.name
    if entry.need > cell.room:
        name = fitted(name, style.text, cell.room - width(f"x {entry.value}", style.text))
    x, y = cell.x + style.sample + style.gap, cell.y
    value = f' <tspan fill="{paper.title}">{xml_text(entry.value)}</tspan>' if entry.value else ""
    return f'{_sample(entry, cell, style)}<text x="{x}" y="{y}">{xml_text(name)}{value}</text>'


def _sample(entry: Entry, cell: Cell, style: Style) -> str:
    if entry.ink is None:
        return ""
    y = cell.y - style.text / 3
    look = f'stroke="{entry.ink.color}"{dashes(entry.ink, style.stroke)}'
    return f'<path d="M{cell.x} {y:g}h{style.sample}" {look}/>'
