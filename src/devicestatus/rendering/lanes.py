"""Draw the lanes of a timeline: bars with names, and areas for numbers.

Invariant *bounded*: a lane has one shape a px at most, and one title each eight px.
Invariant *short intervals are visible*: an interval that is too short for a bar is a stripe; where
several share a px, the longest is visible.
Invariant *text inside*: the text of a bar stays inside the bar; what is cut is in its title, up to
60 code points.
Invariant *greatest visible*: each px of an area shows the greatest number that held there.
Invariant *numbers apart*: no two numbers touch, and none reaches into a gap.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeVar

import attrs

from devicestatus.engine.intervals import Interval
from devicestatus.rendering.layout import Layout
from purewire.svg.labels import format_time_range, shorten
from purewire.svg.palette import Paper
from purewire.svg.text import fit, text_width, xml_text

__all__ = ["Bar", "Level", "draw_bars", "draw_levels"]

_MIN_BAR: Final = 3  # px: a narrower bar cannot be distinguished from its neighbours
_MIN_TITLED: Final = 8  # px: a narrower bar is hard to point at
_MIN_TEXT: Final = 3  # code points: fewer are not worth showing
_PADDING: Final = 4  # px left and right of the text of a bar
_RADIUS: Final = 3  # px
_OPACITIES: Final = ("", ' fill-opacity=".7"')  # in turn, so that neighbours of one colour differ
_OUTLINE_OPACITIES: Final = (' fill-opacity=".4"', ' fill-opacity=".25"')
_NUMBER_SPACING: Final = 12  # px between two numbers
_NUMBER_INDENT: Final = 3  # px from the start of an interval to its number, and above the area
_TENTHS: Final = 10

_Run = tuple[range, int]  # columns, and the height in tenths of a px
V = TypeVar("V")


@attrs.frozen
class Bar:
    """An interval of a lane of bars.

    Attributes:
        text: its text.
        color: None for text without a bar.
        is_filled: whether the bar is filled, or only outlined.

    """

    text: str
    color: str | None
    is_filled: bool = True


@attrs.frozen
class Level:
    """An interval of a number lane.

    Attributes:
        share: height of the area, from 0 to 1.
        text: the number.
        color: of the area.

    """

    share: float
    text: str
    color: str


@attrs.frozen
class _Box:
    """A rectangle, px."""

    x: int
    y: int
    width: int
    height: int


def draw_bars(found: Iterable[Interval[Bar | None]], y: int, layout: Layout, paper: Paper) -> str:
    """Draw a lane whose bars start at `y`; an interval without a bar is left empty."""
    drawn: list[str] = []
    stripes: list[tuple[range, int, str]] = []
    for number, each in enumerate(found):
        columns, bar = layout.columns(each.start, each.end), each.value
        if bar is None:
            continue
        if len(columns) >= _MIN_BAR:
            box = _Box(columns.start, y, len(columns) - 1, layout.style.bar)
            times = format_time_range(each.start, each.end)
            drawn.append(_draw_bar(box, bar, times, layout.style.text, paper))
        elif bar.color is not None:
            opacity = (_OPACITIES if bar.is_filled else _OUTLINE_OPACITIES)[number % 2]
            stripes.append((columns, each.duration, f'fill="{bar.color}"{opacity}'))
    return "".join([*drawn, *_draw_stripes(stripes, y, layout.style.bar)])


def _draw_bar(box: _Box, bar: Bar, times: str, font_size: int, paper: Paper) -> str:
    text = _clipped(bar.text, font_size, box, "#fff" if bar.color and bar.is_filled else paper.text)
    if bar.color is None:
        return text
    shape = _filled(box, bar.color) if bar.is_filled else _outlined(box, bar.color)
    if box.width < _MIN_TITLED:
        return shape
    return f"<g><title>{times}: {xml_text(shorten(bar.text))}</title>{shape}{text}</g>"


def _clipped(text: str, font_size: int, box: _Box, color: str) -> str:
    """Write text in a box; a renderer that draws it wider clips it there."""
    shown = fit(text, font_size, box.width - 2 * _PADDING, min_kept=_MIN_TEXT)
    if not shown:
        return ""
    return (
        f'<svg x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}"'
        f' overflow="hidden"><text x="{_PADDING}" y="{box.height / 2 + font_size * 0.36:g}"'
        f' fill="{color}">{xml_text(shown)}</text></svg>'
    )


def _filled(box: _Box, color: str) -> str:
    size = f'width="{box.width}" height="{box.height}"'
    return f'<rect x="{box.x}" y="{box.y}" {size} rx="{_RADIUS}" fill="{color}"/>'


def _outlined(box: _Box, color: str) -> str:
    """Draw the edge of a box; its inside has a fill so that a pointer finds its title."""
    size = f'width="{box.width - 1}" height="{box.height - 1}"'
    colors = f'fill="{color}" fill-opacity="0" stroke="{color}"'
    return f'<rect x="{box.x + 0.5}" y="{box.y + 0.5}" {size} rx="{_RADIUS - 0.5}" {colors}/>'


def _draw_stripes(stripes: Iterable[tuple[range, int, str]], y: int, height: int) -> Iterator[str]:
    """Draw intervals without space for a bar, one path for each kind of fill."""
    longest: dict[int, tuple[int, str]] = {}
    for columns, duration, fill in stripes:
        for column in columns:
            if duration > longest.get(column, (0, ""))[0]:
                longest[column] = duration, fill
    paths: dict[str, str] = {}
    for run, fill in _merge_runs({column: fill for column, (_, fill) in longest.items()}):
        paths[fill] = f"{paths.get(fill, '')}M{run.start} {y}h{len(run)}v{height}h-{len(run)}z"
    return (f'<path {fill} d="{data}"/>' for fill, data in paths.items())


def _merge_runs(columns: Mapping[int, V]) -> Iterator[tuple[range, V]]:
    """Merge neighbouring columns with equal values; the columns must ascend."""
    numbered = enumerate(columns.items())
    for _, run in groupby(numbered, key=lambda each: (each[1][0] - each[0], each[1][1])):
        (_, (first, value)), *others = run
        yield range(first, first + 1 + len(others)), value


def draw_levels(
    found: Sequence[Interval[Level | None]], y: int, layout: Layout, paper: Paper
) -> str:
    """Draw a lane whose area starts at `y`, below its numbers; None is left empty."""
    numbers = "".join(_draw_numbers(found, y - _NUMBER_INDENT, layout))
    areas = "".join(_draw_areas(found, y + layout.style.bar, layout))
    return f'{areas}<g fill="{paper.text}">{numbers}</g>'


def _draw_areas(
    found: Iterable[Interval[Level | None]], bottom: int, layout: Layout
) -> Iterator[str]:
    """Draw an area with a line on top for each colour."""
    greatest: dict[int, tuple[int, str]] = {}
    for each in found:
        if each.value is not None:
            height = round(each.value.share * layout.style.bar * _TENTHS), each.value.color
            for column in layout.columns(each.start, each.end):
                greatest[column] = max(greatest.get(column, height), height)
    paths: dict[str, tuple[str, str]] = {}
    for color, segment in _segments(_merge_runs(greatest)):
        areas, lines = paths.get(color, ("", ""))
        line = _line(segment, bottom)
        first = segment[0][0].start
        paths[color] = f"{areas}{line}V{bottom}H{first}z", lines + line
    for color, (area, line) in paths.items():
        yield f'<path fill="{color}" fill-opacity=".3" d="{area}"/>'
        yield f'<path fill="none" stroke="{color}" stroke-width="1.5" d="{line}"/>'


def _segments(
    runs: Iterable[tuple[range, tuple[int, str]]],
) -> Iterator[tuple[str, list[_Run]]]:
    """Group adjacent runs of one colour."""
    segment: list[_Run] = []
    segment_color = ""
    for columns, (height, color) in runs:
        if segment and (color != segment_color or columns.start != segment[-1][0].stop):
            yield segment_color, segment
            segment = []
        segment.append((columns, height))
        segment_color = color
    if segment:
        yield segment_color, segment


def _line(segment: Sequence[_Run], bottom: int) -> str:
    (columns, height), *others = segment
    start = f"M{columns.start} {bottom - height / _TENTHS:g}H{columns.stop}"
    rest = (f"V{bottom - height / _TENTHS:g}H{columns.stop}" for columns, height in others)
    return "".join([start, *rest])


def _draw_numbers(found: Sequence[Interval[Level | None]], y: int, layout: Layout) -> Iterator[str]:
    """Write each number at the start of its interval, where it ends before the next gap."""
    free: float = layout.left
    for each, gap_start in zip(found, _next_gap_starts(found), strict=True):
        left = layout.x(each.start) + _NUMBER_INDENT
        if each.value is None or left < free:
            continue
        right = left + text_width(each.value.text, layout.style.text)
        if right <= layout.x(gap_start):
            free = right + _NUMBER_SPACING
            yield f'<text x="{left}" y="{y}">{xml_text(each.value.text)}</text>'


def _next_gap_starts(found: Sequence[Interval[Level | None]]) -> list[int]:
    """Return for each interval the start of the next gap."""
    starts: list[int] = []
    following = None
    for each in reversed(found):
        starts.append(starts[-1] if each.end == following else each.end)
        following = each.start
    return starts[::-1]
