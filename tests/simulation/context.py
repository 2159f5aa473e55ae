"""The state that all parts of a simulation share: time, the journal, and the true states."""

import attrs

from simulation.clock import Calendar
from simulation.journal import Journal
from simulation.truth import Truth

__all__ = ["Context"]


@attrs.frozen
class Context:
    """Time, journal and true states of one simulation."""

    calendar: Calendar = attrs.field(factory=Calendar)
    journal: Journal = attrs.field(factory=Journal)
    truth: Truth = attrs.field(factory=Truth)

    def note(self, who: str, what: str) -> None:
        """Write an action into the journal with the present time."""
        self.journal.write(self.calendar.now, who, what)
