"""The vectors under Node: the runner of the examples."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from support.servers.services import need
from support.vectors.cases import FOLDER

pytestmark = pytest.mark.check

ROOT: Final = FOLDER.parent
RUNNER: Final = ROOT / "examples" / "vectors" / "run.mjs"


def node(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Node."""
    return subprocess.run(
        [need("node", "nodejs"), *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def count(topic: str) -> int:
    cases: int = json.loads((FOLDER / "devicestatus" / f"{topic}.json").read_text("utf-8"))["count"]
    return cases


class TestRunner:
    """The rules written once more in JavaScript agree with the vectors."""

    def test_every_case_of_three_topics_is_as_expected(self) -> None:
        done = node(str(RUNNER), str(FOLDER))
        lines = [f"{t}: {count(t)} of {count(t)}" for t in ("parsing", "deadlines", "projection")]
        assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, lines, "")

    @pytest.mark.parametrize(
        ("topic", "number", "place", "value"),
        [
            ("parsing", 0, ("expected", "valid"), False),
            ("parsing", 0, ("expected", "value", "active_app"), "Files"),
            ("parsing", 1, ("expected", "error"), "invalid_json"),
            ("parsing", 0, ("input", "received_at"), 0),
            ("deadlines", 0, ("expected", "deadline"), 1),
            ("deadlines", 1, ("expected", "expired"), False),
            ("projection", 0, ("expected", "states", 1, "state", "active_app"), "Files"),
            ("projection", 8, ("expected", "states", 1, "reason"), "exhausted"),
        ],
    )
    def test_a_vector_that_is_wrong_fails(
        self, tmp_path: Path, topic: str, number: int, place: tuple[Any, ...], value: object
    ) -> None:
        shutil.copytree(FOLDER, tmp_path / "vectors")
        path = tmp_path / "vectors" / "devicestatus" / f"{topic}.json"
        content = json.loads(path.read_text("utf-8"))
        parent: Any = content["cases"][number]
        for step in place[:-1]:
            parent = parent[step]
        assert parent[place[-1]] != value
        parent[place[-1]] = value
        path.write_text(json.dumps(content), "utf-8")
        done = node(str(RUNNER), str(tmp_path / "vectors"))
        assert done.returncode == 1
        assert f"{topic}/{content['cases'][number]['id']}: differs" in done.stdout

    def test_a_missing_case_fails(self, tmp_path: Path) -> None:
        shutil.copytree(FOLDER, tmp_path / "vectors")
        path = tmp_path / "vectors" / "devicestatus" / "deadlines.json"
        content = json.loads(path.read_text("utf-8"))
        del content["cases"][0]
        path.write_text(json.dumps(content), "utf-8")
        assert node(str(RUNNER), str(tmp_path / "vectors")).returncode == 1
