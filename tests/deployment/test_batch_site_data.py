"""The script of examples/batch builds the files of many repositories as each alone is built."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sitedata import BuildSettings, build, encode, parse
from sitedata.adapters.git import read_history
from support.sitedata.git_repositories import git, make, script
from support.sitedata.repositories import Write

pytestmark = pytest.mark.check

SCRIPT = Path(__file__).parents[2] / "examples" / "batch" / "site_data.py"
COUNT = 12
NOW = 1_800_000_000_000
SETTINGS = b'[repository]\nowner = "ada"\nname = "settings"\nbranch = "trunk"\n'


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of repositories; one has settings of its own, one is broken, one is none."""
    folder: Path = tmp_path_factory.mktemp("batch") / "repositories"
    for number in range(COUNT):
        names = [f"leetcode/{problem:04}.py".encode() for problem in range(1, 4 + number)]
        own = [Write(b"site-data.toml", SETTINGS)] if number == 3 else []
        path = folder / f"r{number:03}"
        make(path, script(*([Write(name, name)] for name in names), own), bare=False)
        git(path, "remote", "add", "origin", f"https://github.com/ada/r{number:03}.git")
    head = folder / "r005" / ".git" / "refs" / "heads" / "main"
    head.write_text("0" * 39 + "1\n", "utf-8")
    (folder / "r006-notes").mkdir()
    (folder / "list.txt").write_text("no folder", "utf-8")
    return folder


def run(repositories: Path, target: Path, workers: int) -> tuple[int, dict[str, Any], str]:
    command = [sys.executable, str(SCRIPT), str(repositories), str(target)]
    done = subprocess.run(
        [*command, "--workers", str(workers), "--now", str(NOW)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, json.loads(done.stdout), done.stderr


def test_processes_build_what_each_alone_builds(repositories: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    (code, report, _), other = run(repositories, one, 0), run(repositories, two, 2)
    assert code == other[0] == 1
    assert report["built"] == COUNT - 1
    assert {**report, "seconds": 0} == {**other[1], "seconds": 0}
    files = {path.name: path.read_bytes() for path in two.iterdir()}
    assert files == {path.name: path.read_bytes() for path in one.iterdir()}
    assert len(files) == COUNT - 1
    history = read_history(repositories / "r004")
    alone = build(history, BuildSettings(), generated_at=NOW).snapshot
    assert files["r004.json"] == encode(alone)
    assert parse(files["r003.json"]).repository.name == "settings"


def test_a_repository_that_cannot_be_built_is_named_and_keeps_its_file(
    repositories: Path, tmp_path: Path
) -> None:
    old = tmp_path / "r005.json"
    old.write_bytes(b"old")
    code, report, errors = run(repositories, tmp_path, 2)
    assert code == 1
    assert report["failed"] == ["r005", "r006-notes"]
    assert [line.partition(":")[0] for line in errors.splitlines()] == report["failed"]
    assert old.read_bytes() == b"old"
    assert (tmp_path / "r011.json").exists()
