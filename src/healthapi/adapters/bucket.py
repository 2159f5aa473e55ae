"""Read profiles from a bucket of S3, or of another object storage; needs the extra `bucket`.

    s3://bucket/people/<profile id>/csv/<tables>      the same layout as a folder of profiles
    s3://bucket/people/<profile id>/cache/fitbit_profile_snapshot.json
    s3://bucket/people/columns.toml                   for all profiles without one of their own

Invariant *bounded memory*: the profiles that were requested least recently are dropped above a
limit of bytes.  Of the others only what the list of profiles shows is kept.
Invariant *at most a minute old*: a state is compared with the bucket by ETags `CHECK_SECONDS` after
it was, when it is requested, and not served without that after `MAX_AGE_SECONDS`.  A table that is
large is parsed after that; meanwhile the last state is served.
The rest is as of a folder (see `reading`).
"""

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from time import monotonic
from typing import TYPE_CHECKING, Final

import attrs
import obstore
from obstore.exceptions import BaseError, PreconditionError
from obstore.store import from_url

from healthapi.account.snapshot import SNAPSHOT_FILE
from healthapi.adapters.column_mapping import COLUMNS_FILE, COLUMNS_FILE_BYTES, parse_column_mapping
from healthapi.adapters.profile_files import PAUSES_SECONDS, file_error, max_bytes_of
from healthapi.adapters.reading import (
    SMALL_BYTES,
    Found,
    Job,
    Read,
    WaitingSource,
    derive_in_process,
    derive_profile,
    value_of,
)
from healthapi.errors import DataError
from healthapi.http.endpoints import KEYS
from healthapi.importing.gaps import REPORT_FILE
from healthapi.profile import Profile, ProfileSummary, list_files
from healthapi.redaction import PRIVATE, PrivacySettings
from healthapi.rows.columns import NATIVE, ProfileMap
from purewire.adapters.clocks import system_clock
from purewire.exchange import Clock

if TYPE_CHECKING:
    from obstore import GetOptions, ObjectMeta
    from obstore.store import ObjectStore

__all__ = ["CHECK_SECONDS", "MAX_AGE_SECONDS", "BucketSource", "open_bucket"]

CHECK_SECONDS: Final = 10.0
"""Age from which a state is compared with the bucket when it is requested; it is served at once."""
MAX_AGE_SECONDS: Final = 60.0
"""Age from which a state is not served before that."""
MAX_BYTES: Final = 512 * 1024 * 1024
"""Default limit of the memory for profiles; `_size` estimates theirs."""
_BASE_BYTES: Final = 64 * 1024
_BYTES_PER_BYTE: Final = 6
"""Memory of a profile without tables, and per byte of its files."""
MAX_READS: Final = 64
"""Profiles that are read at a time."""
_TIMEOUT: Final = timedelta(seconds=10)
"""Of one call; two more are tried in this time."""
_SHARED_COLUMNS: Final = f"../{COLUMNS_FILE}"
_OWN: Final = frozenset({COLUMNS_FILE, SNAPSHOT_FILE, REPORT_FILE})


