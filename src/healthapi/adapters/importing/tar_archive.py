"""Read the entries of a tar file, compressed by gzip or not, from its start to its end.

Invariant *regular files only*: links, devices and other special entries are reported and not
opened.
Invariant *bounded*: headers that `tarfile` reads as a whole are limited, and what an archive
states to hold is compared with its size before it is decompressed.
"""

import gzip
import io
import os
import tarfile
import zlib
from collections.abc import Iterator
from functools import partial
from typing import IO, Final, cast

from healthapi.adapters.importing.members import (
    MAX_ENTRIES,
    ArchiveError,
    Member,
    check_ratio,
    refuse_link,
)

DAMAGED: Final = (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError)
"""What reading a damaged archive raises."""

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
        opened = partial(_open, archive, entry) if is_regular else refuse_link
        yield Member(entry.name, entry.size, file.tell(), opened)


def _open(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> IO[bytes]:
    return cast("IO[bytes]", archive.extractfile(entry))  # None only for special entries
