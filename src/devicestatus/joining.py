"""Join the windows of a session into one long window.

An agent uploads every 300 s the window of its last 900 s, so uploads overlap, and a lost one loses
nothing while the next ones succeed.

Invariant *the newest window counts*: at each instant, state and gaps of the joined window are those
of the newest window that contains the instant.  `batch_seq` orders windows; one that ends earlier
than a window before it is ignored, as players refuse it.
Invariant *unknown time is a gap*: where no window contains an instant, a gap does.
Invariant *one session*: a new session means other privacy rules, its batches are numbered from 1
again, and events cannot remove `running_apps`; so windows of two sessions have no common order and
no common state, and are not joined.
Invariant *linear*: the cost grows linearly with the number of windows, events and gaps, after the
windows were sorted.
"""

from collections.abc import Iterable, Sequence
from operator import attrgetter

import attrs

from devicestatus.models import (
    Window,
    WindowChanges,
    WindowEvent,
    WindowGap,
    changed_members,
    need_window,
    present_members,
)

__all__ = ["join_windows"]


def join_windows(windows: Iterable[Window]) -> Window:
    """Return one window of the uploads of a session, from the first start to the last end.

    Where uploads failed for too long, the time that no window contains is a gap: with the reason of
    the next window's first gap if that window starts with one, else `overflow`.  Gaps that touch
    are merged if their reasons are equal.

    The result has the `batch_seq`, `generated_at` and `dropped_events` of the newest window; its
    events are numbered from 1.  It may be longer than an upload can be.  `running_apps` stays where
    a later window has none, because events cannot remove it.

    Args:
        windows: valid windows of one session, at least one, in any order; copies are ignored.

    Raises:
        TypeError: one of them is no `Window`.
        ValueError: there is no window, or they have different sessions or schema versions.

    """
    parts = _parts(_accepted(windows))
    first, newest = parts[0][0], parts[-1][0]
    known_until, state = first.window_start, present_members(first.baseline)
    events: list[tuple[int, WindowChanges]] = []
    gaps: list[WindowGap] = []
    for window, end in parts:
        start, baseline = window.window_start, present_members(window.baseline)
        if known_until < start:
            starts_in_gap = window.gaps and window.gaps[0].start_at == start
            reason = window.gaps[0].reason if starts_in_gap else "overflow"
            _append_gap(gaps, WindowGap(known_until, start, reason))
        if changed := changed_members(state, baseline):
            events.append((start, WindowChanges(**changed)))
            state |= changed
        for event in window.events:
            if event.at < end or window is newest:
                events.append((event.at, event.changes))
                state |= present_members(event.changes)
        for gap in window.gaps:
            if gap.start_at < end and start < gap.end_at:
                span = max(gap.start_at, start), min(gap.end_at, end)
                _append_gap(gaps, WindowGap(*span, gap.reason))
        known_until = end
    return attrs.evolve(
        newest,
        window_start=first.window_start,
        baseline=first.baseline,
        events=tuple(WindowEvent(seq, *event) for seq, event in enumerate(events, 1)),
        gaps=tuple(gaps),
    )


def _accepted(windows: Iterable[Window]) -> Sequence[Window]:
    """Return the windows in order, without those that end earlier than one before them."""
    if isinstance(windows, Window):
        raise TypeError("windows: must be several, not one Window: pass [window]")
    ordered = list(windows)
    for window in ordered:
        need_window(window)
    ordered.sort(key=attrgetter("batch_seq", "window_end", "generated_at"))
    if not ordered:
        raise ValueError("there is no window to join")
    if len({window.schema_version for window in ordered}) > 1:
        raise ValueError("the windows have different schema versions")
    if (sessions := len({window.session_id for window in ordered})) > 1:
        raise ValueError(f"the windows are of {sessions} sessions: join those of each session")
    accepted = ordered[:1]
    for window in ordered[1:]:
        if window.window_end >= accepted[-1].window_end:
            accepted.append(window)
    return accepted


def _parts(windows: Sequence[Window]) -> Sequence[tuple[Window, int]]:
    """Return the windows that are the newest at some instant, and until when, in order of time."""
    parts = [(windows[-1], windows[-1].window_end)]
    for window in reversed(windows):
        next_start = parts[-1][0].window_start
        if window.window_start < next_start:
            parts.append((window, min(window.window_end, next_start)))
    return parts[::-1]


def _append_gap(gaps: list[WindowGap], gap: WindowGap) -> None:
    """Append a gap; one that touches the last with the same reason extends it."""
    if gaps and gaps[-1].end_at == gap.start_at and gaps[-1].reason == gap.reason:
        gaps[-1] = WindowGap(gaps[-1].start_at, gap.end_at, gap.reason)
    else:
        gaps.append(gap)
