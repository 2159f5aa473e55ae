"""Tables, long lines and progress."""

import io
import logging
from contextlib import redirect_stderr, redirect_stdout

import pytest

from status_contracts.cli.arguments import GREEN, Styled, command
from status_contracts.cli.exit_codes import Failed
from status_contracts.cli.files import write_file
from status_contracts.cli.terminal import (
    echo,
    echo_error,
    echo_progress,
    format_table,
    show_log,
    write_json,
)
from support.status_contracts.terminal import Terminal


def test_progress_is_shown_on_a_terminal_only(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal()
    with redirect_stderr(terminal):
        echo_progress("a\x1bb")
    echo_progress("reading")
    assert (terminal.getvalue(), capsys.readouterr().err) == ("a\ufffdb\n", "")


def test_json_is_in_lines_on_a_terminal_only(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_json({"a": ["\x9b\u202e日", 1]})
    assert capfd.readouterr().out == '{"a":["\\u009b\\u202e日",1]}\n'
    terminal = io.TextIOWrapper(io.BytesIO(), "utf-8")
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    with redirect_stdout(terminal):
        write_json({"a": ["\x9b日", 1]})
    assert terminal.buffer.getvalue() == '{\n  "a": [\n    "\\u009b日",\n    1\n  ]\n}\n'.encode()


def test_an_image_is_not_written_to_a_terminal_but_to_what_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = io.TextIOWrapper(io.BytesIO(), "utf-8")
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    with redirect_stdout(terminal):
        with pytest.raises(Failed, match="give -o FILE, or pipe it"):
            write_file(None, b"<svg/>")
        write_file("-", b"<svg/>")
        write_file(None, b"{}")
    assert terminal.buffer.getvalue() == b"<svg/>\n{}\n"


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
            echo(line)
        assert capsys.readouterr().out.splitlines() == [
            *("name         title", "ten letters  more words", "    than fit in it")
        ]


class TestEcho:
    def test_lines_fit_between_words_and_a_path_stays_whole(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("COLUMNS", "20")
        echo("csv/fitbit_activity.csv:4: must be well-formed [row.form]")
        echo("")
        assert capsys.readouterr().out.splitlines() == [
            *("csv/fitbit_activity.csv:4:", "    must be", "    well-formed", "    [row.form]", "")
        ]

    def test_a_command_stays_whole_so_that_it_can_be_pasted(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("COLUMNS", "20")
        echo_error("to make one:", command("(umask 077; cat > 'a file')"))
        assert capsys.readouterr().err == "to make one:\n    (umask 077; cat > 'a file')\n"

    def test_words_have_their_style_also_where_they_are_folded(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "12")
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("TERM", "xterm")
        with redirect_stderr(Terminal()) as shown:
            echo_error(Styled("a.json: a valid one", GREEN, "a valid"), Styled("", GREEN))
        assert shown.getvalue() == "a.json: \x1b[32ma\n    valid\x1b[0m\n    one\n\n"

    def test_what_is_logged_of_a_file_is_shown_as_its_problems_are(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "20")
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.delenv("NO_COLOR", raising=False)
        with redirect_stderr(Terminal()) as shown:
            monkeypatch.setattr(logging, "lastResort", handler := logging.StreamHandler())
            show_log()
            handler.handle(logging.makeLogRecord({"msg": "a/x.csv: no date yet [r.s]"}))
        assert shown.getvalue() == "\x1b[1ma/x.csv:\x1b[0m no date yet\n    \x1b[31m[r.s]\x1b[0m\n"
