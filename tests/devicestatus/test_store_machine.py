"""Random sequences of requests over the stores of this package, and over faulty ones."""

from collections.abc import Callable, Generator, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from devicestatus import service as service_module
from devicestatus.adapters.memory import MemoryStore
from devicestatus.adapters.redis import AsyncRedisStore, RedisStore
from devicestatus.adapters.sqlite import SQLiteStore
from devicestatus.service import Service
from devicestatus.store_contract import AnyStore
from status_contracts.exchange import Effect, EffectFailed
from support.devicestatus import store_machine as machine
from support.devicestatus.store_machine import StoreMachine
from support.servers.redis_server import RedisServer, redis_server

STORIES = settings(max_examples=max(12, settings().max_examples // 4), stateful_step_count=25)
FIRST_FAILURE = settings(
    max_examples=2000,  # the first failure ends it, as a rule after some dozens
    stateful_step_count=30,
    phases=[Phase.generate],
    report_multiple_bugs=False,
    database=None,
)


class OverMemory(StoreMachine):
    def make_store(self) -> MemoryStore:
        return MemoryStore()


class OverReplicas(StoreMachine):
    """The machine over a store of three places that take turns; each write reaches one at once."""

    eventual = True

    def make_store(self) -> AnyStore:
        return _Replicas()


class _Replicas:
    def __init__(self) -> None:
        self.places: list[list[bytes]] = [[], [], []]
        self.turn = 0

    async def get(self, key: str) -> bytes | None:
        self.turn += 1
        place = self.places[self.turn % 3]
        return place[-1] if place else None

    async def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        self.turn += 1
        self.places[self.turn % 3].append(value)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.mark.rule("DS-UPDATE-03")
class TestScenarios:
    def test_over_memory(self) -> None:
        run_state_machine_as_test(OverMemory, settings=STORIES)

    @pytest.mark.rule("DS-CACHE-05", "DS-SERVICE-07")
    def test_over_an_eventually_consistent_store(self) -> None:
        run_state_machine_as_test(OverReplicas, settings=STORIES)

    @pytest.mark.parametrize(
        "kind",
        [
            "sqlite",
            *(pytest.param(name, marks=pytest.mark.check) for name in ("redis", "async redis")),
        ],
    )
    def test_over_a_durable_store(self, kind: str, server: RedisServer, tmp_path: Path) -> None:
        names = (f"{kind}-{number}" for number in count())
        stores: dict[str, Callable[[str], AnyStore]] = {
            "sqlite": lambda name: SQLiteStore(tmp_path / name),
            "redis": lambda name: RedisStore.from_url(server.url, prefix=name),
            "async redis": lambda name: AsyncRedisStore.from_url(server.url, prefix=name),
        }

        class OverDurable(StoreMachine):
            durable = True

            async def make_store(self) -> AnyStore:
                self.name = next(names)
                return stores[kind](self.name)

            async def reopen(self, store: AnyStore) -> AnyStore:
                return stores[kind](self.name)

        run_state_machine_as_test(OverDurable, settings=STORIES)


class _ForgetsSome(MemoryStore):
    def __init__(self) -> None:
        super().__init__()
        self.puts = 0

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        self.puts += 1
        if self.puts != 3:
            super().put(key, value, expires_at_ms=expires_at_ms)


class _SaysOfflineWhenItsStoreFails(Service):
    def read(self) -> Generator[Effect, Any, Any]:
        try:
            return (yield from super().read())
        except EffectFailed:
            return service_module._StoreRead(None, 0, 60, is_empty=True)


class OverAForgetfulOne(StoreMachine):
    def make_store(self) -> MemoryStore:
        return _ForgetsSome()


@pytest.mark.uncounted
class TestFaults:
    """The state machine tells good stores and services from bad ones."""

    def test_a_store_that_forgets_is_found(self) -> None:
        with pytest.raises(AssertionError):
            run_state_machine_as_test(OverAForgetfulOne, settings=FIRST_FAILURE)

    def test_a_service_that_hides_a_failure_is_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(machine, "Service", _SaysOfflineWhenItsStoreFails)
        with pytest.raises(AssertionError):
            run_state_machine_as_test(OverMemory, settings=FIRST_FAILURE)
