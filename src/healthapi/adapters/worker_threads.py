"""Threads for work that no request waits for.

Invariant *bounded*: of one lane at most `most` pieces of work run at a time; the others wait their
turn in order, without threads.
"""

import threading
from collections import deque
from collections.abc import Callable

__all__ = ["Lane"]


class Lane:
    """Runs calls on daemon threads that end when there is no work left.

    Args:
        most: how many calls run at a time.

    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._running = 0
        self._waiting: deque[Callable[[], object]] = deque()

    def submit(self, call: Callable[[], object]) -> None:
        """Have a call run soon; it must not raise."""
        with self._lock:
            self._waiting.append(call)
            if self._running == self._most:
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
