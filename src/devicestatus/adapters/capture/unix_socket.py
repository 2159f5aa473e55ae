"""Talk with a program of this desktop over its Unix socket, within a deadline and a size.

Invariant *a talk ends*: every call returns or raises TimeoutError before the deadline.
Invariant *bounded*: no call keeps more than `MOST_BYTES` of an answer; a longer one is an error.
"""

import socket
from time import monotonic
from types import TracebackType
from typing import Final, Self

import attrs

__all__ = ["MOST_BYTES", "Talk"]

MOST_BYTES: Final = 4_194_304
"""The longest answer: a desktop of 4000 windows at 1 KiB each."""

_PIECE: Final = 65_536


@attrs.define(eq=False)
class Talk:
    """One connection; to be used in a `with` statement, which opens and closes it.

    Attributes:
        path: where the socket is.
        patience: how long everything may take, in seconds.

    Raises:
        OSError: nobody listens there, or the connection broke.
        TimeoutError: the other side is too slow.

    """

    path: str
    patience: float
    _socket: socket.socket = attrs.field(init=False)
    _deadline: float = attrs.field(init=False)

    def __enter__(self) -> Self:
        self._deadline = monotonic() + self.patience
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._wait_no_longer()
            self._socket.connect(self.path)
        except BaseException:
            self._socket.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._socket.close()

    def send(self, message: bytes) -> None:
        """Send a message whole."""
        self._wait_no_longer()
        self._socket.sendall(message)

    def exactly(self, size: int) -> bytes:
        """Receive so many bytes; raises EOFError where the other side ends before."""
        if size > MOST_BYTES:
            raise ValueError("the answer is too long")
        answer = bytearray()
        while len(answer) < size:
            piece = self._receive(size - len(answer))
            if not piece:
                raise EOFError("the answer is cut off")
            answer += piece
        return bytes(answer)

    def rest(self) -> bytes:
        """Receive what the other side says until it ends."""
        answer = bytearray()
        while piece := self._receive(_PIECE):
            answer += piece
            if len(answer) > MOST_BYTES:
                raise ValueError("the answer is too long")
        return bytes(answer)

    def _receive(self, most: int) -> bytes:
        self._wait_no_longer()
        return self._socket.recv(min(most, _PIECE))

    def _wait_no_longer(self) -> None:
        left = self._deadline - monotonic()
        if left <= 0:
            raise TimeoutError("the other side is too slow")
        self._socket.settimeout(left)
