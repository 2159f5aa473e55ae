"""Music of this desktop, as its players report it over the session D-Bus (MPRIS 2).

The first playing player counts, else the first paused one, in the order of their bus names.

Invariant *state and metadata are independent*: a player that reports playing is playing, whatever
becomes of its title; a field that is missing, empty or of another type is None, and only that.
Invariant *unreadable is not stopped*: no bus, or players of which none answers, is `unavailable`;
a bus without a player is `stopped`.
Invariant *one wait for all*: players are queried together, so a silent one costs one wait, and no
other player its answer.
Invariant *no music without its player*: music comes with the names of its player, for the privacy
rules: the bus name behind the prefix, with and without `.instance...`, Identity and DesktopEntry.
A player that does not answer the query for them is a reading that fails.
Invariant *reading starts nothing*: no query makes the bus start a player.
Artwork and page are left absent: they come from a match in a catalog, never from the player.
Source: device-status specification, "Music", rule 7.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from devicestatus.adapters.capture.name_cleaning import clean_title
from devicestatus.adapters.capture.session_bus import Call, SessionBus, session_address
from devicestatus.adapters.capture.sources import (
    DEFAULT_TIMEOUT_SECONDS,
    MUSIC_STOPPED,
    MUSIC_UNAVAILABLE,
    PlayerMusic,
    TimedReader,
)
from devicestatus.models.snapshot import Music, MusicState

__all__ = ["Players", "find"]

_PREFIX: Final = "org.mpris.MediaPlayer2."
_PROXIES: Final = frozenset({_PREFIX + "playerctld"})  # repeat the other players
_PATH: Final = "/org/mpris/MediaPlayer2"
_INTERFACE: Final = "org.mpris.MediaPlayer2.Player"
_APP_INTERFACE: Final = "org.mpris.MediaPlayer2"
_APP_NAMES: Final = ("Identity", "DesktopEntry")
_INSTANCE: Final = ".instance"
"""Prefix of what a second instance of a player adds to its bus name, by the MPRIS specification."""

_MAX_PLAYERS: Final = 16  # queried in one reading
_ROUNDS: Final = 4  # connection, names, states and metadata, one after another

_STATES: Final[Mapping[str, MusicState]] = {
    "Playing": "playing",
    "Paused": "paused",
    "Stopped": "stopped",
}
_PRECEDENCE: Final[tuple[MusicState, ...]] = ("playing", "paused", "stopped")


@attrs.define(eq=False)
class Players:
    """The media players of one session; connects when it is first read.

    Attributes:
        address: D-Bus address of the session bus; None means the one in the environment.
        timeout_seconds: time limit of one reading.

    """

    address: str | None = None
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    _bus: SessionBus = attrs.field(init=False)
    _reader: TimedReader = attrs.field(init=False)

    @_bus.default
    def _default_bus(self) -> SessionBus:
        return SessionBus(self.address)

    @_reader.default
    def _default_reader(self) -> TimedReader:
        return TimedReader("music players", self.timeout_seconds)

    def music(self) -> PlayerMusic:
        """Return what plays; `unavailable` where that cannot be read; never raises."""
        return self._reader.run(self._read, MUSIC_UNAVAILABLE)

    def close(self) -> None:
        """Close the connection; a later reading opens a new one."""
        self._reader.run(self._bus.close, None)

    def _read(self) -> PlayerMusic:
        return self._bus.run(lambda: _music(self._bus, self.timeout_seconds / _ROUNDS))


def find() -> Players | None:
    """Return the players of the session that the environment names, or None where it names none."""
    return Players() if session_address() is not None else None


def _music(bus: SessionBus, timeout_seconds: float) -> PlayerMusic:
    players = _players(bus, timeout_seconds)
    states = _states(bus, players, timeout_seconds)
    leader = min(states, key=lambda player: _PRECEDENCE.index(states[player]), default=None)
    if leader is None:
        return MUSIC_UNAVAILABLE if players else MUSIC_STOPPED
    if states[leader] == "stopped":
        return MUSIC_STOPPED
    metadata, names = _details(bus, leader, timeout_seconds)
    music = Music(states[leader], track=_track(metadata), artist=_artist(metadata))
    return PlayerMusic(music, names)


def _players(bus: SessionBus, timeout_seconds: float) -> list[str]:
    """Return the bus names of the players in their order; raise TimeoutError."""
    names = bus.names(timeout_seconds)
    return sorted(n for n in names if n.startswith(_PREFIX) and n not in _PROXIES)[:_MAX_PLAYERS]


def _states(
    bus: SessionBus, players: Sequence[str], timeout_seconds: float
) -> dict[str, MusicState]:
    """Return the states of the players that report one, in the order given."""
    values = bus.properties({p: _of(p, "PlaybackStatus") for p in players}, timeout_seconds)
    reported = ((player, values.get(player)) for player in players)
    return {p: _STATES[s] for p, s in reported if isinstance(s, str) and s in _STATES}


def _details(
    bus: SessionBus, player: str, timeout_seconds: float
) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Return metadata (name to D-Bus type and value; may be empty) and names of a player.

    Raises:
        TimeoutError: the player does not answer the query for its names.

    """
    calls = {name: Call(player, _PATH, _APP_INTERFACE, name) for name in _APP_NAMES}
    answers = bus.properties({"Metadata": _of(player, "Metadata"), **calls}, timeout_seconds)
    if not answers.keys() >= calls.keys():
        raise TimeoutError("the player does not answer the query for its names")
    metadata = answers.get("Metadata")
    own = player.removeprefix(_PREFIX)
    names = (own, own.partition(_INSTANCE)[0], *map(answers.get, _APP_NAMES))
    texts = tuple(dict.fromkeys(name for name in names if isinstance(name, str) and name))
    return (metadata if isinstance(metadata, dict) else {}), texts


def _of(player: str, name: str) -> Call:
    return Call(player, _PATH, _INTERFACE, name)


def _track(metadata: Mapping[str, Any]) -> str | None:
    match metadata.get("xesam:title"):
        case (_, str(text)):
            return clean_title(text)
        case _:
            return None


def _artist(metadata: Mapping[str, Any]) -> str | None:
    match metadata.get("xesam:artist"):
        case (_, str(name)):  # the standard requires a list; some players send one name
            return clean_title(name)
        case (_, list(names)) if all(isinstance(name, str) for name in names):
            return clean_title(", ".join(filter(None, map(clean_title, names))))
        case _:
            return None
