"""The checkpoint file on a real file system: private, atomic, and never outdated."""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from devicestatus.adapters.checkpoint_file import CheckpointFile, UnsafeCheckpoint
from devicestatus.agent.checkpoint import MAX_CHECKPOINT_BYTES, NotResumed
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.agent.recorder import Recorder
from support.checks.descriptors import left_open

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes and owners are POSIX's")


@pytest.fixture
def checkpoints(tmp_path: Path) -> CheckpointFile:
    return CheckpointFile(tmp_path / "agent.json")


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


class TestSave:
    @pytest.mark.parametrize("mask", [0, 0o022, 0o077])
    def test_the_file_is_its_owners_alone_whatever_the_umask(
        self, mask: int, checkpoints: CheckpointFile
    ) -> None:
        """Invariant *private*."""
        with umask(mask):
            checkpoints.save(b"one")
            checkpoints.save(b"two")
        assert mode(checkpoints.path) == 0o600
        assert checkpoints.load() == b"two"

    @pytest.mark.parametrize("opened", [0o644, 0o660, 0])
    def test_a_file_whose_mode_was_changed_is_its_owners_alone_again(
        self, opened: int, checkpoints: CheckpointFile
    ) -> None:
        checkpoints.save(b"one")
        checkpoints.path.chmod(opened)
        checkpoints.save(b"two")
        assert mode(checkpoints.path) == 0o600

    @pytest.mark.parametrize("mask", [0, 0o022, 0o077])
    def test_a_folder_that_is_made_is_its_owners_alone(self, mask: int, tmp_path: Path) -> None:
        place = tmp_path / "state" / "ours" / "agent.json"
        with umask(mask):
            CheckpointFile(place).save(b"one")
        assert mode(place.parent) == 0o700
        assert CheckpointFile(place).load() == b"one"

    def test_one_that_cannot_be_written_leaves_no_older_one(
        self, checkpoints: CheckpointFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Invariant *never outdated*."""

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        checkpoints.save(b"one")
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            checkpoints.save(b"two")
        assert checkpoints.load() is None
        assert list(tmp_path.iterdir()) == []


class TestLoad:
    @pytest.mark.parametrize("others", [0o640, 0o604, 0o620, 0o602, 0o610, 0o666, 0o777])
    def test_one_that_others_may_read_or_write_is_refused(
        self, others: int, checkpoints: CheckpointFile
    ) -> None:
        """Invariant *private*."""
        checkpoints.save(b"one")
        checkpoints.path.chmod(others)
        place = re.escape(str(checkpoints.path))
        with pytest.raises(UnsafeCheckpoint, match=f"^{place}: users .*: chmod 600 {place}$"):
            checkpoints.load()

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
    def test_one_of_another_owner_is_refused(self, checkpoints: CheckpointFile) -> None:
        checkpoints.save(b"one")
        os.chown(checkpoints.path, 12_345, -1)
        with pytest.raises(UnsafeCheckpoint, match=r"belongs to another user: rm /"):
            checkpoints.load()

    def test_a_link_and_a_pipe_are_refused_and_not_waited_for(
        self, checkpoints: CheckpointFile, tmp_path: Path
    ) -> None:
        CheckpointFile(tmp_path / "other").save(b"one")
        checkpoints.path.symlink_to(tmp_path / "other")
        os.mkfifo(tmp_path / "pipe", 0o600)
        pipe = CheckpointFile(tmp_path / "pipe")
        for found, words in ((checkpoints, "is a link"), (pipe, "not a regular file")):
            with pytest.raises(UnsafeCheckpoint, match=f"{words}: rm /"):
                found.load()

    def test_of_a_file_that_is_too_long_only_the_start_is_read(
        self, checkpoints: CheckpointFile
    ) -> None:
        """What is read is too long to be a checkpoint."""
        with checkpoints.path.open("xb") as file:
            file.truncate(10**12)
        checkpoints.path.chmod(0o600)
        found = checkpoints.load()
        assert found is not None
        assert len(found) == MAX_CHECKPOINT_BYTES + 1
        assert Recorder.resume(found, PrivacyRules(), now_ms=0) == NotResumed("unreadable")


class TestClaim:
    """Invariant *of one agent*."""

    def test_one_claims_it_at_a_time_and_its_own_blocks_share_it(
        self, checkpoints: CheckpointFile
    ) -> None:
        other = CheckpointFile(checkpoints.path)
        with checkpoints.claimed(), checkpoints.claimed():
            checkpoints.save(b"one")
            with pytest.raises(UnsafeCheckpoint, match="another agent uses"), other.claimed():
                raise AssertionError("both have it")
        with other.claimed():
            assert other.load() == b"one"
        assert not left_open(checkpoints.path.parent)

    def test_where_nothing_can_be_written_there_is_no_lock(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with CheckpointFile(tmp_path / "file" / "agent.json").claimed():
            assert [path.name for path in tmp_path.iterdir()] == ["file"]
