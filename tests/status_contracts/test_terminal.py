"""Tables and progress bars.  Invariants *rich is optional*, *progress of slow work only*."""

import io
from contextlib import redirect_stderr
from typing import Any

import pytest

from status_contracts.cli import terminal as module
from status_contracts.cli.terminal import format_table, show_progress
from support.servers.terminals import Terminal


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


@pytest.fixture
def no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_DELAY_SECONDS", -1)


class TestShowProgress:
    def test_there_is_no_bar_without_a_terminal(self) -> None:
        with redirect_stderr(io.StringIO()), show_progress("bytes") as report:
            assert report is None

    def test_without_the_library_there_is_no_bar(
        self, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "find_spec", lambda _: None)
        with redirect_stderr(terminal), show_progress("bytes") as report:
            assert report is None
        assert terminal.getvalue() == ""

    @pytest.mark.usefixtures("no_delay")
    @pytest.mark.parametrize(("unit", "counter"), [("bytes", "bytes"), ("pieces", "1/3")])
    def test_the_bar_shows_the_subject_and_the_amount(
        self, unit: Any, counter: str, terminal: Terminal
    ) -> None:
        with redirect_stderr(terminal), show_progress(unit) as report:
            assert report is not None
            report("[b]ada[/b]\x1b]0;x\x07", 1, 3)
            report("[b]ada[/b]\x1b]0;x\x07", 1, 3)
        assert "reading [b]ada[/b]\ufffd]0;x\ufffd" in terminal.getvalue()
        assert counter in terminal.getvalue()

    def test_quick_work_shows_nothing(self, terminal: Terminal) -> None:
        with redirect_stderr(terminal), show_progress("bytes") as report:
            assert report is not None
            report("ada", 1, 3)
        assert terminal.getvalue() == ""

    @pytest.mark.usefixtures("no_delay")
    def test_after_the_block_nothing_is_shown(self, terminal: Terminal) -> None:
        with redirect_stderr(terminal), show_progress("bytes") as report:
            assert report is not None
        report("ada", 1, 3)
        assert terminal.getvalue() == ""


class TestTable:
    def test_columns_stand_under_each_other(self) -> None:
        assert list(format_table(("a", "long name"), [("wide cell", "x"), ("", "y")])) == [
            "a          long name",
            "wide cell  x",
            "           y",
        ]

    def test_without_rows_there_is_no_table(self) -> None:
        assert list(format_table(("a", "b"), [])) == []

    def test_wide_and_combining_signs_count_as_a_terminal_shows_them(self) -> None:
        first, second, third = format_table(("name", "x"), [("題目", "1"), ("e\u0301e\u0301", "2")])
        assert (first, second, third) == ("name  x", "題目  1", "e\u0301e\u0301    2")
