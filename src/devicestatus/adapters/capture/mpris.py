"""What plays on this desktop, as its players tell over the session D-Bus (MPRIS 2).

The first playing player counts, else the first paused one, in the order of their bus names.

Invariant *state and metadata are independent*: a player that says it plays is playing, whatever
becomes of its title; a field that is missing, empty or of another type is None, and only that.
Invariant *unreadable is not stopped*: no bus, or players of which none answers, is `unavailable`;
a bus without a player is `stopped`.
Invariant *one wait for all*: players are asked together, so a silent one costs one wait, and no
other player its answer.
Invariant *reading starts nothing*: nothing that is asked here makes the bus start a player.
Artwork and page are left absent: they come from a match in a catalog, never from the player.
Source: device-status specification, "Music", rule 7.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from devicestatus.adapters.capture.attempts import PATIENCE_SECONDS, Attempts
from devicestatus.adapters.capture.cleaning import title
from devicestatus.adapters.capture.sessionbus import Call, SessionBus, session_address
from devicestatus.snapshot import Music, MusicState

__all__ = ["Players", "find"]

_PREFIX: Final = "org.mpris.MediaPlayer2."
_PROXIES: Final = frozenset({_PREFIX + "playerctld"})  # repeat what the other players say
_PATH: Final = "/org/mpris/MediaPlayer2"
_INTERFACE: Final = "org.mpris.MediaPlayer2.Player"

_PLAYERS: Final = 16  # players asked in one reading, at most
_ROUNDS: Final = 4  # connection, names, states and metadata are waited for in turn

_STATES: Final[Mapping[str, MusicState]] = {
    "Playing": "playing",
    "Paused": "paused",
    "Stopped": "stopped",
}
_PRECEDENCE: Final[tuple[MusicState, ...]] = ("playing", "paused", "stopped")
_STOPPED: Final = Music("stopped", None, None)
_UNAVAILABLE: Final = Music("unavailable", None, None)


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

    def music(self) -> Music:
        """Give what plays; `unavailable` where that cannot be read; never raises."""
        return self._attempts.run(self._read, _UNAVAILABLE)

    def close(self) -> None:
        """Close the connection; a later reading opens a new one."""
        self._attempts.run(self._bus.drop, None)

    def _read(self) -> Music:
        return self._bus.guarded(lambda: _music(self._bus, self.patience / _ROUNDS))


def find() -> Players | None:
    """Give the players of the session that the environment names, or None where it names none."""
    return Players() if session_address() is not None else None


def _music(bus: SessionBus, patience: float) -> Music:
    players = _players(bus, patience)
    states = _states(bus, players, patience)
    leader = min(states, key=lambda player: _PRECEDENCE.index(states[player]), default=None)
    if leader is None:
        return _UNAVAILABLE if players else _STOPPED
    if states[leader] == "stopped":
        return _STOPPED
    metadata = _metadata(bus, leader, patience)
    return Music(states[leader], track=_track(metadata), artist=_artist(metadata))


def _players(bus: SessionBus, patience: float) -> list[str]:
    """Give the bus names of the players in their order; raises TimeoutError."""
    names = bus.names(patience)
    return sorted(n for n in names if n.startswith(_PREFIX) and n not in _PROXIES)[:_PLAYERS]


def _states(bus: SessionBus, players: Sequence[str], patience: float) -> dict[str, MusicState]:
    """Give the states of the players that tell one, in the order given."""
    words = bus.properties({p: _of(p, "PlaybackStatus") for p in players}, patience)
    told = ((player, words.get(player)) for player in players)
    return {p: _STATES[word] for p, word in told if isinstance(word, str) and word in _STATES}


def _metadata(bus: SessionBus, player: str, patience: float) -> Mapping[str, Any]:
    """Give the metadata by name, each with its D-Bus type; nothing where the player tells none."""
    metadata = bus.properties({player: _of(player, "Metadata")}, patience).get(player)
    return metadata if isinstance(metadata, dict) else {}


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
