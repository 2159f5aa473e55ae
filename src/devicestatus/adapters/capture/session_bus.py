"""Query programs on the session D-Bus, many at once, within one wait.

Invariant *one wait for all*: queries are sent together, so a silent program costs one wait, and no
other program its answer.
Invariant *late replies are dropped*: a reply after its wait is not taken for a later one.
Invariant *queries start nothing*: no message makes the bus start a program.
Invariant *reconnects*: after an error the connection is dropped, and the next query opens one.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeVar

import attrs
from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageFlag,
    MessageType,
    Properties,
    message_bus,
    new_method_call,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection

__all__ = ["Call", "SessionBus", "session_address"]

_NAMES: Final = "names"

Body = tuple[Any, ...]
Result = TypeVar("Result")


@attrs.frozen
class Call:
    """A method without arguments, or a property, of an object of a program.

    Attributes:
        program: its name on the bus.
        path: the object.
        interface: of the object.
        member: name of the method or property.

    """

    program: str
    path: str
    interface: str
    member: str

    def message(self, *, is_property: bool) -> Message:
        """Return the message that calls the method or reads the property."""
        address = DBusAddress(self.path, bus_name=self.program, interface=self.interface)
        if is_property:
            message = Properties(address).get(self.member)
        else:
            message = new_method_call(address, self.member)
        message.header.flags |= MessageFlag.no_auto_start
        return message


@attrs.define(eq=False)
class SessionBus:
    """A session bus; connects with the first query.

    Attributes:
        address: its D-Bus address; None means the one in the environment.

    """

    address: str | None = None
    _connection: DBusConnection | None = attrs.field(default=None, init=False)

    def names(self, timeout_seconds: float) -> list[str]:
        """Return the names on the bus; raise TimeoutError where it does not answer in time."""
        answers = self._query({_NAMES: message_bus.ListNames()}, timeout_seconds)
        if _NAMES not in answers:
            raise TimeoutError("the bus does not list its names in time")
        (names,) = _body(answers[_NAMES])
        return list(names)

    def properties(self, calls: Mapping[str, Call], timeout_seconds: float) -> dict[str, object]:
        """Return the values of the properties answered in time; None where the answer is an error.

        A property whose program does not answer in time is left out.
        """
        messages = {key: call.message(is_property=True) for key, call in calls.items()}
        answers = self._query(messages, timeout_seconds)
        return {key: _value(reply) for key, reply in answers.items()}

    def call(self, call: Call, timeout_seconds: float) -> Body:
        """Return the result of a method.

        Raises:
            PermissionError: the program refuses the call.
            TimeoutError: it does not answer in time.

        """
        answers = self._query({call.member: call.message(is_property=False)}, timeout_seconds)
        if call.member not in answers:
            raise TimeoutError("the program does not answer in time")
        return _body(answers[call.member])

    def close(self) -> None:
        """Close the connection; a later query opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def run(self, read: Callable[[], Result]) -> Result:
        """Run a reading, and close the connection where it fails."""
        try:
            return read()
        except BaseException:
            self.close()
            raise

    def _query(self, messages: Mapping[str, Message], timeout_seconds: float) -> dict[str, Message]:
        """Send all messages, then return the replies that arrive in time, errors among them."""
        if self._connection is None:
            self._connection = self._connect(timeout_seconds)
        connection = self._connection
        waiting = {_send(connection, message): key for key, message in messages.items()}
        answers: dict[str, Message] = {}
        deadline = monotonic() + timeout_seconds
        while waiting and (left := deadline - monotonic()) > 0:
            try:
                reply = connection.receive(timeout=left)
            except TimeoutError:
                break
            key = waiting.pop(reply.header.fields.get(HeaderFields.reply_serial), None)
            if key is not None:
                answers[key] = reply
        return answers

    def _connect(self, timeout_seconds: float) -> DBusConnection:
        address = self.address or session_address()
        if address is None:
            raise FileNotFoundError("no session bus")
        return open_dbus_connection(address, auth_timeout=timeout_seconds)


def session_address() -> str | None:
    """Return the address of the bus of this session, or None where the environment has none."""
    address = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if address or not runtime:
        return address or None
    bus = Path(runtime, "bus")  # the default path
    return f"unix:path={bus}" if bus.is_socket() else None


def _send(connection: DBusConnection, message: Message) -> int:
    serial: int = next(connection.outgoing_serial)
    connection.send(message, serial=serial)
    return serial


def _body(reply: Message) -> Body:
    if reply.header.message_type is not MessageType.method_return:
        raise PermissionError("the program refuses the call")
    body: Body = reply.body
    return body


def _value(reply: Message) -> object:
    """Return the value in an answer to `Get`; None for an error or any other answer."""
    match reply.header.message_type, reply.body:
        case (MessageType.method_return, ((str(), value),)):
            return value
        case _:
            return None
