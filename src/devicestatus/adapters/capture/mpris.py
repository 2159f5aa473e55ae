"""What plays on this desktop, as its players tell over the session D-Bus (MPRIS 2).

The first playing player counts, else the first paused one, in the order of their bus names.

Invariant *state and metadata are independent*: a player that says it plays is playing, whatever
becomes of its title; a field that is missing, empty or of another type is None, and only that.
Invariant *unreadable is not stopped*: no bus, or players of which none answers, is `unavailable`;
a bus without a player is `stopped`.
Invariant *one wait for all*: players are asked together, so a silent one costs one wait, and no
other player its answer.
Invariant *reading starts nothing*: no message of ours makes the bus start a player.
Artwork and page are left absent: they come from a match in a catalog, never from the player.
Source: device-status specification, "Music", rule 7.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Final

import attrs
from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageFlag,
    MessageType,
    Properties,
    message_bus,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from devicestatus.adapters.capture.attempts import PATIENCE_SECONDS, Attempts
from devicestatus.adapters.capture.cleaning import title
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
    _connection: DBusConnection | None = attrs.field(default=None, init=False)
    _attempts: Attempts = attrs.field(init=False)

    @_attempts.default
    def _default_attempts(self) -> Attempts:
        return Attempts("music players", self.patience)

    def music(self) -> Music:
        """Give what plays; `unavailable` where that cannot be read; never raises."""
        return self._attempts.run(self._read, _UNAVAILABLE)

    def close(self) -> None:
        """Close the connection; a later reading opens a new one."""
        self._attempts.run(self._drop, None)

    def _read(self) -> Music:
        try:
            if self._connection is None:
                self._connection = self._connect()
            return _music(self._connection, self.patience / _ROUNDS)
        except BaseException:
            self._drop()
            raise

    def _connect(self) -> DBusConnection:
        address = self.address or _session_address()
        if address is None:
            raise FileNotFoundError("no session bus")
        return open_dbus_connection(address, auth_timeout=self.patience / _ROUNDS)

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def find() -> Players | None:
    """Give the players of the session that the environment names, or None where it names none."""
    return Players() if _session_address() is not None else None


def _session_address() -> str | None:
    named = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if named or not runtime:
        return named or None
    bus = Path(runtime, "bus")  # where it is unless something else is said
    return f"unix:path={bus}" if bus.is_socket() else None


def _music(connection: DBusConnection, patience: float) -> Music:
    players = _players(connection, patience)
    states = _states(connection, players, patience)
    leader = min(states, key=lambda player: _PRECEDENCE.index(states[player]), default=None)
    if leader is None:
        return _UNAVAILABLE if players else _STOPPED
    if states[leader] == "stopped":
        return _STOPPED
    metadata = _metadata(connection, leader, patience)
    return Music(states[leader], track=_track(metadata), artist=_artist(metadata))


def _players(connection: DBusConnection, patience: float) -> list[str]:
    """Give the bus names of the players in their order; raises TimeoutError."""
    answers = _ask(connection, {"bus": message_bus.ListNames()}, patience)
    if "bus" not in answers:
        raise TimeoutError("the bus does not say who is on it")
    (names,) = answers["bus"]
    return sorted(n for n in names if n.startswith(_PREFIX) and n not in _PROXIES)[:_PLAYERS]


def _states(
    connection: DBusConnection, players: Sequence[str], patience: float
) -> dict[str, MusicState]:
    """Give the states of the players that tell one, in the order given."""
    answers = _ask(connection, {p: _property(p, "PlaybackStatus") for p in players}, patience)
    words = {player: _value(answers.get(player)) for player in players}
    return {
        p: _STATES[word] for p, word in words.items() if isinstance(word, str) and word in _STATES
    }


def _metadata(connection: DBusConnection, player: str, patience: float) -> Mapping[str, Any]:
    """Give the metadata by name, each with its D-Bus type; nothing where the player tells none."""
    answers = _ask(connection, {player: _property(player, "Metadata")}, patience)
    metadata = _value(answers.get(player))
    return metadata if isinstance(metadata, dict) else {}


def _value(answer: tuple[Any, ...] | None) -> object:
    """Give the value in an answer to `Get`, or None where the answer is nothing of the kind."""
    match answer:
        case ((str(), value),):
            return value
        case _:
            return None


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


def _property(player: str, name: str) -> Message:
    address = DBusAddress(_PATH, bus_name=player, interface=_INTERFACE)
    question = Properties(address).get(name)
    question.header.flags |= MessageFlag.no_auto_start
    return question


def _ask(
    connection: DBusConnection, questions: Mapping[str, Message], patience: float
) -> dict[str, tuple[Any, ...]]:
    """Send all questions, then give the answers that arrive in time; errors are no answers."""
    waiting = {_send(connection, question): key for key, question in questions.items()}
    answers: dict[str, tuple[Any, ...]] = {}
    deadline = monotonic() + patience
    while waiting and (left := deadline - monotonic()) > 0:
        try:
            reply = connection.receive(timeout=left)
        except TimeoutError:
            break
        key = waiting.pop(reply.header.fields.get(HeaderFields.reply_serial), None)
        if key is not None and reply.header.message_type is MessageType.method_return:
            answers[key] = reply.body
    return answers


def _send(connection: DBusConnection, question: Message) -> int:
    serial: int = next(connection.outgoing_serial)
    connection.send(question, serial=serial)
    return serial
