"""How many modules a reader of the source opens to follow one fact to where it is read.

A module counts if a function of its file runs; what attrs and the fast decoder write has no file.
"""

from collections.abc import Callable
from cProfile import Profile
from functools import partial
from pathlib import Path

import pytest

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

LIMITS = {
    "POST /api/update": 14,
    "GET /api/now": 12,
    "a CSV cell to a point of a chart": 24,
    "a commit to a problem in the file": 26,
}
"""Way to how many modules it may enter."""
SOURCES = Path(__file__).parents[1] / "src"
FILES = {"csv/fitbit_activity.csv": b"date,steps\n2026-01-01,5000\n2026-01-02,7000\n"}


class Profiles:
    """A source in memory that reads its one profile from bytes for each request."""

    nonblocking = True

    def read(self, name: str | None, _now: int) -> object:
        at = "2026-01-02T12:00:00"
        return ("ada",) if name is None else healthapi.load(name, FILES, generated_at=at)


def modules_of(go: Callable[[], object]) -> list[str]:
    go()  # because decoders are made when they are first used
    profile = Profile()
    profile.runcall(go)
    code = [entry.code for entry in profile.getstats() if not isinstance(entry.code, str)]
    paths = {Path(function.co_filename) for function in code}
    return sorted(str(path.relative_to(SOURCES)) for path in paths if SOURCES in path.parents)


@pytest.fixture(scope="module")
def entered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    folder = tmp_path_factory.mktemp("walks")
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
        assert call_asgi(app, method, path, JSON_HEADERS, content).status == 200

    ways: tuple[Callable[[], None], ...] = (
        partial(ask, status, "POST", b"/api/update", encode(uploaded)),
        partial(ask, status, "GET", b"/api/now"),
        partial(ask, health, "GET", chart),
        build,
    )
    return {way: modules_of(go) for way, go in zip(LIMITS, ways, strict=True)}


@pytest.mark.parametrize("way", LIMITS)
def test_a_way_enters_no_more_modules_than_the_table_says(
    way: str, entered: dict[str, list[str]]
) -> None:
    assert len(entered[way]) <= LIMITS[way], entered[way]


def test_a_module_counts_once_and_only_if_a_function_of_it_runs(
    entered: dict[str, list[str]],
) -> None:
    modules = entered["GET /api/now"]
    assert len(set(modules)) == len(modules)
    assert {"devicestatus/service.py", "devicestatus/state.py"} <= set(modules)
    assert not {"devicestatus/models.py", "devicestatus/projection.py"} & set(modules)
