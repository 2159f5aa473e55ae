"""A store in the memory of one process: for tests, demonstrations and single-process deployments.

Invariant *not durable*: the values end with the process, and other processes do not see them.
Invariant *never blocks*: a call takes no longer than a dictionary access, so that an event loop may
make it directly.
"""

from threading import Lock
from typing import ClassVar

__all__ = ["MemoryStore"]


class MemoryStore:
    """A dictionary that threads may share.

    It drops nothing by itself: there is one key, and a record carries its own deadline.

    Attributes:
        nonblocking: True; an adapter need not move the calls to a worker thread.

    """

    nonblocking: ClassVar[bool] = True

    def __init__(self) -> None:
        self._lock = Lock()
        self._values: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        """Return the value of the key, or None."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        """Overwrite the value of the key; `expires_at_ms` is not used."""
        del expires_at_ms  # the protocol names it; nothing is dropped here
        with self._lock:
            self._values[key] = value
