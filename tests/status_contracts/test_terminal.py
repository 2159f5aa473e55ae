"""Tables, long lines and progress.  Invariant *progress of slow work only*."""

import io
from contextlib import redirect_stderr

import pytest

from status_contracts.cli import terminal as module
from status_contracts.cli.terminal import echo_wrapped, format_table, show_progress
from support.servers.terminals import Terminal


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


@pytest.fixture
def no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_DELAY_SECONDS", -1)


class TestShowProgress:
    def test_there_is_no_line_without_a_terminal(self) -> None:
        with redirect_stderr(io.StringIO()), show_progress() as report:
            assert report is None

    @pytest.mark.usefixtures("no_delay")
    def test_the_line_shows_the_subject_and_the_amount(self, terminal: Terminal) -> None:
        with redirect_stderr(terminal), show_progress() as report:
            assert report is not None
            report("a\x1bda" + 50 * "x", 1, 3)
            report("none", 0, 0)
        first, second, end = terminal.getvalue().split("\r\033[K")[1:]
        assert first == f"reading a\ufffdda{36 * 'x'}: 33 %"
        assert second == "reading none: 0 %"
        assert end == ""

    def test_quick_work_shows_nothing(self, terminal: Terminal) -> None:
        with redirect_stderr(terminal), show_progress() as report:
            assert report is not None
            report("ada", 1, 3)
        assert terminal.getvalue() == ""

    @pytest.mark.usefixtures("no_delay")
    def test_after_the_block_nothing_is_shown(self, terminal: Terminal) -> None:
        with redirect_stderr(terminal), show_progress() as report:
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


class TestEchoWrapped:
    def test_lines_fit_between_words_and_a_path_stays_whole(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("COLUMNS", "20")
        echo_wrapped("csv/fitbit_activity.csv:4: must be well-formed [row.form]")
        echo_wrapped("")
        assert capsys.readouterr().out.splitlines() == [
            *("csv/fitbit_activity.csv:4:", "    must be", "    well-formed", "    [row.form]", "")
        ]
