"""What is wrong with the rows of one file, noted while they are read.

Source: health-data rulings on rows.

Invariant *first by line*: the findings that are listed are those of the first lines, whatever the
order in which they are noted; the counts are of all.
"""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Final

from healthapi.limits import FINDINGS_LISTED
from healthapi.rows.findings import CellFinding, Findings, RowRule

__all__ = ["FindingLog"]

_MESSAGE_OF: Final[dict[RowRule, str]] = {
    "date.missing": "the row has no date",
    "date.form": "a date must begin as YYYY-MM-DD",
    "date.unreal": "the calendar has no such day",
    "row.short": "the line has fewer cells than the header; those it lacks are read as missing",
    "row.long": "the line has more cells than the header; the surplus is ignored",
    "row.repeated": "the row repeats a sleep log; the best one stays",
    "number.form": "a number must be plain digits with an optional sign, fraction and exponent",
    "number.range": "a number must not be beyond 2**53 of either sign",
    "boolean.form": "a truth must be one of true, yes, y, 1, false, no, n, 0",
    "column.missing": "the header lacks this column; its values are missing",
    "column.repeated": "the header has this column more than once; the first one counts",
}
_HEADER_LINE: Final = 1


class FindingLog:
    """The findings of a file, as many as are listed, and the count of all.

    Args:
        file: name of the file below the profile.

    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._listed: list[CellFinding] = []
        self._total = self._rejected = self._unreadable = 0

    def header(self, rule: RowRule, column: str) -> None:
        """Note what is wrong with the header, before anything else is noted."""
        self._list([(_HEADER_LINE, column, rule)])

    def rows(
        self,
        lines: Sequence[int],
        rejected: Mapping[int, RowRule],
        misfits: Mapping[int, RowRule],
        cells: Mapping[tuple[int, str], RowRule],
        dates: str,
    ) -> None:
        """Note what is wrong with the rows of a block, before rows of later lines.

        Args:
            lines: the line of each row.
            rejected: the rows without a date.
            misfits: the rows that are too short or too long.
            cells: the cells that could not be read, as (row, column).
            dates: name of the column of dates.

        """
        self._rejected += len(rejected)
        self._unreadable += len(cells)
        faults: list[tuple[int, str | None, RowRule]] = [
            *((row, dates, rule) for row, rule in rejected.items()),
            *((row, None, rule) for row, rule in misfits.items()),
            *((row, column, rule) for (row, column), rule in cells.items()),
        ]
        faults.sort(key=lambda fault: fault[0])
        self._list([(lines[row], column, rule) for row, column, rule in faults])

    def repetitions(self, lines: list[int]) -> None:
        """Note rows that repeat others, when all others are noted."""
        self._rejected += len(lines)
        room, self._listed = self._listed, []
        self._list([(line, None, "row.repeated") for line in lines])
        self._listed = sorted([*room, *self._listed], key=attrgetter("line"))[:FINDINGS_LISTED]

    def _list(self, faults: list[tuple[int, str | None, RowRule]]) -> None:
        self._total += len(faults)
        room = FINDINGS_LISTED - len(self._listed)
        self._listed += [
            CellFinding(self._file, line, column, rule, _MESSAGE_OF[rule])
            for line, column, rule in faults[:room]
        ]

    def findings(self) -> Findings:
        """Give what was noted."""
        return Findings(tuple(self._listed), self._total, self._rejected, self._unreadable)
