"""A progress bar on the error output, for the reading of files that takes its time.

Invariant *quiet unless it is slow*: nothing is shown in the first half second, and nothing at all
after the block has ended.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

import attrs
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from healthapi.adapters.folder import Progress as BytesDone

__all__ = ["shown_progress"]

_PATIENCE_SECONDS: Final = 0.5


@contextmanager
def shown_progress() -> Iterator[BytesDone]:
    """Give what is to be told of the reading; it is shown while the block runs."""
    with ExitStack() as stack:
        bar = _Bar(stack, time.monotonic())
        try:
            yield bar.told
        finally:
            bar.ended = True


@attrs.define(eq=False)
class _Bar:
    stack: ExitStack
    began: float
    shown: Progress | None = None
    ended: bool = False

    def told(self, profile_id: str, done: int, total: int) -> None:
        """Show how far a profile is."""
        if self.ended or time.monotonic() - self.began < _PATIENCE_SECONDS:
            return
        if self.shown is None:
            self.shown = self.stack.enter_context(_bar())
            self.shown.add_task("")
        task = self.shown.task_ids[0]
        self.shown.update(task, description=profile_id, completed=done, total=total)


def _bar() -> Progress:
    return Progress(
        TextColumn("reading {task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
