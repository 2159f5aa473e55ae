"""Foreground and running apps of macOS, as two programs of the system tell them.

`lsappinfo` asks the Launch Services and is fast, but its output is made for people; `osascript`
asks NSWorkspace and prints JSON, but starts an interpreter.  Neither needs a permission: no window
and no title is read.  An app is called as the person sees it called.

Invariant *apps of the dock*: only apps that have their place in the Dock are running apps; agents
and background programs are not.
Invariant *unread is a fault*: an output that is not in the known form raises, so that the next
source is asked.
Source: lsappinfo(8), osascript(1), Apple's NSWorkspace and NSRunningApplication.
"""

import re
from pathlib import Path
from typing import Final

import attrs

from devicestatus.adapters.capture.programs import output_of
from devicestatus.adapters.capture.safe_reading import GuardedApps
from devicestatus.adapters.capture.timed_reader import PATIENCE_SECONDS
from purewire.json import codec

__all__ = [
    "LSAPPINFO",
    "OSASCRIPT",
    "LaunchServices",
    "Workspace",
    "find_services",
    "find_workspace",
]

LSAPPINFO: Final = "/usr/bin/lsappinfo"
OSASCRIPT: Final = "/usr/bin/osascript"

_ASN: Final = re.compile(r"ASN:0x[0-9a-f]+-0x[0-9a-f]+:?")
_NAME: Final = re.compile(r'"(?:LSDisplayName|name)"="(.*)"')
_ENTRY: Final = re.compile(r'^ *\d+\) "(.*)" ASN:', re.MULTILINE)
_FOREGROUND: Final = re.compile(r'^\s.*\btype="Foreground"', re.MULTILINE)
_NONE: Final = ("", "[ NULL ]")
"""What `lsappinfo front` says where no app is in front."""

_FRONT: Final = """\
ObjC.import('AppKit');
const front = $.NSWorkspace.sharedWorkspace.frontmostApplication;
JSON.stringify(front.isNil() ? null : ObjC.unwrap(front.localizedName) || null);
"""
# Activation policy 0 is "regular": an app that has its place in the Dock.
_RUNNING: Final = """\
ObjC.import('AppKit');
const apps = ObjC.unwrap($.NSWorkspace.sharedWorkspace.runningApplications);
const regular = apps.filter((app) => app.activationPolicy === 0);
JSON.stringify(regular.map((app) => ObjC.unwrap(app.localizedName) || null));
"""


@attrs.frozen
class LaunchServices:
    """The apps that the Launch Services know.

    Attributes:
        program: whole path of `lsappinfo`.
        patience: how long one question may take, in seconds.

    """

    program: str = LSAPPINFO
    patience: float = PATIENCE_SECONDS

    def active_app(self) -> str | None:
        """Give the app in front, or None where none is."""
        front = self._ask("front").strip()
        if front in _NONE:
            return None
        if _ASN.fullmatch(front) is None:
            raise ValueError("the app in front has no number")
        return _only(_NAME.findall(self._ask("info", "-only", "name", front)))

    def running_apps(self) -> list[str | None]:
        """Give the apps that have their place in the Dock."""
        entries = _ENTRY.split(self._ask("list"))[1:]
        if not entries:
            raise ValueError("the list has no apps")
        told = zip(entries[::2], entries[1::2], strict=True)
        return [name for name, facts in told if _FOREGROUND.search(facts)]

    def _ask(self, *question: str) -> str:
        half = self.patience / 2  # the app in front takes two questions
        return output_of([self.program, *question], half).decode("utf-8")


@attrs.frozen
class Workspace:
    """The apps that NSWorkspace knows, asked in JavaScript for Automation.

    Attributes:
        program: whole path of `osascript`.
        patience: how long one question may take, in seconds.

    """

    program: str = OSASCRIPT
    patience: float = PATIENCE_SECONDS

    def active_app(self) -> str | None:
        """Give the app in front, or None where none is."""
        return _text(self._ask(_FRONT))

    def running_apps(self) -> list[str | None]:
        """Give the apps that have their place in the Dock."""
        names = self._ask(_RUNNING)
        if not isinstance(names, list):
            raise TypeError("the apps must be a list")
        return [_text(name) for name in names]

    def _ask(self, script: str) -> object:
        command = [self.program, "-l", "JavaScript", "-e", script]
        return codec.decode(output_of(command, self.patience))


def find_services() -> GuardedApps | None:
    """Give the Launch Services of this machine, or None where it has none."""
    return GuardedApps("Launch Services", LaunchServices()) if Path(LSAPPINFO).exists() else None


def find_workspace() -> GuardedApps | None:
    """Give the workspace of this machine, or None where it has none."""
    return GuardedApps("NSWorkspace", Workspace()) if Path(OSASCRIPT).exists() else None


def _only(names: list[str]) -> str:
    (name,) = names
    return name


def _text(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("a name must be text")
    return value
