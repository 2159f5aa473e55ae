"""A locked screen and an idle computer: real X server, sway and bus; fake macOS and Windows."""

import ctypes
import os
import plistlib
import shutil
import struct
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
from jeepney import HeaderFields, Message, new_error, new_method_return
from Xlib import X
from Xlib.display import Display

from devicestatus.agent.privacy import PrivacyRules
from status_agent.capture import dbus, machine, macos, wayland, windows, x11
from status_agent.capture.capture import Capture
from status_agent.capture.sources import Presence, Presences, PresenceSource
from status_contracts.primitives import ABSENT
from support.devicestatus.players import serving, session_bus
from support.servers.services import need
from support.status_agent.desktops import (
    LONG_TIMEOUT,
    FakeWayland,
    X11Desktop,
    desktops,
    eventually,
    program,
    sway,
    wl_event,
    x_server,
)

pytestmark = pytest.mark.check

NOON = 1_767_268_800_000
NEVER = 2**31 - 1  # ms
LOCKED, UNLOCKED = Presence(is_locked=True), Presence(is_locked=False)


@attrs.define
class Session:
    """Programs of one name on a bus; `flags` has what they report, by member."""

    flags: dict[str, object]

    def reply(self, question: Message) -> Message:
        member = question.header.fields[HeaderFields.member]
        if member == "GetActive" and "GetActive" in self.flags:
            return new_method_return(question, "b", (self.flags["GetActive"],))
        if member == "Get" and question.body[1] in self.flags:
            value = self.flags[question.body[1]]
            signature = {bool: "b", int: "t", str: "s"}[type(value)]
            return new_method_return(question, "v", ((signature, value),))
        return new_error(question, "org.freedesktop.DBus.Error.UnknownProperty")


@pytest.fixture
def address() -> Iterator[str]:
    with session_bus() as (address, _):
        yield address


