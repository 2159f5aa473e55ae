"""Find the offset between two clocks by comparing the minutes that both measured.

Files in UTC and files of the local clock may hold the same measurement.  The offset at which the
minutes of a day are equal is the offset of that day's zone.

Invariant *clear or nothing*: an offset counts only if at least `_SAMPLES_NEEDED` distinctive
minutes are compared, nearly all are equal, and no other offset comes close.
Invariant *linear*: of each day at most `_SAMPLES` minutes are compared.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from healthapi.importing.minutes import NO_VALUE, Minutes
from healthapi.importing.times import DAY_MINUTES

__all__ = ["find_offsets"]

_SAMPLES: Final = 48
_SAMPLES_NEEDED: Final = 12
_EQUAL_SHARE: Final = 0.8
_CLOSE_SHARE: Final = 0.6
"""A second offset with so large a share of equal minutes makes the result unclear."""
_OFFSETS: Final = range(-12 * 60, 14 * 60 + 1, 15)


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
