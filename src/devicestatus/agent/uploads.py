"""Schedule of an agent's uploads: when the next one begins, its size, and the clock correction.

Instants are of one monotonic clock, in ms; its start does not matter.
Invariant *decisions are followed*: the next upload follows the decision of
`devicestatus.agent.delivery` on the last one, and never before its wait is over.  A smaller size
and a clock correction hold for all later uploads.
Invariant *consumed at the start*: a write is consumed from the day's quota when it begins, for one
that gets no response may count.
Invariant *a day's writes*: for any sequence of calls and times, no 24 hours hold more writes than a
day has, so no UTC day does.
Invariant *evenly*: an hour holds at most its twenty-fourth of a day's writes and one burst, which
is a hundredth of them, at least one.
Invariant *a clock set back returns no quota*: the wait is until the same instant as before.
Invariant *changes are sent at once*: a snapshot that shows another foreground app, other music or
a lock than the last one sent is due at once, within the quota of changes; one that shows the same
again is not.  A change never shortens a back-off, and delays the next regular upload by nothing but
the interval from it.
"""

from typing import Final, Self

import attrs
from attrs.validators import ge

from devicestatus import limits
from devicestatus.agent.delivery import Decision
from devicestatus.models import Snapshot
from status_contracts.instants import DAY_MS

__all__ = ["UploadSchedule", "WriteQuota"]

_BURST_SHARE: Final = 100  # the burst is a day's writes divided by this


@attrs.frozen
class WriteQuota:
    """The rest of a day's writes; immutable, each write returns the next quota.

    Attributes:
        writes_per_day: 1 or more, else ValueError; of a shared account, this share.
        consumed_until: the instant, ms of the caller's clock, up to which the writes so far consume
            the time; None before the first.  Keep it over a restart to keep the invariants.

    """

    writes_per_day: int = attrs.field(default=limits.WRITES_PER_DAY, validator=ge(1))
    consumed_until: int | None = None

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
        """Return the quota after a write, to be called before it; raise ValueError if too early."""
        if self.wait_ms(now_ms) > 0:
            raise ValueError(f"no write may be made now: wait {self.wait_ms(now_ms)} ms")
        begins = now_ms if self.consumed_until is None else max(now_ms, self.consumed_until)
        return attrs.evolve(self, consumed_until=begins + self.interval_ms)


@attrs.frozen
class UploadSchedule:
    """The schedule of an agent's uploads; immutable, each step returns the next.

    Attributes:
        interval_ms: time from one upload to the next without a change.
        changes: the rest of a day's writes that changes may add; None where they wait.
        attempt: 1 for the first upload after a success, one more for each failure in a row.
        most_bytes: maximum length of the body of a window.
        correction_ms: to be added to this machine's time.
        due_at: when the next upload may begin; None at once.

    """

    interval_ms: int = limits.UPLOAD_INTERVAL_MS
    changes: WriteQuota | None = None
    attempt: int = 1
    most_bytes: int = limits.BATCH_BODY_BYTES
    correction_ms: int = 0
    due_at: int | None = None
    _shown: object = attrs.field(default=None, repr=False)

    def is_due(self, monotonic_ms: int, snapshot: Snapshot | None = None) -> bool:
        """Check whether an upload, of this snapshot if one was read, may begin now."""
        if self.wait_ms(monotonic_ms) == 0:
            return True
        if snapshot is None or self.changes is None or self.attempt > 1:
            return False
        return _visible(snapshot) != self._shown and self.changes.wait_ms(monotonic_ms) == 0

    def wait_ms(self, monotonic_ms: int) -> int:
        """Return the time until the next upload without a change."""
        return 0 if self.due_at is None else max(0, self.due_at - monotonic_ms)

    def after_start(self, monotonic_ms: int, snapshot: Snapshot | None = None) -> Self:
        """Return the schedule after an upload has begun; raise ValueError where none was due."""
        if not self.is_due(monotonic_ms, snapshot):
            raise ValueError("no upload is due")
        changes = self.changes
        if changes is not None and self.wait_ms(monotonic_ms) > 0:
            changes = changes.consume(monotonic_ms)
        return attrs.evolve(
            self,
            changes=changes,
            due_at=monotonic_ms + self.interval_ms,
            shown=self._shown if snapshot is None else _visible(snapshot),
        )

    def after_decision(self, decision: Decision, monotonic_ms: int) -> Self:
        """Return the schedule after a decision on a response, or on its absence."""
        wait_ms = decision.wait_ms
        is_regular = wait_ms is None or decision.action == "accepted"
        return attrs.evolve(
            self,
            attempt=1 if is_regular else self.attempt + 1,
            most_bytes=decision.most_bytes or self.most_bytes,
            correction_ms=self.correction_ms + (decision.correction_ms or 0),
            due_at=self.due_at if wait_ms is None else monotonic_ms + wait_ms,
        )


def _visible(snapshot: Snapshot) -> object:
    """Return what a change is: not battery and load, which differ in every snapshot."""
    return snapshot.active_app, snapshot.music, snapshot.running_apps == ()
