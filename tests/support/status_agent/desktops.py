"""Desktops that show what a test wants: real ones where they can run, else their protocols.

A desktop is a desktop with the source that reads it.  Real are the X server, the session bus, Unix
sockets and programs; the desktops themselves implement the
Wayland compositor, the output of the programs of macOS and the calls of Windows.
"""

import json
import os
import shutil
import signal
import socket
import socketserver
import struct
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import attrs
from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.xobject.drawable import Window

from status_agent.capture import macos, wayland, windows, x11
from status_agent.capture.sources import AppSource, Desktop
from status_contracts.primitives import ABSENT
from support.devicestatus import players
from support.servers.services import need

LONG_TIMEOUT = players.LONG_TIMEOUT
SHORT_TIMEOUT = 0.4  # seconds; for readings that are meant to be too late

Names = Sequence[str]
StartDesktop = Callable[[type[Any]], Any]


class FakeDesktop:
    """A desktop that shows what a test wants, and the source that reads it."""

    subject: str

    def source(self, timeout: float) -> Desktop:
        """Return the source, as the package creates it."""
        raise NotImplementedError

    def show(self, apps: Names, front: int | None) -> None:
        """Show a window of each app; the one at `front` is active."""
        raise NotImplementedError

    def refuse(self) -> None:
        """Run without a response."""
        raise NotImplementedError

    def respond_with(self, nonsense: bytes) -> None:
        """Answer all questions with these bytes, or the nearest thing the protocol can carry."""
        self.refuse()

    def hang(self) -> None:
        """Respond to nothing, and do not end either."""
        raise NotImplementedError

    def end(self) -> None:
        """Stop running."""
        self.refuse()

    def close(self) -> None:
        """Clean up."""


class FakeSocketServer(FakeDesktop):
    """A Unix socket server; a session is what `answer` makes of one connection."""

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "socket")
        self.nonsense: bytes | None = None
        self.silent = False
        self.released = Event()
        self.apps: Names = ()
        self.front: int | None = None
        desktop = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                desktop.session(self.request, self.request.makefile("rwb", buffering=0))

        self.server = socketserver.ThreadingUnixStreamServer(self.path, Handler)
        self.thread = Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def source(self, timeout: float) -> Desktop:
        return Desktop(self.subject, self.query(timeout), timeout)

    def query(self, timeout: float) -> AppSource:
        raise NotImplementedError

    def show(self, apps: Names, front: int | None) -> None:
        self.apps, self.front, self.nonsense, self.silent = apps, front, None, False

    def respond_with(self, nonsense: bytes) -> None:
        self.nonsense = nonsense

    def refuse(self) -> None:
        self.nonsense = b""

    def hang(self) -> None:
        self.silent = True

    def end(self) -> None:
        self.server.shutdown()
        Path(self.path).unlink()

    def close(self) -> None:
        self.released.set()
        self.server.shutdown()
        self.thread.join(LONG_TIMEOUT)
        self.server.server_close()

    def session(self, connection: socket.socket, stream: Any) -> None:
        with stream:
            try:
                if self.silent:
                    self.released.wait(LONG_TIMEOUT)
                elif self.nonsense is None:
                    self.answer(stream)
                else:
                    stream.read(4096)  # what is left unread would break the answer
                    stream.write(self.nonsense)
                    connection.shutdown(socket.SHUT_WR)
                    while stream.read(4096):  # what the source sends meanwhile breaks no pipe
                        pass
            except (BrokenPipeError, ConnectionResetError):
                pass  # the source has received enough

    def answer(self, stream: Any) -> None:
        raise NotImplementedError


def wl_string(text: str) -> bytes:
    raw = text.encode("utf-8", "surrogateescape") + b"\0"
    return struct.pack("=I", len(raw)) + raw + bytes(-len(raw) % 4)


def wl_event(subject: int, opcode: int, arguments: bytes) -> bytes:
    return struct.pack("=II", subject, (8 + len(arguments)) << 16 | opcode) + arguments


