"""Desktops that are asked anew with every question, made into sources of apps that never raise.

Invariant *one way of failing*: a desktop says what it knows, None and ABSENT included, or raises;
`GuardedApps` turns what it raises, and its silence, into "not known".
Invariant *names as given*: a name is returned as the desktop gave it, for the privacy rules; one of
which nothing is left when it is cleaned is no name, and each name is returned once.
"""

from collections.abc import Iterable
from typing import Protocol

import attrs

from devicestatus.adapters.capture.name_cleaning import named
from devicestatus.adapters.capture.timed_reader import PATIENCE_SECONDS, Attempts
from devicestatus.limits import RUNNING_APPS
from purewire.absent import ABSENT, Absent

__all__ = ["Desk", "GuardedApps"]


class Desk(Protocol):
    """One way to ask a desktop; holds nothing open between questions, may raise anything."""

    def active_app(self) -> str | None:
        """Give the foreground app, or None where none is in front."""

    def running_apps(self) -> Iterable[str | None] | Absent:
        """Give the apps that have windows, or ABSENT where the desktop does not list them."""


@attrs.define(eq=False)
class GuardedApps:
    """The apps of one desktop.

    Attributes:
        subject: the desktop, as the log calls it.
        desk: asks it.
        patience: how long one reading may take, in seconds.

    """

    subject: str
    desk: Desk
    patience: float = PATIENCE_SECONDS
    _attempts: Attempts = attrs.field(init=False)

    @_attempts.default
    def _default_attempts(self) -> Attempts:
        return Attempts(self.subject, self.patience)

    @property
    def works(self) -> bool:
        """Whether the last reading succeeded."""
        return self._attempts.works

    def active_app(self) -> str | None:
        """Give the name of the foreground app, or None where it is not known; never raises."""
        return self._attempts.run(self._active_app, None)

    def running_apps(self) -> tuple[str, ...] | Absent:
        """Give the apps that have windows, or ABSENT where they are not known; never raises."""
        return self._attempts.run(self._running_apps, ABSENT)

    def close(self) -> None:
        """Do nothing: nothing is held open between readings."""

    def _active_app(self) -> str | None:
        return named(self.desk.active_app())

    def _running_apps(self) -> tuple[str, ...] | Absent:
        names = self.desk.running_apps()
        if names is ABSENT:
            return ABSENT
        return tuple(dict.fromkeys(filter(None, map(named, names))))[:RUNNING_APPS]
