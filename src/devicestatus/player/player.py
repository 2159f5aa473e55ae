"""The consumer's end of the window: what a page, a phone or a bot shows, 420 s behind the server.

Time is the caller's monotonic clock, in ms; its start does not matter, and the viewer's wall clock
is never asked.  Answers of `/api/timeline` go in when they arrive; views come out for any instant.
Source: device-status specification, "What the service does", "GET /api/timeline", "Versioning" rule
5; rulings under "Consumer playback".

Invariant *the server's clock only runs on*: server time is the latest that the accepted answers
vouch for; no answer moves it back.
Invariant *nothing old is shown*: an answer that was received before the accepted one, one of the
same session with a smaller batch_seq or an earlier window_end, and one of a session that was left
for another and has not gone on since (a late copy of its batch) is refused and changes nothing;
what was accepted is remembered through offline answers and v1 snapshots.
Invariant *the playhead moves forward only*: at most in real time, towards server time minus 420 s
and never past window_end; only a new session starts a new playhead.
Invariant *nothing recoverable is skipped*: after an outage, an offline answer or a v1 snapshot the
session resumes where it stopped; where the window begins after the playhead, it resumes at
window_start and tells the loss.
Invariant *a loss is told whole*: losses of a session with less than 900 s between the end of one
and the beginning of the next are one, as they come one after another until a long outage is over.
Invariant *only the service says offline*: errors and silence let playback run dry, not offline.
Invariant *a view is a pure function*: of the state and the instant; asking changes nothing.
"""

from bisect import bisect_right
from typing import Final, Literal

import attrs

from devicestatus import limits
from devicestatus.engine.projection import (
    EXHAUSTED,
    WARM_UP,
    NoData,
    NoDataReason,
    PreparedWindow,
    Projection,
    prepare,
)
from devicestatus.models.snapshot import Snapshot
from devicestatus.models.window import GapReason, Window, WindowGap
from devicestatus.player.timeline_response import (
    NoAnswer,
    OfflineAnswer,
    SnapshotAnswer,
    WindowAnswer,
    read_timeline,
)
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from purewire.instants import SECOND_MS

__all__ = [
    "Accepted",
    "Loss",
    "Mode",
    "Player",
    "PlayerState",
    "RefusalReason",
    "Refused",
    "View",
    "ViewState",
]

_SESSIONS_KEPT: Final = 16  # sessions last days, and a copy of a batch at most minutes

ViewState = Literal["playing", "gap", "buffering", "offline"]
Mode = Literal["window", "snapshot", "offline"]
RefusalReason = NoAnswer | Literal["older", "rewound"]


@attrs.frozen
class Accepted:
    """An answer that now counts, and what it was."""

    mode: Mode


@attrs.frozen
class Refused:
    """An answer that changes nothing, and why.

    Attributes:
        reason: `unreadable`: no answer of a timeline; `error`: an error of the service; `invalid`:
            it breaks the contract; `older`: received before the accepted one; `rewound`: its batch
            or its end goes back within the session.

    """

    reason: RefusalReason


@attrs.frozen
class Loss:
    """What left the window before it could be played, in one piece or in some that lie close by.

    Attributes:
        start: where the first begins, ms since the epoch.
        end: where the last ends.
        missed: how long they are together, ms; where it is less than from start to end, the rest
            was played.

    """

    start: int
    end: int
    missed: int


@attrs.frozen
class _Track:
    """What all views between two answers share; instants in ms since the epoch.

    Attributes:
        mode: what is played.
        start: where the window begins; None unless a window is played.
        end: where it ends.
        last_seen: how far the device has told of itself.
        lost: what was lost of this session last.

    """

    mode: Literal["window", "snapshot"] | None = None
    start: int | None = None
    end: int | None = None
    last_seen: int | None = None
    lost: Loss | None = None


def _reason(stage: Projection | None) -> GapReason | NoDataReason | None:
    if not isinstance(stage, NoData):
        return None
    return stage.reason if stage.gap is None else stage.gap.reason


