"""Run work until SIGINT or SIGTERM stops it.

Invariant *a stop is not a failure*: SIGINT and SIGTERM cancel the work, which cleans up, and the
exit code is 0.  Work that should end by itself has the exit code 130 if it is stopped earlier.
Invariant *ignored stays ignored*: a signal that the process was started to ignore stays ignored.
"""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final

from purewire.adapters.commands.exit_codes import INTERRUPTED, OK

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def run_until_stopped(work: Coroutine[Any, Any, int], *, endless: bool = True) -> int:
    """Run the work on an event loop; return its exit code, or 0 or 130 if a signal stopped it.

    `endless` work is meant to run until it is stopped.
    """
    return asyncio.run(_guarded(work, OK if endless else INTERRUPTED))


async def _guarded(work: Coroutine[Any, Any, int], when_stopped: int) -> int:
    task = asyncio.create_task(work)
    loop = asyncio.get_running_loop()
    with _handled(lambda: loop.call_soon_threadsafe(task.cancel)):
        await asyncio.wait([task])
    return when_stopped if task.cancelled() else task.result()


@contextmanager
def _handled(stop: Callable[[], object]) -> Iterator[None]:
    # Not the loop's own handlers: they do not exist on Windows.
    numbers = [number for number in _SIGNALS if signal.getsignal(number) != signal.SIG_IGN]
    previous = {number: signal.signal(number, lambda _number, _frame: stop()) for number in numbers}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
