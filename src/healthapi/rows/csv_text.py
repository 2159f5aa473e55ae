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


def file_error(file: str, rule: FileRule, column: str = "") -> DataError:
    """Return the error for a whole file, `csv/name.csv`; `column` is one that its header lacks."""
    message = f"{_MESSAGE_OF[rule]}, `{column}`" if column else _MESSAGE_OF[rule]
    return DataError(Finding(f"/{file}", rule, message))


def read_csv(data: bytes, file: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the header, even if it is blank, then each row: its first line, counted from 1; cells.

    Raise DataError if the file is not UTF-8 or truncated, or a cell longer than `CELL_LENGTH`.
    """
    text = TextIOWrapper(BytesIO(data.removeprefix(_BYTE_ORDER_MARK)), "utf-8")
    reader = csv.reader(text, strict=True)
    width, line, cells = 0, 1, list[str]()
    try:
        for cells in reader:
            if max(map(len, cells), default=0) > CELL_LENGTH:
                raise file_error(file, "file.field")
            if line == 1:
                width = len(cells)
            if line == 1 or _is_row(cells):
                yield line, cells
            line = reader.line_num + 1
    except UnicodeDecodeError:
        raise file_error(file, "file.encoding") from None
    except csv.Error as error:
        rule: FileRule = "file.field" if "field limit" in str(error) else "file.torn"
        raise file_error(file, rule) from None
    if _is_row(cells) and len(cells) < width and data[-1] not in b"\r\n":
        raise file_error(file, "file.torn")


def _is_row(cells: Sequence[str]) -> bool:
    return len(cells) > 1 or bool(cells and cells[0].strip())
