"""Bytes of a CSV file to the cells of chosen columns, a piece of the file at a time.

Source: health facts, section 2; health-data rulings on files.  UTF-8, one leading byte order mark
dropped; CRLF, LF and CR end lines, and are LF inside quoted cells; quotes as RFC 4180 has them.
A line of blanks alone is no row.

Invariant *bounded*: beside the bytes, only the cells of one piece are held; a piece is some
`PIECE_BYTES` and the rest of a line.  No input costs more than linear time.
Invariant *whole or not at all*: `DataError` is the only exception, and it speaks of the file as a
whole; lines that are too short or too long are told, not raised.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import attrs

from healthapi.errors import DataError
from healthapi.rows.fast_lines import plain_columns
from purewire.findings import Finding

__all__ = ["CELL_LENGTH", "PIECE_BYTES", "Block", "CsvText", "FileRule", "Misfit", "file_error"]

FileRule = Literal["file.encoding", "file.header", "file.torn", "file.field"]
Misfit = Literal["row.short", "row.long"]

PIECE_BYTES: Final = 64 * 1024
"""Small enough that the cells of a piece stay near the processor."""
CELL_LENGTH: Final = 131_072
"""Code points of the longest cell: the limit that the standard library's reader has by itself."""

_MESSAGE_OF: Final[dict[FileRule, str]] = {
    "file.encoding": "the file must be UTF-8",
    "file.header": "the first line must name the columns; it lacks the column of dates",
    "file.torn": "the last line must be whole, and each quoted cell closed",
    "file.field": f"a cell must not be longer than {CELL_LENGTH} characters",
}

_MARK: Final = b"\xef\xbb\xbf"
_MORE: Final = re.compile(r"[^\n]")
_LINE_END: Final = re.compile(rb"\r\n?|\n")


def file_error(file: str, rule: FileRule, column: str = "") -> DataError:
    """Return the error of a file that cannot be read as a whole.

    Args:
        file: its name, as `csv/name.csv`.
        rule: the broken rule.
        column: of `file.header`, the name in the column map of the column that is missing.

    """
    message = f"{_MESSAGE_OF[rule]}, `{column}`" if column else _MESSAGE_OF[rule]
    return DataError(findings=(Finding(f"/{file}", rule, message),))


@attrs.frozen
class Block:
    """The cells of some rows, by column.

    Attributes:
        lines: for each row the line of the file on which it begins.
        columns: for each chosen column the cells of all rows; empty text where a row is too short.
        misfits: index of a row to what is wrong with its length.

    """

    lines: Sequence[int]
    columns: Sequence[Sequence[str]]
    misfits: Mapping[int, Misfit]


