"""Draw the lanes of a timeline, and what crosses them: time axis, marked time and gaps.

A lane has bars with names, or areas for numbers.  What follows an instant is outlined.

Invariant *bounded*: a lane has one shape a px at most, and one title each eight px.
Invariant *short intervals are visible*: an app or music that is too short for a bar is a stripe;
where several share a px, the longest is visible.
Invariant *text inside*: the text of a bar stays inside the bar; what is cut is in its title, up to
60 code points.
Invariant *greatest visible*: each px of an area shows the greatest number that held there.
Invariant *times apart*: no two times of the axis touch, and none touches the marked time.
Invariant *gaps are visible*: a gap is at least two px wide.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from math import ceil, floor
from typing import Final, Literal

import attrs

from devicestatus.durations import Interval
from devicestatus.lane_values import (
    CHARGING,
    GAP,
    LANES,
    MUSIC,
    NO_MUSIC,
    OTHER,
    LaneValues,
    NumberValue,
    app_label,
    format_range,
    format_time_range,
    song_name,
)
from devicestatus.models import GapReason, Music, Window, WindowGap
from devicestatus.status_text import GAPS
from status_contracts.svg import axis
from status_contracts.svg.image import RADIUS, Frame, LegendEntry, Style
from status_contracts.svg.labels import Label, shorten, write_labels
from status_contracts.svg.palette import text_on
from status_contracts.svg.text import fit, isolated_text, runs_left, text_width, xml_text

_MIN_BAR: Final = 3  # px: a narrower bar cannot be distinguished from its neighbours
_MIN_TITLED: Final = 8  # px: a narrower bar is hard to point at
_MIN_SIGN: Final = 9  # px of each letter of a sign
_MIN_TEXT: Final = 4  # code points of a cut text: fewer do not tell names apart
_NO_NAME: Final = "\u2013"  # a dash, the sign of a time without an app
_PADDING: Final = 4  # px left and right of the text of a bar
_OPACITY, _OPACITY_AHEAD = "1", ".4"  # of stripes
_AREA_OPACITY, _AREA_OPACITY_AHEAD = ".5", ".1"

_Bars = Iterable[Interval["Bar"]]
_Numbers = Sequence[Interval[NumberValue]]
_Boxes = Sequence[tuple[int, int]]  # y of the upper and the lower end, from the first lane on
_Box = tuple[int, int, int, int]  # its x and y, and those of its other corner
_Look = tuple[str, str]  # colour and opacity
_BarLook = Literal["filled", "pale", "outlined", "tinted", "dashed"]


@attrs.frozen
class Bar:
    """An interval of a lane of bars."""

    text: str
    color: str
    look: _BarLook = "filled"
    short: str = ""  # stands for the text where that does not fit
    sign: str = ""  # stands for both where neither fits


Look = Bar | GapReason
"""How bars or gaps look."""
STILL_TO_COME: Final = Bar("still to come", OTHER, look="pale")
"""Explains what follows the mark: bars are outlined, areas are paler."""


def build_lanes(values: LaneValues, until: int, layout: axis.LaneLayout) -> list[axis.Lane]:
    """Build the lanes that have content; what follows the instant `until` is outlined."""
    return [
        *_bar_lane("active_app", _app_bars(values), until, layout),
        *_number_lane("running_apps", values.running, until, layout),
        *_bar_lane("music", _music_bars(values.music), until, layout),
        *_number_lane("battery", values.battery, until, layout, " %"),
        *_number_lane("system", values.load, until, layout),
    ]


def _bar_lane(member: str, bars: _Bars, until: int, layout: axis.LaneLayout) -> Iterator[axis.Lane]:
    drawn = [*_split_at(bars, until)]
    if any(held.value.color != GAP for held in drawn):  # else the lane says nothing
        yield axis.Lane(LANES[member], partial(_draw_bars, drawn, layout=layout))


def _number_lane(
    member: str, lane: _Numbers, until: int, layout: axis.LaneLayout, unit: str = ""
) -> Iterator[axis.Lane]:
    """Build a lane that 100 % fills, or the greatest number; one that never changes is halfway."""
    if known := {held.value.number for held in lane if held.value.number is not None}:
        full = 100 if unit else max(1, max(known) * (2 if len(known) == 1 else 1))
        draw = partial(_draw_levels, lane, full, until, layout=layout)
        yield axis.Lane(LANES[member], draw, format_range(lane, unit))


def _split_at(lane: _Bars, at: int) -> Iterator[Interval[Bar]]:
    """Outline what follows an instant; of a bar around it, both parts have its name."""
    for interval in lane:
        bar, cut = interval.value, min(max(at, interval.start), interval.end)
        if cut > interval.start:
            yield Interval(interval.start, cut, bar)
        if cut < interval.end:
            look: _BarLook = "dashed" if bar.look == "tinted" else "outlined"
            yield Interval(cut, interval.end, attrs.evolve(bar, look=look))


def _app_bars(values: LaneValues) -> Iterator[Interval[Bar]]:
    for app in values.apps:
        if app.value is not None:
            yield Interval(app.start, app.end, app_bar(app.value, values))
    for none in values.no_app:
        yield Interval(none.start, none.end, no_app_bar(none.value))


def app_bar(app: str, values: LaneValues) -> Bar:
    """Return the bar of an app."""
    return Bar(app_label(app), values.colors[app], sign=values.signs[app])


def no_app_bar(text: str) -> Bar:
    """Return the pale bar of a time without an app, as while the screen is locked."""
    return Bar(text, GAP, look="pale", short=_NO_NAME, sign=_NO_NAME)


def _music_bars(lane: Iterable[Interval[Music]]) -> Iterator[Interval[Bar]]:
    """Generate the bars of music; dashes, first around a tint, say that it is paused."""
    for held in lane:
        music = held.value
        if music.state == "unavailable":
            yield Interval(held.start, held.end, no_app_bar(NO_MUSIC))
        if music.state in {"playing", "paused"}:
            text = song_name(music.track, music.artist) if music.track else music.state
            look: _BarLook = "filled" if music.state == "playing" else "tinted"
            yield Interval(held.start, held.end, Bar(text, MUSIC, look, music.track or "", "♪"))


def _draw_bars(lane: _Bars, y: int, layout: axis.LaneLayout) -> str:
    """Draw a lane whose bars start at `y`; an interval without a bar is left empty."""
    drawn: list[str] = []
    longest: dict[int, tuple[int, _Look]] = {}  # column to duration and look of a stripe
    for interval in lane:
        columns, bar = layout.scale.columns(interval.start, interval.end), interval.value
        if len(columns) >= _MIN_BAR:
            title = f"{format_time_range(interval.start, interval.end)}: {shorten(bar.text)}"
            drawn.append(_draw_bar(bar, title, columns, y, layout.bar, layout.frame))
        elif bar.color != GAP:
            opacity = _OPACITY if bar.look == "filled" else _OPACITY_AHEAD
            for column in columns:
                if column not in longest or interval.duration > longest[column][0]:
                    longest[column] = interval.duration, (bar.color, opacity)
    drawn += (
        f'<path fill="{color}" fill-opacity="{opacity}"'
        f' d="M{run.start} {y}h{len(run)}v{layout.bar}h-{len(run)}z"/>'
        for run, (color, opacity) in _merge_runs({x: look for x, (_, look) in longest.items()})
    )
    return "".join(drawn)


def legend_entry(look: Look, frame: Frame, value: str = "") -> LegendEntry:
    """Return the entry of a legend that explains bars or gaps that look like this."""
    name = GAPS[look] if isinstance(look, str) else look.text
    return LegendEntry(name, value, partial(_draw_sample, look, frame))


def _draw_sample(of: Look, frame: Frame, x: int, y: int) -> str:
    """Draw a box as a bar or a gap is, from its left end and the base line of its text."""
    top, width, height = y - frame.style.text, frame.style.sample, frame.style.text + 2
    if isinstance(of, Bar):
        return _draw_bar(of, "", range(x, x + width + 1), top, height, frame)
    return _hatched(of, width, [(x, top, x + width, top + height)])


def _draw_bar(bar: Bar, title: str, columns: range, y: int, height: int, frame: Frame) -> str:
    """Draw a bar with its text, which a renderer that draws it wider clips at the bar's end."""
    x, width, color, is_filled = columns.start, len(columns) - 1, bar.color, bar.look == "filled"
    style = frame.style
    place = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    text, indent, small = _bar_text(bar, width, style)
    if text:
        ink = text_on(color) if is_filled else frame.paper.text
        end = ' text-anchor="end"' if runs_left(text) else ""  # its end is clipped, as of others
        size = f' font-size="{small.text}"' if small != style else ""
        x_inside, y_inside = width - indent if end else indent, small.base_line(0, height)
        text = (
            f'<svg {place} overflow="hidden">'
            f'<text x="{x_inside:g}" y="{y_inside:g}"{end}{size} fill="{ink}">'
            f"{isolated_text(text)}</text></svg>"
        )
    fill = f'fill="{color}"'
    if not is_filled:  # where its inside is not seen, a pointer finds the title there too
        fill += ' fill-opacity="0"' if bar.look in {"outlined", "dashed"} else ' fill-opacity=".18"'
    if is_filled or (bar.look == "pale" and title):
        shape = f'<rect {place} rx="{RADIUS}" {fill}/>'
    else:
        dashes = "" if bar.look in {"outlined", "pale"} else ' stroke-dasharray="4 3"'
        shape = (
            f'<rect x="{x + 0.5}" y="{y + 0.5}" width="{width - 1}" height="{height - 1}"'
            f' rx="{RADIUS - 0.5}" {fill} stroke="{color}"{dashes}/>'
        )
    if width < _MIN_TITLED or not title:
        return shape + text
    return f"<g><title>{xml_text(title)}</title>{shape}{text}</g>"


