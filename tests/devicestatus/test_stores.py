"""The stores of `devicestatus.adapters` hold the store contract, and the contract finds faults."""

import asyncio
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import redis
import redis.asyncio
import redis.asyncio.cluster

from devicestatus.adapters.memory import MemoryStore
from devicestatus.adapters.redis import AsyncRedisStore
from devicestatus.adapters.sqlite import SQLiteStore
from devicestatus.store_contract import AnyStore, StoreContract
from support.servers.redis_server import RedisServer, redis_server

REDIS_URL = os.environ.get("STATUS_CONTRACTS_REDIS_URL")
PAGE = Path(__file__).parents[2] / "docs/reference/stores.md"


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the URL of the configured server, or of one that runs as long as this module."""
    if REDIS_URL:
        yield REDIS_URL
        return
    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server.url


@pytest.fixture(scope="module")
def redis_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("cluster"), cluster=True) as server:
        yield server


@pytest.fixture
def prefix(redis_url: str) -> Iterator[str]:
    """Yield a prefix that no other test uses; afterwards remove what was written with it."""
    prefix = f"status-contracts-test:{uuid.uuid4()}:"
    yield prefix
    with redis.Redis.from_url(redis_url) as client:
        for key in client.scan_iter(match=f"{prefix}*", count=1000):
            client.delete(key)


class TestMemoryStore(StoreContract):
    def make_store(self) -> MemoryStore:
        return MemoryStore()

    def test_it_may_be_called_in_an_event_loop(self) -> None:
        """Front ends read `nonblocking` and leave the worker thread out."""
        assert MemoryStore.nonblocking
        assert MemoryStore().nonblocking


class TestSQLiteStore(StoreContract):
    durable = True

    @pytest.fixture(autouse=True)
    def _in_folder(self, tmp_path: Path) -> None:
        self.paths = (tmp_path / f"{number}.db" for number in count())

    def make_store(self) -> SQLiteStore:
        self.path = next(self.paths)
        return SQLiteStore(self.path)

    def reopen(self, store: AnyStore) -> SQLiteStore:
        return SQLiteStore(self.path)


class TestAsyncRedisStore(StoreContract):
    @pytest.fixture(autouse=True)
    def _on_server(self, redis_url: str, prefix: str) -> None:
        self.url = redis_url
        self.prefixes = (f"{prefix}{number}:" for number in count())

    def make_store(self) -> AsyncRedisStore:
        return AsyncRedisStore.from_url(self.url, prefix=next(self.prefixes))

    def test_the_prefix_precedes_the_key(self, prefix: str) -> None:
        """A deployment finds its key by the name it configured."""

        async def write() -> str:
            async with AsyncRedisStore.from_url(self.url, prefix=prefix) as store:
                await store.put("now", b"value", expires_at_ms=_in_seconds(60))
            async with AsyncRedisStore.from_url(self.url) as store:
                return store._prefix

        assert asyncio.run(write()) == "devicestatus:"
        with redis.Redis.from_url(self.url) as client:
            assert client.get(f"{prefix}now") == b"value"

    def test_a_client_that_decodes_is_refused(self) -> None:
        async def make() -> None:
            async with redis.asyncio.Redis.from_url(self.url, decode_responses=True) as client:
                AsyncRedisStore(client)

        with pytest.raises(ValueError, match="decode_responses=False"):
            asyncio.run(make())


@pytest.mark.check
class TestAsyncRedisStoreInACluster(StoreContract):
    @pytest.fixture(autouse=True)
    def _in_cluster(self, redis_cluster: RedisServer) -> None:
        self.url = redis_cluster.url

    def make_store(self) -> AsyncRedisStore:
        client = redis.asyncio.cluster.RedisCluster.from_url(self.url)
        return AsyncRedisStore(client, prefix=f"{uuid.uuid4()}:")


class _AsyncMemory:
    """A correct awaitable store whose calls never give way to another task."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}

    async def get(self, key: str) -> bytes | None:
        return self.values.get(key)

    async def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        self.values[key] = value


