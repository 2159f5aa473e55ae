"""Measuring side by side: contenders take turns in one process, and medians are compared.

The machines are shared and noisy, so single figures vary; ratios of two medians from interleaved
rounds are more reliable.
"""

import gc
import statistics
import time
import tracemalloc
from collections.abc import Callable, Mapping

import attrs

__all__ = ["Measured", "compare", "memory_of", "show"]


@attrs.frozen
class Measured:
    """Seconds of each round of one contender."""

    name: str
    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median of the rounds, in seconds."""
        return statistics.median(self.seconds)

    @property
    def best(self) -> float:
        """The fastest round, in seconds."""
        return min(self.seconds)


def compare(contenders: Mapping[str, Callable[[], object]], rounds: int = 15) -> list[Measured]:
    """Run all contenders in turn, `rounds` times after one warm-up round."""
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, call in contenders.items():
            gc.collect()
            start = time.perf_counter()
            call()
            if number:
                taken[name].append(time.perf_counter() - start)
    return [Measured(name, tuple(seconds)) for name, seconds in taken.items()]


def memory_of(call: Callable[[], object]) -> tuple[int, int]:
    """Return the bytes of the result of a call, and the maximum during the call."""
    gc.collect()
    tracemalloc.start()
    kept = call()
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return held, peak


def show(title: str, measured: list[Measured], against: str | None = None) -> None:
    """Print a table; ratios are to the median of `against`, or to the first contender."""
    base = next((each for each in measured if each.name == against), measured[0])
    print(f"\n{title}")
    for each in measured:
        ratio = each.median / base.median
        print(
            f"  {each.name:<44} median {each.median * 1e3:10.3f} ms"
            f"  best {each.best * 1e3:10.3f} ms  ratio {ratio:6.3f}"
        )
