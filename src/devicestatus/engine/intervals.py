"""How long each value of a window held: one member over time, with the gaps cut out.

A window is known here by its shape alone, so that windows can show themselves with it.

Invariant *whole*: the intervals of a member and the gaps of its window lie side by side and cover
the window from its start to its end; no interval is empty.
Invariant *equal neighbours are one*: of two intervals without a gap between them the values
differ; of the events of one instant the last one counts.
Invariant *linear*: the cost grows with the number of events and gaps, and with nothing else.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Generic, Literal, Protocol, TypeVar

import attrs

from devicestatus.models.snapshot import Snapshot
from purewire.absent import ABSENT

__all__ = ["Interval", "Member", "RecordedEvent", "RecordedGap", "Recording", "intervals"]

Member = Literal["active_app", "running_apps", "music", "battery", "system"]
V = TypeVar("V")


class RecordedEvent(Protocol):
    """An event of a window."""

    @property
    def at(self) -> int:
        """As in `WindowEvent`."""

    @property
    def changes(self) -> object:
        """As in `WindowEvent`."""


class RecordedGap(Protocol):
    """A gap of a window."""

    @property
    def start_at(self) -> int:
        """As in `WindowGap`."""

    @property
    def end_at(self) -> int:
        """As in `WindowGap`."""

    @property
    def reason(self) -> str:
        """As in `WindowGap`."""


class Recording(Protocol):
    """A window, as far as it says what was when."""

    @property
    def window_start(self) -> int:
        """As in `Window`."""

    @property
    def window_end(self) -> int:
        """As in `Window`."""

    @property
    def baseline(self) -> Snapshot:
        """As in `Window`."""

    @property
    def events(self) -> Sequence[RecordedEvent]:
        """As in `Window`."""

    @property
    def gaps(self) -> Sequence[RecordedGap]:
        """As in `Window`."""

    @property
    def dropped_events(self) -> int:
        """As in `Window`."""


@attrs.frozen
class Interval(Generic[V]):
    """The half-open interval [start, end) in which a value held, in ms since the epoch."""

    start: int
    end: int
    value: V

    @property
    def duration(self) -> int:
        """How long it held, ms."""
        return self.end - self.start


def intervals(
    window: Recording, member: Member, view: Callable[[Any], V]
) -> tuple[Interval[V], ...]:
    """Give how long each value of a member held, in order of time.

    Args:
        window: a valid window.
        member: which member.
        view: what of the member's values matters, ABSENT among them for `running_apps`; values
            with equal views are one.

    """
    times, values = _changes(window, member, view)
    ends = [*times[1:], window.window_end]
    return tuple(
        Interval(max(first, times[place]), min(last, ends[place]), values[place])
        for first, last in _observed(window)
        for place in range(bisect_right(times, first) - 1, bisect_left(times, last))
    )


def _changes(
    window: Recording, member: Member, view: Callable[[Any], V]
) -> tuple[list[int], list[V]]:
    """Give from when on each value held; the instants ascend and neighbours differ."""
    times = [window.window_start]
    values = [view(getattr(window.baseline, member))]
    for event in window.events:
        found = getattr(event.changes, member)
        if found is ABSENT:
            continue
        value = view(found)
        if event.at == times[-1]:
            values[-1] = value
        elif value != values[-1]:
            times.append(event.at)
            values.append(value)
        if len(values) > 1 and values[-1] == values[-2]:
            times.pop()
            values.pop()
    return times, values


def _observed(window: Recording) -> Iterator[tuple[int, int]]:
    """Give what lies between the gaps."""
    edges = [window.window_start]
    for gap in window.gaps:
        edges += gap.start_at, gap.end_at
    edges.append(window.window_end)
    return ((first, last) for first, last in list(pairwise(edges))[::2] if first < last)