@attrs.frozen(repr=False)
class View:
    """What to show at one instant.

    The intervals are seconds, exact to the millisecond; None where there is nothing to measure.
    """

    _stage: Projection | None
    _track: _Track
    _now: int | None = None
    _head: int | None = None
    _changes_at: int | None = None

    def __repr__(self) -> str:
        what = self.state if self.reason is None else f"{self.state}: {self.reason}"
        return f"<View {what}, at={self.at}, delay_seconds={self.delay_seconds}>"

    @property
    def state(self) -> ViewState:
        """What there is to show: `playing`, `gap`, `buffering` or `offline`."""
        stage = self._stage
        if stage is None:
            return "offline"
        if isinstance(stage, Snapshot):
            return "playing"
        return "buffering" if stage.gap is None else "gap"

    @property
    def reason(self) -> GapReason | NoDataReason | None:
        """The gap's reason; `warm-up` or `exhausted` while buffering; else None."""
        return _reason(self._stage)

    @property
    def snapshot(self) -> Snapshot | None:
        """The state of the device; None unless playing."""
        return self._stage if isinstance(self._stage, Snapshot) else None

    @property
    def gap(self) -> WindowGap | None:
        """The gap that holds the projected instant, if one does."""
        return self._stage.gap if isinstance(self._stage, NoData) else None

    @property
    def mode(self) -> Literal["window", "snapshot"] | None:
        """What is played: a window, delayed, or a v1 snapshot as it is; None without either."""
        return self._track.mode

    @property
    def server_time(self) -> int | None:
        """Server time by the accepted answers, ms since the epoch; known while offline too."""
        return self._now

    @property
    def at(self) -> int | None:
        """The projected instant, ms since the epoch; None in warm-up and without a window."""
        return None if self.warm_up_seconds is not None else self._head

    @property
    def delay_seconds(self) -> float | None:
        """How far the projected instant is behind server time: 420, and more after an outage."""
        at, now = self.at, self._now
        return None if at is None or now is None else (now - at) / SECOND_MS

    @property
    def buffered_seconds(self) -> float | None:
        """How much of the window is still to be played."""
        start, end, head = self._track.start, self._track.end, self._head
        if start is None or end is None or head is None:
            return None
        return (end - max(start, head)) / SECOND_MS

    @property
    def warm_up_seconds(self) -> float | None:
        """How long until playback begins; None unless that is known and lies ahead."""
        start, head = self._track.start, self._head
        if start is None or head is None or head >= start:
            return None
        return (start - head) / SECOND_MS

    @property
    def lost(self) -> Loss | None:
        """What was lost since playback last ran on for 900 s, as long as its session plays."""
        return self._track.lost

    @property
    def next_change_at(self) -> int | None:
        """The monotonic instant at which state, reason or snapshot change without an answer."""
        return self._changes_at

    @property
    def last_seen(self) -> int | None:
        """How far the device has told of itself, ms since the epoch; known while offline too."""
        return self._track.last_seen


@attrs.frozen
class _Watermark:
    """The newest of what was accepted, and of each session that was left, its last batch_seq."""

    updated_at: int
    session_id: str | None = None
    batch_seq: int = 0
    window_end: int = 0
    left: tuple[tuple[str, int], ...] = ()

    def refusal(self, answer: WindowAnswer | SnapshotAnswer) -> RefusalReason | None:
        if answer.updated_at < self.updated_at:
            return "older"
        if isinstance(answer, SnapshotAnswer):
            return None
        window = answer.window
        if window.session_id == self.session_id:
            back = window.batch_seq < self.batch_seq or window.window_end < self.window_end
            return "rewound" if back else None
        last = dict(self.left).get(window.session_id)
        if last is None or (window.batch_seq > last and window.window_end > self.window_end):
            return None
        return "older"

    def raised(self, answer: WindowAnswer | SnapshotAnswer) -> "_Watermark":
        if isinstance(answer, SnapshotAnswer):
            return attrs.evolve(self, updated_at=answer.updated_at)
        window = answer.window
        left = self.left
        if self.session_id is not None and self.session_id != window.session_id:
            left = (*left, (self.session_id, self.batch_seq))[-_SESSIONS_KEPT:]
        return _Watermark(
            answer.updated_at, window.session_id, window.batch_seq, window.window_end, left
        )


