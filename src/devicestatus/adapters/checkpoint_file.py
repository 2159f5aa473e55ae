"""The checkpoint of an agent as a file that only its owner can read.

Invariant *private*: the file is accessible to its owner only from its creation, whatever the umask;
one that others may read or write, or that is not a regular file, is not read.
Invariant *atomic*: written by `purewire.adapters.atomic_write`.
Invariant *never outdated*: where a checkpoint cannot be written, the old one is deleted if
possible, for a session that is resumed from it would go back.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs

from devicestatus.agent.checkpoint import MAX_CHECKPOINT_BYTES
from purewire.adapters.atomic_write import PRIVATE, replace
from purewire.adapters.files import READ_FLAGS, is_file

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_FOLDER_MODE: Final = 0o700


class UnsafeCheckpoint(Exception):
    """The path is not a private file; the text has the reason."""


@attrs.frozen
class CheckpointFile:
    """The file of an agent's checkpoint.

    Attributes:
        path: path of the file.

    """

    path: Path

    def load(self) -> bytes | None:
        """Return what was saved, None where there is no file; of a longer file only the start.

        Raises:
            UnsafeCheckpoint: others may have read or written it, or it is not a regular file.
            OSError: it cannot be read.

        """
        try:
            descriptor = os.open(self.path, READ_FLAGS)
        except FileNotFoundError:
            return None
        except OSError:
            if self.path.is_symlink():
                raise UnsafeCheckpoint("the checkpoint is a link") from None
            raise
        try:
            _check(os.fstat(descriptor))
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                return file.read(MAX_CHECKPOINT_BYTES + 1)
        finally:
            os.close(descriptor)

    def save(self, checkpoint: bytes) -> None:
        """Write it atomically; raise OSError."""
        try:
            self.path.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            replace(self.path, checkpoint, created=PRIVATE, mode=PRIVATE)
        except OSError:
            with suppress(OSError):  # the first error is the one to raise
                self.path.unlink()
            raise


def _check(found: os.stat_result) -> None:
    if not is_file(found):
        raise UnsafeCheckpoint("the checkpoint is not a regular file")
    # Windows has no such modes; there the user's folder protects it.
    if os.name == "posix" and (found.st_mode & _OTHERS or found.st_uid != os.geteuid()):
        raise UnsafeCheckpoint("users other than the owner may read or write the checkpoint")
