"""The recent past of a device: a baseline, the changes since, and the gaps.

Invariant *sliding*: a history spans at most 900 s; an event at or before its end - 900 s is folded
into the baseline, which is the state at `start`.
Invariant *bounded*: it holds at most 2048 events, and its text as a window is at most as long as
the body of a batch may be; where it would exceed one of the two, the oldest events are folded,
counted as dropped, and `start` moves to the last of them.
Invariant *simultaneous events may be split*: of several events at one instant some may be folded
and some stay, because an event at the start of a window applies at once.
Invariant *encoded once*: an event is encoded when it is added and folded at most once; folding
moves its encoded members into the baseline's.
Contract: DS-AGENT-05 to 07.
"""

from collections import deque
from collections.abc import Mapping
from typing import Any, Final, Self

import attrs

from devicestatus import limits
from devicestatus.agent.encoder import (
    MAX_FRAME_BYTES,
    MAX_GAP_BYTES,
    EncodedMembers,
    encode_event,
    encode_members,
    encode_window,
)
from devicestatus.agent.gaps import GapList
from devicestatus.models.snapshot import Snapshot
from devicestatus.models.window import (
    GapReason,
    Window,
    WindowChanges,
    WindowEvent,
    WindowGap,
    present_members,
)
from purewire.instants import LAST_INSTANT

_NAME_BYTES: Final = len(b'"":,')
_COMMA: Final = 1


@attrs.frozen
class _Entry:
    """An event, its encoded members, and its text."""

    event: WindowEvent
    encoded: EncodedMembers
    text: bytes

    @property
    def values(self) -> dict[str, Any]:
        """The members that it replaces, and their values."""
        return {name: getattr(self.event.changes, name) for name in self.encoded}

    @property
    def size(self) -> int:
        """Bytes of its text and a comma."""
        return len(self.text) + _COMMA


@attrs.define(eq=False, repr=False)
class History:
    """The history of one session, from `start` to `end`; create it with `begin`.

    Attributes:
        start: the instant of the baseline, ms since the epoch.
        end: the instant of the last observation.
        dropped: number of events ever folded for their number or size.

    """

    start: int
    end: int
    dropped: int
    _baseline: dict[str, Any]
    _encoded: dict[str, bytes]
    _current: dict[str, Any]
    _gaps: GapList
    _entries: deque[_Entry] = attrs.field(factory=deque, init=False)
    _event_bytes: int = attrs.field(default=0, init=False)

    @classmethod
    def begin(
        cls, at: int, state: WindowChanges, *, dropped: int = 0, gaps: GapList | None = None
    ) -> Self:
        """Return the history of one state, whose changes contain every member that it has."""
        values, gaps = present_members(state), GapList() if gaps is None else gaps
        return cls(at, at, dropped, values, dict(encode_members(state)), dict(values), gaps)

    @property
    def current(self) -> Mapping[str, Any]:
        """The members of the last state, without those that are ABSENT."""
        return self._current

    @property
    def size(self) -> int:
        """Upper bound of the bytes of its text as a window."""
        members = (len(name) + len(text) + _NAME_BYTES for name, text in self._encoded.items())
        return MAX_FRAME_BYTES + sum(members) + self._event_bytes + MAX_GAP_BYTES * len(self._gaps)

    def advance(self, end: int) -> None:
        """Advance the end, never back; fold events and discard gaps that are too old then."""
        self.end = end
        horizon = end - limits.WINDOW_SPAN_MS
        while self._entries and self._entries[0].event.at <= horizon:
            self._fold()
        self.start = max(self.start, horizon)
        self._gaps.discard_before(self.start)

    def append(self, event: WindowEvent) -> None:
        """Add an event at the end; its changes apply to the last state."""
        encoded = encode_members(event.changes)
        entry = _Entry(event, encoded, encode_event(event.seq, event.at, encoded))
        self._entries.append(entry)
        self._event_bytes += entry.size
        self._current |= entry.values
        self.shrink_to(limits.BATCH_BODY_BYTES)

    def add_gap(self, start: int, end: int, reason: GapReason) -> None:
        """Add a gap; a part before the window is ignored, a part after it counts later."""
        self._gaps.add(WindowGap(max(start, self.start), end, reason))
        self.shrink_to(limits.BATCH_BODY_BYTES)

    def shrink_to(self, most_bytes: int) -> None:
        """Fold the oldest events until number and size are within their limits, or none is left."""
        while self._entries and (
            len(self._entries) > limits.WINDOW_EVENTS or self.size > most_bytes
        ):
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
            events=tuple(entry.event for entry in self._entries),
            gaps=self._gaps.within(self.start, self.end),
            dropped_events=self.dropped,
        )

    def encode(self, window: Window) -> bytes:
        """Return the JSON text of a window that `window` just returned."""
        return encode_window(window, self._encoded, (entry.text for entry in self._entries))

    def gaps_ahead(self) -> tuple[WindowGap, ...]:
        """Return the gaps, or parts of gaps, after the end."""
        return self._gaps.within(self.end, LAST_INSTANT)

    def _fold(self) -> WindowEvent:
        entry = self._entries.popleft()
        self._event_bytes -= entry.size
        self._baseline |= entry.values
        self._encoded |= entry.encoded
        return entry.event