class BucketSource(WaitingSource):
    """A thread-safe source of the profiles of a bucket.

    Args:
        store: a store of obstore whose root has a folder for each profile; or a URL such as
            `s3://bucket/people`, with the access keys, the region and the endpoint in the
            environment (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`,
            `AWS_ENDPOINT_URL`).
        max_bytes: limit of the memory for profiles, estimated by the sizes of their files; one
            profile may use a quarter of it.
        columns: the column mapping of profiles without a `columns.toml`.
        disclosure: the personal data that the owners publish.
        clock: returns the time at which a profile is read, ms since the epoch.

    """

    def __init__(
        self,
        store: "str | ObjectStore",
        *,
        max_bytes: int = MAX_BYTES,
        columns: ProfileMap = NATIVE,
        disclosure: PrivacySettings = PRIVATE,
        clock: Clock = system_clock,
    ) -> None:
        super().__init__(columns, disclosure, clock, CHECK_SECONDS, MAX_AGE_SECONDS, max_bytes)
        self._store = open_bucket(store) if isinstance(store, str) else store
        self._summaries: dict[str, ProfileSummary] = {}
        self._reads = asyncio.Semaphore(MAX_READS)

    @property
    def size(self) -> int:
        """The estimated bytes of the profiles in memory."""
        return self._size

    def ids(self) -> tuple[str, ...]:
        """Return the sorted ids of all profiles; raise OSError if the bucket cannot be read."""
        ids: tuple[str, ...] = value_of(self._find_within(None, None))  # type: ignore[assignment] # of the name None
        return ids

    def find_listed(self, name: str) -> Found:
        """Return the last result, or what was known of it.

        A list waits for no profile.  It starts to read those of which nothing is known, at most
        `MAX_READS` at a time.
        """
        read = self._results.get(name)
        if read is not None:
            return read.result
        summary = self._summaries.get(name)
        if summary is None and len(self._wanted) < MAX_READS:
            self._want(name)
        return summary or ProfileSummary(name)

    def _publish(self, name: str | None, known: Read | None, new: Read) -> bool:
        """Replace a result, and the summary of its profile."""
        with self._lock:
            is_new = super()._publish(name, known, new)
            if is_new and isinstance(new.result, Profile):
                self._summaries[new.result.id] = new.result.summary
            elif isinstance(new.result, tuple):
                listed = self._summaries.keys() & set(new.result)
                self._summaries = {name: self._summaries[name] for name in listed}
            elif is_new and name is not None:
                self._summaries.pop(name, None)
            return is_new

    # On the event loop

    async def _list(self) -> Read:
        with _as_os_error():
            listing = await obstore.list_with_delimiter_async(self._store)
        names = (prefix.rstrip("/") for prefix in listing["common_prefixes"])
        ids = tuple(sorted(name for name in names if KEYS["profile_id"].parse(name)))
        return Read(ids, size=1024 + 128 * len(ids))

    async def _read(self, name: str, known: Read | None) -> Read:
        for pause in PAUSES_SECONDS:
            await asyncio.sleep(pause)
            try:
                with _as_os_error():
                    async with self._reads:
                        return await self._read_once(name, known)
            except (PreconditionError, FileNotFoundError):
                continue
        return self._failed(file_error("", "file.changed"), known)

    async def _read_once(self, name: str, known: Read | None) -> Read:
        """Read a profile; raise PreconditionError or FileNotFoundError if it changes meanwhile."""
        objects = await self._objects(name)
        if not objects:
            return Read(None)
        tags = {path: meta["e_tag"] for path, meta in objects.items()}
        columns: ProfileMap | DataError | None = None
        if COLUMNS_FILE not in objects:
            columns, tags[_SHARED_COLUMNS] = await self._shared_columns()
        if known is not None and known.state == tags:
            return attrs.evolve(known, checked=monotonic())
        try:
            if COLUMNS_FILE in objects:
                columns = _parse(await self._get(f"{name}/", COLUMNS_FILE, objects), COLUMNS_FILE)
            if isinstance(columns, DataError):
                raise columns
            result, size = await self._derive(name, columns or self._mapping, objects, known)
        except DataError as error:
            is_lasting = all(finding.rule != "file.unreadable" for finding in error.findings)
            return Read(error, tags if is_lasting else None)
        return Read(result, tags, size)

    async def _objects(self, name: str) -> "dict[str, ObjectMeta]":
        """Return the objects that a profile can have, by name, as they are listed now."""
        objects = {}
        async for chunk in obstore.list(self._store, prefix=f"{name}/"):
            for meta in chunk:
                path = meta["path"].removeprefix(f"{name}/")
                if path in _OWN or path.startswith("csv/"):
                    objects[path] = meta
        return objects

    async def _shared_columns(self) -> tuple[ProfileMap | DataError | None, str | None]:
        """Return the column mapping of all profiles, and its ETag; None without one."""
        try:
            response = await obstore.get_async(self._store, COLUMNS_FILE)
        except FileNotFoundError:
            return None, None
        if response.meta["size"] > COLUMNS_FILE_BYTES:
            return file_error(_SHARED_COLUMNS, "file.size"), response.meta["e_tag"]
        data = bytes(await response.bytes_async())
        return _parse(data, _SHARED_COLUMNS), response.meta["e_tag"]

    async def _derive(
        self,
        name: str,
        columns: ProfileMap,
        objects: "Mapping[str, ObjectMeta]",
        known: Read | None,
    ) -> tuple[Profile | DataError, int]:
        objects = {file: objects[file] for file in list_files(columns) if file in objects}
        total = sum(meta["size"] for meta in objects.values())
        size = _BASE_BYTES + _BYTES_PER_BYTE * total
        if size > self._max_bytes // 4:
            raise file_error("", "file.size")
        if total > SMALL_BYTES:
            self._serve_meanwhile(name, known)
            async with self._large:  # also while reading, because the bytes take memory
                job = await self._job(name, columns, objects)
                return await asyncio.to_thread(derive_in_process, job), size
        job = await self._job(name, columns, objects)
        async with self._small:
            return await asyncio.to_thread(derive_profile, job), size

    async def _job(
        self, name: str, columns: ProfileMap, objects: "Mapping[str, ObjectMeta]"
    ) -> Job:
        contents = await asyncio.gather(*(self._get(f"{name}/", file, objects) for file in objects))
        written = [
            _milliseconds(meta["last_modified"])
            for file, meta in objects.items()
            if file.startswith("csv/")
        ]
        files = dict(zip(objects, contents, strict=True))
        last = max(written, default=None)
        return Job(name, files, columns, self._disclosure, self._clock(), last)

    async def _get(self, folder: str, name: str, objects: "Mapping[str, ObjectMeta]") -> bytes:
        """Read an object as it was listed."""
        meta = objects[name]
        limit = COLUMNS_FILE_BYTES if name == COLUMNS_FILE else max_bytes_of(name)
        if meta["size"] > limit:
            raise file_error(name, "file.size")
        options: GetOptions = {} if meta["e_tag"] is None else {"if_match": meta["e_tag"]}
        try:
            response = await obstore.get_async(self._store, folder + name, options=options)
            data = bytes(await response.bytes_async())
        except (PreconditionError, FileNotFoundError):
            raise
        except (BaseError, OSError) as error:
            raise file_error(name, "file.unreadable") from error
        if len(data) != meta["size"]:
            raise PreconditionError(name)
        return data


def open_bucket(url: str) -> "ObjectStore":
    """Return the store of a URL, whose calls end within 10 s; for settings see `BucketSource`.

    Raises:
        ValueError: no store can have this URL.

    """
    try:
        if url.startswith("file:"):
            return from_url(url)
        return from_url(
            url,
            client_options={
                "timeout": _TIMEOUT,
                "connect_timeout": timedelta(seconds=3),
                "allow_http": os.environ.get("AWS_ENDPOINT_URL", "").startswith("http://"),
            },
            retry_config={"max_retries": 2, "retry_timeout": _TIMEOUT},
        )
    except BaseError as error:
        raise ValueError(str(error).partition("\n")[0]) from None


@contextmanager
def _as_os_error() -> Iterator[None]:
    """Raise the errors of the store, except those of a changed object, as OSError."""
    try:
        yield
    except PreconditionError:
        raise
    except BaseError as error:
        raise OSError(0, str(error).partition("\n")[0]) from error


def _parse(data: bytes, name: str) -> ProfileMap | DataError:
    try:
        return parse_column_mapping(data, name)
    except DataError as error:
        return error


def _milliseconds(at: datetime) -> int:
    return int(at.timestamp() * 1000)
