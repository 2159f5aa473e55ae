"""When an agent uploads, how much, and by which time: what decisions add up to.

Instants are of one monotonic clock, in ms; its start does not matter.
Source: device-status specification, "WindowPolicy", "Request and quota arithmetic"; rulings under
"Agent window".

Invariant *the decision counts*: the next upload follows what `devicestatus.agent.delivery`
decided on the last one, and never before its wait is over; after `stop` there is none.
Invariant *written ahead*: a write is spent of the day's budget when it is begun, for one that gets
no answer may count.
Invariant *what was learnt stays*: a smaller size and a corrected clock hold for all that follows.
"""

from typing import Self

import attrs

from devicestatus import limits
from devicestatus.agent.delivery import Decision
from devicestatus.agent.quota import Budget

__all__ = ["Uploads"]


@attrs.frozen
class Uploads:
    """The course of an agent's uploads; immutable, each step gives the next.

    Attributes:
        budget: what is left of the day's writes.
        attempt: 1 for the first upload after a success, one more for each failure in a row.
        most_bytes: how long a body may be.
        correction_ms: to be added to this machine's time.
        due_at: when the next upload may begin; None at once.
        is_stopped: nothing but a person helps.

    """

    budget: Budget = attrs.field(factory=Budget)
    attempt: int = 1
    most_bytes: int = limits.BATCH_BODY_BYTES
    correction_ms: int = 0
    due_at: int | None = None
    is_stopped: bool = False

    def is_due(self, monotonic_ms: int) -> bool:
        """Tell whether an upload may begin now."""
        if self.is_stopped or self.budget.wait_ms(monotonic_ms) > 0:
            return False
        return self.due_at is None or monotonic_ms >= self.due_at

    def begun(self, monotonic_ms: int) -> Self:
        """Give the course after an upload has begun; raises ValueError where none was due."""
        if not self.is_due(monotonic_ms):
            raise ValueError("no upload is due")
        return attrs.evolve(self, budget=self.budget.spend(monotonic_ms))

    def settled(self, decision: Decision, monotonic_ms: int) -> Self:
        """Give the course after what was decided on the answer, or on its absence."""
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
