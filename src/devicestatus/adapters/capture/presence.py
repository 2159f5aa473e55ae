"""Query logind and screen savers, over D-Bus, for a locked screen and an idle computer.

Desktops set the hints of logind, or run a screen saver with one of several names.  A program that
locks the screen and reports it to neither is not seen here.
Source: systemd, `org.freedesktop.login1`; the idle inhibition service of freedesktop.org.
"""

import os
from pathlib import Path
from typing import Final

import attrs

from devicestatus.adapters.capture.session_bus import Member, SessionBus, session_address
from devicestatus.adapters.capture.sources import DEFAULT_TIMEOUT_SECONDS, Presence

_SESSION: Final = ("org.freedesktop.login1", "/org/freedesktop/login1/session/auto")
_HINTS: Final = {
    name: Member(*_SESSION, "org.freedesktop.login1.Session", name)
    for name in ("LockedHint", "IdleHint")
}
_SCREEN_SAVERS: Final = {
    name: Member(name, f"/{name.replace('.', '/')}", name, "GetActive")
    for name in (
        "org.freedesktop.ScreenSaver",
        "org.gnome.ScreenSaver",
        "org.cinnamon.ScreenSaver",
        "org.mate.ScreenSaver",
        "org.xfce.ScreenSaver",
    )
}
_SYSTEM_BUS: Final = "/run/dbus/system_bus_socket"


@attrs.define(eq=False)
class Logind:
    """The hints of this user's session in logind, on the system bus."""

    address: str
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    subject: str = "logind"
    _bus: SessionBus = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._bus = SessionBus(self.address)

    def presence(self, _idle_ms: int, /) -> Presence:
        """Return what the desktop has reported to logind, which has its own idle time."""
        hints = self._bus.properties(_HINTS, self.timeout_seconds / 2)
        if not hints:
            self.close()
            raise TimeoutError("logind does not answer in time")
        return Presence(_flag(hints.get("LockedHint")), _flag(hints.get("IdleHint")))

    def close(self) -> None:
        """Close the connection."""
        self._bus.close()


@attrs.define(eq=False)
class ScreenSavers:
    """The screen savers on a session bus; one that is active covers the screen."""

    address: str | None = None  # that of the environment
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    subject: str = "screen saver"
    _bus: SessionBus = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._bus = SessionBus(self.address)

    def presence(self, _idle_ms: int, /) -> Presence:
        """Return whether one is active, not known where none runs; they report no idle time."""
        answers = self._bus.results(_SCREEN_SAVERS, self.timeout_seconds / 2)
        if not answers:
            self.close()
            raise TimeoutError("the session bus does not answer in time")
        known = [value for value in answers.values() if isinstance(value, bool)]
        return Presence(is_locked=any(known) if known else None)

    def close(self) -> None:
        """Close the connection."""
        self._bus.close()


def find_logind() -> Logind | None:
    """Return logind of the system bus, or None where there is no such bus."""
    address = os.environ.get("DBUS_SYSTEM_BUS_ADDRESS")
    if not address and Path(_SYSTEM_BUS).is_socket():
        address = f"unix:path={_SYSTEM_BUS}"
    return Logind(address) if address else None


def find_screen_savers() -> ScreenSavers | None:
    """Return the screen savers of the session that the environment names, or None."""
    return ScreenSavers() if session_address() is not None else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None
