"""Play windows back in a consumer: a page, a phone or a bot, 420 s behind the server.

Time is the caller's monotonic clock, in ms from any start; the consumer's wall clock is not needed.
Invariant *a view is a pure function*: of the state and the instant; it changes nothing.
Invariant *later versions can be read*: unknown members of a response are ignored at every depth;
all else must keep the contract, so what is accepted needs no further check.
Invariant *consistent times*: a response whose times contradict each other (received after it was
sent, sent after its deadline) is invalid.
"""

from bisect import bisect_right
from contextlib import suppress
from typing import Any, Final, Literal

import attrs

from devicestatus import limits
from devicestatus.cross_field import snapshot_findings, window_findings
from devicestatus.deadlines import is_unexpired, window_deadline
from devicestatus.models import Snapshot, Window
from devicestatus.music_urls import ITUNES, CatalogHosts
from devicestatus.player_view import Loss, View, ViewContext, ViewState, projection_reason
from devicestatus.projection import WARM_UP, NoData, PreparedWindow, Projection, prepare
from devicestatus.responses import OfflineStatus, SnapshotTimelineStatus, WindowStatus
from status_contracts import json_text
from status_contracts.instants import check_duration, clamp_instant
from status_contracts.primitives import to_bytes
from status_contracts.structuring.decoder import ModelDecoder

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

TimelineStatus = WindowStatus | SnapshotTimelineStatus | OfflineStatus
TimelineError = Literal["unreadable", "error", "invalid"]
"""Why a body cannot be used; `Refused` has the meanings."""

_WINDOW_DECODER: Final = ModelDecoder(WindowStatus, unknown="drop")
_SNAPSHOT_DECODER: Final = ModelDecoder(SnapshotTimelineStatus, unknown="drop")

_MAX_LEFT_SESSIONS: Final = 16  # sessions last days, and a copy of a batch at most minutes

Mode = Literal["window", "snapshot", "offline"]
"""What a response contained."""
RefusalReason = TimelineError | Literal["older", "rewound"]
"""Why a player refuses a response."""


@attrs.frozen
class Accepted:
    """The outcome of an accepted response: its mode."""

    mode: Mode


@attrs.frozen
class Refused:
    """The outcome of a refused response, which changes nothing.

    Attributes:
        reason: `unreadable`: not JSON text, or no timeline; `error`: an error of the service;
            `invalid`: it breaks the contract; `older`: received before the accepted one;
            `rewound`: its batch_seq or window_end goes back within the session.

    """

    reason: RefusalReason


@attrs.frozen
class _Watermark:
    """The newest accepted response, and the last batch_seq of each session that was left."""

    updated_at: int
    session_id: str | None = None
    batch_seq: int = 0
    window_end: int = 0
    left_sessions: tuple[tuple[str, int], ...] = ()

    def refusal_reason(
        self, response: WindowStatus | SnapshotTimelineStatus
    ) -> RefusalReason | None:
        if response.updated_at < self.updated_at:
            return "older"
        if isinstance(response, SnapshotTimelineStatus):
            return None
        window = response.window
        if window.session_id == self.session_id:
            back = window.batch_seq < self.batch_seq or window.window_end < self.window_end
            return "rewound" if back else None
        last = dict(self.left_sessions).get(window.session_id)
        if last is None or (window.batch_seq > last and window.window_end > self.window_end):
            return None
        return "older"

    def advanced(self, response: WindowStatus | SnapshotTimelineStatus) -> "_Watermark":
        if isinstance(response, SnapshotTimelineStatus):
            return attrs.evolve(self, updated_at=response.updated_at)
        window = response.window
        left = self.left_sessions
        if self.session_id is not None and self.session_id != window.session_id:
            left = (*left, (self.session_id, self.batch_seq))[-_MAX_LEFT_SESSIONS:]
        return _Watermark(
            response.updated_at, window.session_id, window.batch_seq, window.window_end, left
        )


