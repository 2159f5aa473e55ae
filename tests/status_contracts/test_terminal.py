"""Tables, long lines and progress."""

import io
from contextlib import redirect_stderr, redirect_stdout

import pytest

from status_contracts.cli.terminal import echo_progress, echo_wrapped, finding_lines, format_table
from status_contracts.findings import Finding


def test_progress_and_colours_are_shown_on_a_terminal_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = type("Terminal", (io.StringIO,), {"isatty": lambda _: True})()
    with redirect_stderr(terminal), redirect_stdout(terminal):
        echo_progress("a\x1bb")
        monkeypatch.delenv("NO_COLOR", raising=False)
        echo_wrapped("a:4 /b: warning: low [c]")
        monkeypatch.setenv("NO_COLOR", "1")
        echo_wrapped("a: low [c]")
    echo_progress("reading")
    shown = "a\ufffdb\n\33[1ma:4 /b:\33[0m \33[33mwarning:\33[0m low\33[2m [c]\33[0m\na: low [c]\n"
    assert (terminal.getvalue(), capsys.readouterr().err) == (shown, "")


@pytest.mark.parametrize(
    ("path", "message", "line"),
    [
        ("/a", "must be 1", "x.json /a: must be 1 [r]"),
        ("", "must be 1", "x.json: must be 1 [r]"),
        ("/a", "line 4: must be 1", "x.json:4 /a: must be 1 [r]"),
        ("", "line 4, column 2: no", "x.json:4:2: no [r]"),
        ("", "line 4, column 2 (byte 9): no", "x.json:4:2: no [r]"),
    ],
)
def test_a_finding_has_file_line_and_place(path: str, message: str, line: str) -> None:
    assert list(finding_lines("x.json", [Finding(path, "r", message)])) == [line]


class TestTable:
    def test_columns_stand_under_each_other(self) -> None:
        assert list(format_table(("a", "long name"), [("wide cell", "x"), ("", "y")])) == [
            "a          long name",
            "wide cell  x",
            "           y",
        ]
        assert list(format_table(("a", "b"), [])) == []

    def test_wide_signs_and_marks_are_wrapped_as_shown(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "28")
        rows = [("題目Ａ", "12, and as many words as fit"), ("e\u0301\u20dd", "題Ａ" * 7)]
        assert list(format_table(("name", "title"), rows)) == [
            *("name    title", "題目Ａ  12, and as many", "        words as fit"),
            *("e\u0301\u20dd       題Ａ題Ａ題Ａ題Ａ題Ａ", "        題Ａ題Ａ"),
        ]

    def test_where_the_last_column_has_no_room_lines_are_wrapped_as_others(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("COLUMNS", "24")
        for line in format_table(("name", "title"), [("ten letters", "more words than fit in it")]):
            echo_wrapped(line)
        assert capsys.readouterr().out.splitlines() == [
            *("name         title", "ten letters  more words", "    than fit in it"),
        ]


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
