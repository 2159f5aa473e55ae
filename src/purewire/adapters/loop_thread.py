"""One event loop on a thread of its own, for code without a loop that must await.

Invariant *one loop*: awaitable stores and asset sources run on one event loop, on a thread that
belongs to the application, so that their connections stay on the loop that made them.  It starts
when it is first needed; a process forked later starts its own.
"""

import asyncio
import inspect
import os
import threading
import weakref
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Generic, TypeVar

__all__ = ["LoopThread"]

T = TypeVar("T")
_Started = Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]]


class LoopThread:
    """An event loop on a daemon thread, started when first needed, once for each process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: int | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: Callable[[], object] | None = None

    def run(self, awaitable: Awaitable[T]) -> T:
        """Await something on the loop; an interrupt, at whatever moment, cancels it."""
        call = _Call(awaitable)
        try:
            with self._lock:  # so a loop is told to stop after it was handed the call, or before
                call.hand_over(self._started())
            return call.outcome.result()
        finally:
            call.leave()

    def close(self) -> None:
        """Cancel what still runs, and end the thread."""
        with self._lock:
            stop = self._stop
            self._process = self._loop = self._stop = None
        if stop is not None:  # without the lock: what is cancelled may close as well
            stop()

    def _started(self) -> asyncio.AbstractEventLoop:
        if self._loop is None or self._loop.is_closed() or self._process != os.getpid():
            started: _Started = Future()
            thread = threading.Thread(
                target=_host, args=(started,), name="purewire-wsgi", daemon=True
            )
            # Also when the application is collected, when the program ends, and after an interrupt.
            self._stop = weakref.finalize(self, _end, os.getpid(), started, thread)
            thread.start()
            self._loop, _ = started.result()
            self._process = os.getpid()
        return self._loop


class _Call(Generic[T]):
    """What one thread waits for while a loop awaits it; the thread may leave at any moment.

    One thread hands over `_begin` and `_cancel`, so the loop runs them in this order.
    """

    def __init__(self, awaitable: Awaitable[T]) -> None:
        self.outcome: Future[T] = Future()
        self._awaitable = awaitable
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[T] | None = None

    def hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let the loop await it."""
        self._loop = loop
        loop.call_soon_threadsafe(self._begin)

    def leave(self) -> None:
        """Wait no longer: what is not done is cancelled, wherever it stands."""
        if self.outcome.done():
            return
        try:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._cancel)
                return
        except RuntimeError:  # it is closed, and has cancelled whatever it began
            pass
        self._cancel()

    def _begin(self) -> None:
        self._task = asyncio.get_running_loop().create_task(_awaited(self._awaitable))
        self._task.add_done_callback(self._tell)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()
        elif inspect.iscoroutine(self._awaitable):
            self._awaitable.close()  # else it would complain that nobody awaited it

    def _tell(self, task: asyncio.Task[T]) -> None:
        if task.cancelled():
            self.outcome.cancel()
        elif (fault := task.exception()) is not None:
            self.outcome.set_exception(fault)
        else:
            self.outcome.set_result(task.result())


async def _awaited(awaitable: Awaitable[T]) -> T:
    return await awaitable


def _host(started: _Started) -> None:
    try:
        with asyncio.Runner() as runner:
            runner.run(_live(started))
    except BaseException as fault:
        if started.done():
            raise
        started.set_exception(fault)  # a loop that cannot start must not be waited for


async def _live(started: _Started) -> None:
    stopping = asyncio.Event()
    started.set_result((asyncio.get_running_loop(), stopping))
    await stopping.wait()


def _end(process: int, started: _Started, thread: threading.Thread) -> None:
    # After a fork the loop is the parent's.
    if process != os.getpid() or not thread.is_alive() or started.exception() is not None:
        return
    loop, stopping = started.result()
    with suppress(RuntimeError):  # it has ended by itself, and is closed
        loop.call_soon_threadsafe(stopping.set)
    if thread is not threading.current_thread():
        thread.join()