@attrs.frozen
class _WindowSource:
    prepared: PreparedWindow
    accepted_at: int  # monotonic instant
    server_offset: int  # server time minus monotonic time
    playhead_offset: int  # playhead minus monotonic time, until the window ends
    context: ViewContext

    def paused_at(self, instant: int) -> "_Paused":
        window = self.prepared.window
        head = min(instant + self.playhead_offset, window.window_end)
        return _Paused(window.session_id, head, window.window_start, self.context.lost)

    def view(self, instant: int) -> View:
        prepared, offset = self.prepared, self.playhead_offset
        change_times, projections = prepared.change_times, prepared.projections
        instant = max(instant, self.accepted_at)
        head = instant + offset
        position = bisect_right(change_times, head)
        projection, now = projections[position], instant + self.server_offset
        if position == len(change_times):
            return View(projection, self.context, now, change_times[-1])
        if type(projection) is NoData:
            # Touching gaps with the same reason differ in their ends only: the view stays the same.
            while projection_reason(projection) == projection_reason(projections[position + 1]):
                position += 1
        return View(projection, self.context, now, head, change_times[position] - offset)


@attrs.frozen
class _Paused:
    """The position at which a session is paused while no window is played; ms since the epoch."""

    session_id: str
    playhead: int
    start: int  # of its last window
    lost: Loss | None


@attrs.frozen
class _FixedSource:
    """One projection until the next response; attributes as in `_WindowSource`.

    It is a v1 snapshot, `WARM_UP` before the first response, or None after an offline one.
    """

    projection: Projection | None
    context: ViewContext = attrs.field(factory=ViewContext)
    accepted_at: int = 0
    server_offset: int | None = None

    def view(self, instant: int) -> View:
        if self.server_offset is None:
            return View(self.projection, self.context)
        now = self.server_offset + max(instant, self.accepted_at)
        return View(self.projection, self.context, now)


@attrs.frozen
class PlayerState:
    """The whole state of a player: immutable, so it can be stored, compared and replayed.

    It contains instants of the caller's monotonic clock, so it is valid for that clock only.
    """

    _watermark: _Watermark | None = None
    _server_offset: int | None = None  # server time minus monotonic time
    _accepted_at: int | None = None  # monotonic instant of the last accepted response
    _source: _WindowSource | _FixedSource = _FixedSource(WARM_UP)
    _paused: _Paused | None = None  # of the last window, while another source is shown

    def view(self, monotonic_ms: int) -> View:
        """Return the view at an instant, at the earliest that of the last accepted response."""
        check_duration("monotonic_ms", monotonic_ms)
        return self._source.view(monotonic_ms)

    def accepting(
        self, body: bytes, monotonic_ms: int, catalog: CatalogHosts = ITUNES
    ) -> tuple["PlayerState", Accepted | Refused]:
        """Return the state after a response, and the outcome; arguments as in `Player.accept`."""
        check_duration("monotonic_ms", monotonic_ms)
        response = parse_timeline(body, catalog)
        if isinstance(response, str):
            return self, Refused(response)
        accepted_at = self._accepted_at
        instant = monotonic_ms if accepted_at is None else max(monotonic_ms, accepted_at)
        source = self._source
        paused = source.paused_at(instant) if isinstance(source, _WindowSource) else self._paused
        if isinstance(response, OfflineStatus):
            context = ViewContext(last_seen=source.context.last_seen)
            empty = _FixedSource(None, context, instant, self._server_offset)
            state = attrs.evolve(self, accepted_at=instant, source=empty, paused=paused)
            return state, Accepted("offline")
        watermark = self._watermark or _Watermark(response.updated_at)
        reason = watermark.refusal_reason(response)
        if reason is not None:
            return self, Refused(reason)
        offset = response.server_time - instant
        if self._server_offset is not None:
            offset = max(offset, self._server_offset)
        watermark = watermark.advanced(response)
        if isinstance(response, WindowStatus):
            window = _window_source(response.window, instant, offset, paused)
            return PlayerState(watermark, offset, instant, window), Accepted("window")
        snapshot = Snapshot(
            **{of.name: getattr(response, of.name) for of in attrs.fields(Snapshot)}
        )
        context = ViewContext("snapshot", end=response.expires_at, last_seen=snapshot.collected_at)
        fixed = _FixedSource(snapshot, context, instant, offset)
        return PlayerState(watermark, offset, instant, fixed, paused), Accepted("snapshot")


