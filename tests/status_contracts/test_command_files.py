"""Files of commands.  Invariants *bounded input*, *whole output*."""

import os
import stat
import threading
from pathlib import Path

import pytest

from status_contracts.cli.exit_codes import CANNOT, REFUSED, USAGE, Failed
from status_contracts.cli.files import read_file, read_input, write_file, write_files


class TestRead:
    def test_one_byte_too_many_is_refused(self, tmp_path: Path) -> None:
        place = tmp_path / "a.json"
        place.write_bytes(b"one")
        for read, code in ((read_file, CANNOT), (read_input, REFUSED)):
            assert read(str(place), 3) == b"one"
            with pytest.raises(Failed, match="more than the 2 bytes that are allowed") as failed:
                read(str(place), 2)
            assert failed.value.exit_code == code


class TestFolders:
    def test_missing_folders_are_created(self, tmp_path: Path) -> None:
        write_files(tmp_path / "new", {"a": b"one", "deep/er/b": b"two"})
        assert (tmp_path / "new" / "deep" / "er" / "b").read_bytes() == b"two"
        write_files(tmp_path / "new", {"a": b"three"})
        assert (tmp_path / "new" / "a").read_bytes() == b"three"

    def test_a_file_in_place_of_a_folder_is_reported(self, tmp_path: Path) -> None:
        (tmp_path / "new").touch()
        for folder, words, code in (
            (tmp_path / "new", r"-o .*new: it is not a folder", USAGE),
            (tmp_path, r"cannot write .*new: ", CANNOT),
        ):
            with pytest.raises(Failed, match=words) as failed:
                write_files(folder, {"new/a": b"one"})
            assert failed.value.exit_code == code


class TestSave:
    def test_a_link_stays_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        place = tmp_path / "real" / "a.json"
        place.write_bytes(b"one")
        link = tmp_path / "link"
        link.symlink_to(place)
        write_file(str(link), b"two")
        assert link.is_symlink()
        assert place.read_bytes() == b"two"

    def test_a_pipe_is_written_to(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        got: list[bytes] = []
        reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
        reader.start()
        write_file(str(pipe), b"one")
        reader.join()
        assert got == [b"one"]
        assert stat.S_ISFIFO(pipe.stat().st_mode)

    @pytest.mark.parametrize("name", [None, "-"])
    def test_a_dash_or_no_name_is_the_standard_output(
        self, name: str | None, capfdbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        write_file(name, b"one")
        assert capfdbinary.readouterr().out == b"one\n"

    @pytest.mark.parametrize("name", ["no/such/folder/a", ".", "a" * 300])
    def test_what_cannot_be_written_is_told(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(Failed) as failed:
            write_file(name, b"one")
        assert failed.value.exit_code == CANNOT
        assert str(failed.value.lines[0]).startswith(f"cannot write {name}: ")
        assert list(tmp_path.iterdir()) == []
