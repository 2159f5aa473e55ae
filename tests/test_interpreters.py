"""Every hostile case has the same outcome however the interpreter was started.

Without assertions, in development mode with warnings as errors, with other limits on the digits of
integers, with another seed of hashes, in an odd time zone.
"""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

import pytest

pytestmark = pytest.mark.check

TESTS: Final = Path(__file__).parent
SCRIPT: Final = TESTS / "support" / "faults" / "hostile_cases.py"
WAYS: Final[dict[str, tuple[list[str], dict[str, str]]]] = {
    "development mode, in a time zone of 5:45": (
        ["-X", "dev", "-W", "error"],
        {"TZ": "Asia/Kathmandu"},
    ),
    "no assertions, least limit on digits, hashes without a seed": (
        ["-OO"],
        {"PYTHONINTMAXSTRDIGITS": "640", "PYTHONHASHSEED": "0"},
    ),
    "no limit on digits, a locale of ASCII": (
        [],
        {
            "PYTHONINTMAXSTRDIGITS": "0",
            "LC_ALL": "C",
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
        },
    ),
}


def outcomes(options: list[str], environment: dict[str, str]) -> list[str]:
    """Run the cases; give a line for each."""
    ran = subprocess.run(
        [sys.executable, *options, str(SCRIPT)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(TESTS), **environment},
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.splitlines()


@cache
def usual() -> list[str]:
    return outcomes([], {})


class TestOutcomes:
    def test_there_are_some_of_each_kind(self) -> None:
        outcomes = {line.rpartition(": ")[2].split()[0] for line in usual()}
        assert {"invalid_json", "invalid_payload", "service_unavailable", "None"} <= outcomes
        assert len(usual()) > 4000

    @pytest.mark.parametrize("way", WAYS)
    def test_are_the_same(self, way: str) -> None:
        assert outcomes(*WAYS[way]) == usual()
