"""`healthapi conformance` over real sockets: uvicorn and gunicorn have no difference."""

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from support.healthapi.health_client import csv_files
from support.healthapi.health_snapshots import snapshot_value
from support.servers.commands import run
from support.servers.servers import serve_asgi, serve_wsgi

pytestmark = pytest.mark.check

MODULE = "healthapi.cli.main"
APPLICATIONS = "support.healthapi.health_serving"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a profile with data, and one without."""
    root: Path = tmp_path_factory.mktemp("health")
    files = csv_files(days=15) | {
        "cache/fitbit_profile_snapshot.json": json.dumps(snapshot_value()).encode()
    }
    for name, content in files.items():
        path = root / "anna" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (root / "nobody" / "csv").mkdir(parents=True)
    return root


@pytest.fixture(scope="module", params=["uvicorn", "gunicorn"])
def url(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    """Serve the folder."""
    name: str = request.param
    serve, kind = (serve_wsgi, "wsgi") if name == "gunicorn" else (serve_asgi, "asgi")
    with serve(f"{APPLICATIONS}:{kind}", server=name, env={"HEALTH_FOLDER": str(folder)}) as base:
        yield base


def test_a_server_has_no_difference(url: str, tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    ended = run("conformance", url, "--report", report, module=MODULE)
    assert ended.code == 0, ended.out
    assert "no difference; 79 rules tested" in ended.out
    suite = ET.fromstring(report.read_bytes())[0]  # noqa: S314 - it is our own
    assert (suite.get("tests"), suite.get("failures")) == ("79", "0")
