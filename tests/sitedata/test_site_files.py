"""A file as the source of the service: replaced, truncated, removed, redirected, unreadable."""

import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from sitedata.adapters.files import SnapshotFile
from sitedata.limits import MAX_BYTES
from sitedata.service import Published
from status_contracts.adapters.clocks import system_clock
from support.sitedata.site_versions import body_of, replace

SOON_MS = 10_000
LARGE = 30_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the first snapshot."""
    found = tmp_path / "site-data.json"
    found.write_bytes(body_of(1))
    return found


def read(source: SnapshotFile, *, later: int = 0) -> Published | None:
    return source.read(None, system_clock() + later)


def number(source: SnapshotFile) -> int | None:
    """Return the number of the published snapshot."""
    published = read(source)
    if published is None:
        return None
    (found,) = (each for each in range(1, 100) if body_of(each) == published.asset.body)
    return found


@pytest.mark.rule("SD-SOURCE-05")
class TestRead:
    def test_other_names_have_no_snapshot(self, path: Path) -> None:
        assert SnapshotFile(path).read("ada", system_clock()) is None

    def test_a_path_in_any_form(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(path.parent)
        source = SnapshotFile("site-data.json")
        monkeypatch.chdir("/")
        assert number(source) == 1
        assert number(SnapshotFile(str(path))) == 1

    def test_an_unchanged_file_is_one_value(self, path: Path) -> None:
        """Also where its times have not settled."""
        prepared: list[Published] = []
        source = SnapshotFile(path, prepare=prepared.append)
        first = read(source)
        assert all(read(source) is first for _ in range(5))
        replace(path, body_of(1))
        assert read(source) is first
        assert len(prepared) == 1

    def test_it_is_not_opened_after_it_has_settled(self, path: Path) -> None:
        """An interpreter of its own counts what it opens."""
        done = subprocess.run(
            [sys.executable, "-c", COUNTING_OPENS, str(path)], capture_output=True, check=True
        )
        assert done.stdout.split() == [b"3", b"1"]


COUNTING_OPENS = """
import os, sys
from sitedata.adapters.files import SnapshotFile

opened = 0

def count(event, arguments):
    global opened
    opened += event == "open" and str(arguments[0]) == sys.argv[1]

source = SnapshotFile(sys.argv[1])
now = os.stat(sys.argv[1]).st_mtime_ns // 1_000_000
sys.addaudithook(count)
for _ in range(3):
    source.read(None, now)
print(opened)
opened = 0
for _ in range(3):
    source.read(None, now + 10_000)
