"""Write the output of a command: lines and tables; JSON and images for programs.

Invariant *no raw control characters*: lines and logs pass `arguments.printable`, JSON is escaped.
Invariant *every call flushes*: a closed or full output ends the command.
"""

import json
import logging
import os
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from status_contracts import json_text
from status_contracts.cli.arguments import folded, printable
from status_contracts.cli.exit_codes import checked_output
from status_contracts.findings import Finding

__all__ = [
    "echo",
    "echo_error",
    "echo_progress",
    "echo_wrapped",
    "finding_lines",
    "format_table",
    "problem_line",
    "show_log",
    "write",
    "write_json",
]


def echo(line: str) -> None:
    """Write a line for a person."""
    with checked_output():
        sys.stdout.write(f"{printable(line, sys.stdout)}\n")


def echo_wrapped(line: object) -> None:
    """Write a line for a person, folded on a narrower terminal; of a problem, with colours."""
    text = folded(str(line), sys.stdout)
    place, _, rest = text.partition(": ")
    message, _, rule = rest.rpartition(" [")
    if message and text[-1] == "]" and sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        message = re.sub("^warning:", "\033[33mwarning:\033[0m", message)
        text = f"\033[1m{place}:\033[0m {message}\033[2m [{rule}\033[0m"
    with checked_output():
        sys.stdout.write(f"{text}\n")


def echo_error(line: str) -> None:
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
    """Write a plain value as one line of JSON, in UTF-8 whatever the terminal's encoding."""
    text = json_text.encode(value).decode()
    if not text.isprintable():
        text = "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in text)
    write(f"{text}\n".encode())


def write(data: bytes) -> None:
    """Write bytes unchanged."""
    with checked_output():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


_MESSAGE: Final = re.compile(r"(?s)(?:line (\d+)(?:, column (\d+)(?: \(byte \d+\))?)?: )?(.+)")
"""A message, which may begin with a place in the text of the file."""


def problem_line(place: str, rule: str, message: str, *, is_error: bool = True) -> str:
    """Return the line of a problem: `FILE:LINE PLACE: MESSAGE [RULE]`, of a warning with the word.

    `place` is the file, with the line of a table if it is known, and a JSON pointer or a column.
    """
    start = f"{place}: " if place else ""
    return f"{start}{'' if is_error else 'warning: '}{message} [{rule}]"


def finding_lines(
    file: str, findings: Iterable[Finding], *, is_error: bool = True
) -> Iterator[str]:
    """Yield the lines of findings about a file; a place in its text follows its name."""
    for finding in findings:
        ((line, column, message),) = _MESSAGE.findall(finding.message)
        message = f"not JSON: {message}" if finding.rule == "json.text" else message
        place = f"{':'.join(filter(None, (file, line, column)))} {finding.path}".strip()
        yield problem_line(place, finding.rule, message, is_error=is_error)


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
