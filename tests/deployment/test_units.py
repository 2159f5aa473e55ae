"""The unit of systemd, for one computer and for two: its commands serve what the guide says."""

import re
from pathlib import Path

import pytest

from support.servers.commands import run_until

FILES = Path(__file__).parents[2] / "examples/deployment"
UNIT = re.sub(r"\\\n#?", "", (FILES / "devicestatus.service").read_text("utf-8"))
COMMANDS = re.findall(r"^#?ExecStart=\S+/devicestatus (.*)$", UNIT, re.MULTILINE)


@pytest.mark.parametrize(
    ("command", "page"),
    [*zip(COMMANDS, ("/desktop/", "status as JSON"), strict=True)],
    ids=["two", "one"],
)
def test_a_command_of_the_unit_serves(command: str, page: str, tmp_path: Path) -> None:
    """With the credentials that the unit loads, and nothing else."""
    names = re.findall(r"\$\{CREDENTIALS_DIRECTORY\}/(\w+)", command)
    for number, name in enumerate(names):
        assert re.search(rf"^#?LoadCredential={name}:/etc/devicestatus/{name}$", UNIT, re.MULTILINE)
        path = tmp_path / name
        path.write_text(str(number) * 64)
        path.chmod(0o600)
    arguments = command.replace("${CREDENTIALS_DIRECTORY}", str(tmp_path)).split()
    ended = run_until(re.escape(page), *arguments, "--port", "0", "--store", "memory:")
    assert ended.code == 0, ended.err


def test_an_agent_of_the_unit_needs_no_argument() -> None:
    unit = (FILES / "devicestatus-agent.service").read_text("utf-8")
    assert "\nExecStart=%h/.local/share/status/bin/devicestatus agent\n" in unit
