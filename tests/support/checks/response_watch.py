"""The watch over a whole run, as a plugin of pytest: nothing shows the token, every answer obeys.

- Whatever a test prints or logs is searched for the token, and so is every log record of any thread
  when it is made, at every level that is switched on; of an exception that is logged, also the
  local variables in the frames of the packages.
- Every answer of the products is held against `answer_rules`, also where a server in a thread of
  this process would make a 500 of a broken rule that no test looks at.

A test in which either went wrong fails.
"""

import logging
import traceback
from collections.abc import Generator
from pathlib import Path
from types import TracebackType
from typing import Final

import pytest

from support.checks import answer_rules, canary

SOURCES: Final = str(Path(__file__).parents[3] / "src")

SHOWN: Final[list[str]] = []
"""Loggers that showed the token since it was emptied."""


def pytest_configure() -> None:
    answer_rules.install()
    watch_logs()


def watch_logs() -> None:
    """Search every log record from now on."""
    make = logging.getLogRecordFactory()

    def watched(*args: object, **more: object) -> logging.LogRecord:
        record = make(*args, **more)
        if canary.shows(*texts_of(record)):
            SHOWN.append(f"the logger {record.name}")
        return record

    logging.setLogRecordFactory(watched)


def texts_of(record: logging.LogRecord) -> Generator[str]:
    """Return what a record may show, in whatever form it is written."""
    yield str(record.msg)
    yield repr(record.args)
    if record.exc_info and record.exc_info[1] is not None:
        fault = record.exc_info[1]
        yield "".join(traceback.format_exception(fault))
        yield from locals_of(fault.__traceback__)


def locals_of(innermost: TracebackType | None) -> Generator[str]:
    """Return the local variables in the frames of the packages, as debuggers and reporters show."""
    for frame, _ in traceback.walk_tb(innermost):
        if frame.f_code.co_filename.startswith(SOURCES):
            yield from (f"{name} = {value!r}" for name, value in frame.f_locals.items())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    sections = [each for each in report.sections if each[0].endswith(str(report.when))]
    shown = [f"the {name}" for name, text in sections if canary.shows(text)]
    faults = [*(f"{place} shows the token" for place in (*shown, *SHOWN)), *answer_rules.BROKEN]
    SHOWN.clear()
    answer_rules.BROKEN.clear()
    if faults and report.passed:
        report.outcome = "failed"
        report.longrepr = "\n".join(faults)
    return report
