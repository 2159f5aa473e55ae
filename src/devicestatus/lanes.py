"""Draw the lanes of a timeline, and what crosses them: time axis, marked time and gaps.

A lane has bars with names, or areas for numbers.

Invariant *bounded*: a lane has one shape a px at most, and one title each eight px.
Invariant *short intervals are visible*: an interval that is too short for a bar is a stripe; where
several share a px, the longest is visible.
Invariant *text inside*: the text of a bar stays inside the bar; what is cut is in its title, up to
60 code points.
Invariant *greatest visible*: each px of an area shows the greatest number that held there.
Invariant *times apart*: no two times of the axis touch, and none touches the marked time.
Invariant *gaps are visible*: a gap is at least two px wide.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, Literal

import attrs

from devicestatus.durations import Interval
from devicestatus.lane_values import (
    CHARGING,
    GAP,
    MUSIC,
    OTHER,
    LaneValues,
    NumberValue,
    app_initial,
    app_label,
    format_time_range,
    music_name,
)
from devicestatus.models import GapReason, Music, WindowGap
from devicestatus.status_text import GAPS
from status_contracts.svg.axis import (
    AXIS_PADDING,
    AXIS_SPACING,
    LaneLayout,
    draw_axis,
    finest_ticks,
    time_ticks,
)
from status_contracts.svg.image import RADIUS, Style
from status_contracts.svg.labels import Label, shorten, write_labels
from status_contracts.svg.palette import text_on
from status_contracts.svg.text import fit, text_width, xml_text

_MIN_BAR: Final = 3  # px: a narrower bar cannot be distinguished from its neighbours
_MIN_TITLED: Final = 8  # px: a narrower bar is hard to point at
_MIN_TEXT: Final = 3  # code points: fewer are not worth showing
_PADDING: Final = 4  # px left and right of the text of a bar
_OPACITIES: Final = ("", ' fill-opacity=".7"')  # in turn, so that neighbours of one colour differ
_OUTLINE_OPACITIES: Final = (' fill-opacity=".4"', ' fill-opacity=".25"')
_TENTHS: Final = 10
DASHES: Final = 'stroke-dasharray="4 3"'
"""Attribute of the outline of what is paused."""


@attrs.frozen
class Bar:
    """An interval of a lane of bars."""

    text: str
    color: str | None  # None: text without a bar
    look: Literal["filled", "outlined", "dashed"] = "filled"
    initial: str = ""  # stands for the text where it does not fit
    has_text: bool = True  # False: the text is only in the title


def app_bars(values: LaneValues) -> list[Interval[Bar | None]]:
    """Return the bars of the foreground app; None where it is not known."""

    def bar(app: str | None) -> Bar | None:
        if app is None:
            return None
        return Bar(app_label(app), values.colors[app], initial=app_initial(app))

    return [Interval(held.start, held.end, bar(held.value)) for held in values.apps]


def split_at(lane: Iterable[Interval[Bar | None]], at: int) -> Iterator[Interval[Bar | None]]:
    """Outline what follows an instant; of a bar around it, the longer part has the text."""
    for interval in lane:
        if interval.value is None or interval.end <= at:
            yield interval
            continue
        is_early = at - interval.start < interval.end - at
        if interval.start < at:
            yield Interval(interval.start, at, attrs.evolve(interval.value, has_text=not is_early))
        look = "outlined" if interval.value.look == "filled" else interval.value.look
        ahead = attrs.evolve(interval.value, look=look, has_text=is_early)
        yield Interval(max(interval.start, at), interval.end, ahead)


def music_bar(music: Music) -> Bar | None:
    """Return the bar of a state of the music; it has a colour where a track is played or paused."""
    name = music_name(music)
    if music.state == "playing":
        return Bar(name or "playing", MUSIC)
    if music.state == "paused":
        return Bar(f"paused: {name}" if name else "paused", MUSIC, "dashed")
    return Bar("stopped", None) if music.state == "stopped" else None


def draw_bars(lane: Iterable[Interval[Bar | None]], y: int, layout: LaneLayout) -> str:
    """Draw a lane whose bars start at `y`; an interval without a bar is left empty."""
    drawn: list[str] = []
    longest: dict[int, tuple[int, str]] = {}  # column to duration and fill of a stripe
    for number, interval in enumerate(lane):
        columns, bar = layout.scale.columns(interval.start, interval.end), interval.value
        if bar is None:
            continue
        if len(columns) >= _MIN_BAR:
            times = format_time_range(interval.start, interval.end)
            drawn.append(_draw_bar(bar, times, columns, y, layout))
        elif bar.color is not None:
            opacity = (_OPACITIES if bar.look == "filled" else _OUTLINE_OPACITIES)[number % 2]
            for column in columns:
                if interval.duration > longest.get(column, (0, ""))[0]:
                    longest[column] = interval.duration, f'fill="{bar.color}"{opacity}'
    paths: dict[str, str] = {}
    for run, fill in _merge_runs({column: fill for column, (_, fill) in longest.items()}):
        stripe = f"M{run.start} {y}h{len(run)}v{layout.bar}h-{len(run)}z"
        paths[fill] = paths.get(fill, "") + stripe
    drawn += (f'<path {fill} d="{data}"/>' for fill, data in paths.items())
    return "".join(drawn)


def _draw_bar(bar: Bar, times: str, columns: range, y: int, layout: LaneLayout) -> str:
    """Draw a bar with its text, which a renderer that draws it wider clips at the bar's end."""
    x, width, height, color = columns.start, len(columns) - 1, layout.bar, bar.color
    style, is_filled = layout.frame.style, color is not None and bar.look == "filled"
    place = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    text, indent = _bar_text(bar, width, style)
    if text:
        text_color, edge = layout.frame.paper.text, layout.frame.paper.edge
        if color is not None and is_filled:
            text_color, edge = text_on(color), ""
        text = (
            f'<svg {place} overflow="hidden">'
            f'<text x="{indent:g}" y="{style.base_line(0, height):g}"'
            f' fill="{text_color}"{edge}>{xml_text(text)}</text></svg>'
        )
    if color is None:
        return text
    if is_filled:
        shape = f'<rect {place} rx="{RADIUS}" fill="{color}"/>'
    else:  # its inside hides the grid and, where it is not seen, lets a pointer find its title
        inside = layout.frame.paper.background or f'{color}" fill-opacity="0'
        dashes = f" {DASHES}" if bar.look == "dashed" else ""
        shape = (
            f'<rect x="{x + 0.5}" y="{y + 0.5}" width="{width - 1}" height="{height - 1}"'
            f' rx="{RADIUS - 0.5}" fill="{inside}" stroke="{color}"{dashes}/>'
        )
    if width < _MIN_TITLED:
        return shape
    return f"<g><title>{times}: {xml_text(shorten(bar.text))}</title>{shape}{text}</g>"


