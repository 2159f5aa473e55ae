"""Find the offsets from UTC that an export shows, and convert instants to local days by them.

An export holds most minutes in UTC and names no zone.  Nights of `UserSleeps` files name their
offsets; for days without such a night near them only a named zone helps.
The steps of the JSON files are in UTC in the exports that were tested.  The CSV files, which are in
UTC for certain, check that: where the minutes of a day are equal at another offset, the steps are
on the local clock, whose offset that is.

Invariant *never guessed*: the offset is known between nights that agree.  A comparison counts only
if at least `_SAMPLES_NEEDED` minutes with a value are compared, nearly all are equal, and no other
offset comes close.
Invariant *linear*: of each day at most `_SAMPLES` minutes are compared.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

import attrs

from health_import.texts import DAY_MINUTES
from health_import.values import NO_TOTAL, Minutes, Total, Values

_NEAR: Final = 2 * DAY_MINUTES
"""A night is valid for so many minutes before and after it."""
_BETWEEN: Final = 45 * DAY_MINUTES
"""Two nights with the same offset are valid for the time between them, up to so many minutes."""
_QUARTER: Final = 15
"""Offsets of all zones since 2000 are multiples of so many minutes."""


class LocalClock:
    """The offset from UTC at any time, in minutes.

    It is that of the nights, by minute of UTC, or else that of the named zone, if there is one.
    """

    def __init__(self, nights: Mapping[int, int], zone: Callable[[int], int] | None) -> None:
        self._times = sorted(nights)
        self._offsets = [nights[time] for time in self._times]
        self._zone = zone

    def offset(self, minute: int) -> int | None:
        """Return the offset at a minute of UTC, in minutes; None if it is not known."""
        after = bisect_left(self._times, minute)
        around = [index for index in (after - 1, after) if 0 <= index < len(self._times)]
        near = min(around, key=lambda index: abs(self._times[index] - minute), default=None)
        if near is not None and abs(self._times[near] - minute) <= _NEAR:
            return self._offsets[near]
        if len(around) > 1 and self._times[after] - self._times[after - 1] <= _BETWEEN:
            first, second = (self._offsets[index] for index in around)
            if first == second:
                return first
        return None if self._zone is None else self._zone(minute)

    def day(self, minute: int) -> int | None:
        """Return the local day of a minute of UTC; None if the offset is not known."""
        offset = self.offset(minute)
        return None if offset is None else (minute + offset) // DAY_MINUTES


def local_totals(minutes: Minutes, clock: LocalClock) -> tuple[dict[int, Total], set[int]]:
    """Add up minutes of UTC by local day.

    Also return the days without a value because the offset is not known for a minute that may
    belong to them.
    """
    totals: dict[int, Total] = {}
    unknown: set[int] = set()
    for day in minutes.days:
        first = day * DAY_MINUTES
        whole = clock.offset(first)
        if whole != clock.offset(first + DAY_MINUTES - 1):
            whole = None
        edges = _QUARTERS if whole is None else (0, -whole % DAY_MINUTES, DAY_MINUTES)
        for start, stop in pairwise(edges):
            total, count = minutes.total(day, start, stop)
            if count == 0:
                continue
            at = first + start
            offset = clock.offset(at) if whole is None else whole
            if offset is None:
                earliest, latest = at + _OFFSETS[0], at + _OFFSETS[-1]
                unknown.update(range(earliest // DAY_MINUTES, latest // DAY_MINUTES + 1))
            else:
                local = (at + offset) // DAY_MINUTES
                before = totals.get(local, NO_TOTAL)
                totals[local] = Total(before.value + total, before.minutes + count)
    return {day: total for day, total in totals.items() if day not in unknown}, unknown


_QUARTERS: Final = range(0, DAY_MINUTES + 1, _QUARTER)
_NOON: Final = DAY_MINUTES // 2
_LOCAL_SHARE = 0.2
"""Share of compared days with an offset from which on the steps are on the local clock.

A local clock agrees with UTC in the winter of some zones, UTC never differs from itself.
"""
_SAMPLES: Final = 48
_SAMPLES_NEEDED: Final = 12
_EQUAL_SHARE: Final = 0.8
_CLOSE_SHARE: Final = 0.6
"""A second offset with so large a share of equal minutes makes the result unclear."""
_OFFSETS: Final = range(-12 * 60, 14 * 60 + 1, _QUARTER)


@attrs.frozen
class ClockSearch:
    """The offsets that an export shows, by minute of UTC.

    Attributes:
        nights: how many of them name their offset.
        compared_days: on how many days the clock of the steps was checked.

    """

    offsets: dict[int, int]
    nights: int
    compared_days: int
    steps_are_local: bool


def search_clock(values: Values) -> ClockSearch:
    """Return the offsets that the files of an export show."""
    steps = values.minutes["steps", ""]
    sources = sorted(source for source in values.minutes if source[0] == "google-steps")
    devices = (values.minutes[source] for source in sources)
    fullest = max(devices, key=lambda minutes: len(minutes.days), default=Minutes())
    compared = find_offsets(steps, fullest)
    shifted = [day for day, offset in compared.items() if offset != 0]
    are_local = len(shifted) > _LOCAL_SHARE * len(compared)
    local = compared if are_local else {}
    return ClockSearch(
        offsets={
            **values.nights,
            **{day * DAY_MINUTES + _NOON - offset: offset for day, offset in local.items()},
        },
        nights=len(values.nights) // 2,  # of each both ends
        compared_days=len(compared),
        steps_are_local=are_local,
    )


def find_offsets(local: Minutes, utc: Minutes) -> dict[int, int]:
    """Return the offsets in minutes of the days on which they are clear.

    `local` are minutes on an unknown clock, which are compared with the same measurement in UTC.
    """
    offsets: dict[int, int] = {}
    last: int | None = None
    for day in sorted(local.days):
        if not {day - 1, day, day + 1} & utc.days.keys():
            continue
        samples = _samples(local, day)
        if len(samples) < _SAMPLES_NEEDED:
            continue
        if last is not None and _share(samples, utc, last) >= _EQUAL_SHARE:
            offsets[day] = last  # fast path: zones change rarely
            continue
        shares = sorted((_share(samples, utc, offset), offset) for offset in _OFFSETS)
        (second, _), (best, offset) = shares[-2:]
        if best >= _EQUAL_SHARE and second < _CLOSE_SHARE:
            offsets[day] = last = offset
    return offsets


def _samples(minutes: Minutes, day: int) -> list[tuple[int, int]]:
    """Return up to `_SAMPLES` minutes of a day with a value above 0."""
    first = day * DAY_MINUTES
    known = [(first + index, value) for index, value in enumerate(minutes.days[day]) if value > 0]
    return known[:: -(-len(known) // _SAMPLES) or 1]


def _share(samples: list[tuple[int, int]], utc: Minutes, offset: int) -> float:
    equal = 0
    for minute, value in samples:
        day, index = divmod(minute - offset, DAY_MINUTES)
        equal += day in utc.days and utc.days[day][index] == value
    return equal / len(samples)
