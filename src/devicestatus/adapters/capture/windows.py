"""Foreground and running apps of Windows, as the window manager lists them.

The name of an app is that of its program without `.exe`.  Music is not read: the media sessions of
players are in the Windows Runtime, which the standard library cannot query.  Everything that needs
Windows is inside `load_win32`, so the module can be imported anywhere.

Invariant *what Alt+Tab shows*: only windows that a user can switch to count; the desktop itself,
tool windows, windows owned by others and cloaked ones (on another desktop, or suspended) do not.
Invariant *the app and not its frame*: a window whose frame the system draws for a packaged app
belongs to that app; a frame whose app cannot be read belongs to none.
Invariant *windows may close*: a window or process that ends between two calls is left out.
Invariant *handles are closed*: a process is opened with the least right that reads the path of its
program, and closed again.
Source: Win32 API reference, GetForegroundWindow, EnumWindows, QueryFullProcessImageNameW,
DwmGetWindowAttribute; "Which windows appear in the Alt+Tab list".
"""

import ctypes
import sys
from collections.abc import Callable, Sequence
from pathlib import PureWindowsPath
from typing import Any, Final, Protocol

import attrs

from devicestatus.adapters.capture.sources import DesktopApps

__all__ = ["Win32", "WindowCalls", "Windows", "find", "load_win32"]

_FRAME: Final = "applicationframehost"
_TOOL_WINDOW: Final = 0x0000_0080
_APP_WINDOW: Final = 0x0004_0000
"""Extended styles of windows: WS_EX_TOOLWINDOW and WS_EX_APPWINDOW."""
_MAX_WINDOWS: Final = 512  # read at one time

_OWNER: Final = 4
_EXTENDED_STYLE: Final = -20
_CLOAKED: Final = 14
"""Win32 constants: GW_OWNER, GWL_EXSTYLE and DWMWA_CLOAKED."""
_LIMITED_INFORMATION: Final = 0x1000
"""PROCESS_QUERY_LIMITED_INFORMATION: granted for elevated programs, too."""
_PATH_LENGTH: Final = 32_768
"""The longest path, in UTF-16 units, with its terminator."""

_HANDLE: Final = ctypes.c_void_p
_DWORD: Final = ctypes.c_uint32
_INT: Final = ctypes.c_int32
_BOOL: Final = _INT


class WindowCalls(Protocol):
    """System calls about windows; a window is its handle, 0 is none; a call may raise OSError."""

    def foreground(self) -> int:
        """Return the window in front, 0 where none is."""

    def desktop(self) -> int:
        """Return the window of the desktop itself, 0 where there is none."""

    def windows(self) -> Sequence[int]:
        """Return all top-level windows, the frontmost first."""

    def children(self, window: int) -> Sequence[int]:
        """Return the child windows of a window."""

    def is_visible(self, window: int) -> bool:
        """Check whether a window is visible; minimised ones are."""

    def is_cloaked(self, window: int) -> bool:
        """Check whether the system hides a window that is marked visible."""

    def owner(self, window: int) -> int:
        """Return the window that owns a window, 0 where none does."""

    def style(self, window: int) -> int:
        """Return the extended style of a window."""

    def process(self, window: int) -> int:
        """Return the id of the process of a window, 0 where the window is gone."""

    def program(self, process: int) -> str | None:
        """Return the absolute path of the program of a process, or None where it cannot be read."""


@attrs.frozen
class Windows:
    """Query of the windows of one session.

    Attributes:
        calls: makes the system calls.

    """

    calls: WindowCalls

    def active_app(self) -> str | None:
        """Return the app of the foreground window, or None where none is in front."""
        window = self.calls.foreground()
        return self._app(window) if window not in {0, self.calls.desktop()} else None

    def running_apps(self) -> list[str | None]:
        """Return the apps of all windows that a user can switch to."""
        desktop = self.calls.desktop()
        shown = [w for w in self.calls.windows() if w != desktop and self._is_shown(w)]
        return [self._app(window) for window in shown[:_MAX_WINDOWS]]

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


