"""Foreground and running apps of Hyprland, as its command socket lists them.

The name of an app is the class of its windows: their Wayland app id or X11 class.

Invariant *titles are not read*: the answers also have the titles of windows; they are dropped.
Source: Hyprland's documentation, "Using hyprctl" and "IPC"; the socket is that of Hyprland 0.40 and
later in the runtime folder, of earlier ones in /tmp.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from devicestatus.adapters.capture import sources
from devicestatus.adapters.capture.unix_socket import SocketSession
from purewire.json import codec

__all__ = ["Hyprland", "find"]

_OLD_FOLDER: Final = "/tmp"  # noqa: S108 - Hyprland itself put its socket there


@attrs.frozen
class Hyprland:
    """Query of one Hyprland.

    Attributes:
        path: path of its command socket.
        timeout_seconds: time limit of one query.

    """

    path: str
    timeout_seconds: float = sources.DEFAULT_TIMEOUT_SECONDS

    def active_app(self) -> str | None:
        """Return the app of the active window, or None where no window is active."""
        return _app(self._query(b"j/activewindow"))

    def running_apps(self) -> list[str | None]:
        """Return the apps of all mapped windows, on any workspace."""
        windows = self._query(b"j/clients")
        if not isinstance(windows, list):
            raise TypeError("the windows must be a list")
        return [_app(window) for window in windows]

    def _query(self, command: bytes) -> object:
        with SocketSession(self.path, self.timeout_seconds) as session:
            session.send(command)
            return codec.decode(session.receive_all())


def find() -> sources.DesktopApps | None:
    """Return the Hyprland that the environment names, or None where it names none."""
    instance = os.environ.get("HYPRLAND_INSTANCE_SIGNATURE")
    if not instance:
        return None
    folders = filter(None, (os.environ.get("XDG_RUNTIME_DIR"), _OLD_FOLDER))
    paths = (Path(folder, "hypr", instance, ".socket.sock") for folder in folders)
    path = next((path for path in paths if path.is_socket()), None)
    return None if path is None else sources.DesktopApps("Hyprland", Hyprland(str(path)))


def _app(window: object) -> str | None:
    """Return the name of a window's app; None where there is no window, or it is not mapped yet."""
    if not isinstance(window, Mapping):
        raise TypeError("a window must be an object")
    facts: Mapping[str, Any] = window
    name = facts.get("class") if facts.get("mapped", True) else None
    return name if isinstance(name, str) else None