class FakeWayland(FakeSocketServer):
    subject = "Wayland desktop"
    interfaces = ("wl_compositor", "zwlr_foreign_toplevel_manager_v1", "wl_shm")

    def query(self, timeout: float) -> AppSource:
        return wayland.Wayland(self.path, timeout)

    def answer(self, stream: Any) -> None:
        while (request := stream.read(8)) and len(request) == 8:
            subject, word = struct.unpack("=II", request)
            size, opcode = word >> 16, word & 0xFFFF
            arguments = stream.read(size - 8)
            match (subject, opcode):
                case (1, 1):
                    self.send_globals(stream, *struct.unpack("=I", arguments))
                case (1, 0):
                    (callback,) = struct.unpack("=I", arguments)
                    stream.write(wl_event(callback, 0, bytes(4)) + wl_event(1, 1, arguments))
                case (2, 0):
                    manager = struct.pack("=I", 2) + wl_string(self.interfaces[1])
                    assert arguments[: len(manager)] == manager
                    self.send_windows(stream, *struct.unpack("=II", arguments[len(manager) :]))

    def send_globals(self, stream: Any, registry: int) -> None:
        for number, name in enumerate(self.interfaces, 1):
            reported = struct.pack("=I", number) + wl_string(name) + struct.pack("=I", 3)
            stream.write(wl_event(registry, 0, reported))

    def send_windows(self, stream: Any, version: int, manager: int) -> None:
        assert version == 1
        for place, name in enumerate([*self.apps, "closed at once"]):
            window = 0xFF000000 + place
            states = [0, 2] if place == self.front else [1]
            packed = struct.pack(f"=I{len(states)}I", 4 * len(states), *states)
            stream.write(wl_event(manager, 0, struct.pack("=I", window)))
            stream.write(wl_event(window, 0, wl_string("a private title")))
            stream.write(wl_event(window, 1, wl_string(name)))
            stream.write(wl_event(window, 4, packed) + wl_event(window, 5, b""))
            if place == len(self.apps):
                stream.write(wl_event(window, 6, b""))


class FakeProgram(FakeDesktop):
    """A program that prints the files beside it, as one of macOS would print them."""

    script: str

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "program"
        self.write("mode", b"answers")
        self.program.write_text(f'#!/bin/sh\ncd "$(dirname "$0")"\n{PROLOGUE}\n{self.script}')
        self.program.chmod(0o700)

    def write(self, name: str, content: bytes) -> None:
        (self.folder / name).write_bytes(content)

    def respond_with(self, nonsense: bytes) -> None:
        self.write("nonsense", nonsense)
        self.write("mode", b"nonsense")

    def refuse(self) -> None:
        self.write("mode", b"refuses")

    def hang(self) -> None:
        self.write("mode", b"hangs")

    def end(self) -> None:
        self.program.unlink()


PROLOGUE = """\
case "$(cat mode)" in
  nonsense) exec cat nonsense ;;
  refuses) echo 'execution error: a private name' >&2; exit 1 ;;
  hangs) sleep 60; exit 0 ;;
esac"""

LISTED = """\
{number:2}) "{name}" ASN:0x0-0x{number}{number}: {front}
    bundleID="com.example.{number}"
    bundle path="/Applications/App {number}.app"
    executable path="/Applications/App {number}.app/Contents/MacOS/App"
    pid = {number}00 type="{kind}" flavor=3 Version="1" fileType="APPL" creator="abcd" Arch=ARM64
    parentASN="Dock" ASN:0x0-0x7007:
    launch time =  2026/01/01 10:00:00 ( 3 hours, 5 minutes, 52.6464 seconds ago )
"""


class FakeLaunchServices(FakeProgram):
    subject = "Launch Services"
    script = """\
case "$*" in
  front) cat front ;;
  list) cat list ;;
  "info -only name $(cat front)") cat name ;;
  *) exit 64 ;;
esac
"""

    def source(self, timeout: float) -> Desktop:
        query = macos.LaunchServices(str(self.program), timeout)
        return Desktop(self.subject, query, timeout)

    def show(self, apps: Names, front: int | None) -> None:
        front_line = "[ NULL ] " if front is None else f"ASN:0x0-0x{front + 10}{front + 10}: "
        named = "" if front is None else f'"LSDisplayName"="{apps[front]}"'
        agent = LISTED.format(number=9, name="Dock", front="", kind="UIElement")
        listed = [
            LISTED.format(
                number=n, name=name, front="(in front)" * (n - 10 == front), kind="Foreground"
            )
            for n, name in enumerate(apps, 10)
        ]
        self.write("mode", b"answers")
        self.write("front", f"{front_line.strip()}\n".encode())
        self.write("name", f"{named}\n".encode())
        self.write("list", "".join([agent, *listed]).encode())


