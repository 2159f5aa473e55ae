"""The scripts of examples/batch write the same bytes on a cluster as in one process."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import obstore
import pytest
from obstore.store import S3Store

from healthapi.keys import CHARTS, DATASETS
from support.healthapi.health_folders import content, write, write_profile
from support.servers.s3_server import s3_server

pytestmark = pytest.mark.check

SCRIPTS = Path(__file__).parents[2] / "examples" / "batch"
PROFILES = 60
NOW = 1_800_000_000_000


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Profiles for three tasks; some have more days, and one a snapshot with an endpoint."""
    folder: Path = tmp_path_factory.mktemp("batch") / "people"
    for number in range(PROFILES):
        write_profile(folder / f"p{number:04}", number)
    days = "".join(f"2025-{month:02}-10,{60 + month}\n" for month in range(1, 13))
    write(folder / "p0007/csv/fitbit_rhr.csv", f"date,resting_heart_rate\n{days}")
    snapshot = {"saved_at": "1", "endpoints": {"devices": {"ok": True, "data": []}}}
    write(folder / "p0008/cache/fitbit_profile_snapshot.json", json.dumps(snapshot))
    return folder


def published(
    source: str, target: str, workers: int, environ: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Run the script; return its report."""
    command = [sys.executable, str(SCRIPTS / "health_pages.py"), source, target]
    done = subprocess.run(
        [*command, "--workers", str(workers), "--now", str(NOW)],
        env={**os.environ, **(environ or {})},
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
    by_cluster = published(people.as_uri(), tmp_path.as_uri(), 2)
    assert by_cluster == published(people.as_uri(), "memory:///", 0) == report_of(tmp_path)
    assert by_cluster["profiles"] == PROFILES
    assert all((tmp_path / profile.name / "index.html").is_file() for profile in people.iterdir())
    assert (tmp_path / "p0008/api/snapshot/endpoints/devices.json").is_file()
    for name in (
        *(f"api/datasets/{dataset}.json" for dataset in DATASETS),
        *(f"api/charts/{chart}.svg" for chart in CHARTS),
    ):
        assert (tmp_path / "p0059" / name).is_file()


def test_buckets_are_read_and_written_as_folders_are(tmp_path: Path) -> None:
    columns = '[rhr]\nfile = "{}.csv"\n[rhr.columns]\nrhr = "pulse"\n'
    pulses = "date,pulse\n2026-01-31,6{}\n"
    for number, name in enumerate(("ada", "bob")):
        write_profile(tmp_path / "people" / name, number)
        for table in ("own", "all"):
            write(tmp_path / "people" / name / "csv" / f"{table}.csv", pulses.format(number))
    write(tmp_path / "people/columns.toml", columns.format("all"))
    write(tmp_path / "people/ada/columns.toml", columns.format("own"))
    write(tmp_path / "people/not an id/csv/own.csv", "")
    (tmp_path / "site").mkdir()
    report = published((tmp_path / "people").as_uri(), (tmp_path / "site").as_uri(), 0)
    assert (report["profiles"], report_of(tmp_path / "site")) == (2, report)
    page = json.loads((tmp_path / "site/bob/api/datasets/rhr.json").read_bytes())
    assert [row["rhr"] for row in page["data"]["rows"]] == [61]
    with s3_server("health") as server:
        bucket = S3Store(
            "health",
            endpoint=server.url,
            region="us-east-1",
            access_key_id="any",
            secret_access_key="any",
            client_options={"allow_http": True},
        )
        for path in filter(Path.is_file, (tmp_path / "people").rglob("*")):
            obstore.put(bucket, path.relative_to(tmp_path).as_posix(), path.read_bytes())
        urls = "s3://health/people", "s3://health/site"
        assert published(*urls, 0, server.environ) == report
        for path in filter(Path.is_file, (tmp_path / "site").rglob("*")):
            stored = obstore.get(bucket, path.relative_to(tmp_path).as_posix())
            assert bytes(stored.bytes()) == path.read_bytes()


def test_a_profile_that_cannot_be_read_is_named(tmp_path: Path) -> None:
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
    assert "ValueError: ada: csv/fitbit_rhr.csv: " in done.stderr
