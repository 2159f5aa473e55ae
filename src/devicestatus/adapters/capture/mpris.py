"""What plays on this desktop, as its players tell over the session D-Bus (MPRIS 2).

The first playing player counts, else the first paused one, in the order of their bus names.

Invariant *state and metadata are independent*: a player that says it plays is playing, whatever
becomes of its title; a field that is missing, empty or of another type is None, and only that.
Invariant *unreadable is not stopped*: no bus, or players of which none answers, is `unavailable`;
a bus without a player is `stopped`.
Invariant *one wait for all*: players are asked together, so a silent one costs one wait, and no
other player its answer.
Invariant *no music without its player*: music comes with the names of its player, for the privacy
rules: the bus name behind the prefix, with and without `.instance...`, Identity and DesktopEntry.
A player that does not answer the question for them is a reading that fails.
Invariant *reading starts nothing*: nothing that is asked here makes the bus start a player.
Artwork and page are left absent: they come from a match in a catalog, never from the player.
Source: device-status specification, "Music", rule 7.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from devicestatus.adapters.capture.name_cleaning import title
from devicestatus.adapters.capture.player_music import STOPPED, UNAVAILABLE, PlayerMusic
from devicestatus.adapters.capture.session_bus import Call, SessionBus, session_address
from devicestatus.adapters.capture.timed_reader import PATIENCE_SECONDS, Attempts
from devicestatus.models.snapshot import Music, MusicState

__all__ = ["Players", "find"]

_PREFIX: Final = "org.mpris.MediaPlayer2."
_PROXIES: Final = frozenset({_PREFIX + "playerctld"})  # repeat what the other players say
_PATH: Final = "/org/mpris/MediaPlayer2"
_INTERFACE: Final = "org.mpris.MediaPlayer2.Player"
_APP_INTERFACE: Final = "org.mpris.MediaPlayer2"
_APP_NAMES: Final = ("Identity", "DesktopEntry")
_INSTANCE: Final = ".instance"
"""Begins what a second instance of a player adds to its bus name, by the MPRIS specification."""

_PLAYERS: Final = 16  # players asked in one reading, at most
_ROUNDS: Final = 4  # connection, names, states and metadata are waited for in turn

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
        address: D-Bus address of the session bus; None means the one that the environment names.
        patience: how long one reading may take, in seconds.

    """

    address: str | None = None
    patience: float = PATIENCE_SECONDS
    _bus: SessionBus = attrs.field(init=False)
    _attempts: Attempts = attrs.field(init=False)

    @_bus.default
    def _default_bus(self) -> SessionBus:
        return SessionBus(self.address)

    @_attempts.default
    def _default_attempts(self) -> Attempts:
        return Attempts("music players", self.patience)

    def music(self) -> PlayerMusic:
        """Return what plays; `unavailable` where that cannot be read; never raises."""
        return self._attempts.run(self._read, UNAVAILABLE)

    def close(self) -> None:
        """Close the connection; a later reading opens a new one."""
        self._attempts.run(self._bus.drop, None)

    def _read(self) -> PlayerMusic:
        return self._bus.guarded(lambda: _music(self._bus, self.patience / _ROUNDS))


def find() -> Players | None:
    """Give the players of the session that the environment names, or None where it names none."""
    return Players() if session_address() is not None else None


def _music(bus: SessionBus, patience: float) -> PlayerMusic:
    players = _players(bus, patience)
    states = _states(bus, players, patience)
    leader = min(states, key=lambda player: _PRECEDENCE.index(states[player]), default=None)
    if leader is None:
        return UNAVAILABLE if players else STOPPED
    if states[leader] == "stopped":
        return STOPPED
    metadata, names = _details(bus, leader, patience)
    music = Music(states[leader], track=_track(metadata), artist=_artist(metadata))
    return PlayerMusic(music, names)


def _players(bus: SessionBus, patience: float) -> list[str]:
    """Give the bus names of the players in their order; raises TimeoutError."""
    names = bus.names(patience)
    return sorted(n for n in names if n.startswith(_PREFIX) and n not in _PROXIES)[:_PLAYERS]


def _states(bus: SessionBus, players: Sequence[str], patience: float) -> dict[str, MusicState]:
    """Give the states of the players that tell one, in the order given."""
    words = bus.properties({p: _of(p, "PlaybackStatus") for p in players}, patience)
    told = ((player, words.get(player)) for player in players)
    return {p: _STATES[word] for p, word in told if isinstance(word, str) and word in _STATES}


def _details(
    bus: SessionBus, player: str, patience: float
) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Return metadata (name to D-Bus type and value; may be empty) and names of a player.

    Raises:
        TimeoutError: the player does not answer the question for its names.

    """
    questions = {name: Call(player, _PATH, _APP_INTERFACE, name) for name in _APP_NAMES}
    answers = bus.properties({"Metadata": _of(player, "Metadata"), **questions}, patience)
    if not answers.keys() >= questions.keys():
        raise TimeoutError("the player does not say which app it is")
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
            return title(text)
        case _:
            return None


def _artist(metadata: Mapping[str, Any]) -> str | None:
    match metadata.get("xesam:artist"):
        case (_, str(name)):  # the standard says a list; some players give one name
            return title(name)
        case (_, list(names)) if all(isinstance(name, str) for name in names):
            return title(", ".join(filter(None, map(title, names))))
        case _:
            return None
