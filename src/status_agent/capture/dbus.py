"""Music and lock of a Linux desktop, as its programs report them over D-Bus.

Players report their music (MPRIS 2).  Artwork and page are left absent: they come from a match in a
catalog, never from the player.  What Spotify plays between songs is no song.

Desktops set the hints of logind, or run a screen saver with one of several names.

Invariant *one wait for all*: queries are sent together, so a silent program costs one wait, and no
other program its answer.
Invariant *late replies are dropped*: a reply after its wait is not taken for a later one.
Invariant *queries start nothing*: no message makes the bus start a program.
Invariant *reconnects*: after an error the connection is dropped, and the next query opens one.
Invariant *no music without its player*: music comes with the names of its player, for the privacy
rules: the bus name behind the prefix, with and without `.instance...`, Identity, DesktopEntry, and
what `app_names` finds by them and by the process of the player.  A player that does not answer the
query for them is a reading that fails.
Source: systemd, `org.freedesktop.login1`; the idle inhibition service of freedesktop.org.
"""

import os
import re
from collections.abc import Hashable, Iterator, Mapping
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, Final, TypeVar

import attrs
from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageFlag,
    MessageType,
    Properties,
    new_method_call,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from devicestatus.models import MusicState
from status_agent.capture.app_names import app_name
from status_agent.capture.music import MusicPlayers, Played
from status_agent.capture.sources import DEFAULT_TIMEOUT_SECONDS, PlayerMusic, Presence
from status_contracts.instants import SECOND_MS
from status_contracts.primitives import is_visible

_BUS: Final = DBusAddress(
    "/org/freedesktop/DBus", bus_name="org.freedesktop.DBus", interface="org.freedesktop.DBus"
)
_LOGIN: Final = DBusAddress(
    "/org/freedesktop/login1/session/auto",
    bus_name="org.freedesktop.login1",
    interface="org.freedesktop.login1.Session",
)
_SCREEN_SAVERS: Final = {
    name: DBusAddress(f"/{name.replace('.', '/')}", bus_name=name, interface=name)
    for name in (
        "org.freedesktop.ScreenSaver",
        "org.gnome.ScreenSaver",
        "org.cinnamon.ScreenSaver",
        "org.mate.ScreenSaver",
        "org.xfce.ScreenSaver",
    )
}
_HINTS: Final = ("LockedHint", "IdleHint", "IdleSinceHintMonotonic", "Type")  # the third in us
_SYSTEM_BUS: Final = "/run/dbus/system_bus_socket"

_PREFIX: Final = "org.mpris.MediaPlayer2."
_INSTANCE: Final = ".instance"
"""Prefix of what a second instance of a player adds to its bus name, by the MPRIS specification."""
_APP_NAMES: Final = ("Identity", "DesktopEntry")
_PROCESS: Final = "GetConnectionUnixProcessID"
_MAX_STATES: Final = 256  # players that are asked for their state in one reading
_ADVERT: Final = re.compile(r"\bspotify[:/]ad[:/]")
_STATES: Final[Mapping[object, MusicState]] = {
    "Playing": "playing",
    "Paused": "paused",
    "Stopped": "stopped",
}

Key = TypeVar("Key", bound=Hashable)


@attrs.define(eq=False)
class _BusClient:
    """A client of a bus; the first query opens the connection."""

    address: str | None = None  # that of the session
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    _connection: DBusConnection | None = attrs.field(default=None, init=False)

    rounds: ClassVar[int] = 2  # the connection, and queries one after another

    def properties(self, wanted: Mapping[str, tuple[DBusAddress, str]]) -> dict[str, Any]:
        """Return the values of properties as `query` does, None for one that is no variant."""
        messages = {key: Properties(program).get(name) for key, (program, name) in wanted.items()}
        return {key: _variant(value) for key, value in self.query(messages).items()}

    def query(self, messages: Mapping[Key, Message]) -> dict[Key, Any]:
        """Send all messages; return the values that arrive in time, None for an error.

        Raises:
            TimeoutError: none arrives.

        """
        wait_seconds = self.timeout_seconds / self.rounds
        try:
            if self._connection is None:
                self._connection = _connect(self.address, wait_seconds)
            answers = _exchange(self._connection, messages, wait_seconds)
        except BaseException:
            _BusClient.close(self)
            raise
        return {key: _value(reply) for key, reply in answers.items()}

    def close(self) -> None:
        """Close the connection; a later query opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _session_address() -> str | None:
    """Return the address of the bus of this session, or None where the environment has none."""
    address = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if address or not runtime:
        return address or None
    bus = Path(runtime, "bus")  # the default path
    return f"unix:path={bus}" if bus.is_socket() else None


def _connect(address: str | None, timeout_seconds: float) -> DBusConnection:
    bus_address = address or _session_address()
    if bus_address is None:
        raise FileNotFoundError("no session bus")
    return open_dbus_connection(bus_address, auth_timeout=timeout_seconds)


def _exchange(
    connection: DBusConnection, messages: Mapping[Key, Message], timeout_seconds: float
) -> dict[Key, Message]:
    waiting: dict[int, Key] = {}
    for key, message in messages.items():
        message.header.flags |= MessageFlag.no_auto_start
        serial = next(connection.outgoing_serial)
        connection.send(message, serial=serial)
        waiting[serial] = key
    answers: dict[Key, Message] = {}
    deadline = monotonic() + timeout_seconds
    while waiting and (left := deadline - monotonic()) > 0:
        try:
            reply = connection.receive(timeout=left)
        except TimeoutError:
            break
        serial = reply.header.fields.get(HeaderFields.reply_serial)
        if serial in waiting:
            answers[waiting.pop(serial)] = reply
    if messages and not answers:
        raise TimeoutError("no program answers in time")
    return answers


def _value(reply: Message) -> object:
    """Return the first value of a reply; None for an error."""
    is_result = reply.header.message_type is MessageType.method_return
    return next(iter(reply.body), None) if is_result else None


@attrs.define(eq=False)
class Logind(_BusClient):
    """The hints of this user's session in logind, on the system bus."""

    def presence(self, idle_ms: int, /) -> Presence:
        """Return what logind reports; idle counts from its own hint on, which comes later."""
        hints = self.properties({name: (_LOGIN, name) for name in _HINTS})
        is_locked, is_idle, since, kind = map(hints.get, _HINTS)
        if kind == "tty":  # of a desktop that a console started it knows the console's keys only
            is_idle = None
        if is_idle is True:
            is_idle = (
                monotonic() * SECOND_MS - since / 1000 >= idle_ms
                if isinstance(since, int)
                else None
            )
        return Presence(_flag(is_locked), _flag(is_idle))


