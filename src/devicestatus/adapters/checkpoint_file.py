"""The checkpoint of an agent as a file that only its owner reads.

Invariant *private*: the file is its owner's alone from the moment it is made, whatever the umask;
one that others may read or write, or that is not a regular file, is not read.
Invariant *never half*: as `purewire.adapters.atomic_write` writes it.
Invariant *never behind*: where it cannot be written the old one goes, if that can be done, for a
session that is resumed from it would go back.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs

from devicestatus.agent.checkpoint import CHECKPOINT_BYTES
from purewire.adapters.atomic_write import PRIVATE, replace
from purewire.adapters.files import READ_FLAGS, is_file

__all__ = ["CheckpointFile", "Unsafe"]

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_FOLDER_MODE: Final = 0o700


class Unsafe(Exception):
    """What stands at the place is no private file; the text says what is wrong with it."""


@attrs.frozen
class CheckpointFile:
    """Where an agent keeps its checkpoint."""

    place: Path

    def load(self) -> bytes | None:
        """Give what was saved, None where there is no file; of a longer file only the start.

        Raises:
            Unsafe: others may have read or written it, or it is no file.
            OSError: it cannot be read.

        """
        try:
            descriptor = os.open(self.place, READ_FLAGS)
        except FileNotFoundError:
            return None
        except OSError:
            if self.place.is_symlink():
                raise Unsafe("the checkpoint is a link") from None
            raise
        try:
            _check(os.fstat(descriptor))
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                return file.read(CHECKPOINT_BYTES + 1)
        finally:
            os.close(descriptor)

    def save(self, checkpoint: bytes) -> None:
        """Write it whole; raises OSError."""
        try:
            self.place.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            replace(self.place, checkpoint, created=PRIVATE, mode=PRIVATE)
        except OSError:
            with suppress(OSError):  # the first fault is the one to tell
                self.place.unlink()
            raise


def _check(found: os.stat_result) -> None:
    if not is_file(found):
        raise Unsafe("the checkpoint is no regular file")
    # Windows has no such modes; there the folder of the user is what protects it.
    if os.name == "posix" and (found.st_mode & _OTHERS or found.st_uid != os.geteuid()):
        raise Unsafe("others than its owner may read or write the checkpoint")
