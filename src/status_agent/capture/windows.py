"""Foreground and running apps of Windows, as the window manager lists them.

The name of an app is that of its program without `.exe`.  Music is not read: the media sessions of
players are in the Windows Runtime, which ctypes cannot query.  The module can be imported anywhere.

Invariant *what Alt+Tab shows*: only windows that a user can switch to count; the desktop itself,
tool windows, windows owned by others and cloaked ones (on another desktop, or suspended) do not.
Invariant *the app and not its frame*: a window whose frame the system draws for a packaged app
belongs to that app; a frame whose app cannot be read belongs to none.
Invariant *windows may close*: a window or process that ends between two calls is left out.
Source: Win32 API reference, GetForegroundWindow, EnumWindows, DwmGetWindowAttribute; "Which windows
appear in the Alt+Tab list".
"""

import ctypes
import sys
from collections.abc import Callable
from pathlib import PureWindowsPath
from typing import Any, Final

import attrs

from status_agent.capture import sources
from status_agent.capture.machine import program_path

_TOOL_WINDOW: Final = 0x0000_0080
_APP_WINDOW: Final = 0x0004_0000
"""Extended styles of windows: WS_EX_TOOLWINDOW and WS_EX_APPWINDOW."""
_MAX_WINDOWS: Final = 512  # read at one time

_OWNER: Final = 4
_EXTENDED_STYLE: Final = -20
_CLOAKED: Final = 14
"""Win32 constants: GW_OWNER, GWL_EXSTYLE and DWMWA_CLOAKED."""

_SWITCH_DESKTOP: Final = 0x0100
"""Win32 constant DESKTOP_SWITCHDESKTOP: the right that is missing while the screen is locked."""
_TICKS: Final = 2**32
"""Milliseconds after which GetTickCount begins anew."""

_HANDLE: Final = ctypes.c_void_p
_DWORD: Final = ctypes.c_uint32
_INT: Final = ctypes.c_int32
_BOOL: Final = _INT


@attrs.define(eq=False, repr=False)
class Windows(sources.AppSource):
    """Query of the windows of one session; a window is its handle, 0 is none."""

    user32: Any
    dwmapi: Any
    # builds a function that the libraries can call: `BOOL (HWND, LPARAM)`
    callback: Callable[[Callable[[int | None, int | None], int]], Any]
    program: Callable[[int], str | None] = program_path

    def __attrs_post_init__(self) -> None:
        user, number = self.user32, ctypes.POINTER(_DWORD)
        for function, result, *arguments in (
            (user.GetForegroundWindow, _HANDLE),
            (user.GetShellWindow, _HANDLE),
            (user.EnumWindows, _BOOL, _HANDLE, _HANDLE),
            (user.EnumChildWindows, _BOOL, _HANDLE, _HANDLE, _HANDLE),
            (user.IsWindowVisible, _BOOL, _HANDLE),
            (user.GetWindow, _HANDLE, _HANDLE, _DWORD),
            (user.GetWindowLongW, _INT, _HANDLE, _INT),
            (user.GetWindowThreadProcessId, _DWORD, _HANDLE, number),
            (self.dwmapi.DwmGetWindowAttribute, _INT, _HANDLE, _DWORD, number, _DWORD),
        ):
            function.restype, function.argtypes = result, arguments

    def active_app(self) -> str | None:
        """Return the app of the foreground window, or None where none is in front."""
        window = self.user32.GetForegroundWindow() or 0
        return self._app(window) if window not in {0, self._desktop()} else None

    def running_apps(self) -> list[str | None]:
        """Return the apps of all windows that a user can switch to."""
        desktop = self._desktop()
        windows = self._listed(self.user32.EnumWindows)
        shown = [w for w in windows if w != desktop and self._is_shown(w)]
        return [self._app(window) for window in shown[:_MAX_WINDOWS]]

    def _is_shown(self, window: int) -> bool:
        # Minimised windows are visible, and some that are marked visible are hidden.
        if not self.user32.IsWindowVisible(window) or self._is_cloaked(window):
            return False
        style = self.user32.GetWindowLongW(window, _EXTENDED_STYLE)
        if style & _APP_WINDOW:
            return True
        return not style & _TOOL_WINDOW and not self.user32.GetWindow(window, _OWNER)

    def _app(self, window: int) -> str | None:
        process = self._process(window)
        name = self._name(process)
        if name is None or name.casefold() != "applicationframehost":
            return name
        inside = map(self._process, self._listed(self.user32.EnumChildWindows, window))
        return next((self._name(other) for other in inside if other not in {0, process}), None)

    def _name(self, process: int) -> str | None:
        program = self.program(process) if process else None
        if program is None:
            return None
        path = PureWindowsPath(program)
        return path.stem if path.suffix.casefold() == ".exe" else path.name

    def _desktop(self) -> int:
        return self.user32.GetShellWindow() or 0

    def _is_cloaked(self, window: int) -> bool:
        cloaked = _DWORD(0)
        result = self.dwmapi.DwmGetWindowAttribute(
            window, _CLOAKED, ctypes.byref(cloaked), ctypes.sizeof(cloaked)
        )
        return result == 0 and cloaked.value != 0

    def _process(self, window: int) -> int:
        """Return the id of the process of a window, 0 where the window is gone."""
        process = _DWORD(0)
        self.user32.GetWindowThreadProcessId(window, ctypes.byref(process))
        return process.value

    def _listed(self, enumerate_windows: Callable[..., object], *of: int) -> list[int]:
        handles: list[int] = []

        def collect(window: int | None, _: int | None) -> int:
            handles.append(window or 0)
            return 1  # continue

        enumerate_windows(*of, self.callback(collect), None)
        return handles


