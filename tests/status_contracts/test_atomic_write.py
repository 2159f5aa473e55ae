"""Writing a file whole, or not at all.  Invariants *old or new* and *on disk when done*."""

import errno
import fcntl
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest

from status_contracts.adapters.files import PRIVATE, replace


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def failing(fault: BaseException) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise fault

    return fail


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "file"


class TestReplace:
    def test_a_new_file_has_the_bytes(self, place: Path) -> None:
        replace(place, b"one\r\n\x00", created=PRIVATE)
        assert place.read_bytes() == b"one\r\n\x00"
        assert names(place.parent) == ["file"]

    def test_who_has_the_old_file_open_keeps_it(self, place: Path) -> None:
        replace(place, b"one", created=PRIVATE)
        with place.open("rb") as old:
            replace(place, b"two", created=PRIVATE)
            assert old.read() == b"one"
        assert place.read_bytes() == b"two"

    @pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
    def test_it_is_created_with_a_mode_before_the_umask(self, place: Path) -> None:
        before = os.umask(0o027)
        try:
            replace(place, b"one", created=0o666)
        finally:
            os.umask(before)
        assert mode(place) == 0o640

    @pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
    @pytest.mark.parametrize("kept", [0o600, 0o640, 0o664])
    def test_the_mode_of_a_file_that_is_replaced_stays(self, kept: int, place: Path) -> None:
        place.touch()
        place.chmod(kept)
        replace(place, b"one", created=0o666)
        assert mode(place) == kept

    def test_a_link_goes(self, place: Path) -> None:
        other = place.with_name("other")
        other.write_bytes(b"other")
        place.symlink_to(other)
        replace(place, b"one", created=PRIVATE)
        assert not place.is_symlink()
        assert other.read_bytes() == b"other"

    def test_a_long_name_has_room_for_its_successor(self, tmp_path: Path) -> None:
        place = tmp_path / ("a" * 255)
        replace(place, b"one", created=PRIVATE)
        assert names(tmp_path) == ["a" * 255]

    def test_the_bytes_are_on_disk_before_the_name_is_theirs(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Invariant *on disk when done*."""
        place.write_bytes(b"old")
        seen: list[tuple[bool, list[bytes], bytes]] = []
        sync = os.fsync

        def look(descriptor: int) -> None:
            new = [path.read_bytes() for path in place.parent.glob(".file.*.new")]
            is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
            seen.append((is_folder, new, place.read_bytes()))
            sync(descriptor)

        monkeypatch.setattr(os, "fsync", look)
        replace(place, b"new", created=PRIVATE)
        assert seen == [(False, [b"new"], b"old"), (True, [], b"new")]

    @pytest.mark.parametrize(("number", "is_told"), [(errno.EINVAL, False), (errno.EIO, True)])
    def test_only_a_file_system_that_syncs_no_folders_is_not_told(
        self, number: int, place: Path, monkeypatch: pytest.MonkeyPatch, *, is_told: bool
    ) -> None:
        sync = os.fsync

        def fail(descriptor: int) -> None:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                raise OSError(number, os.strerror(number))
            sync(descriptor)

        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match=os.strerror(number)) if is_told else nullcontext():
            replace(place, b"new", created=PRIVATE)
        assert place.read_bytes() == b"new"

    @pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
    @pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
    def test_a_step_that_fails_leaves_the_old_file_alone(
        self, fault: BaseException, step: str, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        place.write_bytes(b"old")
        with monkeypatch.context() as patch:
            patch.setattr(os if step == "fsync" else Path, step, failing(fault))
            with pytest.raises(type(fault)):
                replace(place, b"new", created=PRIVATE)
        assert place.read_bytes() == b"old"
        assert names(place.parent) == ["file"]

    def test_the_first_fault_is_the_one_that_is_told(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Even where what is left cannot be removed."""
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", failing(OSError(28, "No space left on device")))
            patch.setattr(Path, "unlink", failing(PermissionError(1, "Operation not permitted")))
            with pytest.raises(OSError, match="No space left"):
                replace(place, b"new", created=PRIVATE)
        assert not place.exists()

    @pytest.mark.parametrize("name", ["no/folder/file", "folder", "a" * 256])
    def test_what_cannot_be_written_leaves_nothing(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        with pytest.raises(OSError, match=r"such file|directory|exists|too long"):
            replace(tmp_path / name, b"one", created=PRIVATE)
        assert names(tmp_path) == ["folder"]

    def test_writers_at_once_leave_one_of_them_whole(self, place: Path) -> None:
        texts = [bytes([letter]) * 100_000 for letter in b"abcd"]

        def write(text: bytes) -> None:
            for _ in range(10):
                replace(place, text, created=PRIVATE)
                assert place.read_bytes() in texts

        with ThreadPoolExecutor(len(texts)) as pool:
            list(pool.map(write, texts))
        assert names(place.parent) == ["file"]


WRITER = """
import os, sys
from pathlib import Path
from status_contracts.adapters import files
sync = os.fsync
def wait(descriptor):
    sync(descriptor)
    print("written", flush=True)
    sys.stdin.readline()
os.fsync = wait
files.replace(Path(sys.argv[1]), b"theirs", created=files.PRIVATE)
"""
"""A writer that waits before it replaces the file."""


def writer(place: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WRITER, str(place)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"written\n"
    return process


class TestAbandoned:
    """What a killed writer left goes with the next write of that file; nothing else does."""

    def test_of_killed_writers_nothing_is_left(self, place: Path) -> None:
        for _ in range(2):
            with writer(place) as process:
                process.send_signal(signal.SIGKILL)
        assert len(names(place.parent)) == 1, "each removed that of the one before"
        replace(place, b"mine", created=PRIVATE)
        assert names(place.parent) == ["file"]

    def test_a_writer_that_lives_keeps_its_own(self, place: Path) -> None:
        with writer(place) as process:
            replace(place, b"mine", created=PRIVATE)
            process.communicate(b"\n\n")
        assert process.returncode == 0
        assert place.read_bytes() == b"theirs"
        assert names(place.parent) == ["file"]

    @pytest.mark.parametrize(
        "name",
        [
            ".other.0123456789ab.new",
            ".file.0123456789ab.news",
            ".file.0123456789a.new",
            ".file.0123456789AB.new",
            "file.0123456789ab.new",
            ".file.old.0123456789ab.new",
            ".file.new",
        ],
    )
    def test_files_of_other_names_stay(self, name: str, place: Path) -> None:
        place.with_name(name).touch()
        replace(place, b"mine", created=PRIVATE)
        assert names(place.parent) == sorted([name, "file"])

    def test_neither_a_folder_nor_a_link_of_that_name_is_in_the_way(self, place: Path) -> None:
        place.with_name(".file.0123456789ab.new").mkdir()
        place.with_name(".file.0123456789ac.new").symlink_to("nothing")
        replace(place, b"mine", created=PRIVATE)
        assert place.read_bytes() == b"mine"

    def test_where_there_are_no_locks_nothing_is_removed(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        no_locks = OSError(errno.ENOLCK, "No locks available")
        monkeypatch.setattr(fcntl, "flock", failing(no_locks))
        abandoned = place.with_name(".file.0123456789ab.new")
        abandoned.touch()
        replace(place, b"mine", created=PRIVATE)
        assert names(place.parent) == [abandoned.name, "file"]
