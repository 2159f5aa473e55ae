"""Draw what crosses all lanes of a timeline: the time axis, the marked time and the gaps.

Invariant *times apart*: no two times of the axis touch, and none touches the marked time.
Invariant *gaps are visible*: a gap is at least two px wide.
Invariant *longest gap first*: no two reasons above the lanes touch; the reason of a longer gap is
never left out for that of a shorter one.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from devicestatus.models.window import WindowGap
from devicestatus.rendering.layout import Layout
from devicestatus.rendering.palette import GAP, MARKER
from purewire.svg.axis import Tick, finest_ticks, time_ticks
from purewire.svg.labels import (
    Label,
    centered_label,
    format_time_range,
    format_time_within,
    place_labels,
    shorten,
    write_labels,
)
from purewire.svg.text import xml_text

__all__ = ["draw_axis", "draw_gaps", "draw_marker", "draw_reasons", "ticks"]

_PADDING: Final = 5  # px left and right of a time
_AXIS_HEIGHT: Final = 4  # px from the lanes to the times
_MIN_GAP: Final = 2  # px
_MIN_HATCHED: Final = 10  # px: a narrower gap is shaded only
_HATCH_STEP: Final = 8  # px between strokes
_REASON_SPACING: Final = 8  # px between two reasons


def ticks(layout: Layout) -> list[Tick]:
    """Return the times that the axis names."""
    font_size, scale = layout.frame.style.text, layout.scale
    choices = time_ticks(scale.first, scale.last)
    return finest_ticks(choices, scale.end - scale.start, font_size, 3 * font_size)


def draw_axis(at: int | None, top: int, bottom: int, layout: Layout) -> str:
    """Write the times below the lanes, and draw a line through the lanes at each."""
    font_size, found = layout.frame.style.text, ticks(layout)
    marked = [] if at is None else [_marker_label(at, layout)]
    labels = [_time_label(tick.label, tick.value, layout) for tick in found]
    placed = place_labels([*marked, *labels], font_size, 2 * _PADDING)[len(marked) :]
    lines = "".join(f"M{layout.scale.place(tick.value) + 0.5:g} {top}V{bottom}" for tick in found)
    texts = write_labels(placed, bottom + _AXIS_HEIGHT + font_size)
    return f'<path {layout.frame.paper.rule} d="{lines}"/>{layout.frame.text(texts)}'


def _time_label(text: str, instant: int, layout: Layout) -> Label:
    frame, x = layout.frame, layout.scale.place(instant)
    return centered_label(text, x, frame.style.text, _PADDING, frame.width - _PADDING)


def _marker_label(at: int, layout: Layout) -> Label:
    scale = layout.scale
    return _time_label(format_time_within(at, scale.last - scale.first), at, layout)


def draw_marker(at: int, top: int, bottom: int, layout: Layout) -> str:
    """Mark an instant of the window by a line through the lanes and its time below them."""
    font_size, x = layout.frame.style.text, layout.scale.place(at)
    label = _marker_label(at, layout)
    left, right = label.span(font_size)
    dark, bright = MARKER
    line = f'd="M{x} {top}V{bottom}"'
    height = font_size + 2 * _AXIS_HEIGHT - 2
    return (
        f'<path {line} stroke="{bright}" stroke-width="4"/>'
        f'<path {line} stroke="{dark}" stroke-width="2"/>'
        f'<rect x="{left - _PADDING:g}" y="{bottom}" width="{right - left + 2 * _PADDING:g}"'
        f' height="{height}" rx="3" fill="{dark}" stroke="{bright}"/>'
        f'<g fill="{bright}">{write_labels([label], bottom + _AXIS_HEIGHT + font_size - 2)}</g>'
    )


def draw_gaps(gaps: Sequence[WindowGap], top: int, bottom: int, layout: Layout) -> str:
    """Draw gaps over all lanes."""
    drawn = "".join(_draw_gap(gap, top, bottom, layout) for gap in gaps)
    return f'<g fill="{GAP}" stroke="{GAP}" stroke-opacity=".6">{drawn}</g>'


def _draw_gap(gap: WindowGap, top: int, bottom: int, layout: Layout) -> str:
    left, right = _gap_ends(gap, layout)
    times = format_time_range(gap.start_at, gap.end_at)
    title = xml_text(f"{times}: {shorten(gap.reason)}")
    shape = f'd="M{left} {top}H{right}V{bottom}H{left}z" stroke="none"'
    content = f'<path {shape} fill-opacity=".5"/>'
    if right - left >= _MIN_HATCHED:
        strokes = "".join(_hatching(left, top, right, bottom))
        content = f'<path {shape} fill-opacity=".1"/><path fill="none" d="{strokes}"/>'
    return f"<g><title>{title}</title>{content}</g>"


def _gap_ends(gap: WindowGap, layout: Layout) -> tuple[int, int]:
    scale = layout.scale
    left = min(max(scale.place(gap.start_at), scale.start), scale.end - _MIN_GAP)
    return left, max(min(scale.place(gap.end_at), scale.end), left + _MIN_GAP)


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
    places = (sum(_gap_ends(gap, layout)) / 2 for gap in longest_first)
    labels = (
        centered_label(shorten(gap.reason), x, font_size, scale.start, scale.end)
        for gap, x in zip(longest_first, places, strict=True)
    )
    return layout.frame.text(write_labels(place_labels(labels, font_size, _REASON_SPACING), y))
