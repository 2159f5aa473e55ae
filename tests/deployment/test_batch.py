"""The scripts of examples/batch write the same bytes on a cluster as in one process."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from healthapi.catalog_keys import CHARTS, DATASETS
from support.healthapi.health_folders import content, write, write_profile

SCRIPTS = Path(__file__).parents[2] / "examples" / "batch"
PROFILES = 1000
NOW = 1_800_000_000_000


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a thousand profiles; some have more days, and one a snapshot with an endpoint."""
    folder: Path = tmp_path_factory.mktemp("batch") / "people"
    for number in range(PROFILES):
        write_profile(folder / f"p{number:04}", number % 100)
    days = "".join(f"2025-{month:02}-10,{60 + month}\n" for month in range(1, 13))
    write(folder / "p0007/csv/fitbit_rhr.csv", f"date,resting_heart_rate\n{days}")
    snapshot = {"saved_at": "1", "endpoints": {"devices": {"ok": True, "data": []}}}
    write(folder / "p0008/cache/fitbit_profile_snapshot.json", json.dumps(snapshot))
    return folder


def published(people: Path, target: str, workers: int) -> dict[str, Any]:
    """Run the script; return its report."""
    command = [sys.executable, str(SCRIPTS / "health_pages.py"), people.as_uri(), target]
    done = subprocess.run(
        [*command, "--workers", str(workers), "--now", str(NOW)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    del report["seconds"]
    return report


def report_of(folder: Path) -> dict[str, Any]:
    """Return the report of the files of a folder."""
    written = []
    for profile in sorted(folder.iterdir()):
        files = {
            path.relative_to(profile).as_posix(): path.read_bytes()
            for path in profile.rglob("*")
            if path.is_file()
        }
        content = b"".join(name.encode() + b"\0" + files[name] for name in sorted(files))
        size = sum(map(len, files.values()))
        written.append((profile.name, size, hashlib.sha256(content).hexdigest()))
    return {
        "profiles": len(written),
        "bytes": sum(size for _, size, _ in written),
        "digest": hashlib.sha256(repr(written).encode()).hexdigest(),
    }


def test_a_cluster_writes_the_bytes_of_one_process(people: Path, tmp_path: Path) -> None:
    by_cluster = published(people, tmp_path.as_uri(), 2)
    assert by_cluster == published(people, "memory:///", 0) == report_of(tmp_path)
    assert by_cluster["profiles"] == PROFILES
    assert all((tmp_path / profile.name / "index.html").is_file() for profile in people.iterdir())
    assert (tmp_path / "p0008/api/snapshot/endpoints/devices.json").is_file()
    for name in (
        *(f"api/datasets/{dataset}.json" for dataset in DATASETS),
        *(f"api/charts/{chart}.svg" for chart in CHARTS),
    ):
        assert (tmp_path / "p0999" / name).is_file()


def test_a_profile_that_cannot_be_read_is_named(people: Path, tmp_path: Path) -> None:
    broken = tmp_path / "people"
    write_profile(broken / "ada")
    write(broken / "ada/csv/fitbit_rhr.csv", content("csv/fitbit_rhr.csv", 1)[:-1] + "\n2026-0")
    (tmp_path / "site").mkdir()
    command = [sys.executable, str(SCRIPTS / "health_pages.py"), broken.as_uri()]
    done = subprocess.run(
        [*command, (tmp_path / "site").as_uri(), "--workers", "0"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "SiteError: ada" in done.stderr
