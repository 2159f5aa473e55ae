"""`devicestatus push`: a file, checked and sent to a real service over a socket."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import devicestatus
from devicestatus import Settings
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.sqlite import SQLiteStore
from devicestatus.cross_field import RULES
from status_contracts.adapters.clocks import system_clock
from status_contracts.instants import MINUTE_MS
from support.devicestatus.examples import snapshot, window
from support.servers.commands import CANARY, Ended, run
from support.servers.ports import free_port
from support.servers.servers import ask, serve_asgi


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """Serve the status with a store of its own."""
    app = asgi_app(Settings(CANARY), store=SQLiteStore(tmp_path / "status.sqlite"))
    with serve_asgi(app) as base_url:
        yield base_url


def push(body: bytes, *arguments: object) -> Ended:
    """Run the command with the body as its standard input."""
    return run("push", "-", *arguments, stdin=body)


def fresh_snapshot(age_ms: int = 0) -> bytes:
    return devicestatus.encode(snapshot(collected_at=system_clock() - age_ms))


class TestPush:
    def test_a_snapshot_is_stored(self, url: str) -> None:
        body = fresh_snapshot()
        assert push(body, "--url", url) == Ended(0, "accepted\n", "")
        online = json.loads(ask(url, "GET", "/api/now").body)
        assert online["status"] == "online"
        assert online["collected_at"] == json.loads(body)["collected_at"]

    def test_a_window_goes_to_the_other_endpoint(self, url: str) -> None:
        now = system_clock()
        body = devicestatus.encode(window(window_start=now - MINUTE_MS, window_end=now))
        assert push(body, "--url", url) == Ended(0, "accepted\n", "")
        timeline = json.loads(ask(url, "GET", "/api/timeline").body)
        assert timeline["window"] == json.loads(body)

    def test_what_the_service_would_refuse_is_not_sent(self, url: str) -> None:
        ended = push(fresh_snapshot(age_ms=10 * MINUTE_MS), "--url", url)
        assert (ended.code, ended.out) == (1, "")
        problem, result = ended.err.splitlines()
        assert problem.startswith('standard input:1 /collected_at: "20')
        assert problem.endswith(f'Z": {RULES["snapshot.skew"]} [snapshot.skew]')
        assert result == "devicestatus: not sent: not a valid snapshot"
        assert json.loads(ask(url, "GET", "/api/now").body) == {"status": "offline"}

    def test_a_service_that_refuses_is_1(self, url: str, tmp_path: Path) -> None:
        token = tmp_path / "token"
        token.write_text("x" * 64)
        token.chmod(0o600)
        ended = push(fresh_snapshot(), "--url", url, "--token-file", token)
        reason = "the service does not accept the token: check INGEST_TOKEN or the token file"
        assert (ended.code, ended.err) == (1, f"devicestatus: {reason}\n")

    @pytest.mark.parametrize(
        ("path", "remedy"),
        [("desk", "check the URL, --device and versions"), ("api", "leave out /api of the URL")],
    )
    def test_a_wrong_url_is_named_as_it_was_tried(self, url: str, path: str, remedy: str) -> None:
        ended = push(fresh_snapshot(), "--url", f"{url}/{path}")
        tried = f"{url.rstrip('/')}/{path}/api/update"
        words = f"no endpoint for snapshots at {tried}: {remedy}"
        assert (ended.code, ended.err) == (1, f"devicestatus: {words}\n")

    def test_a_service_that_is_not_there_is_3(self) -> None:
        ended = push(fresh_snapshot(), "--url", f"http://127.0.0.1:{free_port()}")
        assert ended.code == 3
        assert ended.err.startswith("devicestatus: no response (the service cannot be reached: ")
