"""Invariants *inside the root* and *whole files*."""

import os
import socket
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import pytest

from status_contracts.adapters import assets
from status_contracts.adapters.assets import FolderAssets
from status_contracts.adapters.files import FileState
from status_contracts.conditional import http_date, is_valid_etag
from status_contracts.messages import Asset

OLD = 1_700_000_000  # seconds: 2023-11-14
NOW_MS = (OLD + 1_000_000) * 1000
CANARY = b"canary: outside of the root"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with one old file, beside a file that no one may see."""
    (tmp_path / "secret.png").write_bytes(CANARY)
    (tmp_path / "root-secret").mkdir()
    (tmp_path / "root-secret" / "a.png").write_bytes(CANARY)
    folder = tmp_path / "root"
    folder.mkdir()
    write(folder / "a.png", b"first")
    return folder


def write(path: Path, body: bytes, seconds: float = OLD) -> None:
    path.write_bytes(body)
    os.utime(path, (seconds, seconds))


def rewrite(path: Path, body: bytes, seconds: float = OLD) -> None:
    """Write in place, not before the file system's clock has moved on."""
    before = path.stat().st_ctime_ns
    while path.stat().st_ctime_ns == before:
        write(path, body, seconds)


def etag(body: bytes) -> str:
    return f'"{sha256(body).hexdigest()}"'


