"""The clocks of this machine, in whole milliseconds."""

import time
from typing import Final

__all__ = ["steady_clock", "system_clock"]

_NANOSECONDS: Final = 1_000_000  # in a millisecond
# Of Linux's steady clocks only this one counts suspend; macOS's CLOCK_MONOTONIC does.
_STEADY: Final[int | None] = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


def system_clock() -> int:
    """Give the time of day, integer ms since the epoch; it may step either way."""
    return time.time_ns() // _NANOSECONDS


def steady_clock() -> int:
    """Give ms since some instant; it never steps, and it counts the time that a machine sleeps."""
    # Windows has no clock_gettime; its own monotonic clock counts sleep.
    now = time.monotonic_ns() if _STEADY is None else time.clock_gettime_ns(_STEADY)
    return now // _NANOSECONDS
