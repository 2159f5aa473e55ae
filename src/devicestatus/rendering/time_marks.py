"""Draw what crosses all lanes of a timeline: the time axis, the marked time and the gaps.

Invariant *times apart*: no two times of the axis touch, and none touches the marked time.
Invariant *gaps are visible*: a gap is at least two px wide.
Invariant *longest gap first*: no two reasons above the lanes touch; the reason of a longer gap is
never left out for that of a shorter one.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from devicestatus.models.window import WindowGap
from devicestatus.rendering.palette import GAP, MARKER
from purewire.svg.axis import Tick, finest_ticks, time_ticks
from purewire.svg.image import RADIUS
from purewire.svg.labels import (
    Label,
    centered_label,
    format_time_range,
    format_time_within,
    place_labels,
    shorten,
    write_labels,
)
from purewire.svg.lanes import AXIS_PADDING, AXIS_SPACING, Layout, draw_axis
from purewire.svg.text import xml_text

_MIN_GAP: Final = 2  # px
_MIN_HATCHED: Final = 10  # px: a narrower gap is shaded only
_HATCH_STEP: Final = 8  # px between strokes
_REASON_SPACING: Final = 8  # px between two reasons


def ticks(layout: Layout) -> list[Tick]:
    """Return the times that the axis names."""
    font_size, scale = layout.frame.style.text, layout.scale
    choices = time_ticks(scale.first, scale.last)
    return finest_ticks(choices, scale.end - scale.start, font_size, 3 * font_size)


def draw_times(at: int | None, top: int, bottom: int, layout: Layout) -> str:
    """Draw the time axis, and leave space for the marked time `at` if there is one."""
    taken = [] if at is None else [_marker_label(at, layout)]
    return draw_axis(ticks(layout), taken, top, bottom, layout)


def _marker_label(at: int, layout: Layout) -> Label:
    length = layout.scale.last - layout.scale.first
    return layout.axis_label(format_time_within(at, length), at)


def draw_marker(at: int, top: int, bottom: int, layout: Layout) -> str:
    """Mark an instant of the window by a line through the lanes and its time below them."""
    font_size, x = layout.frame.style.text, layout.scale.place(at)
    label = _marker_label(at, layout)
    left, right = label.span(font_size)
    width = right - left + 2 * AXIS_PADDING
    dark, bright = MARKER
    line = f'd="M{x} {top}V{bottom}"'
    height = font_size + 2 * AXIS_SPACING - 2
    return (
        f'<path {line} stroke="{bright}" stroke-width="4"/>'
        f'<path {line} stroke="{dark}" stroke-width="2"/>'
        f'<rect x="{left - AXIS_PADDING:g}" y="{bottom}" width="{width:g}"'
        f' height="{height}" rx="{RADIUS}" fill="{dark}" stroke="{bright}"/>'
        f'<g fill="{bright}">{write_labels([label], bottom + AXIS_SPACING + font_size - 2)}</g>'
    )


def draw_gaps(gaps: Sequence[WindowGap], top: int, bottom: int, layout: Layout) -> str:
    """Draw gaps over all lanes."""
    drawn = "".join(_draw_gap(gap, top, bottom, layout) for gap in gaps)
    return f'<g fill="{GAP}" stroke="{GAP}" stroke-opacity=".6">{drawn}</g>'


def _draw_gap(gap: WindowGap, top: int, bottom: int, layout: Layout) -> str:
    columns = layout.scale.columns(gap.start_at, gap.end_at, _MIN_GAP)
    left, right = columns.start, columns.stop
    times = format_time_range(gap.start_at, gap.end_at)
    title = xml_text(f"{times}: {shorten(gap.reason)}")
    shape = f'd="M{left} {top}H{right}V{bottom}H{left}z" stroke="none"'
    content = f'<path {shape} fill-opacity=".5"/>'
    if right - left >= _MIN_HATCHED:
        strokes = "".join(_hatching(left, top, right, bottom))
        content = f'<path {shape} fill-opacity=".1"/><path fill="none" d="{strokes}"/>'
    return f"<g><title>{title}</title>{content}</g>"


def _hatching(left: int, top: int, right: int, bottom: int) -> Iterator[str]:
    """Write rising strokes, clipped to a box; the strokes of all gaps line up."""
    first = left + top
    for rise in range(first + -first % _HATCH_STEP, right + bottom, _HATCH_STEP):
        start, end = max(left, rise - bottom), min(right, rise - top)
        if start < end:
            yield f"M{start} {rise - start}l{end - start}-{end - start}"


def draw_reasons(gaps: Sequence[WindowGap], y: int, layout: Layout) -> str:
    """Write the reasons of gaps above the lanes, where they have space."""
    font_size, scale = layout.frame.style.text, layout.scale
    longest_first = sorted(gaps, key=lambda gap: gap.start_at - gap.end_at)
    labels = []
    for gap in longest_first:
        columns = scale.columns(gap.start_at, gap.end_at, _MIN_GAP)
        x = (columns.start + columns.stop) / 2
        labels.append(centered_label(shorten(gap.reason), x, font_size, scale.start, scale.end))
    return layout.frame.text(write_labels(place_labels(labels, font_size, _REASON_SPACING), y))