def _bar_text(bar: Bar, width: int, style: Style) -> tuple[str, float]:
    """Return what fits of the text of a bar, or its initial in the middle, and where it starts."""
    if not bar.has_text:
        return "", 0
    text = fit(bar.text, style.text, width - 2 * _PADDING, min_kept=_MIN_TEXT)
    if text:
        return text, _PADDING
    indent = (width - text_width(bar.initial, style.text)) / 2
    return bar.initial if indent >= 1 else "", indent


def _merge_runs(columns: Mapping[int, str]) -> Iterator[tuple[range, str]]:
    """Merge neighbouring columns with equal values; the columns must ascend."""
    numbered = enumerate(columns.items())
    for (_, value), run in groupby(numbered, key=lambda pair: (pair[1][0] - pair[0], pair[1][1])):
        (_, (first, _)), *others = run
        yield range(first, first + 1 + len(others)), value


def draw_levels(
    lane: Iterable[Interval[NumberValue]], full: float, y: int, layout: LaneLayout
) -> str:
    """Draw an area with a line on top for each colour; `full` is the number that fills the lane."""
    bottom = y + layout.bar
    greatest: dict[int, tuple[int, str]] = {}  # column to height in tenths of a px, and colour
    for interval in lane:
        if interval.value.number is not None:
            color = CHARGING if interval.value.is_charging else OTHER
            height = round(interval.value.number / full * layout.bar * _TENTHS), color
            for column in layout.scale.columns(interval.start, interval.end):
                greatest[column] = max(greatest.get(column, height), height)
    paths: dict[str, tuple[str, str]] = {}
    for columns, color in _merge_runs({column: color for column, (_, color) in greatest.items()}):
        steps = (
            f"{bottom - height / _TENTHS:g}H{list(run)[-1] + 1}"
            for (height, _), run in groupby(columns, key=greatest.__getitem__)
        )
        line = f"M{columns.start} {'V'.join(steps)}"
        areas, lines = paths.get(color, ("", ""))
        paths[color] = f"{areas}{line}V{bottom}H{columns.start}z", lines + line
    return "".join(
        f'<path fill="{color}" fill-opacity=".3" d="{area}"/>'
        f'<path fill="none" stroke="{color}" stroke-width="1.5" d="{line}"/>'
        for color, (area, line) in paths.items()
    )


_MIN_GAP: Final = 2  # px
_MIN_HATCHED: Final = 10  # px: a narrower gap is shaded only
_HATCHES: Final[Mapping[GapReason, tuple[int, int, int]]] = {  # a, b, step: ax + by = n step
    "sleep": (1, 1, 8),
    "restart": (1, -1, 8),
    "collection": (3, -1, 18),
    "overflow": (0, 1, 6),
    "clock": (1, 0, 6),
}


def draw_times(shown: str, top: int, bottom: int, layout: LaneLayout) -> str:
    """Draw the time axis, and leave space for the text of the mark if there is one."""
    font_size, scale = layout.frame.style.text, layout.scale
    choices = time_ticks(scale.first, scale.last)
    ticks = finest_ticks(choices, scale.end - scale.start, font_size, 3 * font_size)
    taken = [] if layout.mark is None else [layout.axis_label(shown, layout.mark)]
    return draw_axis(ticks, taken, top, bottom, layout)


