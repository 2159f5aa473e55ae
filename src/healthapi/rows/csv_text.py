"""Parse the bytes of a CSV file into the cells of chosen columns, one piece of the file at a time.

Files are UTF-8; a leading byte order mark is dropped.  CRLF, LF and CR end lines, and become LF
inside quoted cells.  Quotes are those of RFC 4180.  A line that contains only white space is not a
row.

Invariant *bounded*: beside the bytes, only the cells of one piece are in memory.  A piece is about
`PIECE_BYTES` up to the next line end.  No input takes more than linear time.
Invariant *whole or not at all*: `DataError` is the only exception, and it rejects the whole file.
Lines that are too short or too long are reported in `Block.ragged_rows`.
Invariant *a fast path only*: `try_split_columns` returns the cells that `csv.reader` returns for
the same lines, or None.

Contract: HA-CSV-01 to 05, HA-CSV-10 to 13.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import attrs

from healthapi.errors import DataError
from purewire.findings import Finding

FileRule = Literal["file.encoding", "file.header", "file.torn", "file.field"]
RowLengthRule = Literal["row.short", "row.long"]

PIECE_BYTES: Final = 64 * 1024
"""Small enough that the cells of a piece fit into the processor's cache."""
CELL_LENGTH: Final = 131_072
"""Code points of the longest cell: the default limit of `csv.reader`."""

_MESSAGE_OF: Final[dict[FileRule, str]] = {
    "file.encoding": "the file must be UTF-8",
    "file.header": "the first line must name the columns; the column of dates is missing",
    "file.torn": "the last line must be complete, and each quoted cell must be closed",
    "file.field": f"a cell must not be longer than {CELL_LENGTH} characters",
}

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_NOT_LINE_FEED: Final = re.compile(r"[^\n]")
_LINE_END: Final = re.compile(rb"\r\n?|\n")
_MAX_FAST_BYTES: Final = 128 * 1024
"""A longer piece contains an unusually long line."""
_MIN_FAST_WIDTH: Final = 2
"""Cells of a line; with a single one, a line of white space is not a row."""


def file_error(file: str, rule: FileRule, column: str = "") -> DataError:
    """Return the error for a file that cannot be read as a whole.

    Args:
        file: Its name, as `csv/name.csv`.
        rule: The broken rule.
        column: For `file.header`, the column mapping's name of the missing column.

    """
    message = f"{_MESSAGE_OF[rule]}, `{column}`" if column else _MESSAGE_OF[rule]
    return DataError(findings=(Finding(f"/{file}", rule, message),))


@attrs.frozen
class Block:
    """The cells of some rows, by column.

    Attributes:
        lines: For each row the line of the file on which it begins.
        columns: For each chosen column the cells of all rows; empty text where a row is too short.
        ragged_rows: Row index to the rule that the row's length breaks.

    """

    lines: Sequence[int]
    columns: Sequence[Sequence[str]]
    ragged_rows: Mapping[int, RowLengthRule]


class CsvText:
    """A reader of a CSV file: the header first, then blocks of rows.

    Call `block` while `has_more` returns True.

    Args:
        data: The bytes of the file.
        file: Its name below the profile, for findings.
        piece: Number of bytes to read at a time.

    Raises:
        DataError: Here or in `block`: the file is not UTF-8, it is truncated, or a cell is longer
            than `CELL_LENGTH`.

    """

    def __init__(self, data: bytes, file: str, piece: int = PIECE_BYTES) -> None:
        self._file = file
        self._source = _Source(data, file, piece)
        self.header = tuple(map(str.strip, next(self._records(), [])))
        """The names of the columns, trimmed; empty if the first line is."""

    @property
    def bytes_read(self) -> int:
        """Number of bytes of the file that are read so far."""
        return self._source.end

    def has_more(self) -> bool:
        """Return whether a row or a blank line remains."""
        return self._source.has_more()

    def block(self, chosen: Sequence[int]) -> Block:
        """Read the rest of the piece, to the end of its last row.

        Args:
            chosen: Indexes of the columns to return, in this order.

        """
        lines = self._source.unread_piece()
        columns = try_split_columns(lines, len(self.header), chosen) if lines else None
        if columns is None:
            return self._slow_block(chosen)
        return Block(self._source.skip_piece(len(columns[0])), columns, {})

    def _slow_block(self, chosen: Sequence[int]) -> Block:
        source, width = self._source, len(self.header)
        lines: list[int] = []
        rows: list[list[str]] = []
        ragged_rows: dict[int, RowLengthRule] = {}
        first, end = source.line, source.end
        records, is_done = self._records(), False
        while not is_done:
            record = next(records)
            found = len(record)
            if found > 1 or (record and record[0].strip()):
                if found < width and source.is_unended:
                    raise file_error(self._file, "file.torn")
                if found != width:
                    ragged_rows[len(rows)] = "row.short" if found < width else "row.long"
                lines.append(first)
                rows.append([record[index] if index < found else "" for index in chosen])
            if not record:
                source.skip_line_ends()
            first = source.line
            is_done = source.is_used_up or source.end != end
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(chosen)
        return Block(_as_range(lines), columns, ragged_rows)

    def _records(self) -> Iterator[list[str]]:
        """Yield records; the source then stands behind the last one yielded."""
        reader = csv.reader(self._source, strict=True)
        # The limit of csv.reader belongs to the process, so other code may have raised it.
        checks_length = csv.field_size_limit() > CELL_LENGTH
        try:
            for record in reader:
                if checks_length and any(len(cell) > CELL_LENGTH for cell in record):
                    raise file_error(self._file, "file.field")
                yield record
        except csv.Error as error:
            rule: FileRule = "file.field" if "field limit" in str(error) else "file.torn"
            raise file_error(self._file, rule) from None


