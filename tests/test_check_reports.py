"""The reports of `devicestatus validate`, `healthapi check` and `sitedata check`."""

import json
import os
import shutil
from pathlib import Path
from typing import Any
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
    "devicestatus": ("status_contracts.devicestatus", "validate"),
    "healthapi": ("status_contracts.healthapi", "check"),
    "sitedata": ("status_contracts.sitedata", "check"),
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
    return run(command, *arguments, "--report", "r.sarif", "--report", "r.xml", module=module)


def results() -> Any:
    (log,) = json.loads(Path("r.sarif").read_bytes())["runs"]
    return log["results"]


def failures() -> dict[str | None, bool]:
    cases = ET.parse("r.xml").iter("testcase")  # noqa: S314 - just written
    return {case.get("name"): case.find("failure") is not None for case in cases}


def test_validate_reports_all_files() -> None:
    ended = check("devicestatus", "good.json", "bad.json")
    assert ended.code == 1
    assert "good.json: a valid snapshot" in ended.out
    assert "bad.json: /battery/percent: must be 0 to 100 [number.range]" in ended.out
    (found,) = results()
    assert found["ruleId"] == "number.range"
    assert found["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "bad.json"},
                "region": {"startLine": 2, "startColumn": 25},
            },
            "logicalLocations": [{"fullyQualifiedName": "/battery/percent", "kind": "member"}],
        }
    ]
    assert failures() == {"good.json": False, "bad.json": True}


def test_a_report_without_problems_is_written_as_well() -> None:
    assert check("devicestatus", "good.json").code == 0
    assert results() == []
    assert failures() == {"good.json": False}


def test_validate_prints_one_json_document_for_several_files() -> None:
    ended = run("validate", "good.json", "bad.json", "--json")
    shown = json.loads(ended.out)
    assert shown["valid"] is False
    assert [(each["file"], each["valid"], each["kind"]) for each in shown["files"]] == [
        ("good.json", True, "snapshot"),
        ("bad.json", False, "snapshot"),
    ]
    assert json.loads(run("validate", "good.json", "--json").out) == {
        "valid": True,
        "kind": "snapshot",
        "findings": [],
    }


@pytest.mark.parametrize(
    ("options", "level", "code"), [((), "warning", 0), (("--strict",), "error", 1)]
)
def test_broken_publishing_rules_are_errors_with_strict_only(
    options: tuple[str, ...], level: str, code: int
) -> None:
    ended = check("sitedata", "site.json", "odd.json", *options)
    assert ended.code == code
    assert ended.out.startswith("site.json:\na snapshot of ")
    assert {(found["ruleId"], found["level"]) for found in results()} == {("path.relative", level)}
    place = results()[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "odd.json"}
    line = Path("odd.json").read_text().splitlines()[place["region"]["startLine"] - 1]
    assert line == '   "path": "/absolute",'
    assert failures() == {"site.json": False, "odd.json": code == 1}


def test_a_pipe_is_read_once() -> None:
    """Its report has the same positions as that of a file."""
    check("sitedata", "odd.json")
    (of_file,) = results()
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as pipe:  # small enough for the buffer of a pipe
        pipe.write(json.dumps(json.loads(Path("odd.json").read_bytes()), indent=1).encode())
    with os.fdopen(reader):
        check("sitedata", f"/dev/fd/{reader}")
    (of_pipe,) = results()
    region = of_file["locations"][0]["physicalLocation"]["region"]
    assert region["startLine"] > 1
    assert of_pipe["locations"][0]["physicalLocation"]["region"] == region


def test_site_data_of_several_files_is_one_json_document() -> None:
    module = COMMANDS["sitedata"][0]
    shown = json.loads(run("check", "site.json", "odd.json", "--json", module=module).out)
    assert [each["file"] for each in shown["files"]] == ["site.json", "odd.json"]
    assert [len(each["warnings"]) for each in shown["files"]] == [0, 1]


def test_health_data_has_file_line_and_column_name() -> None:
    table = next(Path("people/bea").rglob("*.csv"))
    lines = table.read_text().splitlines()
    lines[2] = ",".join(["someday", *lines[2].split(",")[1:]])
    table.write_text("\n".join(lines))
    columns = ("--columns", "people/columns.toml")
    ended = check("healthapi", "people", *columns)
    assert ended.code == 1
    found = results()
    assert found
    place = found[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].startswith("people/bea/")
    assert place["region"]["startLine"] == 3
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
    assert "--report r.txt: the suffix is none of .sarif, .xml" in ended.err
