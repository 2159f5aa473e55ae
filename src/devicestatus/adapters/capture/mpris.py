"""Music of this desktop, as its players report it over the session D-Bus (MPRIS 2).

Players are ordered by their bus names.  Artwork and page are left absent: they come from a match in
a catalog, never from the player.

Invariant *one wait for all*: players are queried together, so a silent one costs one wait, and no
other player its answer.
Invariant *no music without its player*: music comes with the names of its player, for the privacy
rules: the bus name behind the prefix, with and without `.instance...`, Identity, DesktopEntry, and
what `app_names` finds by them and by the process of the player.  A player that does not answer the
query for them is a reading that fails.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import attrs

from devicestatus.adapters.capture.app_names import app_name
from devicestatus.adapters.capture.session_bus import Member, SessionBus, session_address
from devicestatus.adapters.capture.sources import (
    DEFAULT_TIMEOUT_SECONDS,
    MUSIC_UNAVAILABLE,
    PlayerMusic,
    TimedReader,
    leading_music,
)
from devicestatus.agent.cleaning import clean_title
from devicestatus.models import Music, MusicState

_BUS: Final = partial(
    Member, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus"
)
_LIST_NAMES: Final = _BUS("ListNames")
_PROCESS: Final = _BUS("GetConnectionUnixProcessID")
_PREFIX: Final = "org.mpris.MediaPlayer2."
_PROXIES: Final = frozenset({_PREFIX + "playerctld"})  # repeat the other players
_PATH: Final = "/org/mpris/MediaPlayer2"
_INTERFACE: Final = "org.mpris.MediaPlayer2.Player"
_APP_INTERFACE: Final = "org.mpris.MediaPlayer2"
_APP_NAMES: Final = ("Identity", "DesktopEntry")
_INSTANCE: Final = ".instance"
"""Prefix of what a second instance of a player adds to its bus name, by the MPRIS specification."""

_MAX_PLAYERS: Final = 16  # queried in one reading
_ROUNDS: Final = 5  # connection, names, states, metadata and process, one after another

_STATES: Final[Mapping[object, MusicState]] = {
    "Playing": "playing",
    "Paused": "paused",
    "Stopped": "stopped",
}


@attrs.define(eq=False)
class Players:
    """The media players of one session; connects when it is first read."""

    address: str | None = None  # that of the environment
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    _bus: SessionBus = attrs.field(init=False)
    _reader: TimedReader = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._bus = SessionBus(self.address)
        self._reader = TimedReader("music players", self.timeout_seconds)

    def music(self) -> PlayerMusic:
        """Return what plays; `unavailable` where that cannot be read; never raises."""
        return self._reader.run(
            lambda: _music(self._bus, self.timeout_seconds / _ROUNDS), MUSIC_UNAVAILABLE
        )

    def close(self) -> None:
        """Close the connection; a later reading opens a new one."""
        self._reader.run(self._bus.close, None)


def find() -> Players | None:
    """Return the players of the session that the environment names, or None where it names none."""
    return Players() if session_address() is not None else None


def _music(bus: SessionBus, timeout_seconds: float) -> PlayerMusic:
    (names,) = bus.call(_LIST_NAMES, timeout_seconds)
    listed = (name for name in names if name.startswith(_PREFIX) and name not in _PROXIES)
    players = sorted(listed)[:_MAX_PLAYERS]
    members = {player: Member(player, _PATH, _INTERFACE, "PlaybackStatus") for player in players}
    values = bus.properties(members, timeout_seconds)
    return leading_music(
        {player: _state(values.get(player)) for player in players},
        partial(_details, bus, timeout_seconds),
    )


def _state(value: object) -> MusicState | None:
    return _STATES.get(value) if isinstance(value, str) else None


def _details(
    bus: SessionBus, timeout_seconds: float, player: str, state: MusicState
) -> PlayerMusic:
    """Return the music of a player; raise TimeoutError where it does not report its names."""
    members = {name: Member(player, _PATH, _APP_INTERFACE, name) for name in _APP_NAMES}
    members["Metadata"] = Member(player, _PATH, _INTERFACE, "Metadata")
    answers = bus.properties(members, timeout_seconds)
    if not answers.keys() >= set(_APP_NAMES):
        raise TimeoutError("the player does not answer the query for its names")
    found = answers.get("Metadata")
    metadata = found if isinstance(found, dict) else {}
    own = player.removeprefix(_PREFIX)
    reported = (own, own.partition(_INSTANCE)[0], *map(answers.get, _APP_NAMES))
    names = dict.fromkeys(name for name in reported if isinstance(name, str) and name)
    (process,) = bus.call(_PROCESS, timeout_seconds, player)
    first, *others = names
    return PlayerMusic(
        Music(state, track=_track(metadata), artist=_artist(metadata)),
        (app_name(first, others, process=process), *others),
    )


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
