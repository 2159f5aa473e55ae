"""Show a progress bar on the error output, drawn with rich.

Invariant *rich is optional*: rich is imported only on a terminal, and only if it is installed.
Invariant *only for slow work*: nothing is shown in the first half second, nor after the end of the
block.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Final, Literal

Progress = Callable[[str, int, int], None]
"""Called with the subject, the amount done and the total amount."""

_DELAY_SECONDS: Final = 0.5


@contextmanager
def show_progress(
    unit: Literal["bytes", "pieces"], verb: str = "reading"
) -> Iterator[Progress | None]:
    """Yield the function to report progress with; None if there is no terminal or no rich."""
    if not sys.stderr.isatty() or find_spec("rich") is None:
        yield None
        return
    from rich import console, progress  # noqa: PLC0415 - optional

    bar = progress.Progress(
        progress.TextColumn(f"{verb} {{task.description}}", markup=False),
        progress.BarColumn(),
        progress.DownloadColumn() if unit == "bytes" else progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(),
        console=console.Console(stderr=True),
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