class _Late:
    """A correct store that is eventually consistent: a read shows what was there 0.05 s ago."""

    def __init__(self) -> None:
        self.history: list[tuple[float, str, bytes]] = []

    def get(self, key: str) -> bytes | None:
        until = time.monotonic() - 0.05
        shown = [value for at, name, value in self.history if name == key and at <= until]
        return shown[-1] if shown else None

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        self.history.append((time.monotonic(), key, value))


class TestTheContractOverAStoreThatIsMadeAwaitably(StoreContract):
    async def make_store(self) -> _AsyncMemory:
        return _AsyncMemory()


class TestTheContractOverAnEventuallyConsistentStore(StoreContract):
    settles_within_seconds = 0.2

    def make_store(self) -> _Late:
        return _Late()


class _Expiring(MemoryStore):
    """A store that drops what has expired; the faulty ones below bend one rule of it."""

    def __init__(self) -> None:
        super().__init__()
        self.deadlines: dict[str, int] = {}

    def get(self, key: str) -> bytes | None:
        return super().get(key) if _in_seconds(0) < self.deadlines.get(key, 0) else None

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        super().put(key, value, expires_at_ms=expires_at_ms)
        self.deadlines[key] = expires_at_ms


class _Bent(MemoryStore):
    """A store with one fault: in what it keeps of an old and a new value, shows, or calls a key."""

    def __init__(
        self,
        kept: Callable[[bytes | None, bytes], Any] = lambda _, new: new,
        *,
        shown: Callable[[Any], Any] = lambda value: value,
        key: Callable[[str], str] = lambda key: key,
    ) -> None:
        super().__init__()
        self.kept, self.shown, self.key = kept, shown, key

    def get(self, key: str) -> bytes | None:
        value: bytes | None = self.shown(super().get(self.key(key)))
        return value

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        kept = self.kept(super().get(self.key(key)), value)
        super().put(self.key(key), kept, expires_at_ms=expires_at_ms)


_gives_empty_for_missing = partial(_Bent, shown=lambda value: value or b"")
_gives_views = partial(_Bent, shown=lambda value: value and memoryview(value))
_cuts_at_nul = partial(_Bent, lambda _, new: new.split(b"\0")[0])
_cuts_at_half_a_megabyte = partial(_Bent, lambda _, new: new[:524_288])
_drops_empty = partial(_Bent, lambda old, new: new or old)
_writes_in_place = partial(_Bent, lambda old, new: new + (old or b"")[len(new) :])
_shortens_keys = partial(_Bent, key=lambda key: key[:2])


