"""Suspend the tracer that measures coverage: it makes Python code up to four times as slow.

This module is also a plugin of pytest: tests marked `uncounted` run without a tracer.  The cached
functions forget the results of such tests, so that the tests after them compute those again.
"""

import functools
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Final

import pytest

__all__ = ["untraced"]

_PACKAGES: Final = {"devicestatus", "healthapi", "purewire", "sitedata"}


@contextmanager
def untraced() -> Iterator[None]:
    """Run a block, and the threads that it starts, without a tracer."""
    here, in_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        yield
    finally:
        sys.settrace(here)
        threading.settrace(in_threads)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Run a test that coverage does not count; pytest-cov's own marker fails in workers."""
    if not _is_uncounted(item):
        return (yield)
    with untraced():
        done = yield
    if nextitem is not None and not _is_uncounted(nextitem):
        clear_caches()
    return done


def _is_uncounted(item: pytest.Item) -> bool:
    return item.get_closest_marker("uncounted") is not None


def clear_caches() -> None:
    """Clear the caches of all functions of the packages' modules."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in _PACKAGES:
            for value in vars(module).values():
                if isinstance(value, functools._lru_cache_wrapper):
                    value.cache_clear()
