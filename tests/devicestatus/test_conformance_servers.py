"""The conformance command on the service behind real servers, with everything but the waiting."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from support.checks.canary import TOKEN
from support.servers.commands import environment, run_process
from support.servers.servers import serve_asgi, serve_wsgi

SERVERS: dict[str, Callable[..., AbstractContextManager[str]]] = {
    "uvicorn": lambda env: serve_asgi("serving:asgi", server="uvicorn", env=env),
    "granian": lambda env: serve_asgi("serving:asgi", server="granian", env=env),
    "gunicorn": lambda env: serve_wsgi("serving:wsgi", server="gunicorn", env=env),
}


@pytest.fixture(params=SERVERS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Serve the service behind one of the servers."""
    env = {"INGEST_TOKEN": TOKEN, "STATUS_DATABASE": str(tmp_path / "status.db")}
    with SERVERS[request.param](env) as base_url:
        yield base_url


def test_every_check_passes_that_needs_no_waiting(url: str, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    env = environment() | {"INGEST_TOKEN": TOKEN}
    ended = run_process("conformance", url, "--write", "--report", report, env=env)
    value = json.loads(report.read_bytes())
    others = [
        (each["id"], each["outcome"], each["reason"], each["expected"], each["actual"])
        for each in value["results"]
        if each["outcome"] != "passed" and "it waits for deadlines" not in each["reason"]
    ]
    assert not others, others
    assert ended.code == 0
    assert value["counts"]["skipped"] == 3
