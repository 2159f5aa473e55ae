"""Foreground and running apps of a Wayland desktop that lists its windows.

The compositor must offer `zwlr_foreign_toplevel_manager_v1`, as sway, Hyprland and others do; GNOME
and KDE do not list their windows, so they are no source.  The name of an app is its app id, or the
class part of WM_CLASS where it is an X11 app; its other names are those of its desktop file.

Invariant *bounded*: a query ends at its time limit, and fails where the answer is too long.
Invariant *read only*: only the listing part of the protocol is used, nothing that moves, closes or
activates a window.
Invariant *titles are not read*: the compositor also sends the titles of windows; they are dropped.
An idle notifier (`ext_idle_notifier_v1`, earlier `org_kde_kwin_idle`) reports when there was no
input for a time since it was asked, so its connection stays open.  Compositors do not report that
they are locked.

Source: the Wayland protocol, "Wire format"; wlr-foreign-toplevel-management-unstable-v1, version 1;
ext-idle-notify-v1 and KDE's idle protocol, version 1.
"""

import os
import socket
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Final

import attrs

from status_agent.capture import sources
from status_agent.capture.app_names import app_name, text_of

_MANAGER_NAME: Final = "zwlr_foreign_toplevel_manager_v1"
_SEAT_NAME: Final = "wl_seat"
_VERSION: Final = 1

_DISPLAY, _REGISTRY, _FIRST_ROUND, _MANAGER, _SECOND_ROUND = range(1, 6)
_SEAT, _NOTIFIER, _NOTIFICATION, _WATCH_ROUND = range(4, 8)
"""The objects of one session: the display is always 1, the client numbers the others."""
_SYNC, _GET_REGISTRY = 0, 1
_BIND = 0
"""Requests of the display and of the registry."""
_ERROR = 0
_GLOBAL = 0
_TOPLEVEL = 0
_APP_ID, _STATE, _CLOSED = 1, 4, 6
_IDLED, _RESUMED = 0, 1
"""Events of the display, the registry, the manager and its windows, and the notification."""
_ACTIVATED: Final = 2

_NOTIFIERS: Final[Mapping[str, tuple[int, Callable[[bytes, bytes], bytes]]]] = {
    "ext_idle_notifier_v1": (1, lambda time, seat: time + seat),
    "org_kde_kwin_idle": (0, lambda time, seat: seat + time),
}
"""Interface of a notifier to its request for a notification, and the order of the arguments."""

_MAX_ANSWER_BYTES: Final = 4_194_304
"""The longest answer: a desktop of 4000 windows at 1 KiB each."""
_WORD: Final = struct.Struct("=I")
_word: Final = _WORD.pack
_HEADER: Final = struct.Struct("=II")  # object, then size << 16 | opcode


_Event = tuple[int, int, bytes]
"""Object, opcode and arguments."""


@attrs.define(eq=False)
class _Session:
    """One connection, to be connected before use and closed after it.

    Calls raise OSError where the connection fails, and TimeoutError after the time limit.
    """

    path: str
    timeout_seconds: float
    _socket: socket.socket = attrs.field(
        factory=lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM), init=False
    )
    _deadline: float = attrs.field(default=0.0, init=False)

    def restart(self) -> None:
        self._deadline = monotonic() + self.timeout_seconds

    def connect(self) -> None:
        """Open the connection, and begin the time limit."""
        self.restart()
        self._set_timeout()
        self._socket.connect(self.path)

    def close(self) -> None:
        self._socket.close()

    def send(self, message: bytes) -> None:
        self._set_timeout()
        self._socket.sendall(message)

    def receive(self, size: int) -> bytes:
        """Receive `size` bytes; raise EOFError where the other side closes before."""
        message = bytearray()
        while len(message) < size:
            self._set_timeout()
            chunk = self._socket.recv(size - len(message))
            if not chunk:
                raise EOFError("the message is truncated")
            message += chunk
        return bytes(message)

    def _set_timeout(self) -> None:
        left = self._deadline - monotonic()
        if left <= 0:
            raise TimeoutError("the compositor is too slow")
        self._socket.settimeout(left)


@attrs.define
class _Window:
    app: str | None = None
    is_active: bool = False


@attrs.frozen
class Wayland(sources.AppSource):
    """Query of one compositor."""

    path: str
    timeout_seconds: float = sources.DEFAULT_TIMEOUT_SECONDS

    def active_app(self) -> str | None:
        """Return the app of the activated window, or None where none is activated."""
        return next((window.app for window in self._windows() if window.is_active), None)

    def running_apps(self) -> list[str | None]:
        """Return the apps of all windows."""
        return [window.app for window in self._windows()]

    def _windows(self) -> list[_Window]:
        with closing(_Session(self.path, self.timeout_seconds)) as session:
            session.connect()
            session.send(_bound(_globals(session), _MANAGER_NAME, _MANAGER))
            return _listed(_round(session, _SECOND_ROUND))


@attrs.define(eq=False)
class IdleNotifier:
    """The idle notifier of one compositor."""

    path: str
    timeout_seconds: float = sources.DEFAULT_TIMEOUT_SECONDS
    _session: _Session | None = attrs.field(default=None, init=False)
    _is_idle: bool = attrs.field(default=False, init=False)

    def presence(self, idle_ms: int) -> sources.Presence:
        """Return whether there was no input for a time; the first call begins to watch."""
        try:
            if self._session is None:
                self._is_idle = False
                self._session = _Session(self.path, self.timeout_seconds)
                _watch(self._session, idle_ms)
            self._session.restart()
            for subject, opcode, _ in _round(self._session, _WATCH_ROUND):
                if subject == _NOTIFICATION:
                    self._is_idle = opcode == _IDLED
        except BaseException:
            self.close()
            raise
        return sources.Presence(is_idle=self._is_idle)

    def close(self) -> None:
        """Close the connection; a later reading opens a new one, and watches anew."""
        session, self._session = self._session, None
        if session is not None:
            session.close()


