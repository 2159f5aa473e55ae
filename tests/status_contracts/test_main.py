"""Starting a command, and reporting its failure; see also the commands of the products."""

import argparse
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import pytest

from status_contracts.cli.arguments import Parser, defaults
from status_contracts.cli.exit_codes import CANNOT, INTERRUPTED, OK, REFUSED, Failed
from status_contracts.cli.main import run_program

NAME = "command_made_for_a_test"

Run = Callable[[argparse.Namespace], int]
Start = Callable[[Run], int]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Start:
    """Run a function as a command."""

    def started(run: Run) -> int:
        return start_with(run, monkeypatch, given=7)

    return started


def start_with(run: Run, monkeypatch: pytest.MonkeyPatch, **values: object) -> int:
    module: Any = ModuleType(NAME)
    module.run = run
    monkeypatch.setitem(sys.modules, NAME, module)
    commands = {"do": ("Do it", defaults(module=NAME, **values))}
    return run_program(Parser.of_program("it", "Do it.", "An end.", {"everyday": commands}), ["do"])


def raising(fault: BaseException) -> Run:
    def run(_: argparse.Namespace) -> int:
        raise fault

    return run


class TestRunProgram:
    def test_the_exit_code_is_that_of_the_command(self, start: Start) -> None:
        assert start(lambda arguments: int(arguments.given)) == 7

    def test_a_command_runs_in_any_thread(self, start: Start) -> None:
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(start, lambda _: 7).result() == 7

    def test_a_failure_is_told_line_by_line(
        self, start: Start, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert start(raising(Failed(REFUSED, "one", "two"))) == REFUSED
        assert capsys.readouterr() == ("", "it: one\nit: two\n")

    def test_an_interruption_is_no_traceback(
        self, start: Start, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert start(raising(KeyboardInterrupt())) == INTERRUPTED
        assert capsys.readouterr() == ("", "")

    def test_a_missing_package_is_told_with_its_extra(
        self, start: Start, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert start(raising(ModuleNotFoundError(name="redis.part"))) == CANNOT
        message = "it: redis is not installed:\n    pip install 'status-contracts[redis]'\n"
        assert capsys.readouterr() == ("", message)

    @pytest.mark.parametrize("name", ["other", None])
    def test_anything_else_that_is_missing_is_a_bug(self, name: str | None, start: Start) -> None:
        with pytest.raises(ModuleNotFoundError):
            start(raising(ModuleNotFoundError(name=name)))

    def test_any_other_exception_is_a_bug(self, start: Start) -> None:
        with pytest.raises(ZeroDivisionError):
            start(raising(ZeroDivisionError()))


class TestEndlessCommands:
    """`serve` and `agent` end with 0 on SIGINT and SIGTERM, also before they serve.

    Other commands, and `agent --once`, are interrupted by both.
    """

    @pytest.mark.parametrize(
        ("given", "number", "code"),
        [
            ({"endless": True}, signal.SIGINT, OK),
            ({"endless": True}, signal.SIGTERM, OK),
            ({"endless": True, "once": False, "dry_run": False}, signal.SIGTERM, OK),
            ({"endless": True, "once": True}, signal.SIGINT, INTERRUPTED),
            ({"endless": True, "once": True}, signal.SIGTERM, INTERRUPTED),
            ({"endless": True, "dry_run": True}, signal.SIGINT, INTERRUPTED),
            ({"endless": True, "dry_run": True}, signal.SIGTERM, INTERRUPTED),
            ({}, signal.SIGINT, INTERRUPTED),
            ({}, signal.SIGTERM, INTERRUPTED),
        ],
    )
    def test_a_signal_while_it_starts_though_the_parent_ignores_sigterm(
        self,
        monkeypatch: pytest.MonkeyPatch,
        given: dict[str, bool],
        number: signal.Signals,
        code: int,
    ) -> None:
        def begin(_: argparse.Namespace) -> int:
            signal.raise_signal(number)
            raise AssertionError("the signal was not heard")

        before = signal.signal(signal.SIGTERM, signal.SIG_IGN)  # as a parent may leave it
        try:
            assert start_with(begin, monkeypatch, **given) == code
            assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN
        finally:
            signal.signal(signal.SIGTERM, before)
