"""The state that all parts of a simulation share: time, the true states, and the journal.

The journal is a log: its last lines, and a digest of all for replays.
"""

from collections import Counter, deque
from hashlib import sha256
from typing import Final

import attrs

from simulation.clock import Calendar
from simulation.truth import Truth

_LINES_KEPT: Final = 60


class Journal:
    """The log of one simulation; two runs of one seed have the same digest.

    Attributes:
        lines: how many there are.
        actions: how often each line's first word was written.

    """

    def __init__(self) -> None:
        self.lines = 0
        self.actions: Counter[str] = Counter()
        self._last: deque[str] = deque(maxlen=_LINES_KEPT)
        self._hash = sha256()

    def write(self, at: int, who: str, what: str) -> None:
        """Log an action at an instant of true time."""
        line = f"{at} {who}: {what}"
        self.lines += 1
        self.actions[what.split(" ", 1)[0].rstrip(",:")] += 1
        self._last.append(line)
        self._hash.update(line.encode() + b"\n")

    @property
    def digest(self) -> str:
        """A digest of every line so far."""
        return self._hash.hexdigest()

    @property
    def tail(self) -> str:
        """The last lines."""
        return "\n".join(self._last)


@attrs.frozen
class Context:
    """Time, journal and true states of one simulation."""

    calendar: Calendar = attrs.field(factory=Calendar)
    journal: Journal = attrs.field(factory=Journal)
    truth: Truth = attrs.field(factory=Truth)

    def note(self, who: str, what: str) -> None:
        """Write an action into the journal with the present time."""
        self.journal.write(self.calendar.now, who, what)
