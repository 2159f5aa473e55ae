"""The conformance commands find nothing in right servers: of this project, and of others."""

import json
import sys
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from devicestatus.conformance import KIT
from sitedata import encode
from status_contracts.conformance.http import OverHttp
from status_contracts.conformance.runner import Run
from support.checks.canary import TOKEN
from support.healthapi.health_client import csv_files
from support.healthapi.health_snapshots import snapshot_value
from support.servers.commands import run
from support.servers.ports import free_port
from support.servers.servers import serve_asgi, serve_command, serve_wsgi
from support.sitedata.site_examples import SNAPSHOT
from support.status_contracts.kit_runs import HANDED_ON, only

pytestmark = pytest.mark.check

EXAMPLES = Path(__file__).parents[1] / "examples"
SERVICES = {
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


@pytest.mark.parametrize("product", SERVICES)
def test_nothing_is_found_in_a_service(product: str, folder: Path, tmp_path: Path) -> None:
    module, rules = SERVICES[product]
    env = {"HEALTH_FOLDER": f"{folder}/health"}
    env |= {"SITE_FILE": f"{folder}/site/data/site-data.json"}
    report = tmp_path / "report.xml"
    with serve_asgi(f"{module}:asgi", env=env) as url:
        ended = run("conformance", url, "--report", report, module=f"{product}.cli.main")
    assert ended.code == 0, ended.out
    assert ended.out.splitlines()[-1] == f"no difference; {rules} rules tested"
    suite = ET.fromstring(report.read_bytes())[0]  # noqa: S314 - it is our own
    assert (suite.get("tests"), suite.get("failures")) == (str(rules), "0")


@pytest.mark.parametrize("server", ["uvicorn", "granian", "gunicorn"])
def test_a_server_hands_on_requests_and_answers(server: str, tmp_path: Path) -> None:
    serve, kind = (serve_wsgi, "wsgi") if server == "gunicorn" else (serve_asgi, "asgi")
    env = {"INGEST_TOKEN": TOKEN, "STATUS_DATABASE": f"{tmp_path}/status.db"}
    with serve(f"support.servers.serving:{kind}", server=server, env=env) as url:
        tested = Run(only(KIT, HANDED_ON), OverHttp(url, token=TOKEN), write=True)
        list(tested.perform())
    assert (tested.causes, tested.left_out, tested.stopped) == ({}, {}, "")
    assert len(tested.tested) == 22


def test_nothing_is_found_in_the_server_without_packages(folder: Path) -> None:
    """That of the tutorial, in Node, is tested as its page says."""
    port = free_port()
    command = [sys.executable, "-I", "-S", "server.py", str(port)]  # no site-packages
    place, env = EXAMPLES / "other-servers", {"INGEST_TOKEN": TOKEN}
    with serve_command(command, port, env=env, folder=place) as running:
        options = ("--write", "--token-file", folder / "token")
        ended = run("conformance", running.url, *options, env={"INGEST_TOKEN": ""})
    assert ended.out.splitlines()[-1].startswith("no difference; "), ended.out
    assert ended.code == 0


def test_a_static_host_has_the_file_but_not_every_header(folder: Path) -> None:
    """It has Last-Modified without ETag, and none of the headers of the service."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--directory", f"{folder}/site"]
    check = partial(run, "conformance", module="sitedata.cli.main")
    with serve_command(command, port, env={}) as running:
        as_file = check(running.url, "--profile", "file")
        whole = check(running.url)
        below = check(f"{running.url}/data/site-data.json", "--profile", "file")
    assert (as_file.code, below.code) == (0, 0), as_file.out + below.out
    assert "Left out, because the profile is file: serving" in as_file.out
    assert whole.code == 1
    assert "SD-HTTP-09: x-content-type-options: none; expected nosniff" in whole.out
