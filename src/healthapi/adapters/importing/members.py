"""Read the entries of an archive: a folder, a zip file or a tar file, compressed by gzip or not.

Invariant *names are only compared*: the name of an entry is never a path on this machine, and
nothing is extracted.
Invariant *regular files only*: links, devices and other special entries are reported and not
opened.
Invariant *bounded*: an archive has at most `MAX_ENTRIES` entries, and what is read of it is at most
`MAX_RATIO` times as large as the archive.  The size of the directory of a zip file, and of the
headers of a tar file, which the standard library holds in memory, is checked first.
"""

import gzip
import io
import lzma
import os
import stat
import struct
import tarfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Final, Literal, cast
from zipfile import BadZipFile, ZipFile

import attrs

from healthapi.importing.file_names import kind_of
from healthapi.importing.values import file_error
from purewire.adapters.files import READ_FLAGS

MAX_ENTRIES: Final = 500_000
"""An account of twelve years has 33,000; an archive of all of Google's services has more."""
MAX_RATIO: Final = 250
"""Bytes of content for each byte of the archive; minutes that are all zero compress 60 times."""
SMALL_BYTES: Final = 16 * 1024 * 1024
"""Content up to this size is read whatever its ratio."""
DAMAGED: Final = (
    *(BadZipFile, lzma.LZMAError, NotImplementedError, tarfile.TarError, gzip.BadGzipFile),
    *(zlib.error, EOFError),
)
"""What reading a damaged archive, or an entry of it, raises."""
_CHUNK_BYTES: Final = 256 * 1024

ArchiveCode = Literal[
    "archive.bomb",
    "archive.damaged",
    "archive.encrypted",
    "archive.entries",
    "archive.kind",
    "archive.unreadable",
    "archive.unrelated",
]
_MESSAGE_OF: Final[dict[ArchiveCode, str]] = {
    "archive.bomb": f"expands to more than {MAX_RATIO} times its size: refused",
    "archive.damaged": "is empty, truncated or damaged; download it again",
    "archive.encrypted": "is encrypted; decrypt it and import the result",
    "archive.entries": f"has more than {MAX_ENTRIES} entries; unpack it and give the folder",
    "archive.kind": "is neither a zip file, a tgz file nor a folder",
    "archive.unreadable": "cannot be read",
    "archive.unrelated": "no file of a Fitbit or Google Health export was found",
}


class ArchiveError(Exception):
    """An archive cannot be used, for the reason of a stable code; nothing is imported."""

    def __init__(self, code: ArchiveCode, detail: str = "") -> None:
        super().__init__(code, detail)
        self.code = code
        self.message = f"{_MESSAGE_OF[code]}{f': {detail}' if detail else ''}"


@attrs.frozen
class Member:
    """One file of an archive; a link or a device is reported when it is opened.

    The size is that which the archive states; `done` are the bytes of the archive before the file.
    """

    name: str
    size: int
    done: int
    open: Callable[[], IO[bytes]]


def check_ratio(content: int, archive: int) -> None:
    """Raise ArchiveError if content of a size is too large for an archive of a size."""
    if content > max(SMALL_BYTES, MAX_RATIO * archive):
        raise ArchiveError("archive.bomb")


def refuse_link() -> IO[bytes]:
    """Raise FileError, in place of opening an entry that is no regular file."""
    raise file_error("file.link")


def chunks_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a file in pieces."""
    while chunk := file.read(_CHUNK_BYTES):
        yield chunk


def folder_members(folder: Path) -> Iterator[Member]:
    """Yield the files of a folder, sorted by path; raise ArchiveError or OSError."""
    found: list[tuple[str, int, bool]] = []
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                else:
                    is_regular = entry.is_file(follow_symlinks=False)
                    size = entry.stat(follow_symlinks=False).st_size if is_regular else 0
                    found.append((entry.path, size, is_regular))
                if len(found) + len(waiting) > MAX_ENTRIES:
                    raise ArchiveError("archive.entries")
    done = 0
    for path, size, is_regular in sorted(found):
        name = Path(path).relative_to(folder).as_posix()
        yield Member(name, size, done, partial(_open_file, path) if is_regular else refuse_link)
        done += size


def _open_file(path: str) -> IO[bytes]:
    return os.fdopen(os.open(path, READ_FLAGS), "rb")


_MAX_READ: Final = 1024 * 1024
"""More than any header, and than any piece of an entry that is read at once."""
_MAGIC_AT: Final = 257
_MAGIC: Final = b"ustar"


class _Bounded(io.RawIOBase):
    """A stream that refuses to read much at once."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _MAX_READ:
            raise ArchiveError("archive.bomb", "a header is too long")
        return self._stream.read(size)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()


