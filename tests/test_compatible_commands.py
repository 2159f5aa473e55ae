"""The subcommand `compatible` of the three commands, in process."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from status_contracts import devicestatus, healthapi, sitedata

Main = Callable[[Sequence[str]], int]
REPOSITORY = Path(__file__).parents[1]
RULES = "src/devicestatus/contract/rules.toml"


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """Return a folder with two documents and the rules, where names of apps may be longer."""
    folder = tmp_path / "edited"
    folder.mkdir()
    for name in ("snapshot", "error"):
        text = (REPOSITORY / f"schemas/device-status/{name}.json").read_text()
        (folder / f"{name}.json").write_text(text.replace('"maxLength": 200', '"maxLength": 201'))
    shutil.copy(REPOSITORY / RULES, folder / "rules.toml")
    return folder


@pytest.fixture
def deployed(edited: Path) -> Path:
    """Return a folder with the same documents and rules as they are in the repository."""
    folder = edited.parent / "deployed"
    shutil.copytree(edited, folder)
    for path in folder.glob("*.json"):
        shutil.copy(REPOSITORY / "schemas" / "device-status" / path.name, path)
    return folder


@pytest.mark.parametrize("main", [devicestatus.main, healthapi.main, sitedata.main])
def test_a_checkout_is_compatible_with_itself(
    main: Main, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compatible", str(REPOSITORY), str(REPOSITORY)]) == 0
    assert capsys.readouterr().out == "deploy in any order: nothing that was compared breaks\n"


def test_it_prints_the_order_and_each_break(
    deployed: Path, edited: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert devicestatus.main(["compatible", str(deployed), str(edited)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "deploy in this order: service, agent"
    words = "maxLength 200 -> 201; old service refuses what new agent may write (snapshot)"
    assert lines[3] == f"  Snapshot /active_app: {words}"


def test_json_has_the_findings(
    deployed: Path, edited: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert devicestatus.main(["compatible", str(edited), str(deployed), "--json"]) == 1
    made = json.loads(capsys.readouterr().out)
    assert made["order"] == ["agent", "service"]
    assert made["decided"]
    assert made["rules"] == []
    finding = made["findings"][0]
    assert (finding["pointer"], finding["reader"]) == ("/active_app", "new service")


def test_what_is_left_to_a_person_has_its_section(
    deployed: Path, edited: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (edited / "rules.toml").unlink()
    (edited / "error.json").write_text('{"oneOf": []}')
    assert devicestatus.main(["compatible", str(deployed), str(edited)]) == 1
    output = capsys.readouterr().out
    assert "not decided, read them:\n  error: the keyword oneOf is not compared\n" in output
    assert "rules.toml not compared: it is missing in a version\n" in output


def test_a_folder_without_a_version(
    deployed: Path, edited: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert devicestatus.main(["compatible", str(edited / "none"), str(deployed)]) == 2
    assert "contains no schemas; expected the files of schemas/device-status" in (
        capsys.readouterr().err
    )
    (edited / "rules.toml").write_text("prefix = 1")
    assert devicestatus.main(["compatible", str(deployed), str(edited)]) == 2
    assert "rules.toml: " in capsys.readouterr().err
    (edited / "error.json").write_text("{")
    assert devicestatus.main(["compatible", str(deployed), str(edited)]) == 2
    assert "error.json: " in capsys.readouterr().err
