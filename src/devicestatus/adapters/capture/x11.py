"""Foreground and running apps of an X11 desktop, as its window manager lists them (EWMH).

An app is called by the class part of its windows' WM_CLASS.  Under Wayland only apps that run in
the X11 compatibility layer are seen.

Invariant *none is not nothing*: no display and no such list is None and ABSENT; a list without
apps is the empty tuple.
Invariant *no cut names*: WM_CLASS is read whole, for the privacy rules; a longer one than 1 MiB is
that of no app.
Invariant *windows may vanish*: a window that closes between two questions is left out, silently.
Invariant *reconnects*: a connection that failed is dropped, and the next reading opens a new one.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

import attrs
from Xlib import X
from Xlib.display import Display
from Xlib.error import BadWindow, ConnectionClosedError
from Xlib.xobject.drawable import Window

from devicestatus.adapters.capture.name_cleaning import named
from devicestatus.adapters.capture.timed_reader import PATIENCE_SECONDS, Attempts
from devicestatus.limits import RUNNING_APPS
from purewire.absent import ABSENT, Absent

__all__ = ["Desktop", "find"]

_ACTIVE: Final = "_NET_ACTIVE_WINDOW"
_CLIENTS: Final = "_NET_CLIENT_LIST"
_FURNITURE: Final = ("_NET_WM_WINDOW_TYPE_DESKTOP", "_NET_WM_WINDOW_TYPE_DOCK")

_WINDOWS: Final = 512  # windows looked at in one reading, at most: each costs two round trips
_KINDS: Final = 16  # types that one window gives itself, at most
_CLASS_UNITS: Final = 262_144  # of WM_CLASS, at most, in units of 4 bytes: 1 MiB
_BYTES: Final = 8
_CARDINALS: Final = 32
"""Widths of the items of a property, in bits."""

Answer = TypeVar("Answer")


@attrs.define(eq=False)
class Desktop:
    """One X11 desktop; connects when it is first read.

    Attributes:
        display: name of the display; None means the one that the environment names.
        patience: how long one reading may take, in seconds.

    """

    display: str | None = None
    patience: float = PATIENCE_SECONDS
    _connection: Any = attrs.field(default=None, init=False)
    _attempts: Attempts = attrs.field(init=False)

    @_attempts.default
    def _default_attempts(self) -> Attempts:
        return Attempts("X11 desktop", self.patience)

    @property
    def works(self) -> bool:
        """Whether the last reading succeeded."""
        return self._attempts.works

    def active_app(self) -> str | None:
        """Give the name of the foreground app, or None where it is not known; never raises."""
        return self._attempts.run(lambda: self._ask(_active_app), None)

    def running_apps(self) -> tuple[str, ...] | Absent:
        """Give the apps that have windows, oldest first, or ABSENT; never raises."""
        return self._attempts.run(lambda: self._ask(_running_apps), ABSENT)

    def close(self) -> None:
        """Close the connection; a later reading opens a new one."""
        self._attempts.run(self._drop, None)

    def _ask(self, question: Callable[[Any], Answer]) -> Answer:
        try:
            if self._connection is None:
                self._connection = Display(self.display)
            return question(self._connection)
        except BaseException:
            self._drop()
            raise

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(ConnectionClosedError):  # the server was faster
                connection.close()


def find() -> Desktop | None:
    """Give the desktop that the environment names, or None where it names none."""
    return Desktop() if os.environ.get("DISPLAY") else None


def _active_app(display: Display) -> str | None:
    windows = _numbers(display, display.screen().root, _ACTIVE, 1)
    return _app(display, windows[0]) if windows and windows[0] != X.NONE else None


def _running_apps(display: Display) -> tuple[str, ...] | Absent:
    windows = _numbers(display, display.screen().root, _CLIENTS, _WINDOWS)
    if windows is None:
        return ABSENT
    apps = (_app(display, window) for window in windows)
    return tuple(dict.fromkeys(app for app in apps if app is not None))[:RUNNING_APPS]


def _app(display: Display, identity: int) -> str | None:
    """Give the name of a window's app; None for panels, desktops and windows that are gone."""
    window = display.create_resource_object("window", identity)
    try:
        if _is_furniture(display, window):
            return None
        classes = _bytes(display, window, "WM_CLASS", _CLASS_UNITS)
    except BadWindow:
        return None
    _instance, _, rest = (classes or b"").partition(b"\0")
    return named(_decode(rest.partition(b"\0")[0]))


def _is_furniture(display: Display, window: Window) -> bool:
    kinds = _numbers(display, window, "_NET_WM_WINDOW_TYPE", _KINDS) or []
    return not {display.get_atom(name) for name in _FURNITURE}.isdisjoint(kinds)


def _decode(raw: bytes) -> str:
    """Read a name as UTF-8, which toolkits write, or else as Latin-1, which the standard says."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _numbers(display: Display, window: Window, name: str, most: int) -> list[int] | None:
    value: Sequence[int] | None = _property(display, window, name, most).get(_CARDINALS)
    return None if value is None else list(value)


def _bytes(display: Display, window: Window, name: str, units: int) -> bytes | None:
    """Return a property of bytes; None if it is not set, or has `units` times 4 bytes or more."""
    value: bytes | None = _property(display, window, name, units).get(_BYTES)
    return None if value is None or len(value) >= 4 * units else value


def _property(display: Display, window: Window, name: str, units: int) -> dict[int, Any]:
    """Return a property, at most `units` times 4 bytes of it, by its width; empty if not set."""
    answer = window.get_property(display.get_atom(name), X.AnyPropertyType, 0, units)
    return {} if answer is None else {answer.format: answer.value}
