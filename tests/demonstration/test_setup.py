"""The set-up reports each step before it starts, because some take more than a minute."""

import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.check

PROJECT = Path(__file__).parents[2]
SLOW = re.compile(r"-m venv|pip install|-m pip .* install")


@pytest.mark.parametrize("target", ["demo", "fuzz", "mutation", "bench"])
def test_every_slow_step_is_announced(target: str, tmp_path: Path) -> None:
    command = ["make", "--dry-run", "--no-print-directory", f"VENV={tmp_path}/venv", target]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    lines = done.stdout.replace("\\\n", " ").splitlines()
    slow = [number for number, line in enumerate(lines) if SLOW.search(line)]
    assert len(slow) >= 3
    assert [lines[number] for number in slow if not lines[number - 1].startswith("echo ")] == []
    assert re.search(r"takes \d to \d minutes", lines[1])
