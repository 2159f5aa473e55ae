"""The content that a player shows at one instant.

Invariant *a view is a pure function*: of the state of the player and the instant.
"""

from typing import Literal

import attrs

from devicestatus.models import GapReason, Snapshot, WindowGap
from devicestatus.projection import NoData, NoDataReason, Projection
from status_contracts.instants import SECOND_MS

ViewState = Literal["playing", "gap", "buffering", "offline"]
"""What a player shows."""


@attrs.frozen
class Loss:
    """An interval that left the window before it was played; losses close together are merged.

    Attributes:
        start: start of the first loss, ms since the epoch.
        end: end of the last one.
        missed: total length of the losses, ms; if it is less than from start to end, the rest was
            played.

    """

    start: int
    end: int
    missed: int


@attrs.frozen
class ViewContext:
    """Values that all views between two responses share; instants in ms since the epoch."""

    mode: Literal["window", "snapshot"] | None = None
    start: int | None = None  # of the window that is played
    end: int | None = None  # of the window, or the deadline of the snapshot
    last_seen: int | None = None  # the device's latest data
    lost: Loss | None = None


def projection_reason(projection: Projection | None) -> GapReason | NoDataReason | None:
    """Return why a projection has no data: the reason of its gap, or of the projection."""
    if not isinstance(projection, NoData):
        return None
    return projection.reason if projection.gap is None else projection.gap.reason


@attrs.frozen(repr=False)
class View:
    """The content to show at one instant.

    Durations are in seconds, exact to the millisecond; None if there is nothing to measure.

    Attributes:
        server_time: server time by the accepted responses, ms since the epoch; known while offline
            too.
        next_change_at: the monotonic instant at which state, reason or snapshot change without a
            response.

    """

    _projection: Projection | None
    _context: ViewContext
    server_time: int | None = None
    _playhead: int | None = None
    next_change_at: int | None = None

    def __repr__(self) -> str:
        what = self.state if self.reason is None else f"{self.state}: {self.reason}"
        return f"<View {what}, at={self.at}, delay_seconds={self.delay_seconds}>"

    @property
    def state(self) -> ViewState:
        """One of `playing`, `gap`, `buffering` and `offline`."""
        projection = self._projection
        if projection is None:
            return "offline"
        if isinstance(projection, Snapshot):
            return "playing"
        return "buffering" if projection.gap is None else "gap"

    @property
    def reason(self) -> GapReason | NoDataReason | None:
        """The gap's reason; `warm-up` or `exhausted` while buffering; else None."""
        return projection_reason(self._projection)

    @property
    def snapshot(self) -> Snapshot | None:
        """The state of the device; None unless playing."""
        return self._projection if isinstance(self._projection, Snapshot) else None

    @property
    def gap(self) -> WindowGap | None:
        """The gap that contains the projected instant, if there is one."""
        return self._projection.gap if isinstance(self._projection, NoData) else None

    @property
    def mode(self) -> Literal["window", "snapshot"] | None:
        """`window` (delayed), `snapshot` (a v1 snapshot, not delayed), or None without either."""
        return self._context.mode

    @property
    def at(self) -> int | None:
        """The projected instant, ms since the epoch; None in warm-up and without a window."""
        return None if self.warm_up_seconds is not None else self._playhead

    @property
    def delay_seconds(self) -> float | None:
        """Delay of the projected instant behind server time: 420, and more after an outage."""
        at, now = self.at, self.server_time
        return None if at is None or now is None else (now - at) / SECOND_MS

    @property
    def buffered_seconds(self) -> float | None:
        """Rest of the window to play, or of the lifetime of a v1 snapshot; at least 0."""
        start, end = self._context.start, self._context.end
        head = self.server_time if self.mode == "snapshot" else self._playhead
        if end is None or head is None:
            return None
        return max(0, end - (head if start is None else max(start, head))) / SECOND_MS

    @property
    def warm_up_seconds(self) -> float | None:
        """Time until playback begins; None unless it is known and in the future."""
        start, head = self._context.start, self._playhead
        if start is None or head is None or head >= start:
            return None
        return (start - head) / SECOND_MS

    @property
    def lost(self) -> Loss | None:
        """The loss since playback last continued for 900 s; None after the session ends."""
        return self._context.lost

    @property
    def last_seen(self) -> int | None:
        """Time of the device's latest data, ms since the epoch; known while offline too."""
        return self._context.last_seen