class CsvText:
    """A CSV file whose header is read, and whose rows are taken piece by piece.

    While there is `more`, a `block` is taken.

    Args:
        data: the bytes of the file.
        file: its name below the profile, for findings.
        piece: bytes that are read at a time.

    Raises DataError, here or while the rows are read, for a file that is not UTF-8, that is torn,
    or that has a cell longer than `CELL_LENGTH`.

    """

    def __init__(self, data: bytes, file: str, piece: int = PIECE_BYTES) -> None:
        self._file = file
        self._source = _Source(data, file, piece)
        self.header = tuple(map(str.strip, next(self._records(), [])))
        """The names of the columns, trimmed; none where the first line is empty."""

    @property
    def done(self) -> int:
        """Bytes of the file that are read so far."""
        return self._source.end

    def more(self) -> bool:
        """Tell whether there is a row that is not taken yet, or a blank line."""
        return self._source.more()

    def block(self, chosen: Sequence[int]) -> Block:
        """Take the rest of the piece, and of a row that goes beyond it.

        Of each row only the chosen columns are given, in the order of choice.
        """
        lines = self._source.untouched()
        columns = plain_columns(lines, len(self.header), chosen) if lines else None
        if columns is None:
            return self._careful(chosen)
        return Block(self._source.passed(len(columns[0])), columns, {})

    def _careful(self, chosen: Sequence[int]) -> Block:
        source, width = self._source, len(self.header)
        lines: list[int] = []
        rows: list[list[str]] = []
        misfits: dict[int, Misfit] = {}
        first, end = source.line, source.end
        records, is_done = self._records(), False
        while not is_done:
            record = next(records)
            found = len(record)
            if found > 1 or (record and record[0].strip()):
                if found < width and source.unended:
                    raise file_error(self._file, "file.torn")
                if found != width:
                    misfits[len(rows)] = "row.short" if found < width else "row.long"
                lines.append(first)
                rows.append([record[index] if index < found else "" for index in chosen])
            if not record:
                source.pass_line_ends()
            first = source.line
            is_done = source.used_up or source.end != end
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(chosen)
        return Block(_shortest(lines), columns, misfits)

    def _records(self) -> Iterator[list[str]]:
        """Give records from where the source stands; it then stands behind the last one given."""
        reader = csv.reader(self._source, strict=True)
        lax = csv.field_size_limit() > CELL_LENGTH  # the limit is the process's, anyone may set it
        try:
            for record in reader:
                if lax and any(len(cell) > CELL_LENGTH for cell in record):
                    raise file_error(self._file, "file.field")
                yield record
        except csv.Error as error:
            rule: FileRule = "file.field" if "field limit" in str(error) else "file.torn"
            raise file_error(self._file, rule) from None


class _Source:
    """The lines of a file with their ends, all of them LF; read piece by piece.

    The first piece is the first line.

    Attributes:
        line: number of the next line, from 1.
        end: bytes of the file up to the end of the piece.
        unended: whether the line given last had no end.

    """

    def __init__(self, data: bytes, file: str, piece: int) -> None:
        self._data = data
        self._file = file
        self._piece = piece
        self._start = self.end = len(_MARK) if data.startswith(_MARK) else 0
        self._text: str | None = None
        self._at = 0
        self.line = 1
        self.unended = False

    @property
    def used_up(self) -> bool:
        """Whether all lines of the piece are given."""
        text = self._text
        return self._start == self.end if text is None else self._at == len(text)

    def more(self) -> bool:
        """Go to the next piece where this one is used up; tell whether there is a line."""
        if self.used_up and self.end < len(self._data):
            size = self._piece if self.line > 1 else 0
            found = _LINE_END.search(self._data, self.end + size)
            self._start, self.end = self.end, len(self._data) if found is None else found.end()
            self._text, self._at = None, 0
        return not self.used_up

    def untouched(self) -> bytes:
        """Give the piece if no line of it is given yet."""
        return self._data[self._start : self.end] if self._text is None else b""

    def passed(self, lines: int) -> range:
        """Go to the end of the piece, past so many lines; give their numbers."""
        first = self.line
        self.line += lines
        self._start = self.end
        return range(first, self.line)

    def pass_line_ends(self) -> None:
        """Go past empty lines; only between records, for in quotes a line end is text."""
        text = self._text or ""
        rest = _MORE.search(text, self._at)
        end = len(text) if rest is None else rest.start()
        self.line += end - self._at
        self._at = end

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        text = self._text
        if text is None or self._at == len(text):  # asked here, for lines may be short and many
            if not self.more():
                raise StopIteration
            text = self._decoded()
        start = self._at
        self._text, self._at = text, text.find("\n", start) + 1
        self.unended = not self._at
        if self.unended:
            self._at = len(text)
        self.line += 1
        return text[start : self._at]

    def _decoded(self) -> str:
        try:
            text = self._data[self._start : self.end].decode("utf-8")
        except UnicodeDecodeError:
            raise file_error(self._file, "file.encoding") from None
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _shortest(numbers: list[int]) -> Sequence[int]:
    """Give ascending numbers as a range where none is missing between them."""
    if numbers and numbers[-1] - numbers[0] + 1 == len(numbers):
        return range(numbers[0], numbers[-1] + 1)
    return numbers
