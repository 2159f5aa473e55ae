"""A session: windows that were uploaded one after the other, and what readers see of them.

Invariant *the latest upload counts*: at each server time the service has the window that arrived
last, and no other; the status is that of `devicestatus.engine.explanation`.
Invariant *what the service responds*: the responses are those of `/api/timeline`, at each instant
at which they change; a reader of the session reads at exactly these instants.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

import attrs

from devicestatus import limits
from devicestatus.engine.deadlines import window_deadline
from devicestatus.engine.projection import PreparedWindow, Projection, prepare
from devicestatus.engine.record import WindowRecord
from devicestatus.http.views import timeline_json
from devicestatus.models import Window
from purewire.instants import FIRST_INSTANT, LAST_INSTANT, MINUTE_MS

_MARGIN_MS = MINUTE_MS


@attrs.frozen
class Upload:
    """A window and the server time at which it arrived; None: the service has it all the time."""

    arrived_at: int | None
    window: Window

    @property
    def since(self) -> int:
        """The first instant at which the service has it, ms since the epoch."""
        return FIRST_INSTANT if self.arrived_at is None else self.arrived_at

    @property
    def record(self) -> WindowRecord:
        """The record that the service stores."""
        return WindowRecord(self.since, self.window, window_deadline(self.window.window_end))


@attrs.frozen
class Read:
    """The body of `/api/timeline` at a server time."""

    at: int
    body: bytes


@attrs.frozen
class Span:
    """A span of server time in which the status is the same.

    Attributes:
        start: ms since the epoch.
        end: exclusive.
        upload: number of the latest upload, from 0; None before the first.
        projection: the state, or why there is none; None before the first upload.

    """

    start: int
    end: int
    upload: int | None
    projection: Projection | None


class Session:
    """Uploads in the order of their arrival."""

    def __init__(self, uploads: Iterable[Upload]) -> None:
        self.uploads = tuple(sorted(uploads, key=lambda each: each.since))
        self._arrivals = [each.since for each in self.uploads]
        self._prepared = [prepare(each.window) for each in self.uploads]

    @property
    def start(self) -> int:
        """The first server time to look at: a minute before something is to be seen."""
        first = self.uploads[0]
        begin = first.window.window_start + limits.PLAYBACK_DELAY_MS
        since = begin if first.arrived_at is None else first.arrived_at
        return min(LAST_INSTANT, max(FIRST_INSTANT, since - _MARGIN_MS))

    @property
    def end(self) -> int:
        """The last server time to look at: a minute after the last deadline."""
        ends = (window_deadline(each.window.window_end) for each in self.uploads)
        return min(LAST_INSTANT, max(*ends, *self._arrivals, self.start) + _MARGIN_MS)

    def reads(self) -> Iterator[Read]:
        """Generate the responses of `/api/timeline`, each at the first instant that has it.

        A window that is there all the time is read once, when it was generated.
        """
        first = self.uploads[0]
        if first.arrived_at is None:
            at = first.window.generated_at
            yield Read(at, _timeline(attrs.evolve(first, arrived_at=at), at))
            return
        yield Read(self.start, _timeline(None, self.start))
        later = (*self._arrivals[1:], LAST_INSTANT)
        for upload, replaced_at in zip(self.uploads, later, strict=True):
            deadline = window_deadline(upload.window.window_end)
            yield Read(upload.since, _timeline(upload, upload.since))
            if deadline < replaced_at:
                yield Read(deadline, _timeline(upload, deadline))

    def spans(self) -> Iterator[Span]:
        """Generate the spans from `start` to `end`, in order and adjacent."""
        if self.start < self._arrivals[0]:
            yield Span(self.start, self._arrivals[0], None, None)
        later = (*self._arrivals[1:], self.end)
        for number, until in enumerate(later):
            since = max(self.start, self._arrivals[number])
            yield from _spans(self._prepared[number], number, since, until)


def _timeline(upload: Upload | None, now: int) -> bytes:
    record = None if upload is None else upload.record
    return timeline_json(record, now=now, ttl_seconds=limits.TTL_UNSET_SECONDS)


def _spans(prepared: PreparedWindow, number: int, since: int, until: int) -> Iterator[Span]:
    changes = (at + limits.PLAYBACK_DELAY_MS for at in prepared.changes)
    inside = (at for at in changes if since < at < until)
    for start, end in pairwise((since, *inside, until)):
        if start < end:
            yield Span(start, end, number, prepared.project(start))
