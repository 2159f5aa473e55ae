"""Foreground and running apps of GNOME, as its shell lists them over the session D-Bus.

The name of an app is its id without `.desktop`; its other names are the class of its windows, its
id in a sandbox, and those of its desktop file.  GNOME 41 and later answer parts of the desktop
only, unless the user has switched the shell's unsafe mode on: the refusal is a reading that fails,
so that the next source is queried.  No other interface of the shell lists its windows.

Invariant *titles are not read*: the answer also has the titles of windows; they are dropped.
Source: GNOME Shell, `org.gnome.Shell.Introspect.xml`, GetWindows.
"""

import os
from collections.abc import Mapping
from contextlib import closing
from typing import Any, Final

import attrs

from devicestatus.adapters.capture import sources
from devicestatus.adapters.capture.app_names import app_name
from devicestatus.adapters.capture.session_bus import Member, SessionBus, session_address

_GET_WINDOWS: Final = Member(
    "org.gnome.Shell", "/org/gnome/Shell/Introspect", "org.gnome.Shell.Introspect", "GetWindows"
)
_UNSET: Final = ("", None)

Properties = Mapping[str, tuple[str, Any]]
"""Properties of a window: name to D-Bus signature and value."""


@attrs.frozen
class Gnome:
    """Query of one GNOME Shell."""

    address: str | None = None  # that of the environment
    timeout_seconds: float = sources.DEFAULT_TIMEOUT_SECONDS

    def active_app(self) -> str | None:
        """Return the app of the window with the focus, or None where no window has it."""
        focused = (window for window in self._windows() if window.get("has-focus", _UNSET)[1])
        return next(map(_app, focused), None)

    def running_apps(self) -> list[str | None]:
        """Return the apps of all windows."""
        return list(map(_app, self._windows()))

    def _windows(self) -> list[Properties]:
        with closing(SessionBus(self.address)) as bus:
            # Half of the time is left for the connection.
            (windows,) = bus.call(_GET_WINDOWS, self.timeout_seconds / 2)
        return [windows[identity] for identity in sorted(windows)]


def find() -> sources.DesktopApps | None:
    """Return the GNOME Shell of this session, or None where the environment names none."""
    desktops = os.environ.get("XDG_CURRENT_DESKTOP", "").split(":")
    if "GNOME" not in desktops or session_address() is None:
        return None
    return sources.DesktopApps("GNOME Shell", Gnome())


def _app(window: Properties) -> str | None:
    values = (window.get(name, _UNSET)[1] for name in ("app-id", "wm-class", "sandboxed-app-id"))
    name, *others = (value if isinstance(value, str) else None for value in values)
    return None if name is None else app_name(name.removesuffix(".desktop"), others)
