"""One sleep for each date, out of everything that was recorded as sleep.

Source: health facts, section 3; health-data rulings on naps.  A log that repeats another is left
out before, by `healthapi.rows.duplicates`.

Invariant *main sleep first*: a main sleep stands for its date whatever else there is; of several
the longest one, by minutes asleep, then by duration, then the first of the file.
Invariant *a nap is no night*: a date that has only naps shows the best one, marked as what it is,
and counts it among its naps.
"""

from collections.abc import Sequence
from itertools import compress
from math import isnan, nan
from operator import sub
from typing import Final, cast

import attrs

from healthapi.rows.days import runs
from healthapi.rows.duplicates import rank_of
from healthapi.rows.records import Cell, Rows, SleepLog, SleepRow
from healthapi.rows.rounding import tenths
from purewire.absent import ABSENT

__all__ = ["nights"]

_HOUR_MINUTES: Final = 60
_LOGGED: Final = [
    field.name for field in attrs.fields(SleepRow) if field.name in attrs.fields_dict(SleepLog)
]
"""The members that a date takes from its log as they are."""

_Minutes = Sequence[int | None]


def nights(logs: Rows[SleepLog]) -> Rows[SleepRow]:
    """Give the sleep of each date.

    Args:
        logs: by date, without repetitions, as they are read.

    """
    rank = rank_of(logs)
    chosen = bytearray(b"\1") * len(logs)
    counts = [1] * len(logs)
    for start, stop in runs(logs.labels):
        best = max(range(start, stop), key=rank)  # the first of equals
        chosen[start:stop] = bytes(stop - start)
        chosen[best] = True
        counts[best] = stop - start
    columns = {name: tuple(compress(logs.columns[name], chosen)) for name in _LOGGED}
    # the chosen row is no nap of its date where it is a main sleep, which counts as 1
    columns["nap_count"] = tuple(
        map(sub, compress(counts, chosen), cast("tuple[bool, ...]", columns["is_main_sleep"]))
    )
    asleep = cast("_Minutes", columns["minutes_asleep"])
    columns["sleep_hours"] = tuple(map(_hours(asleep).__getitem__, asleep))
    columns["deep_pct"] = _share(cast("_Minutes", columns["minutes_deep"]), asleep)
    columns["rem_pct"] = _share(cast("_Minutes", columns["minutes_rem"]), asleep)
    return Rows("sleep", SleepRow, columns)


def _hours(asleep: _Minutes) -> dict[int | None, Cell]:
    """Give minutes to hours, one decimal, for all minutes that there are."""
    minutes = [each for each in set(asleep) if each is not None]
    hours = tenths(each / _HOUR_MINUTES for each in minutes)
    return {None: ABSENT, **dict(zip(minutes, hours, strict=True))}


def _share(parts: _Minutes, wholes: _Minutes) -> tuple[Cell, ...]:
    """Give parts in percent of wholes, one decimal."""
    shares = [
        nan if part is None or not whole else part / whole * 100
        for part, whole in zip(parts, wholes, strict=True)
    ]
    if None not in parts and all(wholes):
        return tuple(tenths(shares))
    return tuple([ABSENT if isnan(share) else share for share in tenths(shares)])
