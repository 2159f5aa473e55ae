"""What a device still holds of its past: a baseline, the changes since, and the gaps.

Invariant *sliding*: a history spans at most 900 s; an event at or before its end - 900 s is folded
into the baseline, which is the state at `start`.
Invariant *bounded*: it holds at most 2048 events, and its text as a window is at most as long as
the body of a batch may be; where one of the two would be passed, the oldest events are folded,
counted as dropped, and `start` moves on to the last of them.
Invariant *any cut of an instant is right*: of several events at one instant some may be folded and
some stay, because an event at the start of a window applies at once.
Invariant *once each*: an event is encoded when it is told and folded at most once; folding moves
the pieces of its text into the baseline's.
Source: device-status specification, "Window (v2 record, WindowInput)"; rulings under "Agent
window".
"""

from collections import deque
from collections.abc import Mapping
from typing import Any, Final, Self

import attrs

from devicestatus import limits
from devicestatus.agent.encoder import (
    FRAME_BYTES,
    GAP_BYTES,
    Pieces,
    event_text,
    pieces_of,
    window_text,
)
from devicestatus.agent.gaps import GapList
from devicestatus.models.snapshot import Snapshot
from devicestatus.models.window import GapReason, Window, WindowChanges, WindowEvent, WindowGap
from purewire.absent import ABSENT
from purewire.instants import LAST_INSTANT

__all__ = ["History", "given_in"]

_MEMBERS: Final = tuple(field.name for field in attrs.fields(WindowChanges))
_NAME_BYTES: Final = len(b'"":,')
_COMMA: Final = 1


@attrs.frozen
class _Entry:
    """An event, the pieces of its text, and its text."""

    event: WindowEvent
    pieces: Pieces
    text: bytes

    @property
    def values(self) -> dict[str, Any]:
        """The members that it replaces, and their values."""
        return {name: getattr(self.event.changes, name) for name in self.pieces}

    @property
    def size(self) -> int:
        """Bytes of its text and a comma."""
        return len(self.text) + _COMMA


def given_in(changes: WindowChanges | Snapshot) -> dict[str, Any]:
    """Give the members that changes replace, or that a snapshot has, and their values."""
    values = ((name, getattr(changes, name)) for name in _MEMBERS)
    return {name: value for name, value in values if value is not ABSENT}


@attrs.define(eq=False, repr=False)
class History:
    """The past of one session, from `start` to `end`; begin it with its first state.

    Attributes:
        start: the instant of the baseline, ms since the epoch.
        end: the instant of the last observation.
        dropped: events folded for their number or size, ever.

    """

    start: int
    end: int
    dropped: int
    _baseline: dict[str, Any]
    _pieces: dict[str, bytes]
    _current: dict[str, Any]
    _gaps: GapList
    _entries: deque[_Entry] = attrs.field(factory=deque, init=False)
    _event_bytes: int = attrs.field(default=0, init=False)

    @classmethod
    def begin(
        cls, at: int, state: WindowChanges, *, dropped: int = 0, gaps: GapList | None = None
    ) -> Self:
        """Give the history of one state, whose changes give every member that it has."""
        values, gaps = given_in(state), GapList() if gaps is None else gaps
        return cls(at, at, dropped, values, dict(pieces_of(state)), dict(values), gaps)

    @property
    def current(self) -> Mapping[str, Any]:
        """The members of the last state, those that are ABSENT left out."""
        return self._current

    @property
    def size(self) -> int:
        """Bytes that its text as a window takes at the most."""
        members = (len(name) + len(text) + _NAME_BYTES for name, text in self._pieces.items())
        return FRAME_BYTES + sum(members) + self._event_bytes + GAP_BYTES * len(self._gaps)

    def move(self, end: int) -> None:
        """Move the end on, not back; what is then too old slides out."""
        self.end = end
        horizon = end - limits.WINDOW_SPAN_MS
        while self._entries and self._entries[0].event.at <= horizon:
            self._fold()
        self.start = max(self.start, horizon)
        self._gaps.forget(self.start)

    def append(self, event: WindowEvent) -> None:
        """Add an event at the end; the changes of its members are the last state's."""
        pieces = pieces_of(event.changes)
        entry = _Entry(event, pieces, event_text(event.seq, event.at, pieces))
        self._entries.append(entry)
        self._event_bytes += entry.size
        self._current |= entry.values
        self.fit(limits.BATCH_BODY_BYTES)

    def mark(self, start: int, end: int, reason: GapReason) -> None:
        """Add a gap; what lies before the window says nothing, what lies ahead waits for it."""
        self._gaps.add(WindowGap(max(start, self.start), end, reason))
        self.fit(limits.BATCH_BODY_BYTES)

    def fit(self, most_bytes: int) -> None:
        """Fold the oldest events until number and size are within their limits, or none is left."""
        while self._entries and (
            len(self._entries) > limits.WINDOW_EVENTS or self.size > most_bytes
        ):
            self.start = self._fold().at
            self.dropped += 1
        self._gaps.forget(self.start)

    def window(self, session_id: str, batch_seq: int, generated_at: int) -> Window:
        """Give the window that the history is."""
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

    def text(self, window: Window) -> bytes:
        """Give the text of a window that the history just gave."""
        return window_text(window, self._pieces, (entry.text for entry in self._entries))

    def gaps_ahead(self) -> tuple[WindowGap, ...]:
        """Give what the gaps hold beyond the end."""
        return self._gaps.within(self.end, LAST_INSTANT)

    def _fold(self) -> WindowEvent:
        entry = self._entries.popleft()
        self._event_bytes -= entry.size
        self._baseline |= entry.values
        self._pieces |= entry.pieces
        return entry.event
