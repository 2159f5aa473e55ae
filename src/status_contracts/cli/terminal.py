"""Write the output of a command: lines and tables; JSON and images for programs.

Invariant *no raw control characters*: lines and logs pass `arguments.folded`, JSON is escaped.
Invariant *every call flushes*: a closed or full output ends the command.
"""

import json
import logging
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from status_contracts import json_text
from status_contracts.cli.arguments import YELLOW, Styled, folded
from status_contracts.cli.exit_codes import checked_output
from status_contracts.cli.problems import Problem

__all__ = [
    "echo", "echo_error", "echo_progress", "echo_warning", "format_table", "show_log", "write",
    "write_json",
]  # fmt: skip


def echo(line: object) -> None:
    """Write a line for a person, or a problem, in several where a terminal needs it."""
    with checked_output():
        sys.stdout.write(f"{folded(line, sys.stdout)}\n")


def echo_error(*lines: object) -> None:
    """Write lines to the error output, each in several where a terminal needs it."""
    sys.stderr.writelines(f"{folded(line, sys.stderr)}\n" for line in lines)
    sys.stderr.flush()


def echo_warning(text: object, *remedy: object) -> None:
    """Write a warning to the error output, and the lines of its remedy."""
    echo_error(Styled(f"warning: {text}", YELLOW, "warning:"), *remedy)


def echo_progress(line: str) -> None:
    """Write what is done now to the error output, if it is a terminal."""
    if sys.stderr.isatty():
        echo_error(line)


def show_log() -> None:
    """Let log records without another handler be printed as lines of the error output."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_LogLines())


_FINDING: Final = re.compile(r"((?:[^:]|:(?! ))++): (.+) \[([a-z_.]+)\]")


class _LogLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        lines = super().format(record).split("\n")
        matches = map(_FINDING.fullmatch, lines)
        shown = (
            Problem(match[1], None, "", match[3], match[2]) if match else line
            for line, match in zip(lines, matches, strict=True)
        )
        return "\n".join(folded(line, sys.stderr) for line in shown)


def write_json(value: object) -> None:
    """Write a plain value as JSON in UTF-8, whatever the encoding: in lines on a terminal only."""
    text = json_text.encode(value).decode()
    if sys.stdout.isatty():
        text = json.dumps(value, indent=2, ensure_ascii=False)
    if not text.isprintable():
        signs = (one if one.isprintable() or one == "\n" else json.dumps(one)[1:-1] for one in text)
        text = "".join(signs)
    write(f"{text}\n".encode())


def write(data: bytes) -> None:
    """Write bytes unchanged."""
    with checked_output():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


_NARROWEST: Final = 16  # of a column that is wrapped


def format_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table, none if there are no rows; a terminal wraps the last column."""
    columns = shutil.get_terminal_size((sys.maxsize, 1)).columns
    widths = [max(map(_display_width, column)) + 2 for column in zip(head, *rows, strict=True)]
    room = columns - sum(widths[:-1])
    if room < _NARROWEST:
        room = sys.maxsize  # `echo` folds such lines
    for row in (head, *rows) if rows else ():
        *cells, text = row
        start = "".join(
            cell + " " * (width - _display_width(cell))
            for cell, width in zip(cells, widths, strict=False)
        )
        is_wide = _display_width(text) > max(room, len(text))
        lines = textwrap.wrap(text, room // 2 if is_wide else room, break_on_hyphens=False)
        for line in lines or [""]:
            shown = f"{start}{line}".rstrip()
            yield Styled(shown) if row is head else shown
            start = " " * _display_width(start)


def _display_width(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide signs two, marks on others none."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.category(sign) in {"Mn", "Me"} for sign in text)
