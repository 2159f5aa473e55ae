"""Parse the bytes of a CSV file into the cells of chosen columns, one piece of the file at a time.

Files are UTF-8; a leading byte order mark is dropped.  CRLF, LF and CR end lines, and become LF
inside quoted cells.  Quotes are those of RFC 4180.  A line that contains only white space is not a
row.

Invariant *bounded*: beside the bytes, only the cells of one piece are in memory.  A piece is about
`PIECE_BYTES` up to the next line end.  No input takes more than linear time.
Invariant *whole or not at all*: `DataError` is the only exception, and it rejects the whole file.
Invariant *a fast path only*: `try_split_columns` returns the cells that `csv.reader` returns for
the same lines, or None.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
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
_LINE: Final = re.compile(r"[^\n]*+\n|[^\n]++")  # `str.splitlines` knows more line ends
_LINE_END: Final = re.compile(rb"\r\n?|\n")
_MAX_FAST_BYTES: Final = 128 * 1024
"""A longer piece contains an unusually long line."""
_MIN_FAST_WIDTH: Final = 2
"""Cells of a line; with a single one, a line of white space is not a row."""


def file_error(file: str, rule: FileRule, column: str = "") -> DataError:
    """Return the error for a file, `csv/name.csv`, that cannot be read as a whole.

    `column` is, for `file.header`, the column mapping's name of the missing column.
    """
    message = f"{_MESSAGE_OF[rule]}, `{column}`" if column else _MESSAGE_OF[rule]
    return DataError(findings=(Finding(f"/{file}", rule, message),))


@attrs.frozen
class Block:
    """The cells of the rows of one piece, by column.

    Attributes:
        lines: For each row the line of the file on which it begins.
        columns: For each chosen column the cells of all rows; empty text where a row is too short.
        ragged_rows: Row index to the rule that the row's length breaks.
        end: Number of bytes of the file up to the end of the piece.

    """

    lines: Sequence[int]
    columns: Sequence[Sequence[str]]
    ragged_rows: Mapping[int, RowLengthRule]
    end: int


class CsvText:
    """A reader of a CSV file: the header first, then blocks of rows.

    Raises:
        DataError: Here or in `blocks`: the file is not UTF-8, it is truncated, or a cell is longer
            than `CELL_LENGTH`.

    """

    def __init__(self, data: bytes, file: str, piece: int = PIECE_BYTES) -> None:
        self._data = data
        self._file = file
        self._end = len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0
        self._line = 1
        header = next(self._records(0), (0, 0, []))[-1]
        self.header = tuple(map(str.strip, header))
        """The names of the columns, trimmed; empty if the first line is."""
        self._piece = piece

    def blocks(self, chosen: Sequence[int]) -> Iterator[Block]:
        """Yield the rows, once; `chosen` are the indexes of the columns to return, in order.

        `csv.reader` parses the first piece that is not plain, and all pieces after it.
        """
        while self._end < len(self._data):
            start, end = self._end, self._piece_end(self._piece)
            columns = try_split_columns(self._data[start:end], len(self.header), chosen)
            if columns is None:
                yield from self._slow_blocks(chosen)
            else:
                lines = range(self._line, self._line + len(columns[0]))
                self._line, self._end = lines.stop, end
                yield Block(lines, columns, {}, end)

    def _slow_blocks(self, chosen: Sequence[int]) -> Iterator[Block]:
        width = len(self.header)
        for end, records in groupby(self._records(self._piece), itemgetter(0)):
            rows = [(line, cells) for _, line, cells in records if _is_row(cells)]
            columns = [
                [cells[index] if index < len(cells) else "" for _, cells in rows]
                for index in chosen
            ]
            ragged_rows: dict[int, RowLengthRule] = {
                row: "row.short" if len(cells) < width else "row.long"
                for row, (_, cells) in enumerate(rows)
                if len(cells) != width
            }
            yield Block([line for line, _ in rows], columns, ragged_rows, end)

    def _records(self, piece: int) -> Iterator[tuple[int, int, list[str]]]:
        """Yield the remaining records: end of the piece, first line, cells."""
        reader = csv.reader(self._lines(piece), strict=True)
        # The limit of csv.reader belongs to the process, so other code may have raised it.
        checks_length = csv.field_size_limit() > CELL_LENGTH
        first = self._line
        cells: list[str] = []
        try:
            for cells in reader:
                if checks_length and any(len(cell) > CELL_LENGTH for cell in cells):
                    raise file_error(self._file, "file.field")
                line, self._line = self._line, first + reader.line_num
                yield self._end, line, cells
            is_short = _is_row(cells) and len(cells) < len(self.header)
            if is_short and self._data[-1] not in b"\r\n":
                raise file_error(self._file, "file.torn")
        except UnicodeDecodeError:
            raise file_error(self._file, "file.encoding") from None
        except csv.Error as error:
            rule: FileRule = "file.field" if "field limit" in str(error) else "file.torn"
            raise file_error(self._file, rule) from None

    def _lines(self, piece: int) -> Iterator[str]:
        """Yield the remaining lines, each of which ends in LF unless it has no end."""
        while self._end < len(self._data):
            start, self._end = self._end, self._piece_end(piece)
            text = self._data[start : self._end].decode("utf-8")
            yield from _LINE.findall(text.replace("\r\n", "\n").replace("\r", "\n"))

    def _piece_end(self, piece: int) -> int:
        end = _LINE_END.search(self._data, self._end + piece)
        return len(self._data) if end is None else end.end()


def _is_row(cells: Sequence[str]) -> bool:
    return len(cells) > 1 or bool(cells and cells[0].strip())


def try_split_columns(lines: bytes, width: int, chosen: Sequence[int]) -> list[list[str]] | None:
    """Split complete lines without quotes into the chosen columns, without a loop over lines.

    Return None if `csv.reader` is needed: for a quote, a blank line, another number of cells than
    `width`, a line that ends in CR alone, or bytes that are not UTF-8.
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