class TestFound:
    def test_a_file_has_a_strong_etag_and_its_time(self, root: Path) -> None:
        found = FolderAssets(root).read_asset("a.png")
        assert found == Asset(b"first", etag(b"first"), "Tue, 14 Nov 2023 22:13:20 GMT")
        assert isinstance(found, Asset)
        assert found.etag is not None
        assert is_valid_etag(found.etag)

    @pytest.mark.parametrize("name", ["a", "A.PNG", "index.json", "a-b.c-d", "-", "0", "a..b"])
    def test_letters_digits_hyphens_and_dots_make_a_name(self, root: Path, name: str) -> None:
        write(root / name, b"named")
        found = FolderAssets(root).read_asset(name)
        assert isinstance(found, Asset)
        assert found.body == b"named"

    def test_the_root_may_be_named_by_a_relative_path(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.chdir(root.parent)
        source = FolderAssets("root")
        monkeypatch.chdir("/")
        assert isinstance(source.read_asset("a.png"), Asset)

    def test_the_root_may_be_a_link_that_is_turned(self, root: Path, tmp_path: Path) -> None:
        newer = tmp_path / "newer"
        newer.mkdir()
        write(newer / "a.png", b"second")
        link = tmp_path / "current"
        link.symlink_to(root)
        source = FolderAssets(link)
        assert source.read_asset("a.png") == FolderAssets(root).read_asset("a.png")
        link.unlink()
        link.symlink_to(newer)
        assert source.read_asset("a.png") == FolderAssets(newer).read_asset("a.png")


class TestNotFound:
    @pytest.mark.parametrize(
        "name",
        [
            *(".", "..", ".hidden", "../secret.png", "..\\secret.png", "/etc/hostname"),
            *("sub/a.png", "a.png\n", "a.png\x00", "a_b", "é"),
            "a" * 256,
        ],
        ids=lambda name: repr(name[:20]),
    )
    def test_what_is_no_name(self, root: Path, name: str) -> None:
        assert FolderAssets(root).read_asset(name) is None

    @pytest.mark.skipif(os.name != "posix", reason="needs FIFOs and devices")
    @pytest.mark.parametrize(
        "make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/zero")]
    )
    def test_a_directory_a_fifo_and_a_device(
        self, root: Path, make: Callable[[Path], object]
    ) -> None:
        """No one waits for the writer of a FIFO."""
        make(root / "other")
        assert FolderAssets(root).read_asset("other") is None

    @pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="needs Unix sockets")
    def test_a_socket(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(root)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("socket")
            assert FolderAssets(root).read_asset("socket") is None


class TestLinks:
    def test_a_link_inside_the_root_is_followed(self, root: Path) -> None:
        (root / "b.png").symlink_to("a.png")
        (root / "sub").mkdir()
        write(root / "sub" / "deep.png", b"deep")
        (root / "c.png").symlink_to(root / "sub" / "deep.png")
        source = FolderAssets(root)
        assert source.read_asset("b.png") == source.read_asset("a.png")
        found = source.read_asset("c.png")
        assert isinstance(found, Asset)
        assert found.body == b"deep"

    @pytest.mark.parametrize(
        "target",
        [
            *("../secret.png", "../root-secret/a.png", "/etc/hostname", "sub/../../secret.png"),
            *("link.png", "nowhere", "a.png/x", "."),
        ],
    )
    def test_a_link_out_of_the_root_to_itself_nowhere_or_a_folder_is_not(
        self, root: Path, target: str
    ) -> None:
        (root / "sub").mkdir()
        (root / "link.png").symlink_to(target)
        assert FolderAssets(root).read_asset("link.png") is None

    def test_nor_is_one_through_a_linked_folder(self, root: Path, tmp_path: Path) -> None:
        (root / "out").symlink_to(tmp_path)
        (root / "link.png").symlink_to("out/secret.png")
        assert FolderAssets(root).read_asset("link.png") is None

    def test_a_link_that_appears_after_the_check_is_not_followed(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        realpath = os.path.realpath

        def swapped(path: Path, *, strict: bool = False) -> str:
            found: str = realpath(path, strict=strict)
            if path.name == "a.png":
                path.unlink()
                path.symlink_to("../secret.png")
            return found

        with monkeypatch.context() as patch:
            patch.setattr(os.path, "realpath", swapped)
            assert FolderAssets(root).read_asset("a.png") is None
        assert (root / "a.png").read_bytes() == CANARY


class TestUnavailable:
    def test_a_missing_root_raises(self, tmp_path: Path) -> None:
        source = FolderAssets(tmp_path / "nowhere")
        with pytest.raises(FileNotFoundError):
            source.read_asset("a.png")

    def test_a_root_that_is_a_file_raises(self, root: Path) -> None:
        with pytest.raises(NotADirectoryError):
            FolderAssets(root / "a.png").read_asset("a.png")

    def test_a_file_that_cannot_be_opened_raises(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refused(path: object, flags: int) -> int:
            raise PermissionError

        with monkeypatch.context() as patch:
            patch.setattr(os, "open", refused)
            with pytest.raises(PermissionError):
                FolderAssets(root).read_asset("a.png")


class TestLastModified:
    @pytest.mark.parametrize(
        ("seconds", "now_ms", "expected"),
        [
            (OLD + 0.75, NOW_MS, http_date(OLD * 1000)),
            # it is omitted while a change could fall into the same second
            (OLD, OLD * 1000 + 999, None),
            (OLD, OLD * 1000 + 1000, http_date(OLD * 1000)),
            # and for a time to come and one before the epoch
            (OLD + 5, OLD * 1000, None),
            (-5, NOW_MS, None),
        ],
    )
    def test_is_that_of_the_whole_second_if_it_is_over(
        self, root: Path, seconds: float, now_ms: int, expected: str | None
    ) -> None:
        write(root / "a.png", b"timed", seconds)
        found = FolderAssets(root, clock=lambda: now_ms).read_asset("a.png")
        assert isinstance(found, Asset)
        assert found.last_modified == expected


class TestWholeFiles:
    def test_a_file_replaced_while_it_is_read_is_served_as_it_was(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened = assets._open_below

        def replaced(folder: Path, name: str) -> int | None:
            descriptor = opened(folder, name)
            write(root / "b.png", b"second")
            (root / "b.png").replace(root / "a.png")
            return descriptor

        monkeypatch.setattr(assets, "_open_below", replaced)
        found = FolderAssets(root).read_asset("a.png")
        assert isinstance(found, Asset)
        assert (found.body, found.etag) == (b"first", etag(b"first"))

    @pytest.mark.parametrize("body", [b"", b"fir", b"first and more", b"FIRST"])
    @pytest.mark.parametrize("seconds", [OLD, OLD + 1])
    def test_a_file_written_while_it_is_read_raises(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, body: bytes, seconds: int
    ) -> None:
        read = assets._read_whole

        def disturbed(file: BinaryIO, state: FileState) -> bytes:
            rewrite(root / "a.png", body, seconds)
            return read(file, state)

        monkeypatch.setattr(assets, "_read_whole", disturbed)
        with pytest.raises(OSError, match="written while it was read"):
            FolderAssets(root).read_asset("a.png")
