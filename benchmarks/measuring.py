"""Measuring side by side: contenders take turns in one process, and medians are compared.

The machines are shared and noisy, so single figures vary; ratios of two medians from interleaved
rounds are more reliable.
"""

import gc
import os
import socket
import statistics
import subprocess
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import attrs

__all__ = ["Measured", "compare", "free_port", "memory_of", "running", "show", "show_latencies"]

_START_SECONDS = 60.0


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


def show_latencies(title: str, seconds: Sequence[float]) -> None:
    """Print how many requests there were, and median, 99th percentile and maximum in ms."""
    ordered = sorted(each * 1e3 for each in seconds) or [0.0]
    p50, p99 = (ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.99))
    print(
        f"  {title:<40} {len(seconds):>8} requests"
        f"  p50 {p50:7.1f}  p99 {p99:7.1f}  max {ordered[-1]:7.1f} ms",
        flush=True,
    )


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(command: Sequence[str], port: int, **environ: str) -> Iterator[int]:
    """Run a server until the end of the block; yield its process id once it listens.

    Raises RuntimeError if it does not within a minute.
    """
    with subprocess.Popen(command, env={**os.environ, **environ}) as process:  # noqa: S603 - ours
        try:
            end = time.monotonic() + _START_SECONDS
            while not _listens(port):
                if process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError(f"{command[0]} does not listen on port {port}")
                time.sleep(0.05)
            yield process.pid
        finally:
            process.terminate()


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True
