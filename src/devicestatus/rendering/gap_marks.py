"""Gaps: hatched over all lanes, and named above them where there is room.

Invariant *never unseen*: a gap is two px wide at least.
Invariant *longest named first*: a reason above the lanes touches no other one, and makes room for
none that belongs to a shorter gap.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from devicestatus.engine.intervals import RecordedGap
from devicestatus.rendering.labels import brief, during
from devicestatus.rendering.layout import Layout
from devicestatus.rendering.palette import Paper
from purewire.svg.text import width, xml_text

__all__ = ["hatched", "reasons"]

_LEAST: Final = 2  # px
_HATCHED: Final = 10  # px: in less room there is only shade
_STEP: Final = 8  # px between strokes
_APART: Final = 8  # px between two reasons


def hatched(gaps: Sequence[RecordedGap], top: int, bottom: int, place: Layout, paper: Paper) -> str:
    """Draw gaps from top to bottom of the lanes."""
    drawn = "".join(_gap(gap, top, bottom, place) for gap in gaps)
    return f'<g fill="{paper.gap}" stroke="{paper.gap}" stroke-opacity=".6">{drawn}</g>'


def _gap(gap: RecordedGap, top: int, bottom: int, place: Layout) -> str:
    left, right = _ends(gap, place)
    title = xml_text(f"{during(gap.start_at, gap.end_at)}: {brief(gap.reason)}")
    shape = f'd="M{left} {top}H{right}V{bottom}H{left}z" stroke="none"'
    inside = f'<path {shape} fill-opacity=".5"/>'
    if right - left >= _HATCHED:
        strokes = "".join(_strokes(left, top, right, bottom))
        inside = f'<path {shape} fill-opacity=".1"/><path fill="none" d="{strokes}"/>'
    return f"<g><title>{title}</title>{inside}</g>"


def _ends(gap: RecordedGap, place: Layout) -> tuple[int, int]:
    left = min(max(place.x(gap.start_at), place.left), place.right - _LEAST)
    return left, max(min(place.x(gap.end_at), place.right), left + _LEAST)


def _strokes(left: int, top: int, right: int, bottom: int) -> Iterator[str]:
    """Write strokes that rise from left to right, as far as they lie inside; they all line up."""
    first = left + top
    for rise in range(first + -first % _STEP, right + bottom, _STEP):
        start, end = max(left, rise - bottom), min(right, rise - top)
        if start < end:
            yield f"M{start} {rise - start}l{end - start}-{end - start}"


def reasons(gaps: Sequence[RecordedGap], y: int, place: Layout, paper: Paper) -> str:
    """Write the reasons of gaps on a line."""
    taken: list[tuple[float, float]] = []
    texts: list[str] = []
    for gap in sorted(gaps, key=lambda gap: gap.start_at - gap.end_at):
        words, (left, right) = brief(gap.reason), _ends(gap, place)
        half = width(words, place.style.text) / 2
        middle = min(max((left + right) / 2, place.left + half), place.right - half)
        if all(middle + half <= first or last <= middle - half for first, last in taken):
            taken.append((middle - half - _APART, middle + half + _APART))
            texts.append(f'<text x="{middle:g}" y="{y}">{xml_text(words)}</text>')
    return f'<g fill="{paper.words}" text-anchor="middle">{"".join(texts)}</g>'
