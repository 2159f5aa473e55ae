"""Read profiles from a bucket of S3, or of another object storage; needs the extra `bucket`.

    s3://bucket/people/<profile id>/csv/<tables>      the same layout as a folder of profiles
    s3://bucket/people/<profile id>/cache/fitbit_profile_snapshot.json
    s3://bucket/people/columns.toml                   for all profiles without one of their own

Invariant *bounded memory*: the profiles that were requested least recently are dropped above a
limit of bytes.  Of the others only what the list of profiles shows is kept.
Invariant *at most a minute old*: a state is compared with the bucket by ETags `CHECK_SECONDS` after
it was, when it is requested, and not served without that after `MAX_AGE_SECONDS`.  A table that is
large is parsed after that; meanwhile the last state is served.
Invariant *a slow profile delays no other one*: reads wait on one event loop, `_MAX_READS`
at a time; large profiles are parsed in a child process.

Invariant *logged once*: the reasons why bucket and profiles cannot be read are logged when they
change, on the logger `healthapi`.

A process that is forked after the first request cannot read: create the source in each process.
"""

import asyncio
import logging
import math
import os
import threading
import weakref
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from time import monotonic
from typing import TYPE_CHECKING, Final

import attrs
import obstore
from obstore.exceptions import BaseError, NotModifiedError, PreconditionError
from obstore.store import from_url

from healthapi.account.snapshot import SNAPSHOT_FILE
from healthapi.adapters.column_mapping import COLUMNS_FILE, COLUMNS_FILE_BYTES, parse_column_mapping
from healthapi.adapters.profile_files import PAUSES_SECONDS, FileRule, file_error, max_bytes_of
from healthapi.adapters.reading import (
    MAX_PROCESSES,
    SMALL_BYTES,
    Found,
    Job,
    WaitingSource,
    derive_in_process,
    derive_profile,
    log_change,
    value_of,
)
from healthapi.errors import DataError
from healthapi.http.endpoints import KEYS
from healthapi.importing.gaps import REPORT_FILE
from healthapi.profile import Profile, ProfileSummary, list_files
from healthapi.redaction.walk import PRIVATE, PrivacySettings
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
_MAX_READS: Final = 64
"""Profiles that are read at a time."""
_TIMEOUT: Final = timedelta(seconds=10)
"""Of one call; two more are tried in this time."""
_SHARED_COLUMNS: Final = f"../{COLUMNS_FILE}"
_OWN: Final = frozenset({COLUMNS_FILE, SNAPSHOT_FILE, REPORT_FILE})
_ID: Final = KEYS["profile_id"].pattern
_LOG: Final = logging.getLogger("healthapi")

_Result = tuple[str, ...] | Profile | DataError | None


@attrs.frozen(eq=False, repr=False)
class _Read:
    """A result, the estimated bytes of its memory, and when it was compared with the bucket.

    Attributes:
        tags: object name to ETag, of the objects that determine the result.
        checked: monotonic seconds.

    """

    result: _Result
    size: int = 1024
    tags: Mapping[str, str | None] = attrs.field(factory=dict)
    checked: float = attrs.field(factory=monotonic)


