"""Sources that read profiles away from the requests, and compare them when they are requested.

`WaitingSource.find` never waits: it returns the last result, or a future.  `read` and `latest` wait
on it for threads, `NonblockingSource` for an event loop.

Invariant *no request reads*: a request starts at most one comparison of what it asks for, on the
event loop of the source.  A result is served without one up to an age, and during one up to another
age; then requests wait for it.
Invariant *a slow profile delays no other one*: large profiles are parsed in a child process with
low priority, two at a time.  Meanwhile the last complete state is served.
Invariant *same results*: for an event loop a source never blocks; its results and errors are the
same, except that requests wait without a time limit for a profile that has not been read yet.
Invariant *logged once*: the reason why a profile cannot be read is logged when it changes, on the
logger `healthapi`, by profile, file and rule.

A child process derives one profile.  It reads a `Job` as a pickle from its standard input and
writes the result to its standard output.  While it parses, the calling thread waits without the
interpreter lock, and between the frames of the result (64 KiB) other threads can run.

A process that is forked after the first request cannot read: create the source in each process.
"""

import asyncio
import copyreg
import gc
import logging
import math
import os
import pickle
import subprocess
import sys
import threading
import weakref
from collections.abc import Awaitable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import RLock, Semaphore
from time import monotonic
from types import MappingProxyType
from typing import IO, Any, Final, cast, overload

import attrs

from healthapi.adapters.profile_files import file_error
from healthapi.errors import DataError
from healthapi.profile import Profile, ProfileSummary, Progress, derive, read_sources
from healthapi.redaction import PrivacySettings
from healthapi.rows.mapping import ProfileMap
from purewire.adapters.zones import local_text
from purewire.exchange import Clock

SMALL_BYTES: Final = 256 * 1024
"""Parsing files of this size together delays requests by a few milliseconds."""
MAX_PROCESSES: Final = 2
"""Larger profiles that are read at a time, each with a child process."""
WAIT_SECONDS: Final = 0.25
"""How long threads, and lists, wait for a profile that has not been read yet."""
_MAX_WAITING: Final = 2
"""Threads that wait longer; servers have four or more threads by default."""
_NICENESS: Final = 10
"""Priority of the child process, below that of the processes that serve."""
_PROGRAM: Final = "from healthapi.adapters.reading import run_job; run_job()"
_THREADS: Final = "healthapi-reading"
_LOG: Final = logging.getLogger("healthapi")

Outcome = tuple[str, ...] | Profile | DataError | OSError | None
"""Result of a read: all ids, or of one profile; None if there is no such profile."""
Value = tuple[str, ...] | Profile | ProfileSummary | None
"""Result of a request: all ids, a profile, or None if there is no such profile."""
Found = Value | DataError | OSError | Future[None]
"""Result or error of a request, or a future that is done when they are known."""


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
    copyreg.pickle(MappingProxyType, lambda proxy: (_make_proxy, (dict(proxy),)))
    job: Job = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by the parent process
    pickle.dump(derive_profile(job), sys.stdout.buffer)


def _make_proxy(members: dict[Any, Any]) -> "MappingProxyType[Any, Any]":
    """Return a read-only mapping; pickle cannot import its class by name."""
    return MappingProxyType(members)


def value_of(result: Found) -> Value:
    """Return what `find` found; raise DataError or OSError if it cannot be read, or not yet."""
    if isinstance(result, Future):
        raise file_error("", "file.reading")
    # A new error, because each collects tracebacks.
    if isinstance(result, DataError):
        raise DataError(result.code, result.findings)
    if isinstance(result, OSError):
        raise OSError(*result.args)
    return result


@attrs.frozen(eq=False, repr=False)
class Read:
    """A result, what it depends on, and when it was compared with that.

    Attributes:
        state: of the files or objects, in the form of the source; None if it is not known.
        size: the estimated bytes of the memory of the result.
        checked: monotonic seconds; infinite while the next state is parsed.

    """

    result: Outcome
    state: Any = None
    size: int = 1024
    checked: float = attrs.field(factory=monotonic)


