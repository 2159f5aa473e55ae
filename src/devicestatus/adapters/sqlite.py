"""The default store: one durable SQLite file, for the threads and processes of one machine.

Invariant *acknowledged is durable*: when `put` returns, the value is on the disk; it survives the
death of the process and, where the disk keeps what it has synced, a power failure.
Invariant *atomic*: a reader, also after a crash, reads a complete value of one `put`.
Invariant *foreign files are refused*: a file that this module does not know raises
`UnusableDatabase`, and not one byte of it is changed.
Invariant *damage is named*: the file is checked as a whole at the start; damage found then or later
raises `UnusableDatabase`, with the file and what to do, and damage found later is logged once.
Invariant *one connection for one process*: calls take turns on a connection that opens with the
first call, and a connection never crosses a fork.
Invariant *one time limit*: a call fails `wait_seconds` after it started, whatever it waits for:
earlier calls, another process's lock, or both in turn.

Journal: the rollback journal (the default) with `synchronous=EXTRA`, which is FULL and a sync of
the directory after the journal is unlinked; with FULL alone a power failure right after a commit
may bring the journal back and undo it.  The mode is not forced: a file that was switched to WAL
works as well, and its readers do not wait for a writer.
"""

import logging
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Final, Self

import attrs

__all__ = ["SQLiteStore", "UnusableDatabase"]

_APPLICATION_ID: Final = 0x64657673
"""Application id in the header of the file ("devs" in ASCII), which `file` shows."""
_SCHEMA_VERSION: Final = 1
_BLANK: Final = (0, 0, 0)
"""The identity of an empty file; some files of other programs have the same."""

_PRAGMAS: Final = (
    "PRAGMA synchronous = EXTRA",
    "PRAGMA fullfsync = ON",  # macOS only: fsync alone does not flush the drive's cache there
    "PRAGMA secure_delete = ON",  # an overwritten value does not stay in free pages
)
_TABLE: Final = """
    CREATE TABLE record (
        key TEXT PRIMARY KEY NOT NULL,
        value BLOB NOT NULL CHECK (typeof(value) = 'blob'),
        expires_at_ms INTEGER NOT NULL
    )
"""
_CREATE: Final = (
    _TABLE,
    f"PRAGMA application_id = {_APPLICATION_ID}",
    f"PRAGMA user_version = {_SCHEMA_VERSION}",
)
_LOG: Final = logging.getLogger("devicestatus")
_DAMAGE: Final = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})
_GET: Final = "SELECT value FROM record WHERE key = ?"
_PUT: Final = """
    INSERT INTO record (key, value, expires_at_ms) VALUES (?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at_ms = excluded.expires_at_ms
"""


class UnusableDatabase(Exception):
    """The file is not a store of this version: foreign, damaged, or of a newer version."""


