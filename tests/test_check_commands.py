"""`devicestatus validate`, `healthapi check` and `sitedata check` list problems in one form."""

import json
import os
import shutil
from pathlib import Path

import pytest

from support.servers.commands import Ended, run, run_on_terminal

EXAMPLES = Path(__file__).parents[1] / "examples"
SNAPSHOT = """\
{"schema_version": 1, "collected_at": "2026-01-31T12:00:00Z", "active_app": null,
 "battery": {"percent": 50, "charging": null, "power_source": "ac"},
 "system": {"load_1m": null, "load_5m": null, "load_15m": null},
 "music": {"state": "stopped", "track": null, "artist": null}}
"""


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.json").write_text(SNAPSHOT)
    Path("bad.json").write_text(SNAPSHOT.replace("50", "101"))
    site = json.loads((EXAMPLES / "practice" / "site-data.json").read_bytes())
    Path("site.json").write_text(json.dumps(site))
    site["problems"][1]["path"] = "/absolute"
    Path("odd.json").write_text(json.dumps(site, indent=1))


def check_site(*arguments: str) -> Ended:
    return run("check", *arguments, module="sitedata.cli.main")


def test_validate_lists_the_problems_of_all_files_and_then_the_files() -> None:
    ended = run("validate", "good.json", "bad.json")
    assert ended.code == 1
    assert ended.out.splitlines() == [
        "bad.json:2 /battery/percent: 101: must be 0 to 100 [number.range]",
        "good.json: a valid snapshot",
        "bad.json: not a valid snapshot: 1 problem",
        "(not checked: the clock of the device; give --received-at TIME)",
    ]


def test_a_terminal_has_colours_and_no_image() -> None:
    code, shown = run_on_terminal("validate", "bad.json", columns=200)
    line, _ = shown.splitlines()
    place = "\33[1mbad.json:2 /battery/percent:\33[0m"
    assert (code, line) == (1, f"{place} 101: must be 0 to 100 \33[31m[number.range]\33[0m")
    assert run_on_terminal("explain", "bad.json", columns=200) == (1, f"{line}\n")
    remedy = " an image is not for a terminal: give -o FILE, or pipe it\n"
    assert run_on_terminal("badge", "good.json") == (2, f"\33[1;31mdevicestatus:\33[0m{remedy}")


@pytest.mark.parametrize("module", ["devicestatus.cli.main", "sitedata.cli.main"])
def test_a_file_that_cannot_be_read_hides_no_other(module: str) -> None:
    product = module.partition(".")[0]
    command, good = {"devicestatus": ("validate", "good"), "sitedata": ("check", "site")}[product]
    ended = run(command, f"{good}.json", "none.json", f"{good}.json", ".", module=module)
    assert (ended.code, ended.out.count(f"{good}.json: a valid snapshot")) == (3, 1)
    assert ended.err.splitlines() == [
        f"{product}: cannot read none.json: it does not exist",
        f"{product}: cannot read .: it is a folder; give a file",
    ]
    ended = run(command, f"{good}.json", "none.json", "--json", module=module)
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (3, "", 1)


def test_validate_prints_one_json_document_for_several_files() -> None:
    ended = run("validate", "good.json", "bad.json", "--json")
    shown = json.loads(ended.out)
    assert shown["valid"] is False
    assert [(each["file"], each["valid"], each["kind"]) for each in shown["files"]] == [
        ("good.json", True, "snapshot"),
        ("bad.json", False, "snapshot"),
    ]
    assert shown["files"][1]["findings"] == [
        {
            "path": "/battery/percent",
            "rule": "number.range",
            "message": "must be 0 to 100",
            "line": 2,
            "text": "101",
        }
    ]
    one = json.loads(run("validate", "good.json", "--json").out)
    assert one == {"valid": True, "kind": "snapshot", "findings": []}


@pytest.mark.parametrize(
    ("options", "end", "code"), [((), "", 0), (("--strict",), ", refused because of --strict", 1)]
)
def test_broken_publishing_rules_are_refused_with_strict_only(
    options: tuple[str, ...], end: str, code: int
) -> None:
    ended = check_site("site.json", "odd.json", *options)
    assert ended.code == code
    line, site, odd = ended.out.replace("\n    ", " ").splitlines()
    assert line.startswith('odd.json:68 /problems/1/path: warning: "/absolute": ')
    assert line.endswith("[path.relative]")
    assert site.startswith("site.json: a valid snapshot of ")
    assert odd.endswith(f"1 warning{end}")


def test_a_pipe_is_read_once() -> None:
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as pipe:  # small enough for the buffer of a pipe
        pipe.write(Path("odd.json").read_bytes())
    with os.fdopen(reader):
        name = f"/dev/fd/{reader}"
        ended = check_site(name, name)
    assert (ended.code, ended.out.count("[path.relative]")) == (0, 1)


def test_site_data_of_several_files_is_one_json_document() -> None:
    shown = json.loads(check_site("site.json", "odd.json", "--json").out)
    assert [each["file"] for each in shown["files"]] == ["site.json", "odd.json"]
    assert [len(each["warnings"]) for each in shown["files"]] == [0, 1]
    Path("broken.json").write_text("{")
    shown = json.loads(check_site("broken.json", "--json").out)
    assert [error["rule"] for error in shown["errors"]] == ["json.text"]


def test_health_data_has_file_line_column_and_the_cell() -> None:
    shutil.copytree(EXAMPLES / "lifesnaps" / "person-1", "people/anna")
    table = next(Path("people/anna").rglob("*.csv"))
    rows = table.read_text().splitlines()
    rows[2] = ",".join([f"some\x1bday\u202e{60 * 'x'}", *rows[2].split(",")[1:]])
    table.write_text("\n".join(rows))
    columns = EXAMPLES / "lifesnaps" / "columns.toml"
    ended = run("check", "people", "--columns", columns, module="healthapi.cli.main")
    assert ended.code == 1
    line = ended.out.replace("\n    ", " ").splitlines()[0]
    quoted = rf"'some\x1bday\u202e{31 * 'x'}'"
    assert line.startswith(f"{table.relative_to('people').as_posix()}:3 ")
    assert f": {quoted}: a date must begin with YYYY-MM-DD" in line
    assert line.endswith("[date.form]")
