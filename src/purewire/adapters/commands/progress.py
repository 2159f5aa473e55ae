"""Show a progress bar if the error output is a terminal.

Invariant *rich is optional*: rich is imported only on a terminal, and only if it is installed.
"""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from importlib.util import find_spec
from typing import Literal

Progress = Callable[[str, int, int], None]
"""Called with the subject, the amount done and the total amount."""


def show_progress(
    unit: Literal["bytes", "pieces"], verb: str = "reading"
) -> AbstractContextManager[Progress | None]:
    """Yield the function to report progress with; None if there is no terminal or no rich."""
    if not sys.stderr.isatty() or find_spec("rich") is None:
        return nullcontext()
    bars = import_module("purewire.adapters.commands.progress_bar")
    shown: AbstractContextManager[Progress] = bars.shown_progress(unit, verb)
    return shown
