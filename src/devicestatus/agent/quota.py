"""Quota of a day's writes to the store, spread evenly over the day.

Each write consumes one interval, the time that one write may take; a burst is written ahead of it.
The caller passes the time; use a clock that is never set, such as the time at the start plus the
progress of a monotonic clock since.
Source: device-status specification, "Request and quota arithmetic".

Invariant *a day's writes*: for any sequence of calls and times, no 24 hours hold more writes than a
day has, so no UTC day does.
Invariant *evenly*: an hour holds at most its twenty-fourth of a day's writes and one burst, which
is a hundredth of them, at least one.
Invariant *a clock set back returns no quota*: the wait is until the same instant as before.
Invariant *regular uploads are never delayed*: with the specification's writes, neither uploads
300 s apart nor the retries of `devicestatus.agent.delivery` between them wait.

Contract: DS-QUOTA-02, DS-QUOTA-05.
"""

from typing import Final, Self

import attrs

from devicestatus import limits
from purewire.instants import DAY_MS

__all__ = ["WriteQuota"]

_BURST_SHARE: Final = 100  # the burst is a day's writes divided by this


@attrs.frozen
class WriteQuota:
    """The rest of a day's writes; immutable, each write returns the next quota.

    Attributes:
        writes_per_day: number of writes of a day, 1 or more; of a shared account, this share.
        consumed_until: the instant, ms of the caller's clock, up to which the writes so far consume the
            time; None before the first.  Keep it over a restart to keep the invariants.

    Raises:
        ValueError: `writes_per_day` is less than 1.

    """

    writes_per_day: int = limits.WRITES_PER_DAY
    consumed_until: int | None = None

    def __attrs_post_init__(self) -> None:
        if self.writes_per_day < 1:
            raise ValueError(f"writes_per_day is {self.writes_per_day}, it must be 1 or more")

    @property
    def burst(self) -> int:
        """Number of writes that may follow each other at once after a rest."""
        return max(1, self.writes_per_day // _BURST_SHARE)

    @property
    def interval_ms(self) -> int:
        """Time from one write to the next of a caller that writes whenever it may.

        The burst and the writes at this interval are no more than a day's writes in 24 hours.
        """
        return -(-DAY_MS // (self.writes_per_day - self.burst + 1))

    def wait_ms(self, now_ms: int) -> int:
        """Return the time until the next write, 0 where it may be made now."""
        if self.consumed_until is None:
            return 0
        ahead_ms = (self.burst - 1) * self.interval_ms
        return max(0, self.consumed_until - ahead_ms - now_ms)

    def consume(self, now_ms: int) -> Self:
        """Return the quota after a write; call it before the write, which counts in any case.

        Raises:
            ValueError: the next write may not be made yet; nothing is consumed.

        """
        if self.wait_ms(now_ms) > 0:
            raise ValueError(f"no write may be made now: wait {self.wait_ms(now_ms)} ms")
        begins = now_ms if self.consumed_until is None else max(now_ms, self.consumed_until)
        return attrs.evolve(self, consumed_until=begins + self.interval_ms)
