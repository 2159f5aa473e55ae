"""The windows of Windows: rules over facts, and the calls through ctypes."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from status_agent.capture import windows
from status_agent.capture.machine import program_path
from support.status_agent.desktops import FakeWindows, WindowAttributes

TOOL, APP = 0x80, 0x4_0000
WIDE = 0xFFFF_FFFF_0001
FRAME = r"C:\Windows\System32\ApplicationFrameHost.exe"


class TestWindows:
    @pytest.mark.parametrize(
        ("fact", "is_app"),
        [
            (WindowAttributes(), True),
            (WindowAttributes(is_visible=False), False),
            (WindowAttributes(is_cloaked=True), False),
            (WindowAttributes(style=TOOL), False),
            (WindowAttributes(owner=1), False),
            (WindowAttributes(owner=1, style=APP), True),
            (WindowAttributes(style=TOOL | APP), True),
            (WindowAttributes(style=APP, is_visible=False), False),
        ],
    )
    def test_windows_that_a_user_can_switch_to_are_running_apps(
        self, fact: WindowAttributes, is_app: bool
    ) -> None:
        desktop = FakeWindows({5: attrs.evolve(fact, process=9)}, {9: r"C:\a\Editor.exe"}).query()
        assert desktop.running_apps() == (["Editor"] if is_app else [])

    def test_the_desktop_itself_is_no_app(self) -> None:
        desktop = FakeWindows(
            {1: WindowAttributes(process=9)}, {9: r"C:\Windows\explorer.exe"}, front=1
        ).query()
        assert (desktop.active_app(), desktop.running_apps()) == (None, [])

    @pytest.mark.parametrize(
        ("path", "name"),
        [
            (r"C:\Program Files\Mail.App\mail.app.exe", "mail.app"),
            (r"C:\a\SETUP.EXE", "SETUP"),
            (r"\\server\share\한글.exe", "한글"),
            (r"C:\a\screen.scr", "screen.scr"),
        ],
    )
    def test_an_app_has_the_name_of_its_program(self, path: str, name: str) -> None:
        desktop = FakeWindows({5: WindowAttributes(process=9)}, {9: path}, front=5).query()
        assert desktop.active_app() == name

    def test_a_packaged_app_is_the_one_in_the_frame(self) -> None:
        inside = {
            6: WindowAttributes(process=9),
            7: WindowAttributes(process=0),
            8: WindowAttributes(process=10),
        }
        desktop = FakeWindows(
            {5: WindowAttributes(process=9, children=(6, 7, 8)), **inside},
            {9: FRAME, 10: r"C:\Apps\Calculator.exe"},
            front=5,
        ).query()
        assert desktop.active_app() == "Calculator"

    def test_a_frame_without_its_app_is_no_app(self) -> None:
        desktop = FakeWindows({5: WindowAttributes(process=9)}, {9: FRAME}, front=5).query()
        assert (desktop.active_app(), desktop.running_apps()) == (None, [None])

    def test_a_window_or_process_that_is_gone_is_left_out(self) -> None:
        desktop = FakeWindows(
            {5: WindowAttributes(process=0), 6: WindowAttributes(process=8)}, {}, front=77
        ).query()
        assert (desktop.active_app(), desktop.running_apps()) == (None, [None, None])

    def test_another_system_has_no_calls(self) -> None:
        if os.name == "nt":
            pytest.skip("this is Windows")
        assert windows.find() is None


Enumerator = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class Libraries:
    """Functions with the calling types of Win32, called as those are: through ctypes."""

    def __init__(self) -> None:
        number, handle, pointer = ctypes.c_uint32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32)
        integer = ctypes.c_int32

        def made(function: Callable[..., Any], result: Any, *arguments: Any) -> Any:
            return ctypes.CFUNCTYPE(result, *arguments)(function)

        self.user32 = SimpleNamespace(
            GetForegroundWindow=made(lambda: WIDE, handle),
            GetShellWindow=made(lambda: None, handle),
            EnumWindows=made(self.each(WIDE, 6), integer, Enumerator, handle),
            EnumChildWindows=made(
                lambda _, note, more: self.each(7)(note, more), integer, handle, Enumerator, handle
            ),
            IsWindowVisible=made(lambda _: 1, integer, handle),
            GetWindow=made(
                lambda window, which: 6 if (window, which) == (WIDE, 4) else None,
                handle, handle, number,
            ),
            GetWindowLongW=made(
                lambda _, which: -0x7FFC_0000 if which == -20 else 0, integer, handle, integer
            ),
            GetWindowThreadProcessId=made(self.process, number, handle, pointer),
        )  # fmt: skip
        self.dwmapi = SimpleNamespace(
            DwmGetWindowAttribute=made(self.attribute, integer, handle, number, pointer, number)
        )
        programs = {4711: FRAME, 4712: r"C:\Apps\Calculator.exe"}
        self.calls = windows.Windows(self.user32, self.dwmapi, Enumerator, programs.get)

    @staticmethod
    def each(*windows: int) -> Callable[..., int]:
        return lambda note, more: all(note(window, more) for window in windows)

    @staticmethod
    def process(window: int, reported: Any) -> int:
        reported[0] = {WIDE: 4711, 7: 4712}.get(window, 0)
        return 1

    @staticmethod
    def attribute(window: int, which: int, reported: Any, size: int) -> int:
        if (window, which, size) != (6, 14, 4):
            return -1
        reported[0] = 2
        return 0


class TestWin32:
    """Arguments and results cross ctypes as Win32 declares them."""

    def test_handles_are_whole_and_facts_of_windows_are_reported(self) -> None:
        """The second window is cloaked, the first is a frame with another app in it."""
        calls = Libraries().calls
        assert (calls.active_app(), calls.running_apps()) == ("Calculator", ["Calculator"])

    def test_the_program_of_a_process_is_its_absolute_path(self) -> None:
        assert Path(program_path(os.getpid()) or "").samefile(sys.executable)
        ended = subprocess.Popen([sys.executable, "-c", ""])
        ended.wait()
        assert program_path(ended.pid) is None
