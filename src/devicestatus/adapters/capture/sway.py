"""Foreground and running apps of sway and i3, as their IPC socket lists them.

An app is called by its Wayland app id, or by the class part of WM_CLASS where it is an X11 app.

Invariant *windows only*: bars and the empty workspace in front are no apps; windows in the
scratchpad, which only wait, are.
Invariant *titles are not kept*: the tree has the titles of windows, too, and nobody reads them.
Source: sway-ipc(7), i3's "IPC interface", message GET_TREE.
"""

import os
import struct
from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs

from devicestatus.adapters.capture.safe_reading import GuardedApps
from devicestatus.adapters.capture.timed_reader import PATIENCE_SECONDS
from devicestatus.adapters.capture.unix_socket import Talk
from purewire.json import codec

__all__ = ["Sway", "find"]

_MAGIC: Final = b"i3-ipc"
_HEADER: Final = struct.Struct(f"={len(_MAGIC)}sII")  # length and type in the machine's byte order
_GET_TREE: Final = 4

Node = Mapping[str, Any]


@attrs.frozen
class Sway:
    """The tree of windows of one sway or i3.

    Attributes:
        path: where its IPC socket is.
        patience: how long one question may take, in seconds.

    """

    path: str
    patience: float = PATIENCE_SECONDS

    def active_app(self) -> str | None:
        """Give the app of the focused window, or None where no window is focused."""
        return next((_app(node) for node in _windows(self._tree()) if node.get("focused")), None)

    def running_apps(self) -> list[str | None]:
        """Give the apps of all windows."""
        return [_app(node) for node in _windows(self._tree())]

    def _tree(self) -> Node:
        with Talk(self.path, self.patience) as talk:
            talk.send(_HEADER.pack(_MAGIC, 0, _GET_TREE))
            magic, size, kind = _HEADER.unpack(talk.exactly(_HEADER.size))
            if (magic, kind) != (_MAGIC, _GET_TREE):
                raise ValueError("no answer to the question")
            return _object(codec.decode(talk.exactly(size)))


def find() -> GuardedApps | None:
    """Give the sway or i3 that the environment names, or None where it names none."""
    path = os.environ.get("SWAYSOCK") or os.environ.get("I3SOCK")
    return GuardedApps("sway or i3", Sway(path)) if path else None


def _windows(root: Node) -> Iterator[Node]:
    """Give the windows of a tree, in its order."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.get("type") == "dockarea":  # where i3 keeps its bars
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
