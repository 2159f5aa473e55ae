"""The subcommand `schema` of the three commands, in process."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from status_contracts import devicestatus, healthapi, sitedata

Main = Callable[[Sequence[str]], int]
FILES = Path(__file__).parents[1] / "schemas"
COMMANDS = (
    (devicestatus.main, "device-status", "window"),
    (healthapi.main, "health-api", "dashboard"),
    (sitedata.main, "site-data", "site-data"),
)
each_command = pytest.mark.parametrize(("main", "folder", "name"), COMMANDS)


@each_command
class TestSchema:
    def test_it_prints_the_file(
        self, main: Main, folder: str, name: str, capsysbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        assert main(["schema", name]) == 0
        printed = capsysbinary.readouterr().out
        assert printed == (FILES / folder / f"{name}.json").read_bytes()
        assert json.loads(printed)["title"]

    def test_it_prints_openapi_and_types(
        self, main: Main, folder: str, name: str, capsysbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        assert main(["schema", "openapi"]) == 0
        assert json.loads(capsysbinary.readouterr().out)["openapi"] == "3.1.0"
        assert main(["schema", "types"]) == 0
        assert capsysbinary.readouterr().out == (FILES / folder / "types.d.ts").read_bytes()

    def test_it_writes_a_file(self, main: Main, folder: str, name: str, tmp_path: Path) -> None:
        path = tmp_path / "made.json"
        assert main(["schema", name, "-o", str(path)]) == 0
        assert path.read_bytes() == (FILES / folder / f"{name}.json").read_bytes()

    def test_it_lists_the_names(
        self, main: Main, folder: str, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["schema", "--list"]) == 0
        lines = capsys.readouterr().out.splitlines()
        listed = [line.split()[0] for line in lines[1:]]
        files = {path.name.split(".")[0] for path in (FILES / folder).iterdir()}
        assert set(listed) == files
        assert name in listed

    def test_an_unknown_name_lists_the_choices_and_the_nearest(
        self, main: Main, folder: str, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["schema", f"{name}x"]) == 2
        message = capsys.readouterr().err
        assert f"invalid choice '{name}x' (choose from " in message
        assert message.endswith(f"did you mean '{name}'?\n")

    def test_a_folder_that_is_not_there(
        self, main: Main, folder: str, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["schema", name, "-o", "/nowhere/made.json"]) == 3
        assert "cannot write /nowhere/made.json" in capsys.readouterr().err


def test_a_name_is_needed_where_there_are_many(capsys: pytest.CaptureFixture[str]) -> None:
    assert devicestatus.main(["schema"]) == 2
    message = capsys.readouterr().err
    assert message.startswith("devicestatus: a NAME is missing (choose from snapshot, window, ")
