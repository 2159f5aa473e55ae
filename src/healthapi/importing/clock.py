"""Convert instants to local days by the offsets that an archive shows.

An archive holds most minutes in UTC and names no zone.  Its nights show the offset at which they
were spent; between nights that agree the offset is known, elsewhere only a named zone helps.

Invariant *never guessed*: where neither a night nor a zone gives the offset, there is none.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from typing import Final

from healthapi.importing.minutes import NO_TOTAL, Minutes, Total
from healthapi.importing.times import DAY_MINUTES

_NEAR: Final = 2 * DAY_MINUTES
"""A night is valid for so many minutes before and after it."""
_BETWEEN: Final = 45 * DAY_MINUTES
"""Two nights with the same offset are valid for the time between them, up to so many minutes."""
_QUARTER: Final = 15
"""Offsets of all zones since 2000 are multiples of so many minutes."""
_EAST, _WEST = 14 * 60, -12 * 60


class LocalClock:
    """The offset from UTC at any time.

    Args:
        nights: minute of UTC to the offset in minutes that was seen there.
        zone: returns the offset in minutes of a minute of UTC in a named zone; None without one.

    """

    def __init__(self, nights: Mapping[int, int], zone: Callable[[int], int] | None) -> None:
        self._times = sorted(nights)
        self._offsets = [nights[time] for time in self._times]
        self._zone = zone

    def offset(self, minute: int) -> int | None:
        """Return the offset at a minute of UTC, in minutes; None if it is not known."""
        seen = self.seen(minute)
        return self._zone(minute) if seen is None and self._zone is not None else seen

    def seen(self, minute: int) -> int | None:
        """Return the offset that the nights around a minute of UTC show; None if none do."""
        after = bisect_left(self._times, minute)
        around = [index for index in (after - 1, after) if 0 <= index < len(self._times)]
        near = min(around, key=lambda index: abs(self._times[index] - minute), default=None)
        if near is None:
            return None
        if abs(self._times[near] - minute) <= _NEAR:
            return self._offsets[near]
        offsets = {self._offsets[index] for index in around}
        span = self._times[around[-1]] - self._times[around[0]]
        is_between = len(around) > 1 and len(offsets) == 1 and span <= _BETWEEN
        return offsets.pop() if is_between else None

    def goes_back(self, day: int) -> bool:
        """Check whether a local day is known to have more than 1,440 minutes."""
        first = day * DAY_MINUTES
        shift = self.offset(first) or 0
        start, end = (self.offset(first - shift + each) for each in (0, DAY_MINUTES))
        return start is not None and end is not None and start > end

    def day(self, minute: int) -> int | None:
        """Return the local day of a minute of UTC; None if the offset is not known."""
        offset = self.offset(minute)
        return None if offset is None else (minute + offset) // DAY_MINUTES


def local_totals(minutes: Minutes, clock: LocalClock) -> tuple[dict[int, Total], set[int]]:
    """Add up minutes of UTC by local day.

    Returns:
        Local day to its total, and the days that cannot be formed because the offset is not known
        for a minute that may belong to them.

    """
    totals: dict[int, Total] = {}
    unknown: set[int] = set()
    for day in minutes.days:
        first = day * DAY_MINUTES
        whole = clock.offset(first)
        is_even = whole is not None and whole == clock.offset(first + DAY_MINUTES - 1)
        for start, stop in _parts(whole) if is_even else _QUARTERS:
            total, count = minutes.total(day, start, stop)
            if count == 0:
                continue
            offset = whole if is_even else clock.offset(first + start)
            if offset is None:
                unknown.update(_possible_days(first + start))
            else:
                local = (first + start + offset) // DAY_MINUTES
                before = totals.get(local, NO_TOTAL)
                totals[local] = Total(before.value + total, before.minutes + count)
    return {day: total for day, total in totals.items() if day not in unknown}, unknown


_QUARTERS: Final = tuple((start, start + _QUARTER) for start in range(0, DAY_MINUTES, _QUARTER))


def _parts(offset: int | None) -> tuple[tuple[int, int], ...]:
    """Return the two parts of a day of UTC that belong to one local day each."""
    split = -(offset or 0) % DAY_MINUTES
    return (0, split), (split, DAY_MINUTES)


def _possible_days(minute: int) -> range:
    return range((minute + _WEST) // DAY_MINUTES, (minute + _EAST) // DAY_MINUTES + 1)
