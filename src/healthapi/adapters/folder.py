"""Read profiles from a folder; POSIX only.

    <root>/<profile id>/csv/<tables>
    <root>/<profile id>/cache/fitbit_profile_snapshot.json
    <root>/<profile id>/columns.toml     its own column mapping; or <root>/columns.toml for all

Invariant *a profile is a folder of the root*: its name has the form of an id; links, hidden folders
and paths above the root are ignored.
Invariant *no request reads a file*: one thread looks at the folder each second.  It reads profiles
that have been requested, and again when they have changed; requests use its last results.
Invariant *whole or not at all*: a profile is of one state of its files (see `profile_files`).
While files change faster than they can be read, the last complete state is served.
Invariant *a slow profile delays no other one*: large profiles are read on threads of their own and
parsed in a child process (see `child_process`).  Meanwhile the last complete state is served.
Invariant *logged once*: the reason why a profile cannot be read is logged when it changes, on the
logger `healthapi`, by profile, file and rule.
"""

import logging
import math
import os
import re
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import attrs

from healthapi.adapters.profile_files import (
    FilesChanged,
    FilesTooLarge,
    ProfileFiles,
    States,
    file_error,
    read_files,
    stat_files,
)
from healthapi.adapters.reading import (
    MAX_PROCESSES,
    SMALL_BYTES,
    WAIT_SECONDS,
    Found,
    Job,
    Outcome,
    Value,
    WaitingSource,
    derive_in_process,
    derive_profile,
    log_change,
    value_of,
)
from healthapi.errors import DataError
from healthapi.profile import Profile
from healthapi.redaction.walk import PRIVATE, PrivacySettings
from healthapi.rows.columns import NATIVE, ROW_OF, ProfileMap
from purewire.adapters.clocks import system_clock
from purewire.exchange import Clock

__all__ = ["WAIT_SECONDS", "FolderSource", "Outcome", "Progress", "Value", "value_of"]

Progress = Callable[[str, int, int], None]
"""Progress listener: profile id, parsed bytes, and all bytes of the tables.

The bytes of a file with several datasets count for each of them.
"""
Derive = Callable[[Job], Profile | DataError]

LOOK_SECONDS: Final = 1.0
"""Time between two looks at the folder."""
_LOG: Final = logging.getLogger("healthapi")
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")


@attrs.frozen(eq=False, repr=False)
class _Read:
    """The result for one state of the files; without states it is read again at each look."""

    result: Outcome
    states: States = attrs.field(factory=dict)
    settled: bool = False
    digests: Mapping[str, bytes] = attrs.field(factory=dict)


