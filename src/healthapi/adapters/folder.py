"""Read profiles from a folder; POSIX only.

    <root>/<profile id>/csv/<tables>
    <root>/<profile id>/cache/fitbit_profile_snapshot.json
    <root>/<profile id>/columns.toml     its own column mapping; or <root>/columns.toml for all

Invariant *a profile is a folder of the root*: its name has the form of an id; links, hidden folders
and paths above the root are ignored.
Invariant *at most two seconds old*: the list and a profile are compared with the disk
`CHECK_SECONDS` after they were, when they are requested, and not served without that after
`MAX_AGE_SECONDS`; a large profile is parsed after that (see `reading`).
Invariant *whole or not at all*: a profile is of one state of its files (see `profile_files`).
While files change faster than they can be read, the last complete state is served.
"""

import asyncio
import os
import sys
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

import attrs

from healthapi.adapters.profile_files import (
    FilesChanged,
    FilesTooLarge,
    ProfileFiles,
    file_error,
    read_files,
    stat_files,
)
from healthapi.adapters.reading import (
    SMALL_BYTES,
    WAIT_SECONDS,
    Found,
    Job,
    Outcome,
    Read,
    Value,
    WaitingSource,
    derive_in_process,
    derive_profile,
    value_of,
)
from healthapi.errors import DataError
from healthapi.http.endpoints import KEYS
from healthapi.profile import Profile
from healthapi.redaction import PRIVATE, PrivacySettings
from healthapi.rows.mapping import NATIVE, ROW_OF, ProfileMap
from purewire.adapters.clocks import system_clock
from purewire.exchange import Clock

__all__ = ["WAIT_SECONDS", "FolderSource", "Outcome", "Progress", "Value", "value_of"]

Progress = Callable[[str, int, int], None]
"""Progress listener: profile id, parsed bytes, and all bytes of the tables.

The bytes of a file with several datasets count for each of them.
"""

CHECK_SECONDS: Final = 1.0
"""Age from which a state is compared with the disk when it is requested; it is served at once."""
MAX_AGE_SECONDS: Final = 2.0
"""Age from which a state is not served before that."""


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
        super().__init__(columns, disclosure, clock, CHECK_SECONDS, MAX_AGE_SECONDS)
        self._root = Path(root).absolute()
        self._progress = progress

    def ids(self) -> tuple[str, ...]:
        """Return the sorted ids of all profiles, listed now; raise OSError without the root."""
        with os.scandir(self._root) as entries:
            return tuple(sorted(entry.name for entry in entries if _is_profile(entry)))

    def find(self, name: str | None) -> Found:
        """Return the last result, or a future while there is none or it is too old."""
        ids = super().find(None)
        if name is None or not isinstance(ids, tuple):
            return ids
        place = bisect_left(ids, name)
        return super().find(name) if ids[place : place + 1] == (name,) else None

    def _current(self, profile_id: str) -> Found:
        """Return the current state of a profile, read on this thread."""
        if profile_id not in self.ids():
            return None
        known = self._results.get(profile_id)
        read = self._read_files(profile_id, known, self._derive, sys.maxsize)
        self._publish(profile_id, known, read)
        return read.result

    async def _list(self) -> Read:
        return Read(await asyncio.to_thread(self.ids))

    async def _read(self, name: str, known: Read | None) -> Read:
        read = self._read_files
        try:
            async with self._small:
                return await asyncio.to_thread(read, name, known, derive_profile, SMALL_BYTES)
        except FilesTooLarge:
            self._serve_meanwhile(name, known)
        async with self._large:
            return await asyncio.to_thread(read, name, known, derive_in_process, sys.maxsize)

    def _read_files(
        self,
        name: str,
        known: Read | None,
        derive: Callable[[Job], Profile | DataError],
        max_bytes: int,
    ) -> Read:
        """Return what is known of a profile, or what its files have if they differ."""
        if known is not None and self._is_current(name, known.state):
            return attrs.evolve(known, checked=monotonic())
        now = self._clock()
        try:
            files = read_files(self._root, name, self._mapping, now, max_bytes)
        except FilesChanged:
            if known is not None and isinstance(known.result, Profile):
                return attrs.evolve(known, checked=monotonic())
            return Read(file_error("", "file.changed"))
        except DataError as error:
            return Read(error)
        if files is None:
            return Read(None)
        result: Outcome
        if known is not None and known.state is not None and known.state.digests == files.digests:
            result = known.result
        elif isinstance(files.columns, DataError):
            result = files.columns
        else:
            job = Job(name, files.files, files.columns, self._disclosure, now, files.written)
            result = derive(job)
        return Read(result, attrs.evolve(files, files={}))

    def _is_current(self, name: str, state: ProfileFiles | None) -> bool:
        """Check whether the files certainly are those of a state."""
        try:
            return (
                state is not None
                and state.settled
                and stat_files(self._root / name, state.states) == state.states
            )
        except OSError:  # Reading reports it.
            return False

    def _derive(self, job: Job) -> Profile | DataError:
        """Derive a profile on this thread, and report the progress."""
        progress = self._progress
        if progress is None:
            return derive_profile(job)
        tables = filter(None, (getattr(job.columns, dataset) for dataset in ROW_OF))
        total = sum(len(job.files.get(f"csv/{table.file}", b"")) for table in tables)
        return derive_profile(job, lambda done: progress(job.profile_id, done, total))


def _is_profile(entry: os.DirEntry[str]) -> bool:
    return KEYS["profile_id"].parse(entry.name) is not None and entry.is_dir(follow_symlinks=False)
