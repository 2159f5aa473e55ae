"""A folder of profiles as the source of the health-data service; POSIX only.

    <root>/<profile id>/csv/<tables>
    <root>/<profile id>/cache/fitbit_profile_snapshot.json
    <root>/<profile id>/columns.toml     a column map of its own; or <root>/columns.toml for all

Invariant *a profile is a folder of the root*: real folders of the root whose names have the form of
an id; no links, nothing above, nothing hidden.
Invariant *read once*: files are opened when they are new or have changed, and not by requests in
between; what was read is kept as one immutable profile, and so is what was wrong with it.
Invariant *whole or not at all*: a profile is of one state of its files (see `profilefiles`).  While
they change faster than they can be read, the last whole state is served.
Invariant *one slow profile delays no other*: files are read and parsed on threads of the source,
large ones in a process of their own (see `deriving`).  At most one thread reads a profile.  Until
it is done, the last whole state is served; the request that noticed the change waits
`_GRACE_SECONDS` at most.  Where there is no earlier state, at most `_PATIENT` requests wait longer
on a thread.
Invariant *logged once*: why a profile cannot be read is logged, on the logger `healthapi`, when it
changes: by profile, file and rule.
"""

import logging
import os
import re
import stat
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from functools import partial
from pathlib import Path
from typing import Final, NoReturn, overload

import attrs

from healthapi.adapters.child_process import Job, derived, derived_apart
from healthapi.adapters.profile_files import (
    ChangedMeanwhile,
    Marks,
    ProfileFiles,
    look,
    refusal,
    take,
)
from healthapi.adapters.worker_threads import Lane
from healthapi.errors import DataError
from healthapi.profile import Profile
from healthapi.redaction.walk import PRIVATE, PrivacySettings
from healthapi.rows.columns import NATIVE, ROW_OF, ProfileMap
from healthapi.sources import Progress as BytesDone
from purewire.adapters.clocks import system_clock
from purewire.exchange.effects import Clock
from purewire.findings import Finding

__all__ = ["FolderSource", "Outcome", "Pending", "Progress", "given"]

Progress = Callable[[str, int, int], None]
"""Called while a profile is read: its id, the bytes of its tables that are done, and all of them.

The bytes of a file that holds several datasets count for each of them.
"""

_LOG: Final = logging.getLogger("healthapi")
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")
_PAUSES_SECONDS: Final = (0, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16)
"""Before each attempt to read files that are being changed."""

_GRACE_SECONDS: Final = 0.04
"""How long after the reading of a profile began the requests for it wait for its end."""
_LIST_GRACE_SECONDS: Final = 0.25
"""The same for a list of profiles; only those without an earlier state are waited for."""
_PATIENT: Final = 2
"""Most threads that wait longer than that; servers have four or more threads by default."""
_SMALL_LANE: Final = 4
_LARGE_LANE: Final = 2
"""Most profiles that are read, and most processes that parse files, at a time."""

Outcome = Profile | DataError | None
"""What was made of the files of a profile; None where there is no such profile."""
Deriving = Callable[[Job, BytesDone | None], Profile | DataError]


@attrs.frozen(eq=False, repr=False)
class _Kept:
    """What was made of a state of the files."""

    marks: Marks
    settled: bool
    digests: Mapping[str, bytes]
    result: Profile | DataError


@attrs.frozen(eq=False, repr=False)
class _Reading:
    """A reading of a profile that has begun; times in s of the monotonic clock.

    Its future holds a function that returns or raises, so that a future that nobody asks is not
    reported as an exception that nobody retrieved.
    """

    began: float
    end: Future[Callable[[], Profile | None]] = attrs.field(factory=Future)

    def __attrs_post_init__(self) -> None:
        self.end.set_running_or_notify_cancel()  # who waits for it cannot cancel it


@attrs.frozen(eq=False, repr=False)
class _Taken:
    """Files that were read, and what is to be made of them."""

    files: ProfileFiles
    job: Job


@attrs.define(eq=False, repr=False)
class _Slot:
    """The place of a profile: its last state, and the reading that is under way."""

    kept: _Kept | None = None
    reading: _Reading | None = None
    told: tuple[Finding, ...] = ()

    @property
    def before(self) -> Profile | DataError | None:
        """What was made of the last state."""
        return None if self.kept is None else self.kept.result


