"""Read profiles from a folder; POSIX only.

    <root>/<profile id>/csv/<tables>
    <root>/<profile id>/cache/fitbit_profile_snapshot.json
    <root>/<profile id>/columns.toml     its own column mapping; or <root>/columns.toml for all

Invariant *a profile is a folder of the root*: its name has the form of an id; links, hidden folders
and paths above the root are ignored.
Invariant *read once*: files are opened if they are new or have changed, and not otherwise.  The
result, an immutable profile or an error, is cached.
Invariant *whole or not at all*: a profile is of one state of its files (see `profile_files`).
While files change faster than they can be read, the last complete state is served.
Invariant *a slow profile delays no other one*: files are read and parsed on threads of the source,
large ones in a child process (see `child_process`).  At most one thread reads a profile.  Meanwhile
the last complete state is served; the request that noticed the change waits at most
`_WAIT_SECONDS`.  Without an earlier state, at most `_MAX_BLOCKED_THREADS` requests wait longer on a
thread.
Invariant *logged once*: the reason why a profile cannot be read is logged when it changes, on the
logger `healthapi`, by profile, file and rule.
"""

import logging
import os
import re
import stat
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NoReturn, overload

import attrs

from healthapi.adapters.child_process import Job, derive_in_process, derive_profile
from healthapi.adapters.profile_files import (
    FilesChanged,
    ProfileFiles,
    States,
    file_error,
    read_files,
    stat_files,
)
from healthapi.adapters.worker_threads import WorkerPool
from healthapi.errors import DataError
from healthapi.profile import Profile
from healthapi.redaction.walk import PRIVATE, PrivacySettings
from healthapi.rows.columns import NATIVE, ROW_OF, ProfileMap
from healthapi.sources import Progress as BytesDone
from purewire.adapters.clocks import system_clock
from purewire.exchange.effects import Clock
from purewire.findings import Finding

__all__ = ["FolderSource", "Outcome", "PendingRead", "Progress", "profile_or_error"]

Progress = Callable[[str, int, int], None]
"""Progress listener: profile id, parsed bytes, and all bytes of the tables.

The bytes of a file with several datasets count for each of them.
"""

_LOG: Final = logging.getLogger("healthapi")
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")
_PAUSES_SECONDS: Final = (0, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16)
"""Pause before each attempt to read files that are being changed."""

_WAIT_SECONDS: Final = 0.04
"""How long requests for a profile wait for a read, from its start."""
_LIST_WAIT_SECONDS: Final = 0.25
"""The same in a list of profiles, and only for profiles without an earlier state."""
_MAX_BLOCKED_THREADS: Final = 2
"""Threads that may wait longer; servers have four or more threads by default."""
_MAX_READS: Final = 4
_MAX_PROCESSES: Final = 2
"""Profiles that are read, and child processes that parse, at a time."""

Outcome = Profile | DataError | None
"""Result for the files of a profile; None if there is no such profile."""
Derive = Callable[[Job, BytesDone | None], Profile | DataError]
_Unparsed = tuple[ProfileFiles, Job]
"""Files that are not parsed yet, and the job to parse them."""


@attrs.frozen(eq=False, repr=False)
class _Cached:
    """The result for one state of the files."""

    states: States
    settled: bool
    digests: Mapping[str, bytes]
    result: Profile | DataError


@attrs.frozen(eq=False, repr=False)
class _Read:
    """A started read of a profile; times in s of the monotonic clock.

    The result of the future is a function that returns or raises: asyncio would report an exception
    of a future that nothing awaits.
    """

    started: float
    done_future: Future[Callable[[], Profile | None]] = attrs.field(factory=Future)

    def __attrs_post_init__(self) -> None:
        self.done_future.set_running_or_notify_cancel()  # A waiting task cannot cancel it.


@attrs.define(eq=False, repr=False)
class _Entry:
    """The cache entry of a profile: its last state, the current read, and what was logged."""

    cached: _Cached | None = None
    read: _Read | None = None
    reported: tuple[Finding, ...] = ()

    @property
    def previous(self) -> Profile | DataError | None:
        """The result for the last state."""
        return None if self.cached is None else self.cached.result


@attrs.frozen(eq=False, repr=False)
class PendingRead:
    """A profile whose files are being read.

    Attributes:
        previous: the result for its last state; None if there is none.
        is_first: whether this request started the read.

    """

    previous: Profile | DataError | None
    is_first: bool
    _read: _Read

    @property
    def done_future(self) -> Future[Callable[[], Profile | None]]:
        """The future that completes with the read."""
        return self._read.done_future

    def wait_seconds(self, *, listed: bool) -> float:
        """Return how long a request waits before it uses the previous result."""
        if self.previous is not None and (listed or not self.is_first):
            return 0
        limit = _LIST_WAIT_SECONDS if listed else _WAIT_SECONDS
        return max(0.0, self._read.started + limit - time.monotonic())

    def result(self) -> Profile | None:
        """Return the new or previous profile; raise DataError if there is none yet."""
        if self.done_future.done():
            return self.done_future.result()()
        if self.previous is None:
            raise file_error("", "file.reading")
        return profile_or_error(self.previous)


