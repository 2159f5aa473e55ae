"""A window at an instant: the delayed state that readers see.

Source: device-status specification, "States and transitions" and "GET /api/now" rule 1; rulings
under "Time".  The projected moment `at` is server time minus 420 s.

Invariant *coverage*: a moment is covered when window_start <= at < window_end and no gap holds it;
gaps are half-open, so their start is not covered and their end is.
Invariant *events at the moment apply*: an event applies when event.at <= at; events of one instant
apply in `seq` order; after a gap the state is again the baseline plus all events so far.
Invariant *no replay*: a prepared window answers any moment by bisection over what each member was
last replaced with.
"""

from bisect import bisect_right
from typing import Any, Literal

import attrs

from devicestatus import limits
from devicestatus.snapshot import Snapshot
from devicestatus.window import Window, WindowGap
from purewire.absent import ABSENT

__all__ = ["PreparedWindow", "Uncovered", "UncoveredReason", "prepare"]

UncoveredReason = Literal["warm-up", "gap", "exhausted"]

_MEMBERS = ("active_app", "battery", "system", "music", "running_apps")


@attrs.frozen
class Uncovered:
    """A moment that the window does not cover, and why."""

    reason: UncoveredReason
    gap: WindowGap | None = None


@attrs.frozen
class _Column:
    """The values of one member over time: `values[i]` holds from `times[i]` on."""

    times: list[int]
    values: list[Any]

    def at(self, moment: int) -> Any:  # noqa: ANN401 - a column holds any member's values
        return self.values[bisect_right(self.times, moment) - 1]


@attrs.frozen(repr=False, eq=False)
class PreparedWindow:
    """A window made ready to be projected at any moment; build it with `prepare`."""

    window: Window
    _columns: tuple[_Column, ...]
    _event_times: list[int]
    _gap_starts: list[int]

    def project(self, now: int) -> Snapshot | Uncovered:
        """Give the state that readers see at server time `now`, or why there is none.

        The snapshot's `collected_at` is the instant of the last event applied, else the
        baseline's.
        """
        at = now - limits.PLAYBACK_DELAY_MS
        if at < self.window.window_start:
            return Uncovered("warm-up")
        if at >= self.window.window_end:
            return Uncovered("exhausted")
        gap = self._gap_at(at)
        return self.state_at(at) if gap is None else Uncovered("gap", gap)

    def state_at(self, at: int) -> Snapshot:
        """Give baseline plus events up to `at`, a moment not before `window_start`."""
        collected_at = self._event_times[bisect_right(self._event_times, at) - 1]
        return Snapshot(collected_at, *(column.at(at) for column in self._columns))

    def _gap_at(self, at: int) -> WindowGap | None:
        position = bisect_right(self._gap_starts, at) - 1
        if position < 0:
            return None
        gap = self.window.gaps[position]
        return gap if at < gap.end_at else None


def prepare(window: Window) -> PreparedWindow:
    """Make a valid window ready for projections; one pass over its events."""
    start = window.window_start
    columns = [_Column([start], [getattr(window.baseline, name)]) for name in _MEMBERS]
    for event in window.events:
        for name, column in zip(_MEMBERS, columns, strict=True):
            value = getattr(event.changes, name)
            if value is not ABSENT:
                column.times.append(event.at)
                column.values.append(value)
    return PreparedWindow(
        window,
        tuple(columns),
        [start, *(event.at for event in window.events)],
        [gap.start_at for gap in window.gaps],
    )
