"""A file as the source of the service: read when it is new, and never published before it is valid.

Invariant *the last good one stands*: a file that is torn, not valid, too large, unreadable or no
regular file changes nothing but the log; what was published before it still is.  A file that was
taken away is no longer published.
Invariant *one whole file*: what is published was read from one state of one file.
Invariant *read once*: the file is opened when it has changed, or may have without a sign of it, and
is parsed and compressed when its bytes are others.
Invariant *nobody waits for news*: while one thread reads a new file, the others give the old one.
Invariant *told once*: why a file is not published is logged, on the logger `sitedata`, when that
changes: by rule, never by content.
"""

import hashlib
import logging
import os
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import attrs

from purewire.adapters.files import READ_FLAGS, FileState, is_file
from sitedata.adapters.compression import CODINGS
from sitedata.errors import SiteDataError
from sitedata.serving.codings import Coding
from sitedata.serving.limits import MOST_BYTES
from sitedata.serving.published import Published, publish

__all__ = ["SnapshotFile"]

_LOG: Final = logging.getLogger("sitedata")
_PAUSES_SECONDS: Final = (0, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16)
"""Before each attempt to read a file that is being changed."""

_CHANGING: Final = "it was being written while it was read"
_NO_FILE: Final = "it is no regular file"
_TOO_LARGE: Final = f"it is larger than {MOST_BYTES} bytes"
_MISSING: Final = "it is not there"


class _Unfit(Exception):
    """The file cannot be read as it is; the text says why and quotes nothing."""


@attrs.frozen
class _Seen:
    """A state of the file, and the digest of its bytes."""

    state: FileState
    settled: bool
    digest: bytes


@attrs.frozen(eq=False)
class _Shelf:
    """What there is: the last look that ended with bytes, and the last valid snapshot."""

    seen: _Seen | None = None
    published: Published | None = None


class SnapshotFile:
    """A file that holds a snapshot; safe to use from many threads.

    Args:
        path: the file; may be a link, and may be replaced, or turned to another, while in use.
        codings: in which content codings it is published as well.

    """

    def __init__(
        self, path: str | os.PathLike[str], *, codings: Iterable[Coding] = CODINGS
    ) -> None:
        self._path = Path(path).absolute()
        self._codings = tuple(codings)
        self._lock = threading.Lock()
        self._shelf = _Shelf()
        self._told = ""

    def read(self, name: str | None, now: int) -> Published | None:
        """Give what is published at a time, ms since the epoch; None where nothing is.

        There is one file, and it has no name: any but None has nothing.
        """
        if name is not None:
            return None
        shelf = self._shelf
        if not self._is_current(shelf.seen) and self._lock.acquire(
            blocking=shelf.published is None
        ):
            try:
                if not self._is_current(self._shelf.seen):
                    self._shelf = self._look(self._shelf, now)
                shelf = self._shelf
            finally:
                self._lock.release()
        return None if shelf.published is None else shelf.published.as_of(now)

    def _is_current(self, seen: _Seen | None) -> bool:
        """Tell whether the file is certainly the one that was seen."""
        if seen is None or not seen.settled:
            return False
        try:
            return FileState.of(self._path.stat()) == seen.state
        except OSError:  # the reading that follows says why
            return False

    def _look(self, shelf: _Shelf, now: int) -> _Shelf:
        """Read the file; the caller holds the lock."""
        try:
            state, body = self._taken()
        except FileNotFoundError:
            self._tell(_MISSING)
            return _Shelf()
        except (_Unfit, OSError) as fault:
            self._tell(str(fault) if isinstance(fault, _Unfit) else type(fault).__name__)
            return _Shelf(None, shelf.published)
        digest = hashlib.sha256(body).digest()
        is_known = shelf.seen is not None and shelf.seen.digest == digest
        published = shelf.published if is_known else self._made(body, shelf.published)
        return _Shelf(_Seen(state, state.has_settled(now), digest), published)

    def _made(self, body: bytes, before: Published | None) -> Published | None:
        try:
            published = publish(body, self._codings)
        except SiteDataError as error:
            self._tell(str(error))
            return before
        self._told = ""
        return published

    def _taken(self) -> tuple[FileState, bytes]:
        """Read the file in one state."""
        for pause in _PAUSES_SECONDS:
            time.sleep(pause)
            taken = _attempt(self._path)
            if taken is not None:
                return taken
        raise _Unfit(_CHANGING)

    def _tell(self, fault: str) -> None:
        if fault != self._told:
            self._told = fault
            _LOG.error("%s is not published: %s", self._path.name, fault)


def _attempt(path: Path) -> tuple[FileState, bytes] | None:
    """Read a file; None where it was changed meanwhile."""
    place = Path(os.path.realpath(path))  # which takes links in a circle for what they are
    if not is_file(place.stat()):  # some devices do things when they are opened
        raise _Unfit(_NO_FILE)
    with os.fdopen(os.open(place, READ_FLAGS), "rb") as file:
        found = os.fstat(file.fileno())
        if not is_file(found):
            raise _Unfit(_NO_FILE)
        state = FileState.of(found)
        if state.size > MOST_BYTES:
            raise _Unfit(_TOO_LARGE)
        body = file.read(state.size + 1)
        is_whole = len(body) == state.size and FileState.of(path.stat()) == state
    return (state, body) if is_whole else None
