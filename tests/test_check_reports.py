"""The reports of `devicestatus validate`, `healthapi check` and `sitedata check`."""

import json
import os
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from support.servers.commands import Ended, run

EXAMPLES = Path(__file__).parents[1] / "examples"
SNAPSHOT = """\
{"schema_version": 1, "collected_at": "2026-01-31T12:00:00Z", "active_app": null,
 "battery": {"percent": 50, "charging": null, "power_source": "ac"},
 "system": {"load_1m": null, "load_5m": null, "load_15m": null},
 "music": {"state": "stopped", "track": null, "artist": null}}
"""
COMMANDS = {
    "devicestatus": ("devicestatus.cli.main", "validate"),
    "healthapi": ("healthapi.cli.main", "check"),
    "sitedata": ("sitedata.cli.main", "check"),
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.json").write_text(SNAPSHOT)
    Path("bad.json").write_text(SNAPSHOT.replace("50", "101"))
    site = json.loads((EXAMPLES / "practice" / "site-data.json").read_bytes())
    Path("site.json").write_text(json.dumps(site))
    site["problems"][1]["path"] = "/absolute"
    Path("odd.json").write_text(json.dumps(site, indent=1))
    shutil.copytree(EXAMPLES / "lifesnaps" / "person-1", "people/anna")
    shutil.copy(EXAMPLES / "lifesnaps" / "columns.toml", "people")
    shutil.copytree("people/anna", "people/bea")


def check(product: str, *arguments: str) -> Ended:
    module, command = COMMANDS[product]
    return run(command, *arguments, "--report", "r.xml", module=module)


def cases() -> list[ET.Element]:
    return list(ET.parse("r.xml").iter("testcase"))  # noqa: S314 - just written


def failures() -> dict[str | None, bool]:
    return {case.get("name"): case.find("failure") is not None for case in cases()}


def lines() -> list[str]:
    """Return the problems, errors and warnings, of all cases."""
    return [line for case in cases() for child in case for line in (child.text or "").split("\n")]


def test_validate_reports_all_files() -> None:
    ended = check("devicestatus", "good.json", "bad.json")
    assert ended.code == 1
    assert "good.json: a valid snapshot" in ended.out
    assert ended.out.startswith("bad.json /battery/percent: must be 0 to 100 [number.range]\n")
    assert lines() == ["bad.json /battery/percent: must be 0 to 100 [number.range]"]
    assert failures() == {"good.json": False, "bad.json": True}


def test_a_report_without_problems_is_written_as_well() -> None:
    assert check("devicestatus", "good.json").code == 0
    assert failures() == {"good.json": False}


def test_validate_prints_one_json_document_for_several_files() -> None:
    ended = run("validate", "good.json", "bad.json", "--json")
    shown = json.loads(ended.out)
    assert shown["valid"] is False
    assert [(each["file"], each["valid"], each["kind"]) for each in shown["files"]] == [
        ("good.json", True, "snapshot"),
        ("bad.json", False, "snapshot"),
    ]
    assert shown["files"][1]["findings"] == [
        {"path": "/battery/percent", "rule": "number.range", "message": "must be 0 to 100"}
    ]
    assert json.loads(run("validate", "good.json", "--json").out) == {
        "valid": True,
        "kind": "snapshot",
        "findings": [],
    }


@pytest.mark.parametrize(
    ("options", "element", "code"), [((), "system-out", 0), (("--strict",), "failure", 1)]
)
def test_broken_publishing_rules_are_errors_with_strict_only(
    options: tuple[str, ...], element: str, code: int
) -> None:
    ended = check("sitedata", "site.json", "odd.json", *options)
    assert ended.code == code
    assert "\nsite.json: a valid snapshot of " in ended.out
    assert [child.tag for case in cases() for child in case] == [element]
    (line,) = lines()
    assert line.startswith("odd.json /problems/1/path: ")
    assert line.endswith("[path.relative]")
    assert failures() == {"site.json": False, "odd.json": code == 1}


def test_a_pipe_is_read_once() -> None:
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as pipe:  # small enough for the buffer of a pipe
        pipe.write(Path("odd.json").read_bytes())
    with os.fdopen(reader):
        name = f"/dev/fd/{reader}"
        assert check("sitedata", name, name).code == 0
    (line,) = lines()
    assert "[path.relative]" in line


def test_site_data_of_several_files_is_one_json_document() -> None:
    module = COMMANDS["sitedata"][0]
    shown = json.loads(run("check", "site.json", "odd.json", "--json", module=module).out)
    assert [each["file"] for each in shown["files"]] == ["site.json", "odd.json"]
    assert [len(each["warnings"]) for each in shown["files"]] == [0, 1]
    Path("broken.json").write_text("{")
    shown = json.loads(run("check", "broken.json", "--json", module=module).out)
    assert [error["rule"] for error in shown["errors"]] == ["json.text"]


def test_health_data_has_file_line_and_column_name() -> None:
    table = next(Path("people/bea").rglob("*.csv"))
    rows = table.read_text().splitlines()
    rows[2] = ",".join(["someday", *rows[2].split(",")[1:]])
    table.write_text("\n".join(rows))
    columns = ("--columns", "people/columns.toml")
    ended = check("healthapi", "people", *columns)
    assert ended.code == 1
    assert any(line.startswith(f"{table.as_posix()}:3 ") and "[date." in line for line in lines())
    assert failures() == {"anna": False, "bea": True}


def test_a_folder_without_profiles_is_a_failed_case() -> None:
    Path("empty").mkdir()
    assert check("healthapi", "empty").code == 1
    assert failures() == {"empty": True}


@pytest.mark.parametrize("product", COMMANDS)
def test_an_unknown_suffix_is_refused_before_anything_is_read(product: str) -> None:
    module, command = COMMANDS[product]
    ended = run(command, "absent", "--report", "r.txt", module=module)
    assert ended.code == 2
    assert "--report r.txt: the suffix is none of .xml" in ended.err
