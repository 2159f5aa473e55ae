"""Processes that write until they are killed: a waiting parent, loaded once, and a fork a round.

Run as `python killed_writer.py KIND PLACE`, by `killed_forks`.  A child uploads numbered snapshots
through the WSGI application, and tells of each upload `begin N` when the store is about to be
called, and `done N` once the application has returned 200.
"""

import sys
from functools import partial
from pathlib import Path
from typing import Any, Final

from devicestatus.adapters.memory import MemoryStore
from devicestatus.adapters.sqlite import SQLiteStore
from devicestatus.store_contract import AnyStore
from support.devicestatus.service_client import ServiceClient, numbered
from support.faults.killed_forks import fork_writers, tell

__all__ = ["CLOCK_MS", "PlainFile", "open_store"]

CLOCK_MS: Final = 4_102_444_800_000  # 2100: no store drops what is written
_LAST: Final = 10**6


class PlainFile:
    """A store that opens its file and writes: what the loop must catch."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)

    def get(self, key: str) -> bytes | None:
        return self.path.read_bytes() if self.path.exists() else None

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        self.path.write_bytes(value)


def open_store(kind: str, place: str) -> AnyStore:
    """Open a store of a kind at its place."""
    return SQLiteStore(place) if kind == "sqlite" else PlainFile(place)


class _Announced:
    """A store that reports when a write begins."""

    def __init__(self, store: AnyStore) -> None:
        self.store = store
        self.number = 0

    def get(self, key: str) -> bytes | None:
        raise AssertionError("a write reads nothing")

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        tell(f"begin {self.number}")
        self.store.put(key, value, expires_at_ms=expires_at_ms)


def _write_for_ever(kind: str, place: str, first: int) -> None:
    store = _Announced(open_store(kind, place))
    client = ServiceClient(store, "wsgi", now=CLOCK_MS)
    for number in range(first, _LAST):
        store.number = number
        if client.post("/api/update", numbered(number, CLOCK_MS)).status == 200:
            tell(f"done {number}")


def _main(kind: str, place: str) -> None:
    ServiceClient(MemoryStore(), "wsgi", now=CLOCK_MS).post("/api/update", numbered(1, CLOCK_MS))
    first: Any = open_store(kind, place)
    first.get("now")
    if hasattr(first, "close"):
        first.close()
    fork_writers(partial(_write_for_ever, kind, place))


if __name__ == "__main__":
    _main(*sys.argv[1:])