class SQLiteStore:
    """A store in one SQLite file, which is created (mode 0600) where it does not exist.

    The column `expires_at_ms` is for housekeeping of the file; reads do not filter by it, because a
    record carries its own deadline.  The file must be on a local disk.

    A process may fork while no call is in progress, as servers do that load the application first
    and fork their workers then; each process opens a connection of its own.
    """

    def __init__(self, path: str | os.PathLike[str], *, wait_seconds: float = 5.0) -> None:
        """Open the file once, so that a wrong one is reported at the start.

        Args:
            path: the file; its folder must exist and be writable, for the journal is beside it.
            wait_seconds: time limit of a call, including the wait for other calls and processes.

        Raises:
            UnusableDatabase: the file is not a store of this version.
            OSError: the file can be neither found nor created.
            sqlite3.Error: the file cannot be opened or prepared.

        """
        self._path = Path(path).absolute()
        self._wait_seconds = wait_seconds
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._inherited: list[sqlite3.Connection] = []
        self._process = os.getpid()
        self._closed = self._is_damage_logged = False
        deadline = self._deadline()
        with closing(self._open(deadline)) as connection, self._naming_damage():
            if _Run(connection, deadline)("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
                raise self._damaged()

    def get(self, key: str) -> bytes | None:
        """Return the value of the key, or None.

        Raises:
            UnusableDatabase: the file is damaged, or another one.
            sqlite3.Error: the file cannot be read, or is locked too long.
            ValueError: the store is closed.

        """
        with self._turn() as run:
            rows: list[tuple[bytes]] = run(_GET, (key,)).fetchall()
        return rows[0][0] if rows else None

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        """Overwrite the value of the key; raises as `get` does."""
        with self._turn() as run:
            run(_PUT, (key, value, expires_at_ms))

    def close(self) -> None:
        """Close the file; later calls raise ValueError.  Closing twice does nothing."""
        with self._lock:
            self._closed = True
            self._drop_inherited_connection()
            self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _turn(self) -> Iterator["_Run"]:
        deadline = self._deadline()
        if not self._lock.acquire(timeout=self._wait_seconds):
            raise sqlite3.OperationalError(
                f"the database is locked: earlier calls took {self._wait_seconds} s"
            )
        try:
            if self._closed:
                raise ValueError("the store is closed")
            self._drop_inherited_connection()
            if self._connection is None:
                self._connection = self._open(deadline)
            try:
                with self._naming_damage():
                    yield _Run(self._connection, deadline)
            except BaseException as error:
                self._drop()  # the next call opens the file again
                if isinstance(error, UnusableDatabase) and not self._is_damage_logged:
                    _LOG.error("%s", error)
                    self._is_damage_logged = True
                raise
        finally:
            self._lock.release()

    @contextmanager
    def _naming_damage(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            raise self._damaged() from error

    def _damaged(self) -> UnusableDatabase:
        """Return the error for a store that cannot be read as a whole."""
        return UnusableDatabase(
            f"{self._path} is damaged: stop the service and delete the file, which holds only the"
            " last status"
        )

    def _deadline(self) -> float:
        return time.monotonic() + self._wait_seconds

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _drop_inherited_connection(self) -> None:
        if self._process == os.getpid():
            return
        self._process = os.getpid()
        if self._connection is not None:
            # SQLite forbids closing it in the child process: it is kept, unused, with the store
            self._inherited.append(self._connection)
            self._connection = None

    def _open(self, deadline: float) -> sqlite3.Connection:
        with suppress(FileExistsError):  # SQLite itself would follow the umask
            os.close(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        connection = sqlite3.connect(
            f"{self._path.as_uri()}?mode=rw",
            uri=True,
            timeout=0,  # each statement gets what is left of its call's time
            isolation_level=None,  # one statement is one transaction
            check_same_thread=False,  # the lock serializes the calls
        )
        try:
            _prepare(_Run(connection, deadline), self._path)
        except sqlite3.DatabaseError as error:
            connection.close()
            if not _is_damage(error):
                raise
            problem = (
                f"{self._path} is damaged or not an SQLite database: delete it if it was the store,"
                " which holds only the last status; else name another file"
            )
            raise UnusableDatabase(problem) from error
        except BaseException:
            connection.close()
            raise
        return connection


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE


@attrs.frozen
class _Run:
    """Runs statements that wait for other processes until a deadline, in monotonic seconds."""

    _connection: sqlite3.Connection
    _deadline: float

    def __call__(self, statement: str, parameters: Sequence[object] = ()) -> sqlite3.Cursor:
        left = max(0, round((self._deadline - time.monotonic()) * 1000))
        self._connection.execute(f"PRAGMA busy_timeout = {left}")
        return self._connection.execute(statement, parameters)


def _prepare(run: _Run, path: Path) -> None:
    for pragma in _PRAGMAS:
        run(pragma)
    identity = _identity(run)
    if identity == _BLANK:
        identity = _create(run, path)
    application_id, version, _ = identity
    if application_id != _APPLICATION_ID:
        raise UnusableDatabase(f"{path} is a database of another program; nothing was changed")
    if version != _SCHEMA_VERSION:
        raise UnusableDatabase(
            f"{path} has schema version {version}, this program supports {_SCHEMA_VERSION};"
            " nothing was changed"
        )


def _create(run: _Run, path: Path) -> tuple[int, int, int]:
    """Create the table, unless another process did; return the identity either way."""
    run("BEGIN IMMEDIATE")
    if _identity(run) == _BLANK:
        if path.stat().st_size > 0:
            raise UnusableDatabase(f"{path} is neither empty nor a store; nothing was changed")
        for statement in _CREATE:
            run(statement)
    identity = _identity(run)
    run("COMMIT")
    return identity


def _identity(run: _Run) -> tuple[int, int, int]:
    """Return application id, schema version and number of tables, read in one statement."""
    ((application_id, version, objects),) = run(
        "SELECT (SELECT application_id FROM pragma_application_id),"
        " (SELECT user_version FROM pragma_user_version),"
        " (SELECT count(*) FROM sqlite_master)"
    ).fetchall()
    return application_id, version, objects
