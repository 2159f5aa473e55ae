"""Project a window to an instant: the delayed state that consumers see.

The projected instant `at` is server time minus 420 s.

Invariant *coverage*: an instant is covered if window_start <= at < window_end and no gap contains
it; gaps are half-open, so their start is not covered and their end is.
Invariant *events at the instant apply*: an event applies if event.at <= at; events of one instant
apply in `seq` order; after a gap the state is again the baseline plus all events so far.
Invariant *no replay per query*: a window is a step function of time; it is prepared in one pass,
and each projection is one bisection over the instants of change.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final, Literal

import attrs

from devicestatus import limits
from devicestatus.models import Snapshot, Window, WindowGap, need_window
from status_contracts.instants import check_milliseconds
from status_contracts.primitives import ABSENT

NoDataReason = Literal["warm-up", "gap", "exhausted"]


@attrs.frozen
class NoData:
    """An instant that the window does not cover, with the reason."""

    reason: NoDataReason
    gap: WindowGap | None = None


Projection = Snapshot | NoData
"""The state at a projected instant, or the reason why there is none."""

WARM_UP: Final = NoData("warm-up")
"""Before `window_start`."""
EXHAUSTED: Final = NoData("exhausted")
"""From `window_end` on."""


@attrs.frozen(repr=False)
class PreparedWindow:
    """A window that can be projected to any instant; returned by `prepare`.

    Attributes:
        window: the window.
        change_times: the instants at which the projection changes, ms since the epoch, ascending;
            the first is `window_start`, the last `window_end`.
        projections: `projections[0]` holds before all of them, `projections[n]` from
            `change_times[n - 1]` on.

    """

    window: Window
    change_times: Sequence[int] = attrs.field(eq=False)
    projections: Sequence[Projection] = attrs.field(eq=False)

    def project(self, now: int) -> Projection:
        """Return the delayed state at server time `now` (ms), or the reason why there is none.

        The snapshot's `collected_at` is the instant of the last event applied, or that of the
        baseline.

        Raises:
            TypeError: `now` is not an int.
            ValueError: it looks like seconds.

        """
        check_milliseconds("now", now)
        return self.projection_at(now - limits.PLAYBACK_DELAY_MS)

    def projection_at(self, at: int) -> Projection:
        """Return the state at a projected instant, or the reason why there is none.

        `at` is any int of ms; unlike in `project`, the delay has been subtracted from it.
        """
        return self.projections[bisect_right(self.change_times, at)]


def prepare(window: Window) -> PreparedWindow:
    """Prepare a valid window for projections, in one pass over its events.

    Raises:
        TypeError: the value is no `Window`.

    """
    need_window(window)
    event_times, states = _replay(window)
    change_times: list[int] = []
    projections: list[Projection] = [WARM_UP]

    def add_states(start: int, end: int) -> None:
        """Append the states of an interval without gaps."""
        if start < end:
            # The state at `start` is that of the event before it, or the baseline.
            first, last = bisect_right(event_times, start), bisect_left(event_times, end)
            change_times.extend((start, *event_times[first:last]))
            projections.extend(states[first - 1 : last])

    covered_from = window.window_start
    for gap in window.gaps:
        add_states(covered_from, gap.start_at)
        change_times.append(gap.start_at)
        projections.append(NoData("gap", gap))
        covered_from = gap.end_at
    add_states(covered_from, window.window_end)
    change_times.append(window.window_end)
    projections.append(EXHAUSTED)
    return PreparedWindow(window, change_times, projections)


def _replay(window: Window) -> tuple[list[int], list[Snapshot]]:
    """Return the instants of events, `window_start` first, and the whole state from each one on."""
    base = window.baseline
    app, battery, system = base.active_app, base.battery, base.system
    music, apps = base.music, base.running_apps
    times, states = [window.window_start], [base]
    for event in window.events:
        changes = event.changes
        if changes.active_app is not ABSENT:
            app = changes.active_app
        if changes.battery is not ABSENT:
            battery = changes.battery
        if changes.system is not ABSENT:
            system = changes.system
        if changes.music is not ABSENT:
            music = changes.music
        if changes.running_apps is not ABSENT:
            apps = changes.running_apps
        state = Snapshot(event.at, app, battery, system, music, apps)
        if event.at == times[-1]:
            states[-1] = state
        else:
            times.append(event.at)
            states.append(state)
    return times, states
