"""A progress bar on the error output, for work that takes its time.

Invariant *quiet unless it is slow*: nothing is shown in the first half second, and nothing at all
after the block has ended.
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

_PATIENCE_SECONDS: Final = 0.5
_COUNTERS: Final = {"bytes": DownloadColumn, "pieces": MofNCompleteColumn}


@contextmanager
def shown_progress(unit: Literal["bytes", "pieces"]) -> Iterator["_Bar"]:
    """Give what is to be told of the work: of what, how much is done, of how much in all.

    It is shown while the block runs.
    """
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
        """Show how far the work on a subject is."""
        if self.ended or time.monotonic() - self.began < _PATIENCE_SECONDS:
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
