"""Invariants *bounded calls* and *no queue for a hanging store*."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic
from typing import Any

import pytest

from status_contracts.adapters.application import StoreBusy, StoreGate
from status_contracts.adapters.asgi import Application
from support.status_contracts.echo_handler import AsyncMemory, echo
from support.status_contracts.gateways import Script, exchange_asgi, scope_of


class Held:
    """A call that goes on when the test lets it."""

    def __init__(self) -> None:
        self.running, self.going_on = Event(), Event()

    def __call__(self) -> bool:
        self.running.set()
        return self.going_on.wait(30)


def test_a_call_waits_for_its_turn() -> None:
    gate = StoreGate(1, 30.0)
    first = Held()
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(gate.call, first)
        assert first.running.wait(30)
        other = pool.submit(gate.call, lambda: True)
        assert not other.done()
        first.going_on.set()
        assert one.result(30)
        assert other.result(30)


def test_a_turn_that_does_not_come_in_time_is_a_failure_and_then_others_fail_at_once() -> None:
    gate = StoreGate(1, 1.0)
    first = Held()
    with ThreadPoolExecutor(1) as pool:
        one = pool.submit(gate.call, first)
        assert first.running.wait(30)
        with pytest.raises(StoreBusy):
            gate.call(pytest.fail)
        began = monotonic()
        with pytest.raises(StoreBusy):
            gate.call(pytest.fail)
        assert monotonic() - began < 0.8
        first.going_on.set()
        assert one.result(30)
    assert gate.call(lambda: "done") == "done"


def test_a_call_waits_for_as_long_as_others_succeed() -> None:
    gate = StoreGate(1, 1.0)

    async def main() -> list[None]:
        calls = [gate.call_async(lambda: asyncio.sleep(0.15)) for _ in range(9)]
        return await asyncio.gather(*calls)

    assert asyncio.run(main()) == [None] * 9


class Slow(AsyncMemory):
    """An awaitable store that counts the calls that run at once; `going_on` lets them end."""

    def __init__(self) -> None:
        super().__init__()
        self.running = self.most = 0
        self.going_on = asyncio.Event()
        self.going_on.set()

    async def get(self, key: str) -> bytes | None:
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await asyncio.sleep(0.005)
            await self.going_on.wait()
        finally:
            self.running -= 1
        return b"v"


async def read(app: Application) -> int:
    """Read the store once; return the status."""
    answered = await exchange_asgi(app, scope_of("GET", b"/store"), Script([]))
    assert answered is not None
    return answered.status


def test_calls_of_requests_that_are_cancelled_still_count() -> None:
    """In a thread a call goes on, and so keeps its turn."""

    class Blocking:
        going_on = Event()

        def get(self, _: str) -> bytes | None:
            self.going_on.wait(30)
            return None

        def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
            raise NotImplementedError

    app = Application(echo, store=Blocking(), store_calls=2, store_timeout_seconds=0.1)

    async def main() -> int:
        running = [asyncio.create_task(read(app)) for _ in range(2)]
        await asyncio.sleep(0.05)
        for task in running:
            task.cancel()
        await asyncio.wait(running)
        await asyncio.sleep(0.2)
        status = await asyncio.wait_for(read(app), 5)
        Blocking.going_on.set()
        return status

    assert asyncio.run(main()) == 503


class TestAwaitableStores:
    """A store of an event loop waits for its turns as a blocking one does."""

    @pytest.mark.parametrize("kind", ["a coroutine function", "a function", "nonblocking"])
    def test_no_more_calls_run_at_once_than_the_application_allows(self, kind: str) -> None:
        class Promising(Slow):
            nonblocking = kind == "nonblocking"

            def get(self, key: str) -> Any:
                return super().get(key)

        store = Slow() if kind == "a coroutine function" else Promising()
        app = Application(echo, store=store, store_calls=2)

        async def main() -> list[int]:
            return await asyncio.gather(*(read(app) for _ in range(50)))

        assert asyncio.run(main()) == [200] * 50
        assert store.most == 2

    @pytest.mark.parametrize("store_calls", [0, -1])
    def test_an_application_allows_at_least_one(self, store_calls: int) -> None:
        message = f"^store_calls: must be 1 or more, not {store_calls}$"
        with pytest.raises(ValueError, match=message):
            Application(echo, store=Slow(), store_calls=store_calls)

    def test_while_all_turns_are_taken_for_long_others_fail_and_come_back(self) -> None:
        store = Slow()
        store.going_on.clear()
        app = Application(echo, store=store, store_calls=2, store_timeout_seconds=0.1)

        async def main() -> tuple[list[int], list[int], int]:
            slow = [asyncio.create_task(read(app)) for _ in range(2)]
            refused = await asyncio.gather(*(read(app) for _ in range(5)))
            store.going_on.set()
            return refused, await asyncio.gather(*slow), await read(app)

        assert asyncio.run(main()) == ([503] * 5, [200] * 2, 200)
        assert store.most == 2

    def test_a_request_that_is_cancelled_leaves_its_turn_to_the_next(self) -> None:
        store = Slow()
        store.going_on.clear()
        app = Application(echo, store=store, store_calls=1, store_timeout_seconds=30.0)

        async def main() -> int:
            running, waiting, last = (asyncio.create_task(read(app)) for _ in range(3))
            await asyncio.sleep(0.01)
            waiting.cancel()
            running.cancel()
            await asyncio.wait([waiting, running])
            assert waiting.cancelled()
            assert running.cancelled()
            store.going_on.set()
            return await last

        assert asyncio.run(main()) == 200

    def test_one_gate_serves_several_event_loops_at_once(self) -> None:
        gate, turns = StoreGate(1, 30.0), []

        async def turn() -> None:
            turns.append("in")
            await asyncio.sleep(0.001)
            turns.append("out")

        async def main() -> None:
            await asyncio.gather(*(gate.call_async(turn) for _ in range(10)))

        with ThreadPoolExecutor(3) as pool:
            for ended in [pool.submit(asyncio.run, main()) for _ in range(3)]:
                ended.result(30)
        assert turns == ["in", "out"] * 30
