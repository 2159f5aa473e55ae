"""The hooks for pre-commit: what each runs, on the files that it chooses."""

import re
from pathlib import Path

import pytest

from support.servers.commands import run

ROOT = Path(__file__).parents[1]
MANIFEST = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
ENTRIES = [
    dict(re.findall(r"^[- ] (\w+): (.+)$", text, re.MULTILINE))
    for text in re.split("^(?=- )", MANIFEST, flags=re.MULTILINE)
]
HOOKS = {fields["id"]: fields for fields in ENTRIES[1:]}


def test_hooks_have_what_pre_commit_needs() -> None:
    assert HOOKS.keys() == {"devicestatus-validate", "sitedata-check"}
    for fields in HOOKS.values():
        assert {"id", "name", "entry", "language", "files"} <= fields.keys()
        assert fields["language"] == "python"


@pytest.mark.parametrize(
    ("hook", "names", "others"),
    [
        (
            "devicestatus-validate",
            ["devicestatus/a.json", "x/device-status/deep/a.json"],
            ["a.json", "mydevicestatus/a.json", "devicestatus/a.txt"],
        ),
        ("sitedata-check", ["site-data.json", "x/site-data.json"], ["my-site-data.json"]),
    ],
)
def test_hooks_choose_files(hook: str, names: list[str], others: list[str]) -> None:
    pattern = HOOKS[hook]["files"]
    assert [name for name in names if not re.search(pattern, name)] == []
    assert [name for name in others if re.search(pattern, name)] == []


@pytest.mark.parametrize("hook", HOOKS)
def test_the_command_of_a_hook_takes_several_files(hook: str, tmp_path: Path) -> None:
    program, *arguments = HOOKS[hook]["entry"].split()
    good = ROOT / "examples" / "practice" / "site-data.json"
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    ended = run(*arguments, bad, bad, module=f"{program}.cli.main")
    assert ended.code == 1
    if program == "sitedata":
        assert run(*arguments, good, good, module=f"{program}.cli.main").code == 0