@attrs.frozen(eq=False, repr=False)
class Pending:
    """The state of a profile whose files are being read.

    Attributes:
        before: its last state; None where there is none.
        is_first: whether the reading began with this request.

    """

    before: Profile | DataError | None
    is_first: bool
    _reading: _Reading

    @property
    def end(self) -> Future[Callable[[], Profile | None]]:
        """Done when the files have been read."""
        return self._reading.end

    def grace(self, *, listed: bool) -> float:
        """Return for how many seconds a request waits before it is answered otherwise."""
        if self.before is not None and (listed or not self.is_first):
            return 0
        most = _LIST_GRACE_SECONDS if listed else _GRACE_SECONDS
        return max(0.0, self._reading.began + most - time.monotonic())

    def now(self) -> Profile | None:
        """Return what there is now; raises DataError as well where there is nothing yet."""
        if self.end.done():
            return self.end.result()()
        if self.before is None:
            raise refusal("", "file.reading")
        return given(self.before)


def given(outcome: Outcome) -> Profile | None:
    """Return the profile, or raise a new error that says what is wrong with its files."""
    if isinstance(outcome, DataError):
        raise DataError(outcome.code, outcome.findings)
    return outcome


class FolderSource:
    """The profiles of a folder; safe to use from many threads.

    Args:
        root: the folder; may be a link, and may be turned to another folder while in use.
        columns: how the tables are laid out where no `columns.toml` says so.
        disclosure: what the owners publish about who they are.
        clock: gives the time of `profile`, ms since the epoch.
        progress: is told how far the reading of a profile is, on the thread that reads it.

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
        self._slots: dict[str, _Slot] = {}
        self._start()

    def _start(self) -> None:
        """Make what belongs to this process; a reading does not go on in a forked one."""
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._patient = threading.Semaphore(_PATIENT)
        self._small, self._large = Lane(_SMALL_LANE), Lane(_LARGE_LANE)
        for slot in self._slots.values():
            slot.reading = None

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all profiles, sorted; raises OSError where the folder is not there."""
        with os.scandir(self._root) as entries:
            found = [entry.name for entry in entries if _is_profile(entry)]
        with self._lock:
            for gone in self._slots.keys() - set(found):
                del self._slots[gone]
        return tuple(sorted(found))

    def profile(self, profile_id: str) -> Profile:
        """Return a profile as it is now, however long the reading of its files takes.

        Raises KeyError where there is none of the id, DataError where its files cannot be read,
        and OSError where the root cannot be.
        """
        found = self.look(profile_id, self._clock())
        if isinstance(found, Pending) and not found.is_first:
            wait([found.end])  # it may have begun before the files were changed
            found = self.look(profile_id, self._clock())
        profile = found.end.result()() if isinstance(found, Pending) else given(found)
        if profile is None:
            raise KeyError(profile_id)
        return profile

    @overload
    def read(self, name: None, now: int) -> tuple[str, ...]: ...
    @overload
    def read(self, name: str, now: int) -> Profile | None: ...
    def read(self, name: str | None, now: int) -> tuple[str, ...] | Profile | None:
        """Return the ids of all profiles, or the profile of an id; None where there is none.

        While its files are read, it is the last whole state of the profile.  Raises DataError and
        OSError as `profile` does, and DataError `file.reading` where there is no earlier state and
        other threads wait for it already.
        """
        if name is None:
            return self.ids()
        found = self.look(name, now)
        if not isinstance(found, Pending):
            return given(found)
        wait([found.end], found.grace(listed=False))
        if found.before is None and not found.end.done() and self._patient.acquire(blocking=False):
            try:
                wait([found.end])
            finally:
                self._patient.release()
        return found.now()

    def latest(self, name: str, now: int) -> Profile | None:
        """Return the last whole state of a profile for a list of them; None where there is none.

        Raises what `read` raises.
        """
        found = self.look(name, now)
        if not isinstance(found, Pending):
            return given(found)
        wait([found.end], found.grace(listed=True))
        return found.now()

    def look(self, name: str, now: int) -> Outcome | Pending:
        """Return what there is of a profile, and have its files read where that is not current.

        It waits for no reading.  Raises OSError where the root cannot be read.
        """
        if _ID.fullmatch(name) is None:
            return None
        while (pending := self.joined(name)) is None:
            slot = self._slots.get(name)
            kept = None if slot is None else slot.kept
            if kept is not None and self._is_current(name, kept):
                return kept.result
            if not self._is_there(name):
                return None
            pending = self._begun(name, kept, now)
            if pending is not None:
                break
        return pending

    def joined(self, name: str) -> Pending | None:
        """Return the reading of a profile that is under way, if any; no file is looked at."""
        if self._process != os.getpid():
            self._start()
        with self._lock:
            slot = self._slots.get(name)
            if slot is None or slot.reading is None:
                return None
            return Pending(slot.before, is_first=False, reading=slot.reading)

    def _begun(self, name: str, seen: _Kept | None, now: int) -> Pending | None:
        """Begin to read a profile; None where somebody else has begun or ended it meanwhile."""
        with self._lock:
            slot = self._slots.setdefault(name, _Slot())
            if slot.reading is not None or slot.kept is not seen:
                return None
            slot.reading = reading = _Reading(time.monotonic())
        self._small.submit(partial(self._read, name, slot, reading, now))
        return Pending(slot.before, is_first=True, reading=reading)

    def _is_current(self, name: str, kept: _Kept) -> bool:
        """Tell whether the files are certainly those that something was made of."""
        if not kept.settled:
            return False
        try:
            return look(self._root / name, kept.marks) == kept.marks
        except OSError:  # the reading that follows says why
            return False

    def _is_there(self, name: str) -> bool:
        try:
            if not stat.S_ISDIR((self._root / name).lstat().st_mode):
                return False
        except FileNotFoundError:
            self._root.stat()  # without the root nobody knows whether there is such a profile
            return False
        with os.scandir(self._root) as entries:  # some file systems find a name in any case
            return any(entry.name == name for entry in entries)

    def _read(self, name: str, slot: _Slot, reading: _Reading, now: int) -> None:
        """Read the files; what takes long to parse goes on in the other lane."""
        found = self._try(slot, reading, partial(self._found, name, slot, now))
        if found is not None:
            parse = partial(self._derived, name, slot, found, derived_apart)
            self._large.submit(partial(self._try, slot, reading, parse))

    def _try(
        self, slot: _Slot, reading: _Reading, call: Callable[[], Outcome | _Taken]
    ) -> _Taken | None:
        """End the reading with what a call gives or raises; return files still to be parsed."""
        try:
            found = call()
        except BaseException as fault:  # noqa: BLE001 - it is raised where the result is asked for
            result: Callable[[], Profile | None] = partial(_raise, fault)
        else:
            if isinstance(found, _Taken):
                return found
            result = partial(given, found)
        with self._lock:
            slot.reading = None
        reading.end.set_result(result)
        return None

    def _found(self, name: str, slot: _Slot, now: int) -> Outcome | _Taken:
        """Read the files, and parse small ones."""
        try:
            files = self._files(name, now)
        except ChangedMeanwhile:
            if slot.kept is not None and isinstance(slot.kept.result, Profile):
                return slot.kept.result
            return self._forget(name, slot, refusal("", "file.changed"))
        except DataError as fault:
            return self._forget(name, slot, fault)
        if files is None:
            with self._lock:
                self._slots.pop(name, None)
            return None
        return self._parsed(name, slot, files, now)

    def _parsed(self, name: str, slot: _Slot, files: ProfileFiles, now: int) -> Outcome | _Taken:
        """Parse files that are new and small."""
        if slot.kept is not None and slot.kept.digests == files.digests:
            return self._keep(name, slot, files, slot.kept.result)
        if isinstance(files.columns, DataError):
            return self._keep(name, slot, files, files.columns)
        found = _Taken(files, Job(name, files.files, files.columns, self._disclosure, now))
        return self._derived(name, slot, found, derived) if found.job.is_small else found

    def _derived(self, name: str, slot: _Slot, found: _Taken, derive: Deriving) -> Outcome:
        return self._keep(name, slot, found.files, derive(found.job, self._reporter(found.job)))

    def _keep(
        self, name: str, slot: _Slot, files: ProfileFiles, result: Profile | DataError
    ) -> Outcome:
        slot.kept = _Kept(files.marks, files.settled, files.digests, result)
        self._tell(name, slot, result.findings if isinstance(result, DataError) else ())
        return result

    def _forget(self, name: str, slot: _Slot, fault: DataError) -> DataError:
        """Keep nothing of files that were not read: the next request tries again."""
        slot.kept = None
        self._tell(name, slot, fault.findings)
        return fault

    def _files(self, name: str, now: int) -> ProfileFiles | None:
        for pause in _PAUSES_SECONDS[:-1]:
            time.sleep(pause)
            try:
                return take(self._root, name, self._columns, now)
            except ChangedMeanwhile:
                continue
        time.sleep(_PAUSES_SECONDS[-1])
        return take(self._root, name, self._columns, now)

    def _reporter(self, job: Job) -> BytesDone | None:
        progress = self._progress
        if progress is None:
            return None
        tables = filter(None, (getattr(job.columns, dataset) for dataset in ROW_OF))
        total = sum(len(job.files.get(f"csv/{table.file}", b"")) for table in tables)
        return lambda done: progress(job.profile_id, done, total)

    def _tell(self, name: str, slot: _Slot, findings: tuple[Finding, ...]) -> None:
        if findings != slot.told:
            slot.told = findings
            for finding in findings:
                _LOG.error("%s%s: %s", name, finding.path, finding.rule)


def _raise(fault: BaseException) -> NoReturn:
    raise fault


def _is_profile(entry: os.DirEntry[str]) -> bool:
    return _ID.fullmatch(entry.name) is not None and entry.is_dir(follow_symlinks=False)
