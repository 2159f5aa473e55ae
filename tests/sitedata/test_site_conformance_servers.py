"""`sitedata conformance` over real sockets: uvicorn, granian and gunicorn conform."""

import http.server
import json
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from purewire.adapters.conformance import load_suite
from sitedata import encode
from support.servers.commands import run
from support.servers.servers import serve_asgi, serve_wsgi
from support.sitedata.broken_servers import MANY

SUITE = load_suite("sitedata")

MODULE = "status_contracts.sitedata"
APPLICATIONS = "support.sitedata.site_serving"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a snapshot as a static site has it."""
    path: Path = tmp_path_factory.mktemp("site") / "data" / "site-data.json"
    path.parent.mkdir()
    path.write_bytes(encode(MANY))
    return path


@pytest.fixture(scope="module", params=["uvicorn", "granian", "gunicorn"])
def url(request: pytest.FixtureRequest, file: Path) -> Iterator[str]:
    """Serve the file."""
    name: str = request.param
    serve, kind = (serve_wsgi, "wsgi") if name == "gunicorn" else (serve_asgi, "asgi")
    with serve(f"{APPLICATIONS}:{kind}", server=name, env={"SITE_FILE": str(file)}) as base:
        yield base


@pytest.mark.parametrize("path", ["", "/data/site-data.json"])
def test_a_server_conforms(url: str, path: str) -> None:
    ended = run("conformance", f"{url}{path}", "--strict", module=MODULE)
    assert ended.code == 0, ended.out
    assert f"{len(SUITE.checks)} checks" in ended.out
    assert "no check failed" in ended.out


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A static host of the standard library."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its parameter
        """Report nothing."""


def test_a_static_host_has_the_file_but_not_every_recommendation(file: Path) -> None:
    """It has Last-Modified without ETag, and none of the headers of the service."""
    handler = partial(Quiet, directory=str(file.parents[1]))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            base = f"http://127.0.0.1:{server.server_port}"
            ended = run("conformance", base, "--json", module=MODULE)
        finally:
            server.shutdown()
            thread.join()
    assert ended.code == 1
    value = json.loads(ended.out)
    outcomes = {result["id"]: result["outcome"] for result in value["results"]}
    assert outcomes["file.problems"] == outcomes["publishing.path-unique"] == "passed"
    assert outcomes["cache.validator"] == outcomes["http.query"] == "passed"
    assert outcomes["cache.control"] == outcomes["http.cors"] == "failed"
    assert "error" not in outcomes.values()
