"""Read the entries of a zip file.

Invariant *regular files only*: links are reported and not opened.

Invariant *bounded before it is opened*: the size of the central directory, which `zipfile` holds in
memory, is checked first.
"""

import lzma
import os
import stat
import struct
import zlib
from collections.abc import Iterator
from functools import partial
from typing import IO, Final, cast
from zipfile import BadZipFile, ZipFile, ZipInfo

from healthapi.adapters.importing.members import ArchiveError, Member, check_ratio, refuse_link
from healthapi.importing.file_names import kind_of

DAMAGED: Final = (BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError)
"""What reading a damaged entry raises."""

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
            opened = refuse_link if is_link else partial(_open, archive, entry)
            yield Member(entry.filename, entry.file_size, entry.header_offset, opened)


def _open(archive: ZipFile, entry: ZipInfo) -> IO[bytes]:
    return archive.open(entry)


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
