"""Find the offsets from UTC that an export shows, and on which clock its steps are.

Nights of `UserSleeps` files name their offsets.  For other days the calories, which the JSON files
hold on the local clock and the CSV files in UTC, are compared.  The steps of the JSON files are in
UTC in the exports that were tested; comparing them with the CSV files checks that in this one.
The offset at which the minutes of a day are equal is the offset of that day's zone.

Invariant *clear or nothing*: an offset counts only if at least `_SAMPLES_NEEDED` distinctive
minutes are compared, nearly all are equal, and no other offset comes close.
Invariant *linear*: of each day at most `_SAMPLES` minutes are compared.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

import attrs

from healthapi.importing.clock import LocalClock
from healthapi.importing.json_files import CALORIE_UNITS
from healthapi.importing.minutes import NO_VALUE, Minutes
from healthapi.importing.times import DAY_MINUTES
from healthapi.importing.values import Values

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
_OFFSETS: Final = range(-12 * 60, 14 * 60 + 1, 15)


@attrs.frozen
class ClockSearch:
    """The offsets that an export shows.

    Attributes:
        offsets: minute of UTC to the offset in minutes.
        nights: how many of them name their offset.
        matched_days: on how many days comparing two clocks gave the offset.
        compared_days: on how many days the clock of the steps was checked.
        steps_are_local: whether the steps of the JSON files are on the local clock.

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
    found = (values.minutes[source] for source in sources)
    return max(found, key=lambda minutes: len(minutes.days), default=Minutes())


def find_offsets(
    local: Minutes, utc: Minutes, days: Iterable[int], tolerance: int
) -> dict[int, int]:
    """Return the offsets in minutes of the days on which they are clear.

    Args:
        local: minutes on the unknown clock.
        utc: the same measurement by minutes of UTC.
        days: the days of the unknown clock to compare; each has minutes.
        tolerance: minutes whose values differ by no more are equal.

    """
    found: dict[int, int] = {}
    last: int | None = None
    for day in days:
        if not {day - 1, day, day + 1} & utc.days.keys():
            continue
        samples = _samples(local, day)
        if len(samples) < _SAMPLES_NEEDED:
            continue
        if last is not None and _share(samples, utc, last, tolerance) >= _EQUAL_SHARE:
            found[day] = last  # fast path: zones change rarely
            continue
        shares = sorted((_share(samples, utc, offset, tolerance), offset) for offset in _OFFSETS)
        (second, _), (best, offset) = shares[-2:]
        if best >= _EQUAL_SHARE and second < _CLOSE_SHARE:
            found[day] = last = offset
    return found


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
