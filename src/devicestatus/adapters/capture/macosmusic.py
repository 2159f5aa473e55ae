"""What plays in the Music app and in Spotify of macOS, as they tell over Apple events.

The first playing player counts, else the first paused one, in that order.  The person is asked once
by macOS whether this program may ask a player; until they agree its state is not readable.

Invariant *state and metadata are independent*: a player that says it plays is playing, whatever
becomes of its title; a field that is missing, empty or of another type is None, and only that.
Invariant *unreadable is not stopped*: where a player runs and none that runs tells its state, the
music is `unavailable`; where none runs it is `stopped`.
Invariant *reading starts nothing*: a player that does not run is not asked, which would start it.
Artwork and page are left absent: they come from a match in a catalog, never from the player.
Source: device-status specification, "Music", rule 7; osascript(1).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from devicestatus.adapters.capture.attempts import PATIENCE_SECONDS, Attempts
from devicestatus.adapters.capture.cleaning import title
from devicestatus.adapters.capture.macos import OSASCRIPT
from devicestatus.adapters.capture.programs import output_of
from devicestatus.snapshot import Music, MusicState
from purewire import jsontext

__all__ = ["AppPlayers", "find"]

# JavaScript compiles without the players' dictionaries: one that is not installed is no fault.
_SCRIPT: Final = """\
function tried(read) { try { return read(); } catch (fault) { return null; } }
function asked(id) {
  const app = tried(() => Application(id));
  if (!app || !tried(() => app.running())) return null;
  return {
    state: tried(() => app.playerState()),
    track: tried(() => app.currentTrack.name()),
    artist: tried(() => app.currentTrack.artist()),
  };
}
JSON.stringify(['com.apple.Music', 'com.spotify.client'].map(asked));
"""
_STATES: Final[Mapping[str, MusicState]] = {
    "playing": "playing",
    "fast forwarding": "playing",
    "rewinding": "playing",
    "paused": "paused",
    "stopped": "stopped",
}
_PRECEDENCE: Final[tuple[MusicState, ...]] = ("playing", "paused", "stopped")
_STOPPED: Final = Music("stopped", None, None)
_UNAVAILABLE: Final = Music("unavailable", None, None)

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

    def music(self) -> Music:
        """Give what plays; `unavailable` where that cannot be read; never raises."""
        return self._attempts.run(self._read, _UNAVAILABLE)

    def close(self) -> None:
        """Do nothing: nothing is held open between readings."""

    def _read(self) -> Music:
        command = [self.program, "-l", "JavaScript", "-e", _SCRIPT]
        told = jsontext.decode(output_of(command, self.patience))
        if not isinstance(told, list):
            raise TypeError("the players must be a list")
        return _music([player for player in told if isinstance(player, dict)])


def find() -> AppPlayers | None:
    """Give the players of this machine, or None where it has none that can be asked."""
    return AppPlayers() if Path(OSASCRIPT).exists() else None


def _music(players: list[Facts]) -> Music:
    states = {place: _STATES.get(str(facts.get("state"))) for place, facts in enumerate(players)}
    known = {place: state for place, state in states.items() if state is not None}
    leader = min(known, key=lambda place: _PRECEDENCE.index(known[place]), default=None)
    if leader is None:
        return _UNAVAILABLE if players else _STOPPED
    if known[leader] == "stopped":
        return _STOPPED
    facts = players[leader]
    return Music(known[leader], track=_field(facts, "track"), artist=_field(facts, "artist"))


def _field(facts: Facts, name: str) -> str | None:
    value = facts.get(name)
    return title(value) if isinstance(value, str) else None
