"""Findings about rows and cells of a file that can be read as a whole.

Invariant *nothing is dropped silently*: each rejected row and each unreadable cell is counted.  The
first `limits.FINDINGS_LISTED` findings by line are listed, in whatever order they are added.
Invariant *messages quote no input*: a message depends on the rule alone; the text of a cell stands
beside it, for the owner of the file.
"""

from collections.abc import Mapping
from typing import Final, Literal

import attrs

from healthapi.rows.cells import CellRule

RowRule = Literal[
    CellRule,
    "date.repeated",
    "row.short",
    "row.long",
    "row.repeated",
    "minutes.range",
    "percent.range",
    "rmssd.range",
    "steps.range",
    "steps.whole",
    "energy.range",
    "number.thousands",
    "column.missing",
    "column.case",
    "column.repeated",
]

MESSAGE_OF: Final[dict[RowRule, str]] = {
    "date.missing": "a row must have a date",
    "date.form": "a date must begin with YYYY-MM-DD; for another form set `date_form`",
    "date.unreal": "a date must be a day of the calendar",
    "date.repeated": "a table must have a day once; of these rows the later one counts for the day",
    "row.short": "a line must have as many cells as the header; the missing ones have no value",
    "row.long": "a line must have as many cells as the header; the surplus is ignored",
    "row.repeated": "a sleep log must have only one row; the best row of the log is kept",
    "number.form": "a number must be like 61, -3.5 or 1e3, without spaces, units and commas; with"
    ' decimal = "," in the column mapping like 61,5',
    "number.range": "a number must be between -2**53 and 2**53",
    "number.implausible": "a resting heart rate must be 20 to 250 bpm",
    "minutes.range": "minutes of a day must be 0 to 1,500: are these seconds?",
    "percent.range": "a percentage or score must be 0 to 100",
    "rmssd.range": "an RMSSD must be 0 to 300 ms",
    "steps.range": "steps of a day must be 0 to 300,000",
    "steps.whole": "steps must be a whole number",
    "energy.range": "an energy of a day must be 0 to 30,000 kcal",
    "number.thousands": "a whole number has three decimals here: is it a separator of thousands?",
    "boolean.form": "a boolean must be one of true, yes, y, 1, false, no, n, 0",
    "column.missing": "the header must have this column; its values are missing",
    "column.case": "the header has this column with other capitals: write them as here",
    "column.repeated": "the header must have this column only once; the first one is used",
}
DOUBTS: Final = frozenset[RowRule](
    ("date.repeated", "energy.range", "minutes.range", "number.thousands", "percent.range")
).union(("rmssd.range", "steps.range", "steps.whole"))
"""Rules for values that can hardly be true; they are served unchanged."""
SERVED: Final = (
    DOUBTS | {"row.short", "row.long", "column.missing", "column.case"} | {"column.repeated"}
)
"""Rules that no value and no row is left out for."""


@attrs.frozen
class CellFinding:
    """One problem: its location, the broken rule, and a message.

    Attributes:
        file: Name of the file below the profile: `csv/fitbit_sleep.csv`.
        line: Line of the file on which the row begins; the header is line 1.
        column: Name of the column as in the column mapping; None if the finding is about the row.
        rule: Stable id of the broken rule.
        message: The rule in words; it never quotes the input.
        text: The first characters of the cell; None if the finding is about the row or the header.

    """

    file: str
    line: int
    column: str | None
    rule: RowRule
    message: str
    text: str | None = attrs.field(default=None, repr=False)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}"
        return f"{place if self.column is None else f'{place} {self.column}'}: {self.message}"


@attrs.frozen
class Findings:
    """All findings of one file.

    Attributes:
        listed: The first of them, by line.
        total: Their number.
        rejected_rows: Rows that are not served: without a date, or repetitions.
        unreadable_cells: Cells whose text cannot be parsed, or whose value cannot be true; they
            count as missing.
        omitted: The rejected rows and unreadable cells by rule.

    """

    listed: tuple[CellFinding, ...] = ()
    total: int = 0
    rejected_rows: int = 0
    unreadable_cells: int = 0
    omitted: Mapping[RowRule, int] = attrs.field(factory=dict, hash=False)


def is_about_row(rule: RowRule) -> bool:
    """Check whether a rule is about a whole row rather than a cell."""
    return rule.startswith(("date.", "row."))
