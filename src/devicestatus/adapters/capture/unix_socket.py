"""Exchange messages with a desktop program over its Unix socket, within a deadline and a size.

Invariant *deadline*: every call returns or raises TimeoutError before the deadline.
Invariant *bounded*: no call keeps more than `MAX_ANSWER_BYTES`; a longer answer is an error.
"""

import socket
from time import monotonic
from typing import Final, Self

import attrs

__all__ = ["MAX_ANSWER_BYTES", "SocketSession"]

MAX_ANSWER_BYTES: Final = 4_194_304
"""The longest answer: a desktop of 4000 windows at 1 KiB each."""

_CHUNK_BYTES: Final = 65_536


@attrs.define(eq=False)
class SocketSession:
    """One connection; a context manager that opens and closes it.

    Attributes:
        path: path of the socket.
        timeout_seconds: time limit of the whole session.

    Raises:
        OSError: no program listens there, or the connection broke.
        TimeoutError: the other side is too slow.

    """

    path: str
    timeout_seconds: float
    _socket: socket.socket = attrs.field(init=False)
    _deadline: float = attrs.field(init=False)

    def __enter__(self) -> Self:
        self._deadline = monotonic() + self.timeout_seconds
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._set_timeout()
            self._socket.connect(self.path)
        except BaseException:
            self._socket.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, message: bytes) -> None:
        """Send a whole message."""
        self._set_timeout()
        self._socket.sendall(message)

    def receive_exactly(self, size: int) -> bytes:
        """Receive `size` bytes; raise EOFError where the other side closes before."""
        _check_size(size)
        answer = self._receive(size)
        if len(answer) < size:
            raise EOFError("the answer is truncated")
        return answer

    def receive_all(self) -> bytes:
        """Receive until the other side closes the connection."""
        answer = self._receive(MAX_ANSWER_BYTES + 1)
        _check_size(len(answer))
        return answer

    def _receive(self, max_bytes: int) -> bytes:
        answer = bytearray()
        while len(answer) < max_bytes:
            self._set_timeout()
            chunk = self._socket.recv(min(max_bytes - len(answer), _CHUNK_BYTES))
            if not chunk:
                break
            answer += chunk
        return bytes(answer)

    def _set_timeout(self) -> None:
        left = self._deadline - monotonic()
        if left <= 0:
            raise TimeoutError("the other side is too slow")
        self._socket.settimeout(left)


def _check_size(size: int) -> None:
    if size > MAX_ANSWER_BYTES:
        raise ValueError(f"the answer is longer than {MAX_ANSWER_BYTES} bytes")
