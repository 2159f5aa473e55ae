"""How cost grows: ratios within one process, never absolute times."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

GROWTH = 4
QUADRATIC = GROWTH**2


def assert_linear(call: Callable[[T], object], make: Callable[[int], T], size: int) -> None:
    """Check that four times the input does not take anything like sixteen times as long."""
    small, large = make(size), make(size * GROWTH)
    ratio = min(_best_of(call, large) / _best_of(call, small) for _ in range(3))
    assert ratio < QUADRATIC * 0.6, f"{GROWTH} times the input took {ratio:.1f} times as long"


def _best_of(call: Callable[[T], object], argument: T, rounds: int = 3) -> float:
    return min(_seconds(call, argument) for _ in range(rounds))


def _seconds(call: Callable[[T], object], argument: T) -> float:
    start = time.perf_counter()
    call(argument)
    return time.perf_counter() - start + 1e-6  # the clock's own grain
