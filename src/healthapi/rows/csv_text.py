"""Parse the bytes of a CSV file into the cells of its lines, by the module `csv`.

Files are UTF-8; a leading byte order mark is dropped.  CRLF, LF and CR end lines, and become LF in
quoted cells.  Quotes are those of RFC 4180.  A line that contains only white space is not a row.

Invariant *bounded*: beside the bytes, only the cells of one line are in memory.  No input takes
more than linear time.
Invariant *whole or not at all*: `DataError` is the only exception, and it rejects the whole file.
"""

import csv
from collections.abc import Iterator, Sequence
from io import BytesIO, TextIOWrapper
from typing import Final, Literal

from healthapi.errors import DataError
from status_contracts.findings import Finding

FileRule = Literal["file.encoding", "file.header", "file.torn", "file.field"]

CELL_LENGTH: Final = 131_072
"""Code points of the longest cell: the limit of `csv.reader`, which a process may change."""

_MESSAGE_OF: Final[dict[FileRule, str]] = {
    "file.encoding": "the file must be UTF-8",
    "file.header": "the first line must name the columns; the column of dates is missing",
    "file.torn": "the last line must be complete, and each quoted cell must be closed",
    "file.field": f"a cell must not be longer than {CELL_LENGTH} characters",
}
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


def file_error(file: str, rule: FileRule, more: str = "") -> DataError:
    """Return the error for a whole file, `csv/name.csv`; `more` follows the message."""
    return DataError(Finding(f"/{file}", rule, f"{_MESSAGE_OF[rule]}{more}"))


def header_error(file: str, header: Sequence[str], column: str) -> DataError:
    """Return the error for a header that lacks the column of dates, with what is seen instead."""
    first, capitals = header[0] if header else "", {name.casefold(): name for name in header}
    remedy = ""
    if first.startswith("sep="):
        remedy = ": the first line is a note for a spreadsheet; remove it, or set `skip_lines = 1`"
    elif len(header) == 1 and (name := next((_CELLS[c] for c in first if c in _CELLS), None)):
        remedy = f": cells are separated by {name}; save with commas, or set `delimiter`"
    elif written := capitals.get(column.casefold()):
        remedy = f": `{written}` must be `{column}`"
    return file_error(file, "file.header", f", `{column}`{remedy}")


_CELLS: Final = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas"}


def read_csv(
    data: bytes, file: str, delimiter: str = ",", skip_lines: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """Yield the header, even if it is blank, then each row: its first line, counted from 1; cells.

    The header stands after `skip_lines` lines.

    Raise DataError if the file is not UTF-8 or truncated, or a cell longer than `CELL_LENGTH`.
    """
    text = TextIOWrapper(BytesIO(data.removeprefix(_BYTE_ORDER_MARK)), "utf-8")
    reader = csv.reader(text, strict=True, delimiter=delimiter)
    width, first, cells = 0, skip_lines + 1, list[str]()
    line = first
    try:
        for _ in range(skip_lines):
            text.readline()
        for cells in reader:
            if max(map(len, cells), default=0) > CELL_LENGTH:
                raise file_error(file, "file.field")
            if line == first:
                width = len(cells)
            if line == first or _is_row(cells):
                yield line, cells
            line = first + reader.line_num
    except UnicodeDecodeError:
        raise file_error(file, "file.encoding") from None
    except csv.Error as error:
        rule: FileRule = "file.field" if "field limit" in str(error) else "file.torn"
        raise file_error(file, rule) from None
    if _is_row(cells) and len(cells) < width and data[-1] not in b"\r\n":
        raise file_error(file, "file.torn")


def _is_row(cells: Sequence[str]) -> bool:
    return len(cells) > 1 or bool(cells and cells[0].strip())
