"""A progress bar on the error output, drawn with rich.

Invariant *only for slow work*: nothing is shown in the first half second, nor after the end of the
block.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Literal

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

_DELAY_SECONDS: Final = 0.5
_COUNTERS: Final = {"bytes": DownloadColumn, "pieces": MofNCompleteColumn}


@contextmanager
def shown_progress(
    unit: Literal["bytes", "pieces"], verb: str = "reading"
) -> Iterator[Callable[[str, int, int], None]]:
    """Yield the function to report progress with; it shows the bar while the block runs."""
    bar = Progress(
        TextColumn(f"{verb} {{task.description}}", markup=False),
        BarColumn(),
        _COUNTERS[unit](),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("")
    began, ended = time.monotonic(), False

    def report(subject: str, done: int, total: int) -> None:
        if not ended and time.monotonic() - began >= _DELAY_SECONDS:
            bar.update(task, description=subject, completed=done, total=total)
            bar.start()

    try:
        yield report
    finally:
        ended = True
        if bar.live.is_started:
            bar.stop()
