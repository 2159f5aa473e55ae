"""Compute when to send the next request after a failure.

Source: design decisions under "Site-data file".

Invariant *doubling*: after n failures in a row the wait is at most 15 s doubled n - 1 times, at
most an hour, and at least half of that.  The caller draws a random number for the place in between,
so clients do not send at the same time.
Invariant *bounded*: a wait that Retry-After asks for is limited to between a second and a day.
"""

from typing import Final

from purewire.instants import SECOND_MS
from sitedata.limits import (
    FIRST_BACKOFF_MS,
    MAX_BACKOFF_MS,
    MAX_RETRY_AFTER_MS,
    MIN_RETRY_AFTER_MS,
)
from sitedata.serving.headers import HeaderLines, date_value, parse_seconds, single_value

__all__ = ["backoff_ms", "retry_after_ms"]

_MAX_DOUBLINGS: Final = 8  # further ones exceed the longest wait


def backoff_ms(failures: int, jitter: float) -> int:
    """Return the wait after a number of failures in a row, in ms.

    Args:
        failures: 1 or more.
        jitter: random number of the caller, 0 or more and less than 1.

    Raises:
        ValueError: `jitter` is out of range.

    """
    if not 0 <= jitter < 1:
        raise ValueError("jitter must be 0 or more and less than 1")
    longest = min(FIRST_BACKOFF_MS << min(failures - 1, _MAX_DOUBLINGS), MAX_BACKOFF_MS)
    return int(longest * (1 + jitter) / 2)


def retry_after_ms(headers: HeaderLines, now: int) -> int | None:
    """Return the wait of Retry-After, in ms; None if it is missing or invalid.

    A date counts from the Date of the response, if it has one, so clocks need not agree.
    """
    lines = tuple(headers)
    text = single_value(lines, "retry-after")
    if text is None:
        return None
    seconds = parse_seconds(text, MAX_RETRY_AFTER_MS // SECOND_MS)
    if seconds is not None:
        wait = seconds * SECOND_MS
    else:
        until, sent = date_value(lines, "retry-after"), date_value(lines, "date")
        if until is None:
            return None
        wait = until - (now if sent is None else sent)
    return min(max(wait, MIN_RETRY_AFTER_MS), MAX_RETRY_AFTER_MS)
