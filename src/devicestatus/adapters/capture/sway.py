"""Foreground and running apps of sway and i3, as their IPC socket lists them.

The name of an app is its Wayland app id, or the class part of WM_CLASS where it is an X11 app.

Invariant *windows only*: bars and the empty workspace in front are no apps; windows in the
scratchpad, which are hidden for now, are.
Invariant *titles are not read*: the tree also has the titles of windows; they are dropped.
Source: sway-ipc(7), i3's "IPC interface", message GET_TREE.
"""

import os
import struct
from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs

from devicestatus.adapters.capture import sources
from devicestatus.adapters.capture.unix_socket import SocketSession
from purewire.json import codec

__all__ = ["Sway", "find"]

_MAGIC: Final = b"i3-ipc"
_HEADER: Final = struct.Struct(f"={len(_MAGIC)}sII")  # length and type in the machine's byte order
_GET_TREE: Final = 4

Node = Mapping[str, Any]


@attrs.frozen
class Sway:
    """Query of one sway or i3.

    Attributes:
        path: path of its IPC socket.
        timeout_seconds: time limit of one query.

    """

    path: str
    timeout_seconds: float = sources.DEFAULT_TIMEOUT_SECONDS

    def active_app(self) -> str | None:
        """Return the app of the focused window, or None where no window is focused."""
        return next((_app(node) for node in _windows(self._tree()) if node.get("focused")), None)

    def running_apps(self) -> list[str | None]:
        """Return the apps of all windows."""
        return [_app(node) for node in _windows(self._tree())]

    def _tree(self) -> Node:
        with SocketSession(self.path, self.timeout_seconds) as session:
            session.send(_HEADER.pack(_MAGIC, 0, _GET_TREE))
            magic, size, kind = _HEADER.unpack(session.receive_exactly(_HEADER.size))
            if (magic, kind) != (_MAGIC, _GET_TREE):
                raise ValueError("the reply is not one to GET_TREE")
            return _object(codec.decode(session.receive_exactly(size)))


def find() -> sources.DesktopApps | None:
    """Return the sway or i3 that the environment names, or None where it names none."""
    path = os.environ.get("SWAYSOCK") or os.environ.get("I3SOCK")
    return sources.DesktopApps("sway or i3", Sway(path)) if path else None


def _windows(root: Node) -> Iterator[Node]:
    """Yield the windows of a tree, in its order."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.get("type") == "dockarea":  # i3 puts its bars there
            continue
        if node.get("window") is not None or node.get("app_id") is not None:
            yield node
        inner = [*node.get("nodes", ()), *node.get("floating_nodes", ())]
        waiting += map(_object, reversed(inner))


def _app(window: Node) -> str | None:
    names = (window.get("app_id"), (window.get("window_properties") or {}).get("class"))
    return next((name for name in names if isinstance(name, str)), None)


def _object(value: object) -> Node:
    if not isinstance(value, dict):
        raise TypeError("a node must be an object")
    return value
