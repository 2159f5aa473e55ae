"""Sources that read profiles away from the requests: on threads, large ones in a child process.

`WaitingSource.find` never waits: it returns the last result, or a future.  `read` and `latest` wait
on it for threads, `NonblockingSource` for an event loop.

A child process derives one profile.  It reads a `Job` as a pickle from its standard input and
writes the result to its standard output.

Invariant *same results*: for an event loop a source never blocks; its results and errors are the
same, except that requests wait without a time limit for a profile that has not been read yet.
Invariant *other threads run*: while the child process parses, the calling thread waits without the
interpreter lock, and between the frames of the result (64 KiB) other threads can run.
"""

import asyncio
import copyreg
import gc
import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future, wait
from threading import RLock, Semaphore
from types import MappingProxyType
from typing import IO, Any, Final, cast, overload

import attrs

from healthapi.adapters.profile_files import file_error
from healthapi.errors import DataError
from healthapi.profile import Profile, ProfileSummary, Progress, derive, read_sources
from healthapi.redaction.walk import PrivacySettings
from healthapi.rows.columns import ProfileMap
from purewire.adapters.zones import local_text

SMALL_BYTES: Final = 256 * 1024
"""Parsing files of this size together delays requests by a few milliseconds."""
MAX_PROCESSES: Final = 2
"""Larger profiles that are read at a time, each with a child process."""
_NICENESS: Final = 10
"""Priority of the child process, below that of the processes that serve."""
_PROGRAM: Final = "from healthapi.adapters.reading import run_job; run_job()"


@attrs.frozen(eq=False, repr=False)
class Job:
    """The arguments of `healthapi.profile.read_sources`, and times in ms since the epoch.

    These are of the request (`now`) and of the last table (`written`).
    """

    profile_id: str
    files: Mapping[str, bytes]
    columns: ProfileMap
    privacy: PrivacySettings
    now: int
    written: int | None = None


def derive_profile(job: Job, progress: Progress | None = None) -> Profile | DataError:
    """Return the profile, or the error for a file that cannot be parsed."""
    try:
        sources = read_sources(
            job.profile_id,
            job.files,
            columns=job.columns,
            disclosure=job.privacy,
            progress=progress,
        )
    except DataError as error:
        return error
    zone = sources.person.timezone
    written_at = None if job.written is None else local_text(min(job.written, job.now), zone)
    return derive(sources, generated_at=local_text(job.now, zone), written_at=written_at)


