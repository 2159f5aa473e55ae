"""The time axis below the lanes: round times of day, and the marked instant.

Invariant *round times*: ticks are whole multiples of a round step, counted from midnight (UTC);
the finest step that leaves each time its room.
Invariant *times stay apart*: no two times touch, and none the marked one.
"""

from math import ceil
from typing import Final

from devicestatus.rendering.labels import clock, fineness
from devicestatus.rendering.layout import Layout
from devicestatus.rendering.palette import MARKER, Paper
from purewire.instants import MINUTE_MS, SECOND_MS
from purewire.svg.text import width

__all__ = ["axis", "marker", "ticks"]

_STEPS: Final = (
    *(1, 2, 5, 10, 20, 50, 100, 200, 500),
    *(SECOND_MS * seconds for seconds in (1, 2, 5, 10, 15, 30)),
    *(MINUTE_MS * minutes for minutes in (1, 2, 3, 5, 15)),
)
_PAD: Final = 5  # px left and right of the marked time
_LINE: Final = 4  # px from lanes to times


def ticks(place: Layout) -> tuple[int, list[int]]:
    """Give the step, and the instants of a window that are named."""
    for step in _STEPS:
        found = range(place.start + -place.start % step, place.end + 1, step)
        room = (place.right - place.left) / max(len(found), 1)
        if room >= width(clock(place.start, step), place.style.text) + 3 * place.style.text:
            return step, list(found)
    return _STEPS[-1], []


def axis(at: int | None, top: int, bottom: int, place: Layout, paper: Paper) -> str:
    """Write the times below the lanes, and draw a line through the lanes at each."""
    step, found = ticks(place)
    size, y = place.style.text, bottom + _LINE + place.style.text
    half = width(clock(place.start, step), size) / 2
    flag = None if at is None else _flag(at, place)
    texts = "".join(
        f'<text x="{x:g}" y="{y}">{clock(instant, step)}</text>'
        for instant in found
        for x in [min(max(place.x(instant), _PAD + half), place.width - _PAD - half)]
        if flag is None or x + half + _PAD <= flag[0] or flag[1] <= x - half - _PAD
    )
    lines = "".join(f"M{place.x(instant) + 0.5:g} {top}V{bottom}" for instant in found)
    return (
        f'<path {paper.rule} d="{lines}"/><g fill="{paper.words}" text-anchor="middle">{texts}</g>'
    )


def _flag(at: int, place: Layout) -> tuple[int, int]:
    """Give where the marked time begins and ends."""
    wide = ceil(width(_marked(at, place), place.style.text)) + 2 * _PAD
    left = min(max(place.x(at) - wide // 2, 0), place.width - wide)
    return left, left + wide


def _marked(at: int, place: Layout) -> str:
    return clock(at, fineness(place.end - place.start))


def marker(at: int, top: int, bottom: int, place: Layout) -> str:
    """Mark an instant of the window by a line through the lanes and its time below them."""
    left, right = _flag(at, place)
    size, x = place.style.text, place.x(at)
    dark, bright = MARKER
    line = f'd="M{x} {top}V{bottom}"'
    high = size + 2 * _LINE - 2
    return (
        f'<path {line} stroke="{bright}" stroke-width="4"/>'
        f'<path {line} stroke="{dark}" stroke-width="2"/>'
        f'<rect x="{left}" y="{bottom}" width="{right - left}" height="{high}" rx="3"'
        f' fill="{dark}" stroke="{bright}"/>'
        f'<text x="{(left + right) / 2:g}" y="{bottom + _LINE + size - 2}" fill="{bright}"'
        f' text-anchor="middle">{_marked(at, place)}</text>'
    )