class _RoundsDown(_Expiring):
    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        super().put(key, value, expires_at_ms=expires_at_ms // 1000 * 1000)


class _SkipsTheSame(_Expiring):
    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        if self.get(key) != value:
            super().put(key, value, expires_at_ms=expires_at_ms)


class _SkipsTheExpired(_Expiring):
    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        if expires_at_ms > _in_seconds(0):
            super().put(key, value, expires_at_ms=expires_at_ms)


class _WritesInTwoSteps(MemoryStore):
    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        super().put(key, value[: len(value) // 2], expires_at_ms=expires_at_ms)
        time.sleep(0.002)
        super().put(key, value, expires_at_ms=expires_at_ms)


class _Locks(MemoryStore):
    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        if self.get(key) is not None:
            raise AssertionError("locked")
        super().put(key, value, expires_at_ms=expires_at_ms)


class _Over(StoreContract):
    """The contract over one store."""

    durable = True

    def __init__(self, store: AnyStore) -> None:
        self.store = store

    def make_store(self) -> AnyStore:
        return self.store

    def reopen(self, store: AnyStore) -> AnyStore:
        return MemoryStore()


class TestTheContract:
    """The contract reports good stores from bad ones."""

    @pytest.mark.parametrize(
        ("store", "rule", "values"),
        [
            (_gives_empty_for_missing, "a_key_never_written_is_none", ()),
            (_writes_in_place, "an_overwrite_replaces_the_whole_value", ()),
            (_shortens_keys, "keys_are_independent", ()),
            (_RoundsDown, "a_value_stays_until_its_deadline", ()),
            (_SkipsTheSame, "the_same_bytes_written_again_renew_the_deadline", ()),
            (_SkipsTheExpired, "an_expired_overwrite_does_not_bring_the_old_value_back", ()),
            (_WritesInTwoSteps, "writers_at_once_leave_one_whole_value", ()),
            (_Locks, "writers_at_once_leave_one_whole_value", ()),
            (MemoryStore, "values_outlive_the_store", ()),
            (_Late, "an_overwrite_replaces_the_whole_value", ()),
            (_gives_views, "a_value_comes_back_byte_for_byte", ("digits",)),
            (_cuts_at_nul, "a_value_comes_back_byte_for_byte", ("NUL inside",)),
            (_cuts_at_half_a_megabyte, "a_value_comes_back_byte_for_byte", ("largest",)),
            (_drops_empty, "a_value_comes_back_byte_for_byte", ("empty",)),
        ],
    )
    def test_a_faulty_store_breaks_the_rule(
        self, store: Callable[[], AnyStore], rule: str, values: tuple[str, ...]
    ) -> None:
        with pytest.raises(AssertionError):
            getattr(_Over(store()), f"test_{rule}")(*values)

    def test_a_failure_shows_no_more_than_the_beginning_of_a_value(self) -> None:
        """A megabyte in a report helps nobody."""
        with pytest.raises(AssertionError) as failure:
            _Over(_cuts_at_half_a_megabyte()).test_a_value_comes_back_byte_for_byte("largest")
        assert "524288 bytes" in str(failure.value)
        assert len(str(failure.value)) < 300

    def test_a_contract_without_a_store_asks_for_one(self) -> None:
        with pytest.raises(NotImplementedError, match="define make_store"):
            StoreContract().test_a_key_never_written_is_none()

    def test_a_durable_store_must_say_how_to_reopen(self) -> None:
        class Incomplete(_Over):
            reopen: Any = StoreContract.reopen

        with pytest.raises(NotImplementedError, match="define reopen"):
            Incomplete(MemoryStore()).test_values_outlive_the_store()


class TestThePages:
    @pytest.mark.check  # needs what guides show
    def test_the_example_of_the_guide_holds_the_contract(self, tmp_path: Path) -> None:
        """Its test runs as it stands on the page, beside its store, in a folder of their own."""
        text = PAGE.read_text("utf-8")
        ((name, code),) = re.findall(r"```python\n# (test_\S+\.py)\n(.*?)```", text, re.DOTALL)
        (tmp_path / name).write_text(code, "utf-8")
        shutil.copy(PAGE.parents[2] / "examples/stores/sql_store.py", tmp_path)
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-W", "error", "--rootdir", tmp_path, tmp_path],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout
        assert re.search(r"^\d+ passed", run.stdout, re.MULTILINE), run.stdout

    def test_the_housekeeping_statement_removes_what_has_expired(self, tmp_path: Path) -> None:
        statement = re.search(r"`(DELETE FROM [^`]+)`", PAGE.read_text("utf-8"))
        assert statement is not None
        store = SQLiteStore(tmp_path / "status.db")
        store.put("then", b"expired", expires_at_ms=_in_seconds(-60))
        store.put("now", b"fresh", expires_at_ms=_in_seconds(60))
        with closing(sqlite3.connect(tmp_path / "status.db")) as shell, shell:
            shell.execute(statement[1])
        assert store.get("then") is None
        assert store.get("now") == b"fresh"


def _in_seconds(seconds: float) -> int:
    return time.time_ns() // 1_000_000 + round(seconds * 1000)