def _bar_text(bar: Bar, width: int, style: Style) -> tuple[str, float, Style]:
    """Return what fits of a bar's text, or its sign in the middle; where it starts, its style."""
    room, size = width - 2 * _PADDING, style.text
    whole = bar.text if text_width(bar.text, size) <= room else bar.short or bar.text
    text = fit(whole, size, room, min_kept=_MIN_TEXT)
    if text and text != bar.sign:
        return text, _PADDING, style
    shown = bar.sign[: width // _MIN_SIGN]  # of two letters one, whatever they are
    small = attrs.evolve(style, text=min(size, int((width - 2) / max(1, text_width(shown, 1)))))
    return shown, (width - text_width(shown, small.text)) / 2, small


def _merge_runs(columns: Mapping[int, _Look]) -> Iterator[tuple[range, _Look]]:
    """Merge neighbouring columns with equal values; the columns must ascend."""
    numbered = enumerate(columns.items())
    for (_, value), run in groupby(numbered, key=lambda pair: (pair[1][0] - pair[0], pair[1][1])):
        (_, (first, _)), *others = run
        yield range(first, first + 1 + len(others)), value


def _draw_levels(lane: _Numbers, full: float, until: int, y: int, layout: axis.LaneLayout) -> str:
    """Draw an area with a line on top for each colour; `full` is the number that fills the lane."""
    bottom, shown_end = y + layout.bar, layout.scale.place(until)
    greatest: dict[int, tuple[float, str]] = {}  # column to height in px, and colour
    for interval in lane:
        if interval.value.number is not None:
            color = CHARGING if interval.value.is_charging else layout.frame.paper.text
            height = round(interval.value.number / full * (layout.bar - 1), 1), color
            for column in layout.scale.columns(interval.start, interval.end):
                greatest[column] = max(greatest.get(column, height), height)
    looks = {
        column: (color, _AREA_OPACITY if column < shown_end else _AREA_OPACITY_AHEAD)
        for column, (_, color) in greatest.items()
    }
    paths: dict[_Look, tuple[str, str]] = {}
    for columns, look in _merge_runs(looks):
        steps = (
            f"{bottom - height:g}H{list(run)[-1] + 1}"
            for (height, _), run in groupby(columns, key=greatest.__getitem__)
        )
        line = f"M{columns.start} {'V'.join(steps)}"
        areas, lines = paths.get(look, ("", ""))
        paths[look] = f"{areas}{line}V{bottom}H{columns.start}z", lines + line
    return "".join(
        f'<path fill="{color}" fill-opacity="{opacity}" d="{area}"/>'
        f'<path fill="none" stroke="{color}" stroke-width="1.5" d="{line}"/>'
        for (color, opacity), (area, line) in paths.items()
    )


_MIN_GAP: Final = 2  # px
_MIN_HATCHED: Final = 6  # px: a narrower gap is shaded only
_MIN_COARSE: Final = 20  # px: a narrower gap has strokes at half the distance
_GAP_PADDING: Final = 2  # px around the name of a gap
_HATCHES: Final[Mapping[GapReason, tuple[int, int, int]]] = {  # a, b, step: ax + by = n step
    "sleep": (1, 1, 8),
    "restart": (1, -1, 8),
    "collection": (3, -1, 18),
    "overflow": (0, 1, 6),
    "clock": (1, 0, 6),
}


def draw_window(
    drawn: Sequence[axis.Lane], gaps: Sequence[WindowGap], top: int, layout: axis.LaneLayout
) -> tuple[str, int]:
    """Draw lanes from a y on and all that crosses them; return them with the y of their end."""
    names, body, bottom = axis.draw_lanes(drawn, top, layout)
    boxes, scale = _lane_boxes(top, bottom, layout), layout.scale
    font_size = layout.frame.style.text
    choices = axis.time_ticks(scale.first, scale.last)
    ticks = axis.finest_ticks(choices, scale.end - scale.start, font_size, 3 * font_size)
    room = layout if layout.raised else beside_name(drawn[0], layout)
    flag = [room.axis_label(layout.mark)] if layout.mark else []
    levels = [box for lane, box in zip(drawn, boxes, strict=True) if lane.note]

    def boxes_at(instant: int) -> _Boxes:
        is_gap = any(gap.start_at <= instant < gap.end_at for gap in gaps)
        return [(bottom - 1, bottom + axis.AXIS_SPACING), *([] if is_gap else levels)]

    times = axis.draw_axis(ticks, flag if layout.raised else [], bottom, layout, boxes_at)
    around = [(top, bottom)] if layout.has_names_beside else boxes
    crossing = "".join(_draw_gap(gap, around, layout) for gap in gaps)
    return names + times + body + crossing + _draw_marker(flag, around, layout), bottom


def beside_name(lane: axis.Lane, layout: axis.LaneLayout) -> axis.LaneLayout:
    """Return the layout of what is beside the name, if it is above its lane."""
    frame, name = layout.frame, "" if layout.has_names_beside else f"{lane.name} {lane.note}"
    taken = ceil(text_width(name, frame.style.text)) + 3 * frame.style.gap
    return attrs.evolve(layout, frame=attrs.evolve(frame, left=frame.left + taken))


def _lane_boxes(top: int, bottom: int, layout: axis.LaneLayout) -> _Boxes:
    """Return the boxes of the lanes between two y."""
    above = 0 if layout.has_names_beside else layout.frame.style.row
    distance = layout.bar + above + layout.spacing
    return [(end - layout.bar, end) for end in range(bottom, top + layout.bar, -distance)][::-1]


def mark_of(window: Window, at: int, text: str) -> axis.Tick | None:
    """Return the mark of an instant in a window, with its text; None for another instant."""
    return axis.Tick(at, text) if window.window_start <= at < window.window_end else None


def _draw_marker(labels: Sequence[Label], boxes: _Boxes, layout: axis.LaneLayout) -> str:
    """Draw the mark, if there is one, as a line and its label above, or below where a key is."""
    if layout.mark is None:
        return ""
    font_size, x = layout.frame.style.text, layout.scale.place(layout.mark.value)
    left, right = labels[0].span(font_size)
    width, color = right - left + 2 * axis.AXIS_PADDING, layout.frame.paper.title
    height, edge = font_size + 2 * axis.AXIS_SPACING - 2, text_on(color)
    near, space = (boxes[-1][1], 2) if layout.raised else (boxes[0][0], -3)  # boxes end 1 px lower
    path = "".join(f"M{x} {start}V{end}" for start, end in boxes) + f"M{x} {near}v{space}"
    y = near + (space if layout.raised else space - height)
    return (
        f'<path d="{path}" stroke="{edge}" stroke-width="4"/>'
        f'<path d="{path}" stroke="{color}" stroke-width="2"/>'
        f'<rect x="{left - axis.AXIS_PADDING:g}" y="{y}" width="{width:g}"'
        f' height="{height}" rx="{RADIUS}" fill="{color}" stroke="{edge}"/>'
        f'<g fill="{edge}">{write_labels(labels, y + axis.AXIS_SPACING + font_size - 2)}</g>'
    )


def _draw_gap(gap: WindowGap, boxes: _Boxes, layout: axis.LaneLayout) -> str:
    """Draw a gap over all lanes, with its name on a background in the first, if it fits."""
    columns = layout.scale.columns(gap.start_at, gap.end_at, _MIN_GAP)
    title = xml_text(f"{format_time_range(gap.start_at, gap.end_at)}: {GAPS[gap.reason]}")
    first, last, frame, text = columns.start, columns.stop, layout.frame, ""
    parts = [(first, top, last, bottom) for top, bottom in boxes]
    if label := gap_label(gap, layout):
        (left, right), y, height = label.span(frame.style.text), boxes[0][0], frame.style.text + 4
        start, end = floor(left) - _GAP_PADDING, ceil(right) + _GAP_PADDING
        top = y + (layout.bar - height) // 2
        sides = (first, top, start, top + height), (end, top, last, top + height)
        parts[:1] = (first, y, last, top), *sides, (first, top + height, last, boxes[0][1])
        text = frame.text(write_labels([label], frame.style.base_line(y, layout.bar)))
    return f"<g><title>{title}</title>{_hatched(gap.reason, len(columns), parts)}{text}</g>"


def gap_label(gap: WindowGap, layout: axis.LaneLayout) -> Label | None:
    """Place the name of a gap in its middle, or in the larger part beside the mark, if it fits."""
    columns = layout.scale.columns(gap.start_at, gap.end_at, _MIN_GAP)
    if layout.mark is not None and gap.start_at <= layout.mark.value < gap.end_at:
        x = layout.scale.place(layout.mark.value)
        parts = range(columns.start, x - _GAP_PADDING), range(x + _GAP_PADDING, columns.stop)
        columns = max(parts, key=len)
    label = Label(GAPS[gap.reason], (columns.start + columns.stop) / 2, "middle")
    left, right = label.span(layout.frame.style.text)
    return label if right - left + 2 * _GAP_PADDING + 2 <= len(columns) else None


def _hatched(reason: GapReason, width: int, boxes: Iterable[_Box]) -> str:
    """Draw shaded boxes with strokes, closer ones in a narrow gap and none in the narrowest."""
    shape, data, (a, b, step) = "", "", _HATCHES[reason]
    for left, top, right, bottom in boxes:
        shape += f"M{left} {top}H{right}V{bottom}H{left}z"
        if width >= _MIN_HATCHED:
            distance = step if width >= _MIN_COARSE else step // 2
            data += "".join(_hatching(a, b, distance, (left, right), (top, bottom)))
    strokes = data and f'<path fill="none" stroke="{GAP}" stroke-opacity=".8" d="{data}"/>'
    return f'<path fill="{GAP}" fill-opacity="{".1" if data else ".5"}" d="{shape}"/>{strokes}'


def _hatching(a: int, b: int, step: int, xs: tuple[int, int], ys: tuple[int, int]) -> Iterator[str]:
    """Write strokes, clipped to a box; those of all gaps of a reason line up."""
    corners = [a * x + b * y for x in xs for y in ys]
    for level in range(min(corners) // step * step + step, max(corners), step):
        ends: list[tuple[float, float]] = [(x, (level - a * x) / b) for x in xs if b]
        ends += [((level - b * y) / a, y) for y in ys if a]
        inside = sorted((x, y) for x, y in ends if xs[0] <= x <= xs[1] and ys[0] <= y <= ys[1])
        (x, y), (end_x, end_y) = inside[0], inside[-1]
        yield f"M{x:.5g} {y:.5g}L{end_x:.5g} {end_y:.5g}"
