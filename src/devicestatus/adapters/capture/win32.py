"""The calls of user32, kernel32 and dwmapi that tell windows and their programs.

Everything that needs Windows is inside of `calls`, so the module can be imported anywhere.

Invariant *handles are closed*: a process is opened with the least right that tells its program, and
closed again.
Source: Win32 API reference.
"""

import ctypes
import sys
from collections.abc import Callable
from typing import Any, Final

import attrs

__all__ = ["Win32", "calls"]

_OWNER: Final = 4
_EXTENDED_STYLE: Final = -20
_CLOAKED: Final = 14
"""GW_OWNER, GWL_EXSTYLE and DWMWA_CLOAKED."""
_LIMITED_INFORMATION: Final = 0x1000
"""PROCESS_QUERY_LIMITED_INFORMATION: granted for programs of other rights, too."""
_PATH_LENGTH: Final = 32_768
"""The longest path, in UTF-16 units, with its end."""

_HANDLE: Final = ctypes.c_void_p
_DWORD: Final = ctypes.c_uint32
_INT: Final = ctypes.c_int32
_BOOL: Final = _INT


@attrs.frozen
class Win32:
    """The calls, with their types declared.

    Attributes:
        user32: the library of windows.
        kernel32: the library of processes.
        dwmapi: the library of the compositor.
        callback: makes a function that the libraries can call: `BOOL (HWND, LPARAM)`.

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
        """Give the window in front, 0 where none is."""
        return self.user32.GetForegroundWindow() or 0

    def desktop(self) -> int:
        """Give the window of the desktop itself, 0 where there is none."""
        return self.user32.GetShellWindow() or 0

    def windows(self) -> list[int]:
        """Give all top-level windows, the frontmost first."""
        return self._listed(lambda each: self.user32.EnumWindows(each, None))

    def children(self, window: int) -> list[int]:
        """Give the windows inside of a window."""
        return self._listed(lambda each: self.user32.EnumChildWindows(window, each, None))

    def is_visible(self, window: int) -> bool:
        """Tell whether a window is shown, minimised ones included."""
        return bool(self.user32.IsWindowVisible(window))

    def is_cloaked(self, window: int) -> bool:
        """Tell whether a window is shown by its own account, but hidden by the system."""
        cloaked = _DWORD(0)
        fault = self.dwmapi.DwmGetWindowAttribute(
            window, _CLOAKED, ctypes.byref(cloaked), ctypes.sizeof(cloaked)
        )
        return fault == 0 and cloaked.value != 0

    def owner(self, window: int) -> int:
        """Give the window that owns a window, 0 where none does."""
        return self.user32.GetWindow(window, _OWNER) or 0

    def style(self, window: int) -> int:
        """Give the extended style of a window."""
        return int(self.user32.GetWindowLongW(window, _EXTENDED_STYLE))

    def process(self, window: int) -> int:
        """Give the id of the process of a window, 0 where the window is gone."""
        process = _DWORD(0)
        self.user32.GetWindowThreadProcessId(window, ctypes.byref(process))
        return process.value

    def program(self, process: int) -> str | None:
        """Give the whole path of the program of a process, or None where it is not told."""
        handle = self.kernel32.OpenProcess(_LIMITED_INFORMATION, 0, process)
        if not handle:
            return None
        try:
            path, length = ctypes.create_unicode_buffer(_PATH_LENGTH), _DWORD(_PATH_LENGTH)
            told = self.kernel32.QueryFullProcessImageNameW(handle, 0, path, ctypes.byref(length))
            return path.value if told else None
        finally:
            self.kernel32.CloseHandle(handle)

    def _listed(self, enumerate_windows: Callable[[Any], object]) -> list[int]:
        found: list[int] = []

        def note(window: int | None, _: int | None) -> int:
            found.append(window or 0)
            return 1  # go on

        enumerate_windows(self.callback(note))
        return found


def calls() -> Win32 | None:
    """Give the calls of this system, or None where it is not Windows."""
    found = None
    if sys.platform == "win32":
        found = Win32(
            ctypes.WinDLL("user32"),
            ctypes.WinDLL("kernel32"),
            ctypes.WinDLL("dwmapi"),
            ctypes.WINFUNCTYPE(_BOOL, _HANDLE, _HANDLE),
        )
    return found
