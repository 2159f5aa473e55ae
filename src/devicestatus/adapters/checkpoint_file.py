"""The checkpoint file of an agent, which only its owner can read.

Invariant *private*: the file is accessible to its owner only from its creation, whatever the umask;
one that others may read or write, or that is not a regular file, is not read.
Invariant *atomic*: written by `status_contracts.adapters.files`.
Invariant *never outdated*: where a checkpoint cannot be written, the old one is deleted if
possible, for a session that is resumed from it would go back.
"""

import os
import shlex
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs

from devicestatus.agent.checkpoint import MAX_CHECKPOINT_BYTES
from status_contracts.adapters.files import PRIVATE, READ_FLAGS, is_file, is_open_to_others, replace

__all__ = ["CheckpointFile", "UnsafeCheckpoint"]

_FOLDER_MODE: Final = 0o700


class UnsafeCheckpoint(Exception):
    """The path is not a private file; the text has the path, the reason and the remedy."""


@attrs.frozen
class CheckpointFile:
    """The file of an agent's checkpoint."""

    path: Path = attrs.field(converter=Path)

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
                raise _unsafe(self.path, "the checkpoint is a link", "rm") from None
            raise
        try:
            _check(self.path, os.fstat(descriptor))
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


def _check(path: Path, status: os.stat_result) -> None:
    if not is_file(status):
        remedy = "rmdir" if stat.S_ISDIR(status.st_mode) else "rm"
        raise _unsafe(path, "the checkpoint is not a regular file", remedy)
    if os.name == "posix" and status.st_uid != os.geteuid():
        raise _unsafe(path, "the checkpoint belongs to another user", "rm")
    if is_open_to_others(status.st_mode):
        reason = "users other than the owner may read or write the checkpoint"
        raise _unsafe(path, reason, "chmod 600")


def _unsafe(path: Path, reason: str, remedy: str) -> UnsafeCheckpoint:
    return UnsafeCheckpoint(f"{path}: {reason}: {remedy} {shlex.quote(str(path))}")
