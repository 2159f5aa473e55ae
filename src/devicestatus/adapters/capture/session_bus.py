"""Query programs on a D-Bus, that of the session by default, many at once, within one wait.

Invariant *one wait for all*: queries are sent together, so a silent program costs one wait, and no
other program its answer.
Invariant *late replies are dropped*: a reply after its wait is not taken for a later one.
Invariant *queries start nothing*: no message makes the bus start a program.
Invariant *reconnects*: after an error the connection is dropped, and the next query opens one.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any

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


@attrs.frozen
class Member:
    """A method, or a property, of an object of a program."""

    program: str
    path: str
    interface: str
    name: str


@attrs.define(eq=False)
class SessionBus:
    """A session bus; connects with the first query."""

    address: str | None = None  # that of the environment
    _connection: DBusConnection | None = attrs.field(default=None, init=False)

    def call(self, method: Member, timeout_seconds: float, *arguments: str) -> tuple[Any, ...]:
        """Return the result of a method.

        Raises:
            PermissionError: the program refuses the call.
            TimeoutError: it does not answer in time.

        """
        signature = "s" * len(arguments) or None
        message = new_method_call(_address(method), method.name, signature, arguments)
        answers = self._query({method.name: message}, timeout_seconds)
        if not answers:
            self.close()
            raise TimeoutError("the program does not answer in time")
        reply = answers[method.name]
        if reply.header.message_type is not MessageType.method_return:
            raise PermissionError("the program refuses the call")
        result: tuple[Any, ...] = reply.body
        return result

    def results(self, methods: Mapping[str, Member], timeout_seconds: float) -> dict[str, object]:
        """Return the first value that each method returns in time; None where it is an error."""
        messages = {
            key: new_method_call(_address(each), each.name) for key, each in methods.items()
        }
        answers = self._query(messages, timeout_seconds)
        return {
            key: next(iter(reply.body), None)
            if reply.header.message_type is MessageType.method_return
            else None
            for key, reply in answers.items()
        }

    def properties(self, wanted: Mapping[str, Member], timeout_seconds: float) -> dict[str, object]:
        """Return the values of the properties answered in time; None where the answer is an error.

        A property whose program does not answer in time is left out.
        """
        messages = {key: Properties(_address(each)).get(each.name) for key, each in wanted.items()}
        answers = self._query(messages, timeout_seconds)
        return {key: _value(reply) for key, reply in answers.items()}

    def close(self) -> None:
        """Close the connection; a later query opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _query(self, messages: Mapping[str, Message], timeout_seconds: float) -> dict[str, Message]:
        """Send all messages, then return the replies that arrive in time, errors among them."""
        try:
            if self._connection is None:
                self._connection = _connect(self.address, timeout_seconds)
            return _exchange(self._connection, messages, timeout_seconds)
        except BaseException:
            self.close()
            raise


def session_address() -> str | None:
    """Return the address of the bus of this session, or None where the environment has none."""
    address = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if address or not runtime:
        return address or None
    bus = Path(runtime, "bus")  # the default path
    return f"unix:path={bus}" if bus.is_socket() else None


def _connect(address: str | None, timeout_seconds: float) -> DBusConnection:
    found = address or session_address()
    if found is None:
        raise FileNotFoundError("no session bus")
    return open_dbus_connection(found, auth_timeout=timeout_seconds)


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
    return answers


def _address(member: Member) -> DBusAddress:
    return DBusAddress(member.path, bus_name=member.program, interface=member.interface)


def _value(reply: Message) -> object:
    """Return the value in an answer to `Get`; None for an error or any other answer."""
    match reply.header.message_type, reply.body:
        case (MessageType.method_return, ((str(), value),)):
            return value
        case _:
            return None
