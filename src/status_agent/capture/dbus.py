"""Windows, music and lock of a Linux desktop, as its programs report them over D-Bus.

GNOME Shell lists its windows.  The name of an app is its id without `.desktop`; its other names are
the class of its windows, its id in a sandbox, and those of its desktop file.  GNOME 41 and later
answer parts of the desktop only, unless the user has switched the shell's unsafe mode on: the
refusal is a reading that fails, so that the next source is queried.

Players report their music (MPRIS 2), in the order of their bus names.  Artwork and page are left
absent: they come from a match in a catalog, never from the player.

Desktops set the hints of logind, or run a screen saver with one of several names.  A program that
locks the screen and reports it to neither is not seen here.

Invariant *one wait for all*: queries are sent together, so a silent program costs one wait, and no
other program its answer.
Invariant *late replies are dropped*: a reply after its wait is not taken for a later one.
Invariant *queries start nothing*: no message makes the bus start a program.
Invariant *reconnects*: after an error the connection is dropped, and the next query opens one.
Invariant *titles are not read*: GNOME Shell also sends the titles of windows; they are dropped.
Invariant *no music without its player*: music comes with the names of its player, for the privacy
rules: the bus name behind the prefix, with and without `.instance...`, Identity, DesktopEntry, and
what `app_names` finds by them and by the process of the player.  A player that does not answer the
query for them is a reading that fails.
Source: GNOME Shell, `org.gnome.Shell.Introspect.xml`, GetWindows; systemd,
`org.freedesktop.login1`; the idle inhibition service of freedesktop.org.
"""

import os
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, Final

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

from devicestatus.agent.cleaning import clean_title
from devicestatus.models import Music, MusicState
from status_agent.capture.app_names import app_name
from status_agent.capture.sources import (
    DEFAULT_TIMEOUT_SECONDS,
    MusicPlayers,
    PlayerMusic,
    Presence,
    leading_music,
)

_BUS: Final = DBusAddress(
    "/org/freedesktop/DBus", bus_name="org.freedesktop.DBus", interface="org.freedesktop.DBus"
)
_SHELL: Final = DBusAddress(
    "/org/gnome/Shell/Introspect",
    bus_name="org.gnome.Shell",
    interface="org.gnome.Shell.Introspect",
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
_SYSTEM_BUS: Final = "/run/dbus/system_bus_socket"

_PREFIX: Final = "org.mpris.MediaPlayer2."
_PROXIES: Final = frozenset({_PREFIX + "playerctld"})  # repeat the other players
_INSTANCE: Final = ".instance"
"""Prefix of what a second instance of a player adds to its bus name, by the MPRIS specification."""
_APP_NAMES: Final = ("Identity", "DesktopEntry")
_MAX_PLAYERS: Final = 16  # queried in one reading
_STATES: Final[Mapping[object, MusicState]] = {
    "Playing": "playing",
    "Paused": "paused",
    "Stopped": "stopped",
}


@attrs.define(eq=False)
class _BusClient:
    """A client of a bus; the first query opens the connection."""

    address: str | None = None  # that of the session
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    _connection: DBusConnection | None = attrs.field(default=None, init=False)

    rounds: ClassVar[int] = 2  # the connection, and queries one after another

    def call(self, program: DBusAddress, method: str, *arguments: str) -> Any:  # noqa: ANN401 - the type is that of the method
        """Return the result of a method.

        Raises:
            PermissionError: the program refuses the call.
            TimeoutError: it does not answer in time.

        """
        signature = "s" * len(arguments) or None
        message = new_method_call(program, method, signature, arguments)
        result = self.query({method: message})[method]
        if result is None:
            raise PermissionError("the program refuses the call")
        return result

    def properties(self, wanted: Mapping[str, tuple[DBusAddress, str]]) -> dict[str, Any]:
        """Return the values of properties as `query` does, None for one that is no variant."""
        messages = {key: Properties(program).get(name) for key, (program, name) in wanted.items()}
        answers = self.query(messages)
        return {
            key: value[1] if isinstance(value, tuple) else None for key, value in answers.items()
        }

    def query(self, messages: Mapping[str, Message]) -> dict[str, Any]:
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
            self.disconnect()
            raise
        return {key: _value(reply) for key, reply in answers.items()}

    def disconnect(self) -> None:
        """Close the connection; a later query opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Close the connection; a later reading opens a new one."""
        self.disconnect()


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
    connection: DBusConnection, messages: Mapping[str, Message], timeout_seconds: float
) -> dict[str, Message]:
    waiting: dict[int, str] = {}
    for key, message in messages.items():
        message.header.flags |= MessageFlag.no_auto_start
        serial = next(connection.outgoing_serial)
        connection.send(message, serial=serial)
        waiting[serial] = key
    answers: dict[str, Message] = {}
    deadline = monotonic() + timeout_seconds
    while waiting and (left := deadline - monotonic()) > 0:
        try:
            reply = connection.receive(timeout=left)
        except TimeoutError:
            break
        key = waiting.pop(reply.header.fields.get(HeaderFields.reply_serial), "")
        if key:
            answers[key] = reply
    if messages and not answers:
        raise TimeoutError("no program answers in time")
    return answers


