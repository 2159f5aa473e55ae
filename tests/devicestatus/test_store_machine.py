"""Random sequences of requests over the stores of this package, and over faulty ones."""

import json
from collections.abc import Callable, Generator, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from devicestatus.adapters.memory import MemoryStore
from devicestatus.adapters.redis import AsyncRedisStore, RedisStore
from devicestatus.adapters.sqlite import SQLiteStore
from devicestatus.http import service as service_module
from devicestatus.http.service import Service
from devicestatus.testing.stores import AnyStore
from purewire.adapters.clocks import system_clock
from purewire.exchange import Effect, EffectFailed, ReadAsset
from purewire.http.conditional import Conditions
from support.devicestatus import store_machine as machine
from support.devicestatus.examples import NOON
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


def test_a_write_that_fails_before_its_work_leaves_the_record() -> None:
    machine = OverMemory()
    try:
        machine.deploy("eco")
        machine.update(apps=1, skew=0)
        machine.fail(kind="put", error=TimeoutError, when="before", calls=0)
        machine.update(apps=2, skew=0)
        machine.read_everything()
        machine.fail(kind="put", error=TimeoutError, when="after", calls=0)
        machine.update(apps=3, skew=0)
        machine.read_everything()
    finally:
        machine.teardown()


class _DropsWhatExpired(MemoryStore):
    """A store that goes by the clock of the system, as Redis does."""

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        if expires_at_ms > system_clock():
            super().put(key, value, expires_at_ms=expires_at_ms)


def test_a_store_may_drop_what_has_expired_by_the_clock_of_the_system() -> None:
    class Over(StoreMachine):
        def make_store(self) -> MemoryStore:
            return _DropsWhatExpired()

    machine = Over()
    try:
        machine.deploy("eco")
        machine.set_clock(NOON)
        machine.update(apps=1, skew=0)
        machine.read_everything()
    finally:
        machine.teardown()


class _ForgetsSome(MemoryStore):
    def __init__(self) -> None:
        super().__init__()
        self.puts = 0

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        self.puts += 1
        if self.puts != 3:
            super().put(key, value, expires_at_ms=expires_at_ms)


class _RaisesSometimes(MemoryStore):
    def __init__(self) -> None:
        super().__init__()
        self.gets = 0

    def get(self, key: str) -> bytes | None:
        self.gets += 1
        if self.gets == 40:
            raise TimeoutError
        return super().get(key)


class TestFaultyStores:
    """The state machine reports good stores from bad ones."""

    @pytest.mark.parametrize("store", [_ForgetsSome, _RaisesSometimes])
    def test_one_is_found(self, store: type[MemoryStore]) -> None:
        class Over(StoreMachine):
            def make_store(self) -> MemoryStore:
                return store()

        self.is_found(Over)

    def test_one_that_keeps_nothing_is_found(self) -> None:
        class Over(OverMemory):
            durable = True

            def reopen(self, store: AnyStore) -> MemoryStore:
                return MemoryStore()

        self.is_found(Over)

    def test_one_that_invents_is_found_among_eventually_consistent_ones(self) -> None:
        class Invents(_Replicas):
            async def get(self, key: str) -> bytes | None:
                one = json.loads(await super().get(key) or b"{}")
                other = json.loads(await super().get(key) or b"{}")
                if "active_app" in one.get("data", ()) and "active_app" in other.get("data", ()):
                    one["data"]["active_app"] = other["data"]["active_app"]
                return json.dumps(one).encode()

        class Over(OverReplicas):
            def make_store(self) -> AnyStore:
                return Invents()

        self.is_found(Over)

    def test_a_machine_without_a_store_raises(self) -> None:
        with pytest.raises(NotImplementedError, match="define make_store"):
            StoreMachine()

    def test_a_durable_store_must_define_reopen(self) -> None:
        class Incomplete(OverMemory):
            durable = True

        with pytest.raises(NotImplementedError, match="define reopen"):
            run_state_machine_as_test(Incomplete, settings=FIRST_FAILURE)

    def is_found(self, made: type[StoreMachine]) -> None:
        with pytest.raises(AssertionError):
            run_state_machine_as_test(made, settings=FIRST_FAILURE)


def test_an_unexpected_effect_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class AsksForAnAsset(Service):
        def read(self) -> Generator[Effect, Any, Any]:
            return (yield ReadAsset("index.json", Conditions()))

    monkeypatch.setattr(machine, "Service", AsksForAnAsset)
    with pytest.raises(AssertionError, match=r"the store was called \(\)"):
        run_state_machine_as_test(OverMemory, settings=FIRST_FAILURE)


class _SaysOfflineWhenItsStoreFails(Service):
    def read(self) -> Generator[Effect, Any, Any]:
        try:
            return (yield from super().read())
        except EffectFailed:
            return service_module._StoreRead(None, 0, 60)


@pytest.mark.uncounted
class TestFaultyServices:
    @pytest.mark.parametrize("mutant", [_SaysOfflineWhenItsStoreFails])
    def test_one_is_found(self, mutant: type[Service], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(machine, "Service", mutant)
        self.is_found()

    def is_found(self) -> None:
        with pytest.raises(AssertionError):
            run_state_machine_as_test(OverMemory, settings=FIRST_FAILURE)
