"""A lane of names: a bar for each interval, with its words where they have room.

Invariant *short ones too*: an interval that is too short for a bar is a stripe; where several
share a px, the longest is seen.
Invariant *words where they fit*: a bar's words stay inside the bar; what is cut there stands in
its title, up to 60 code points.
Invariant *bounded*: a lane has at most one shape for each px, and a title for each eight.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import attrs

from devicestatus.engine.intervals import Interval
from devicestatus.rendering.columns import columns_of, runs
from devicestatus.rendering.labels import Box, brief, clipped, during
from devicestatus.rendering.layout import Layout
from devicestatus.rendering.palette import Paper
from purewire.svg.text import xml_text

__all__ = ["Look", "bars"]

_BAR: Final = 3  # px: a narrower bar could not be told from what is beside it
_TITLED: Final = 8  # px: a narrower bar can hardly be pointed at
_ROUND: Final = 3  # px
_TINTS: Final = ("", ' fill-opacity=".7"')  # in turn, so that neighbours of one ink stay two
_FAINT: Final = (' fill-opacity=".4"', ' fill-opacity=".25"')


@attrs.frozen
class Look:
    """How an interval is shown.

    Attributes:
        words: what it says.
        ink: its colour; None for words alone.
        filled: whether the bar is filled, or only outlined.

    """

    words: str
    ink: str | None
    filled: bool = True


def bars(found: Iterable[Interval[Look | None]], y: int, place: Layout, paper: Paper) -> str:
    """Draw a lane whose bars begin at `y`; an interval without a look is left empty."""
    drawn: list[str] = []
    short: list[tuple[range, int, str]] = []
    for number, each in enumerate(found):
        columns, look = columns_of(each, place), each.value
        if look is None:
            continue
        if len(columns) >= _BAR:
            box = Box(columns.start, y, len(columns) - 1, place.style.bar)
            drawn.append(_bar(box, look, during(each.start, each.end), place, paper))
        elif look.ink is not None:
            short.append((columns, each.duration, _fill(look, number)))
    return "".join([*drawn, *_stripes(short, y, place.style.bar)])


def _bar(box: Box, look: Look, times: str, place: Layout, paper: Paper) -> str:
    fill = "#fff" if look.ink and look.filled else paper.words
    words = clipped(look.words, place.style.text, box, fill)
    if look.ink is None:
        return words
    shape = _filled(box, look.ink) if look.filled else _outlined(box, look.ink)
    if box.width < _TITLED:
        return shape
    return f"<g><title>{times}: {xml_text(brief(look.words))}</title>{shape}{words}</g>"


def _filled(box: Box, ink: str) -> str:
    size = f'width="{box.width}" height="{box.height}"'
    return f'<rect x="{box.x}" y="{box.y}" {size} rx="{_ROUND}" fill="{ink}"/>'


def _outlined(box: Box, ink: str) -> str:
    """Draw the edge of a box; its inside can be pointed at as well."""
    size = f'width="{box.width - 1}" height="{box.height - 1}"'
    look = f'fill="{ink}" fill-opacity="0" stroke="{ink}"'
    return f'<rect x="{box.x + 0.5}" y="{box.y + 0.5}" {size} rx="{_ROUND - 0.5}" {look}/>'


def _fill(look: Look, number: int) -> str:
    """Give the attributes of a stripe."""
    return f'fill="{look.ink}"{(_TINTS if look.filled else _FAINT)[number % 2]}'


def _stripes(short: Iterable[tuple[range, int, str]], y: int, high: int) -> Iterator[str]:
    """Draw intervals without room for a bar, one path for each kind of fill."""
    longest: dict[int, tuple[int, str]] = {}
    for columns, duration, fill in short:
        for column in columns:
            if duration > longest.get(column, (0, ""))[0]:
                longest[column] = duration, fill
    paths: dict[str, str] = {}
    for run, fill in runs({column: fill for column, (_, fill) in longest.items()}):
        paths[fill] = f"{paths.get(fill, '')}M{run.start} {y}h{len(run)}v{high}h-{len(run)}z"
    return (f'<path {fill} d="{data}"/>' for fill, data in paths.items())