class FolderSource(WaitingSource):
    """A thread-safe source of the profiles of a folder.

    Args:
        root: the folder, or a link to it; the link may be replaced at any time.
        columns: the column mapping of profiles without a `columns.toml`.
        disclosure: the personal data that the owners publish.
        clock: returns the time at which a profile is read, ms since the epoch.
        progress: called with the progress of `profile`.

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
        super().__init__()
        self._root = Path(root).absolute()
        self._columns = columns
        self._disclosure = disclosure
        self._clock = clock
        self._progress = progress
        self._reads: Mapping[str, _Read] = {}
        self._ids: tuple[str, ...] | OSError | None = None
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self._look_due = -math.inf
        self._large: set[str] = set()  # profiles that have a thread of their own
        self._processes = threading.Semaphore(MAX_PROCESSES)

    def ids(self) -> tuple[str, ...]:
        """Return the sorted ids of all profiles, listed now; raise OSError without the root."""
        with os.scandir(self._root) as entries:
            return tuple(sorted(entry.name for entry in entries if _is_profile(entry)))

    def profile(self, profile_id: str) -> Profile:
        """Return the current state of a profile, read on this thread.

        Raises:
            KeyError: there is no such profile.
            DataError: its files cannot be read.
            OSError: the root cannot be read.

        """
        is_listed = profile_id in self.ids()
        profile = value_of(self._read(profile_id, self._derive) if is_listed else None)
        if not isinstance(profile, Profile):
            raise KeyError(profile_id)
        return profile

    def find(self, name: str | None) -> Found:
        """Return the last result, or a future while there is none; raise OSError without a root."""
        ids = self._ids
        if isinstance(ids, OSError):
            raise OSError(*ids.args)
        if ids is None:
            return self._want(None)
        if name is None:
            return ids
        known = self._reads.get(name)
        if known is not None:
            return known.result
        return self._want(name) if name in ids else None

    def _start_reading(self, name: str | None) -> None:  # noqa: ARG002 - the thread sees all names
        if self._thread is None:
            run = partial(_repeat, weakref.WeakMethod(self._work), self._wake)
            self._thread = _start_thread(run)
        self._wake.set()

    def _work(self) -> float:
        """Read what has changed or is wanted; return the seconds until the next look."""
        if time.monotonic() >= self._look_due:
            self._look()
            self._look_due = time.monotonic() + LOOK_SECONDS
            for name in self._reads:
                self._read_wanted()
                self._update(name)
        self._read_wanted()
        return self._look_due - time.monotonic()

    def _read_wanted(self) -> None:
        """Read the profiles for which requests wait."""
        with self._lock:
            wanted = [name for name in self._wanted if name and name not in self._large]
        for name in wanted:
            self._update(name)

    def _look(self) -> None:
        """List the profiles, and forget those that are gone."""
        try:
            ids = self.ids()
        except OSError as error:
            self._ids = error
            self._finish(lambda _: True)
            return
        listed = frozenset(ids)
        with self._lock:
            self._reads = {name: read for name, read in self._reads.items() if name in listed}
        self._ids = ids
        self._finish(lambda name: name not in listed)

    def _update(self, name: str, derive: Derive = derive_profile, limit: int = SMALL_BYTES) -> None:
        """Read a profile if it has changed; if it is larger than the limit, on another thread."""
        try:
            try:
                self._read(name, derive, limit)
            except FilesTooLarge:
                if name not in self._large:
                    self._large.add(name)
                    _start_thread(partial(self._read_large, name))
                return
        except OSError as error:  # of the root
            self._ids = error
        except Exception as error:  # noqa: BLE001 - the thread must go on
            _LOG.error("%s: %s", name, type(error).__qualname__)
            self._large.discard(name)
            self._publish(name, self._reads.get(name), _Read(file_error("", "file.failed")))
        self._finish(lambda wanted: wanted == name)

    def _read_large(self, name: str) -> None:
        with self._processes:
            self._update(name, derive_in_process, sys.maxsize)
        self._large.discard(name)

    def _read(self, name: str, derive: Derive, limit: int = sys.maxsize) -> Outcome:
        """Return the result for a profile; read its files if they are not known to be the same."""
        seen = self._reads.get(name)
        if seen is not None and self._is_current(name, seen):
            return seen.result
        now = self._clock()
        try:
            files = read_files(self._root, name, self._columns, now, limit)
            new = _Read(None) if files is None else self._derived(name, now, files, seen, derive)
        except FilesChanged:
            if seen is not None and isinstance(seen.result, Profile):
                return seen.result
            new = _Read(file_error("", "file.changed"))
        except DataError as error:
            new = _Read(error)
        self._publish(name, seen, new)
        return new.result

    def _is_current(self, name: str, seen: _Read) -> bool:
        """Check whether the files certainly are those of a result."""
        try:
            return seen.settled and stat_files(self._root / name, seen.states) == seen.states
        except OSError:  # Reading reports it.
            return False

    def _derived(
        self, name: str, now: int, files: ProfileFiles, seen: _Read | None, derive: Derive
    ) -> _Read:
        result: Outcome
        if seen is not None and seen.states and seen.digests == files.digests:
            result = seen.result
        elif isinstance(files.columns, DataError):
            result = files.columns
        else:
            result = derive(
                Job(name, files.files, files.columns, self._disclosure, now, files.written)
            )
        return _Read(result, files.states, files.settled, files.digests)

    def _publish(self, name: str, seen: _Read | None, new: _Read) -> None:
        """Replace the result for a profile, unless another thread has done so."""
        with self._lock:
            if self._reads.get(name) is not seen:
                return
            self._reads = {**self._reads, name: new}
        log_change(name, None if seen is None else seen.result, new.result)

    def _derive(self, job: Job) -> Profile | DataError:
        """Derive a profile on this thread, and report the progress."""
        progress = self._progress
        if progress is None:
            return derive_profile(job)
        tables = filter(None, (getattr(job.columns, dataset) for dataset in ROW_OF))
        total = sum(len(job.files.get(f"csv/{table.file}", b"")) for table in tables)
        return derive_profile(job, lambda done: progress(job.profile_id, done, total))


def _is_profile(entry: os.DirEntry[str]) -> bool:
    return _ID.fullmatch(entry.name) is not None and entry.is_dir(follow_symlinks=False)


def _start_thread(run: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=run, name="healthapi-reading", daemon=True)
    thread.start()
    return thread


def _repeat(method: "weakref.WeakMethod[Callable[[], float]]", wake: threading.Event) -> None:
    """Call a method when it is woken and when its wait is over, while its object exists."""
    while (call := method()) is not None:
        wake.clear()
        seconds = call()
        del call
        wake.wait(seconds)
