"""What a chart says: numbers, legend, title and description.

Source: health facts, section 17; rulings under "Charts".

Invariant *in words too*: who cannot see the lines finds in the description what they show: the
range of dates and, for each metric, its last, least and greatest value.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from healthapi.charts.lines import Line
from healthapi.derived.series import Series
from purewire.svg.text import truncate, width

__all__ = ["NO_VALUES", "amount", "description", "fitted", "number", "title_text"]

NO_VALUES: Final = "no values"

_TITLE_LENGTH: Final = 120  # code points; the widest chart shows some 150 letters
_SCALES: Final = "Each line has a scale of its own, from its lowest value to its highest."


def number(value: float) -> str:
    """Write a number with at most one decimal: `7.5`, `12`, `0`."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def amount(value: float, unit: str) -> str:
    """Write a number with its unit: `7.5 hours`, `88%`."""
    return f"{number(value)}{unit}" if unit == "%" else f"{number(value)} {unit}"


def title_text(title: str) -> str:
    """Give the title, or as much of it as any chart shows, and an ellipsis."""
    return truncate(title, _TITLE_LENGTH, _TITLE_LENGTH - 1)


def fitted(text: str, size: float, room: float) -> str:
    """Give the text, or as much of it as has room in px, and an ellipsis."""
    if width(text, size) <= room:
        return text
    # whatever bisect gives was tried: a cut that joins letters may hide a longer one that fits
    keep = bisect_right(range(len(text)), room, key=lambda kept: width(_cut(text, kept), size)) - 1
    return _cut(text, max(keep, 0))


def _cut(text: str, keep: int) -> str:
    return f"{text[:keep].rstrip()}…"


def description(series: Series, lines: Sequence[Line], left_out: int) -> str:
    """Say what is drawn, over which dates, and the last, least and greatest values."""
    if not series.labels:
        return "No values."
    words = [f"{series.granularity.capitalize()} values, {_span(series)}.", _SCALES]
    words += [_of_line(line) for line in lines]
    if left_out:
        words.append(
            f"{left_out} more {'metric is' if left_out == 1 else 'metrics are'} not drawn."
        )
    return " ".join(words)


def _span(series: Series) -> str:
    first, last = series.labels[0], series.labels[-1]
    return first if first == last else f"{first} to {last}"


def _of_line(line: Line) -> str:
    metric, present = line.metric, line.present
    if not present:
        return f"{metric.label}: {NO_VALUES}."
    return (
        f"{metric.label}: last {amount(present[-1], metric.unit)} ({line.last_label}),"
        f" lowest {number(min(present))}, highest {number(max(present))}."
    )
