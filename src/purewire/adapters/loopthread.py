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
from typing import TypeVar

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
        """Await something on the loop; an interrupted wait cancels it."""
        try:
            loop = self._started()
        except BaseException:
            if inspect.iscoroutine(awaitable):
                awaitable.close()  # else it would complain that nobody awaited it
            raise
        future = asyncio.run_coroutine_threadsafe(_awaited(awaitable), loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Cancel what still runs, and end the thread."""
        with self._lock:
            if self._stop is not None:
                self._stop()
            self._process = self._loop = self._stop = None

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._loop.is_closed() or self._process != os.getpid():
                started: _Started = Future()
                thread = threading.Thread(
                    target=_host, args=(started,), name="purewire-wsgi", daemon=True
                )
                thread.start()
                self._loop, stopping = started.result()
                self._process = os.getpid()
                # Also when the application is collected, and when the program ends.
                self._stop = weakref.finalize(
                    self, _end, self._process, self._loop, stopping, thread
                )
            return self._loop


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


def _end(
    process: int,
    loop: asyncio.AbstractEventLoop,
    stopping: asyncio.Event,
    thread: threading.Thread,
) -> None:
    if process != os.getpid() or loop.is_closed():  # after a fork: the loop is the parent's
        return
    loop.call_soon_threadsafe(stopping.set)
    if thread is not threading.current_thread():
        thread.join()
