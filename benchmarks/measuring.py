"""Measuring side by side: contenders take turns in one process, and medians are compared.

The machines are shared and noisy, so single figures vary; ratios of two medians from interleaved
rounds are more reliable.
"""

import gc
import statistics
import time
from collections.abc import Callable, Mapping

import attrs


@attrs.frozen
class Measured:
    """Seconds of each round of one contender."""

    name: str
    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median of the rounds, in seconds."""
        return statistics.median(self.seconds)


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


def show(title: str, measured: list[Measured]) -> None:
    """Print a table; ratios are to the first contender."""
    print(f"\n{title}")
    for each in measured:
        ratio = each.median / measured[0].median
        print(f"  {each.name:<44} median {each.median * 1e3:10.3f} ms  ratio {ratio:6.3f}")