@attrs.frozen
class _WindowSource:
    """A window that plays.

    Attributes:
        prepared: the window.
        since: monotonic instant of the answer.
        lead: server time minus monotonic time.
        offset: the playhead minus monotonic time, until the window ends.
        track: what its views share.

    """

    prepared: PreparedWindow
    since: int
    lead: int
    offset: int
    track: _Track

    def stopped(self, instant: int) -> "_Paused":
        window = self.prepared.window
        head = min(instant + self.offset, window.window_end)
        return _Paused(window.session_id, head, window.window_start, self.track.lost)

    def view(self, instant: int) -> View:
        prepared, offset = self.prepared, self.offset
        changes, stages = prepared.changes, prepared.projections
        early = self.since - instant
        if early > 0:
            instant += early
        head = instant + offset
        position = bisect_right(changes, head)
        stage, now = stages[position], instant + self.lead
        if position == len(changes):
            return View(stage, self.track, now, changes[-1])
        if type(stage) is NoData:
            # Gaps of one reason that touch are told apart by nothing but their ends.
            while _reason(stage) == _reason(stages[position + 1]):
                position += 1
        return View(stage, self.track, now, head, changes[position] - offset)


@attrs.frozen
class _Paused:
    """Where the playback of a session waits while no window plays; instants as of a film.

    Attributes:
        session_id: the session.
        head: its playhead.
        start: where its last window began.
        lost: what was lost of it last.

    """

    session_id: str
    head: int
    start: int
    lost: Loss | None


@attrs.frozen
class _SnapshotSource:
    """A v1 snapshot, which shows until the service's deadline for it; members as of a film."""

    snapshot: Snapshot
    expires_at: int
    since: int
    lead: int
    track: _Track

    def view(self, instant: int) -> View:
        now = self.lead + max(instant, self.since)
        if now >= self.expires_at:
            return View(EXHAUSTED, self.track, now)
        return View(self.snapshot, self.track, now, None, self.expires_at - self.lead)


@attrs.frozen
class _Empty:
    """Nothing to show: no answer yet, or the service's word that there is nothing."""

    stage: NoData | None
    track: _Track = attrs.field(factory=_Track)
    since: int = 0
    lead: int | None = None

    def view(self, instant: int) -> View:
        now = None if self.lead is None else self.lead + max(instant, self.since)
        return View(self.stage, self.track, now)


