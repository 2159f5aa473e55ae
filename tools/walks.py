"""Count the modules that a reader of the source opens to follow a fact to where it is read.

    PYTHONPATH=tests python tools/walks.py

A module counts if a function of its file runs; what attrs and the fast decoder write has no file.
"""

from collections.abc import Callable
from cProfile import Profile
from functools import partial
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import healthapi
from devicestatus import Settings
from devicestatus.adapters.application import asgi_app as status_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.schemas import EXAMPLES
from healthapi.adapters.application import asgi_app as health_app
from healthapi.endpoints import ROOT
from sitedata.cli.main import main as sitedata
from status_contracts.adapters.asgi import App
from status_contracts.instants import parse_utc
from status_contracts.json_text import encode
from support.devicestatus.examples import JSON_HEADERS, TOKEN
from support.sitedata.git_repositories import make, script
from support.sitedata.repositories import Write
from support.status_contracts.gateways import call_asgi

SOURCES: Final = Path(__file__).parents[1] / "src"
FILES: Final = {"csv/fitbit_activity.csv": b"date,steps\n2026-01-01,5000\n2026-01-02,7000\n"}


class Profiles:
    """A source in memory that reads its one profile from bytes for each request."""

    nonblocking = True

    def read(self, name: str | None, _now: int) -> object:
        """Return the profile, or the ids of all."""
        at = "2026-01-02T12:00:00"
        return ("ada",) if name is None else healthapi.load(name, FILES, generated_at=at)


def walks(folder: Path) -> dict[str, list[str]]:
    """Return the modules that each way enters; an empty folder is for its files."""
    uploaded = EXAMPLES["Snapshot"][0]
    now = parse_utc(uploaded["collected_at"])
    status = status_app(Settings(TOKEN), store=MemoryStore(), clock=lambda: now)
    health = health_app(Profiles(), clock=lambda: now)
    chart = f"{ROOT}/profiles/ada/charts/activity-trend.svg".encode()
    repository = make(folder / "practice", script([Write(b"kattis/hello.py", b"print('a')\n")]))
    output = folder / "site-data.json"
    names = ["--ref", "main", "--owner", "ada", "--name", "practice", "--output", str(output)]

    def build() -> None:
        output.unlink(missing_ok=True)  # because a file that is there is read
        assert sitedata(["build", str(repository.path), *names]) == 0

    def ask(app: App, method: str, path: bytes, *content: bytes) -> None:
        assert call_asgi(app, method, path, JSON_HEADERS, content).status == HTTPStatus.OK

    ways: dict[str, Callable[[], None]] = {
        "POST /api/update": partial(ask, status, "POST", b"/api/update", encode(uploaded)),
        "GET /api/now": partial(ask, status, "GET", b"/api/now"),
        "a CSV cell to a point of a chart": partial(ask, health, "GET", chart),
        "a commit to a problem in the file": build,
    }
    return {way: _entered(go) for way, go in ways.items()}


def _entered(go: Callable[[], object]) -> list[str]:
    go()  # because decoders are made when they are first used
    profile = Profile()
    profile.runcall(go)
    code = (entry.code for entry in profile.getstats())
    paths = {Path(each.co_filename) for each in code if not isinstance(each, str)}
    return sorted(str(path.relative_to(SOURCES)) for path in paths if SOURCES in path.parents)


if __name__ == "__main__":
    with TemporaryDirectory() as empty:
        for name, modules in walks(Path(empty)).items():
            print(f"{name}: {len(modules)}", *modules, sep="\n  ")