def find_presence() -> IdleNotifier | None:
    """Return the idle notifier of the compositor that the environment names, or None."""
    path = _socket_path()
    return None if path is None else IdleNotifier(path)


def find() -> Wayland | None:
    """Return the compositor that the environment names, or None where it names none.

    Raises:
        NoListError: it answers, and does not list its windows.

    """
    path = _socket_path()
    if path is None:
        return None
    with closing(_Session(path, sources.DEFAULT_TIMEOUT_SECONDS)) as session:
        try:
            session.connect()
            is_listing = _MANAGER_NAME in _globals(session)
        except (OSError, EOFError, ValueError):  # each reading says so
            is_listing = True
    if not is_listing:
        raise sources.NoListError("this compositor does not list its windows")
    return Wayland(path)


def _socket_path() -> str | None:
    display, runtime = os.environ.get("WAYLAND_DISPLAY"), os.environ.get("XDG_RUNTIME_DIR", "")
    if not display:
        return None
    path = Path(runtime, display)  # an absolute path replaces the folder
    return str(path) if path.is_socket() else None


def _round(session: _Session, number: int) -> Iterator[_Event]:
    """Ask for the end of a round, and yield the events before it."""
    session.send(_request(_DISPLAY, _SYNC, _word(number)))
    return _until(session, number)


def _watch(session: _Session, idle_ms: int) -> None:
    """Connect, and ask for a notification when there was no input for a time."""
    session.connect()
    listed = _globals(session)
    name = next((name for name in _NOTIFIERS if name in listed), "ext_idle_notifier_v1")
    opcode, ordered = _NOTIFIERS[name]
    wanted = _word(_NOTIFICATION) + ordered(_word(idle_ms), _word(_SEAT))
    seat, notifier = _bound(listed, _SEAT_NAME, _SEAT), _bound(listed, name, _NOTIFIER)
    session.send(seat + notifier + _request(_NOTIFIER, opcode, wanted))


def _globals(session: _Session) -> dict[str, int]:
    """Return the interfaces of the compositor, each with the number of its first global."""
    session.send(_request(_DISPLAY, _GET_REGISTRY, _word(_REGISTRY)))
    numbers: dict[str, int] = {}
    for subject, opcode, arguments in _round(session, _FIRST_ROUND):
        if (subject, opcode) == (_REGISTRY, _GLOBAL):
            numbers.setdefault(_string_of(arguments[_WORD.size :]), _word_of(arguments))
    return numbers


def _bound(listed: Mapping[str, int], name: str, new: int) -> bytes:
    """Return the request to bind an interface; raise LookupError where there is none."""
    if name not in listed:
        raise LookupError(f"the compositor has no {name}")
    arguments = _word(listed[name]) + _string(name) + _word(_VERSION) + _word(new)
    return _request(_REGISTRY, _BIND, arguments)


def _until(session: _Session, round_: int) -> Iterator[_Event]:
    """Yield the events up to the end of a round; raise ValueError where the compositor refuses."""
    received = 0
    while received <= _MAX_ANSWER_BYTES:
        subject, word = _HEADER.unpack(session.receive(_HEADER.size))
        size, opcode = word >> 16, word & 0xFFFF
        if size < _HEADER.size:
            raise ValueError("an event is shorter than its header")
        received += size
        arguments = session.receive(size - _HEADER.size)
        if subject == round_:
            return
        if (subject, opcode) == (_DISPLAY, _ERROR):
            raise ValueError("the compositor refuses the request")
        yield subject, opcode, arguments
    raise ValueError(f"the answer is longer than {_MAX_ANSWER_BYTES} bytes")


def _listed(events: Iterator[_Event]) -> list[_Window]:
    windows: dict[int, _Window] = {}
    for subject, opcode, arguments in events:
        if (subject, opcode) == (_MANAGER, _TOPLEVEL):
            windows[_word_of(arguments)] = _Window()
        elif subject not in windows:
            continue
        elif opcode == _APP_ID:
            windows[subject].app = app_name(_string_of(arguments))
        elif opcode == _STATE:
            states = struct.iter_unpack("=I", _bytes_of(arguments))
            windows[subject].is_active = (_ACTIVATED,) in states
        elif opcode == _CLOSED:
            del windows[subject]
    return list(windows.values())


def _request(subject: int, opcode: int, arguments: bytes) -> bytes:
    size = _HEADER.size + len(arguments)
    return _HEADER.pack(subject, size << 16 | opcode) + arguments


def _string(text: str) -> bytes:
    raw = text.encode() + b"\0"
    return _word(len(raw)) + raw + bytes(-len(raw) % _WORD.size)


def _word_of(arguments: bytes) -> int:
    return int(_WORD.unpack_from(arguments)[0])


def _bytes_of(arguments: bytes) -> bytes:
    """Return the first argument, an array or string; raise ValueError where it is truncated."""
    size = _word_of(arguments)
    if _WORD.size + size > len(arguments):
        raise ValueError("an argument is truncated")
    return arguments[_WORD.size : _WORD.size + size]


def _string_of(arguments: bytes) -> str:
    return text_of(_bytes_of(arguments).removesuffix(b"\0"))  # classes of X11 apps are as they are
