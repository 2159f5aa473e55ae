"""Read the values of export archives: zip files and folders, oldest first.

Invariant *whole or reported*: a file that cannot be read gives no values and is reported; an
archive that cannot be read ends the import.
Invariant *names are only compared*: the name of an entry is never a path on this machine, and
nothing is extracted.
Invariant *regular files only*: links, devices and other special entries are reported and not
opened.
Invariant *bounded*: an archive has at most `MAX_ENTRIES` entries, and what is read of it is at most
`MAX_RATIO` times as large as the archive, and each entry of a zip file as its compressed bytes.
The size of the directory of a zip file, which the standard library holds in memory, is checked
first.
"""

import lzma
import os
import re
import stat
import struct
import zlib
from calendar import timegm
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO, Final, cast
from zipfile import BadZipFile, ZipFile

import attrs

from health_import.apple import AppleHealth
from health_import.file_names import COPY, INNER, OWN, RECIPES, FileKind, advice, kind_of, vendor_of
from health_import.garmin import Garmin
from health_import.readers import JSON_FILE_BYTES, parse_csv, parse_json
from health_import.report import ArchiveRead, UnreadFile
from health_import.texts import EPOCH_MINUTE
from health_import.values import MAX_DAYS, MAX_RECORDS, FileError, Values
from status_contracts.adapters.clocks import system_clock
from status_contracts.adapters.files import READ_FLAGS, file_problem, is_file

MAX_ENTRIES: Final = 500_000
"""An account of twelve years has 33,000; an archive of all of Google's services has more."""
MAX_RATIO: Final = 250
"""Bytes of content for each byte of the archive; minutes that are all zero compress 60 times."""
SMALL_BYTES: Final = 16 * 1024 * 1024
"""Content up to this size is read whatever its ratio."""
_DAMAGED: Final = (BadZipFile, lzma.LZMAError, zlib.error, EOFError, NotImplementedError)
"""What reading a damaged archive, or an entry of it, raises."""
_CHUNK_BYTES: Final = 256 * 1024

_MESSAGE_OF: Final = {
    "archive.bomb": f"expands to more than {MAX_RATIO} times its size: refused",
    "archive.damaged": "is empty, truncated or damaged; download it again",
    "archive.encrypted": "is encrypted; decrypt it and import the result",
    "archive.entries": f"has more than {MAX_ENTRIES} entries; unpack it and give the folder",
    "archive.kind": "is neither a zip file nor a folder",
    "archive.records": f"has over {MAX_DAYS} days of minutes, or over {MAX_RECORDS} records",
    "archive.unreadable": "cannot be read",
    "archive.unrelated": "has nothing to import",
}


class ArchiveError(Exception):
    """An archive cannot be used, for the reason of a stable code; nothing is imported."""

    def __init__(self, code: str, detail: str = "", place: str = "") -> None:
        super().__init__(code, detail, place)
        self.code = code
        self.message = ": ".join(filter(None, (place, _MESSAGE_OF[code], detail)))


@attrs.frozen
class _Member:
    """One file of an archive; a link or a device cannot be opened.

    The size is that which the archive states; `time` is when it was changed, in seconds since the
    epoch.
    """

    name: str
    size: int
    time: float
    open: Callable[[], IO[bytes]] | None


