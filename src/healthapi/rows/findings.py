"""What is wrong with a row or a cell, where a file as a whole can be read.

Invariant *nothing is lost*: each row that is rejected, each cell that is read as missing though
something stood there, is counted; the first of them are listed, up to `limits.FINDINGS_LISTED`.
Invariant *findings quote no input*: a message is made from the rule alone.
"""

from typing import Literal

import attrs

__all__ = ["NOTHING_FOUND", "CellFinding", "Findings", "RowRule"]

RowRule = Literal[
    "date.missing",
    "date.form",
    "date.unreal",
    "row.short",
    "row.long",
    "row.repeated",
    "number.form",
    "number.range",
    "boolean.form",
    "column.missing",
    "column.repeated",
]


@attrs.frozen
class CellFinding:
    """One fault: where it is, which rule it breaks, and the rule in words.

    Attributes:
        file: name of the file below the profile: `csv/fitbit_sleep.csv`.
        line: line of the file on which the row begins, the header being line 1.
        column: name of the column as the map has it; None where the row is at fault.
        rule: stable id of the broken rule.
        message: the rule in words; never a quotation of the input.

    """

    file: str
    line: int
    column: str | None
    rule: RowRule
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}"
        return f"{place if self.column is None else f'{place} {self.column}'}: {self.message}"


@attrs.frozen
class Findings:
    """All faults of one file.

    Attributes:
        listed: the first of them, by line.
        total: how many there are.
        rejected_rows: rows that are not served, for want of a date or as a repetition.
        unreadable_cells: cells that are read as missing though something stood there.

    """

    listed: tuple[CellFinding, ...] = ()
    total: int = 0
    rejected_rows: int = 0
    unreadable_cells: int = 0


NOTHING_FOUND = Findings()
