"""The example configurations of nginx and Caddy, run before real servers."""

import gzip
import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import attrs
import pytest

from devicestatus import Settings
from devicestatus.adapters import APP_ICONS
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from healthapi.adapters.application import asgi_app as health_app
from status_contracts.adapters.clocks import system_clock
from support.devicestatus.examples import body as to_body
from support.devicestatus.examples import plain, snapshot
from support.servers.ports import free_port
from support.servers.servers import ask, serve_asgi
from support.servers.services import need

pytestmark = pytest.mark.check

ROOT = Path(__file__).parents[2]
FILES = ROOT / "examples/deployment"
PEOPLE = ROOT / "examples/lifesnaps"
PRACTICE = ROOT / "examples/practice/site-data.json"
TOKEN = "0123456789abcdef0123456789abcdef"
START_SECONDS = 15


def write_headers() -> dict[str, str]:
    return {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}


@attrs.frozen
class Fetched:
    """A response that a proxy may have compressed; names of headers in lower case."""

    status: int
    headers: dict[str, str]
    content: bytes


def fetch(url: str, path: str, headers: dict[str, str] | None = None) -> Fetched:
    host = url.removeprefix("http://")
    with closing(HTTPConnection(host, timeout=START_SECONDS)) as connection:
        connection.request("GET", path, headers=headers or {})
        response = connection.getresponse()
        found = {name.lower(): value for name, value in response.getheaders()}
        return Fetched(response.status, found, response.read())


def with_sub_path(text: str) -> str:
    """Return a configuration with the lines of a service below a path, which are commented out."""
    assert text.count("#location /status/ {") + text.count("#handle_path /status/* {") == 1
    hidden = re.compile(r"^(\s*)#(?=location|redir|handle_path|\t|    |})", re.MULTILINE)
    return hidden.sub(r"\1", text)


def nginx_command(folder: Path, port: int, device: str, health: str) -> list[str]:
    text = with_sub_path((FILES / "nginx.conf").read_text("utf-8"))
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    text = re.sub(r"ssl_certificate\w* [^;]+;", "", text)
    text = text.replace("127.0.0.1:8000", device).replace("127.0.0.1:8001", health)
    text = text.replace("/srv/status/", f"{PRACTICE.parent}/")
    paths = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = f"pid {folder}/nginx.pid;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{text}}}\n"
    (folder / "nginx.conf").write_text(whole, "utf-8")
    options = f"daemon off; error_log {folder}/error.log; user {os.environ.get('USER', 'root')};"
    return [need("nginx"), "-p", str(folder), "-c", "nginx.conf", "-g", options]


def caddy_command(folder: Path, port: int, device: str, health: str) -> list[str]:
    text = with_sub_path((FILES / "Caddyfile").read_text("utf-8"))
    text = text.replace("status.example.org", f"http://127.0.0.1:{port}")
    text = text.replace("127.0.0.1:8000", device).replace("127.0.0.1:8001", health)
    text = text.replace("/srv/status", str(PRACTICE.parent))
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{text}", "utf-8")
    config = str(folder / "Caddyfile")
    return [need("caddy"), "run", "--adapter", "caddyfile", "--config", config]


COMMANDS = {"nginx": nginx_command, "caddy": caddy_command}


@contextmanager
def running(command: list[str], folder: Path, url: str) -> Iterator[str]:
    """Run a proxy until the end of the block; wait until it answers."""
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, stderr=output, env={**os.environ, **home}
        )
        try:
            deadline = time.monotonic() + START_SECONDS
            while True:
                try:
                    ask(url, "GET", "/api/health")
                    break
                except OSError:
                    assert process.poll() is None, (folder / "output").read_text("utf-8")
                    assert time.monotonic() < deadline, "the proxy did not start"
                    time.sleep(0.1)
            yield url
        finally:
            process.terminate()
            process.wait(START_SECONDS)


