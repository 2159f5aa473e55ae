"""The default store: one durable SQLite file, for the threads and processes of one machine.

Invariant *acknowledged is durable*: when `put` returns, the value is on the disk; it survives the
death of the process and, where the disk keeps what it has synced, a power failure.
Invariant *atomic*: a reader, also after a crash, reads a complete value of one `put`.
Invariant *damage is named*: the file is checked as a whole at the start; damage found then or later
raises `UnusableDatabase`, with the file and what to do, and damage found later is logged once.
Invariant *one connection for one call*: calls share nothing but the file, so threads and forked
processes may make them at once, and a file that was deleted is created again.

Journal: the rollback journal (the default) with `synchronous=EXTRA`, which is FULL and a sync of
the directory after the journal is unlinked; with FULL alone a power failure right after a commit
may bring the journal back and undo it.
"""

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

__all__ = ["SQLiteStore", "UnusableDatabase"]

_PREPARE: Final = (
    "PRAGMA synchronous = EXTRA",
    "PRAGMA fullfsync = ON",  # macOS only: fsync alone does not flush the drive's cache there
    "PRAGMA secure_delete = ON",  # an overwritten value does not stay in free pages
    """
    CREATE TABLE IF NOT EXISTS record (
        key TEXT PRIMARY KEY NOT NULL,
        value BLOB NOT NULL CHECK (typeof(value) = 'blob'),
        expires_at_ms INTEGER NOT NULL
    )
    """,
)
_CHECK: Final = "PRAGMA quick_check(1)"
_GET: Final = "SELECT value FROM record WHERE key = ?"
_PUT: Final = """
    INSERT INTO record (key, value, expires_at_ms) VALUES (?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at_ms = excluded.expires_at_ms
"""
_DAMAGE: Final = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})
_LOG: Final = logging.getLogger("devicestatus")


class UnusableDatabase(Exception):
    """The file is damaged or no database; the text names it, and says what to do."""


class SQLiteStore:
    """A store in one SQLite file, which is created (mode 0600) where it does not exist.

    The column `expires_at_ms` is for housekeeping of the file; reads do not filter by it, because a
    record carries its own deadline.  The file must be on a local disk.
    """

    def __init__(self, path: str | os.PathLike[str], *, wait_seconds: float = 5.0) -> None:
        """Read the file once as a whole, so that a wrong one is reported at the start.

        Args:
            path: the file; its folder must exist and be writable, for the journal is beside it.
            wait_seconds: how long a call waits for other calls and processes.

        Raises:
            UnusableDatabase: the file is damaged or no database.
            OSError: the file can be neither found nor created.
            sqlite3.Error: the file cannot be opened, or its table `record` is of another program.

        """
        self._path = Path(path).absolute()
        self._wait_seconds = wait_seconds
        self._logs_damage = False  # at the start it is raised
        with self._connection() as connection:
            if connection.execute(_CHECK).fetchall() != [("ok",)]:
                raise self._damaged()
            connection.execute(_GET, ("",)).fetchall()
        self._logs_damage = True

    def get(self, key: str) -> bytes | None:
        """Return the value of the key, or None.

        Raises:
            UnusableDatabase: the file is damaged.
            OSError: the file was deleted and cannot be created.
            sqlite3.Error: the file cannot be read, or is locked too long.

        """
        with self._connection() as connection:
            rows: list[tuple[bytes]] = connection.execute(_GET, (key,)).fetchall()
        return rows[0][0] if rows else None

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        """Overwrite the value of the key; raises as `get` does."""
        with self._connection() as connection:
            connection.execute(_PUT, (key, value, expires_at_ms))

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with suppress(FileExistsError):  # SQLite itself would follow the umask
            os.close(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        # Without an isolation level one statement is one transaction.
        opened = sqlite3.connect(self._path, timeout=self._wait_seconds, isolation_level=None)
        with closing(opened) as connection:
            try:
                for statement in _PREPARE:
                    connection.execute(statement)
                yield connection
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGE:
                    raise
                damaged = self._damaged()
                if self._logs_damage:
                    _LOG.error("%s", damaged)
                self._logs_damage = False
                raise damaged from error

    def _damaged(self) -> UnusableDatabase:
        return UnusableDatabase(
            f"{self._path} is damaged, or not a database: if it is the store, stop the service and"
            " delete the file, which holds only the last status"
        )
