"""Foreground and running apps of Windows, as the window manager lists them.

An app is called by the name of its program without `.exe`.  Music is not told: the sessions of the
players are in the Windows Runtime, which no part of the standard library can ask.

Invariant *what Alt+Tab shows*: only windows that a person can switch to are of running apps; the
desktop itself, tool windows, windows owned by others and cloaked ones (on another desktop, or
suspended) are not.
Invariant *the app and not its frame*: a window whose frame the system draws for a packaged app is
that of the app; a frame whose app cannot be seen is none.
Invariant *windows may vanish*: a window or process that ends between two questions is left out.
Source: Win32 API, GetForegroundWindow, EnumWindows, QueryFullProcessImageNameW,
DwmGetWindowAttribute; "Which windows appear in the Alt+Tab list".
"""

from collections.abc import Sequence
from pathlib import PureWindowsPath
from typing import Final, Protocol

import attrs

from devicestatus.adapters.capture import win32
from devicestatus.adapters.capture.safe_reading import GuardedApps

__all__ = ["Calls", "Windows", "find"]

_FRAME: Final = "applicationframehost"
_TOOL_WINDOW: Final = 0x0000_0080
_APP_WINDOW: Final = 0x0004_0000
"""Extended styles of windows: WS_EX_TOOLWINDOW and WS_EX_APPWINDOW."""
_WINDOWS: Final = 512  # windows looked at in one reading, at most


class Calls(Protocol):
    """What is asked of the system; a window is its handle, 0 is none; a call may raise OSError."""

    def foreground(self) -> int:
        """Give the window in front, 0 where none is."""

    def desktop(self) -> int:
        """Give the window of the desktop itself, 0 where there is none."""

    def windows(self) -> Sequence[int]:
        """Give all top-level windows, the frontmost first."""

    def children(self, window: int) -> Sequence[int]:
        """Give the windows inside of a window."""

    def is_visible(self, window: int) -> bool:
        """Tell whether a window is shown, minimised ones included."""

    def is_cloaked(self, window: int) -> bool:
        """Tell whether a window is shown by its own account, but hidden by the system."""

    def owner(self, window: int) -> int:
        """Give the window that owns a window, 0 where none does."""

    def style(self, window: int) -> int:
        """Give the extended style of a window."""

    def process(self, window: int) -> int:
        """Give the id of the process of a window, 0 where the window is gone."""

    def program(self, process: int) -> str | None:
        """Give the whole path of the program of a process, or None where it is not told."""


@attrs.frozen
class Windows:
    """The windows of one session.

    Attributes:
        calls: asks the system.

    """

    calls: Calls

    def active_app(self) -> str | None:
        """Give the app of the foreground window, or None where none is in front."""
        window = self.calls.foreground()
        return self._app(window) if window not in {0, self.calls.desktop()} else None

    def running_apps(self) -> list[str | None]:
        """Give the apps of all windows that a person can switch to."""
        desktop = self.calls.desktop()
        shown = [w for w in self.calls.windows() if w != desktop and self._is_shown(w)]
        return [self._app(window) for window in shown[:_WINDOWS]]

    def _is_shown(self, window: int) -> bool:
        if not self.calls.is_visible(window) or self.calls.is_cloaked(window):
            return False
        style = self.calls.style(window)
        if style & _APP_WINDOW:
            return True
        return not style & _TOOL_WINDOW and self.calls.owner(window) == 0

    def _app(self, window: int) -> str | None:
        process = self.calls.process(window)
        name = self._name(process)
        if name is None or name.casefold() != _FRAME:
            return name
        inside = (self.calls.process(child) for child in self.calls.children(window))
        return next((self._name(other) for other in inside if other not in {0, process}), None)

    def _name(self, process: int) -> str | None:
        program = self.calls.program(process) if process else None
        if program is None:
            return None
        path = PureWindowsPath(program)
        return path.stem if path.suffix.casefold() == ".exe" else path.name


def find() -> GuardedApps | None:
    """Give the windows of this session, or None on another system than Windows."""
    calls = win32.calls()
    return None if calls is None else GuardedApps("windows", Windows(calls))
