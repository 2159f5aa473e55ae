"""When to ask again after an answer that brought nothing, or after none.

Source: rulings under "Site-data file".

Invariant *doubling*: after n failures in a row the wait is at most 15 s doubled n - 1 times, at
most an hour, and at least half of that; where in between, a number says that the caller draws, so
that clients do not march in step.
Invariant *asked is bounded*: a wait that the server asks for is kept, but for a second at least and
a day at most.
"""

from typing import Final

from purewire.instants import SECOND_MS
from sitedata.serving.headers import Fields, date_of, seconds_of, single
from sitedata.serving.limits import (
    FIRST_WAIT_MS,
    LONGEST_ASKED_WAIT_MS,
    LONGEST_WAIT_MS,
    SHORTEST_ASKED_WAIT_MS,
)

__all__ = ["asked_wait_ms", "wait_ms"]

_DOUBLINGS: Final = 8  # more only meet the longest wait again


def wait_ms(failures: int, jitter: float) -> int:
    """Give the wait after so many failures in a row, in ms.

    Args:
        failures: 1 or more.
        jitter: drawn by the caller, 0 or more and less than 1.

    Raises ValueError for another jitter.

    """
    if not 0 <= jitter < 1:
        raise ValueError("jitter is 0 or more and less than 1")
    most = min(FIRST_WAIT_MS << min(failures - 1, _DOUBLINGS), LONGEST_WAIT_MS)
    return int(most * (1 + jitter) / 2)


def asked_wait_ms(fields: Fields, now: int) -> int | None:
    """Give the wait that Retry-After asks for, in ms; None where there is none that can be read.

    A date counts from the answer's own Date, where it has one, so that clocks need not agree.
    """
    lines = tuple(fields)
    text = single(lines, "retry-after")
    if text is None:
        return None
    seconds = seconds_of(text, LONGEST_ASKED_WAIT_MS // SECOND_MS)
    if seconds is not None:
        wait = seconds * SECOND_MS
    else:
        until, sent = date_of(lines, "retry-after"), date_of(lines, "date")
        if until is None:
            return None
        wait = until - (now if sent is None else sent)
    return min(max(wait, SHORTEST_ASKED_WAIT_MS), LONGEST_ASKED_WAIT_MS)
