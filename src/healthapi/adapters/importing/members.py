"""The entries of an archive, whatever its format, and the error for an archive.

Invariant *names are only compared*: the name of an entry is never a path on this machine, and
nothing is extracted.
Invariant *bounded*: an archive has at most `MAX_ENTRIES` entries, and what is read of it is at most
`MAX_RATIO` times as large as the archive.
"""

from collections.abc import Callable, Iterator
from typing import IO, Final, Literal

import attrs

from healthapi.importing.values import file_error

MAX_ENTRIES: Final = 500_000
"""An account of twelve years has 33,000; an archive of all of Google's services has more."""
MAX_RATIO: Final = 250
"""Bytes of content for each byte of the archive; minutes that are all zero compress 60 times."""
SMALL_BYTES: Final = 16 * 1024 * 1024
"""Content up to this size is read whatever its ratio."""
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
    "archive.damaged": "is truncated or damaged; download it again",
    "archive.encrypted": "is encrypted; decrypt it and import the result",
    "archive.entries": f"has more than {MAX_ENTRIES} entries; unpack it and give the folder",
    "archive.kind": "is neither a zip file, a tgz file nor a folder",
    "archive.unreadable": "cannot be read",
    "archive.unrelated": "no file of a Fitbit or Google Health export was found",
}


class ArchiveError(Exception):
    """An archive cannot be used; nothing is imported.

    Attributes:
        code: stable id of the reason.
        message: the reason in words.

    """

    def __init__(self, code: ArchiveCode, detail: str = "") -> None:
        super().__init__(code, detail)
        self.code = code
        self.message = f"{_MESSAGE_OF[code]}{f': {detail}' if detail else ''}"


@attrs.frozen
class Member:
    """One file of an archive; a link or a device is reported when it is opened.

    Attributes:
        name: its path in the archive, for matching and for messages.
        size: its size in bytes, as the archive states it.
        done: bytes of the archive before it, for the progress bar.
        open: opens it; raises FileError or ArchiveError.

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
