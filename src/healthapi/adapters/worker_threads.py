"""Run calls on daemon threads.

Invariant *bounded*: at most `max_running` calls of a pool run at a time; the others wait in order,
without threads.
"""

import threading
from collections import deque
from collections.abc import Callable

__all__ = ["WorkerPool"]


class WorkerPool:
    """Threads that end when no calls are left; unlike executors, they never delay the exit.

    Args:
        max_running: number of calls that may run at a time.

    """

    def __init__(self, max_running: int) -> None:
        self._max_running = max_running
        self._lock = threading.Lock()
        self._running = 0
        self._waiting: deque[Callable[[], object]] = deque()

    def submit(self, call: Callable[[], object]) -> None:
        """Run a call as soon as a thread is free; it must not raise."""
        with self._lock:
            self._waiting.append(call)
            if self._running == self._max_running:
                return
            self._running += 1
        threading.Thread(target=self._run, name="healthapi-reading", daemon=True).start()

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._running -= 1
                    return
                call = self._waiting.popleft()
            call()
