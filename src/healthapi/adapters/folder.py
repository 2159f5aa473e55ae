"""Read profiles from a folder of folders (see docs/reference/health-folder.md); POSIX only.

Invariant *a profile is a folder of the root*: its name has the form of an id; links, hidden folders
and paths above the root are ignored.
Invariant *no request reads*: two threads do, first what requests wait for.  Every second they
compare the list, and all profiles that were read, with the disk; what differs is read, and
meanwhile the last whole state is served at once.
Invariant *logged once*: the reason why a profile, or the root, cannot be read is logged when it
changes, on the logger `healthapi`: profile, file, message and rule, never content.
Invariant *nobody waits for the threads*: they start with the first request, so that a process may
be forked before it, and end within a second of their source; the interpreter ends without them.
"""

import logging
import math
import os
from collections.abc import Collection
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from queue import Empty, PriorityQueue
from threading import Lock, Thread
from time import monotonic
from typing import Final
from weakref import ref

import attrs

from healthapi.adapters.profile_files import ProfileFiles, read_files
from healthapi.endpoints import KEYS
from healthapi.errors import DataError
from healthapi.profile import Profile, ProfileSummary, check_settings, derive, load
from healthapi.redaction import PRIVATE, PrivacySettings
from healthapi.rows.mapping import NATIVE, ProfileMap
from status_contracts.adapters.clocks import system_clock
from status_contracts.adapters.zones import local_text
from status_contracts.exchange import Clock

__all__ = ["FolderSource", "Value"]

_LOG: Final = logging.getLogger("healthapi")
CHECK_SECONDS: Final = 1.0
"""From the end of a comparison to the next one."""

Value = tuple[ProfileSummary, ...] | Profile | None
"""What a request reads: all profiles as lists show them, or one; None if there is no such."""
_Queue = PriorityQueue[tuple[bool, int, str | None]]  # no request waits; number; name


@attrs.frozen(eq=False, repr=False)
class _LastRead:
    """What a profile was read to, and from which files; None before, or if they cannot be read."""

    result: Profile | DataError | None = None
    files: ProfileFiles | None = None


_UNREAD: Final = _LastRead()