def derive_in_process(job: Job) -> Profile | DataError:
    """Return the result of `derive_profile`, computed by a child process.

    If the child process is killed, the result is a DataError `file.failed`.  If it cannot be
    started, for example because `sys.executable` is no Python, this process computes the result.
    """
    try:
        process = subprocess.Popen(  # noqa: S603 - no shell; the program is a constant
            [sys.executable or "", "-P", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    except OSError:
        return derive_profile(job)
    stdin, stdout = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
    try:
        with process:
            with stdin:
                pickle.dump(job, stdin)
            result: Profile | DataError = pickle.load(stdout)  # noqa: S301 - of the process above
            return result
    except (EOFError, BrokenPipeError, pickle.UnpicklingError):
        killed = process.returncode < 0
        return file_error("", "file.failed") if killed else derive_profile(job)


def run_job() -> None:
    """Run the job from the standard input."""
    os.nice(_NICENESS)
    gc.disable()  # The process ends after one job.
    copyreg.pickle(MappingProxyType, _reduce_proxy)
    job: Job = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by the parent process
    pickle.dump(derive_profile(job), sys.stdout.buffer)


def _reduce_proxy(mapping: "MappingProxyType[Any, Any]") -> tuple[Any, ...]:
    return _make_proxy, (dict(mapping),)


def _make_proxy(members: dict[Any, Any]) -> "MappingProxyType[Any, Any]":
    """Return a read-only mapping; pickle cannot import its class by name."""
    return MappingProxyType(members)


Outcome = Profile | DataError | None
"""Result for the files of a profile; None if there is no such profile."""
Value = tuple[str, ...] | Profile | ProfileSummary | None
"""Result of a request: all ids, a profile, or None if there is no such profile."""
Found = Value | DataError | Future[None]
"""Result or error of a request, or a future that is done when they are known."""

WAIT_SECONDS: Final = 0.25
"""How long threads, and lists, wait for a profile that has not been read yet."""
_MAX_WAITING: Final = 2
"""Threads that wait longer; servers have four or more threads by default."""
_LOG: Final = logging.getLogger("healthapi")


def value_of(result: Found) -> Value:
    """Return what `find` found; raise DataError if it cannot be read, or not yet."""
    if isinstance(result, Future):
        raise file_error("", "file.reading")
    if isinstance(result, DataError):
        raise DataError(result.code, result.findings)  # A new one: it collects tracebacks.
    return result


def log_change(name: str, known: object, new: object) -> None:
    """Log why a profile cannot be read, unless that is known, by profile, file and rule."""
    findings = new.findings if isinstance(new, DataError) else ()
    if not isinstance(known, DataError) or known.findings != findings:
        for finding in findings:
            _LOG.error("%s%s: %s", name, finding.path, finding.rule)


class WaitingSource:
    """A source that reads profiles on threads of its own."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._wanted: dict[str | None, Future[None]] = {}
        self._waiting = Semaphore(_MAX_WAITING)

    def _start_reading(self, name: str | None) -> None:
        """Let another thread read a profile, or the list if the name is None; the lock is held."""
        raise NotImplementedError

    def _want(self, name: str | None) -> Future[None]:
        """Return a future that is done when a profile, or the list, has been read."""
        with self._lock:
            future = self._wanted.get(name)
            if future is None:
                future = self._wanted[name] = Future()
                future.set_running_or_notify_cancel()  # A waiting task cannot cancel it.
                self._start_reading(name)
            return future

    def _finish(self, is_done: Callable[[str | None], bool]) -> None:
        """Wake the requests that wait for some names."""
        with self._lock:
            futures = [self._wanted.pop(name) for name in tuple(self._wanted) if is_done(name)]
        for future in futures:
            future.set_result(None)

    def ids(self) -> tuple[str, ...]:
        """Return the sorted ids of all profiles; raise OSError if they cannot be listed."""
        raise NotImplementedError

    def profile(self, profile_id: str) -> Profile:
        """Return the current state of a profile.

        Raises:
            KeyError: there is no such profile.
            DataError: its files cannot be read.
            OSError: the root cannot be read.

        """
        raise NotImplementedError

    def find(self, name: str | None) -> Found:
        """Return the result or the error of `read` without waiting and without reading.

        If it is not known yet, return a future that is done when it is.
        """
        raise NotImplementedError

    def find_listed(self, name: str) -> Found:
        """Return the same for a list."""
        return self.find(name)

    @overload
    def read(self, name: None, now: int) -> tuple[str, ...]: ...
    @overload
    def read(self, name: str, now: int) -> Profile | None: ...
    @overload
    def read(self, name: str | None, now: int) -> Value: ...
    def read(self, name: str | None, now: int) -> Value:  # noqa: ARG002 - of the protocol
        """Return the ids of all profiles, or the profile of an id, as they were last read.

        Wait for the first list, and for a profile that has not been read yet.

        Raises:
            DataError: the files cannot be read; `file.reading` if they have not been read for
                `WAIT_SECONDS`, and other threads wait longer already.
            OSError: the root cannot be read.

        """
        result = self._find_within(WAIT_SECONDS, name)
        if isinstance(result, Future) and self._waiting.acquire(blocking=False):
            try:
                result = self._find_within(None, name)
            finally:
                self._waiting.release()
        return value_of(result)

    def latest(self, name: str, now: int) -> Value:  # noqa: ARG002 - of the protocol
        """Return the same for a list, which waits for `WAIT_SECONDS` at most."""
        result = self.find_listed(name)
        is_waiting = isinstance(result, Future)
        return value_of(self._find_within(WAIT_SECONDS, name) if is_waiting else result)

    def _find_within(self, seconds: float | None, name: str | None) -> Found:
        while isinstance(result := self.find(name), Future):
            if not wait([result], seconds).done:
                break
        return result


class NonblockingSource:
    """A `WaitingSource` that returns an awaitable where the other one waits."""

    nonblocking: Final = True

    def __init__(self, source: WaitingSource) -> None:
        self._source = source

    def read(self, name: str | None, now: int) -> Value | Awaitable[Value]:  # noqa: ARG002 - of the protocol
        """Return the result of `WaitingSource.read`, or an awaitable of it."""
        result = self._source.find(name)
        return self._wait(name, None) if isinstance(result, Future) else value_of(result)

    def latest(self, name: str, now: int) -> Value | Awaitable[Value]:  # noqa: ARG002 - of the protocol
        """Return the result of `WaitingSource.latest`, or an awaitable of it."""
        result = self._source.find_listed(name)
        return self._wait(name, WAIT_SECONDS) if isinstance(result, Future) else value_of(result)

    async def _wait(self, name: str | None, seconds: float | None) -> Value:
        while isinstance(result := self._source.find(name), Future):
            await asyncio.wait([asyncio.wrap_future(result)], timeout=seconds)
            if not result.done():
                break
        return value_of(result)
