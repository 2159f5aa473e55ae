"""Questions to programs on the session D-Bus, many at once, within one wait.

Invariant *one wait for all*: questions go out together, so a silent program costs one wait, and no
other program its answer.
Invariant *late is not next*: an answer that comes after its wait is not taken for a later one.
Invariant *asking starts nothing*: no message of ours makes the bus start a program.
Invariant *reconnects*: after a fault the connection is dropped, and the next question opens one.
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
Answer = TypeVar("Answer")


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
        """Give the message that asks it."""
        address = DBusAddress(self.path, bus_name=self.program, interface=self.interface)
        if is_property:
            question = Properties(address).get(self.member)
        else:
            question = new_method_call(address, self.member)
        question.header.flags |= MessageFlag.no_auto_start
        return question


@attrs.define(eq=False)
class SessionBus:
    """A session bus; connects when it is first asked.

    Attributes:
        address: its D-Bus address; None means the one that the environment names.

    """

    address: str | None = None
    _connection: DBusConnection | None = attrs.field(default=None, init=False)

    def names(self, patience: float) -> list[str]:
        """Give the names on the bus; raises TimeoutError where it does not say them in time."""
        answers = self._ask({_NAMES: message_bus.ListNames()}, patience)
        if _NAMES not in answers:
            raise TimeoutError("the bus does not say who is on it")
        (names,) = _body(answers[_NAMES])
        return list(names)

    def properties(self, calls: Mapping[str, Call], patience: float) -> dict[str, object]:
        """Return the values of the properties answered in time; None where the answer is an error.

        A property whose program does not answer in time is left out.
        """
        questions = {key: call.message(is_property=True) for key, call in calls.items()}
        answers = self._ask(questions, patience)
        return {key: _value(reply) for key, reply in answers.items()}

    def call(self, call: Call, patience: float) -> Body:
        """Give what a method returns.

        Raises:
            PermissionError: the program refuses the call.
            TimeoutError: it does not answer in time.

        """
        answers = self._ask({call.member: call.message(is_property=False)}, patience)
        if call.member not in answers:
            raise TimeoutError("no answer")
        return _body(answers[call.member])

    def drop(self) -> None:
        """Close the connection; a later question opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def guarded(self, read: Callable[[], Answer]) -> Answer:
        """Read, and drop the connection where that fails."""
        try:
            return read()
        except BaseException:
            self.drop()
            raise

    def _ask(self, questions: Mapping[str, Message], patience: float) -> dict[str, Message]:
        """Send all questions, then give the replies that arrive in time, errors among them."""
        if self._connection is None:
            self._connection = self._connect(patience)
        connection = self._connection
        waiting = {_send(connection, question): key for key, question in questions.items()}
        answers: dict[str, Message] = {}
        deadline = monotonic() + patience
        while waiting and (left := deadline - monotonic()) > 0:
            try:
                reply = connection.receive(timeout=left)
            except TimeoutError:
                break
            key = waiting.pop(reply.header.fields.get(HeaderFields.reply_serial), None)
            if key is not None:
                answers[key] = reply
        return answers

    def _connect(self, patience: float) -> DBusConnection:
        address = self.address or session_address()
        if address is None:
            raise FileNotFoundError("no session bus")
        return open_dbus_connection(address, auth_timeout=patience)


def session_address() -> str | None:
    """Give the address of the bus of this session, or None where the environment has none."""
    named = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if named or not runtime:
        return named or None
    bus = Path(runtime, "bus")  # where it is unless something else is said
    return f"unix:path={bus}" if bus.is_socket() else None


def _send(connection: DBusConnection, question: Message) -> int:
    serial: int = next(connection.outgoing_serial)
    connection.send(question, serial=serial)
    return serial


def _body(reply: Message) -> Body:
    if reply.header.message_type is not MessageType.method_return:
        raise PermissionError("the call is refused")
    body: Body = reply.body
    return body


def _value(reply: Message) -> object:
    """Return the value in an answer to `Get`; None for an error or any other answer."""
    match reply.header.message_type, reply.body:
        case (MessageType.method_return, ((str(), value),)):
            return value
        case _:
            return None
