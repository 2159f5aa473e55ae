"""Work that runs until SIGINT or SIGTERM stops it.

Invariant *a stop is no failure*: SIGINT and SIGTERM cancel the work, which cleans up, and the exit
code is 0; work that has an end of its own and is stopped before it gives 130.
Invariant *ignored stays ignored*: a signal that this process was started to ignore is not heard.
"""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final

from purewire.adapters.commands.exit_codes import INTERRUPTED, OK

__all__ = ["run_until_stopped"]

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def run_until_stopped(work: Coroutine[Any, Any, int], *, endless: bool = True) -> int:
    """Run the work on an event loop; return its exit code, or 0 or 130 if a signal stopped it.

    Args:
        work: gives an exit code if it ends.
        endless: whether being stopped is how the work is meant to end.

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
    # signal.signal and not the loop's own handlers: those do not exist on Windows.
    heard = [number for number in _SIGNALS if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, lambda _number, _frame: stop()) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
