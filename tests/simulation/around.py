"""What everybody in a simulated world shares: time, the journal, and the truth."""

import attrs

from simulation.clock import Calendar
from simulation.journal import Journal
from simulation.truth import Truth

__all__ = ["Around"]


@attrs.frozen
class Around:
    """One world's time, journal and truth."""

    calendar: Calendar = attrs.field(factory=Calendar)
    journal: Journal = attrs.field(factory=Journal)
    truth: Truth = attrs.field(factory=Truth)

    def note(self, who: str, what: str) -> None:
        """Write into the journal what somebody does now."""
        self.journal.write(self.calendar.now, who, what)
