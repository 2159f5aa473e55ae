"""The conformance commands find nothing in right servers: of this project, and of others."""

import http.server
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from sitedata import encode
from support.checks.canary import TOKEN
from support.healthapi.health_client import csv_files
from support.healthapi.health_snapshots import snapshot_value
from support.servers.commands import run
from support.servers.ports import HOST, free_port
from support.servers.servers import serve_asgi, serve_wsgi
from support.sitedata.site_examples import SNAPSHOT

pytestmark = pytest.mark.check

EXAMPLES = Path(__file__).parents[1] / "examples"
START_SECONDS = 30
SERVICES = {
    "devicestatus": ("support.servers.serving", 135),
    "healthapi": ("support.healthapi.health_serving", 79),
    "sitedata": ("support.sitedata.site_serving", 33),
}
"""Product to the module that servers load, and the number of rules that are tested."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a token, a profile with data and one without, and a snapshot as a site has it."""
    root: Path = tmp_path_factory.mktemp("served")
    files = {f"health/anna/{name}": content for name, content in csv_files(days=15).items()} | {
        "health/anna/cache/fitbit_profile_snapshot.json": json.dumps(snapshot_value()).encode(),
        "site/data/site-data.json": encode(SNAPSHOT),
        "token": TOKEN.encode(),
    }
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    (root / "health/nobody/csv").mkdir(parents=True)
    (root / "token").chmod(0o600)
    return root


def options_of(product: str, folder: Path) -> list[str]:
    is_device = product == "devicestatus"
    return ["--write", "--token-file", f"{folder}/token"] if is_device else []


@pytest.mark.parametrize("server", ["uvicorn", "granian", "gunicorn"])
@pytest.mark.parametrize("product", SERVICES)
def test_nothing_is_found_in_a_service(
    product: str, server: str, folder: Path, tmp_path: Path
) -> None:
    module, rules = SERVICES[product]
    serve, kind = (serve_wsgi, "wsgi") if server == "gunicorn" else (serve_asgi, "asgi")
    env = {"INGEST_TOKEN": TOKEN, "STATUS_DATABASE": f"{tmp_path}/status.db"}
    env |= {"HEALTH_FOLDER": f"{folder}/health"}
    env |= {"SITE_FILE": f"{folder}/site/data/site-data.json"}
    report = tmp_path / "report.xml"
    options = [*options_of(product, folder), "--report", str(report)]
    with serve(f"{module}:{kind}", server=server, env=env) as url:
        ended = run(
            "conformance", url, *options, module=f"{product}.cli.main", env={"INGEST_TOKEN": ""}
        )
    assert ended.code == 0, ended.out
    assert ended.out.splitlines()[-1] == f"no difference; {rules} rules tested"
    suite = ET.fromstring(report.read_bytes())[0]  # noqa: S314 - it is our own
    assert (suite.get("tests"), suite.get("failures")) == (str(rules), "0")


@contextmanager
def process(folder: str, arguments: Sequence[str]) -> Iterator[str]:
    """Run a server of the examples, which shares no code with the packages; yield its base URL."""
    port = free_port()
    server = subprocess.Popen(
        [*arguments, str(port)],
        cwd=EXAMPLES / folder,
        env={**os.environ, "INGEST_TOKEN": TOKEN},
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _listens(port):
            assert server.poll() is None, "the server did not start"
            assert time.monotonic() < deadline, "the server does not listen"
            time.sleep(0.05)
        yield f"http://{HOST}:{port}"
    finally:
        server.terminate()
        server.wait(START_SECONDS)


def _listens(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), 1).close()
    except OSError:
        return False
    return True


def node_server() -> list[str]:
    """Return the command of the server of the tutorial, with a port as its argument."""
    text = (EXAMPLES / "own-service/server.mjs").read_text("utf-8")
    own_port = text.replace("listen(8000", "listen(+process.argv[1]")
    return ["node", "--input-type=module", "--eval", own_port]


@pytest.mark.parametrize(
    ("place", "arguments", "profile"),
    [
        ("other-servers", [sys.executable, "-I", "-S", "server.py"], "full"),  # no site-packages
        ("own-service", node_server(), "snapshot"),
    ],
    ids=["python", "node"],
)
def test_nothing_is_found_in_another_server(
    place: str, arguments: list[str], profile: str, folder: Path
) -> None:
    options = [*options_of("devicestatus", folder), "--profile", profile]
    with process(place, arguments) as url:
        ended = run("conformance", url, *options, env={"INGEST_TOKEN": ""})
    assert ended.out.splitlines()[-1].startswith("no difference; "), ended.out
    assert ended.code == 0


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A static host of the standard library."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its parameter
        """Report nothing."""


def test_a_static_host_has_the_file_but_not_every_header(folder: Path) -> None:
    """It has Last-Modified without ETag, and none of the headers of the service."""
    handler = partial(Quiet, directory=str(folder / "site"))
    check = partial(run, "conformance", module="sitedata.cli.main")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            base = f"http://127.0.0.1:{server.server_port}"
            as_file = check(base, "--profile", "file")
            whole = check(base)
            below = check(f"{base}/data/site-data.json", "--profile", "file")
        finally:
            server.shutdown()
            thread.join()
    assert (as_file.code, below.code) == (0, 0), as_file.out + below.out
    assert "Left out: serving: it is outside of the profile file" in as_file.out
    assert whole.code == 1
    assert "SD-HTTP-09: x-content-type-options: none; expected nosniff" in whole.out
