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


def published(people: Path, target: Path, workers: int) -> dict[str, Any]:
    """Run the script; return its report."""
    target.mkdir()
    command = [sys.executable, str(SCRIPTS / "health_pages.py"), people.as_uri(), target.as_uri()]
    done = subprocess.run(
        [*command, "--workers", str(workers), "--now", str(NOW)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_cluster_writes_the_bytes_of_one_process(people: Path, tmp_path: Path) -> None:
    one, other = (published(people, tmp_path / str(workers), workers) for workers in (0, 2))
    assert one["profiles"] == other["profiles"] == PROFILES
    assert (one["digest"], one["bytes"]) == (other["digest"], other["bytes"])
    found = digests(tmp_path / "2")
    assert found == digests(tmp_path / "0")
    assert sum(name.endswith("/index.html") for name in found) == PROFILES
    assert "p0008/api/snapshot/endpoints/devices.json" in found
    for name in (
        *(f"api/datasets/{dataset}.json" for dataset in DATASETS),
        *(f"api/charts/{chart}.svg" for chart in CHARTS),
    ):
        assert f"p0999/{name}" in found


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