class TestLogind:
    def test_its_hints_are_read(self, address: str) -> None:
        session = Session({"LockedHint": True, "IdleHint": False})
        logind = dbus.Logind(address, LONG_TIMEOUT)
        with serving(address, "org.freedesktop.login1", session.reply):
            assert logind.presence(1) == Presence(is_locked=True, is_idle=False)
            session.flags = {"LockedHint": False, "IdleHint": True}
            assert logind.presence(1) == Presence(is_locked=False, is_idle=None)
            session.flags["IdleSinceHintMonotonic"] = int((monotonic() - 60) * 1_000_000)
            assert logind.presence(60_000) == Presence(is_locked=False, is_idle=True)
            assert logind.presence(NEVER) == Presence(is_locked=False, is_idle=False)
            session.flags["Type"] = "x11"
            assert logind.presence(60_000) == Presence(is_locked=False, is_idle=True)
            session.flags["Type"] = "tty"
            assert logind.presence(60_000) == Presence(is_locked=False, is_idle=None)
            session.flags = {}
            assert logind.presence(1) == Presence()
        logind.close()

    def test_it_is_found_on_the_system_bus(
        self, address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
        found = dbus.find_logind()
        assert found is not None
        assert found.address == address
        monkeypatch.delenv("DBUS_SYSTEM_BUS_ADDRESS")
        monkeypatch.setattr(dbus, "_SYSTEM_BUS", str(tmp_path / "none"))
        assert dbus.find_logind() is None


class TestScreenSavers:
    @pytest.mark.parametrize("name", ["org.gnome.ScreenSaver", "org.freedesktop.ScreenSaver"])
    def test_an_active_one_covers_the_screen(self, name: str, address: str) -> None:
        session = Session({"GetActive": True})
        savers = dbus.ScreenSavers(address, LONG_TIMEOUT)
        assert savers.presence(1) == Presence()
        with serving(address, name, session.reply):
            assert savers.presence(1) == LOCKED
            session.flags["GetActive"] = False
            assert savers.presence(1) == UNLOCKED
        savers.close()

    def test_they_are_found_on_the_session_bus(
        self, address: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        assert dbus.find_screen_savers() is not None
        monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")
        monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
        assert dbus.find_screen_savers() is None


OF_X11 = ("i3lock", "slock", "xsecurelock", "xtrlock", "i3lock-color", "xlock", "physlock")
OF_WAYLAND = ("gtklock", "hyprlock", "swaylock", "waylock", ".swaylock-wrapped")


class TestLockers:
    @pytest.mark.parametrize("name", ["alock", "alock-color", ".alock-wrapped-twice"])
    def test_one_that_runs_is_a_locked_screen(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # a name of its own, because other tests look at all processes
        name = name.replace("alock", f"lock{os.getpid() % 10**4}")
        monkeypatch.setattr(machine, "_LOCKERS", {name.strip(".").partition("-")[0].encode()})
        program = tmp_path / name
        shutil.copy(need("sleep"), program)
        found = machine.find_lockers()
        assert found is not None
        assert found.presence(1) == Presence()
        with subprocess.Popen([program, "60"]) as process:
            try:
                assert eventually(lambda: found.presence(1) == LOCKED)
            finally:
                process.kill()
            assert eventually(lambda: found.presence(1) == UNLOCKED)  # it is not waited for yet
        assert found.presence(1) == UNLOCKED
        found.close()

    @pytest.mark.parametrize(
        ("process", "is_locked"),
        [
            *(((name, "S", "4711", "4711"), True) for name in (*OF_X11, *OF_WAYLAND)),
            (("i3lock", "T", "4711", "4711"), True),
            (("i3lock", "Z", "4711", "4711"), None),
            (("i3lock2", "S", "4711", "4711"), None),
            (("xss-lock", "S", "4711", "4711"), None),
            (("swayidle", "S", "4711", "4711"), None),
            (("slock", "S", "4711", "4294967295"), True),
            (("slock", "S", "4711", ""), True),
            (("slock", "S", "0", "4711"), True),  # it has more rights
            (("slock", "S", "65534", "4711"), True),  # it dropped its rights
            (("slock", "S", "65534", "4294967295"), True),  # and nothing records who logged in
            (("slock", "S", "65534", "0"), None),
            (("slock", "S", "0", "4294967295"), None),
            (("slock", "S", "47", "47"), None),
        ],
    )
    def test_a_process_is_a_locker_of_this_screen_by_its_name_state_and_user(
        self,
        process: tuple[str, str, str, str],
        is_locked: bool | None,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        program, state, user, login = process
        for name in ("7", "self", "8"):
            (tmp_path / name).mkdir()
        (tmp_path / "7/comm").write_text(f"{program}\n")
        status = f"Name:\t{program}\nState:\t{state} (any)\nPid:\t7\nUid:\t{user}\t0\t0\t0\n"
        (tmp_path / "7/status").write_text(f"{status}Gid:\t4711\n")
        (tmp_path / "7/loginuid").write_text(login)
        monkeypatch.setattr("os.getuid", lambda: 4711)
        assert machine.Lockers(tmp_path).presence(1).is_locked is is_locked


class Notifying(FakeWayland):
    """A compositor with an idle notifier that sends the events of a test."""

    def __init__(self, folder: Path) -> None:
        self.asked: tuple[int, tuple[int, ...]] | None = None
        self.events: list[int] = []
        super().__init__(folder)

    def answer(self, stream: Any) -> None:
        while len(request := stream.read(8)) == 8:
            subject, word = struct.unpack("=II", request)
            arguments = stream.read((word >> 16) - 8)
            if (subject, word & 0xFFFF) == (1, 1):
                self.send_globals(stream, *struct.unpack("=I", arguments))
            elif subject == 1:
                for event in self.events:
                    stream.write(wl_event(6, event, b""))
                self.events.clear()
                (callback,) = struct.unpack("=I", arguments)
                stream.write(wl_event(callback, 0, bytes(4)) + wl_event(1, 1, arguments))
            elif subject == 5:
                self.asked = (word & 0xFFFF, struct.unpack("=III", arguments))


class TestX11:
    def test_a_blank_screen_is_locked_and_no_input_is_idle(self) -> None:
        with x_server() as (name, _):
            display = Display(name)
            query = x11.X11Query(name)
            display.force_screen_saver(X.ScreenSaverReset)
            display.sync()
            assert query.presence(NEVER) == Presence(is_locked=False, is_idle=False)
            assert eventually(lambda: query.presence(100).is_idle is True)
            display.force_screen_saver(X.ScreenSaverActive)
            display.sync()
            assert eventually(lambda: query.presence(NEVER).is_locked is True)
            display.force_screen_saver(X.ScreenSaverReset)
            display.set_screen_saver(0, 0, X.DefaultBlanking, X.DefaultExposures)
            display.sync()
            assert query.presence(NEVER).is_locked is None  # it never comes
            query.close()
            display.close()

    @pytest.mark.parametrize(
        ("display", "other", "is_found"), [(":1", "", True), (":1", "w", False), ("", "", False)]
    )
    def test_that_of_xwayland_is_not_used(
        self, display: str, other: str, is_found: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("DISPLAY", display)
        monkeypatch.setenv("WAYLAND_DISPLAY", other)
        assert (x11.find_presence() is not None) == is_found


class TestWayland:
    def test_a_real_compositor_reports_that_there_is_no_input(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with TemporaryDirectory(prefix="capture-") as folder, sway(Path(folder)) as display:
            monkeypatch.setenv("WAYLAND_DISPLAY", str(display))
            found = wayland.find_presence()
            assert found is not None
            assert found.presence(NEVER) == Presence(is_idle=False)
            found.close()
            assert eventually(lambda: found.presence(100).is_idle is True)
            found.close()

    @pytest.mark.parametrize(
        ("name", "opcode", "arguments"),
        [("ext_idle_notifier_v1", 1, (6, 60_000, 4)), ("org_kde_kwin_idle", 0, (6, 4, 60_000))],
    )
    def test_a_notifier_is_asked_as_its_protocol_says(
        self, name: str, opcode: int, arguments: tuple[int, ...], tmp_path: Path
    ) -> None:
        with desktops(tmp_path) as start:
            desktop = start(Notifying)
            desktop.interfaces = ("wl_seat", name)
            notifier = wayland.IdleNotifier(desktop.path, LONG_TIMEOUT)
            assert notifier.presence(60_000) == Presence(is_idle=False)
            assert desktop.asked == (opcode, arguments)
            desktop.events.append(0)
            assert notifier.presence(60_000) == Presence(is_idle=True)
            assert notifier.presence(60_000) == Presence(is_idle=True)
            desktop.events += [1, 0, 1]
            assert notifier.presence(60_000) == Presence(is_idle=False)
            notifier.close()


class TestMacos:
    @pytest.fixture
    def registry(self, tmp_path: Path) -> macos.IORegistry:
        own = {"kCGSSessionUserIDKey": os.getuid(), "kCGSSessionOnConsoleKey": True}
        self.write(tmp_path, own)
        script = f'case "$*" in "-a -d1 -n Root") cat {tmp_path}/root ;; *) cat {tmp_path}/hid ;;'
        path = program(tmp_path, f"{script}\nesac")
        return macos.IORegistry(path, LONG_TIMEOUT)

    @staticmethod
    def write(folder: Path, *users: Mapping[str, object]) -> None:
        (folder / "root").write_bytes(plistlib.dumps({"IOConsoleUsers": list(users)}))
        (folder / "hid").write_bytes(plistlib.dumps([{"HIDIdleTime": 5_000_000_000}]))

    def test_a_session_on_the_console_is_not_locked(self, registry: macos.IORegistry) -> None:
        assert registry.presence(5000) == Presence(is_locked=False, is_idle=True)
        assert registry.presence(5001) == Presence(is_locked=False, is_idle=False)
        registry.close()

    @pytest.mark.parametrize(
        "changes", [{"CGSSessionScreenIsLocked": True}, {"kCGSSessionOnConsoleKey": False}]
    )
    def test_a_locked_screen_and_that_of_another_user_are(
        self, changes: dict[str, object], registry: macos.IORegistry, tmp_path: Path
    ) -> None:
        own = {"kCGSSessionUserIDKey": os.getuid(), "kCGSSessionOnConsoleKey": True}
        other = {"kCGSSessionUserIDKey": os.getuid() + 1, "kCGSSessionOnConsoleKey": True}
        self.write(tmp_path, other, own | changes)
        assert registry.presence(5001).is_locked is True


class TestWindows:
    @staticmethod
    def desktop(handle: int, ticks: int, *, is_known: bool = True) -> windows.InputDesktop:
        def last_input(found: Any) -> int:
            pointer = ctypes.cast(found, ctypes.POINTER(windows._LastInput))
            pointer.contents.ticks = 2**32 - 1000  # just before the ticks begin anew
            return int(is_known)

        library = ctypes.CFUNCTYPE
        user32 = SimpleNamespace(
            OpenInputDesktop=library(ctypes.c_void_p, *[ctypes.c_uint32] * 3)(lambda *_: handle),
            CloseDesktop=library(ctypes.c_int32, ctypes.c_void_p)(lambda _: 1),
            GetLastInputInfo=library(ctypes.c_int32, ctypes.c_void_p)(last_input),
        )
        kernel32 = SimpleNamespace(GetTickCount=library(ctypes.c_uint32)(lambda: ticks))
        return windows.InputDesktop(user32, kernel32)

    def test_a_desktop_that_cannot_be_opened_is_locked(self) -> None:
        assert self.desktop(0, 1000).presence(2001) == Presence(is_locked=True, is_idle=False)
        found = self.desktop(7, 1000)
        assert found.presence(2000) == Presence(is_locked=False, is_idle=True)
        found.close()

    def test_input_that_is_not_known_is_not_idle(self) -> None:
        assert self.desktop(7, 0, is_known=False).presence(1) == UNLOCKED


@attrs.define
class Scripted:
    """A source that returns what a test sets, or raises it."""

    found: Presence | Exception
    is_closed: bool = False

    def presence(self, idle_ms: int) -> Presence:
        assert idle_ms == 5 * 60_000
        if isinstance(self.found, Exception):
            raise self.found
        return self.found

    def close(self) -> None:
        self.is_closed = True


class TestSeveralSources:
    def read(self, *sources: PresenceSource) -> Presence:
        named = {str(number): source for number, source in enumerate(sources)}
        return Presences(named, LONG_TIMEOUT).presence(5 * 60_000)

    def test_one_that_reports_a_lock_is_enough(self) -> None:
        assert self.read(Scripted(UNLOCKED), Scripted(LOCKED)).is_locked is True
        assert self.read(Scripted(UNLOCKED), Scripted(Presence())).is_locked is False
        assert self.read(Scripted(Presence())) == Presence()
        assert self.read() == Presence()

    def test_an_error_does_not_unlock_the_screen(self) -> None:
        source = Scripted(LOCKED)
        silent = Scripted(Presence())
        both = Presences({"scripted": source, "silent": silent}, LONG_TIMEOUT)
        assert both.presence(5 * 60_000) == LOCKED
        assert list(both.locks) == ["scripted"]
        source.found = OSError()
        assert both.presence(5 * 60_000) == LOCKED
        source.found = UNLOCKED
        assert both.presence(5 * 60_000) == UNLOCKED
        both.close()
        assert source.is_closed


class TestASessionThatIsLocked:
    def test_no_app_of_a_real_desktop_is_sent_while_the_screen_is_blank(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with ExitStack() as stack:
            desktop: X11Desktop = stack.enter_context(desktops(tmp_path))(X11Desktop)
            desktop.show(["Editor", "Mail"], 0)
            for name in ("DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"):
                monkeypatch.delenv(name, raising=False)
            monkeypatch.setenv("DISPLAY", desktop.name)
            monkeypatch.setattr(dbus, "_SYSTEM_BUS", str(tmp_path / "none"))
            capture = Capture.for_this_machine(PrivacyRules())
            stack.callback(capture.close)
            assert capture.describe()[-1] == "locked: X11 screen saver"
            shown = capture.review(NOON)
            assert (shown.public.active_app, shown.is_locked) == ("Editor", False)
            desktop.display.force_screen_saver(X.ScreenSaverActive)
            desktop.display.sync()
            assert eventually(lambda: capture.review(NOON).is_locked is True)
            hidden = capture.take(NOON)
            assert (hidden.active_app, hidden.running_apps) == (None, ABSENT)
            desktop.display.force_screen_saver(X.ScreenSaverReset)
            desktop.display.sync()
            assert eventually(lambda: capture.take(NOON).active_app == "Editor")
            # a name of its own, because desktops of other tests look at all processes
            monkeypatch.setattr(machine, "_LOCKERS", {b"onlyhere"})
            locker = tmp_path / "onlyhere"
            shutil.copy(need("sleep"), locker)
            with subprocess.Popen([locker, "60"]) as process:
                assert eventually(lambda: capture.take(NOON).active_app is None)
                assert capture.describe()[-1] == "locked: X11 screen saver, running lockers"
                process.kill()
            assert capture.take(NOON).active_app == "Editor"
