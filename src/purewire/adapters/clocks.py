"""The time of this machine."""

import time

__all__ = ["system_clock"]

_NANOSECONDS = 1_000_000  # in a millisecond


def system_clock() -> int:
    """Give the time of day, integer ms since the epoch; it may step either way."""
    return time.time_ns() // _NANOSECONDS