def _value(reply: Message) -> object:
    """Return the first value of a reply; None for an error."""
    is_result = reply.header.message_type is MessageType.method_return
    return next(iter(reply.body), None) if is_result else None


@attrs.define(eq=False)
class Gnome(_BusClient):
    """Query of one GNOME Shell."""

    def active_app(self) -> str | None:
        """Return the app of the window with the focus, or None where no window has it."""
        focused = (window for window in self._windows() if window.get("has-focus"))
        return next(map(_app, focused), None)

    def running_apps(self) -> list[str | None]:
        """Return the apps of all windows."""
        return list(map(_app, self._windows()))

    def _windows(self) -> list[dict[str, Any]]:
        with closing(self):
            windows = self.call(_SHELL, "GetWindows")
        return [
            {name: value for name, (_, value) in windows[identity].items()}
            for identity in sorted(windows)
        ]


def find_gnome() -> Gnome | None:
    """Return the GNOME Shell of this session, or None where the environment names none."""
    desktops = os.environ.get("XDG_CURRENT_DESKTOP", "").split(":")
    is_found = "GNOME" in desktops and _session_address() is not None
    return Gnome() if is_found else None


def _app(window: Mapping[str, Any]) -> str | None:
    values = map(window.get, ("app-id", "wm-class", "sandboxed-app-id"))
    name, *others = (value if isinstance(value, str) else None for value in values)
    return None if name is None else app_name(name.removesuffix(".desktop"), others)


@attrs.define(eq=False)
class Logind(_BusClient):
    """The hints of this user's session in logind, on the system bus."""

    def presence(self, _idle_ms: int, /) -> Presence:
        """Return what logind reports; it has its own idle time."""
        hints = self.properties({name: (_LOGIN, name) for name in ("LockedHint", "IdleHint")})
        return Presence(*(_flag(hints.get(name)) for name in ("LockedHint", "IdleHint")))


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

    rounds = 5  # the connection, names, states, metadata and process, one after another

    def _close(self) -> None:
        self.disconnect()

    def _music(self) -> PlayerMusic:
        names = self.call(_BUS, "ListNames")
        listed = (name for name in names if name.startswith(_PREFIX) and name not in _PROXIES)
        players = sorted(listed)[:_MAX_PLAYERS]
        wanted = {player: (_player(player, ".Player"), "PlaybackStatus") for player in players}
        states = self.properties(wanted)
        return leading_music(
            {player: _state(states.get(player)) for player in players}, self._details
        )

    def _details(self, player: str, state: MusicState) -> PlayerMusic:
        """Return the music of a player; raise TimeoutError where it does not report its names."""
        wanted = {name: (_player(player), name) for name in _APP_NAMES}
        wanted["Metadata"] = (_player(player, ".Player"), "Metadata")
        answers = self.properties(wanted)
        if not answers.keys() >= set(_APP_NAMES):
            raise TimeoutError("the player does not answer the query for its names")
        members = answers.get("Metadata")
        metadata = members if isinstance(members, dict) else {}
        own = player.removeprefix(_PREFIX)
        reported = (own, own.partition(_INSTANCE)[0], *map(answers.get, _APP_NAMES))
        names = dict.fromkeys(name for name in reported if isinstance(name, str) and name)
        process = self.call(_BUS, "GetConnectionUnixProcessID", player)
        first, *others = names
        return PlayerMusic(
            Music(state, track=_track(metadata), artist=_artist(metadata)),
            (app_name(first, others, process=process), *others),
        )


def find_players() -> Players | None:
    """Return the players of the session that the environment names, or None where it names none."""
    return Players() if _session_address() is not None else None


def _player(name: str, part: str = "") -> DBusAddress:
    interface = f"org.mpris.MediaPlayer2{part}"
    return DBusAddress("/org/mpris/MediaPlayer2", bus_name=name, interface=interface)


def _state(value: object) -> MusicState | None:
    return _STATES.get(value) if isinstance(value, str) else None


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
