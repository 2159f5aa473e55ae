"""A day's writes to the store, spent evenly over the day.

Source: device-status specification, "Request and quota arithmetic": writes per day are limited,
counted from 00:00 UTC.  The time is handed in; give a clock that nobody sets, such as the time at
the start plus what a monotonic clock says since.

Each write uses up the pace, the time that one write may take; a burst is written ahead of it.

Invariant *a day's writes*: whatever is called with whatever times, no 24 hours hold more writes
than a day has.  So no UTC day does, and it does not matter whose midnight counts.
Invariant *evenly*: an hour holds at most its twenty-fourth of a day's writes and one burst, which
is a hundredth of them (of few writes, a single one).  Who asks all the time writes through every
day to its end.
Invariant *a clock set back gives nothing back*: the wait is until the same instant as before, so a
clock that was set back has to catch up.
Invariant *the interval is never delayed*: with the specification's writes, uploads 300 s apart
always may be written, and so may the retries of `devicestatus.agent.delivery` between them.
"""

from typing import Final, Self

import attrs

from devicestatus import limits
from purewire.instants import DAY_MS

__all__ = ["Budget"]

_BURST_SHARE: Final = 100  # the burst is the writes of a day by this


@attrs.frozen
class Budget:
    """What is left of a day's writes; immutable, each write gives the next budget.

    Attributes:
        writes_per_day: how many writes a day has, 1 or more; of a shared account, this share.
        spent_until: the instant, ms since the epoch, up to which the writes so far use up the
            time; None before the first.  Who keeps it over a restart keeps the invariants.

    Raises:
        ValueError: a day has no write.

    """

    writes_per_day: int = limits.WRITES_PER_DAY
    spent_until: int | None = None

    def __attrs_post_init__(self) -> None:
        if self.writes_per_day < 1:
            raise ValueError("a day has 1 write or more")

    @property
    def burst(self) -> int:
        """How many writes may follow each other at once after a rest."""
        return max(1, self.writes_per_day // _BURST_SHARE)

    @property
    def pace_ms(self) -> int:
        """Time from one write to the next of who writes all the time.

        The burst and what is written at this pace make no more than a day's writes in 24 hours.
        """
        return -(-DAY_MS // (self.writes_per_day - self.burst + 1))

    def wait_ms(self, now_ms: int) -> int:
        """Give the time until the next write, 0 where it may be made now."""
        if self.spent_until is None:
            return 0
        ahead_ms = (self.burst - 1) * self.pace_ms
        return max(0, self.spent_until - ahead_ms - now_ms)

    def spend(self, now_ms: int) -> Self:
        """Give the budget after a write; spend before it, for one without an answer may count.

        Raises:
            ValueError: there is a wait first; nothing is spent.

        """
        if self.wait_ms(now_ms) > 0:
            raise ValueError("no write is left now: wait first")
        begins = now_ms if self.spent_until is None else max(now_ms, self.spent_until)
        return attrs.evolve(self, spent_until=begins + self.pace_ms)
