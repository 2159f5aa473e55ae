"""The demonstration: one round in this process, other profiles; a real process that serves."""

import json
import re
import shutil
import signal
from pathlib import Path

import pytest

from healthapi.endpoints import ENDPOINTS, ROOT
from support.servers.commands import DEMO, Ended, run, started
from support.servers.servers import ask as ask_server

pytestmark = pytest.mark.check

PATHS = (
    *("/api/update", "/api/batch", "/api/now", "/api/timeline", "/api/music", "/api/apps/active"),
    *("/api/apps/running", "/api/device", "/api/badge.svg", "/api/health", "/api/icons"),
    *("/update", "/now", "/badge.svg", "/health", "/", "/api", "/app-icons/index.json"),
)
PEOPLE = Path(__file__).parents[2] / "examples" / "lifesnaps"
SNAPSHOT = {
    "saved_at": "2026-01-31T08:00:00",
    "endpoints": {
        "devices": {"ok": True, "status": 200, "data": [{"id": "1", "deviceVersion": "Band"}]},
        "odd key/with slash": {"ok": True, "status": 200, "data": {}},
        "badges": {"ok": False, "status": 500},
    },
}
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


class TestOtherProfiles:
    def test_other_profiles_are_shown(self, tmp_path: Path) -> None:
        shutil.copytree(PEOPLE, tmp_path / "root")
        (tmp_path / "root" / "person-1").rename(tmp_path / "root" / "grace")
        cache = tmp_path / "root" / "grace" / "cache"
        cache.mkdir()
        cache.joinpath("fitbit_profile_snapshot.json").write_text(json.dumps(SNAPSHOT))
        result = run("--once", "--health", tmp_path / "root", module=DEMO)
        assert (result.code, result.err) == (0, ""), result
        found = {(path, status) for _, path, status in shown(result)}
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
        result = run("--once", "--health", folder, module=DEMO)
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
