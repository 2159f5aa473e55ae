"""Suspend the tracer that measures coverage: it makes Python code up to four times as slow.

This module is also a plugin of pytest: tests marked `uncounted` run without a tracer.
"""

import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest

__all__ = ["untraced"]


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
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test that coverage does not count; pytest-cov's own marker fails in workers."""
    if item.get_closest_marker("uncounted") is None:
        return (yield)
    with untraced():
        return (yield)
