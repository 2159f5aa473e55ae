"""Sleep logs that stand in a file more than once.

Source: health-data rulings on repeated logs; a repetition is no nap.
"""

import attrs

from healthapi.rows.days import runs
from healthapi.rows.records import Rows, SleepLog

__all__ = ["repeated"]


def repeated(logs: Rows[SleepLog]) -> list[int]:
    """Give the indexes of the rows that repeat an earlier row of their date.

    Two rows are one log where they have one id, or, having none, are equal in all members.
    """
    again = []
    ids = logs.columns["log_id"]
    for start, stop in runs(logs.labels):
        seen: set[object] = set()
        for index in range(start, stop):
            log = ids[index] or attrs.astuple(logs[index])
            if log in seen:
                again.append(index)
            seen.add(log)
    return again