class FakeMusicPlayers(FakeProgram):
    subject = "music players"
    script = """\
[ "$1 $2 $3" = "-l JavaScript -e" ] || exit 64
case "$4" in
  *playerState*) cat music ;;
  *) exit 64 ;;
esac
"""

    def players(self, timeout: float = LONG_TIMEOUT) -> macos.AppPlayers:
        return macos.AppPlayers(str(self.program), timeout)

    def play(self, *players: object) -> None:
        self.write("mode", b"answers")
        self.write("music", json.dumps(players).encode() + b"\n")


@attrs.define
class WindowAttributes:
    """Attributes of one window for the fake window manager."""

    process: int = 0
    style: int = 0
    owner: int = 0
    is_visible: bool = True
    is_cloaked: bool = False
    children: Sequence[int] = ()


class FakeWindows:
    """Libraries of Windows that report fixed attributes.

    Attributes:
        shown: handle to attributes of the window.
        paths: process id to path of its program.
        front: the foreground window.
        before: called before each list of windows is returned.

    """

    def __init__(
        self,
        shown: Mapping[int, WindowAttributes] | None = None,
        paths: Mapping[int, str] | None = None,
        front: int = 0,
    ) -> None:
        self.shown = dict(shown or {})
        self.paths = dict(paths or {})
        self.front = front
        self.before: Callable[[], object] = lambda: None

    def program(self, process: int) -> str | None:
        return self.paths.get(process)

    def query(self) -> windows.Windows:
        def listed(note: Any, _: None) -> None:
            self.before()
            for window in self.shown:
                note(window, None)

        def foreground() -> int:
            self.before()
            return self.front

        def process(window: int, number: Any) -> None:
            number._obj.value = self.shown[window].process if window in self.shown else 0

        def cloaked(window: int, _: int, number: Any, __: int) -> int:
            number._obj.value = self.shown[window].is_cloaked
            return 0

        user32 = SimpleNamespace(
            GetForegroundWindow=foreground,
            GetShellWindow=lambda: 1,
            EnumWindows=listed,
            EnumChildWindows=lambda window, note, _: [
                note(child, None) for child in self.shown[window].children
            ],
            IsWindowVisible=lambda window: self.shown[window].is_visible,
            GetWindow=lambda window, _: self.shown[window].owner or None,
            GetWindowLongW=lambda window, _: self.shown[window].style,
            GetWindowThreadProcessId=process,
        )
        dwmapi = SimpleNamespace(DwmGetWindowAttribute=cloaked)
        return windows.Windows(user32, dwmapi, lambda note: note, self.program)


class FakeWindowsDesktop(FakeDesktop):
    subject = "windows"

    def __init__(self, folder: Path) -> None:
        self.calls = FakeWindows()
        self.released = Event()

    def source(self, timeout: float) -> Desktop:
        return Desktop(self.subject, self.calls.query(), timeout)

    def show(self, apps: Names, front: int | None) -> None:
        handles = range(1000, 1000 + len(apps))
        self.calls.before = lambda: None
        self.calls.shown = {
            1: WindowAttributes(process=1),
            **{n: WindowAttributes(process=n) for n in handles},
        }
        self.calls.paths = {
            1: r"C:\Windows\explorer.exe",
            **{
                n: rf"C:\Program Files\{n}\{name}.EXE"
                for n, name in zip(handles, apps, strict=True)
            },
        }
        self.calls.front = 0 if front is None else handles[front]

    def refuse(self) -> None:
        def fail() -> None:
            raise OSError("a private name")

        self.calls.before = fail

    def hang(self) -> None:
        self.calls.before = lambda: self.released.wait(LONG_TIMEOUT)

    def close(self) -> None:
        self.released.set()


class Manager:
    """Windows, with the properties that a window manager sets."""

    def __init__(self, name: str) -> None:
        self.display = Display(name)
        self.root = self.display.screen().root

    def window(self, raw_class: bytes | None, kind: str | None = None) -> Window:
        window = self.root.create_window(0, 0, 10, 10, 0, X.CopyFromParent)
        if raw_class is not None:
            window.change_property(Xatom.WM_CLASS, Xatom.STRING, 8, raw_class)
        if kind is not None:
            value = self.atom(f"_NET_WM_WINDOW_TYPE_{kind}")
            window.change_property(self.atom("_NET_WM_WINDOW_TYPE"), Xatom.ATOM, 32, [value])
        window.map()
        self.display.sync()
        return window

    def list_windows(self, *windows: Window) -> None:
        ids = [window.id for window in windows]
        self.root.change_property(self.atom("_NET_CLIENT_LIST"), Xatom.WINDOW, 32, ids)
        self.display.sync()

    def activate(self, window: Window | None) -> None:
        ids = [X.NONE if window is None else window.id]
        self.root.change_property(self.atom("_NET_ACTIVE_WINDOW"), Xatom.WINDOW, 32, ids)
        self.display.sync()

    def clear(self) -> None:
        for name in ("_NET_CLIENT_LIST", "_NET_ACTIVE_WINDOW"):
            self.root.delete_property(self.atom(name))
        self.display.sync()

    def atom(self, name: str) -> int:
        atom: int = self.display.intern_atom(name)
        return atom


