"""The read-only entry points of all three products.

Only the request line and the conditional headers affect a response; no body is read, nothing is
fetched, and no part of a request is logged.
"""

import asyncio
import logging
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

from devicestatus import Settings
from devicestatus.adapters.application import asgi_app as device_asgi_app
from devicestatus.adapters.application import wsgi_app as device_wsgi_app
from devicestatus.adapters.memory import MemoryStore
from healthapi.adapters.application import asgi_app as health_asgi_app
from healthapi.adapters.application import wsgi_app as health_wsgi_app
from healthapi.adapters.folder import FolderSource
from sitedata.adapters.application import asgi_app as site_asgi_app
from sitedata.adapters.application import wsgi_app as site_wsgi_app
from sitedata.service import PATH
from support.devicestatus.service_client import ServiceClient, numbered
from support.servers.servers import Answer
from support.sitedata.site_versions import snapshot_of
from support.status_contracts import gateways

pytestmark = pytest.mark.check

PROJECT = Path(__file__).parents[1]
EXAMPLES = PROJECT / "examples" / "lifesnaps"
ROOT = "/api/public/v1"
PERSON = f"{ROOT}/profiles/person-1"
Lines = Iterable[tuple[bytes, bytes]]


@attrs.frozen
class ReadOnlyService:
    """One application of one product, and its paths."""

    kind: str
    app: Any
    paths: tuple[str, ...]

    def ask(self, method: str, target: str, lines: Lines = (), body: bytes = b"x") -> Answer:
        """Send a request, and check that its body is not read."""
        raw = target.encode("latin-1")
        if self.kind == "asgi":
            receive = gateways.Script.of_body([body])
            answer = asyncio.run(
                gateways.exchange_asgi(self.app, gateways.scope_of(method, raw, lines), receive)
            )
            assert receive.taken == 0
            assert answer is not None
            return answer
        pieces = gateways.Pieces([body])
        environ = gateways.environ_of(method, raw, lines) | {"wsgi.input": pieces}
        answer = gateways.exchange_wsgi(self.app, environ)
        assert pieces.taken == 0
        return answer


def health_service(kind: str) -> ReadOnlyService:
    create = {"asgi": health_asgi_app, "wsgi": health_wsgi_app}[kind]
    paths = (
        *(ROOT, f"{ROOT}/docs", f"{ROOT}/openapi.json", f"{ROOT}/profiles", PERSON),
        *(f"{PERSON}/dashboard", f"{PERSON}/snapshot", f"{PERSON}/charts/series.svg"),
        *(f"{PERSON}/datasets/daily", f"{PERSON}/nothing"),
    )
    people = FolderSource(EXAMPLES)
    for profile_id in people.ids():
        people.profile(profile_id)  # Until a profile is read, lists show it as unavailable.
    return ReadOnlyService(kind, create(people, clock=lambda: 0), paths)


def site_service(kind: str) -> ReadOnlyService:
    create = {"asgi": site_asgi_app, "wsgi": site_wsgi_app}[kind]
    return ReadOnlyService(kind, create(snapshot_of(1), clock=lambda: 0), (PATH, f"{PATH}/", "/"))


def device_service(kind: str) -> ReadOnlyService:
    """Return the paths that readers ask for, of a service with a status."""
    create: Any = {"asgi": device_asgi_app, "wsgi": device_wsgi_app}[kind]
    paths = (
        *("/api/now", "/api/timeline", "/api/badge.svg", "/api/device", "/now", "/api/health"),
        *("/api/icons", "/", "/api", "/nothing"),
    )
    client = ServiceClient(MemoryStore(), "wsgi")
    assert client.post("/api/update", numbered(1, client.now)).status == 200
    app = create(Settings(None), store=client.store, clock=lambda: client.now)
    return ReadOnlyService(kind, app, paths)


MAKERS = {"device": device_service, "health": health_service, "site": site_service}
SERVICES = [
    pytest.param((make, kind), id=f"{name}-{kind}")
    for name, make in MAKERS.items()
    for kind in ("asgi", "wsgi")
]


@pytest.fixture(scope="module", params=SERVICES)
def service(request: pytest.FixtureRequest) -> ReadOnlyService:
    make, kind = request.param
    made: ReadOnlyService = make(kind)
    return made


class TestLogs:
    @pytest.mark.parametrize("text", ["\x1b[2Jforged", "%0aERROR%20forged", "forged%s{0}"])
    def test_no_part_of_a_request_is_logged(
        self, service: ReadOnlyService, text: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        lines = [(b"x-any", text.encode()), (b"if-none-match", text.encode())]
        with caplog.at_level(logging.DEBUG):
            for path in (*service.paths, f"{ROOT}/profiles/{text}", f"/{text}"):
                service.ask("GET", f"{path}?{text}", lines)
        assert "forged" not in caplog.text


SERVING = """
import sys

def refuse(event, arguments):
    if event.startswith(REFUSED):
        raise SystemExit(f"{event} while serving")

REFUSED = ("socket.connect", "socket.getaddrinfo", "socket.gethostby", "socket.sendto",
           "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "urllib.",
           "http.client.", "smtplib.", "ftplib.", "webbrowser.")
from test_read_only_services import request_everything

sys.addaudithook(refuse)
print(request_everything(), flush=True)

import socket
socket.create_connection(("127.0.0.1", 9))  # to check that connections are found
"""


def request_everything() -> int:
    """Request everything that the three products have; return the number of responses."""
    services = [device_service("wsgi"), health_service("wsgi"), site_service("wsgi")]
    answers = [service.ask("GET", path) for service in services for path in service.paths]
    assert {answer.status for answer in answers} == {200, 404}
    return len(answers)


@pytest.mark.rule("DS-MUSIC-12", "DS-SERVICE-12")
class TestConnections:
    def test_serving_opens_no_connection_and_starts_no_process(self) -> None:
        """A response contains only what the application had before the request."""
        done = subprocess.run(
            [sys.executable, "-c", SERVING],
            env={**os.environ, "PYTHONPATH": str(PROJECT / "tests")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert done.stderr == "socket.getaddrinfo while serving\n"
        assert int(done.stdout) > 15


class TestDependencies:
    """Installing the distribution installs these packages and no others."""

    REQUIRED: Final = {"attrs", "can-ada", "cattrs", "msgspec", "python-dateutil", "tzdata"}

    def test_the_required_packages(self) -> None:
        project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
        assert {names_of(each) for each in project["dependencies"]} == self.REQUIRED
        assert project.get("dynamic", []) == ["version"]

    def test_each_has_its_reason_in_the_guide_for_contributors(self) -> None:
        text = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
        table = text.partition("## Dependencies\n")[2].partition("\n## ")[0]
        assert {*re.findall(r"(?m)^\| ([a-z][a-z-]*) \| (?!what)", table)} == self.REQUIRED

    def test_every_package_of_the_environment_is_pinned(self) -> None:
        lines = (PROJECT / "constraints.txt").read_text().splitlines()
        pinned = [line for line in lines if line and not line.startswith("#")]
        assert [line for line in pinned if "==" not in line] == []
        assert {names_of(line) for line in pinned} >= self.REQUIRED


def names_of(requirement: str) -> str:
    """Return the name at the beginning of a requirement."""
    end = next((at for at, sign in enumerate(requirement) if sign in "<>=!~;[ "), None)
    return requirement[:end].lower().replace("_", "-")
