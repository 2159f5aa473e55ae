"""The demonstration: one round in this process, and a real process that serves."""

import re
import signal
from pathlib import Path

import demo
import pytest

import devicestatus.endpoints
from healthapi.endpoints import ENDPOINTS, ROOT
from support.servers.commands import DEMO, run, started
from support.servers.servers import ask

pytestmark = pytest.mark.check

SECRET = re.compile(r"[0-9a-f]{64}")


class TestOnce:
    def test_every_endpoint_is_requested(self) -> None:
        result = run("--once", module=DEMO)
        assert (result.code, result.err) == (0, ""), result
        assert not SECRET.search(result.out)
        assert result.out.endswith("all responses are as expected\n")
        rows = [line.split() for line in result.out.splitlines()[:-1]]
        paths = {path.encode() for status, _, path in rows if status == "200"}
        every = (*devicestatus.endpoints.ENDPOINTS, *ENDPOINTS)
        missing = [each.name for each in every if not any(map(each.pattern.fullmatch, paths))]
        assert missing == ["snapshot-endpoint"]  # these profiles have no snapshot
        assert {b"/", b"/health/", b"/practice/", b"/data/site-data.json"} <= paths
        assert {status for status, *_ in rows} == {"200", "204", "400", "401", "404", "405"}

    def test_other_responses_are_faults(self, monkeypatch: pytest.MonkeyPatch) -> None:
        probes = [demo.Probe("/api/now", 404), demo.Probe("/api/icons", part=b"no such icon")]
        monkeypatch.setattr(demo, "health_probes", lambda: iter(probes))
        result = run("--once", module=DEMO)
        assert result.code == 1
        faults = re.findall(r"GET (\S+): \(200, .* expected \((404|200)", result.err)
        assert faults == [("/api/now", "404"), ("/api/icons", "200")]
        assert "all responses are as expected" not in result.out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_a_signal_and_leaves_nothing(
    number: signal.Signals, tmp_path: Path
) -> None:
    with started(module=DEMO, env={"TMPDIR": str(tmp_path)}) as running:
        url = running.wait_for(r"http://127.0.0.1:81\d\d(?=/\n)")
        running.wait_for(r"T[\d:.]+Z accepted")
        assert ask(url, "GET", "/api/now").json["status"] == "online"
        for path in re.findall(rf"(?<={url})/\S*", running.wait_for(r"(?s).+accepted")):
            assert ask(url, "GET", path).status == 200, path
        for path in ("/", "/health/", "/practice/"):
            page = ask(url, "GET", path).body.decode()
            assert page.count("Example data: ") == 1, path
            for other in ("/", "/health/", "/practice/"):
                assert f'<a href="{other}">' in page, (path, other)
        for path in (f"{ROOT}s", "/api/public", "/api/public/v2"):
            assert ask(url, "GET", path).json == {"error": "not_found"}, path
        assert ask(url, "GET", f"{ROOT}/x").json["api_version"] == "v1"
        result = running.stop(number)
    assert (result.code, result.err) == (0, "")
    assert not list(tmp_path.iterdir())
    assert not SECRET.search(result.out)
