"""Find the offsets from UTC that an export shows, and on which clock its steps are.

Nights of `UserSleeps` files name their offsets.  For other days the calories, which the JSON files
hold on the local clock and the CSV files in UTC, are compared.  The steps of the JSON files are in
UTC in the exports that were tested; comparing them with the CSV files checks that in this one.
"""

import attrs

from healthapi.importing.clock import LocalClock
from healthapi.importing.json_files import CALORIE_UNITS
from healthapi.importing.matching import find_offsets
from healthapi.importing.minutes import Minutes
from healthapi.importing.times import DAY_MINUTES
from healthapi.importing.values import Values

__all__ = ["ClockSearch", "search_clock"]

_NOON = DAY_MINUTES // 2
_TOLERANCE = CALORIE_UNITS // 100
_LOCAL_SHARE = 0.2
"""Share of compared days with an offset from which on the steps are on the local clock.

A local clock agrees with UTC in the winter of some zones, UTC never differs from itself.
"""


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
