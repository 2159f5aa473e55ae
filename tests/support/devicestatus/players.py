"""Media players on a real session bus (a private dbus-daemon)."""

import select
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from threading import Event, Thread

import attrs
from jeepney import HeaderFields, Message, MessageType, message_bus, new_error, new_method_return
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from support.servers.services import need

LONG_TIMEOUT = 30.0  # seconds; far more than any reading here needs, even on a busy machine


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server that prints its address on standard output, and stop it at the end."""
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield server
    finally:
        server.send_signal(signal.SIGCONT)
        server.terminate()  # and not kill: servers remove their sockets when they end
        server.wait(LONG_TIMEOUT)
        if server.stdout is not None:
            server.stdout.close()


def first_line(server: subprocess.Popen[bytes]) -> str:
    assert server.stdout is not None
    ready, _, _ = select.select([server.stdout], [], [], LONG_TIMEOUT)
    assert ready, "the server does not start"
    line = server.stdout.readline().decode().strip()
    assert line, "the server ended"
    return line


@contextmanager
def session_bus(address: str | None = None) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run a bus of its own, at a free address or at the one given."""
    options = ("--session", "--print-address", "--nofork", "--nopidfile")
    named = () if address is None else (f"--address={address}",)
    with running(need("dbus-daemon"), *options, *named) as server:
        yield first_line(server), server


Answer = tuple[str, object]
"""A D-Bus signature and a value of that type."""
Reply = Callable[[Message], Message | None]


@attrs.define
class Player:
    """A media player on the bus.

    Attributes:
        name: last part of its bus name.
        properties: what it answers to `Get`; a name that is not there is an error.
        silent: whether it answers nothing at all.
        mute: properties that it never answers.

    """

    name: str
    properties: dict[str, Answer]
    silent: bool = False
    mute: frozenset[str] = frozenset()

    def reply(self, question: Message) -> Message | None:
        if question.header.message_type is not MessageType.method_call or self.silent:
            return None
        member = question.header.fields[HeaderFields.member]
        if member == "Get" and question.body[1] in self.mute:
            return None
        if member != "Get" or not self._has(*question.body):
            return new_error(question, "org.freedesktop.DBus.Error.UnknownProperty")
        return new_method_return(question, "v", (self.properties[question.body[1]],))

    def _has(self, interface: str, name: str) -> bool:
        part = "" if name in {"Identity", "DesktopEntry"} else ".Player"
        return name in self.properties and interface == f"org.mpris.MediaPlayer2{part}"


@contextmanager
def on_the_bus(address: str, *players: Player) -> Iterator[None]:
    with ExitStack() as stack:
        for player in players:
            name = f"org.mpris.MediaPlayer2.{player.name}"
            stack.enter_context(serving(address, name, player.reply))
        yield


@contextmanager
def serving(address: str, name: str, reply: Reply) -> Iterator[None]:
    """Run a program of a name on a bus."""
    end = Event()
    with open_dbus_connection(address, auth_timeout=LONG_TIMEOUT) as connection:
        connection.send_and_get_reply(message_bus.RequestName(name), timeout=LONG_TIMEOUT)
        thread = Thread(target=_serve, args=(connection, reply, end))
        thread.start()
        try:
            yield
        finally:
            end.set()
            thread.join(LONG_TIMEOUT)


def _serve(connection: DBusConnection, reply: Reply, end: Event) -> None:
    while not end.is_set():
        try:
            question = connection.receive(timeout=0.02)
        except (TimeoutError, ConnectionResetError):
            continue
        answer = reply(question)
        if answer is not None:
            connection.send(answer)


def player(metadata: Mapping[str, Answer], name: str = "one", status: str = "Playing") -> Player:
    named = {f"xesam:{key}": value for key, value in metadata.items()}
    return Player(name, {"PlaybackStatus": ("s", status), "Metadata": ("a{sv}", named)})


def song(title: str = "Song", *artists: str) -> Mapping[str, Answer]:
    return {"title": ("s", title), "artist": ("as", list(artists or ("Band",)))}