def profile_or_error(outcome: Outcome) -> Profile | None:
    """Return the profile, or raise its error as a new exception."""
    if isinstance(outcome, DataError):
        raise DataError(outcome.code, outcome.findings)
    return outcome


class FolderSource:
    """A thread-safe source of the profiles of a folder.

    Args:
        root: the folder, or a link to it; the link may be replaced at any time.
        columns: the column mapping of profiles without a `columns.toml`.
        disclosure: the personal data that the owners publish.
        clock: returns the time for `profile`, ms since the epoch.
        progress: called with the progress of a read, on the thread that reads.

    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        columns: ProfileMap = NATIVE,
        disclosure: PrivacySettings = PRIVATE,
        clock: Clock = system_clock,
        progress: Progress | None = None,
    ) -> None:
        self._root = Path(root).absolute()
        self._columns = columns
        self._disclosure = disclosure
        self._clock = clock
        self._progress = progress
        self._entries: dict[str, _Entry] = {}
        self._start()

    def _start(self) -> None:
        """Create the locks and threads of this process; a fork does not continue reads."""
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._blocked = threading.Semaphore(_MAX_BLOCKED_THREADS)
        self._readers, self._parsers = WorkerPool(_MAX_READS), WorkerPool(_MAX_PROCESSES)
        for entry in self._entries.values():
            entry.read = None

    def ids(self) -> tuple[str, ...]:
        """Return the sorted ids of all profiles; raise OSError if the root does not exist."""
        with os.scandir(self._root) as entries:
            found = [entry.name for entry in entries if _is_profile(entry)]
        with self._lock:
            for gone in self._entries.keys() - set(found):
                del self._entries[gone]
        return tuple(sorted(found))

    def profile(self, profile_id: str) -> Profile:
        """Return the current state of a profile, without a time limit.

        Raises:
            KeyError: there is no such profile.
            DataError: its files cannot be read.
            OSError: the root cannot be read.

        """
        found = self.find(profile_id, self._clock())
        if isinstance(found, PendingRead) and not found.is_first:
            wait([found.done_future])  # It may have started before the files changed.
            found = self.find(profile_id, self._clock())
        profile = (
            found.done_future.result()()
            if isinstance(found, PendingRead)
            else profile_or_error(found)
        )
        if profile is None:
            raise KeyError(profile_id)
        return profile

    @overload
    def read(self, name: None, now: int) -> tuple[str, ...]: ...
    @overload
    def read(self, name: str, now: int) -> Profile | None: ...
    @overload
    def read(self, name: str | None, now: int) -> tuple[str, ...] | Profile | None: ...
    def read(self, name: str | None, now: int) -> tuple[str, ...] | Profile | None:
        """Return the ids of all profiles, or the profile of an id; None if there is none.

        While files are being read, the last complete state is returned.

        Raises:
            DataError: the files cannot be read; `file.reading` if there is no earlier state and
                other threads wait for it already.
            OSError: the root cannot be read.

        """
        if name is None:
            return self.ids()
        found = self.find(name, now)
        if not isinstance(found, PendingRead):
            return profile_or_error(found)
        wait([found.done_future], found.wait_seconds(listed=False))
        if (
            found.previous is None
            and not found.done_future.done()
            and self._blocked.acquire(blocking=False)
        ):
            try:
                wait([found.done_future])
            finally:
                self._blocked.release()
        return found.result()

    def latest(self, name: str, now: int) -> Profile | None:
        """Return the last complete state of a profile for a list; None if there is none.

        Raises the errors of `read`.
        """
        found = self.find(name, now)
        if not isinstance(found, PendingRead):
            return profile_or_error(found)
        wait([found.done_future], found.wait_seconds(listed=True))
        return found.result()

    def find(self, name: str, now: int) -> Outcome | PendingRead:
        """Return the cached result if it is current; start a read otherwise, without waiting.

        Raises OSError if the root cannot be read.
        """
        if _ID.fullmatch(name) is None:
            return None
        while (pending := self.pending(name)) is None:
            entry = self._entries.get(name)
            cached = None if entry is None else entry.cached
            if cached is not None and self._is_current(name, cached):
                return cached.result
            if not self._exists(name):
                return None
            pending = self._start_read(name, cached, now)
            if pending is not None:
                break
        return pending

    def pending(self, name: str) -> PendingRead | None:
        """Return the current read of a profile, if any, without any file access."""
        if self._process != os.getpid():
            self._start()
        with self._lock:
            entry = self._entries.get(name)
            if entry is None or entry.read is None:
                return None
            return PendingRead(entry.previous, is_first=False, read=entry.read)

    def _start_read(self, name: str, seen: _Cached | None, now: int) -> PendingRead | None:
        """Start a read; return None if another thread has started or finished one meanwhile."""
        with self._lock:
            entry = self._entries.setdefault(name, _Entry())
            if entry.read is not None or entry.cached is not seen:
                return None
            entry.read = read = _Read(time.monotonic())
        self._readers.submit(partial(self._run_read, name, entry, read, now))
        return PendingRead(entry.previous, is_first=True, read=read)

    def _is_current(self, name: str, cached: _Cached) -> bool:
        """Check whether the files certainly are those of a cached result."""
        if not cached.settled:
            return False
        try:
            return stat_files(self._root / name, cached.states) == cached.states
        except OSError:  # The next read reports it.
            return False

    def _exists(self, name: str) -> bool:
        try:
            if not stat.S_ISDIR((self._root / name).lstat().st_mode):
                return False
        except FileNotFoundError:
            self._root.stat()  # Raise if the root is missing.
            return False
        with os.scandir(self._root) as entries:  # Some file systems ignore case.
            return any(entry.name == name for entry in entries)

    def _run_read(self, name: str, entry: _Entry, read: _Read, now: int) -> None:
        """Read the files, and submit large ones to the pool of parsers."""
        found = self._finish(entry, read, partial(self._load, name, entry, now))
        if found is not None:
            parse = partial(self._derive, name, entry, found, derive_in_process)
            self._parsers.submit(partial(self._finish, entry, read, parse))

    def _finish(
        self, entry: _Entry, read: _Read, call: Callable[[], Outcome | _Unparsed]
    ) -> _Unparsed | None:
        """Finish a read with the result of a call; return files that are still to be parsed."""
        try:
            found = call()
        except BaseException as error:  # noqa: BLE001 - raised by `result`
            result: Callable[[], Profile | None] = partial(_raise, error)
        else:
            if isinstance(found, tuple):
                return found
            result = partial(profile_or_error, found)
        with self._lock:
            entry.read = None
        read.done_future.set_result(result)
        return None

    def _load(self, name: str, entry: _Entry, now: int) -> Outcome | _Unparsed:
        """Read the files; parse small ones."""
        try:
            files = self._files(name, now)
        except FilesChanged:
            if entry.cached is not None and isinstance(entry.cached.result, Profile):
                return entry.cached.result
            return self._drop(name, entry, file_error("", "file.changed"))
        except DataError as error:
            return self._drop(name, entry, error)
        if files is None:
            with self._lock:
                self._entries.pop(name, None)
            return None
        return self._parse_small(name, entry, files, now)

    def _parse_small(
        self, name: str, entry: _Entry, files: ProfileFiles, now: int
    ) -> Outcome | _Unparsed:
        """Parse new files if they are small."""
        if entry.cached is not None and entry.cached.digests == files.digests:
            return self._store(name, entry, files, entry.cached.result)
        if isinstance(files.columns, DataError):
            return self._store(name, entry, files, files.columns)
        job = Job(name, files.files, files.columns, self._disclosure, now)
        found = files, job
        return self._derive(name, entry, found, derive_profile) if job.is_small else found

    def _derive(self, name: str, entry: _Entry, found: _Unparsed, derive: Derive) -> Outcome:
        files, job = found
        return self._store(name, entry, files, derive(job, self._reporter(job)))

    def _store(
        self, name: str, entry: _Entry, files: ProfileFiles, result: Profile | DataError
    ) -> Outcome:
        entry.cached = _Cached(files.states, files.settled, files.digests, result)
        self._log(name, entry, result.findings if isinstance(result, DataError) else ())
        return result

    def _drop(self, name: str, entry: _Entry, error: DataError) -> DataError:
        """Drop the cached result, so that the next request reads again."""
        entry.cached = None
        self._log(name, entry, error.findings)
        return error

    def _files(self, name: str, now: int) -> ProfileFiles | None:
        for pause in _PAUSES_SECONDS:
            time.sleep(pause)
            with suppress(FilesChanged):
                return read_files(self._root, name, self._columns, now)
        raise FilesChanged

    def _reporter(self, job: Job) -> BytesDone | None:
        progress = self._progress
        if progress is None:
            return None
        tables = filter(None, (getattr(job.columns, dataset) for dataset in ROW_OF))
        total = sum(len(job.files.get(f"csv/{table.file}", b"")) for table in tables)
        return lambda done: progress(job.profile_id, done, total)

    def _log(self, name: str, entry: _Entry, findings: tuple[Finding, ...]) -> None:
        if findings != entry.reported:
            entry.reported = findings
            for finding in findings:
                _LOG.error("%s%s: %s", name, finding.path, finding.rule)


def _raise(error: BaseException) -> NoReturn:
    raise error


def _is_profile(entry: os.DirEntry[str]) -> bool:
    return _ID.fullmatch(entry.name) is not None and entry.is_dir(follow_symlinks=False)