@attrs.frozen
class Win32:
    """The system calls, with their types declared.

    Attributes:
        user32: the library of windows.
        kernel32: the library of processes.
        dwmapi: the library of the compositor.
        callback: builds a function that the libraries can call: `BOOL (HWND, LPARAM)`.

    """

    user32: Any
    kernel32: Any
    dwmapi: Any
    callback: Callable[[Callable[[int | None, int | None], int]], Any]

    def __attrs_post_init__(self) -> None:
        user, kernel, number = self.user32, self.kernel32, ctypes.POINTER(_DWORD)
        declared = (
            (user.GetForegroundWindow, _HANDLE, ()),
            (user.GetShellWindow, _HANDLE, ()),
            (user.EnumWindows, _BOOL, (_HANDLE, _HANDLE)),
            (user.EnumChildWindows, _BOOL, (_HANDLE, _HANDLE, _HANDLE)),
            (user.IsWindowVisible, _BOOL, (_HANDLE,)),
            (user.GetWindow, _HANDLE, (_HANDLE, _DWORD)),
            (user.GetWindowLongW, _INT, (_HANDLE, _INT)),
            (user.GetWindowThreadProcessId, _DWORD, (_HANDLE, number)),
            (kernel.OpenProcess, _HANDLE, (_DWORD, _BOOL, _DWORD)),
            (kernel.CloseHandle, _BOOL, (_HANDLE,)),
            (
                kernel.QueryFullProcessImageNameW,
                _BOOL,
                (_HANDLE, _DWORD, ctypes.c_wchar_p, number),
            ),
            (self.dwmapi.DwmGetWindowAttribute, _INT, (_HANDLE, _DWORD, number, _DWORD)),
        )
        for function, result, arguments in declared:
            function.restype, function.argtypes = result, arguments

    def foreground(self) -> int:
        """Return the window in front, 0 where none is."""
        return self.user32.GetForegroundWindow() or 0

    def desktop(self) -> int:
        """Return the window of the desktop itself, 0 where there is none."""
        return self.user32.GetShellWindow() or 0

    def windows(self) -> list[int]:
        """Return all top-level windows, the frontmost first."""
        return self._listed(lambda each: self.user32.EnumWindows(each, None))

    def children(self, window: int) -> list[int]:
        """Return the child windows of a window."""
        return self._listed(lambda each: self.user32.EnumChildWindows(window, each, None))

    def is_visible(self, window: int) -> bool:
        """Check whether a window is visible; minimised ones are."""
        return bool(self.user32.IsWindowVisible(window))

    def is_cloaked(self, window: int) -> bool:
        """Check whether the system hides a window that is marked visible."""
        cloaked = _DWORD(0)
        result = self.dwmapi.DwmGetWindowAttribute(
            window, _CLOAKED, ctypes.byref(cloaked), ctypes.sizeof(cloaked)
        )
        return result == 0 and cloaked.value != 0

    def owner(self, window: int) -> int:
        """Return the window that owns a window, 0 where none does."""
        return self.user32.GetWindow(window, _OWNER) or 0

    def style(self, window: int) -> int:
        """Return the extended style of a window."""
        return int(self.user32.GetWindowLongW(window, _EXTENDED_STYLE))

    def process(self, window: int) -> int:
        """Return the id of the process of a window, 0 where the window is gone."""
        process = _DWORD(0)
        self.user32.GetWindowThreadProcessId(window, ctypes.byref(process))
        return process.value

    def program(self, process: int) -> str | None:
        """Return the absolute path of the program of a process, or None where it cannot be read."""
        handle = self.kernel32.OpenProcess(_LIMITED_INFORMATION, 0, process)
        if not handle:
            return None
        try:
            path, length = ctypes.create_unicode_buffer(_PATH_LENGTH), _DWORD(_PATH_LENGTH)
            is_found = self.kernel32.QueryFullProcessImageNameW(
                handle, 0, path, ctypes.byref(length)
            )
            return path.value if is_found else None
        finally:
            self.kernel32.CloseHandle(handle)

    def _listed(self, enumerate_windows: Callable[[Any], object]) -> list[int]:
        found: list[int] = []

        def collect(window: int | None, _: int | None) -> int:
            found.append(window or 0)
            return 1  # continue

        enumerate_windows(self.callback(collect))
        return found


def load_win32() -> Win32 | None:
    """Return the system calls, or None where the system is not Windows."""
    found = None
    if sys.platform == "win32":
        found = Win32(
            ctypes.WinDLL("user32"),
            ctypes.WinDLL("kernel32"),
            ctypes.WinDLL("dwmapi"),
            ctypes.WINFUNCTYPE(_BOOL, _HANDLE, _HANDLE),
        )
    return found


def find() -> DesktopApps | None:
    """Return the windows of this session, or None on other systems than Windows."""
    calls = load_win32()
    return None if calls is None else DesktopApps("windows", Windows(calls))
