"""Apps, music and lock of macOS, read from the output of three system programs.

`lsappinfo` queries the Launch Services, for which it needs no permission: no window and no title is
read.  An app has the name that the user sees.  `ioreg` prints property lists of the console's
sessions and of the input devices.

Music comes from the Music app and from Spotify, over Apple events.  macOS asks the
user once whether this program may query a player; until the user agrees its state is not readable.

Invariant *apps of the Dock*: only apps that have a place in the Dock are running apps; agents and
background programs are not.
Invariant *unknown output raises*: an output that is not in the known form raises.
Invariant *no music without its player*: music comes with the names of its player, for the privacy
rules: the id of its bundle, its English name, and the names that the app and the system report.
Invariant *a program ends*: when its time is over it is killed.
Invariant *no shell, no search*: a program is named by its absolute path and gets its arguments
unchanged; its standard input is empty, and its standard error is discarded.
Invariant *reading starts nothing*: a player that does not run is not queried, which would start it.
Artwork and page are left absent: they come from a match in a catalog, never from the player.
Source: lsappinfo(8), osascript(1), ioreg(8), Apple's NSRunningApplication.
"""

import json
import os
import plistlib
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any, Final

import attrs

from devicestatus.models import MusicState
from status_agent.capture.music import MusicPlayers, Played
from status_agent.capture.sources import (
    DEFAULT_TIMEOUT_SECONDS,
    AppSource,
    PlayerMusic,
    Presence,
    PresenceSource,
)
from status_contracts import json_text
from status_contracts.adapters.clocks import MILLISECOND_NS


def _output(command: Sequence[str], timeout_seconds: float) -> bytes:
    """Return what a program prints; raise an exception where it fails, or is too slow."""
    return subprocess.run(  # noqa: S603 - the commands are constants of this package
        command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, timeout=timeout_seconds, check=True
    ).stdout


LSAPPINFO: Final = "/usr/bin/lsappinfo"
OSASCRIPT: Final = "/usr/bin/osascript"
IOREG: Final = "/usr/sbin/ioreg"

_ASN: Final = re.compile(r"ASN:0x[0-9a-f]+-0x[0-9a-f]+:?")
_NAME: Final = re.compile(r'"(?:LSDisplayName|name)"="(.*)"')
_ENTRY: Final = re.compile(r'^ *\d+\) "(.*)" ASN:', re.MULTILINE)
_FOREGROUND: Final = re.compile(r'^\s.*\btype="Foreground"', re.MULTILINE)
_NONE: Final = ("", "[ NULL ]")
"""Output of `lsappinfo front` where no app is in front."""

_PLAYERS: Final = {"com.apple.Music": "Music", "com.spotify.client": "Spotify"}
"""Bundle id and English name of each player, in the order of the script's output."""

# JavaScript compiles without the players' dictionaries: a missing player is no error.
_IDS: Final = f"const IDS = {json.dumps(list(_PLAYERS))};\n"
_PLAYER_SCRIPT: Final = """\
ObjC.import('AppKit');
function attempt(read) { try { return read(); } catch (fault) { return null; } }
function player(id) {
  const app = attempt(() => Application(id));
  if (!app || !attempt(() => app.running())) return null;
  const running = attempt(() => ObjC.unwrap(
    $.NSRunningApplication.runningApplicationsWithBundleIdentifier(id)));
  return {
    names: [attempt(() => app.name()), attempt(() => ObjC.unwrap(running[0].localizedName))],
    state: attempt(() => app.playerState()),
    track: attempt(() => app.currentTrack.name()),
    artist: attempt(() => app.currentTrack.artist()),
  };
}
JSON.stringify(IDS.map(player));
"""
_STATES: Final[Mapping[str, MusicState]] = {
    "playing": "playing",
    "fast forwarding": "playing",
    "rewinding": "playing",
    "paused": "paused",
    "stopped": "stopped",
}


@attrs.frozen
class LaunchServices(AppSource):
    """Query of the Launch Services."""

    program: str = LSAPPINFO
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS

    def active_app(self) -> str | None:
        """Return the foreground app, or None where none is."""
        front = self._query("front").strip()
        if front in _NONE:
            return None
        if _ASN.fullmatch(front) is None:
            raise ValueError("the output of `lsappinfo front` has no application serial number")
        (name,) = _NAME.findall(self._query("info", "-only", "name", front))
        return str(name)

    def running_apps(self) -> list[str | None]:
        """Return the apps that have a place in the Dock."""
        entries = _ENTRY.split(self._query("list"))[1:]
        if not entries:
            raise ValueError("the output of `lsappinfo list` has no apps")
        listed = zip(entries[::2], entries[1::2], strict=True)
        return [name for name, facts in listed if _FOREGROUND.search(facts)]

    def _query(self, *arguments: str) -> str:
        half = self.timeout_seconds / 2  # the foreground app takes two queries
        return _output([self.program, *arguments], half).decode("utf-8")


def find() -> LaunchServices | None:
    """Return the Launch Services of this machine, or None where it has none."""
    return LaunchServices() if Path(LSAPPINFO).exists() else None


@attrs.frozen
class IORegistry(PresenceSource):
    """Query of the I/O Registry for the session of this user."""

    program: str = IOREG
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS

    def presence(self, idle_ms: int) -> Presence:
        """Return whether the screen is locked or another user's, and whether there was input."""
        root = self._query("-n", "Root")
        own = [
            user for user in root["IOConsoleUsers"] if user["kCGSSessionUserIDKey"] == os.getuid()
        ]
        shown = [
            user["kCGSSessionOnConsoleKey"] and not user.get("CGSSessionScreenIsLocked")
            for user in own
        ]
        (inputs,) = self._query("-r", "-c", "IOHIDSystem")
        return Presence(not any(shown), inputs["HIDIdleTime"] >= idle_ms * MILLISECOND_NS)

    def _query(self, *arguments: str) -> Any:  # noqa: ANN401 - a property list
        half = self.timeout_seconds / 2
        return plistlib.loads(_output([self.program, "-a", "-d1", *arguments], half))


def find_presence() -> IORegistry | None:
    """Return the I/O Registry of this machine, or None where it has none."""
    return IORegistry() if Path(IOREG).exists() else None


@attrs.define(eq=False)
class AppPlayers(MusicPlayers):
    """The players of one user's session."""

    program: str = OSASCRIPT
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS

    def _music(self) -> PlayerMusic:
        command = [self.program, "-l", "JavaScript", "-e", _IDS + _PLAYER_SCRIPT]
        answers = json_text.decode(_output(command, self.timeout_seconds))
        if not isinstance(answers, list):
            raise TypeError("the output must be a list")
        listed = zip(_PLAYERS, answers, strict=False)
        players = {key: properties for key, properties in listed if isinstance(properties, dict)}
        states = {key: _STATES.get(str(answer.get("state"))) for key, answer in players.items()}
        return self._leading(
            states,
            lambda key: (key, _PLAYERS[key]),
            lambda asked: [_played(key, state, players[key]) for key, state in asked.items()],
        )


def find_players() -> AppPlayers | None:
    """Return the players of this machine, or None where it has none that can be queried."""
    return AppPlayers() if Path(OSASCRIPT).exists() else None


def _played(key: str, state: MusicState, properties: Mapping[str, Any]) -> Played:
    reported = properties.get("names")
    others = filter(None, map(_text, reported if isinstance(reported, list) else ()))
    title, artist = (_text(properties.get(name)) for name in ("track", "artist"))
    return Played(key, state, (key, _PLAYERS[key], *others), title, artist)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
