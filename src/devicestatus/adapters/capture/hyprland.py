"""Foreground and running apps of Hyprland, as its command socket lists them.

An app is called by the class of its windows, which is their Wayland app id or X11 class.

Invariant *titles are not kept*: the answers have the titles of windows, too, and nobody reads them.
Source: Hyprland's documentation, "Using hyprctl" and "IPC"; the socket is that of Hyprland 0.40 and
later in the runtime folder, of earlier ones in /tmp.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from devicestatus.adapters.capture.safe_reading import GuardedApps
from devicestatus.adapters.capture.timed_reader import PATIENCE_SECONDS
from devicestatus.adapters.capture.unix_socket import Talk
from purewire.json import codec

__all__ = ["Hyprland", "find"]

_OLD_FOLDER: Final = "/tmp"  # noqa: S108 - where Hyprland itself put its socket


@attrs.frozen
class Hyprland:
    """The windows of one Hyprland.

    Attributes:
        path: where its command socket is.
        patience: how long one question may take, in seconds.

    """

    path: str
    patience: float = PATIENCE_SECONDS

    def active_app(self) -> str | None:
        """Give the app of the active window, or None where no window is active."""
        return _app(self._ask(b"j/activewindow"))

    def running_apps(self) -> list[str | None]:
        """Give the apps of all windows that are there to be seen, on any workspace."""
        windows = self._ask(b"j/clients")
        if not isinstance(windows, list):
            raise TypeError("the windows must be a list")
        return [_app(window) for window in windows]

    def _ask(self, question: bytes) -> object:
        with Talk(self.path, self.patience) as talk:
            talk.send(question)
            return codec.decode(talk.rest())


def find() -> GuardedApps | None:
    """Give the Hyprland that the environment names, or None where it names none."""
    instance = os.environ.get("HYPRLAND_INSTANCE_SIGNATURE")
    if not instance:
        return None
    folders = filter(None, (os.environ.get("XDG_RUNTIME_DIR"), _OLD_FOLDER))
    paths = (Path(folder, "hypr", instance, ".socket.sock") for folder in folders)
    path = next((path for path in paths if path.is_socket()), None)
    return None if path is None else GuardedApps("Hyprland", Hyprland(str(path)))


def _app(window: object) -> str | None:
    """Give the name of a window's app; None where there is no window, or it is not shown yet."""
    if not isinstance(window, Mapping):
        raise TypeError("a window must be an object")
    facts: Mapping[str, Any] = window
    name = facts.get("class") if facts.get("mapped", True) else None
    return name if isinstance(name, str) else None
