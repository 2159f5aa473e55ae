"""Select one sleep for each date from all recorded sleep logs.

`healthapi.rows.reading` has already removed repeated logs.

Invariant *main sleep first*: a main sleep represents its date.  Of several it is the longest, by
minutes asleep, then by duration, then by the order of the file.
Invariant *a nap is not a main sleep*: a date with naps only has its best nap, with `is_main_sleep`
False, which is included in `nap_count`.

Contract: HA-COLUMN-06, HA-SLEEP-01, HA-SLEEP-02, HA-SLEEP-04 to 06, HA-SLEEP-10 to 13.
"""

from collections.abc import Sequence
from itertools import compress
from math import isnan, nan
from operator import sub
from typing import Final, cast

import attrs

from healthapi.derived.arithmetic import round_to_tenths
from healthapi.rows.days import find_runs
from healthapi.rows.reading import sleep_rank
from healthapi.rows.records import Cell, Rows, SleepLog, SleepRow
from purewire.absent import ABSENT

_HOUR_MINUTES: Final = 60
_LOG_MEMBERS: Final = [
    field.name for field in attrs.fields(SleepRow) if field.name in attrs.fields_dict(SleepLog)
]
"""The members that are copied from the log."""

_Minutes = Sequence[int | None]


def build_sleep_rows(logs: Rows[SleepLog]) -> Rows[SleepRow]:
    """Return the sleep of each date; the logs ascend by date and have no repetitions."""
    rank = sleep_rank(logs)
    chosen = bytearray(b"\1") * len(logs)
    counts = [1] * len(logs)
    for start, stop in find_runs(logs.labels):
        best = max(range(start, stop), key=rank)  # the first of equal ones
        chosen[start:stop] = bytes(stop - start)
        chosen[best] = True
        counts[best] = stop - start
    columns = {name: tuple(compress(logs.columns[name], chosen)) for name in _LOG_MEMBERS}
    # A chosen main sleep (True, which is 1) is not counted as a nap.
    columns["nap_count"] = tuple(
        map(sub, compress(counts, chosen), cast("tuple[bool, ...]", columns["is_main_sleep"]))
    )
    asleep = cast("_Minutes", columns["minutes_asleep"])
    columns["sleep_hours"] = tuple(map(_hours(asleep).__getitem__, asleep))
    columns["deep_pct"] = _share(cast("_Minutes", columns["minutes_deep"]), asleep)
    columns["rem_pct"] = _share(cast("_Minutes", columns["minutes_rem"]), asleep)
    return Rows("sleep", SleepRow, columns)


def _hours(asleep: _Minutes) -> dict[int | None, Cell]:
    """Return a table of minutes to hours, one decimal, for all minutes that occur."""
    minutes = [each for each in set(asleep) if each is not None]
    hours = round_to_tenths(each / _HOUR_MINUTES for each in minutes)
    return {None: ABSENT, **dict(zip(minutes, hours, strict=True))}


def _share(parts: _Minutes, totals: _Minutes) -> tuple[Cell, ...]:
    """Return parts in percent of totals, one decimal."""
    shares = [
        nan if part is None or not total else part / total * 100
        for part, total in zip(parts, totals, strict=True)
    ]
    if None not in parts and all(totals):
        return tuple(round_to_tenths(shares))
    return tuple([ABSENT if isnan(share) else share for share in round_to_tenths(shares)])
