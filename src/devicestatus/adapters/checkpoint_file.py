"""The checkpoint file of an agent, which only its owner can read.

Invariant *private*: the file is accessible to its owner only from its creation, whatever the umask;
one that others may read or write, or that is not a regular file, is not read.
Invariant *atomic*: written by `status_contracts.adapters.files`.
Invariant *of one agent*: while one has claimed the file, by a lock on `NAME.lock` beside it, no
other can; two that resumed one session would number its batches twice.
Invariant *never outdated*: where a checkpoint cannot be written, the old one is deleted if
possible, for a session that is resumed from it would go back.
"""

import os
import shlex
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import attrs

from devicestatus.agent.checkpoint import MAX_CHECKPOINT_BYTES
from status_contracts.adapters import files

__all__ = ["CheckpointFile", "UnsafeCheckpoint"]

_FOLDER_MODE: Final = 0o700


class UnsafeCheckpoint(Exception):
    """The path is no private file, or another agent's; the text has it, the reason, the remedy."""


@attrs.frozen
class CheckpointFile:
    """The file of an agent's checkpoint."""

    path: Path = attrs.field(converter=Path)
    _claims: list[int] = attrs.field(factory=list, init=False, eq=False, repr=False)

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Keep other agents from the file while the block runs; a block within it changes nothing.

        Where no lock can be made there is none: no checkpoint can be written there either, or the
        system has no locks.

        Raises:
            UnsafeCheckpoint: another agent has claimed the file.

        """
        if self._claims:
            yield
            return
        with suppress(OSError):
            self._claims.append(self._claim())
        try:
            yield
        finally:
            while self._claims:
                os.close(self._claims.pop())

    def _claim(self) -> int:
        self.path.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
        descriptor = os.open(f"{self.path}.lock", os.O_CREAT | files.READ_FLAGS, files.PRIVATE)
        if files.lock(descriptor) is False:
            os.close(descriptor)
            raise UnsafeCheckpoint(
                f"{self.path}: another agent uses this checkpoint: stop it, or give each a file"
            )
        return descriptor

    def load(self) -> bytes | None:
        """Return what was saved, None where there is no file; of a longer file only the start.

        Raises:
            UnsafeCheckpoint: others may have read or written it, or it is not a regular file.
            OSError: it cannot be read.

        """
        try:
            descriptor = os.open(self.path, files.READ_FLAGS)
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
            files.replace(self.path, checkpoint, created=files.PRIVATE, mode=files.PRIVATE)
        except OSError:
            with suppress(OSError):  # the first error is the one to raise
                self.path.unlink()
            raise


def _check(path: Path, status: os.stat_result) -> None:
    if not files.is_file(status):
        remedy = "rmdir" if stat.S_ISDIR(status.st_mode) else "rm"
        raise _unsafe(path, "the checkpoint is not a regular file", remedy)
    if os.name == "posix" and status.st_uid != os.geteuid():
        raise _unsafe(path, "the checkpoint belongs to another user", "rm")
    if files.is_open_to_others(status.st_mode):
        reason = "users other than the owner may read or write the checkpoint"
        raise _unsafe(path, reason, "chmod 600")


def _unsafe(path: Path, reason: str, remedy: str) -> UnsafeCheckpoint:
    return UnsafeCheckpoint(f"{path}: {reason}: {remedy} {shlex.quote(str(path))}")
