"""The state that all parts of a simulated world share: time, the journal, and the truth."""

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
        """Write an action into the journal with the present time."""
        self.journal.write(self.calendar.now, who, what)
