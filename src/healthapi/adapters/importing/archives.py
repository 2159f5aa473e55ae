"""Read the values of several archives, oldest first.

Invariant *whole or reported*: a file that cannot be read gives no values and is reported; an
archive that cannot be read ends the import.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import attrs

from healthapi.adapters.importing.members import (
    DAMAGED,
    ArchiveError,
    Member,
    chunks_of,
    folder_members,
    is_tar,
    tar_members,
    zip_members,
)
from healthapi.importing.csv_files import parse_csv
from healthapi.importing.file_names import COPY, RECIPES, FileKind, advice, kind_of, vendor_of
from healthapi.importing.json_files import JSON_FILE_BYTES, parse_json
from healthapi.importing.report import ArchiveRead, UnreadFile
from healthapi.importing.values import FileError, Values, file_error
from healthapi.limits import FINDINGS_LISTED

Progress = Callable[[str, int, int], None]
"""Called with the name of an archive, the bytes of all archives that are done, and their sum."""

_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_GZIP: Final = b"\x1f\x8b"
_HEAD_BYTES: Final = 512
_NAME_LENGTH: Final = 160
_TAKEOUT: Final = re.compile(r"takeout-([0-9]{8}T[0-9]{6}Z)(-[0-9]+)??-([0-9]{3,})\.\w+")


@attrs.define
class ExportFiles:
    """The values of all files, the archives, and the files that could not be used.

    Of the latter, `unlisted` are only counted.
    """

    values: Values = attrs.field(factory=Values)
    archives: list[ArchiveRead] = attrs.field(factory=list)
    unread: list[UnreadFile] = attrs.field(factory=list)
    unlisted: int = 0

    def report(self, file: UnreadFile) -> None:
        """Add a file that could not be used; beyond `FINDINGS_LISTED` they are only counted."""
        if len(self.unread) < FINDINGS_LISTED:
            self.unread.append(file)
        else:
            self.unlisted += 1


def oldest_first(names: Sequence[str]) -> list[str]:
    """Return the archives by the time in their names if all have one, else as they are given.

    An archive that is given twice is kept once.
    """
    unique = list({Path(name).resolve(): name for name in names}.values())
    found = [_TAKEOUT.fullmatch(COPY.sub("", Path(name).name)) for name in unique]
    if not all(found):
        return unique
    return sorted(unique, key=lambda name: Path(name).name)


def missing_parts(names: Sequence[str]) -> list[str]:
    """Return the names of parts that must exist, because a later part of the export is given."""
    missing: list[str] = []
    given = {COPY.sub("", Path(name).name) for name in names}
    for name in sorted(given):
        if found := _TAKEOUT.fullmatch(name):
            number, digits = int(found[3]), len(found[3])
            start, end = found.span(3)
            parts = (f"{name[:start]}{part:0{digits}}{name[end:]}" for part in range(1, number))
            missing += [part for part in parts if part not in given]
    return list(dict.fromkeys(missing))


def read_archives(names: Sequence[str], progress: Progress | None) -> ExportFiles:
    """Read archives in the given order; of a value that several have the last one counts.

    Raise ArchiveError, with the name of the archive, if one cannot be used.
    """
    result = ExportFiles()
    sizes = [_size(name) for name in names]
    before = 0
    for name, size in zip(names, sizes, strict=True):
        report = None if progress is None else _reporter(progress, name, before, sum(sizes))
        with _named(name):
            _read_archive(name, result, report)
        before += size
    if not any(archive.files for archive in result.archives) and not result.unread:
        vendor = next((each.vendor for each in result.archives if each.vendor), None)
        raise ArchiveError("archive.unrelated", advice(vendor) if vendor else _hint(names))
    return result


def _reporter(progress: Progress, name: str, before: int, total: int) -> Callable[[int], None]:
    return lambda done: progress(Path(name).name, before + done, total)


@contextmanager
def _named(name: str) -> Iterator[None]:
    try:
        yield
    except ArchiveError as error:
        error.message = f"{name}: {error.message}"
        raise
    except OSError as error:
        found = ArchiveError("archive.unreadable", error.strerror or "")
        found.message = f"{error.filename or name}: {found.message}"
        raise found from None


def _read_archive(name: str, result: ExportFiles, report: Callable[[int], None] | None) -> None:
    entries = files = 0
    vendor: str | None = None
    for member in _members(Path(name)):
        entries += 1
        if report is not None:
            report(member.done)
        kind = kind_of(member.name)
        if kind is None:
            vendor = vendor or vendor_of(member.name)
            continue
        shown = member.name[-_NAME_LENGTH:]
        try:
            values = _parse(kind, member)
            result.values.update(values)
        except FileError as error:
            result.values.unreadable.add(kind)
            result.report(UnreadFile(name, shown, error.code, error.message))
            continue
        files += 1
        if values.skipped:
            result.report(UnreadFile.with_records(name, shown, values.skipped))
    result.archives.append(ArchiveRead(name, entries, files, None if files else vendor))


def _members(path: Path) -> Iterator[Member]:
    if path.is_dir():
        yield from folder_members(path)
        return
    if path.exists() and not path.is_file():
        raise ArchiveError("archive.kind")
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
        if not head:
            raise ArchiveError("archive.damaged")
        if head.startswith(_ZIP):
            yield from zip_members(file)
        elif head.startswith(_GZIP) or is_tar(head):
            yield from tar_members(file, compressed=head.startswith(_GZIP))
        else:
            vendor = vendor_of(path.name)
            raise ArchiveError("archive.kind", advice(vendor) if vendor else "")


def _parse(kind: FileKind, member: Member) -> Values:
    is_json = member.name.lower().endswith(".json")
    if is_json and member.size > JSON_FILE_BYTES:
        raise file_error("file.size")
    try:
        with member.open() as file:
            if not is_json:
                return parse_csv(kind, chunks_of(file))
            data = b"".join(chunks_of(file))
    except DAMAGED:
        raise file_error("file.damaged") from None
    return parse_json(kind, data)


def _size(name: str) -> int:
    path = Path(name)
    try:
        if path.is_dir():
            return sum(member.size for member in folder_members(path))
        return path.stat().st_size
    except (ArchiveError, OSError):
        return 0  # reported when it is read


def _hint(names: Sequence[str]) -> str:
    """Return what to give instead, if a folder holds archives."""
    for name in names:
        folder = Path(name)
        found = sorted([*folder.glob("*.zip"), *folder.glob("*.tgz")])
        if found:
            return f"give the archives themselves, such as {found[0]}"
    return f"choose Fitbit or Google Health when you create the export; other vendors: {RECIPES}"
