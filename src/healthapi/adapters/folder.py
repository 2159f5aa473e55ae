"""A folder of profiles as the source of the health-data service; POSIX only.

    <root>/<profile id>/csv/<tables>
    <root>/<profile id>/cache/fitbit_profile_snapshot.json
    <root>/<profile id>/columns.toml     a column map of its own; or <root>/columns.toml for all

Invariant *a profile is a folder of the root*: real folders of the root whose names have the form of
an id; no links, nothing above, nothing hidden.
Invariant *read once*: files are opened when they are new or have changed, and not by requests in
between; what was read is kept as one immutable profile, and so is what was wrong with it.
Invariant *whole or not at all*: a profile is of one state of its files (see `profilefiles`).  While
they change faster than they can be read, the last whole state stands.
Invariant *told once*: why a profile cannot be read is logged, on the logger `healthapi`, when it
changes: by profile, file and rule.
"""

import logging
import os
import re
import stat
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, overload

import attrs

from healthapi.adapters.profilefiles import (
    ChangedMeanwhile,
    Marks,
    ProfileFiles,
    look,
    refusal,
    take,
)
from healthapi.adapters.zones import local_text
from healthapi.errors import DataError
from healthapi.profile import Profile, derive
from healthapi.redaction.walk import PRIVATE, Disclosure
from healthapi.rows.columns import NATIVE, ROW_OF, ProfileMap
from healthapi.sources import Progress as BytesDone
from healthapi.sources import read_sources
from purewire.adapters.clocks import system_clock
from purewire.effects import Clock
from purewire.findings import Finding

__all__ = ["FolderSource", "Progress"]

Progress = Callable[[str, int, int], None]
"""Called while a profile is read: its id, the bytes of its tables that are done, and all of them.

The bytes of a file that holds several datasets count for each of them.
"""

_LOG: Final = logging.getLogger("healthapi")
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")
_PAUSES_SECONDS: Final = (0, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16)
"""Before each attempt to read files that are being changed."""


@attrs.frozen(eq=False, repr=False)
class _Kept:
    """What was made of a state of the files."""

    marks: Marks
    settled: bool
    digests: Mapping[str, bytes]
    result: Profile | DataError

    def given(self) -> Profile:
        """Give the profile, or raise anew what is wrong with its files."""
        if isinstance(self.result, DataError):
            raise DataError(self.result.code, self.result.findings)
        return self.result


@attrs.define(eq=False, repr=False)
class _Slot:
    """A profile's place; the lock is held while its files are read."""

    lock: threading.Lock = attrs.field(factory=threading.Lock)
    kept: _Kept | None = None
    told: tuple[Finding, ...] = ()


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
        disclosure: Disclosure = PRIVATE,
        clock: Clock = system_clock,
        progress: Progress | None = None,
    ) -> None:
        self._root = Path(root).absolute()
        self._columns = columns
        self._disclosure = disclosure
        self._clock = clock
        self._progress = progress
        self._lock = threading.Lock()
        self._slots: dict[str, _Slot] = {}

    def ids(self) -> tuple[str, ...]:
        """Give the ids of all profiles, sorted; raises OSError where the folder is not there."""
        with os.scandir(self._root) as entries:
            found = [entry.name for entry in entries if _is_profile(entry)]
        with self._lock:
            for gone in self._slots.keys() - set(found):
                del self._slots[gone]
        return tuple(sorted(found))

    def profile(self, profile_id: str) -> Profile:
        """Give a profile as it is now.

        Raises KeyError where there is none of the id, DataError where its files cannot be read,
        and OSError where the root cannot be.
        """
        found = self.read(profile_id, self._clock())
        if found is None:
            raise KeyError(profile_id)
        return found

    @overload
    def read(self, name: None, now: int) -> tuple[str, ...]: ...
    @overload
    def read(self, name: str, now: int) -> Profile | None: ...
    def read(self, name: str | None, now: int) -> tuple[str, ...] | Profile | None:
        """Give the ids of all profiles, or the profile of an id; None where there is none.

        Raises DataError and OSError as `profile` does.
        """
        if name is None:
            return self.ids()
        if _ID.fullmatch(name) is None:
            return None
        slot = self._slots.get(name)
        if slot is not None and slot.kept is not None and self._is_current(name, slot.kept):
            return slot.kept.given()
        if not self._is_there(name):
            return None
        with self._lock:
            slot = self._slots.setdefault(name, _Slot())
        with slot.lock:
            if slot.kept is None or not self._is_current(name, slot.kept):
                return self._read(name, slot, now)
            return slot.kept.given()

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

    def _read(self, name: str, slot: _Slot, now: int) -> Profile | None:
        """Read the files, and keep what comes of them; the caller holds the lock of the slot."""
        try:
            taken = self._taken(name, now)
        except ChangedMeanwhile:
            if slot.kept is not None and isinstance(slot.kept.result, Profile):
                return slot.kept.result
            fault = refusal("", "file.changed")
            self._forget(name, slot, fault.findings)
            raise fault from None
        except DataError as fault:
            self._forget(name, slot, fault.findings)
            raise
        if taken is None:
            with self._lock:
                self._slots.pop(name, None)
            return None
        slot.kept = self._made(name, taken, slot.kept, now)
        result = slot.kept.result
        self._tell(name, slot, result.findings if isinstance(result, DataError) else ())
        return slot.kept.given()

    def _forget(self, name: str, slot: _Slot, findings: tuple[Finding, ...]) -> None:
        """Keep nothing of files that were not read: the next request tries again."""
        slot.kept = None
        self._tell(name, slot, findings)

    def _taken(self, name: str, now: int) -> ProfileFiles | None:
        for pause in _PAUSES_SECONDS[:-1]:
            time.sleep(pause)
            try:
                return take(self._root, name, self._columns, now)
            except ChangedMeanwhile:
                continue
        time.sleep(_PAUSES_SECONDS[-1])
        return take(self._root, name, self._columns, now)

    def _made(self, name: str, taken: ProfileFiles, before: _Kept | None, now: int) -> _Kept:
        if before is not None and before.digests == taken.digests:
            result = before.result
        else:
            result = self._derived(name, taken, now)
        return _Kept(taken.marks, taken.settled, taken.digests, result)

    def _derived(self, name: str, taken: ProfileFiles, now: int) -> Profile | DataError:
        if isinstance(taken.columns, DataError):
            return taken.columns
        try:
            sources = read_sources(
                name,
                taken.files,
                columns=taken.columns,
                disclosure=self._disclosure,
                progress=self._reporter(name, taken.columns, taken.files),
            )
        except DataError as fault:
            return fault
        return derive(sources, generated_at=local_text(now, sources.person.timezone))

    def _reporter(
        self, name: str, columns: ProfileMap, files: Mapping[str, bytes]
    ) -> BytesDone | None:
        progress = self._progress
        if progress is None:
            return None
        tables = filter(None, (getattr(columns, dataset) for dataset in ROW_OF))
        total = sum(len(files.get(f"csv/{table.file}", b"")) for table in tables)
        return lambda done: progress(name, done, total)

    def _tell(self, name: str, slot: _Slot, findings: tuple[Finding, ...]) -> None:
        if findings != slot.told:
            slot.told = findings
            for finding in findings:
                _LOG.error("%s%s: %s", name, finding.path, finding.rule)


def _is_profile(entry: os.DirEntry[str]) -> bool:
    return _ID.fullmatch(entry.name) is not None and entry.is_dir(follow_symlinks=False)