def _window_source(
    window: Window, instant: int, server_offset: int, paused: _Paused | None
) -> _WindowSource:
    start, end = window.window_start, window.window_end
    target = server_offset + instant - limits.PLAYBACK_DELAY_MS
    head, lost = target, None
    if paused is not None and paused.session_id == window.session_id:
        head = max(paused.playhead, min(target, start))
        unplayed = max(paused.playhead, paused.start)
        lost = _with_loss(paused.lost, unplayed, start) if unplayed < start else paused.lost
    context = ViewContext("window", start, end, end, lost)
    return _WindowSource(prepare(window), instant, server_offset, head - instant, context)


def _with_loss(previous: Loss | None, start: int, end: int) -> Loss:
    """Return the loss [start, end), merged with the previous one if they are close together."""
    if previous is None or not previous.start < start < previous.end + limits.WINDOW_SPAN_MS:
        return Loss(start, end, end - start)
    # In warm-up a window may contain the end of the previous loss again, which is lost twice then.
    return Loss(previous.start, end, previous.missed + end - max(start, previous.end))


def parse_timeline(body: bytes, catalog: CatalogHosts) -> TimelineStatus | TimelineError:
    """Parse a response body, or return the reason why it cannot be used; raises for no bytes."""
    body = to_bytes(body)
    window = _WINDOW_DECODER.try_decode(body)
    if window is not None:
        return _validated(window, catalog)
    plain: Any = None
    with suppress(*json_text.JSON_ERRORS):
        plain = json_text.decode(body)
    match plain:
        case {"status": "online", "mode": "snapshot"}:
            return _snapshot(plain, catalog)
        case {"status": "online"}:
            return _window(plain, catalog)
        case {"error": _}:
            return "error"
        case {"status": "offline"}:
            return OfflineStatus()
        case _:
            return "unreadable"


def _window(plain: dict[str, Any], catalog: CatalogHosts) -> WindowStatus | TimelineError:
    response, _ = _WINDOW_DECODER.validate(plain)
    if response is None:
        return "invalid"
    # An event whose members are all unknown is valid; one without any members is not.
    if not all(event["changes"] for event in plain["window"]["events"]):
        return "invalid"
    return _validated(response, catalog, ignored_rule="changes.empty")


def _snapshot(plain: dict[str, Any], catalog: CatalogHosts) -> TimelineStatus | TimelineError:
    response, _ = _SNAPSHOT_DECODER.validate(plain)
    if response is None or not _is_in_order(response):
        return "invalid"
    findings = snapshot_findings(response, response.updated_at, catalog)
    return response if next(findings, None) is None else "invalid"


def _validated(
    response: WindowStatus, catalog: CatalogHosts, ignored_rule: str | None = None
) -> WindowStatus | TimelineError:
    window = response.window
    deadline = clamp_instant(window_deadline(window.window_end))
    if response.expires_at != deadline or not _is_in_order(response):
        return "invalid"
    findings = window_findings(window, response.updated_at, catalog)
    return "invalid" if any(finding.rule != ignored_rule for finding in findings) else response


def _is_in_order(response: WindowStatus | SnapshotTimelineStatus) -> bool:
    server_time = response.server_time
    return response.updated_at <= server_time and is_unexpired(server_time, response.expires_at)


@attrs.define(eq=False)
class Player:
    """A consumer of `/api/timeline`: accepts responses and returns the view at any instant.

    Attributes:
        state: the whole state; pass a stored one to continue from it with the same monotonic clock.
        catalog: the music catalog's hosts, as configured at the service.

    """

    state: PlayerState = attrs.field(factory=PlayerState)
    catalog: CatalogHosts = attrs.field(default=ITUNES, kw_only=True)

    def accept(self, timeline_body: bytes, monotonic_ms: int) -> Accepted | Refused:
        """Accept or refuse the body of a response of `/api/timeline`, whatever its status.

        Args:
            timeline_body: the whole body; no bytes raise an exception.  Do not call it without a
                response.
            monotonic_ms: when the response arrived; an instant before that of the last accepted
                response counts as that one.  Polls must not overlap: an offline response contains
                no time, so an old one cannot be recognized.

        Raises:
            TypeError: the body is not bytes, or `monotonic_ms` not an int.

        """
        self.state, outcome = self.state.accepting(timeline_body, monotonic_ms, self.catalog)
        return outcome

    def view(self, monotonic_ms: int) -> View:
        """Return the view at an instant; changes nothing."""
        return self.state.view(monotonic_ms)
