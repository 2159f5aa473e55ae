"""The clocks of this machine, in whole milliseconds."""

import time
from typing import Final

__all__ = ["MILLISECOND_NS", "steady_clock", "system_clock"]

MILLISECOND_NS: Final = 1_000_000
"""Nanoseconds of a millisecond."""
# On Linux only CLOCK_BOOTTIME includes suspend; on macOS CLOCK_MONOTONIC does.
_STEADY: Final[int | None] = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


def system_clock() -> int:
    """Return the time of day, integer ms since the epoch; it may step in both directions."""
    return time.time_ns() // MILLISECOND_NS


def steady_clock() -> int:
    """Return ms since an arbitrary instant; it never steps, and includes time in suspend."""
    # Windows has no clock_gettime; its monotonic clock includes suspend.
    now = time.monotonic_ns() if _STEADY is None else time.clock_gettime_ns(_STEADY)
    return now // MILLISECOND_NS
