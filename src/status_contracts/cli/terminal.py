"""Write the output of a command: lines and tables; JSON and images for programs.

Invariant *no raw control characters*: lines and logs pass `arguments.printable`, JSON is escaped.
Invariant *every call flushes*: a closed or full output ends the command.
"""

import json
import logging
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from status_contracts import json_text
from status_contracts.cli.arguments import folded, printable
from status_contracts.cli.exit_codes import checked_output

__all__ = [
    "echo",
    "echo_error",
    "echo_progress",
    "echo_wrapped",
    "format_table",
    "show_log",
    "write",
    "write_json",
]


def echo(line: str) -> None:
    """Write a line for a person."""
    with checked_output():
        sys.stdout.write(f"{printable(line, sys.stdout)}\n")


def echo_wrapped(line: object) -> None:
    """Write a line for a person, or a problem; it is folded on a narrower terminal."""
    with checked_output():
        sys.stdout.write(f"{folded(line, sys.stdout)}\n")


def echo_error(line: object) -> None:
    """Write a line to the error output, in several where a terminal needs it."""
    sys.stderr.write(f"{folded(line, sys.stderr)}\n")
    sys.stderr.flush()


def echo_progress(line: str) -> None:
    """Write what is done now to the error output, if it is a terminal."""
    if sys.stderr.isatty():
        echo_error(line)


def show_log() -> None:
    """Let log records without another handler be printed as lines of the error output."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_LogLines())


class _LogLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        lines = super().format(record).split("\n")
        return "\n".join(printable(line, sys.stderr) for line in lines)


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
        room = sys.maxsize  # `echo_wrapped` folds such lines
    for *cells, text in (head, *rows) if rows else ():
        start = "".join(
            cell + " " * (width - _display_width(cell))
            for cell, width in zip(cells, widths, strict=False)
        )
        is_wide = _display_width(text) > max(room, len(text))
        lines = textwrap.wrap(text, room // 2 if is_wide else room, break_on_hyphens=False)
        for line in lines or [""]:
            yield f"{start}{line}".rstrip()
            start = " " * _display_width(start)


def _display_width(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide signs two, marks on others none."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.category(sign) in {"Mn", "Me"} for sign in text)
