"""The demonstration: one round in this process; a real process that keeps serving."""

import json
import re
import signal
from pathlib import Path

import pytest

from healthapi.http.endpoints import ENDPOINTS, ROOT
from support.servers.commands import DEMO, Ended, run, started
from support.servers.servers import ask as ask_server

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
