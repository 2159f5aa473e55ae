"""Count the modules that a reader of the source opens to follow a fact to where it is read.

    python tools/walks.py      lists the modules of each way; exits with 1 where they are too many

A module counts if a function of its file runs; what attrs and the fast decoder write has no file.
Each way is gone once before it is counted, because decoders are made when they are first used.
"""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from cProfile import Profile
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import httpx2

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
_SOURCES: Final = Path(__file__).parents[1] / "src"
_TOKEN: Final = "0123456789abcdef0123456789abcdef"
_HEADERS: Final = {"Authorization": f"Bearer {_TOKEN}", "Content-Type": "application/json"}
_FILES: Final = {"csv/fitbit_activity.csv": b"date,steps\n2026-01-01,5000\n2026-01-02,7000\n"}
_COMMIT: Final = b"""\
commit refs/heads/main
committer Ada <ada@example.org> 1769700000 +0000
data 0
M 100644 inline kattis/hello.py
data 10
print('a')

"""


class _Profiles:
    """A source in memory that reads its one profile from bytes for each request."""

    nonblocking = True

    def read(self, name: str | None, _now: int) -> object:
        at = "2026-01-02T12:00:00"
        return ("ada",) if name is None else healthapi.load(name, _FILES, generated_at=at)


def walks(folder: Path) -> dict[str, list[str]]:
    """Return the modules that each way of `LIMITS` enters; an empty folder is for its files."""
    snapshot = EXAMPLES["Snapshot"][0]
    now = parse_utc(snapshot["collected_at"])
    status = status_app(Settings(_TOKEN), store=MemoryStore(), clock=lambda: now)
    chart = f"{ROOT}/profiles/ada/charts/activity-trend.svg"
    repository, output = folder / "practice.git", folder / "site-data.json"
    subprocess.run(["git", "init", "--quiet", "--bare", repository], check=True)
    subprocess.run(["git", "-C", repository, "fast-import", "--quiet"], input=_COMMIT, check=True)
    names = ["--ref", "main", "--owner", "ada", "--name", "practice", "--output", str(output)]

    def build() -> None:
        output.unlink(missing_ok=True)  # because a file that is there is read
        assert sitedata(["build", str(repository), *names]) == 0

    goes: tuple[Callable[[], None], ...] = (
        partial(_ask, status, "POST", "/api/update", encode(snapshot)),
        partial(_ask, status, "GET", "/api/now"),
        partial(_ask, health_app(_Profiles(), clock=lambda: now), "GET", chart),
        build,
    )
    return {way: _entered(go) for way, go in zip(LIMITS, goes, strict=True)}


def _ask(app: App, method: str, path: str, body: bytes = b"") -> None:
    async def ask() -> None:
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app)) as client:
            url = f"http://status.example.org{path}"
            answer = await client.request(method, url, content=body, headers=_HEADERS)
            answer.raise_for_status()

    asyncio.run(ask())


def _entered(go: Callable[[], None]) -> list[str]:
    go()
    profile = Profile()
    profile.runcall(go)
    code = [entry.code for entry in profile.getstats() if not isinstance(entry.code, str)]
    paths = {Path(function.co_filename) for function in code}
    return sorted(str(path.relative_to(_SOURCES)) for path in paths if _SOURCES in path.parents)


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        found = walks(Path(folder))
    for way, modules in found.items():
        print(f"{way}: {len(modules)} of {LIMITS[way]}", *modules, sep="\n  ")
    sys.exit(any(len(modules) > LIMITS[way] for way, modules in found.items()))
