"""The stores under faults: crashes, full disks, foreign files, absent servers."""

import asyncio
import os
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
import redis

from devicestatus.adapters.redis import AsyncRedisStore
from devicestatus.adapters.sqlite import SQLiteStore, UnusableDatabase
from support.servers.commands import run
from support.servers.redis_server import RedisServer, redis_server

pytestmark = pytest.mark.check

T = TypeVar("T")

FAR = 4_102_444_800_000  # 2100-01-01, ms

UNPRIVILEGED = """
import os, sqlite3, sys
from devicestatus.adapters.sqlite import SQLiteStore
store = SQLiteStore(sys.argv[1])  # all modules are loaded now
if os.getuid() == 0:
    os.setuid(65534)
for attempt in range(2):
    assert store.get("now") == b"old"
    try:
        store.put("now", b"new", expires_at_ms=4_102_444_800_000)
    except sqlite3.OperationalError:
        print("refused")
"""

FORK = """
import os, sys
from devicestatus.adapters.sqlite import SQLiteStore
store = SQLiteStore(sys.argv[1])
store.put("now", b"parent", expires_at_ms=4_102_444_800_000)
child = os.fork()
if child == 0:
    right = store.get("now") == b"parent"
    store.put("now", b"child", expires_at_ms=4_102_444_800_000)
    os._exit(0 if right else 1)
assert os.waitpid(child, 0)[1] == 0
assert store.get("now") == b"child"
store.put("now", b"parent again", expires_at_ms=4_102_444_800_000)
assert store.get("now") == b"parent again"
"""


