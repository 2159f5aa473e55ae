"""The loop on its own thread: whatever moment a wait is interrupted at, nothing goes on without it.

An interrupt is an exception that a signal raises between any two steps of the waiting thread; here
it comes at the very step of handing over, which no signal of a test can be sure to meet.
"""

import asyncio
import gc
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any

import pytest

from purewire.adapters.loop_thread import LoopThread


class Hanging:
    """Calls that end when they are cancelled only."""

    def __init__(self) -> None:
        self.started = threading.Event()
        self.ended = threading.Event()

    async def call(self) -> None:
        self.started.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()


async def running() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


async def others() -> int:
    """Count the tasks beside this one."""
    await asyncio.sleep(0)  # what was cancelled is gone with this turn
    return len(asyncio.all_tasks()) - 1


@pytest.fixture
def loops() -> Iterator[LoopThread]:
    made = LoopThread()
    yield made
    made.close()


class TestInterrupts:
    def interrupt(
        self,
        loops: LoopThread,
        what: Coroutine[Any, Any, object],
        monkeypatch: pytest.MonkeyPatch,
        come: Callable[[Callable[[], object]], None],
    ) -> None:
        """Let an interrupt come while a call is handed to the loop."""
        loop = loops.run(running())
        hand_over = loop.call_soon_threadsafe

        def interrupted(callback: Callable[..., object], *args: object) -> None:
            monkeypatch.undo()
            come(lambda: hand_over(callback, *args))
            raise KeyboardInterrupt

        monkeypatch.setattr(loop, "call_soon_threadsafe", interrupted)
        with pytest.raises(KeyboardInterrupt):
            loops.run(what)

    def test_a_call_that_has_begun_already_is_cancelled(
        self, loops: LoopThread, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hanging = Hanging()

        def come(hand_over: Callable[[], object]) -> None:
            hand_over()
            assert hanging.started.wait(10)

        self.interrupt(loops, hanging.call(), monkeypatch, come)
        assert hanging.ended.wait(10)
        assert loops.run(others()) == 1  # what keeps the loop alive

    def test_a_call_that_was_not_handed_over_never_begins(
        self, loops: LoopThread, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And nothing complains that nobody awaited it: pytest would."""
        hanging = Hanging()

        def come(hand_over: Callable[[], object]) -> None:
            del hand_over  # it came first

        self.interrupt(loops, hanging.call(), monkeypatch, come)
        gc.collect()
        assert loops.run(others()) == 1
        assert not hanging.started.is_set()

    def test_a_loop_whose_start_is_not_waited_for_ends_with_its_owner(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = set(threading.enumerate())
        loops = LoopThread()
        wait = Future.result

        def interrupted(future: Future[Any], timeout: float | None = None) -> Any:
            monkeypatch.undo()
            wait(future)
            raise KeyboardInterrupt

        with monkeypatch.context():
            monkeypatch.setattr(Future, "result", interrupted)
            with pytest.raises(KeyboardInterrupt):
                loops.run(running())
        (left,) = set(threading.enumerate()) - before
        assert loops.run(others()) == 1  # another one serves
        del loops
        gc.collect()
        assert not left.is_alive()
        assert set(threading.enumerate()) == before


class TestTasks:
    """What a call leaves on the loop: nothing."""

    @pytest.mark.parametrize("fault", [None, OSError("a"), CancelledError()])
    def test_none_is_left_by_a_call_that_ends(
        self, fault: Exception | None, loops: LoopThread
    ) -> None:
        async def call() -> int:
            await asyncio.sleep(0)
            if fault is not None:
                raise fault
            return 5

        if fault is None:
            assert loops.run(call()) == 5
        else:
            with pytest.raises(type(fault)):
                loops.run(call())
        assert loops.run(others()) == 1

    def test_a_call_that_cancels_itself_is_a_failure(self, loops: LoopThread) -> None:
        async def call() -> None:
            raise asyncio.CancelledError

        with pytest.raises(CancelledError):
            loops.run(call())
        assert loops.run(others()) == 1


class TestClosing:
    def test_a_call_comes_to_a_loop_before_it_is_told_to_end_or_not_at_all(
        self, loops: LoopThread, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A loop that is ending would neither serve nor cancel it, and its thread wait for ever."""
        loop = loops.run(running())
        hand_over = loop.call_soon_threadsafe
        closing = threading.Thread(target=loops.close)

        def slowly(callback: Callable[..., object], *args: object) -> None:
            monkeypatch.undo()
            closing.start()
            closing.join(0.2)  # it must not come to an end
            hand_over(callback, *args)

        monkeypatch.setattr(loop, "call_soon_threadsafe", slowly)
        with pytest.raises(CancelledError):
            loops.run(Hanging().call())
        closing.join(10)
        assert loop.is_closed()

    def test_a_loop_that_has_just_ended_by_itself_fails_the_call(
        self, loops: LoopThread, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hanging = Hanging()
        loop = loops.run(running())

        def closed(callback: Callable[..., object]) -> None:
            raise RuntimeError("Event loop is closed")

        with monkeypatch.context() as patch:
            patch.setattr(loop, "call_soon_threadsafe", closed)
            with pytest.raises(RuntimeError, match="closed"):
                loops.run(hanging.call())
        gc.collect()
        assert not hanging.started.is_set()

    def test_a_call_that_closes_when_it_is_cancelled_is_not_waited_for(
        self, loops: LoopThread
    ) -> None:
        hanging = Hanging()

        async def call() -> None:
            try:
                await hanging.call()
            finally:
                loops.close()

        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(loops.run, call())
            assert hanging.started.wait(10)
            loops.close()
            assert isinstance(asked.exception(10), CancelledError)
