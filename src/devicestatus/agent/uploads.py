"""Schedule of an agent's uploads: when the next one begins, its size, and the clock correction.

Instants are of one monotonic clock, in ms; its start does not matter.
Source: device-status specification, "WindowPolicy", "Request and quota arithmetic"; design
decisions under "Agent window".

Invariant *decisions are followed*: the next upload follows the decision of
`devicestatus.agent.delivery` on the last one, and never before its wait is over; after `stop` there
is none.
Invariant *consumed at the start*: a write is consumed from the day's quota when it begins, for one
that gets no response may count.
Invariant *corrections stay*: a smaller size and a clock correction hold for all later uploads.

Contract: DS-POLICY-01, DS-QUOTA-05.
"""

from typing import Self

import attrs

from devicestatus import limits
from devicestatus.agent.delivery import Decision
from devicestatus.agent.quota import WriteQuota

__all__ = ["UploadSchedule"]


@attrs.frozen
class UploadSchedule:
    """The schedule of an agent's uploads of windows; immutable, each step returns the next.

    Attributes:
        quota: the rest of the day's writes.
        attempt: 1 for the first upload after a success, one more for each failure in a row.
        most_bytes: maximum length of a body.
        correction_ms: to be added to this machine's time.
        due_at: when the next upload may begin; None at once.
        is_stopped: whether the agent has stopped; only a user can help.

    """

    quota: WriteQuota = attrs.field(factory=WriteQuota)
    attempt: int = 1
    most_bytes: int = limits.BATCH_BODY_BYTES
    correction_ms: int = 0
    due_at: int | None = None
    is_stopped: bool = False

    def is_due(self, monotonic_ms: int) -> bool:
        """Check whether an upload may begin now."""
        if self.is_stopped or self.quota.wait_ms(monotonic_ms) > 0:
            return False
        return self.due_at is None or monotonic_ms >= self.due_at

    def after_start(self, monotonic_ms: int) -> Self:
        """Return the schedule after an upload has begun; raise ValueError where none was due."""
        if not self.is_due(monotonic_ms):
            raise ValueError("no upload is due")
        return attrs.evolve(self, quota=self.quota.consume(monotonic_ms))

    def after_decision(self, decision: Decision, monotonic_ms: int) -> Self:
        """Return the schedule after a decision on a response, or on its absence."""
        accepted = decision.action == "accepted"
        wait_ms = limits.UPLOAD_INTERVAL_MS if decision.wait_ms is None else decision.wait_ms
        return attrs.evolve(
            self,
            attempt=1 if accepted else self.attempt + 1,
            most_bytes=decision.most_bytes or self.most_bytes,
            correction_ms=self.correction_ms + (decision.correction_ms or 0),
            due_at=monotonic_ms + wait_ms,
            is_stopped=decision.action == "stop",
        )
