"""How many modules a reader of the source opens to follow one fact to where it is read.

A module counts if a function of its file runs; what attrs and the fast decoder write has no file.
Each way is gone once before it is counted, because decoders are made when they are first used.
"""

import asyncio
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final

import httpx2
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

LIMITS: Final = {
    "POST /api/update": 14,
    "GET /api/now": 12,
    "a CSV cell to a point of a chart": 24,
    "a commit to a problem in the file": 26,
}
"""Way to how many modules it may enter."""

SOURCES: Final = Path(__file__).parents[1] / "src"
_TOKEN: Final = "0123456789abcdef0123456789abcdef"
_HEADERS: Final = {"Authorization": f"Bearer {_TOKEN}", "Content-Type": "application/json"}
_SNAPSHOT: Final = EXAMPLES["Snapshot"][0]
_FILES: Final = {"csv/fitbit_activity.csv": b"date,steps\n2026-01-01,5000\n2026-01-02,7000\n"}
_COMMIT: Final = b"""\
commit refs/heads/main
committer Ada <ada@example.org> 1769700000 +0000
data 0
M 100644 inline kattis/hello.py
data 10
print('a')

"""


def walks(folder: Path) -> dict[str, Callable[[], object]]:
    """Return the ways of `LIMITS`; an empty folder is for the files of the last one."""
    now = parse_utc(_SNAPSHOT["collected_at"])
    status = status_app(Settings(_TOKEN), store=MemoryStore(), clock=lambda: now)
    chart = f"{ROOT}/profiles/ada/charts/activity-trend.svg"
    git, repository = shutil.which("git") or "git", str(folder / "practice.git")
    subprocess.run([git, "init", "--quiet", "--bare", repository], check=True)
    load = [git, "-C", repository, "fast-import", "--quiet"]
    subprocess.run(load, input=_COMMIT, check=True)
    update = partial(_ask, status, "POST", "/api/update", encode(_SNAPSHOT))
    update()  # so that there is a status to read
    goes = (
        update,
        partial(_ask, status, "GET", "/api/now"),
        partial(_ask, health_app(_Profiles(), clock=lambda: now), "GET", chart),
        partial(_build, repository, str(folder / "site-data.json")),
    )
    return dict(zip(LIMITS, goes, strict=True))


def entered(go: Callable[[], object]) -> list[str]:
    """Return the modules that a way enters, as paths below the sources."""
    go()
    files: set[str] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        go()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    paths = [Path(file) for file in files]
    return sorted(str(path.relative_to(SOURCES)) for path in paths if SOURCES in path.parents)


class _Profiles:
    """A source in memory that reads its one profile from bytes for each request."""

    nonblocking = True

    def read(self, name: str | None, _now: int) -> object:
        at = "2026-01-02T12:00:00"
        return ("ada",) if name is None else healthapi.load(name, _FILES, generated_at=at)


def _ask(app: App, method: str, path: str, body: bytes = b"") -> None:
    async def ask() -> None:
        transport = httpx2.ASGITransport(app)
        client = httpx2.AsyncClient(transport=transport, base_url="http://a.b", headers=_HEADERS)
        async with client:
            (await client.request(method, path, content=body)).raise_for_status()

    asyncio.run(ask())


def _build(repository: str, output: str) -> None:
    """Build a new file: one that is there is read, because it stays if nothing changed."""
    Path(output).unlink(missing_ok=True)
    names = ["--ref", "main", "--owner", "ada", "--name", "practice"]
    assert sitedata(["build", repository, *names, "--output", output]) == 0


@pytest.mark.parametrize("way", LIMITS)
def test_a_way_enters_no_more_modules_than_the_table_says(way: str, tmp_path: Path) -> None:
    modules = entered(walks(tmp_path)[way])
    assert len(modules) <= LIMITS[way], modules


def test_a_module_counts_once_and_only_if_a_function_of_it_runs(tmp_path: Path) -> None:
    modules = entered(walks(tmp_path)["GET /api/now"])
    assert len(set(modules)) == len(modules)
    assert {"devicestatus/service.py", "devicestatus/state.py"} <= set(modules)
    assert not {"devicestatus/models.py", "devicestatus/projection.py"} & set(modules)