@pytest.fixture(scope="module", params=sorted(COMMANDS))
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp(request.param)
    need(request.param)
    app = asgi_app(Settings(TOKEN), store=MemoryStore(), assets=APP_ICONS)
    with ExitStack() as stack:
        device = stack.enter_context(serve_asgi(app)).removeprefix("http://")
        health = stack.enter_context(serve_asgi(health_app(PEOPLE))).removeprefix("http://")
        port = free_port()
        command = COMMANDS[request.param](folder, port, device, health)
        yield stack.enter_context(running(command, folder, f"http://127.0.0.1:{port}"))


class TestStatus:
    def test_a_write_is_read_at_once_because_nothing_is_cached(self, url: str) -> None:
        for app in ("Editor", "Mail"):
            body = to_body(plain(snapshot(collected_at=system_clock(), active_app=app)))
            assert ask(url, "POST", "/api/update", write_headers(), body).status == 200
            answer = ask(url, "GET", "/api/now")
            assert answer.json["active_app"] == app
            assert answer.header("cache-control") == "no-store, max-age=0"

    def test_the_token_reaches_the_service(self, url: str) -> None:
        headers = {**write_headers(), "Authorization": "Bearer wrong"}
        answer = ask(url, "POST", "/api/update", headers, b"{}")
        assert (answer.status, answer.json) == (401, {"error": "unauthorized"})

    def test_a_body_over_the_limit_is_refused_by_the_service(self, url: str) -> None:
        body = b" " * (512 * 1024 + 1)
        answer = ask(url, "POST", "/api/batch", write_headers(), body)
        assert (answer.status, answer.json) == (413, {"error": "payload_too_large"})

    def test_an_icon_is_revalidated(self, url: str) -> None:
        icon = ask(url, "GET", "/api/icons").json["icons"][0]["imageUrl"]
        first = ask(url, "GET", icon)
        assert first.header("cache-control") == "public, max-age=3600"
        again = ask(url, "GET", icon, {"If-None-Match": first.header("etag") or ""})
        assert (again.status, again.body) == (304, b"")


class TestOtherPaths:
    def test_a_service_below_a_path_answers_there(self, url: str) -> None:
        assert ask(url, "GET", "/status/api/health").json["ok"]
        assert b"api/" in ask(url, "GET", "/status/").body
        found = fetch(url, "/status")
        assert found.status in {301, 302}
        assert found.headers["location"].endswith("/status/")

    def test_health_data_are_behind_the_same_host(self, url: str) -> None:
        answer = ask(url, "GET", "/api/public/v1")
        assert answer.status == 200
        assert answer.json["data"]["profiles"]["count"] > 0

    @pytest.mark.parametrize("path", ["/api", "/api/public/v1/profiles"])
    def test_long_responses_are_compressed(self, url: str, path: str) -> None:
        """A list waits for no profile; a response of each profile does."""
        profiles = "/api/public/v1/profiles"
        for entry in ask(url, "GET", profiles).json["data"]["profiles"]:
            fetch(url, f"{profiles}/{entry['id']}")
        plain_one, compressed = fetch(url, path), fetch(url, path, {"Accept-Encoding": "gzip"})
        assert compressed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(compressed.content) == plain_one.content

    @pytest.mark.parametrize("path", ["/api", "/api/public/v1/profiles"])
    def test_a_compressed_response_is_revalidated(self, url: str, path: str) -> None:
        compressed = fetch(url, path, {"Accept-Encoding": "gzip"})
        assert compressed.headers["content-encoding"] == "gzip"
        known = {"Accept-Encoding": "gzip", "If-None-Match": compressed.headers["etag"]}
        assert fetch(url, path, known).status == 304

    def test_the_site_data_file_is_served_and_revalidated(self, url: str) -> None:
        first = ask(url, "GET", "/data/site-data.json")
        assert first.body == PRACTICE.read_bytes()
        assert (first.header("content-type") or "").startswith("application/json")
        assert first.header("access-control-allow-origin") == "*"
        condition = {"If-None-Match": first.header("etag") or ""}
        again = ask(url, "GET", "/data/site-data.json", condition)
        assert again.status == 304