@attrs.frozen(eq=False, repr=False)
class _Columns:
    """The shared column mapping, its ETag, and when it was compared; no mapping without a file."""

    mapping: ProfileMap | DataError | None = None
    tag: str | None = None
    checked: float = -math.inf


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
        super().__init__()
        self._store = open_bucket(store) if isinstance(store, str) else store
        self._max_bytes = max_bytes
        self._mapping = columns
        self._disclosure = disclosure
        self._clock = clock
        self._results: dict[str | None, _Read] = {}  # the one that was requested last is last
        self._size = 0
        self._summaries: dict[str, ProfileSummary] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._failure = ""
        self._columns = _Columns()
        self._columns_lock = asyncio.Lock()
        self._reads = asyncio.Semaphore(_MAX_READS)
        self._large = asyncio.Semaphore(MAX_PROCESSES)
        self._small = asyncio.Semaphore(MAX_PROCESSES)

    @property
    def size(self) -> int:
        """The estimated bytes of the profiles in memory."""
        return self._size

    def ids(self) -> tuple[str, ...]:
        """Return the sorted ids of all profiles; raise OSError if the bucket cannot be read."""
        try:
            ids: tuple[str, ...] = value_of(self._find_within(None, None))  # type: ignore[assignment] # of the name None
        except DataError:
            raise OSError(0, self._failure) from None
        return ids

    def profile(self, profile_id: str) -> Profile:
        """Return the current state of a profile.

        Raises:
            KeyError: there is no such profile.
            DataError: its files cannot be read.

        """
        profile = value_of(self._find_within(None, profile_id))
        if not isinstance(profile, Profile):
            raise KeyError(profile_id)
        return profile

    def find(self, name: str | None) -> Found:
        """Return the last result, or a future while there is none or it is too old."""
        with self._lock:
            read = self._results.pop(name, None)
            if read is not None:
                self._results[name] = read
            age = math.inf if read is None else monotonic() - read.checked
            future = self._want(name) if age >= CHECK_SECONDS else None
            return future if read is None or age >= MAX_AGE_SECONDS else read.result

    def find_listed(self, name: str) -> Found:
        """Return the last result, or what was known of it.

        A list waits for no profile.  It starts to read those of which nothing is known, at most
        `_MAX_READS` at a time.
        """
        read = self._results.get(name)
        if read is not None:
            return read.result
        summary = self._summaries.get(name)
        if summary is None and len(self._wanted) < _MAX_READS:
            self._want(name)
        return summary or ProfileSummary(name)

    def _start_reading(self, name: str | None) -> None:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            weakref.finalize(self, self._loop.call_soon_threadsafe, self._loop.stop)
            threading.Thread(target=_run, args=(self._loop,), daemon=True).start()
        asyncio.run_coroutine_threadsafe(self._update(name), self._loop)

    def _publish(self, name: str | None, read: _Read) -> None:
        """Replace a result, and drop others above the limit."""
        with self._lock:
            known = self._results.pop(name, None)
            self._results[name] = read
            self._size += read.size - (known.size if known else 0)
            while self._size > self._max_bytes and len(self._results) > 1:
                self._size -= self._results.pop(next(iter(self._results))).size
            if isinstance(read.result, Profile):
                self._summaries[read.result.id] = read.result.summary
            elif isinstance(read.result, tuple):
                listed = self._summaries.keys() & set(read.result)
                self._summaries = {name: self._summaries[name] for name in listed}
            elif name is not None:
                self._summaries.pop(name, None)
        log_change(name or "", known.result if known else None, read.result)

    # On the event loop

    async def _update(self, name: str | None) -> None:
        """Compare a result with the bucket; read it again if it differs."""
        with self._lock:
            known = self._results.get(name)
        try:
            async with self._reads:
                read = await (self._list() if name is None else self._read(name, known))
            self._failure = ""
        except (BaseError, OSError) as error:
            read = _failed("file.unreadable", known)
            if not self._failure:
                self._failure = str(error).partition("\n")[0]
                _LOG.error("the bucket cannot be read: %s", self._failure)
        except Exception as error:  # noqa: BLE001 - the requests must end
            _LOG.error("%s: %s", name, type(error).__qualname__)
            read = _Read(file_error("", "file.failed"))
        self._publish(name, read)
        self._finish(lambda wanted: wanted == name)

    async def _list(self) -> _Read:
        listing = await obstore.list_with_delimiter_async(self._store)
        names = (prefix.rstrip("/") for prefix in listing["common_prefixes"])
        ids = tuple(sorted(name for name in names if _ID.fullmatch(name)))
        return _Read(ids, 1024 + 128 * len(ids))

    async def _read(self, name: str, known: _Read | None) -> _Read:
        for pause in PAUSES_SECONDS:
            await asyncio.sleep(pause)
            try:
                return await self._read_once(name, known)
            except (PreconditionError, FileNotFoundError):
                continue
        return _failed("file.changed", known)

    async def _read_once(self, name: str, known: _Read | None) -> _Read:
        """Read a profile; raise PreconditionError or FileNotFoundError if it changes meanwhile."""
        objects = await self._objects(name)
        if not objects:
            return _Read(None)
        tags = {path: meta["e_tag"] for path, meta in objects.items()}
        has_own = COLUMNS_FILE in objects
        shared = _Columns() if has_own else await self._shared_columns()
        tags[_SHARED_COLUMNS] = shared.tag
        if known is not None and known.tags == tags:
            return attrs.evolve(known, checked=monotonic())
        try:
            columns = shared.mapping
            if has_own:
                columns = _parse(await self._get(f"{name}/", COLUMNS_FILE, objects), COLUMNS_FILE)
            if isinstance(columns, DataError):
                raise columns
            result, size = await self._derive(name, columns or self._mapping, objects, known)
        except DataError as error:
            is_lasting = all(finding.rule != "file.unreadable" for finding in error.findings)
            return _Read(error, tags=tags if is_lasting else {})
        return _Read(result, size, tags)

    async def _objects(self, name: str) -> "dict[str, ObjectMeta]":
        """Return the objects that a profile can have, by name, as they are listed now."""
        objects = {}
        async for chunk in obstore.list(self._store, prefix=f"{name}/"):
            for meta in chunk:
                path = meta["path"].removeprefix(f"{name}/")
                if path in _OWN or path.startswith("csv/"):
                    objects[path] = meta
        return objects

    async def _shared_columns(self) -> _Columns:
        """Return the column mapping of all profiles, compared with the bucket now and then."""
        async with self._columns_lock:
            now = monotonic()
            if now - self._columns.checked >= CHECK_SECONDS:
                options: GetOptions = {}
                if self._columns.tag is not None:
                    options["if_none_match"] = self._columns.tag
                try:
                    response = await obstore.get_async(self._store, COLUMNS_FILE, options=options)
                    mapping: ProfileMap | DataError = file_error(_SHARED_COLUMNS, "file.size")
                    if response.meta["size"] <= COLUMNS_FILE_BYTES:
                        mapping = _parse(bytes(await response.bytes_async()), _SHARED_COLUMNS)
                    self._columns = _Columns(mapping, response.meta["e_tag"], now)
                except FileNotFoundError:
                    self._columns = _Columns(checked=now)
                except NotModifiedError:
                    self._columns = attrs.evolve(self._columns, checked=now)
            return self._columns

    async def _derive(
        self,
        name: str,
        columns: ProfileMap,
        objects: "Mapping[str, ObjectMeta]",
        known: _Read | None,
    ) -> tuple[Profile | DataError, int]:
        names = [file for file in list_files(columns) if file in objects]
        total = sum(objects[file]["size"] for file in names)
        size = _BASE_BYTES + _BYTES_PER_BYTE * total
        if size > self._max_bytes // 4:
            raise file_error("", "file.size")
        is_large = total > SMALL_BYTES
        if is_large and known is not None and isinstance(known.result, Profile):
            self._publish(name, attrs.evolve(known, checked=monotonic()))
        if is_large:
            async with self._large:  # also while reading, because the bytes take memory
                job = await self._job(name, columns, objects, names)
                return await asyncio.to_thread(derive_in_process, job), size
        job = await self._job(name, columns, objects, names)
        async with self._small:
            return await asyncio.to_thread(derive_profile, job), size

    async def _job(
        self,
        name: str,
        columns: ProfileMap,
        objects: "Mapping[str, ObjectMeta]",
        names: Sequence[str],
    ) -> Job:
        contents = await asyncio.gather(*(self._get(f"{name}/", file, objects) for file in names))
        written = [objects[file]["last_modified"] for file in names if file.startswith("csv/")]
        files = dict(zip(names, contents, strict=True))
        last = max(map(_milliseconds, written), default=None)
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


def _run(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop until its source is gone."""
    loop.run_forever()
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()


def _parse(data: bytes, name: str) -> ProfileMap | DataError:
    try:
        return parse_column_mapping(data, name)
    except DataError as error:
        return error


def _failed(rule: FileRule, known: _Read | None) -> _Read:
    """Return the last state while it may be served, else an error; each is tried again at once."""
    now = monotonic()
    if known is not None and now - known.checked < MAX_AGE_SECONDS:
        return known
    return _Read(file_error("", rule), checked=now - CHECK_SECONDS)


def _milliseconds(at: datetime) -> int:
    return int(at.timestamp() * 1000)
