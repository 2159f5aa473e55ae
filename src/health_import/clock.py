"""Find the offsets from UTC that an export shows, and convert instants to local days by them.

An export holds most minutes in UTC and names no zone.  Nights of `UserSleeps` files name their
offsets.  For other days the calories, which the JSON files hold on the local clock and the CSV
files in UTC, are compared; the offset at which the minutes of a day are equal is that of its zone.
The steps of the JSON files are in UTC in the exports that were tested; comparing them with the CSV
files checks that in this one.

Invariant *never guessed*: the offset is known between nights that agree; elsewhere only a named
zone helps.  A comparison counts only if at least `_SAMPLES_NEEDED` distinctive minutes are
compared, nearly all are equal, and no other offset comes close.
Invariant *linear*: of each day at most `_SAMPLES` minutes are compared.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import attrs

from health_import.readers import CALORIE_UNITS
from health_import.texts import DAY_MINUTES
from health_import.values import NO_TOTAL, NO_VALUE, Minutes, Total, Values

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
        start, end = (self.offset(first - shift + minute) for minute in (0, DAY_MINUTES))
        return start is not None and end is not None and start > end

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
        is_even = whole is not None and whole == clock.offset(first + DAY_MINUTES - 1)
        for start, stop in _parts(whole) if is_even else _QUARTERS:
            total, count = minutes.total(day, start, stop)
            if count == 0:
                continue
            offset = whole if is_even else clock.offset(first + start)
            if offset is None:
                earliest, latest = (first + start + edge for edge in (_OFFSETS[0], _OFFSETS[-1]))
                unknown.update(range(earliest // DAY_MINUTES, latest // DAY_MINUTES + 1))
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


_NOON = DAY_MINUTES // 2
_TOLERANCE = CALORIE_UNITS // 100
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
        matched_days: on how many days comparing two clocks gave the offset.
        compared_days: on how many days the clock of the steps was checked.

    """

    offsets: dict[int, int]
    nights: int
    matched_days: int
    compared_days: int
    steps_are_local: bool


def search_clock(values: Values) -> ClockSearch:
    """Return the offsets that the files of an export show."""
    offsets = dict(values.nights)
    clock = LocalClock(offsets, None)
    calories = values.minutes.get(("calories", ""), Minutes())
    days = sorted(day for day in calories.days if clock.seen(day * DAY_MINUTES + _NOON) is None)
    matched = find_offsets(calories, _fullest(values, "google-calories"), days, _TOLERANCE)
    steps = values.minutes.get(("steps", ""), Minutes())
    compared = find_offsets(steps, _fullest(values, "google-steps"), sorted(steps.days), 0)
    shifted = {day: offset for day, offset in compared.items() if offset != 0}
    are_local = len(shifted) > _LOCAL_SHARE * len(compared)
    if are_local:
        matched = {**compared, **matched}
    for day, offset in matched.items():
        offsets[day * DAY_MINUTES + _NOON - offset] = offset
    return ClockSearch(
        offsets=offsets,
        nights=len(values.nights) // 2,  # of each both ends
        matched_days=len(matched),
        compared_days=len(compared),
        steps_are_local=are_local,
    )


def _fullest(values: Values, measurement: str) -> Minutes:
    """Return the minutes of the source with most days, the first by name among equals."""
    sources = sorted(source for source in values.minutes if source[0] == measurement)
    candidates = (values.minutes[source] for source in sources)
    return max(candidates, key=lambda minutes: len(minutes.days), default=Minutes())


def find_offsets(
    local: Minutes, utc: Minutes, days: Iterable[int], tolerance: int
) -> dict[int, int]:
    """Return the offsets in minutes of the days on which they are clear.

    `local` are minutes on the unknown clock, of which `days` are compared with the same measurement
    in UTC; minutes whose values differ by no more than the tolerance are equal.
    """
    offsets: dict[int, int] = {}
    last: int | None = None
    for day in days:
        if not {day - 1, day, day + 1} & utc.days.keys():
            continue
        samples = _samples(local, day)
        if len(samples) < _SAMPLES_NEEDED:
            continue
        if last is not None and _share(samples, utc, last, tolerance) >= _EQUAL_SHARE:
            offsets[day] = last  # fast path: zones change rarely
            continue
        shares = sorted((_share(samples, utc, offset, tolerance), offset) for offset in _OFFSETS)
        (second, _), (best, offset) = shares[-2:]
        if best >= _EQUAL_SHARE and second < _CLOSE_SHARE:
            offsets[day] = last = offset
    return offsets


def _samples(minutes: Minutes, day: int) -> list[tuple[int, int]]:
    """Return up to `_SAMPLES` minutes of a day whose values differ from its usual one."""
    row = minutes.days[day]
    usual = Counter(row).most_common(1)[0][0]
    first = day * DAY_MINUTES
    distinctive = [
        (first + index, value)
        for index, value in enumerate(row)
        if value not in (usual, NO_VALUE, 0)
    ]
    return distinctive[:: -(-len(distinctive) // _SAMPLES) or 1]


def _share(samples: list[tuple[int, int]], utc: Minutes, offset: int, tolerance: int) -> float:
    equal = 0
    for minute, value in samples:
        day, index = divmod(minute - offset, DAY_MINUTES)
        row = utc.days.get(day)
        equal += row is not None and abs(row[index] - value) <= tolerance
    return equal / len(samples)
