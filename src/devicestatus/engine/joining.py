"""Join the windows of several uploads to one long window, and cut a part out of a window.

Source: device-status specification, "Buffered window"; `docs/reference/notebooks.md`.

Invariant *first window counts*: the joined window shows at each instant what the first of the
windows shows that cover it; uploads of one session agree where they overlap.
Invariant *nothing is invented*: time that no window covers is a gap.
Invariant *linear*: apart from sorting, the cost grows linearly with all events and gaps.

The results are for timelines, intervals and tables: they may be longer than the contract allows an
upload to be, and are then not valid bodies.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from devicestatus.engine.projection import prepare
from devicestatus.models.snapshot import Snapshot
from devicestatus.models.window import GapReason, Window, WindowChanges, WindowEvent, WindowGap
from purewire.absent import ABSENT

__all__ = ["cut_window", "join_windows"]

_MEMBERS: Final = tuple(field.name for field in attrs.fields(WindowChanges))


def join_windows(windows: Iterable[Window]) -> Window:
    """Return one window from the start of the first to the end of the last.

    Time between two windows is a gap.  Its reason is `restart` if the session changes; that of the
    gap with which the next window starts, if it starts with one; and else `overflow`, because an
    upload was lost.  Gaps that touch and have one reason are one.  An event at a change from one
    window to the next contains what differs there.

    Args:
        windows: valid windows of one computer, in any order; repeated ones count once.

    Returns:
        The events have new numbers from 1.  Session, `batch_seq`, `generated_at` and
        `dropped_events` are those of the last window.

    Raises:
        ValueError: there is no window, or one without `running_apps` follows one with them.

    """
    ordered = sorted(windows, key=lambda each: (each.window_start, each.window_end))
    if not ordered:
        raise ValueError("there is no window to join")
    first = last = ordered[0]
    events = [(event.at, event.changes) for event in first.events]
    gaps = list(first.gaps)
    for window in ordered[1:]:
        if window.window_end <= last.window_end:
            continue
        end = last.window_end
        if end < window.window_start:
            gaps.append(WindowGap(end, window.window_start, _reason(last, window)))
        part = cut_window(window, max(end, window.window_start), window.window_end)
        changes = _differences(prepare(last).state_at(end), part.baseline)
        if changes != WindowChanges():
            events.append((part.window_start, changes))
        events.extend((event.at, event.changes) for event in part.events)
        gaps.extend(part.gaps)
        last = window
    return attrs.evolve(
        last,
        window_start=first.window_start,
        baseline=first.baseline,
        events=tuple(WindowEvent(number, *each) for number, each in enumerate(events, 1)),
        gaps=_merged(gaps),
    )


def cut_window(window: Window, start: int, end: int) -> Window:
    """Return the part of a valid window from one instant to another, both in ms since the epoch.

    The baseline is the state at `start`, the event of this instant included.  Events and gaps are
    those of the part; a gap over its start or end is shortened.  All else stays as it is.

    Raises ValueError if `start` is after `end`, or one of them is outside the window.
    """
    if not window.window_start <= start <= end <= window.window_end:
        raise ValueError(
            f"{start} to {end} is no part of the window from {window.window_start}"
            f" to {window.window_end}"
        )
    return attrs.evolve(
        window,
        window_start=start,
        window_end=end,
        baseline=prepare(window).state_at(start),
        events=tuple(event for event in window.events if start < event.at <= end),
        gaps=tuple(
            WindowGap(max(start, gap.start_at), min(end, gap.end_at), gap.reason)
            for gap in window.gaps
            if gap.start_at < end and start < gap.end_at
        ),
    )


def _reason(last: Window, following: Window) -> GapReason:
    """Return the reason of the gap between two windows."""
    if last.session_id != following.session_id:
        return "restart"
    if following.gaps and following.gaps[0].start_at == following.window_start:
        return following.gaps[0].reason
    return "overflow"


def _differences(before: Snapshot, after: Snapshot) -> WindowChanges:
    """Return the members of a state that are not those of an earlier one."""
    pairs = ((name, getattr(before, name), getattr(after, name)) for name in _MEMBERS)
    changed = {name: new for name, old, new in pairs if new != old}
    if ABSENT in changed.values():
        raise ValueError("a window without running_apps follows one with them")
    return WindowChanges(**changed)


def _merged(gaps: Sequence[WindowGap]) -> tuple[WindowGap, ...]:
    """Join gaps that touch and have the same reason."""
    found: list[WindowGap] = []
    for gap in gaps:
        if found and found[-1].end_at == gap.start_at and found[-1].reason == gap.reason:
            found.append(attrs.evolve(found.pop(), end_at=gap.end_at))
        else:
            found.append(gap)
    return tuple(found)
