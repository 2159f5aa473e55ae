"""Read files: the snapshot that the service publishes, and the settings of a build (TOML text).

The file of the snapshot is read when it changes, and published only if it is valid.

Invariant *the last valid file stays*: a file that is truncated, invalid, too large, unreadable or
not a regular file is only logged; the previous snapshot is still published.  A deleted file is no
longer published.
Invariant *consistent*: published bytes were read from one state of one file; they are parsed only
when they changed.
Invariant *no waiting*: while one thread reads a new file, other threads return the old snapshot.
Invariant *logged once*: the reason why a file is not published is logged on the logger `sitedata`
when it changes; it names rules, never content.
"""

import hashlib
import logging
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import attrs

from sitedata.building.settings import CONFIG_FILE_BYTES, BuildSettings
from sitedata.building.settings_file import read_settings
from sitedata.errors import SiteDataError
from sitedata.limits import MAX_BYTES
from sitedata.service import Published, publish
from status_contracts.adapters import toml_text
from status_contracts.adapters.files import READ_FLAGS, FileState, is_file
from status_contracts.findings import Finding
from status_contracts.structuring.decoder import SettingsError

__all__ = ["RULES", "SnapshotFile", "read_config"]

RULES: Final = {"config.size": f"the file has at most {CONFIG_FILE_BYTES} bytes", **toml_text.RULES}
"""Rule id to its description."""

_LOG: Final = logging.getLogger("sitedata")
_PAUSES_SECONDS: Final = (0, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16)
"""Pause before each attempt to read a file that is being written."""

_NO_FILE: Final = "it is not a regular file"


class _UnusableFile(Exception):
    """The file cannot be published; the text is the reason and quotes nothing."""


@attrs.frozen(eq=False)
class _Cache:
    """The last valid snapshot, and the settled state of the file with the digest of its bytes."""

    published: Published | None = None
    state: FileState | None = None
    digest: bytes = b""


class SnapshotFile:
    """A file that holds a snapshot; safe to use from many threads.

    It may be a link, and may be replaced or redirected while in use.

    Args:
        path: path of the file.
        prepare: called with each new snapshot before it is published, by the thread that read it.

    """

    def __init__(
        self, path: str | os.PathLike[str], *, prepare: Callable[[Published], object] | None = None
    ) -> None:
        self._path = Path(path).absolute()
        self._prepare = prepare
        self._lock = threading.Lock()
        self._cache = _Cache()
        self._logged = ""

    def read(self, name: str | None, now: int) -> Published | None:
        """Return the published snapshot at `now`, ms since the epoch; None if there is none."""
        if name is not None:
            return None
        cache = self._cache
        if not self._is_current(cache) and self._lock.acquire(blocking=cache.published is None):
            try:
                if not self._is_current(self._cache):
                    self._cache = self._refresh(self._cache, now)
                cache = self._cache
            finally:
                self._lock.release()
        return None if cache.published is None else cache.published.as_of(now)

    def _is_current(self, cache: _Cache) -> bool:
        """Check whether the file is certainly unchanged since it was read."""
        try:
            return cache.state is not None and FileState.of(self._path.stat()) == cache.state
        except OSError:  # the following read reports the reason
            return False

    def _refresh(self, cache: _Cache, now: int) -> _Cache:
        """Read the file; the caller must hold the lock."""
        try:
            state, body = self._read_file()
        except FileNotFoundError:
            self._log("it does not exist")
            return _Cache()
        except (_UnusableFile, OSError) as error:
            self._log(str(error) if isinstance(error, _UnusableFile) else type(error).__name__)
            return _Cache(cache.published)
        digest = hashlib.sha256(body).digest()
        published = cache.published
        if digest != cache.digest:
            try:
                published = publish(body)
            except SiteDataError as error:
                self._log(str(error))
            else:
                self._logged = ""
                if self._prepare is not None:
                    self._prepare(published)
        return _Cache(published, state if state.has_settled(now) else None, digest)

    def _read_file(self) -> tuple[FileState, bytes]:
        for pause in _PAUSES_SECONDS:
            time.sleep(pause)
            snapshot = _attempt(self._path)
            if snapshot is not None:
                return snapshot
        raise _UnusableFile("it changed while it was read")

    def _log(self, reason: str) -> None:
        if reason != self._logged:
            self._logged = reason
            _LOG.error("%s is not published: %s", self._path.name, reason)


def _attempt(path: Path) -> tuple[FileState, bytes] | None:
    """Read a file; return None if it changed meanwhile."""
    place = Path(os.path.realpath(path))  # does not fail on links in a circle
    if not is_file(place.stat()):  # opening a device may have effects
        raise _UnusableFile(_NO_FILE)
    with os.fdopen(os.open(place, READ_FLAGS), "rb") as file:
        status = os.fstat(file.fileno())
        if not is_file(status):
            raise _UnusableFile(_NO_FILE)
        state = FileState.of(status)
        if state.size > MAX_BYTES:
            raise _UnusableFile(f"it is larger than {MAX_BYTES} bytes")
        body = file.read(state.size + 1)
        is_whole = len(body) == state.size and FileState.of(path.stat()) == state
    return (state, body) if is_whole else None


def read_config(data: bytes | str) -> BuildSettings:
    """Parse a settings file; raise SettingsError with all problems, up to `FINDINGS_CAP`."""
    body = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if len(body) > CONFIG_FILE_BYTES:
        message = f"must have at most {CONFIG_FILE_BYTES} bytes"
        raise SettingsError((Finding("", "config.size", message),))
    return toml_text.parse_settings(body, read_settings)
