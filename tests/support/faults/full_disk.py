"""Run everything that writes on a full file system; report line by line.

Run as `python full_disk.py FOLDER REPOSITORY CONFIG PROFILES`, where FOLDER is a small file system
of its own, which this program may fill.  For each scenario it prints `SCENARIO: what was seen`.
"""

import errno
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from devicestatus.adapters.checkpoint_file import CheckpointFile
from devicestatus.adapters.sqlite import SQLiteStore
from healthapi.cli import main as health
from sitedata.cli import main as site
from status_contracts.adapters.files import replace
from support.devicestatus.service_client import ServiceClient, numbered

_PIECE: Final = 4096


@contextmanager
def _filled(folder: Path) -> Iterator[None]:
    """Fill the file system to its last byte for the length of a `with` block."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (_PIECE, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError as fault:
                if fault.errno != errno.ENOSPC:
                    raise
    try:
        yield
    finally:
        filler.unlink()


def _outcome(call: Callable[[], object]) -> str:
    try:
        return f"done {call()}"
    except sqlite3.Error as fault:
        return fault.sqlite_errorname
    except OSError as fault:
        return errno.errorcode[fault.errno or 0]


def _service(folder: Path) -> Iterator[str]:
    path = folder / "status.db"
    store = SQLiteStore(path)
    client = ServiceClient(store, "wsgi")
    yield f"{client.post('/api/update', numbered(1, client.now)).status}"
    before = client.get("/api/now").body
    with _filled(folder):
        for _ in range(2):
            answer = client.post("/api/update", numbered(59, client.now))
            yield f"{answer.status} {answer.body.decode()}"
        yield _outcome(lambda: store.put("now", b"x" * 9000, expires_at_ms=1))
        yield f"{client.get('/api/now').body == before}"
    yield f"{client.post('/api/update', numbered(59, client.now)).status}"
    path.unlink()


def _file(folder: Path) -> Iterator[str]:
    place = folder / "a"
    replace(place, b"old", created=0o600)
    with _filled(folder):
        yield _outcome(lambda: replace(place, b"new" * 9000, created=0o600))
        yield place.read_text()
    replace(place, b"new", created=0o600)
    yield place.read_text()
    place.unlink()


def _checkpoint(folder: Path) -> Iterator[str]:
    kept = CheckpointFile(folder / "checkpoint")
    kept.save(b"old")
    with _filled(folder):
        yield _outcome(lambda: kept.save(b"new" * 9000))
        yield f"{kept.load()!r}"


def _command(run: Callable[[], int], place: Path) -> Iterator[str]:
    """Let a command write a file, again where there is no room, and once more where there is."""
    yield f"{run()}"
    before = place.read_bytes()
    with _filled(place.parent):
        yield f"{run()} {place.read_bytes() == before}"
    yield f"{run()} {len(place.read_bytes()) >= len(before)}"
    place.unlink()


def _main(folder: Path, repository: str, config: str, profiles: str) -> None:
    data, image = folder / "site-data.json", folder / "trend.svg"
    build = ["build", repository, "--config", config, "--force", "-o", str(data)]
    chart = ["chart", profiles, "person-1", "-o", str(image)]
    scenarios = {
        "service": _service(folder),
        "file": _file(folder),
        "checkpoint": _checkpoint(folder),
        "site": _command(lambda: site.main(build), data),
        "health": _command(lambda: health.main(chart), image),
    }
    for name, scenario in scenarios.items():
        for seen in scenario:
            sys.stdout.write(f"{name}: {seen}\n")
        left = sorted(each.name for each in folder.iterdir())
        sys.stdout.write(f"{name}: left {left}\n")


if __name__ == "__main__":
    _main(Path(sys.argv[1]), *sys.argv[2:])
