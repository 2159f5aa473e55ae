"""What plays in the Music app and in Spotify of macOS, as they tell over Apple events.

The first playing player counts, else the first paused one, in that order.  The person is asked once
by macOS whether this program may ask a player; until they agree its state is not readable.

Invariant *state and metadata are independent*: a player that says it plays is playing, whatever
becomes of its title; a field that is missing, empty or of another type is None, and only that.
Invariant *unreadable is not stopped*: where a player runs and none that runs tells its state, the
music is `unavailable`; where none runs it is `stopped`.
Invariant *no music without its player*: music comes with the names of its player, for the privacy
rules: the id of its bundle, its English name, and the names that the app and the system tell.
Invariant *reading starts nothing*: a player that does not run is not asked, which would start it.
Artwork and page are left absent: they come from a match in a catalog, never from the player.
Source: device-status specification, "Music", rule 7; osascript(1).
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from devicestatus.adapters.capture.macos import OSASCRIPT
from devicestatus.adapters.capture.name_cleaning import title
from devicestatus.adapters.capture.player_music import STOPPED, UNAVAILABLE, PlayerMusic
from devicestatus.adapters.capture.programs import output_of
from devicestatus.adapters.capture.timed_reader import PATIENCE_SECONDS, Attempts
from devicestatus.models.snapshot import Music, MusicState
from purewire.json import codec

__all__ = ["AppPlayers", "find"]

# JavaScript compiles without the players' dictionaries: one that is not installed is no fault.
_SCRIPT: Final = """\
ObjC.import('AppKit');
function tried(read) { try { return read(); } catch (fault) { return null; } }
function asked(id) {
  const app = tried(() => Application(id));
  if (!app || !tried(() => app.running())) return null;
  const running = tried(() => ObjC.unwrap(
    $.NSRunningApplication.runningApplicationsWithBundleIdentifier(id)));
  return {
    names: [tried(() => app.name()), tried(() => ObjC.unwrap(running[0].localizedName))],
    state: tried(() => app.playerState()),
    track: tried(() => app.currentTrack.name()),
    artist: tried(() => app.currentTrack.artist()),
  };
}
JSON.stringify(IDS.map(asked));
"""
_PLAYERS: Final = (("com.apple.Music", "Music"), ("com.spotify.client", "Spotify"))
"""Bundle id and English name of each player, in the order of their answers."""
_STATES: Final[Mapping[str, MusicState]] = {
    "playing": "playing",
    "fast forwarding": "playing",
    "rewinding": "playing",
    "paused": "paused",
    "stopped": "stopped",
}
_PRECEDENCE: Final[tuple[MusicState, ...]] = ("playing", "paused", "stopped")

Facts = Mapping[str, Any]
"""What a player that runs tells."""


@attrs.define(eq=False)
class AppPlayers:
    """The players of one person's session.

    Attributes:
        program: whole path of `osascript`.
        patience: how long one reading may take, in seconds.

    """

    program: str = OSASCRIPT
    patience: float = PATIENCE_SECONDS
    _attempts: Attempts = attrs.field(init=False)

    @_attempts.default
    def _default_attempts(self) -> Attempts:
        return Attempts("music players", self.patience)

    def music(self) -> PlayerMusic:
        """Return what plays; `unavailable` where that cannot be read; never raises."""
        return self._attempts.run(self._read, UNAVAILABLE)

    def close(self) -> None:
        """Do nothing: nothing is held open between readings."""

    def _read(self) -> PlayerMusic:
        script = f"const IDS = {json.dumps([identity for identity, _ in _PLAYERS])};\n{_SCRIPT}"
        command = [self.program, "-l", "JavaScript", "-e", script]
        told = codec.decode(output_of(command, self.patience))
        if not isinstance(told, list):
            raise TypeError("the players must be a list")
        players = zip(_PLAYERS, told, strict=False)
        return _music([(names, facts) for names, facts in players if isinstance(facts, dict)])


def find() -> AppPlayers | None:
    """Give the players of this machine, or None where it has none that can be asked."""
    return AppPlayers() if Path(OSASCRIPT).exists() else None


def _music(players: list[tuple[tuple[str, str], Facts]]) -> PlayerMusic:
    states = {n: _STATES.get(str(facts.get("state"))) for n, (_, facts) in enumerate(players)}
    known = {number: state for number, state in states.items() if state is not None}
    leader = min(known, key=lambda number: _PRECEDENCE.index(known[number]), default=None)
    if leader is None:
        return UNAVAILABLE if players else STOPPED
    if known[leader] == "stopped":
        return STOPPED
    names, facts = players[leader]
    music = Music(known[leader], track=_field(facts, "track"), artist=_field(facts, "artist"))
    return PlayerMusic(music, (*names, *_names(facts)))


def _names(facts: Facts) -> Iterator[str]:
    told = facts.get("names")
    return (name for name in (told if isinstance(told, list) else ()) if isinstance(name, str))


def _field(facts: Facts, name: str) -> str | None:
    value = facts.get(name)
    return title(value) if isinstance(value, str) else None
