"""Sleep logs that stand in a file more than once, and which of several sleeps is the best.

Source: health-data rulings, "Repeated sleep rows".  A repetition is no nap.
"""

from collections.abc import Callable, Sequence
from typing import cast

import attrs

from healthapi.rows.days import runs
from healthapi.rows.records import Rows, SleepLog

__all__ = ["Rank", "rank_of", "repeated"]

Rank = tuple[bool, int, int]
"""Main sleep, minutes asleep, duration: the greatest of a date stands for it."""


def rank_of(logs: Rows[SleepLog]) -> Callable[[int], Rank]:
    """Return the function that ranks a log by its index; missing numbers count as 0."""
    main, asleep, duration = (
        cast("Sequence[int | None]", logs.columns[name])
        for name in ("is_main_sleep", "minutes_asleep", "duration")
    )
    return lambda index: (bool(main[index]), asleep[index] or 0, duration[index] or 0)


def repeated(logs: Rows[SleepLog]) -> list[int]:
    """Return the indexes, ascending, of the rows that repeat another row of their date.

    Two rows are one log where they have one id, or, having none, are equal in all members.  The
    row of the greatest rank is the log, the first of equals; the others repeat it.
    """
    again: list[int] = []
    ids = logs.columns["log_id"]
    rank = rank_of(logs)
    for start, stop in runs(logs.labels):
        best: dict[object, int] = {}
        for index in range(start, stop):
            log = ids[index] or attrs.astuple(logs[index])
            found = best.setdefault(log, index)
            if found != index:
                is_better = rank(index) > rank(found)
                best[log] = index if is_better else found
                again.append(found if is_better else index)
    return sorted(again)
