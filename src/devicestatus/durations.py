"""Compute the intervals in which each value of a window's member held, and for how long in total.

Invariant *complete*: the intervals of a member and the gaps of its window are adjacent and cover
the window from its start to its end; no interval is empty.
Invariant *equal neighbours are merged*: two intervals without a gap between them have different
values; of the events of one instant the last one counts.
Invariant *linear*: the cost grows linearly with the number of events and gaps.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, Literal, TypeVar, get_args, overload

import attrs

from devicestatus.models import AppName, Window, need_window
from status_contracts.instants import show_instant
from status_contracts.primitives import ABSENT, check_type

__all__ = ["Interval", "Member", "intervals", "total_durations"]

Member = Literal["active_app", "running_apps", "music", "battery", "system"]
V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)


@attrs.frozen
class Interval(Generic[V_co]):
    """The half-open interval [start, end) in which a value held, in ms since the epoch."""

    start: int = attrs.field(repr=show_instant)
    end: int = attrs.field(repr=show_instant)
    value: V_co

    @property
    def duration(self) -> int:
        """Length of the interval, ms."""
        return self.end - self.start


@overload
def intervals(
    window: Window, member: Literal["active_app"]
) -> tuple[Interval[AppName | None], ...]: ...
@overload
def intervals(window: Window, member: Member) -> tuple[Interval[Any], ...]: ...
@overload
def intervals(
    window: Window, member: Member, view: Callable[[Any], V]
) -> tuple[Interval[V], ...]: ...
def intervals(
    window: Window, member: Member, view: Callable[[Any], Any] = lambda value: value
) -> tuple[Interval[Any], ...]:
    """Return the intervals of a member's values, in order of time.

    Args:
        window: a valid window.
        member: name of the member.
        view: maps the member's value (ABSENT included, for `running_apps`) to the value of the
            interval, by default the value itself; values with equal views are merged.

    Raises:
        TypeError: the window is no `Window`.
        ValueError: it has no such member that changes.

    """
    need_window(window)
    if member not in get_args(Member):
        raise ValueError(f"member: must be one of {', '.join(get_args(Member))}, not {member!r}")
    starts, values = _changes(window, member, view)
    ends = [*starts[1:], window.window_end]
    return tuple(
        Interval(max(first, starts[index]), min(last, ends[index]), values[index])
        for first, last in _observed(window)
        for index in range(bisect_right(starts, first) - 1, bisect_left(starts, last))
    )


def total_durations(spans: Iterable[Interval[V | None]]) -> dict[V, int]:
    """Return the total duration (ms) of each value but None; longest first, of equals first seen.

    Args:
        spans: intervals of any members or windows; their values are hashable.

    Raises:
        TypeError: one of them is no `Interval`.

    """
    durations: dict[V, int] = {}
    for span in spans:
        check_type("span", span, Interval, "pass what intervals(window, member) returns")
        if span.value is not None:
            durations[span.value] = durations.get(span.value, 0) + span.duration
    return dict(sorted(durations.items(), key=lambda pair: -pair[1]))


def _changes(window: Window, member: Member, view: Callable[[Any], V]) -> tuple[list[int], list[V]]:
    """Return the ascending instants at which the value changes, and the values from each on."""
    starts = [window.window_start]
    values = [view(getattr(window.baseline, member))]
    for event in window.events:
        changed = getattr(event.changes, member)
        if changed is ABSENT:
            continue
        value = view(changed)
        if event.at == starts[-1]:
            values[-1] = value
        elif value != values[-1]:
            starts.append(event.at)
            values.append(value)
        if len(values) > 1 and values[-1] == values[-2]:
            starts.pop()
            values.pop()
    return starts, values


def _observed(window: Window) -> Iterator[tuple[int, int]]:
    """Generate the intervals between the gaps."""
    starts = (window.window_start, *(gap.end_at for gap in window.gaps))
    ends = (*(gap.start_at for gap in window.gaps), window.window_end)
    return ((first, last) for first, last in zip(starts, ends, strict=True) if first < last)
