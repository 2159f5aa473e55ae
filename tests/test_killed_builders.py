"""Builders that are killed by SIGKILL at random times leave the old file or the new one.

What a kill leaves beside the file begins with a dot and ends in `.new`, and no one serves it.  The
same loop runs over a writer that opens its file and writes: it must catch that one.
"""

import os
import random
import signal
import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from sitedata import check
from sitedata.adapters.files import SnapshotFile
from sitedata.cli.main import main as sitedata_main
from status_contracts.adapters.assets import FolderAssets
from status_contracts.adapters.clocks import system_clock
from status_contracts.messages import Asset
from support.faults.killed_builder import number_of_bytes
from support.faults.killed_forks import forks
from support.sitedata.git_repositories import CONFIG, ONE_PROBLEM, make

pytestmark = pytest.mark.check

ROUNDS: Final = 40
NAME: Final = "site-data.json"


def rounds(
    kind: str, place: Path, longest_seconds: float, *arguments: object
) -> Generator[int, None, None]:
    """Kill one builder after the other; give the number of each round when its builder is gone."""
    chance = random.Random(kind)  # noqa: S311 - the same moments each time
    with forks("killed_builder", kind, place, *arguments) as heard:
        for number in range(ROUNDS):
            pid = heard.start(1 + number * 1000)
            time.sleep(chance.uniform(0, longest_seconds))
            os.kill(pid, signal.SIGKILL)
            assert heard.output.readline() == b"over\n"
            yield number


def left(place: Path) -> list[str]:
    """Return the names beside a file, which must be those of files that were not finished."""
    names = [each.name for each in place.parent.iterdir() if each != place]
    assert all(name.startswith(f".{place.name}.") and name.endswith(".new") for name in names)
    return names


class TestReplacing:
    def test_a_killed_writer_leaves_the_old_file_or_the_new(self, tmp_path: Path) -> None:
        place = tmp_path / NAME
        served = FolderAssets(tmp_path)
        last = unfinished = 0
        for number in rounds("replaced", place, 0.03):
            data = place.read_bytes()
            assert last <= number_of_bytes(data) < (number + 1) * 1000
            last = number_of_bytes(data)
            asset = served.read_asset(NAME)
            assert isinstance(asset, Asset)
            assert asset.body == data
            names = left(place)
            assert len(names) <= 1, "the next write removes what the last one left"
            assert [served.read_asset(name) for name in names] == [None] * len(names)
            unfinished += len(names)
        assert unfinished >= ROUNDS // 8, "too few kills fell into a write"

    def test_a_file_that_is_opened_and_written_is_caught(self, tmp_path: Path) -> None:
        place = tmp_path / NAME
        with closing(rounds("plain", place, 0.03)) as found:
            assert any(is_torn(place.read_bytes()) for _ in found)


def is_torn(data: bytes) -> bool:
    try:
        number_of_bytes(data)
    except (AssertionError, ValueError):
        return True
    return False


class TestBuilding:
    def test_a_killed_build_leaves_a_whole_snapshot_that_is_the_one_served(
        self, tmp_path: Path
    ) -> None:
        repository = make(tmp_path / "practice", ONE_PROBLEM).path
        config = tmp_path / "site-data.toml"
        config.write_text(CONFIG)
        place = tmp_path / "out" / NAME
        place.parent.mkdir()
        source = SnapshotFile(place)
        seen = set()
        arguments = [str(repository), "--config", str(config)]
        began = time.monotonic()
        assert sitedata_main(["build", *arguments, "-o", str(place)]) == 0
        longest_seconds = 3 * (time.monotonic() - began)  # so most builders end a build
        for _ in rounds("built", place, longest_seconds, *arguments):
            data = place.read_bytes()
            report = check(data)
            assert report.findings == ()
            assert report.snapshot is not None
            seen.add(report.snapshot.generated_at)
            published = source.read(None, system_clock())
            assert published is not None
            assert published.asset.body == data
            left(place)
        assert len(seen) > 1, "no build came to its end"