class _Source:
    """An iterator of the lines of a file, which it decodes piece by piece; all lines end in LF.

    The first piece is the first line.

    Attributes:
        line: Number of the next line, from 1.
        end: Number of bytes up to the end of the piece.
        is_unended: Whether the last line returned had no line end.

    """

    def __init__(self, data: bytes, file: str, piece: int) -> None:
        self._data = data
        self._file = file
        self._piece = piece
        self._start = self.end = len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0
        self._text: str | None = None
        self._at = 0
        self.line = 1
        self.is_unended = False

    @property
    def is_used_up(self) -> bool:
        """Check whether all lines of the piece are returned."""
        text = self._text
        return self._start == self.end if text is None else self._at == len(text)

    def has_more(self) -> bool:
        """Return whether a line remains; load the next piece if this one is used up."""
        if self.is_used_up and self.end < len(self._data):
            size = self._piece if self.line > 1 else 0
            found = _LINE_END.search(self._data, self.end + size)
            self._start, self.end = self.end, len(self._data) if found is None else found.end()
            self._text, self._at = None, 0
        return not self.is_used_up

    def unread_piece(self) -> bytes:
        """Return the piece if none of its lines is returned yet, else no bytes."""
        return self._data[self._start : self.end] if self._text is None else b""

    def skip_piece(self, lines: int) -> range:
        """Skip the whole piece of so many lines, and return their numbers."""
        first = self.line
        self.line += lines
        self._start = self.end
        return range(first, self.line)

    def skip_line_ends(self) -> None:
        """Skip empty lines; only between records, because a line end in quotes is text."""
        text = self._text or ""
        rest = _NOT_LINE_FEED.search(text, self._at)
        end = len(text) if rest is None else rest.start()
        self.line += end - self._at
        self._at = end

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        text = self._text
        if text is None or self._at == len(text):  # inlined: files have many short lines
            if not self.has_more():
                raise StopIteration
            text = self._decoded()
        start = self._at
        self._text, self._at = text, text.find("\n", start) + 1
        self.is_unended = not self._at
        if self.is_unended:
            self._at = len(text)
        self.line += 1
        return text[start : self._at]

    def _decoded(self) -> str:
        try:
            text = self._data[self._start : self.end].decode("utf-8")
        except UnicodeDecodeError:
            raise file_error(self._file, "file.encoding") from None
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _as_range(numbers: list[int]) -> Sequence[int]:
    """Return ascending numbers as a range if none is missing between them."""
    if numbers and numbers[-1] - numbers[0] + 1 == len(numbers):
        return range(numbers[0], numbers[-1] + 1)
    return numbers


def try_split_columns(lines: bytes, width: int, chosen: Sequence[int]) -> list[list[str]] | None:
    """Split lines without quotes into columns, without a loop over lines.

    Args:
        lines: Complete lines; only the last one may lack its end.
        width: Number of cells of a line.
        chosen: Indexes of the columns to return.

    Returns:
        The cells by column; None if `csv.reader` is needed: for a quote, a blank line, another
        number of cells, a line that ends in CR alone, or bytes that are not UTF-8.

    """
    if len(lines) > _MAX_FAST_BYTES or width < _MIN_FAST_WIDTH or b'"' in lines:
        return None
    try:
        text = lines.decode("utf-8").replace("\r\n", "\n").removesuffix("\n")
    except UnicodeDecodeError:
        return None
    # Each line except the first begins with its line feed, which marks its first cell.
    cells = text.replace("\n", ",\n").split(",")
    first = "".join(cells[::width]).split("\n")
    if "\r" in text or len(cells) != len(first) * width or len(first) != text.count("\n") + 1:
        return None
    return [first if index == 0 else cells[index::width] for index in chosen]
