"""`sitedata conformance` over real sockets: right servers have no difference, nor has a host."""

import http.server
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from sitedata import encode
from support.servers.commands import run
from support.servers.servers import serve_asgi, serve_wsgi
from support.sitedata.site_examples import SNAPSHOT

pytestmark = pytest.mark.check

MODULE = "sitedata.cli.main"
APPLICATIONS = "support.sitedata.site_serving"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a snapshot as a static site has it."""
    path: Path = tmp_path_factory.mktemp("site") / "data" / "site-data.json"
    path.parent.mkdir()
    path.write_bytes(encode(SNAPSHOT))
    return path


@pytest.fixture(scope="module", params=["uvicorn", "granian", "gunicorn"])
def url(request: pytest.FixtureRequest, file: Path) -> Iterator[str]:
    """Serve the file."""
    name: str = request.param
    serve, kind = (serve_wsgi, "wsgi") if name == "gunicorn" else (serve_asgi, "asgi")
    with serve(f"{APPLICATIONS}:{kind}", server=name, env={"SITE_FILE": str(file)}) as base:
        yield base


@pytest.mark.parametrize(("path", "rules"), [("", 33), ("/data/site-data.json", 32)])
def test_a_server_has_no_difference(url: str, path: str, rules: int) -> None:
    ended = run("conformance", f"{url}{path}", module=MODULE)
    assert ended.code == 0, ended.out
    assert f"no difference; {rules} rules tested" in ended.out


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A static host of the standard library."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its parameter
        """Report nothing."""


def test_a_static_host_has_the_file_but_not_every_header(file: Path) -> None:
    """It has Last-Modified without ETag, and none of the headers of the service."""
    handler = partial(Quiet, directory=str(file.parents[1]))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            base = f"http://127.0.0.1:{server.server_port}"
            as_file = run("conformance", base, "--profile", "file", module=MODULE)
            whole = run("conformance", base, module=MODULE)
        finally:
            server.shutdown()
            thread.join()
    assert as_file.code == 0, as_file.out
    assert "Left out: serving: it is outside of the profile file" in as_file.out
    assert whole.code == 1
    assert "SD-HTTP-09: x-content-type-options: none; expected nosniff" in whole.out