class _LastInput(ctypes.Structure):
    _fields_ = (("size", _DWORD), ("ticks", _DWORD))


@attrs.define(eq=False, repr=False)
class InputDesktop(sources.PresenceSource):
    """The desktop that gets the input: while the screen is locked, programs cannot open it."""

    user32: Any
    kernel32: Any

    def __attrs_post_init__(self) -> None:
        for function, result, *arguments in (
            (self.user32.OpenInputDesktop, _HANDLE, _DWORD, _BOOL, _DWORD),
            (self.user32.CloseDesktop, _BOOL, _HANDLE),
            (self.user32.GetLastInputInfo, _BOOL, ctypes.POINTER(_LastInput)),
            (self.kernel32.GetTickCount, _DWORD),
        ):
            function.restype, function.argtypes = result, arguments

    def presence(self, idle_ms: int) -> sources.Presence:
        """Return whether the screen is locked, or asks for a password, and the last input."""
        desktop = self.user32.OpenInputDesktop(0, 0, _SWITCH_DESKTOP)
        if desktop:
            self.user32.CloseDesktop(desktop)
        last = _LastInput(ctypes.sizeof(_LastInput), 0)
        if not self.user32.GetLastInputInfo(ctypes.byref(last)):
            return sources.Presence(is_locked=not desktop)
        passed_ms = (self.kernel32.GetTickCount() - last.ticks) % _TICKS
        return sources.Presence(not desktop, passed_ms >= idle_ms)


def find_presence() -> InputDesktop | None:
    """Return the input desktop of this session, or None on other systems than Windows."""
    desktop = None
    if sys.platform == "win32":
        desktop = InputDesktop(ctypes.WinDLL("user32"), ctypes.WinDLL("kernel32"))
    return desktop


def find() -> Windows | None:
    """Return the query of this session, or None on other systems than Windows."""
    windows = None
    if sys.platform == "win32":
        callback = ctypes.WINFUNCTYPE(_BOOL, _HANDLE, _HANDLE)
        windows = Windows(ctypes.WinDLL("user32"), ctypes.WinDLL("dwmapi"), callback)
    return windows