class X11Desktop(FakeDesktop):
    """A real X server, and windows with the properties that a window manager sets."""

    subject = "X11 desktop"

    def __init__(self, folder: Path) -> None:
        self.stack = ExitStack()
        self.name, self.server = self.stack.enter_context(x_server())
        self.manager = Manager(self.name)
        self.display = self.manager.display
        self.sources: list[Desktop] = []
        self.show((), None)

    def source(self, timeout: float) -> Desktop:
        self.sources.append(x11_desktop(self.name, timeout))
        return self.sources[-1]

    def show(self, apps: Names, front: int | None) -> None:
        shown = [self.manager.window(b"instance\0%b\0" % name.encode()) for name in apps]
        self.manager.list_windows(*shown)
        self.manager.activate(None if front is None else shown[front])

    def hang(self) -> None:
        self.server.send_signal(signal.SIGSTOP)

    def close(self) -> None:
        self.server.send_signal(signal.SIGCONT)
        self.display.sync()
        for source in self.sources:  # a question that hung is answered now
            assert eventually(partial(_is_read, source))
            source.close()
        self.display.close()
        self.stack.close()


def _is_read(source: Desktop) -> bool:
    return source.running_apps() is not ABSENT


def x11_desktop(display: str | None, timeout: float) -> Desktop:
    """Return the apps of an X11 desktop, as the package creates them."""
    return Desktop(X11Desktop.subject, x11.X11Query(display), timeout)


@contextmanager
def x_server(display: str | None = None) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run an X server without a screen, on a free display or on the one given."""
    options = ("-displayfd", "1", "-screen", "0", "320x240x24", "-nolisten", "tcp", "-noreset")
    named = () if display is None else (display,)
    with players.running(need("Xvfb"), *named, *options) as server:
        yield f":{players.first_line(server)}", server


def eventually(holds: Callable[[], bool]) -> bool:
    deadline = monotonic() + LONG_TIMEOUT
    while monotonic() < deadline:
        if holds():
            return True
        sleep(0.02)
    return False


def program(folder: Path, script: str) -> str:
    path = folder / "a program"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o700)
    return str(path)


@contextmanager
def desktops(folder: Path) -> Iterator[StartDesktop]:
    """Yield a function that creates desktops by class; close them at the end."""
    made: list[FakeDesktop] = []

    def make(kind: type[Any]) -> Any:
        made.append(kind(folder))
        return made[-1]

    try:
        yield make
    finally:
        for desktop in made:
            desktop.close()


@contextmanager
def running(
    *command: str, environment: Mapping[str, str], unprivileged: bool = False
) -> Iterator[None]:
    """Run a program until the end; sway, for one, does not run as root."""
    unprivileged_user = 65_534 if unprivileged and os.geteuid() == 0 else None
    process = subprocess.Popen(
        command,
        env={"PATH": os.environ["PATH"], **environment},
        user=unprivileged_user,
        group=unprivileged_user,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(LONG_TIMEOUT)


def of_sway(folder: Path) -> dict[str, str]:
    """Return the environment of a compositor without a screen, and of its programs."""
    return {
        "HOME": str(folder),
        "SHELL": "/bin/sh",
        "XDG_RUNTIME_DIR": str(folder),
        "WLR_BACKENDS": "headless",
        "WLR_LIBINPUT_NO_DEVICES": "1",
        "WLR_RENDERER": "pixman",
    }


@contextmanager
def sway(folder: Path) -> Iterator[Path]:
    """Run a real compositor, and yield its socket; the folder needs a short path."""
    if os.geteuid() == 0:
        shutil.chown(folder, 65_534)
    config, display = folder / "config", folder / "wayland-1"
    config.write_text("xwayland disable\n")
    command = (need("sway"), "-c", str(config))
    with running(*command, environment=of_sway(folder), unprivileged=True):
        assert eventually(display.is_socket)
        yield display
