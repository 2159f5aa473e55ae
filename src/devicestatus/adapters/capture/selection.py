"""Several sources of apps: each question goes to the first one that can be read.

Invariant *first that works*: the answer is that of the first source, in the order given, whose
reading succeeds, "nothing is in front" included; later ones are not asked.
Invariant *none is not known*: where no source can be read the answer is None, or ABSENT.
"""

from collections.abc import Iterable
from typing import Protocol

import attrs

from purewire.absent import ABSENT, Absent

__all__ = ["FirstOfApps", "TellingApps"]


class TellingApps(Protocol):
    """A source of apps that tells whether its last reading succeeded."""

    @property
    def works(self) -> bool:
        """Whether the last reading succeeded."""

    def active_app(self) -> str | None:
        """Give the foreground app, or None where it is not known."""

    def running_apps(self) -> Iterable[str] | Absent:
        """Give the running apps, or ABSENT where they are not known."""

    def close(self) -> None:
        """Let go of what the source holds open."""


@attrs.frozen
class FirstOfApps:
    """Sources of apps, the best one first."""

    sources: tuple[TellingApps, ...]

    @property
    def works(self) -> bool:
        """Whether the last reading of any source succeeded."""
        return any(source.works for source in self.sources)

    def active_app(self) -> str | None:
        """Give the foreground app, or None where it is not known; never raises."""
        for source in self.sources:
            name = source.active_app()
            if source.works:
                return name
        return None

    def running_apps(self) -> Iterable[str] | Absent:
        """Give the running apps, or ABSENT where they are not known; never raises."""
        for source in self.sources:
            names = source.running_apps()
            if source.works:
                return names
        return ABSENT

    def close(self) -> None:
        """Close all sources."""
        for source in self.sources:
            source.close()