class FolderSource:
    """A thread-safe source of the profiles of a folder.

    Args:
        root: the folder, or a link to it; the link may be replaced at any time.
        columns: the column mapping of profiles without a `columns.toml`.
        privacy: the personal data that the owners publish.
        clock: returns the time at which a profile is read, ms since the epoch.

    """

    nonblocking: Final = True

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        columns: ProfileMap = NATIVE,
        privacy: PrivacySettings = PRIVATE,
        clock: Clock = system_clock,
    ) -> None:
        check_settings(columns, privacy)
        self._root = Path(root).absolute()
        self._columns, self._clock = columns, clock
        self._parse = partial(load, privacy=privacy)
        self._states: dict[str, _LastRead] = {}
        self._is_listed, self._unstarted = False, 2  # threads
        self._failure: OSError | None = None
        self._next_check = -math.inf
        self._queue: _Queue = PriorityQueue()
        self._numbers = count()
        self._futures: dict[str | None, Future[Value]] = {}
        self._lock = Lock()

    def ids(self) -> tuple[str, ...]:
        """Return the sorted ids of all profiles, listed now; raise OSError without the root."""
        with os.scandir(self._root) as entries:
            names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        return tuple(sorted(filter(KEYS["profile_id"].parse, names)))

    def profile(self, profile_id: str) -> Profile:
        """Return the current state of a profile, read on this thread.

        Raises KeyError if there is no such profile, DataError if its files cannot be read, OSError
        if the profiles cannot be listed.
        """
        self._list()
        self._update(profile_id)
        profile = self._value(profile_id)
        if not isinstance(profile, Profile):
            known = ", ".join(self._states) or "none"
            raise KeyError(f"there is no profile {profile_id!r}; there are: {known}")
        return profile

    def profile_without(self, profile_id: str, names: Collection[str]) -> Profile:
        """Return a profile, read now, as if it had no files of these names; raise as `profile`."""
        result = self._read(profile_id, _UNREAD, names).result
        if not isinstance(result, Profile):
            raise result or KeyError(profile_id)
        return result

    def read(self, name: str | None, now: int) -> "Value | Future[Value]":  # noqa: ARG002 - of the protocol
        """Return all profiles as lists show them, or the last whole state of one, without waiting.

        Return a future of what has not been read yet, and of a name that is not listed, for which
        the folder is listed anew; a list has only the ids of such profiles, and has them read.
        Raises DataError and OSError as `profile`.
        """
        with self._lock:
            for _ in range(self._unstarted):
                arguments = ref(self), self._queue
                Thread(target=_run, args=arguments, name="healthapi-reading", daemon=True).start()
            self._unstarted = 0
        is_known = name is None or self._states.get(name, _UNREAD) is not _UNREAD
        return self._value(name) if is_known and self._is_listed else self._want(name)

    def _want(self, name: str | None, *, is_urgent: bool = True) -> "Future[Value]":
        with self._lock:
            if is_urgent or name not in self._futures:
                self._queue.put((not is_urgent, next(self._numbers), name))
            return self._futures.setdefault(name, Future())

    def _value(self, name: str | None) -> Value:
        if self._failure is not None:
            raise OSError(*self._failure.args)
        if name is None:
            for key, state in tuple(self._states.items()):
                if state is _UNREAD:
                    self._want(key, is_urgent=False)
            return tuple(
                state.result.summary
                if isinstance(state.result, Profile)
                else ProfileSummary(key, is_awaited=state is _UNREAD)
                for key, state in tuple(self._states.items())
            )
        result = self._states.get(name, _UNREAD).result
        if isinstance(result, DataError):  # a new one, because each collects tracebacks
            raise DataError(*result.findings)
        return result

    def _work(self, name: str | None) -> None:
        """Compare all with the disk if it is time, and read a name if somebody still wants it."""
        with self._lock:
            is_time = monotonic() >= self._next_check
            self._next_check = math.inf if is_time else self._next_check
            future = self._futures.get(name)  # none if it was read meanwhile
            is_wanted = future and not future.running() and future.set_running_or_notify_cancel()
        if is_time or not self._is_listed or (is_wanted and name not in self._states):
            self._list()
        if is_time:
            for profile_id, state in tuple(self._states.items()):
                if state is not _UNREAD and not self._is_current(profile_id, state):
                    self._want(profile_id, is_urgent=False)  # its last state is served meanwhile
            self._next_check = monotonic() + CHECK_SECONDS
        if is_wanted:
            self._load(name)

    def _load(self, name: str | None) -> None:
        try:
            self._update(name or "")
            value = self._value(name)
        except Exception as error:  # noqa: BLE001 - whoever waits for the future gets it
            if not isinstance(error, DataError | OSError):  # these are logged where they are known
                _LOG.error("%s: %s", name, type(error).__qualname__)
            self._futures.pop(name).set_exception(error)
        else:
            self._futures.pop(name).set_result(value)

    def _list(self) -> None:
        try:
            ids = self.ids()
        except OSError as error:
            if self._failure is None:
                _LOG.error("the profiles cannot be read: %s", error.strerror)
            self._failure = error
        else:
            with self._lock:
                self._states = {name: self._states.get(name, _UNREAD) for name in ids}
            self._failure = None
        self._is_listed = True

    def _is_current(self, profile_id: str, state: _LastRead) -> bool:
        return state.files is not None and state.files.are_current(self._root / profile_id)

    def _update(self, name: str) -> None:
        """Read a listed profile if it differs from its last state."""
        known = self._states.get(name)
        if known is None or self._is_current(name, known):
            return
        new = self._read(name, known)
        with self._lock:
            if self._states.get(name) is not known:
                return  # it is gone, or another thread was faster
            self._states[name] = new
        before = getattr(known.result, "findings", ())
        if isinstance(new.result, DataError) and new.result.findings != before:
            for finding in new.result.findings:
                _LOG.error("%s%s: %s [%s]", name, finding.path, finding.message, finding.rule)

    def _read(self, profile_id: str, known: _LastRead, without: Collection[str] = ()) -> _LastRead:
        now = self._clock()
        files = None
        try:
            whole = read_files(self._root, profile_id, self._columns, now, without)
            if whole is None:
                return _UNREAD
            files, contents = whole
            if known.files is not None and known.files.digests == files.digests:
                return _LastRead(known.result, files)
            time = local_text(now, None)
            profile = self._parse(profile_id, contents, generated_at=time, columns=files.columns)
        except DataError as error:
            is_changing = error.findings[0].rule == "file.changed" and known is not _UNREAD
            return known if is_changing else _LastRead(error, files)
        zone = profile.person.timezone
        generated_at, written_at = local_text(now, zone), local_text(files.written or now, zone)
        profile = derive(profile, generated_at=generated_at, written_at=written_at)
        _ = profile.summary  # lists show it, and no request for one should derive all profiles
        return _LastRead(profile, files)


def _run(source: "ref[FolderSource]", queue: _Queue) -> None:
    """Read what is wanted until the source is gone."""
    while True:
        name: str | None = ""  # no profile
        with suppress(Empty):
            name = queue.get(timeout=CHECK_SECONDS)[2]
        owner = source()
        if owner is None:
            return
        owner._work(name)  # noqa: SLF001 - a method would keep its source
        del owner
