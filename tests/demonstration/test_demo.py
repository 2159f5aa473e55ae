"""The demonstration: one round in this process; a real process that keeps serving."""

import asyncio
import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from demonstration.device_round import small_window, whole_round
from demonstration.past import record_past
from demonstration.probes import Answer, Probe, ask, fault_of, go_round
from demonstration.running import Demonstration

from devicestatus.adapters import APP_ICONS
from devicestatus.adapters.asgi import create_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.agent.recorder import Batch, Recorder
from devicestatus.engine.projection import prepare
from devicestatus.models import Snapshot
from devicestatus.settings import Settings
from devicestatus.validation.parse import check_window
from healthapi.http.endpoints import ENDPOINTS, ROOT
from purewire.adapters.clocks import system_clock
from purewire.adapters.commands.exit_codes import Failed
from purewire.instants import MINUTE_MS
from purewire.primitives import ABSENT
from status_agent.capture.capture import Capture
from support.devicestatus.examples import (
    COVERED_SONG,
    NOON,
    SESSION,
    TOKEN,
    body,
    snapshot,
)
from support.servers.commands import DEMO, TIMEOUT_SECONDS, Ended, environment, run, started
from support.servers.servers import ask as ask_server
from support.servers.servers import serve_asgi

PATHS = (
    "/api/update",
    "/api/batch",
    "/api/now",
    "/api/timeline",
    "/api/music",
    "/api/apps/active",
    "/api/apps/running",
    "/api/device",
    "/api/badge.svg",
    "/api/health",
    "/api/icons",
    "/update",
    "/now",
    "/badge.svg",
    "/health",
    "/",
    "/api",
    "/app-icons/index.json",
)
SECRET = re.compile(r"[0-9a-f]{64}")


def demo(tmp_path: Path, *arguments: object) -> Ended:
    """Run the demonstration; it shows no token and leaves nothing in the temporary folder."""
    result = run(*arguments, module=DEMO, env={"TMPDIR": str(tmp_path)})
    assert not SECRET.search(result.out + result.err)
    assert not list(tmp_path.iterdir())
    return result


def shown(result: Ended) -> list[tuple[str, str, str]]:
    """Return method, path and status of every line of the table."""
    rows = (line.split(maxsplit=3) for line in result.out.splitlines())
    return [(row[0], row[1], row[2]) for row in rows if row[0].isupper()]


class TestOnce:
    def test_every_endpoint_is_requested(self, tmp_path: Path) -> None:
        result = demo(tmp_path, "--once")
        assert (result.code, result.err) == (0, ""), result
        assert result.out.endswith("all responses are as expected\n")
        rows = shown(result)
        paths = {path for _, path, status in rows if status == "200"}
        assert paths >= set(PATHS)
        for endpoint in ENDPOINTS:
            if endpoint.name != "snapshot-endpoint":  # these profiles have no snapshot
                assert any(endpoint.pattern.fullmatch(path.encode()) for path in paths), (
                    endpoint.path
                )
        assert any(re.fullmatch(r"/api/icons/[a-z0-9-]+\.png", path) for path in paths)
        assert any(re.fullmatch(r"/app-icons/[a-z0-9-]+\.png", path) for path in paths)
        assert {method for method, _, _ in rows} == {"GET", "HEAD", "OPTIONS", "POST"}
        statuses = {status for _, _, status in rows}
        assert statuses == {"200", "204", "304", "400", "401", "404", "405", "413", "415"}
        of_health = {status for _, path, status in rows if path.startswith(ROOT)}
        assert of_health == {"200", "204", "304", "404", "405"}

    def test_a_store_that_cannot_be_written_is_reported(self, tmp_path: Path) -> None:
        result = demo(tmp_path, "--once", "--store", "sqlite:/no/such/folder/status.db")
        assert (result.code, result.out) == (3, "")
        assert "cannot open the store" in result.err

    def test_missing_icons_are_reported(self, tmp_path: Path) -> None:
        icons = tmp_path / "icons"
        icons.mkdir()
        (tmp_path / "temporary").mkdir()
        result = demo(tmp_path / "temporary", "--once", "--assets", icons)
        assert result.code == 1
        assert "GET /api/icons: 503, expected 200" in result.err
        assert "GET /app-icons/index.json: 404, expected 200" in result.err
        assert ("POST", "/api/batch", "200") in shown(result)
        assert "all responses are as expected" not in result.out


