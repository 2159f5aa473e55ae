"""Virtual time: a calendar of scheduled events, and the clocks that are read.

True time is integer milliseconds since the epoch; it advances only from one event to the next, so a
simulated day takes as long as its events.  Events of one instant run in the order in which they
were scheduled: nothing depends on anything but the seed.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Final

import attrs

HOUR_MS: Final = 3_600_000
MIDNIGHT: Final = 1_772_323_200_000
"""2026-03-01T00:00:00Z: when every simulation begins, at the start of a UTC day."""


class Calendar:
    """True time, and the scheduled events."""

    def __init__(self, start: int = MIDNIGHT) -> None:
        self.now = start
        self._made = 0
        self._appointments: list[tuple[int, int, Callable[[], object]]] = []

    def after(self, delay_ms: int, happen: Callable[[], object]) -> None:
        """Schedule an event after a delay; 0 is still later than now."""
        self._made += 1
        heappush(self._appointments, (self.now + delay_ms, self._made, happen))

    def run(self, until: int) -> None:
        """Run all events that are due before or at an instant."""
        while self._appointments and self._appointments[0][0] <= until:
            self.now, _, happen = heappop(self._appointments)
            happen()
        self.now = until


@attrs.define
class SteppedClock:
    """A wall clock that can be set, and a monotonic one that cannot.

    Attributes:
        calendar: true time.
        offset: how far the wall clock is ahead, ms.
        booted: true instant at which the monotonic clock began; it counts suspended time.

    """

    calendar: Calendar
    offset: int = 0
    booted: int = MIDNIGHT

    @property
    def wall(self) -> int:
        """The wall clock, ms since the epoch."""
        return self.calendar.now + self.offset

    @property
    def monotonic(self) -> int:
        """The monotonic clock, ms."""
        return self.calendar.now - self.booted
