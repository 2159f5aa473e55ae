"""A window at an instant: the delayed state that readers see.

Source: device-status specification, "States and transitions" and "GET /api/now" rule 1; rulings
under "Time".  The projected moment `at` is server time minus 420 s.

Invariant *coverage*: a moment is covered when window_start <= at < window_end and no gap holds it;
gaps are half-open, so their start is not covered and their end is.
Invariant *events at the moment apply*: an event applies when event.at <= at; events of one instant
apply in `seq` order; after a gap the state is again the baseline plus all events so far.
Invariant *no replay*: a window is a step function of time; it is prepared in one pass, and any
moment is one bisection over the instants at which something changes.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final, Literal

import attrs

from devicestatus import limits
from devicestatus.models.snapshot import Snapshot
from devicestatus.models.window import Window, WindowGap
from purewire.absent import ABSENT

__all__ = [
    "EXHAUSTED",
    "WARM_UP",
    "NoData",
    "NoDataReason",
    "PreparedWindow",
    "Stage",
    "prepare",
]

NoDataReason = Literal["warm-up", "gap", "exhausted"]


@attrs.frozen
class NoData:
    """A moment that the window does not cover, and why."""

    reason: NoDataReason
    gap: WindowGap | None = None


_DELAY_MS: Final = limits.PLAYBACK_DELAY_MS

Stage = Snapshot | NoData
"""What readers see between two changes."""

WARM_UP: Final = NoData("warm-up")
"""Before `window_start`."""
EXHAUSTED: Final = NoData("exhausted")
"""From `window_end` on."""


@attrs.frozen(repr=False)
class PreparedWindow:
    """A window made ready to be projected at any moment; build it with `prepare`.

    Attributes:
        window: the window.
        changes: the moments at which what readers see changes, ms since the epoch, ascending;
            the first is `window_start`, the last `window_end`.
        stages: what readers see: `stages[0]` before all changes, `stages[n]` from `changes[n - 1]`
            on.

    """

    window: Window
    changes: Sequence[int] = attrs.field(eq=False)
    stages: Sequence[Stage] = attrs.field(eq=False)
    _times: Sequence[int] = attrs.field(eq=False)
    _states: Sequence[Snapshot] = attrs.field(eq=False)

    def project(self, now: int) -> Stage:
        """Give the state that readers see at server time `now`, or why there is none.

        The snapshot's `collected_at` is the instant of the last event applied, else the
        baseline's.
        """
        return self.stages[bisect_right(self.changes, now - _DELAY_MS)]

    def state_at(self, at: int) -> Snapshot:
        """Give baseline plus events up to `at`, a moment not before `window_start`."""
        return self._states[bisect_right(self._times, at) - 1]


def prepare(window: Window) -> PreparedWindow:
    """Make a valid window ready for projections; one pass over its events."""
    times, states = _replay(window)
    changes: list[int] = []
    stages: list[Stage] = [WARM_UP]

    def play(start: int, end: int) -> None:
        """Add the states of an interval without gaps."""
        if start < end:
            first, last = bisect_right(times, start), bisect_left(times, end)
            changes.extend((start, *times[first:last]))
            stages.extend(states[first - 1 : last])

    since = window.window_start
    for gap in window.gaps:
        play(since, gap.start_at)
        changes.append(gap.start_at)
        stages.append(NoData("gap", gap))
        since = gap.end_at
    play(since, window.window_end)
    changes.append(window.window_end)
    stages.append(EXHAUSTED)
    return PreparedWindow(window, changes, stages, times, states)


def _replay(window: Window) -> tuple[list[int], list[Snapshot]]:
    """Give the instants of events, `window_start` first, and the whole state from each one on."""
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
