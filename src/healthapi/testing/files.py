"""Write rows as CSV files.

As producers do, whole numbers of a column with gaps are written as `61.0`, and missing values as
empty cells.  Parsing the result returns the rows.
"""

import csv
import io
from collections.abc import Iterable, Sequence

import attrs

from healthapi.rows.columns import NATIVE, TableMap

__all__ = ["csv_file", "csv_text", "native_files"]


def csv_file(rows: Sequence[attrs.AttrsInstance], table: TableMap) -> bytes:
    """Write rows in the columns of a table; each column must be a column of the file."""
    names = [table.date, *(column.terms[0][0] for column in table.columns)]
    fields = ["date", *(column.field for column in table.columns)]
    gaps = {field for field in fields if any(getattr(row, field) is None for row in rows)}
    return csv_text(
        [
            names,
            *(
                [_cell(getattr(row, field), has_gaps=field in gaps) for field in fields]
                for row in rows
            ),
        ]
    )


def csv_text(lines: Iterable[Sequence[str]]) -> bytes:
    """Write the cells of each line."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().encode()


def native_files(
    activity: Sequence[attrs.AttrsInstance] | None = None,
    sleep: Sequence[attrs.AttrsInstance] | None = None,
    hrv: Sequence[attrs.AttrsInstance] | None = None,
    rhr: Sequence[attrs.AttrsInstance] | None = None,
) -> dict[str, bytes]:
    """Write the files of a profile, except those of datasets that are None.

    The rows have the classes `ActivityRow`, `SleepLog`, `HrvRow` and `RhrRow`.
    """
    tables = (NATIVE.activity, NATIVE.sleep, NATIVE.hrv, NATIVE.rhr)
    return {
        f"csv/{table.file}": csv_file(rows, table)
        for table, rows in zip(tables, (activity, sleep, hrv, rhr), strict=True)
        if table is not None and rows is not None
    }


def _cell(value: object, *, has_gaps: bool) -> str:
    if value is None:
        return ""
    if has_gaps and isinstance(value, int) and not isinstance(value, bool):
        return f"{value}.0"
    return str(value)