@attrs.frozen
class PlayerState:
    """Everything that playback knows: immutable, to be kept, compared and replayed.

    It holds instants of the caller's monotonic clock, so it is worth nothing by another one.
    """

    _watermark: _Watermark | None = None
    _lead: int | None = None  # server time minus monotonic time
    _latest: int | None = None  # monotonic instant of the last accepted answer
    _source: _WindowSource | _SnapshotSource | _Empty = _Empty(WARM_UP)
    _stop: _Paused | None = None  # of the last window, while something else is shown

    def view(self, monotonic_ms: int) -> View:
        """Give what to show; an instant before the last accepted answer counts as that answer's."""
        return self._source.view(monotonic_ms)

    def accepting(
        self, body: bytes, monotonic_ms: int, catalog: CatalogHosts = ITUNES
    ) -> tuple["PlayerState", Accepted | Refused]:
        """Give the state after an answer, and what became of the answer; see `Playback.accept`."""
        answer = read_timeline(body, catalog)
        if isinstance(answer, str):
            return self, Refused(answer)
        instant = monotonic_ms if self._latest is None else max(monotonic_ms, self._latest)
        if isinstance(answer, OfflineAnswer):
            return self._silenced(instant), Accepted("offline")
        mark = self._watermark or _Watermark(answer.updated_at)
        refusal = mark.refusal(answer)
        if refusal is not None:
            return self, Refused(refusal)
        lead = answer.server_time - instant
        if self._lead is not None:
            lead = max(lead, self._lead)
        raised = mark.raised(answer)
        if isinstance(answer, WindowAnswer):
            film = _window_source(answer.window, instant, lead, self._stopped(instant))
            return PlayerState(raised, lead, instant, film), Accepted("window")
        still = _snapshot_source(answer, instant, lead)
        state = PlayerState(raised, lead, instant, still, self._stopped(instant))
        return state, Accepted("snapshot")

    def _silenced(self, instant: int) -> "PlayerState":
        """Give the state after an offline answer."""
        track = _Track(last_seen=self._source.track.last_seen)
        blank = _Empty(None, track, instant, self._lead)
        return attrs.evolve(self, latest=instant, source=blank, stop=self._stopped(instant))

    def _stopped(self, instant: int) -> _Paused | None:
        """Give where the last window's playhead stands, or waits since it was stopped."""
        source = self._source
        return source.stopped(instant) if isinstance(source, _WindowSource) else self._stop


def _window_source(window: Window, instant: int, lead: int, stop: _Paused | None) -> _WindowSource:
    start, end = window.window_start, window.window_end
    target = lead + instant - limits.PLAYBACK_DELAY_MS
    head, lost = target, None
    if stop is not None and stop.session_id == window.session_id:
        head, lost = _resumed(stop, start, target)
    track = _Track("window", start, end, end, lost)
    return _WindowSource(prepare(window), instant, lead, head - instant, track)


def _resumed(stop: _Paused, start: int, target: int) -> tuple[int, Loss | None]:
    """Give where playback of the same session goes on, and what was lost last."""
    unplayed = max(stop.head, stop.start)
    lost = _with_loss(stop.lost, unplayed, start) if unplayed < start else stop.lost
    return max(stop.head, min(target, start)), lost


def _with_loss(told: Loss | None, start: int, end: int) -> Loss:
    """Give what is told once [start, end) is lost as well."""
    if told is None or not told.start < start < told.end + limits.WINDOW_SPAN_MS:
        return Loss(start, end, end - start)
    # In warm-up a window may give back the end of what was lost, and that may be lost again.
    return Loss(told.start, end, told.missed + end - max(start, told.end))


def _snapshot_source(answer: SnapshotAnswer, instant: int, lead: int) -> _SnapshotSource:
    snapshot = answer.snapshot
    track = _Track("snapshot", last_seen=snapshot.collected_at)
    return _SnapshotSource(snapshot, answer.expires_at, instant, lead, track)


@attrs.define(eq=False)
class Player:
    """A player: takes answers as they arrive, gives the view of any instant.

    Attributes:
        state: everything that it knows; give one that was kept to go on from there, by the same
            monotonic clock.
        catalog: the music catalog's hosts, as the service has them.

    """

    state: PlayerState = attrs.field(factory=PlayerState)
    catalog: CatalogHosts = attrs.field(default=ITUNES, kw_only=True)

    def accept(self, timeline_body: bytes, monotonic_ms: int) -> Accepted | Refused:
        """Take the body of an answer of `/api/timeline`, whatever its status was.

        Args:
            timeline_body: the whole body; any bytes, nothing is raised for them.  Without an answer
                there is nothing to accept.
            monotonic_ms: when the answer arrived; an earlier instant than that of the last accepted
                answer counts as that one's.  Polls must not overlap: an offline answer carries no
                time by which an old one could be told.

        """
        self.state, outcome = self.state.accepting(timeline_body, monotonic_ms, self.catalog)
        return outcome

    def view(self, monotonic_ms: int) -> View:
        """Give what to show at an instant; changes nothing."""
        return self.state.view(monotonic_ms)