def _run(script: str, *arguments: object) -> str:
    """Run a script to its end; it must succeed and warn of nothing."""
    command = [sys.executable, "-W", "error", "-c", script, *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def _read(path: Path, key: str = "now") -> bytes | None:
    return SQLiteStore(path).get(key)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "status.db"


class TestSQLiteCrash:
    def test_each_write_syncs_the_file_and_its_folder(self, path: Path) -> None:
        """EXTRA (3) is what the durability of the rollback journal needs when the power fails."""
        with SQLiteStore(path)._connection() as connection:
            assert connection.execute("PRAGMA synchronous").fetchall() == [(3,)]
            assert connection.execute("PRAGMA journal_mode").fetchall() == [("delete",)]

    def test_a_fork_shares_nothing_but_the_file(self, path: Path) -> None:
        """Invariant *one connection for one call*."""
        _run(FORK, path)
        assert _read(path) == b"parent again"


class TestSQLiteWithoutRoom:
    @pytest.mark.parametrize(("file_mode", "folder_mode"), [(0o400, 0o777), (0o600, 0o555)])
    def test_a_read_only_place_still_reads(self, file_mode: int, folder_mode: int) -> None:
        """Neither a read-only file nor a folder without room for the journal can be written."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            path = folder / "status.db"
            _written(path, b"old")
            if os.getuid() == 0:
                os.chown(path, 65_534, 65_534)
            path.chmod(file_mode)
            folder.chmod(folder_mode)
            try:
                assert _run(UNPRIVILEGED, path) == "refused\nrefused\n"
            finally:
                folder.chmod(0o700)
            assert _read(path) == b"old"


class TestSQLiteFile:
    @pytest.mark.parametrize("content", [b"garbage" * 1000, b"\0" * 8192])
    def test_a_file_that_is_no_database_is_refused_unchanged(
        self, path: Path, content: bytes
    ) -> None:
        path.write_bytes(content)
        with pytest.raises(UnusableDatabase, match=f"{path} is damaged, or not a database"):
            SQLiteStore(path)
        assert path.read_bytes() == content

    def test_a_table_of_another_program_with_the_same_name_is_refused(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE record (key TEXT)")
        with pytest.raises(sqlite3.OperationalError, match="no such column"):
            SQLiteStore(path)

    @pytest.mark.parametrize(
        ("start", "end"),
        [(0.5, 1.0), (0.02, 1.0), (0.02, 0.04), (0.1, 0.12), (0.5, 0.52), (0.98, 1.0)],
    )
    @pytest.mark.parametrize("fill", [b"\0", b"\xff", b""], ids=["zeros", "ones", "lost"])
    def test_a_damaged_part_is_noticed_at_the_start_or_is_not_read(
        self, path: Path, fill: bytes, start: float, end: float
    ) -> None:
        """Invariant *damage is named*: no value comes back in part, and the remedy is said."""
        value = b"value" * 40_000
        _written(path, value)
        whole = path.read_bytes()
        first, last = (int(len(whole) * part) // 4096 * 4096 for part in (start, end))
        path.write_bytes(whole[:first] + fill * (last - first) + (whole[last:] if fill else b""))
        try:
            found = _read(path)
        except UnusableDatabase as error:
            assert str(path) in str(error)  # noqa: PT017 - it may also be read whole
            assert "delete" in str(error)  # noqa: PT017
        else:
            assert found is not None
            assert len(found) == len(value)

    def test_a_service_with_a_damaged_store_does_not_start(self, path: Path) -> None:
        _written(path, b"value" * 20_000)
        path.write_bytes(path.read_bytes()[:8192] + b"\0" * 100_000)
        ended = run("serve", "--port", "0", "--store", f"sqlite:{path}", env={"INGEST_TOKEN": ""})
        assert ended.code == 3
        assert ended.err == (
            f"devicestatus: cannot open the store {path}: {path} is damaged, or not a database: if"
            " it is the store, stop the service and delete the file, which holds only the last"
            " status\n"
        )

    def test_damage_found_later_is_logged_once(
        self, path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        _written(path, b"value" * 20_000)
        store = SQLiteStore(path)
        path.write_bytes(path.read_bytes()[:4096] + bytes(path.stat().st_size - 4096))
        for _ in range(3):
            with pytest.raises(UnusableDatabase, match=f"{path} is damaged"):
                store.get("now")
        assert [record.message.partition(",")[0] for record in caplog.records] == [
            f"{path} is damaged"
        ]

    def test_a_file_it_creates_is_for_the_owner_alone(self, path: Path) -> None:
        before = os.umask(0)
        try:
            SQLiteStore(path)
        finally:
            os.umask(before)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_a_file_deleted_under_the_store_is_created_again(self, path: Path) -> None:
        """No write is acknowledged into a file that nobody can find."""
        store = SQLiteStore(path)
        store.put("now", b"old", expires_at_ms=FAR)
        path.unlink()
        assert store.get("now") is None
        store.put("now", b"new", expires_at_ms=FAR)
        assert _read(path) == b"new"

    def test_the_expiry_is_kept_and_reads_do_not_filter_by_it(self, path: Path) -> None:
        """The record carries its own deadline; the column is for whoever cleans up."""
        store = SQLiteStore(path)
        store.put("now", b"value", expires_at_ms=1_500)
        store.put("now", b"value", expires_at_ms=2_500)
        assert store.get("now") == b"value"
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT key, expires_at_ms FROM record").fetchall() == [
                ("now", 2_500)
            ]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with redis_server(tmp_path) as server:
        yield server


def _over(server: RedisServer, work: Callable[[AsyncRedisStore], Coroutine[Any, Any, T]]) -> T:
    async def main() -> T:
        async with AsyncRedisStore.from_url(server.url) as store:
            return await work(store)

    return asyncio.run(main())


class TestRedisServerFaults:
    def test_a_stopped_server_fails_the_calls_until_it_is_back(self, server: RedisServer) -> None:
        async def work(store: AsyncRedisStore) -> bytes | None:
            await store.put("now", b"old", expires_at_ms=FAR)
            server.stop()
            for call in (store.get("now"), store.put("now", b"new", expires_at_ms=FAR)):
                with pytest.raises(redis.ConnectionError):
                    await call
            server.start()
            await store.put("now", b"new", expires_at_ms=FAR)
            return await store.get("now")

        assert _over(server, work) == b"new"

    def test_a_server_without_memory_fails_the_write_and_keeps_the_old_value(
        self, server: RedisServer
    ) -> None:
        async def work(store: AsyncRedisStore) -> bytes | None:
            await store.put("now", b"old", expires_at_ms=FAR)
            with redis.Redis.from_url(server.url) as client:
                client.config_set("maxmemory", "1")
            with pytest.raises(redis.OutOfMemoryError):
                await store.put("now", b"new", expires_at_ms=FAR)
            return await store.get("now")

        assert _over(server, work) == b"old"

    def test_calls_for_which_there_is_no_connection_wait(self, server: RedisServer) -> None:
        """A crowd is no fault."""

        async def main() -> list[bytes | None]:
            url = f"{server.url}?max_connections=2"
            async with AsyncRedisStore.from_url(url, wait_seconds=60) as store:
                await store.put("now", b"value", expires_at_ms=FAR)
                return await asyncio.gather(*(store.get("now") for _ in range(60)))

        assert asyncio.run(main()) == [b"value"] * 60

    @pytest.mark.parametrize(("ms", "seconds"), [(0, 0), (1, 1), (999, 1), (1000, 1)])
    def test_the_deadline_is_rounded_up_to_a_whole_second(
        self, server: RedisServer, ms: int, seconds: int
    ) -> None:
        """Invariant *never early*."""
        _over(server, lambda store: store.put("now", b"value", expires_at_ms=FAR + ms))
        with redis.Redis.from_url(server.url) as client:
            assert client.expiretime("devicestatus:now") == FAR // 1000 + seconds


@contextmanager
def _silent_server(backlog: int, waiting: int) -> Iterator[str]:
    """Listen without an answer; with a full backlog not even connections are made."""
    with socket.create_server(("127.0.0.1", 0), backlog=backlog) as server, ExitStack() as stack:
        for _ in range(waiting):
            client = stack.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(server.getsockname())
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


class TestHangingStores:
    """Each call ends within its own limit."""

    @pytest.mark.parametrize(("backlog", "waiting"), [(100, 0), (0, 4)])
    def test_a_redis_that_does_not_answer(self, backlog: int, waiting: int) -> None:
        async def calls(url: str) -> None:
            async with AsyncRedisStore.from_url(url, wait_seconds=1.0) as store:
                for call in (store.get("now"), store.put("now", b"", expires_at_ms=1)):
                    began = time.monotonic()
                    with pytest.raises(redis.RedisError):
                        await call
                    assert time.monotonic() - began < 1.8

        with _silent_server(backlog, waiting) as url:
            asyncio.run(calls(url))

    def test_a_locked_file(self, path: Path) -> None:
        """Calls at once as well, which wait for their turn first."""

        def seconds(call: Callable[[], object]) -> float:
            began = time.monotonic()
            with pytest.raises(sqlite3.OperationalError):
                call()
            return time.monotonic() - began

        with (
            closing(sqlite3.connect(path, isolation_level=None)) as other,
            ThreadPoolExecutor(8) as pool,
        ):
            store = SQLiteStore(path, wait_seconds=1.0)
            other.execute("BEGIN EXCLUSIVE")
            calls = (lambda: store.get("now"), lambda: store.put("now", b"", expires_at_ms=1))
            took = list(pool.map(seconds, calls * 4))
            other.execute("ROLLBACK")
        assert min(took) > 0.9
        assert max(took) < 1.8


def _written(path: Path, value: bytes) -> None:
    SQLiteStore(path).put("now", value, expires_at_ms=FAR)