class TestServing:
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_it_serves_until_a_signal_and_leaves_nothing(
        self, number: signal.Signals, tmp_path: Path
    ) -> None:
        with started(module=DEMO, env={"TMPDIR": str(tmp_path)}) as running:
            url = running.wait_for(r"http://127.0.0.1:80\d\d(?=/  home page)")
            running.wait_for("accepted; 1 accepted so far")
            (folder,) = tmp_path.iterdir()
            assert folder.stat().st_mode & 0o077 == 0
            assert [path.name for path in folder.iterdir()] == ["status.db"]
            running.wait_for(rf"{url}{ROOT}/docs  documentation")
            chart = running.wait_for(rf"(?<={url}){ROOT}\S+\.svg(?=  chart of person-1)")
            answer = ask_server(url, "GET", "/api/now")
            assert json.loads(answer.body)["status"] == "online"
            assert ask_server(url, "GET", chart).body.startswith(b"<svg")
            running.wait_for(rf"{url}/health/(?=  health page)")
            page = ask_server(url, "GET", "/health/").body.decode()
            assert page.count("Example data: days of a participant of the LifeSnaps study") == 1
            shown = re.sub(r"<[^>]*>", "", page.split("<noscript>")[0].split("<body")[1])
            assert "person-1" not in shown
            listed = ask_server(url, "GET", f"/health{ROOT}/profiles").json["data"]["profiles"]
            assert [each["id"] for each in listed] == ["person-1"]
            assert b"person-3" in ask_server(url, "GET", "/people/").body
            for path in ("/", "/health/", "/practice/"):
                page = ask_server(url, "GET", path).body.decode()
                assert page.count("Example data: ") == 1, path
                for other in ("/", "/health/", "/practice/"):
                    assert f'<a href="{other}">' in page, (path, other)
            for path in (f"{ROOT}s", "/api/public", "/api/public/v2"):
                found = json.loads(ask_server(url, "GET", path).body)
                assert found == {"error": "not_found"}, path
            found = json.loads(ask_server(url, "GET", f"{ROOT}/x").body)
            assert found["api_version"] == "v1"
            result = running.stop(number)
        assert (result.code, result.err) == (0, "")
        assert not list(tmp_path.iterdir())
        assert not SECRET.search(result.out)

    def test_a_terminal_has_one_line_that_changes(self, tmp_path: Path) -> None:
        watcher, terminal = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", DEMO, "--port", "0"],
            env=environment({"TMPDIR": str(tmp_path)}),
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
        )
        os.close(terminal)
        try:
            shown = b""
            while shown.count(b"\r\x1b[Kaccepted; 1 accepted so far; next in ") < 2:
                shown += os.read(watcher, 4096)
            process.send_signal(signal.SIGINT)
            assert process.wait(TIMEOUT_SECONDS) == 0
            assert os.read(watcher, 4096).endswith(b"\r\n")
        finally:
            process.kill()
            process.wait()
            os.close(watcher)
        assert not list(tmp_path.iterdir())


class TestPast:
    """What is invented is gone when the machine has shown of itself."""

    @pytest.mark.parametrize("running_apps", [ABSENT, ("Editor",)])
    def test_the_last_state_has_nothing_invented(self, running_apps: Any) -> None:
        recorder = Recorder(SESSION)
        shown = running_apps is not ABSENT
        record_past(recorder, has_running_apps=shown, wall_ms=NOON, monotonic_ms=0)
        present = snapshot(running_apps=running_apps)
        recorder.observe(present, wall_ms=NOON, monotonic_ms=0)
        batch = recorder.batch(now_ms=NOON)
        assert isinstance(batch, Batch)
        assert check_window(batch.window, received_at=NOON) == ()
        prepared = prepare(batch.window)
        invented = {"Editor", "Mail"}
        past = prepared.state_at(batch.window.window_start + MINUTE_MS)
        assert {past.active_app} < invented | {"Terminal"}
        assert (past.running_apps is ABSENT) == (not shown)
        assert shown == invented.issubset(past.running_apps or ())
        assert prepared.state_at(NOON) == present
        assert [gap.reason for gap in batch.window.gaps] == ["sleep"]


@contextmanager
def service(**bindings: Any) -> Iterator[str]:
    bound: dict[str, Any] = {"store": MemoryStore(), "assets": APP_ICONS, **bindings}
    with serve_asgi(create_app(Settings(TOKEN), **bound)) as url:
        yield url


def faults(url: str, sent: Snapshot) -> list[str]:
    """Send a snapshot and a round; return the probes with wrong responses."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    ask_server(url, "POST", "/api/update", headers, body(sent))
    found = []

    async def answer(probe: Probe) -> Answer:
        answer = ask(url, probe)
        if (fault := fault_of(probe, answer)) is not None:
            found.append(f"{probe.method} {probe.path}: {fault}")
        return answer

    window = small_window(sent, system_clock())
    asyncio.run(go_round(whole_round(sent, TOKEN, window), answer))
    return found


def fresh(**members: Any) -> Snapshot:
    return snapshot(collected_at=system_clock(), **members)


class TestDemonstration:
    """What cannot go wrong while server and agent are of one piece, and is shown all the same."""

    @pytest.mark.parametrize("once", [True, False])
    def test_a_refused_token_ends_it(self, once: bool) -> None:
        capture = Capture.for_this_machine()
        with service() as url, closing(capture):
            demonstration = Demonstration(url, "x" * 64, capture)
            with pytest.raises(Failed) as failed:
                asyncio.run(demonstration.once() if once else demonstration.serve())
        assert failed.value.exit_code == 1
        assert "the service does not accept the token" in failed.value.lines[0]


class TestRound:
    @pytest.mark.parametrize(
        "members",
        [
            {},
            {"active_app": None, "running_apps": ABSENT},
            {"running_apps": ()},
            {"running_apps": ("Editor", "Player"), "music": COVERED_SONG},
        ],
    )
    def test_a_correct_service_has_no_faults(self, members: dict[str, Any]) -> None:
        with service() as url:
            assert faults(url, fresh(**members)) == []

    @pytest.mark.parametrize(
        "content", [b"", b"[]", b"<html>", b'{"icons":[{},1]}', b'{"icons":1}']
    )
    def test_no_response_raises(self, content: bytes) -> None:
        """A round ends with faults, not with an exception."""
        headers = {"access-control-allow-origin": "*"}
        asked = []

        async def answer(probe: Probe) -> Answer:
            asked.append(probe.path)
            answer = Answer(probe.status, headers, content)
            fault_of(probe, answer)
            return answer

        sent = fresh(running_apps=("Editor",))
        asyncio.run(go_round(whole_round(sent, TOKEN, small_window(sent, system_clock())), answer))
        assert set(asked) >= set(PATHS) - {"/api/icons"}
