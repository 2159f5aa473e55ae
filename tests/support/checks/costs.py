"""Measure how cost grows: ratios of processor time in one process, never absolute times.

Nothing is traced meanwhile: coverage would cost more than what is measured.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

GROWTH = 4
QUADRATIC = GROWTH**2
ATTEMPTS = 8
"""Noise makes a linear cost look worse now and then, and a quadratic one never look linear."""


def assert_linear(call: Callable[[T], object], make: Callable[[int], T], size: int) -> None:
    """Check that four times the input does not take anything like sixteen times as long."""
    small, large = make(size), make(size * GROWTH)
    ratios: list[float] = []
    while len(ratios) < ATTEMPTS:
        ratios.append(_best_of(call, large, 1) / _best_of(call, small))
        if ratios[-1] < QUADRATIC * 0.6:
            return
    least = min(ratios)
    raise AssertionError(f"{GROWTH} times the input took {least:.1f} times as long")


def _best_of(call: Callable[[T], object], argument: T, rounds: int = 2) -> float:
    with _untraced():
        return min(_seconds(call, argument) for _ in range(rounds))


@contextmanager
def _untraced() -> Iterator[None]:
    here, in_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        yield
    finally:
        sys.settrace(here)
        threading.settrace(in_threads)


def _seconds(call: Callable[[T], object], argument: T) -> float:
    start = time.process_time()
    call(argument)
    return time.process_time() - start + 1e-6  # the clock's own grain


REFUSAL_MOST = 10
"""The maximum cost of a rejected body, as a multiple of an accepted one of the same size."""


def assert_cheap(read: Callable[[T], object], refused: T, accepted: T) -> None:
    """Check that refusing costs at most ten times what accepting a value of that size costs."""
    ratios: list[float] = []
    while len(ratios) < ATTEMPTS:
        ratios.append(_best_of(read, refused) / _best_of(read, accepted))
        if ratios[-1] <= REFUSAL_MOST:
            return
    raise AssertionError(f"to refuse took {min(ratios):.1f} times as long as to accept")