def _read_folder(folder: Path) -> Iterator[_Member]:
    """Yield the files of a folder, sorted by path; raise ArchiveError or OSError."""
    paths: list[str] = []
    waiting = [os.fspath(folder)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                group = waiting if entry.is_dir(follow_symlinks=False) else paths
                group.append(entry.path)
                if len(paths) + len(waiting) > MAX_ENTRIES:
                    raise ArchiveError("archive.entries")
    for path in sorted(paths):
        status = os.lstat(path)
        opened = partial(_open_file, path) if is_file(status) else None
        name = Path(path).relative_to(folder).as_posix()
        yield _Member(name, status.st_size, status.st_mtime, opened)


def _open_file(path: str | Path) -> IO[bytes]:
    return os.fdopen(os.open(path, READ_FLAGS), "rb")


_MAX_DIRECTORY_BYTES: Final = 32 * 1024 * 1024
"""About 250,000 entries; they take 150 MB."""
_ENCRYPTED: Final = 1
_END: Final = b"PK\x05\x06"
_END64: Final = b"PK\x06\x06"
_TAIL_BYTES: Final = 56 + 20 + 22 + 65_535
"""Most bytes of the records that end a zip file, and of its comment."""
_LARGE: Final = 0xFFFF_FFFF


def _read_zip(file: IO[bytes], wants: Callable[[str], object]) -> Iterator[_Member]:
    """Yield the entries of a zip file; raise ArchiveError."""
    size = file.seek(0, os.SEEK_END)
    try:
        if _directory_bytes(file, size) > _MAX_DIRECTORY_BYTES:
            raise ArchiveError("archive.entries")
        archive = ZipFile(file)
    except (*_DAMAGED, ValueError, struct.error):  # a name or a header that cannot be decoded
        raise ArchiveError("archive.damaged") from None
    with archive:
        entries = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
        wanted = [entry for entry in entries if wants(entry.filename)]
        sizes = [(entry.file_size, entry.compress_size) for entry in wanted]
        for content, packed in [(sum(content for content, _ in sizes), size), *sizes]:
            if content > max(SMALL_BYTES, MAX_RATIO * packed):
                raise ArchiveError("archive.bomb")
        if any(entry.flag_bits & _ENCRYPTED for entry in wanted):
            raise ArchiveError("archive.encrypted")
        for entry in entries:
            is_link = stat.S_ISLNK(entry.external_attr >> 16)  # the mode, of archives made on Unix
            opened = None if is_link else partial(archive.open, entry)
            year, month, *rest = entry.date_time  # a month of 0 stands for no time
            time = timegm((year, min(max(month, 1), 12), *rest))
            yield _Member(entry.filename, entry.file_size, time, opened)


def _directory_bytes(file: IO[bytes], size: int) -> int:
    """Return the size of the central directory as the end of the file states it.

    Raise ValueError or struct.error if that is not there.
    """
    file.seek(max(0, size - _TAIL_BYTES))
    tail = file.read()
    at = tail.rindex(_END)
    length: int = struct.unpack_from("<L", tail, at + 12)[0]
    large = tail.rfind(_END64, 0, at)
    if large >= 0:
        length = max(length % _LARGE, cast("int", struct.unpack_from("<Q", tail, large + 40)[0]))
    return length


_SKIPPED: Final = ("record.unreadable", "of another form, skipped; the others are used")

OtherVendor = AppleHealth | Garmin
"""The files of another vendor's exports, and the rows of their values."""

_TABLE: Final = f"a table in CSV is not imported, but read as it is, by a columns.toml: {RECIPES}"
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_NAME_LENGTH: Final = 160
_EXPORTS: Final = range(946_684_800, 4_102_444_800)
"""The years 2000 to 2099, in seconds since the epoch; files that have no time are older."""
_TAKEOUT: Final = re.compile(r"takeout-(20[0-9]{6}T[0-9]{6}Z)(-[0-9]+)??-([0-9]{3,})(\.\w+)?")
"""The name of an archive, or of the folder into which it was unpacked."""


@attrs.frozen
class ExportFiles:
    """The values of all files, the archives, and the files that could not be used."""

    values: Values = attrs.field(factory=Values)
    archives: list[ArchiveRead] = attrs.field(factory=list)
    unread: list[UnreadFile] = attrs.field(factory=list)


def oldest_first(names: Sequence[str]) -> list[str]:
    """Return the archives by the time in their names if all have one, else as they are given.

    An archive that is given twice is kept once.
    """
    unique = list({Path(name).resolve(): name for name in names}.values())
    matches = [_TAKEOUT.fullmatch(COPY.sub("", Path(name).name)) for name in unique]
    if not all(matches):
        return unique
    return sorted(unique, key=lambda name: Path(name).name)


def missing_parts(names: Sequence[str]) -> list[str]:
    """Return the names of parts that must exist, because a later part of the export is given."""
    missing: list[str] = []
    file_names = {COPY.sub("", Path(name).name) for name in names}
    for name in sorted(file_names):
        if match := _TAKEOUT.fullmatch(name):
            number, digits = int(match[3]), len(match[3])
            start, end = match.span(3)
            parts = (f"{name[:start]}{part:0{digits}}{name[end:]}" for part in range(1, number))
            missing += [part for part in parts if part not in file_names]
    return list(dict.fromkeys(missing))


def read_archives(names: Sequence[str], other: OtherVendor | None = None) -> ExportFiles:
    """Read archives in the given order; of a value that several have the last one counts.

    The files of another vendor are read by `other`, and then no others.
    Raise ArchiveError, with the name of the archive, if one cannot be used.
    """
    result = ExportFiles()
    for name in names:
        try:
            _read_archive(name, result, other)
        except ArchiveError as error:
            error.message = f"{name}: {error.message}"
            raise
        except OSError as error:
            place = error.filename or name
            raise ArchiveError("archive.unreadable", file_problem(error), place) from None
    if not any(archive.files for archive in result.archives) and not result.unread:
        vendor = next((archive.vendor for archive in result.archives if archive.vendor), None)
        raise ArchiveError("archive.unrelated", _hint(names, vendor), ", ".join(names))
    return result


def _read_archive(name: str, result: ExportFiles, other: OtherVendor | None) -> None:
    entries = files = 0
    vendor: str | None = None
    newest, days = 0.0, set[int]()
    for member in _members(Path(name), other):
        entries += 1
        kind = _kind(member.name, other)
        if not kind:
            if other is not None and kind_of(member.name):
                vendor = OWN
            elif vendor in (None, INNER):
                vendor = vendor_of(member.name) or vendor
            continue
        shown = member.name[-_NAME_LENGTH:]
        try:
            values = _parse(kind, member)
        except FileError as error:
            result.unread.append(UnreadFile(shown, error.code, error.message))
            continue
        result.values.update(values)
        if result.values.are_too_many():
            raise ArchiveError("archive.records")
        newest, days = max(newest, member.time), days | values.days()
        files += 1
        if values.skipped:
            result.unread.append(UnreadFile(shown, *_SKIPPED, records=values.skipped))
    result.archives.append(ArchiveRead(name, entries, files, None if files else vendor))
    result.values.exported.setdefault(_minute_made(name, newest), set()).update(days)


def _minute_made(name: str, newest: float) -> int:
    """Return the minute of UTC of an export, by its name or its newest file, or else this one."""
    seconds = newest if int(newest) in _EXPORTS else system_clock() / 1000
    match = _TAKEOUT.fullmatch(COPY.sub("", Path(name).name))
    if match:
        with suppress(ValueError):  # the name has digits that are no time
            seconds = datetime.fromisoformat(match[1]).timestamp()
    return int(seconds) // 60 + EPOCH_MINUTE


def _kind(name: str, other: OtherVendor | None) -> FileKind | OtherVendor | None:
    """Return what reads a file of a name, or None."""
    if other is None:
        return kind_of(name)
    return other if other.wants(name) else None


def _members(path: Path, other: OtherVendor | None) -> Iterator[_Member]:
    if path.is_dir():
        yield from _read_folder(path)
        return
    if path.exists() and not path.is_file():
        raise ArchiveError("archive.kind")
    with path.open("rb") as file:
        head = file.read(len(_ZIP[0]))
        if not head:
            raise ArchiveError("archive.damaged")
        if head.startswith(_ZIP):
            yield from _read_zip(file, partial(_kind, other=other))
        elif other is not None and other.wants(path.name):
            status = path.stat()
            opened = partial(_open_file, path)
            yield _Member(path.name, status.st_size, status.st_mtime, opened)
        else:
            vendor = vendor_of(path.name)
            is_table = path.name.lower().endswith(".csv")
            hint = _TABLE if is_table else "unpack a tar file and give its folder"
            if kind_of(path.name):
                hint = "give the folder of the export that has it"
            elif vendor is not None and vendor != INNER:
                hint = advice(vendor)
            raise ArchiveError("archive.kind", hint)


def _parse(kind: FileKind | OtherVendor, member: _Member) -> Values:
    is_json = member.name.lower().endswith(".json")
    if member.open is None:
        raise FileError("file.link")
    if is_json and member.size > JSON_FILE_BYTES:
        raise FileError("file.size")
    try:
        file = member.open()
    except (*_DAMAGED, ValueError):  # a name or a place that cannot be decoded
        raise FileError("file.damaged") from None
    try:
        with file:
            chunks = iter(partial(file.read, _CHUNK_BYTES), b"")
            if not isinstance(kind, str):
                return Values(skipped=kind.read(member.name, chunks))
            return parse_json(kind, b"".join(chunks)) if is_json else parse_csv(kind, chunks)
    except _DAMAGED:
        raise FileError("file.damaged") from None


def _hint(names: Sequence[str], vendor: str | None) -> str:
    """Return what to give instead: the archives that a folder holds, or what a vendor needs."""
    for name in names:
        folder = Path(name)
        if archives := sorted(folder.glob("*.zip")):
            return f"give the archives themselves, such as {archives[0]}"
        if packed := sorted([*folder.glob("*.tgz"), *folder.glob("*.tar.gz")]):
            return f"unpack {packed[0]} and give its folder"
    if vendor is not None:
        return advice(vendor)
    made = "choose Fitbit or Google Health when you create the export, or give --from VENDOR"
    return f"{made}; other vendors: {RECIPES}"