class WaitingSource:
    """A thread-safe source that reads profiles on an event loop of its own.

    Args:
        columns: the column mapping of profiles without a `columns.toml`.
        disclosure: the personal data that the owners publish.
        clock: returns the time at which a profile is read, ms since the epoch.
        check_seconds: age from which a result is compared when it is requested.
        max_age_seconds: age from which it is not served before that.
        max_bytes: limit of the memory for profiles.

    """

    def __init__(
        self,
        columns: ProfileMap,
        disclosure: PrivacySettings,
        clock: Clock,
        check_seconds: float,
        max_age_seconds: float,
        max_bytes: float = math.inf,
    ) -> None:
        self._mapping = columns
        self._disclosure = disclosure
        self._clock = clock
        self._check_seconds = check_seconds
        self._max_age_seconds = max_age_seconds
        self._max_bytes = max_bytes
        self._size = 0
        self._results: dict[str | None, Read] = {}  # the one that was requested last is last
        self._wanted: dict[str | None, Future[None]] = {}
        self._lock = RLock()
        self._waiting = Semaphore(_MAX_WAITING)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._failure = ""
        self._small = asyncio.Semaphore(MAX_PROCESSES)
        self._large = asyncio.Semaphore(MAX_PROCESSES)

    def ids(self) -> tuple[str, ...]:
        """Return the sorted ids of all profiles; raise OSError if they cannot be listed."""
        raise NotImplementedError

    def profile(self, profile_id: str) -> Profile:
        """Return the current state of a profile.

        Raises:
            KeyError: there is no such profile.
            DataError: its files cannot be read.
            OSError: the profiles cannot be listed.

        """
        profile = value_of(self._current(profile_id))
        if not isinstance(profile, Profile):
            raise KeyError(profile_id)
        return profile

    def _current(self, profile_id: str) -> Found:
        return self._find_within(None, profile_id)

    def find(self, name: str | None) -> Found:
        """Return the result or the error of `read` without waiting and without reading.

        If it is not known yet or too old, return a future that is done when it is known.
        """
        with self._lock:
            read = self._results.pop(name, None)
            if read is not None:
                self._results[name] = read
            age = math.inf if read is None else monotonic() - read.checked
            future = self._want(name) if age >= self._check_seconds else None
            return future if read is None or age >= self._max_age_seconds else read.result

    def find_listed(self, name: str) -> Found:
        """Return the same for a list."""
        return self.find(name)

    def _want(self, name: str | None) -> Future[None]:
        """Return a future that is done when a profile, or the list, has been compared."""
        with self._lock:
            future = self._wanted.get(name)
            if future is None:
                if self._loop is None:
                    self._loop = asyncio.new_event_loop()
                    weakref.finalize(self, self._loop.call_soon_threadsafe, self._loop.stop)
                    threading.Thread(
                        target=_run, args=(self._loop,), name=_THREADS, daemon=True
                    ).start()
                future = asyncio.run_coroutine_threadsafe(self._update(name), self._loop)
                self._wanted[name] = future
            return future

    @overload
    def read(self, name: None, now: int) -> tuple[str, ...]: ...
    @overload
    def read(self, name: str, now: int) -> Profile | None: ...
    @overload
    def read(self, name: str | None, now: int) -> Value: ...
    def read(self, name: str | None, now: int) -> Value:  # noqa: ARG002 - of the protocol
        """Return the ids of all profiles, or the profile of an id, as they were last read.

        Wait for what has not been read yet, or not for a while.

        Raises:
            DataError: the files cannot be read; `file.reading` if they have not been read for
                `WAIT_SECONDS`, and other threads wait longer already.
            OSError: the profiles cannot be listed.

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

    # On the event loop

    async def _list(self) -> Read:
        """Read the ids of all profiles; raise OSError."""
        raise NotImplementedError

    async def _read(self, name: str, known: Read | None) -> Read:
        """Compare a profile, and read it if it differs from what is known; raise OSError."""
        raise NotImplementedError

    async def _update(self, name: str | None) -> None:
        """Compare a result, and replace it."""
        known = self._results.get(name)
        try:
            self._publish(name, known, await self._compared(name, known))
        finally:  # a request that finds this future again would never end
            with self._lock:
                self._wanted.pop(name)

    async def _compared(self, name: str | None, known: Read | None) -> Read:
        try:
            new = await (self._list() if name is None else self._read(name, known))
            self._failure = ""
        except OSError as error:
            new = self._failed(error if name is None else file_error("", "file.unreadable"), known)
            if not self._failure:
                reason = error.strerror or str(error).partition("\n")[0]
                self._failure = reason or type(error).__qualname__
                _LOG.error("the profiles cannot be read: %s", self._failure)
        except Exception as error:  # noqa: BLE001 - the requests must end
            reason = type(error).__qualname__
            _LOG.error("%s: %s", name, reason)
            new = Read(OSError(0, reason) if name is None else file_error("", "file.failed"))
        return new

    def _failed(self, error: DataError | OSError, known: Read | None) -> Read:
        """Return the last state while it may be served, else an error; each is tried again."""
        now = monotonic()
        if known is not None and now - known.checked < self._max_age_seconds:
            return known
        return Read(error, checked=now - self._check_seconds)

    def _serve_meanwhile(self, name: str, known: Read | None) -> None:
        """Serve what is known while the next state is parsed."""
        if known is not None:
            self._publish(name, known, attrs.evolve(known, checked=math.inf))

    def _publish(self, name: str | None, known: Read | None, new: Read) -> bool:
        """Replace a result unless another thread has; drop others that are above the limit."""
        with self._lock:
            current = self._results.get(name)
            if current is not None and (known is None or current.result is not known.result):
                return False
            self._drop(name)
            self._results[name] = new
            self._size += new.size
            if isinstance(new.result, tuple):
                for gone in self._results.keys() - {None, *new.result}:
                    self._drop(gone)
            while self._size > self._max_bytes and len(self._results) > 1:
                self._drop(next(iter(self._results)))
        findings = new.result.findings if isinstance(new.result, DataError) else ()
        before = known.result if known else None
        if not isinstance(before, DataError) or before.findings != findings:
            for finding in findings:
                _LOG.error("%s%s: %s", name, finding.path, finding.rule)
        return True

    def _drop(self, name: str | None) -> None:
        read = self._results.pop(name, None)
        self._size -= read.size if read else 0


def _run(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop until its source is gone."""
    loop.set_default_executor(ThreadPoolExecutor(thread_name_prefix=_THREADS))
    loop.run_forever()
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()


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
