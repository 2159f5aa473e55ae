"""The subcommand `schema` of the three commands, in process."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from devicestatus.cli.main import main as devicestatus
from healthapi.cli.main import main as healthapi
from sitedata.cli.main import main as sitedata
from status_contracts.cli.shipped import build_schemas

Main = Callable[[Sequence[str]], int]
COMMANDS = (
    (devicestatus, "devicestatus", "window"),
    (healthapi, "healthapi", "dashboard"),
    (sitedata, "sitedata", "site-data"),
)
each_command = pytest.mark.parametrize(("main", "product", "name"), COMMANDS)


@each_command
class TestSchema:
    def test_it_prints_a_schema(
        self, main: Main, product: str, name: str, capsysbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        for each in (name, "openapi"):
            assert main(["schema", each]) == 0
            assert capsysbinary.readouterr().out == build_schemas(product).text(each).encode()

    def test_it_writes_a_file(self, main: Main, product: str, name: str, tmp_path: Path) -> None:
        path = tmp_path / "made.json"
        assert main(["schema", name, "-o", str(path)]) == 0
        assert path.read_bytes() == build_schemas(product).text(name).encode()

    def test_it_lists_the_names(
        self, main: Main, product: str, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["schema", "--list"]) == 0
        lines = capsys.readouterr().out.splitlines()
        listed = [line.split()[0] for line in lines[1:]]
        assert tuple(listed) == build_schemas(product).names
        assert name in listed

    def test_an_unknown_name_lists_the_choices_and_the_nearest(
        self, main: Main, product: str, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["schema", f"{name}x"]) == 2
        message = capsys.readouterr().err
        assert f"invalid choice '{name}x' (choose from " in message
        assert message.endswith(f"did you mean '{name}'?\n")

    def test_a_folder_that_is_not_there(
        self, main: Main, product: str, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["schema", name, "-o", "/nowhere/made.json"]) == 3
        assert "cannot write /nowhere/made.json" in capsys.readouterr().err


def test_a_name_is_needed_where_there_are_many(capsys: pytest.CaptureFixture[str]) -> None:
    assert devicestatus(["schema"]) == 2
    message = capsys.readouterr().err
    assert message.startswith("devicestatus: a NAME is missing (choose from snapshot, window, ")