def draw_marker(shown: str, top: int, bottom: int, layout: LaneLayout) -> str:
    """Draw the mark, if there is one, as a line through the lanes and its text below them."""
    if layout.mark is None:
        return ""
    font_size, x = layout.frame.style.text, layout.scale.place(layout.mark)
    label = layout.axis_label(shown, layout.mark)
    left, right = label.span(font_size)
    width = right - left + 2 * AXIS_PADDING
    color = layout.frame.paper.title
    edge = text_on(color)
    line = f'd="M{x} {top}V{bottom}"'
    height = font_size + 2 * AXIS_SPACING - 2
    return (
        f'<path {line} stroke="{edge}" stroke-width="4"/>'
        f'<path {line} stroke="{color}" stroke-width="2"/>'
        f'<rect x="{left - AXIS_PADDING:g}" y="{bottom}" width="{width:g}"'
        f' height="{height}" rx="{RADIUS}" fill="{color}" stroke="{edge}"/>'
        f'<g fill="{edge}">{write_labels([label], bottom + AXIS_SPACING + font_size - 2)}</g>'
    )


def draw_gaps(gaps: Sequence[WindowGap], top: int, bottom: int, layout: LaneLayout) -> str:
    """Draw gaps over all lanes."""
    drawn = "".join(_draw_gap(gap, top, bottom, layout) for gap in gaps)
    return f'<g fill="{GAP}" stroke="{GAP}" stroke-opacity=".6">{drawn}</g>'


def _draw_gap(gap: WindowGap, top: int, bottom: int, layout: LaneLayout) -> str:
    columns = layout.scale.columns(gap.start_at, gap.end_at, _MIN_GAP)
    left, right = columns.start, columns.stop
    times = format_time_range(gap.start_at, gap.end_at)
    title = xml_text(f"{times}: {GAPS[gap.reason]}")
    if right - left >= _MIN_HATCHED:
        content = _hatched(gap.reason, left, top, right, bottom)
    else:
        content = _shaded(left, top, right, bottom, ".5")
    return f"<g><title>{title}</title>{content}</g>"


def draw_gap_sample(reason: GapReason, size: int, sink: int, x: int, y: int) -> str:
    """Draw a square hatched as gaps of a reason are, `sink` px of it below a base line y."""
    bottom = y + sink
    hatched = _hatched(reason, x, bottom - size, x + size, bottom)
    return f'<g fill="{GAP}" stroke="{GAP}" stroke-opacity=".6">{hatched}</g>'


def _shaded(left: int, top: int, right: int, bottom: int, opacity: str) -> str:
    shape = f"M{left} {top}H{right}V{bottom}H{left}z"
    return f'<path d="{shape}" stroke="none" fill-opacity="{opacity}"/>'


def _hatched(reason: GapReason, left: int, top: int, right: int, bottom: int) -> str:
    strokes = "".join(_hatching(*_HATCHES[reason], (left, right), (top, bottom)))
    return f'{_shaded(left, top, right, bottom, ".1")}<path fill="none" d="{strokes}"/>'


def _hatching(a: int, b: int, step: int, xs: tuple[int, int], ys: tuple[int, int]) -> Iterator[str]:
    """Write strokes, clipped to a box; those of all gaps of a reason line up."""
    corners = [a * x + b * y for x in xs for y in ys]
    for level in range(min(corners) // step * step + step, max(corners), step):
        ends: list[tuple[float, float]] = [(x, (level - a * x) / b) for x in xs if b]
        ends += [((level - b * y) / a, y) for y in ys if a]
        inside = sorted((x, y) for x, y in ends if xs[0] <= x <= xs[1] and ys[0] <= y <= ys[1])
        (x, y), (end_x, end_y) = inside[0], inside[-1]
        yield f"M{x:.5g} {y:.5g}L{end_x:.5g} {end_y:.5g}"


def draw_gap_names(
    gaps: Sequence[WindowGap], y: int, background: str | None, layout: LaneLayout
) -> str:
    """Write the reasons of gaps in a lane, each where it fits in its gap, beside the mark."""
    frame, font_size, scale = layout.frame, layout.frame.style.text, layout.scale
    boxes, labels = "", []
    for gap in gaps:
        columns, mark = scale.columns(gap.start_at, gap.end_at, _MIN_GAP), layout.mark
        left, right = columns.start, columns.stop
        if mark is not None and gap.start_at < mark < gap.end_at:
            x = scale.place(mark)
            left, right = (left, x) if x - left > right - x else (x, right)
        width = text_width(GAPS[gap.reason], font_size) + 2 * _PADDING
        if width + 2 * _PADDING > right - left:
            continue
        middle, top = (left + right) / 2, y + (layout.bar - font_size - _PADDING) / 2
        if background is not None:
            place = f'x="{middle - width / 2:g}" y="{top:g}"'
            size = f'width="{width:g}" height="{font_size + _PADDING}"'
            boxes += f'<rect {place} {size} rx="{RADIUS}" fill="{background}"/>'
        labels.append(Label(GAPS[gap.reason], middle, "middle"))
    return boxes + frame.text(write_labels(labels, frame.style.base_line(y, layout.bar)))
