"""The recent past of a device: a baseline, the changes since, and the gaps.

Invariant *bounded*: it holds at most 2048 events, and its text as a window is at most as long as
the body of a batch may be; where it would exceed one of the two, the oldest events are folded,
counted as dropped, and `start` moves to the last of them.
Invariant *simultaneous events may be split*: of several events at one instant some may be folded
and some stay, because an event at the start of a window applies at once.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any, Final, Self

import attrs

from devicestatus import limits
from devicestatus.models import (
    GapReason,
    Snapshot,
    Window,
    WindowChanges,
    WindowEvent,
    WindowGap,
    present_members,
)
from status_contracts import json_text
from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT
from status_contracts.structuring.converter import unstructure

_START: Final = attrgetter("start_at")
_END: Final = attrgetter("end_at")


@attrs.define(eq=False)
class GapList:
    """Half-open intervals in which nothing was observed; some may begin after the window."""

    _gaps: list[WindowGap] = attrs.field(factory=list, init=False)

    def __len__(self) -> int:
        return len(self._gaps)

    def add(self, gap: WindowGap) -> None:
        """Add a gap, clipped to the range of timestamps; an empty one is ignored."""
        start, end = max(gap.start_at, FIRST_INSTANT), min(gap.end_at, LAST_INSTANT)
        if start >= end:
            return
        first = bisect_left(self._gaps, start, key=_END)
        after = bisect_right(self._gaps, end, lo=first, key=_START)
        touched = [*self._gaps[first:after], WindowGap(start, end, gap.reason)]
        self._gaps[first:after] = [_merged(touched)]
        if len(self._gaps) > limits.WINDOW_GAPS:
            self._gaps[:2] = [_merged(self._gaps[:2])]

    def discard_before(self, start: int) -> None:
        """Discard the gaps that end at or before the start of the window."""
        del self._gaps[: bisect_right(self._gaps, start, key=_END)]

    def within(self, start: int, end: int) -> tuple[WindowGap, ...]:
        """Return the gaps clipped to an interval."""
        clipped = (
            WindowGap(max(gap.start_at, start), min(gap.end_at, end), gap.reason)
            for gap in self._gaps
        )
        return tuple(gap for gap in clipped if gap.start_at < gap.end_at)


def _merged(gaps: Sequence[WindowGap]) -> WindowGap:
    reasons = {gap.reason for gap in gaps}
    reason: GapReason = reasons.pop() if len(reasons) == 1 else "collection"
    return WindowGap(min(map(_START, gaps)), max(map(_END, gaps)), reason)


_FRAME_BYTES: Final = 356
"""Bytes of the longest window without the other members of its baseline, events and gaps."""
_GAP_BYTES: Final = 98
"""Bytes of the longest gap, and of a comma."""


def _size(value: object) -> int:
    """Return the bytes of the JSON text of a plain value, and of a comma."""
    return len(json_text.encode(value)) + len(",")


def _member_sizes(changes: WindowChanges) -> dict[str, int]:
    """Return the bytes that the text of each member, its name and a comma need."""
    return {name: _size({name: value}) - len("{}") for name, value in unstructure(changes).items()}


@attrs.define(eq=False, repr=False)
class History:
    """The history of one session, from `start` to `end`; create it with `begin`.

    Attributes:
        current: the members of the last state, without those that are ABSENT.
        dropped: number of events ever folded for their number or size.

    """

    start: int
    end: int
    _baseline: dict[str, Any]
    _baseline_sizes: dict[str, int]
    current: dict[str, Any]
    dropped: int = attrs.field(default=0, init=False)
    _gaps: GapList = attrs.field(factory=GapList, init=False)
    _events: deque[WindowEvent] = attrs.field(factory=deque, init=False)
    _sizes: deque[int] = attrs.field(factory=deque, init=False)
    _event_bytes: int = attrs.field(default=0, init=False)

    @classmethod
    def begin(cls, at: int, state: WindowChanges) -> Self:
        """Return the history of one state, whose changes contain every member that it has."""
        values = present_members(state)
        return cls(at, at, values, _member_sizes(state), dict(values))

    @classmethod
    def of_window(cls, window: Window, ahead: Iterable[WindowGap]) -> Self:
        """Return the history of a valid window, and of the gaps after it."""
        history = cls.begin(window.window_start, WindowChanges(**present_members(window.baseline)))
        history.dropped = window.dropped_events
        for gap in (*window.gaps, *ahead):
            history.add_gap(gap.start_at, gap.end_at, gap.reason)
        for event in window.events:
            history.append(event)
        history.advance(window.window_end)
        return history

    @property
    def size(self) -> int:
        """Upper bound of the bytes of its text as a window."""
        members = sum(self._baseline_sizes.values())
        return _FRAME_BYTES + members + self._event_bytes + _GAP_BYTES * len(self._gaps)

    def advance(self, end: int) -> None:
        """Advance the end, never back; fold events and discard gaps that are too old then."""
        self.end = end
        horizon = end - limits.WINDOW_SPAN_MS
        while self._events and self._events[0].at <= horizon:
            self._fold()
        self.start = max(self.start, horizon)
        self._gaps.discard_before(self.start)

    def append(self, event: WindowEvent) -> None:
        """Add an event at the end; its changes apply to the last state."""
        self._events.append(event)
        self._sizes.append(_size(unstructure(event)))
        self._event_bytes += self._sizes[-1]
        self.current |= present_members(event.changes)
        self.shrink_to(limits.BATCH_BODY_BYTES)

    def add_gap(self, start: int, end: int, reason: GapReason) -> None:
        """Add a gap; a part before the window is ignored, a part after it counts later."""
        self._gaps.add(WindowGap(max(start, self.start), end, reason))
        self.shrink_to(limits.BATCH_BODY_BYTES)

    def shrink_to(self, most_bytes: int) -> None:
        """Fold the oldest events until number and size are within their limits, or none is left."""
        while self._events and (len(self._events) > limits.WINDOW_EVENTS or self.size > most_bytes):
            self.start = self._fold().at
            self.dropped += 1
        self._gaps.discard_before(self.start)

    def window(self, session_id: str, batch_seq: int, generated_at: int) -> Window:
        """Return the history as a window."""
        return Window(
            session_id=session_id,
            batch_seq=batch_seq,
            generated_at=generated_at,
            window_start=self.start,
            window_end=self.end,
            baseline=Snapshot(collected_at=self.start, **self._baseline),
            events=tuple(self._events),
            gaps=self._gaps.within(self.start, self.end),
            dropped_events=self.dropped,
        )

    def gaps_ahead(self) -> tuple[WindowGap, ...]:
        """Return the gaps, or parts of gaps, after the end."""
        return self._gaps.within(self.end, LAST_INSTANT)

    def _fold(self) -> WindowEvent:
        event = self._events.popleft()
        self._event_bytes -= self._sizes.popleft()
        self._baseline |= present_members(event.changes)
        self._baseline_sizes |= _member_sizes(event.changes)
        return event
