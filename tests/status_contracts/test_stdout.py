"""A reader that ends first, and an output that is full, end a command without a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.devicestatus.examples import body, snapshot
from support.servers.commands import environment

FULL = Path("/dev/full")
PEOPLE = Path(__file__).parents[2] / "examples" / "lifesnaps"
PRACTICE = Path(__file__).parents[2] / "examples" / "practice" / "site-data.json"
COMMANDS = [
    ("devicestatus", "--help"),
    ("devicestatus", "schema", "openapi"),
    ("healthapi", "check", str(PEOPLE), "--json"),
    ("sitedata", "show", str(PRACTICE)),
]


def ended_with(output: int, *command: str) -> tuple[int, str]:
    """Run a command with an output; return its exit code and what it wrote to the other one."""
    product, *arguments = command
    done = subprocess.run(
        [sys.executable, "-m", f"{product}.cli.main", *arguments],
        input=body(snapshot()),
        stdout=output,
        stderr=subprocess.PIPE,
        check=False,
        env=environment({"PYTHONUNBUFFERED": ""}),
    )
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_reader_that_ends_first_is_quiet(command: tuple[str, ...]) -> None:
    """As in `devicestatus --help | true`."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert ended_with(writer, *command) == (141, "")
    finally:
        os.close(writer)


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", COMMANDS[:3], ids=" ".join)
def test_a_full_output_is_reported(command: tuple[str, ...]) -> None:
    with FULL.open("wb") as full:
        code, err = ended_with(full.fileno(), *command)
    message = "cannot write the output: No space left on device"
    assert (code, err) == (3, f"{command[0]}: {message}\n")
