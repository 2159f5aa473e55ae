"""Foreground and running apps of a Wayland desktop that lists its windows.

The compositor must offer `zwlr_foreign_toplevel_manager_v1`, as those made with wlroots and some
others do; GNOME and KDE do not list their windows, which is a reading that fails, so that the next
source is queried.  The name of an app is its app id.

Invariant *read only*: only the listing part of the protocol is used, nothing that moves, closes or
activates a window.
Invariant *titles are not read*: the compositor also sends the titles of windows; they are dropped.
Source: the Wayland protocol, "Wire format"; wlr-foreign-toplevel-management-unstable-v1, version 1.
"""

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs

from devicestatus.adapters.capture.sources import DEFAULT_TIMEOUT_SECONDS, DesktopApps
from devicestatus.adapters.capture.unix_socket import MAX_ANSWER_BYTES, SocketSession

__all__ = ["Wayland", "find"]

_MANAGER_NAME: Final = "zwlr_foreign_toplevel_manager_v1"
_VERSION: Final = 1

_DISPLAY, _REGISTRY, _FIRST_ROUND, _MANAGER, _SECOND_ROUND = range(1, 6)
"""The objects of one session: the display is always 1, the client numbers the others."""
_SYNC, _GET_REGISTRY = 0, 1
_BIND = 0
"""Requests of the display and of the registry."""
_ERROR = 0
_GLOBAL = 0
_TOPLEVEL = 0
_APP_ID, _STATE, _CLOSED = 1, 4, 6
"""Events of the display, the registry, the manager and its windows."""
_ACTIVATED: Final = 2

_WORD: Final = struct.Struct("=I")
_HEADER: Final = struct.Struct("=II")  # object, then size << 16 | opcode


@attrs.frozen
class _Event:
    """An event of one object."""

    subject: int
    opcode: int
    arguments: bytes


@attrs.define
class _Window:
    """State of one window."""

    app: str | None = None
    is_active: bool = False


@attrs.frozen
class Wayland:
    """Query of one compositor.

    Attributes:
        path: path of its socket.
        timeout_seconds: time limit of one query.

    """

    path: str
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS

    def active_app(self) -> str | None:
        """Return the app of the activated window, or None where none is activated."""
        return next((window.app for window in self._windows() if window.is_active), None)

    def running_apps(self) -> list[str | None]:
        """Return the apps of all windows."""
        return [window.app for window in self._windows()]

    def _windows(self) -> list[_Window]:
        with SocketSession(self.path, self.timeout_seconds) as session:
            session.send(
                _request(_DISPLAY, _GET_REGISTRY, _word(_REGISTRY))
                + _request(_DISPLAY, _SYNC, _word(_FIRST_ROUND))
            )
            name = _manager(_until(session, _FIRST_ROUND))
            wanted = _word(name) + _string(_MANAGER_NAME) + _word(_VERSION) + _word(_MANAGER)
            session.send(
                _request(_REGISTRY, _BIND, wanted) + _request(_DISPLAY, _SYNC, _word(_SECOND_ROUND))
            )
            return _listed(_until(session, _SECOND_ROUND))


def find() -> DesktopApps | None:
    """Return the compositor that the environment names, or None where it names none."""
    display, runtime = os.environ.get("WAYLAND_DISPLAY"), os.environ.get("XDG_RUNTIME_DIR", "")
    if not display:
        return None
    path = Path(runtime, display)  # an absolute path replaces the folder
    return DesktopApps("Wayland desktop", Wayland(str(path))) if path.is_socket() else None


def _until(session: SocketSession, round_: int) -> Iterator[_Event]:
    """Yield the events up to the end of a round; raise ValueError where the compositor refuses."""
    received = 0
    while received <= MAX_ANSWER_BYTES:
        subject, word = _HEADER.unpack(session.receive_exactly(_HEADER.size))
        size, opcode = word >> 16, word & 0xFFFF
        if size < _HEADER.size:
            raise ValueError("an event is shorter than its header")
        received += size
        event = _Event(subject, opcode, session.receive_exactly(size - _HEADER.size))
        if subject == round_:
            return
        if (subject, opcode) == (_DISPLAY, _ERROR):
            raise ValueError("the compositor refuses the request")
        yield event
    raise ValueError(f"the answer is longer than {MAX_ANSWER_BYTES} bytes")


def _manager(events: Iterator[_Event]) -> int:
    """Return the number of the global that lists windows; raise LookupError where there is none."""
    found = [
        _word_of(event.arguments)
        for event in events
        if (event.subject, event.opcode) == (_REGISTRY, _GLOBAL)
        and _string_of(event.arguments[_WORD.size :]) == _MANAGER_NAME
    ]
    if not found:
        raise LookupError("the compositor does not list its windows")
    return found[0]


def _listed(events: Iterator[_Event]) -> list[_Window]:
    windows: dict[int, _Window] = {}
    for event in events:
        if (event.subject, event.opcode) == (_MANAGER, _TOPLEVEL):
            windows[_word_of(event.arguments)] = _Window()
        elif event.subject in windows:
            _update(windows, event)
    return list(windows.values())


def _update(windows: dict[int, _Window], event: _Event) -> None:
    if event.opcode == _APP_ID:
        windows[event.subject].app = _string_of(event.arguments)
    elif event.opcode == _STATE:
        states = struct.iter_unpack("=I", _bytes_of(event.arguments))
        windows[event.subject].is_active = (_ACTIVATED,) in states
    elif event.opcode == _CLOSED:
        del windows[event.subject]


def _request(subject: int, opcode: int, arguments: bytes) -> bytes:
    size = _HEADER.size + len(arguments)
    return _HEADER.pack(subject, size << 16 | opcode) + arguments


def _word(number: int) -> bytes:
    return _WORD.pack(number)


def _string(text: str) -> bytes:
    raw = text.encode() + b"\0"
    return _word(len(raw)) + raw + bytes(-len(raw) % _WORD.size)


def _word_of(arguments: bytes) -> int:
    number: int
    (number,) = _WORD.unpack_from(arguments)
    return number


def _bytes_of(arguments: bytes) -> bytes:
    """Return the first argument, an array or string; raise ValueError where it is truncated."""
    size = _word_of(arguments)
    if _WORD.size + size > len(arguments):
        raise ValueError("an argument is truncated")
    return arguments[_WORD.size : _WORD.size + size]


def _string_of(arguments: bytes) -> str:
    return _bytes_of(arguments).removesuffix(b"\0").decode("utf-8")
