"""A lane of numbers: an area whose height is the number, and the numbers where they have room.

Invariant *greatest seen*: each px shows the greatest of the numbers that held there.
Invariant *numbers stay apart*: no two numbers touch, and none reaches into a gap.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import attrs

from devicestatus.engine.intervals import Interval
from devicestatus.rendering.columns import columns_of, runs
from devicestatus.rendering.layout import Layout
from devicestatus.rendering.palette import Paper
from purewire.svg.text import width, xml_text

__all__ = ["Level", "steps"]

_APART: Final = 12  # px between two numbers
_ABOVE: Final = 3  # px between numbers and area
_ASIDE: Final = 3  # px from where it begins to hold to a number
_TENTHS: Final = 10

_Run = tuple[range, int]  # columns, and how far above the bottom, in tenths of a px


@attrs.frozen
class Level:
    """A number that held.

    Attributes:
        part: how high it stands, from 0 to 1.
        words: the number in words.
        ink: its colour.

    """

    part: float
    words: str
    ink: str


def steps(found: Sequence[Interval[Level | None]], y: int, place: Layout, paper: Paper) -> str:
    """Draw a lane whose area begins at `y`, below its numbers; no level leaves it empty."""
    numbers = "".join(_numbers(found, y - _ABOVE, place))
    areas = "".join(_areas(found, y + place.style.bar, place))
    return f'{areas}<g fill="{paper.words}">{numbers}</g>'


def _areas(found: Iterable[Interval[Level | None]], bottom: int, place: Layout) -> Iterator[str]:
    """Draw an area with a line on top for each stretch of one colour."""
    greatest: dict[int, tuple[int, str]] = {}
    for each in found:
        if each.value is not None:
            high = round(each.value.part * place.style.bar * _TENTHS), each.value.ink
            for column in columns_of(each, place):
                greatest[column] = max(greatest.get(column, high), high)
    paths: dict[str, tuple[str, str]] = {}
    for ink, stretch in _stretches(runs(greatest)):
        areas, lines = paths.get(ink, ("", ""))
        line = _line(stretch, bottom)
        first = stretch[0][0].start
        paths[ink] = f"{areas}{line}V{bottom}H{first}z", lines + line
    for ink, (area, line) in paths.items():
        yield f'<path fill="{ink}" fill-opacity=".3" d="{area}"/>'
        yield f'<path fill="none" stroke="{ink}" stroke-width="1.5" d="{line}"/>'


def _stretches(found: Iterable[tuple[range, tuple[int, str]]]) -> Iterator[tuple[str, list[_Run]]]:
    """Give runs that hang together and have one ink."""
    stretch: list[_Run] = []
    held = ""
    for columns, (high, ink) in found:
        if stretch and (ink != held or columns.start != stretch[-1][0].stop):
            yield held, stretch
            stretch = []
        stretch.append((columns, high))
        held = ink
    if stretch:
        yield held, stretch


def _line(stretch: Sequence[_Run], bottom: int) -> str:
    (columns, high), *others = stretch
    start = f"M{columns.start} {bottom - high / _TENTHS:g}H{columns.stop}"
    rest = (f"V{bottom - high / _TENTHS:g}H{columns.stop}" for columns, high in others)
    return "".join([start, *rest])


def _numbers(found: Sequence[Interval[Level | None]], y: int, place: Layout) -> Iterator[str]:
    """Write each number where it begins to hold, if it ends before the next gap does begin."""
    free: float = place.left
    for each, reach in zip(found, _reaches(found), strict=True):
        left = place.x(each.start) + _ASIDE
        if each.value is None or left < free:
            continue
        right = left + width(each.value.words, place.style.text)
        if right <= place.x(reach):
            free = right + _APART
            yield f'<text x="{left}" y="{y}">{xml_text(each.value.words)}</text>'


def _reaches(found: Sequence[Interval[Level | None]]) -> list[int]:
    """Give for each interval when the next gap begins."""
    reaches: list[int] = []
    begun = None
    for each in reversed(found):
        if each.end != begun:
            reaches.append(each.end)
        else:
            reaches.append(reaches[-1])
        begun = each.start
    return reaches[::-1]