def is_tar(head: bytes) -> bool:
    """Check whether the first 512 bytes are those of a tar file."""
    return head[_MAGIC_AT : _MAGIC_AT + len(_MAGIC)] == _MAGIC


def tar_members(file: IO[bytes], *, compressed: bool) -> Iterator[Member]:
    """Yield the files of a tar file; raise ArchiveError.

    Each must be read before the next one is requested.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    stream = gzip.GzipFile(fileobj=file) if compressed else file
    try:
        with tarfile.TarFile(fileobj=_Bounded(stream), mode="r") as archive:  # type: ignore[arg-type] # it needs read, seek and tell
            yield from _members(archive, file, size)
    except DAMAGED:
        raise ArchiveError("archive.damaged") from None


def _members(archive: tarfile.TarFile, file: IO[bytes], size: int) -> Iterator[Member]:
    count = 0
    while (entry := archive.next()) is not None:
        count += 1
        if count > MAX_ENTRIES:
            raise ArchiveError("archive.entries")
        check_ratio(entry.offset_data + entry.size, size)
        archive.members.clear()  # type: ignore[attr-defined] # tarfile keeps all of them
        if entry.isdir():
            continue
        is_regular = entry.type in (tarfile.REGTYPE, tarfile.AREGTYPE)
        opened = partial(_open_tar_entry, archive, entry) if is_regular else refuse_link
        yield Member(entry.name, entry.size, file.tell(), opened)


def _open_tar_entry(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> IO[bytes]:
    return cast("IO[bytes]", archive.extractfile(entry))  # None only for special entries


_MAX_DIRECTORY_BYTES: Final = 32 * 1024 * 1024
"""About 250,000 entries; they take 150 MB."""
_ENCRYPTED: Final = 1
_MODE_BITS: Final = 16
"""Archives that were made on Unix have the mode of a file above these bits of its attributes."""
_END: Final = b"PK\x05\x06"
_END_BYTES: Final = 22
_COMMENT_BYTES: Final = 65_535
_END64: Final = b"PK\x06\x06"
_END64_BYTES: Final = 56
_LOCATOR_BYTES: Final = 20
_LARGE: Final = 0xFFFF_FFFF


def zip_members(file: IO[bytes]) -> Iterator[Member]:
    """Yield the entries of a zip file; raise ArchiveError."""
    size = file.seek(0, os.SEEK_END)
    if _directory_bytes(file, size) > _MAX_DIRECTORY_BYTES:
        raise ArchiveError("archive.entries")
    try:
        archive = ZipFile(file)
    except (*DAMAGED, ValueError, struct.error):  # a name or a header that cannot be decoded
        raise ArchiveError("archive.damaged") from None
    with archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        wanted = [entry for entry in entries if kind_of(entry.filename)]
        check_ratio(sum(entry.file_size for entry in wanted), size)
        for entry in wanted:
            check_ratio(entry.file_size, entry.compress_size)
            if entry.flag_bits & _ENCRYPTED:
                raise ArchiveError("archive.encrypted")
        for entry in entries:
            is_link = stat.S_ISLNK(entry.external_attr >> _MODE_BITS)
            opened = refuse_link if is_link else partial(archive.open, entry)
            yield Member(entry.filename, entry.file_size, entry.header_offset, opened)


def _directory_bytes(file: IO[bytes], size: int) -> int:
    """Return the size of the central directory as the end of the file states it."""
    start = max(0, size - _END_BYTES - _COMMENT_BYTES - _LOCATOR_BYTES - _END64_BYTES)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + _END_BYTES:
        raise ArchiveError("archive.damaged")
    found: int = struct.unpack_from("<L", tail, at + 12)[0]
    large = tail.rfind(_END64, 0, at)
    if large >= 0 and len(tail) >= large + _END64_BYTES:
        found = max(found % _LARGE, cast("int", struct.unpack_from("<Q", tail, large + 40)[0]))
    return found
