"""A progress bar on the error output, drawn with rich.

Invariant *only for slow work*: nothing is shown in the first half second, nor after the end of the
block.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final, Literal

import attrs
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

__all__ = ["shown_progress"]

_DELAY_SECONDS: Final = 0.5
_COUNTERS: Final = {"bytes": DownloadColumn, "pieces": MofNCompleteColumn}


@contextmanager
def shown_progress(unit: Literal["bytes", "pieces"]) -> Iterator["_Bar"]:
    """Yield the function to report progress with; it shows the bar while the block runs."""
    with ExitStack() as stack:
        bar = _Bar(stack, time.monotonic(), unit)
        try:
            yield bar
        finally:
            bar.ended = True


@attrs.define(eq=False)
class _Bar:
    stack: ExitStack
    began: float
    unit: Literal["bytes", "pieces"]
    shown: Progress | None = None
    ended: bool = False

    def __call__(self, subject: str, done: int, total: int) -> None:
        """Show the progress of the work on a subject."""
        if self.ended or time.monotonic() - self.began < _DELAY_SECONDS:
            return
        if self.shown is None:
            self.shown = self.stack.enter_context(self._opened())
            self.shown.add_task("")
        task = self.shown.task_ids[0]
        self.shown.update(task, description=subject, completed=done, total=total)

    def _opened(self) -> Progress:
        return Progress(
            TextColumn("reading {task.description}", markup=False),
            BarColumn(),
            _COUNTERS[self.unit](),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
