"""What there is: for each dataset how many rows, from when to when, and what could not be read.

Source: health facts, section 7; health-data rulings on coverage.

Invariant *nothing is lost silently*: rows that were rejected and cells that could not be read are
counted beside the rows that are served.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs

from healthapi.account.snapshot import Snapshot
from healthapi.rows.findings import Findings
from healthapi.rows.records import Rows
from purewire.absent import ABSENT, Absent

__all__ = ["Coverage", "Covered", "coverage", "coverage_of", "coverage_of_snapshot", "valued"]

_NOT_MEASURED: Final = {"date", "is_main_sleep", "nap_count"}
"""Members that every row of a dataset has."""


@attrs.frozen
class Coverage:
    """How much of a dataset there is.

    Attributes:
        count: rows that are served; of the snapshot, endpoints that answered.
        start_date: the first day, None where there is nothing.
        end_date: the last day; of the snapshot, when it was made.
        rejected_rows: rows of the file that are not served; ABSENT for the snapshot.
        unreadable_cells: cells read as missing though something stood there; ABSENT likewise.

    """

    count: int
    start_date: str | None
    end_date: str | None
    rejected_rows: int | Absent = ABSENT
    unreadable_cells: int | Absent = ABSENT


@attrs.frozen
class Covered:
    """What there is of a profile: its coverage, and the datasets in which anything was measured."""

    coverage: Mapping[str, Coverage]
    valued: frozenset[str]


def coverage(
    datasets: Iterable[Rows[Any]], findings: Mapping[str, Findings], snapshot: Snapshot | None
) -> dict[str, Coverage]:
    """Give the coverage of datasets by their keys, in their order, and of the snapshot at the end.

    A dataset that is not read from a file of its own, as `daily`, has the findings of all files.
    """
    everything = _summed(findings.values())
    covered = {rows.key: coverage_of(rows, findings.get(rows.key, everything)) for rows in datasets}
    return covered | {"snapshot": coverage_of_snapshot(snapshot)}


def valued(datasets: Iterable[Rows[Any]]) -> frozenset[str]:
    """Give the keys of the datasets in which anything was measured: rows of blanks hold nothing."""
    return frozenset(rows.key for rows in datasets if _holds_a_value(rows))


def _holds_a_value(rows: Rows[Any]) -> bool:
    measured = (cells for name, cells in rows.columns.items() if name not in _NOT_MEASURED)
    return any(cell is not None and cell is not ABSENT for cells in measured for cell in cells)


def coverage_of(rows: Rows[Any], findings: Findings) -> Coverage:
    """Give the coverage of rows that ascend by date."""
    return Coverage(
        count=len(rows),
        start_date=rows.labels[0] if rows else None,
        end_date=rows.labels[-1] if rows else None,
        rejected_rows=findings.rejected_rows,
        unreadable_cells=findings.unreadable_cells,
    )


def coverage_of_snapshot(snapshot: Snapshot | None) -> Coverage:
    """Give the coverage of the snapshot; 0 and None where there is none."""
    if snapshot is None:
        return Coverage(0, None, None)
    return Coverage(snapshot.ok_count, snapshot.recent_start, snapshot.saved_at)


def _summed(findings: Iterable[Findings]) -> Findings:
    """Give the counts of all files together; what is listed stays with its file."""
    counted = [(each.total, each.rejected_rows, each.unreadable_cells) for each in findings]
    return Findings((), *(sum(counts) for counts in zip(*counted, strict=True)))