print(opened)
"""


@pytest.mark.rule("SD-SOURCE-02")
class TestReplaced:
    def test_the_next_read_has_the_new_file(self, path: Path) -> None:
        source = SnapshotFile(path)
        for each in range(1, 6):
            replace(path, body_of(each))
            assert number(source) == each

    def test_also_if_size_and_time_are_equal(self, path: Path) -> None:
        source = SnapshotFile(path)
        past = time.time() - 100
        os.utime(path, (past, past))  # its change time cannot be set
        assert number(source) == 1
        found = path.stat()
        replace(path, body_of(2))
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
        assert path.stat().st_size == found.st_size
        assert number(source) == 2

    def test_a_link_that_is_redirected(self, path: Path, tmp_path: Path) -> None:
        other = tmp_path / "other.json"
        other.write_bytes(body_of(2))
        link = tmp_path / "link.json"
        link.symlink_to(path)
        source = SnapshotFile(link)
        assert number(source) == 1
        spare = tmp_path / "spare"
        spare.symlink_to(other.name)
        spare.replace(link)
        assert number(source) == 2


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


UNFIT: list[Callable[[Path], object]] = [
    lambda path: path.symlink_to(path),
    Path.mkdir,
    os.mkfifo,
    a_socket,
    lambda path: path.symlink_to("/dev/zero"),
    lambda path: path.write_bytes(bytes(MAX_BYTES + 1)),
    partial(Path.write_bytes, data=b""),
    partial(Path.write_bytes, data=b"{}"),
    partial(Path.write_bytes, data=body_of(2)[:-20]),
    partial(Path.write_bytes, data=bytes(5000)),
    partial(Path.write_bytes, data=body_of(2).replace(b'"main"', b"null")),
]


@pytest.mark.rule("SD-FILE-08", "SD-SOURCE-01")
class TestUnusable:
    """Invariant *the last valid file stays*."""

    @pytest.mark.parametrize("spoil", UNFIT)
    def test_the_last_valid_file_is_still_published(
        self, path: Path, spoil: Callable[[Path], object]
    ) -> None:
        source = SnapshotFile(path)
        first = read(source)
        path.unlink()
        spoil(path)
        assert read(source) is first
        assert read(source, later=SOON_MS) is first
        if path.is_dir():
            path.rmdir()
        replace(path, body_of(3))
        assert number(source) == 3

    def test_a_file_that_always_changes(self, path: Path) -> None:
        source = SnapshotFile(path)
        first = read(source)
        replace(path, b"{")
        os.truncate(path, LARGE)  # reading it takes a while
        code = "import sys\nfile = open(sys.argv[1], 'ab', 0)\nwhile True: file.write(b' ')"
        writer = subprocess.Popen([sys.executable, "-c", code, str(path)])
        try:
            while path.stat().st_size < LARGE + 1000:
                time.sleep(0.01)
            assert read(source) is first
        finally:
            writer.kill()
            writer.wait()


@pytest.mark.rule("SD-SOURCE-03")
class TestRemoved:
    def test_a_deleted_file_is_not_published(self, path: Path) -> None:
        source = SnapshotFile(path)
        assert number(source) == 1
        path.unlink()
        assert read(source) is None
        replace(path, body_of(1))
        assert number(source) == 1


class TestLog:
    """Invariant *logged once*."""

    def test_a_reason_is_logged_when_it_changes(
        self, path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        source = SnapshotFile(path)
        for spoil in (UNFIT[1], None, UNFIT[2]):
            for _ in range(3):
                read(source)
            if spoil is not None:
                path.unlink()
                spoil(path)
            else:
                path.rmdir()
                replace(path, b'{"secret": 1}')
        for _ in range(3):
            read(source)
        logged = [(record.name, record.levelno) for record in caplog.records]
        assert logged == [("sitedata", logging.ERROR)] * 3
        lines = [record.getMessage() for record in caplog.records]
        assert lines[0] == "site-data.json is not published: it is not a regular file"
        assert lines[1].startswith("site-data.json is not published: invalid_site_data: ")
        assert "secret" not in caplog.text


class TestThreads:
    def test_a_file_that_is_written_in_place_is_never_published_in_part(self, path: Path) -> None:
        bodies = {body_of(each, problems=300) for each in range(1, 4)}
        replace(path, next(iter(bodies)))
        source = SnapshotFile(path)
        assert read(source) is not None
        stop = threading.Event()

        def scribble() -> None:
            while not stop.is_set():
                for body in bodies:
                    with path.open("wb", buffering=0) as file:
                        for start in range(0, len(body), 20_000):
                            file.write(body[start : start + 20_000])
                            time.sleep(0.0005)

        writer = threading.Thread(target=scribble)
        writer.start()
        try:
            for _ in range(30):
                published = read(source)
                assert published is not None
                assert published.asset.body in bodies
        finally:
            stop.set()
            writer.join()

    def test_other_threads_do_not_wait(self, path: Path) -> None:
        """Invariant *no waiting*."""
        begun, go_on = threading.Event(), threading.Event()

        def prepare(published: Published) -> None:
            if published.asset.body == body_of(2):
                begun.set()
                assert go_on.wait(30)

        source = SnapshotFile(path, prepare=prepare)
        assert number(source) == 1
        replace(path, body_of(2))
        first = threading.Thread(target=read, args=(source,))
        first.start()
        assert begun.wait(30)
        assert number(source) == 1
        go_on.set()
        first.join()
        assert number(source) == 2

    def test_a_thread_that_waited_does_not_read_again(self, path: Path) -> None:
        prepared: list[Published] = []
        source = SnapshotFile(path, prepare=prepared.append)
        barrier = threading.Barrier(4)

        def ask() -> None:
            barrier.wait()
            assert read(source, later=SOON_MS) is not None

        readers = [threading.Thread(target=ask) for _ in range(4)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        assert len(prepared) == 1
