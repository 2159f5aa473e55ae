"""Whether somebody watches a command at its work, and then a progress bar.

Invariant *nobody waits for the bar*: where nobody watches, the library that draws it is neither
needed nor imported.
"""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from importlib.util import find_spec
from typing import Literal

__all__ = ["Progress", "watched"]

Progress = Callable[[str, int, int], None]
"""Told of what, how much is done, and of how much in all."""


def watched(unit: Literal["bytes", "pieces"]) -> AbstractContextManager[Progress | None]:
    """Give what is to be told of the work while the block runs; None where nobody watches."""
    if not sys.stderr.isatty() or find_spec("rich") is None:
        return nullcontext()
    bars = import_module("purewire.adapters.commands.progress_bar")
    shown: AbstractContextManager[Progress] = bars.shown_progress(unit)
    return shown
