"""Foreground and running apps of an X11 desktop, as its window manager lists them (EWMH).

Its screen saver extension reports whether the screen is blank, and since when there was no input.

The name of an app is the class part of its windows' WM_CLASS, else the instance part, else that of
its process; its other names are all of these, and those of its desktop file.  Under Wayland only
apps that run in the X11 compatibility layer are listed.

Invariant *unknown is not empty*: no display and no window list is None and ABSENT; a list without
apps is the empty tuple, and one of windows without a name is not known.
Invariant *no truncated names*: WM_CLASS is read whole, for the privacy rules; a window whose class
is longer than 1 MiB has no app.
Invariant *windows may close*: a window that closes between two requests is left out, silently.
Invariant *reconnects*: a connection that failed is dropped, and the next reading opens a new one.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

import attrs
from Xlib import X
from Xlib.display import Display
from Xlib.error import BadWindow, ConnectionClosedError
from Xlib.ext import screensaver
from Xlib.xobject.drawable import Window

from status_agent.capture import sources
from status_agent.capture.app_names import app_name, process_names, text_of
from status_contracts.primitives import ABSENT, Absent, is_visible

_ACTIVE: Final = "_NET_ACTIVE_WINDOW"
_CLIENTS: Final = "_NET_CLIENT_LIST"
_NOT_APPS: Final = ("_NET_WM_WINDOW_TYPE_DESKTOP", "_NET_WM_WINDOW_TYPE_DOCK")

_DISABLED: Final = 3  # state of a screen saver that never comes
_MAX_WINDOWS: Final = 512  # read at one time: each costs three round trips
_MAX_WINDOW_TYPES: Final = 16  # of one window
_MAX_CLASS_UNITS: Final = 262_144  # of WM_CLASS, in units of 4 bytes: 1 MiB

Result = TypeVar("Result")


@attrs.define(eq=False)
class X11Query(sources.AppSource):
    """Query of one X11 desktop; connects when it is first read."""

    display: str | None = None  # that of the environment
    _connection: Any = attrs.field(default=None, init=False)

    def active_app(self) -> str | None:
        """Return the app of the active window, or None where no window is active."""
        return self._query(_active_app)

    def running_apps(self) -> list[str | None] | Absent:
        """Return the apps of all windows, oldest first, or ABSENT where they are not listed."""
        return self._query(_running_apps)

    def presence(self, idle_ms: int) -> sources.Presence:
        """Return whether the screen saver is on, and whether there was input."""
        return self._query(partial(_presence, idle_ms))

    def close(self) -> None:
        """Close the connection; a later reading opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(ConnectionClosedError):  # the server closed it first
                connection.close()

    def _query(self, read: Callable[[Any], Result]) -> Result:
        try:
            if self._connection is None:
                self._connection = Display(self.display)
            return read(self._connection)
        except BaseException:
            self.close()
            raise


def find() -> X11Query | None:
    """Return the desktop that the environment names, or None where it names none."""
    return X11Query() if os.environ.get("DISPLAY") else None


def find_presence() -> X11Query | None:
    """Return the screen saver of an X11 session; that of Xwayland sees input of X11 apps only."""
    is_x11 = os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY")
    return X11Query() if is_x11 else None


def _presence(idle_ms: int, display: Display) -> sources.Presence:
    if not display.has_extension(screensaver.extname):
        raise LookupError("the X server has no screen saver extension")
    info = display.screen().root.screensaver_query_info()
    is_locked = None if info.state == _DISABLED else info.state == screensaver.StateOn
    return sources.Presence(is_locked, info.idle >= idle_ms)


def _active_app(display: Display) -> str | None:
    windows = _property(display, display.screen().root, _ACTIVE, 32, 1)
    return _app(display, windows[0]) or None if windows and windows[0] != X.NONE else None


def _running_apps(display: Display) -> list[str | None] | Absent:
    windows = _property(display, display.screen().root, _CLIENTS, 32, _MAX_WINDOWS)
    apps = [] if windows is None else [_app(display, window) for window in windows]
    return ABSENT if windows is None else [app for app in apps if app != ""]


def _app(display: Display, identity: int) -> str | None:
    """Return the name of a window's app, None where it has none.

    It is empty for a panel, a desktop and a window that is gone.
    """
    window = display.create_resource_object("window", identity)
    try:
        types = _property(display, window, "_NET_WM_WINDOW_TYPE", 32, _MAX_WINDOW_TYPES) or ()
        if not {display.get_atom(name) for name in _NOT_APPS}.isdisjoint(types):
            return ""
        classes = _property(display, window, "WM_CLASS", 8, _MAX_CLASS_UNITS)
        processes = _property(display, window, "_NET_WM_PID", 32, 1)
    except BadWindow:
        return ""
    raw = bytes(classes or ())
    if len(raw) >= 4 * _MAX_CLASS_UNITS:
        return None
    process = processes[0] if processes else None
    instance, name = map(text_of, (*raw.split(b"\0"), b"", b"")[:2])
    of_process = [] if process is None else process_names(process)
    names = filter(is_visible, (name, instance, *of_process))
    first = next(names, None)
    return None if first is None else app_name(first, [instance], process=process)


def _property(
    display: Display, window: Window, name: str, bits: int, units: int
) -> Sequence[int] | None:
    """Return the items of a property, at most `units` times 4 bytes of them.

    None where the property is not set, or its items are not of `bits` bits.
    """
    answer = window.get_property(display.get_atom(name), X.AnyPropertyType, 0, units)
    if answer is None or answer.format != bits:
        return None
    items: Sequence[int] = answer.value
    return items
