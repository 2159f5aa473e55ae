"""The demonstration with other profiles, and the round of the health data."""

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from demonstration.health_round import whole_round
from demonstration.probes import Answer, Probe, fault_of, go_round
from demonstration.probes import ask as ask_probe

from healthapi.adapters import asgi
from support.servers.commands import DEMO, Ended
from support.servers.commands import run as run_module
from support.servers.servers import serve_asgi

EXAMPLES = Path(__file__).parents[2] / "examples"
PEOPLE = EXAMPLES / "lifesnaps"
ROOT = "/api/public/v1"
SNAPSHOT = {
    "saved_at": "2026-01-31T08:00:00",
    "endpoints": {
        "devices": {"ok": True, "status": 200, "data": [{"id": "1", "deviceVersion": "Band"}]},
        "odd key/with slash": {"ok": True, "status": 200, "data": {}},
        "badges": {"ok": False, "status": 500},
    },
}


def demo(*arguments: object) -> Ended:
    """Run the demonstration until it exits."""
    return run_module(*arguments, module=DEMO)


def rows(result: Ended) -> list[tuple[str, str, str]]:
    """Return method, path and status of every line of the table."""
    lines = (line.split(maxsplit=3) for line in result.out.splitlines())
    return [(line[0], line[1], line[2]) for line in lines if line[0].isupper()]


class TestOnce:
    def test_other_profiles_are_shown(self, tmp_path: Path) -> None:
        shutil.copytree(PEOPLE, tmp_path / "root")
        (tmp_path / "root" / "person-1").rename(tmp_path / "root" / "grace")
        cache = tmp_path / "root" / "grace" / "cache"
        cache.mkdir()
        cache.joinpath("fitbit_profile_snapshot.json").write_text(json.dumps(SNAPSHOT))
        result = demo("--once", "--health", tmp_path / "root")
        assert (result.code, result.err) == (0, ""), result
        found = {(path, status) for _, path, status in rows(result)}
        below = f"{ROOT}/profiles/grace/snapshot/endpoints"
        assert {(f"{below}/devices", "200"), (f"{below}/badges", "200")} <= found
        assert ("/health/", "200") in found

    @pytest.mark.parametrize("name", ["none", "person-1"])
    def test_an_unreadable_folder_is_reported(
        self, tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        shutil.copytree(PEOPLE, tmp_path / "root")
        (tmp_path / "root" / "person-1" / "csv" / "person.csv").write_bytes(b"\xff")
        folder = tmp_path / (name if name == "none" else "root")
        result = demo("--once", "--health", folder)
        assert result.out == ""
        if name == "none":
            assert (result.code, result.err) == (
                3,
                f"python examples/demo.py: cannot read {folder}: No such file or directory\n",
            )
        else:
            assert result.code == 1
            assert "person-1/csv/person.csv: file.encoding" in caplog.text
            assert (
                "python examples/demo.py: not all profiles can be read: see healthapi check"
                in result.err
            )


def faults(serve: Callable[[Probe], Answer]) -> list[str]:
    """Send a round; return the paths with wrong responses."""
    found = []

    async def answer(probe: Probe) -> Answer:
        answer = serve(probe)
        if fault_of(probe, answer) is not None:
            found.append(f"{probe.method} {probe.path}")
        return answer

    asyncio.run(go_round(whole_round(("person-1", "person-2")), answer))
    return found


class TestRound:
    def test_a_service_of_other_profiles_has_faults(self, tmp_path: Path) -> None:
        shutil.copytree(PEOPLE / "person-1", tmp_path / "root" / "person-3")
        with serve_asgi(asgi.create_app(tmp_path / "root")) as url:
            found = faults(lambda probe: ask_probe(url, probe))
        assert f"GET {ROOT}/profiles/person-1/dashboard" in found
        assert f"GET {ROOT}/profiles/person-2/dashboard" in found
        assert f"GET {ROOT}/profiles" not in found
        assert f"GET {ROOT}/docs" not in found
