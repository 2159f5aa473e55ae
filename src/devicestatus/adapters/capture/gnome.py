"""Foreground and running apps of GNOME, as its shell lists them over the session D-Bus.

The name of an app is its id without `.desktop`.  GNOME 41 and later answer parts of the desktop
only, unless the user has switched the shell's unsafe mode on: the refusal is a reading that fails,
so that the next source is queried.  No other interface of the shell lists its windows.

Invariant *titles are not read*: the answer also has the titles of windows; they are dropped.
Source: GNOME Shell, `org.gnome.Shell.Introspect.xml`, GetWindows.
"""

import os
from collections.abc import Mapping
from typing import Any, Final

import attrs

from devicestatus.adapters.capture.session_bus import Call, SessionBus, session_address
from devicestatus.adapters.capture.sources import DEFAULT_TIMEOUT_SECONDS, DesktopApps

__all__ = ["Gnome", "find"]

_GET_WINDOWS: Final = Call(
    "org.gnome.Shell", "/org/gnome/Shell/Introspect", "org.gnome.Shell.Introspect", "GetWindows"
)

Facts = Mapping[str, tuple[str, Any]]
"""Attributes of a window: name to D-Bus signature and value."""


@attrs.frozen
class Gnome:
    """Query of one GNOME Shell.

    Attributes:
        address: D-Bus address of the session bus; None means the one in the environment.
        timeout_seconds: time limit of one query.

    """

    address: str | None = None
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS

    def active_app(self) -> str | None:
        """Return the app of the window with the focus, or None where no window has it."""
        return next((_app(facts) for facts in self._windows() if _value(facts, "has-focus")), None)

    def running_apps(self) -> list[str | None]:
        """Return the apps of all windows."""
        return [_app(facts) for facts in self._windows()]

    def _windows(self) -> list[Facts]:
        bus = SessionBus(self.address)
        try:
            (windows,) = bus.call(
                _GET_WINDOWS, self.timeout_seconds / 2
            )  # connecting may take as long
        finally:
            bus.close()
        return [windows[identity] for identity in sorted(windows)]


def find() -> DesktopApps | None:
    """Return the GNOME Shell of this session, or None where the environment names none."""
    desktops = os.environ.get("XDG_CURRENT_DESKTOP", "").split(":")
    if "GNOME" not in desktops or session_address() is None:
        return None
    return DesktopApps("GNOME Shell", Gnome())


def _app(facts: Facts) -> str | None:
    name = _value(facts, "app-id")
    return name.removesuffix(".desktop") if isinstance(name, str) else None


def _value(facts: Facts, name: str) -> object:
    _signature, value = facts.get(name, ("", None))
    return value