@attrs.define(eq=False)
class ScreenSavers(_BusClient):
    """The screen savers on a session bus; one that is active covers the screen."""

    def presence(self, _idle_ms: int, /) -> Presence:
        """Return whether one is active."""
        messages = {name: new_method_call(it, "GetActive") for name, it in _SCREEN_SAVERS.items()}
        flags = [flag for flag in map(_flag, self.query(messages).values()) if flag is not None]
        return Presence(is_locked=any(flags) if flags else None)


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def find_logind() -> Logind | None:
    """Return logind of the system bus, or None where there is no such bus."""
    address = os.environ.get("DBUS_SYSTEM_BUS_ADDRESS")
    if not address and Path(_SYSTEM_BUS).is_socket():
        address = f"unix:path={_SYSTEM_BUS}"
    return Logind(address) if address else None


def find_screen_savers() -> ScreenSavers | None:
    """Return the screen savers of the session that the environment names, or None."""
    return ScreenSavers() if _session_address() is not None else None


@attrs.define(eq=False)
class Players(MusicPlayers, _BusClient):
    """The players on a session bus."""

    rounds = 4  # the connection, names, states and details, one after another

    def close(self) -> None:
        """Close the connection; a later reading opens a new one."""
        self._reader.run(
            "music players", partial(_BusClient.close, self), None, self.timeout_seconds
        )

    def _music(self) -> PlayerMusic:
        (names,) = self.query({"names": new_method_call(_BUS, "ListNames")}).values()
        players = sorted(name for name in names if name.startswith(_PREFIX))
        asked = players[:_MAX_STATES]
        wanted = {player: (_player(player, ".Player"), "PlaybackStatus") for player in asked}
        states = self.properties(wanted)
        reported = {player: _state(states.get(player)) for player in players}
        return self._leading(reported, _own_names, self._details)

    def _details(self, players: Mapping[str, MusicState]) -> Iterator[Played]:
        """Yield what players report; one that does not answer who it is has no names."""
        messages: dict[tuple[str, str], Message] = {}
        for player in players:
            for name in (*_APP_NAMES, "Metadata"):
                address = _player(player, ".Player" if name == "Metadata" else "")
                messages[player, name] = Properties(address).get(name)
            messages[player, _PROCESS] = new_method_call(_BUS, _PROCESS, "s", (player,))
        answers = self.query(messages)
        for player, state in players.items():
            metadata = _variant(answers.get((player, "Metadata")))
            members = metadata if isinstance(metadata, dict) else {}
            reported = [_variant(answers.get((player, name))) for name in _APP_NAMES]
            first, *others = dict.fromkeys((*_own_names(player), *_texts(reported)))
            process = answers.get((player, _PROCESS))
            known = all((player, name) in answers for name in _APP_NAMES)
            named = app_name(first, others, process=process if isinstance(process, int) else None)
            is_song = not _ADVERT.search(" ".join(_texts(_variant(members.get("mpris:trackid")))))
            yield Played(
                player,
                state,
                (named, *others) if known else (),
                _joined(members.get("xesam:title")) if is_song else None,
                _joined(members.get("xesam:artist")) if is_song else None,
            )


def find_players() -> Players | None:
    """Return the players of the session that the environment names, or None where it names none."""
    return Players() if _session_address() is not None else None


def _player(name: str, part: str = "") -> DBusAddress:
    interface = f"org.mpris.MediaPlayer2{part}"
    return DBusAddress("/org/mpris/MediaPlayer2", bus_name=name, interface=interface)


def _own_names(player: str) -> tuple[str, ...]:
    """Return the names in the bus name of a player: without the prefix, and as one instance."""
    own = player.removeprefix(_PREFIX)
    return tuple(dict.fromkeys((own, own.partition(_INSTANCE)[0])))


def _state(value: object) -> MusicState | None:
    return _STATES.get(value) if isinstance(value, str) else None


def _variant(value: object) -> object:
    """Return the value in a variant, which is a signature and a value; None for all others."""
    return value[1] if isinstance(value, tuple) and len(value) > 1 else None


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in a value, in variants and lists of any depth; players send all of them."""
    if isinstance(value, str) and is_visible(value):
        yield value
    elif isinstance(value, tuple):
        yield from _texts(_variant(value))
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _joined(value: object) -> str | None:
    return ", ".join(text.strip() for text in _texts(_variant(value))) or None
