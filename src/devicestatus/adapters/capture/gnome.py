"""Foreground and running apps of GNOME, as its shell tells over the session D-Bus.

An app is called by its id without `.desktop`.  GNOME 41 and later answer parts of the desktop only,
unless the person has switched the shell's unsafe mode on: the refusal is a reading that fails, so
that the next source is asked.  No other interface of the shell tells its windows.

Invariant *titles are not kept*: the answer has the titles of windows, too, and nobody reads them.
Source: GNOME Shell, `org.gnome.Shell.Introspect.xml`, GetWindows.
"""

import os
from collections.abc import Mapping
from typing import Any, Final

import attrs

from devicestatus.adapters.capture.safe_reading import GuardedApps
from devicestatus.adapters.capture.session_bus import Call, SessionBus, session_address
from devicestatus.adapters.capture.timed_reader import PATIENCE_SECONDS

__all__ = ["Gnome", "find"]

_GET_WINDOWS: Final = Call(
    "org.gnome.Shell", "/org/gnome/Shell/Introspect", "org.gnome.Shell.Introspect", "GetWindows"
)

Facts = Mapping[str, tuple[str, Any]]
"""What the shell says of a window: name to D-Bus signature and value."""


@attrs.frozen
class Gnome:
    """The windows of one GNOME Shell.

    Attributes:
        address: D-Bus address of the session bus; None means the one that the environment names.
        patience: how long one question may take, in seconds.

    """

    address: str | None = None
    patience: float = PATIENCE_SECONDS

    def active_app(self) -> str | None:
        """Give the app of the window with the focus, or None where no window has it."""
        return next((_app(facts) for facts in self._windows() if _value(facts, "has-focus")), None)

    def running_apps(self) -> list[str | None]:
        """Give the apps of all windows."""
        return [_app(facts) for facts in self._windows()]

    def _windows(self) -> list[Facts]:
        bus = SessionBus(self.address)
        try:
            (windows,) = bus.call(_GET_WINDOWS, self.patience / 2)  # connecting may take as long
        finally:
            bus.drop()
        return [windows[identity] for identity in sorted(windows)]


def find() -> GuardedApps | None:
    """Give the GNOME Shell of this session, or None where the environment names none."""
    desktops = os.environ.get("XDG_CURRENT_DESKTOP", "").split(":")
    if "GNOME" not in desktops or session_address() is None:
        return None
    return GuardedApps("GNOME Shell", Gnome())


def _app(facts: Facts) -> str | None:
    name = _value(facts, "app-id")
    return name.removesuffix(".desktop") if isinstance(name, str) else None


def _value(facts: Facts, name: str) -> object:
    _signature, value = facts.get(name, ("", None))
    return value
