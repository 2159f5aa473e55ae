"""No room left: a write is refused as a whole, what was there stays, and nothing else does.

The file system is a real one that is really full: some hundred kB of memory, mounted where no one
but the test sees it.  A machine that lets no one mount one shows it by SQLite's own limit alone.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from devicestatus.adapters.sqlite import SQLiteStore
from support.devicestatus.service_client import UNAVAILABLE, ServiceClient, numbered
from support.servers.services import need
from support.sitedata.git_repositories import CONFIG, ONE_PROBLEM, make

pytestmark = pytest.mark.check

TESTS: Final = Path(__file__).parent
PROFILES: Final = TESTS.parent / "examples" / "lifesnaps"
MOUNT: Final = 'mount -t tmpfs -o size=256k none "$1" && shift && exec "$@"'


def mounted(folder: Path, *command: object) -> subprocess.CompletedProcess[str]:
    """Run a command that sees a small file system at a place; no one else does."""
    unshare = need("unshare")
    shell = [unshare, "-rm", "sh", "-ec", MOUNT, "sh", str(folder)]
    return subprocess.run(
        [*shell, *map(str, command)],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[str]]]:
    """The output of `full_disk`, by scenario."""
    folder = tmp_path_factory.mktemp("full")
    small = folder / "small"
    small.mkdir()
    if mounted(small, "true").returncode:
        pytest.skip("this machine lets nobody mount a file system")
    config = folder / "site-data.toml"
    config.write_text(CONFIG)
    repository = make(folder / "practice", ONE_PROBLEM).path
    done = mounted(
        small, sys.executable, "-W", "error", TESTS / "support" / "faults" / "full_disk.py",
        small, repository, config, PROFILES,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        scenario, _, seen = line.partition(": ")
        found.setdefault(scenario, []).append(seen)
    yield {**found, "complaints": done.stderr.splitlines()}
    shutil.rmtree(folder)


REFUSED: Final = f"503 {UNAVAILABLE.decode()}"


class TestAFullFileSystem:
    def test_a_service_responses_503_and_keeps_the_old_record(
        self, output: dict[str, list[str]]
    ) -> None:
        """By the store's own exception, and the next write that has room succeeds."""
        expected = ["200", REFUSED, REFUSED, "SQLITE_FULL", "True", "200", "left []"]
        assert output["service"] == expected

    def test_a_file_that_is_replaced_stays_as_it_was(self, output: dict[str, list[str]]) -> None:
        assert output["file"] == ["ENOSPC", "old", "new", "left []"]

    def test_a_checkpoint_goes_rather_than_stay_behind(self, output: dict[str, list[str]]) -> None:
        """A session that is resumed from an old one would go back."""
        assert output["checkpoint"] == ["ENOSPC", "None", "left []"]

    @pytest.mark.parametrize("scenario", ["site", "health"])
    def test_a_command_leaves_the_old_file(
        self, scenario: str, output: dict[str, list[str]]
    ) -> None:
        assert output[scenario] == ["0", "3 True", "0 True", "left []"]

    def test_commands_say_why(self, output: dict[str, list[str]]) -> None:
        complaints = [line for line in output["complaints"] if "No space left on device" in line]
        assert len(complaints) == 2


class TestSQLitesOwnLimit:
    def test_a_database_that_may_not_grow_is_503_and_keeps_the_old_record(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "status.db"
        store = SQLiteStore(path)
        client = ServiceClient(store, "wsgi")
        assert client.post("/api/update", numbered(1, client.now)).status == 200
        before = client.get("/api/now").body
        with closing(sqlite3.connect(path)) as connection:
            ((pages,),) = connection.execute("PRAGMA page_count")
        with monkeypatch.context() as patch:
            patch.setattr(sqlite3, "connect", partial(limited, sqlite3.connect, pages))
            for _ in range(2):
                refused = client.post("/api/update", numbered(59, client.now))
                assert (refused.status, refused.body) == (503, UNAVAILABLE)
            with pytest.raises(sqlite3.OperationalError) as failed:
                store.put("now", b"x" * 9000, expires_at_ms=1)
            assert failed.value.sqlite_errorcode == sqlite3.SQLITE_FULL
            assert client.get("/api/now").body == before
        assert client.post("/api/update", numbered(59, client.now)).status == 200
        assert [each.name for each in tmp_path.iterdir()] == [path.name]


def limited(connect: Any, pages: int, *arguments: Any, **options: Any) -> sqlite3.Connection:
    """Open a database that may not be larger than so many pages."""
    connection: sqlite3.Connection = connect(*arguments, **options)
    connection.execute(f"PRAGMA max_page_count = {pages}")
    return connection
