"""Compute the coverage of each dataset: rows, first and last day, rejected and unreadable data.

Source: health facts, section 7; design decisions on coverage.

Invariant *nothing is dropped silently*: rejected rows and unreadable cells are counted as well as
the served rows.

Contract: HA-COVERAGE-01 to 03, HA-COVERAGE-06.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs

from healthapi.account.snapshot import Snapshot
from healthapi.rows.findings import Findings
from healthapi.rows.records import Rows
from purewire.absent import ABSENT, Absent

__all__ = [
    "Coverage",
    "build_coverage",
    "coverage_of",
    "coverage_of_snapshot",
    "find_datasets_with_values",
]

_NOT_MEASURED: Final = {"date", "is_main_sleep", "nap_count"}
"""Members that every row has, even if nothing was measured."""


@attrs.frozen
class Coverage:
    """The coverage of a dataset, or of the snapshot.

    Attributes:
        count: Served rows; of the snapshot, endpoints that responded.
        start_date: The first day; None if there is none.
        end_date: The last day; of the snapshot, its `saved_at`.
        rejected_rows: Rows of the file that are not served; ABSENT for the snapshot.
        unreadable_cells: Cells whose text cannot be parsed; ABSENT for the snapshot.

    """

    count: int
    start_date: str | None
    end_date: str | None
    rejected_rows: int | Absent = ABSENT
    unreadable_cells: int | Absent = ABSENT


def build_coverage(
    datasets: Iterable[Rows[Any]], findings: Mapping[str, Findings], snapshot: Snapshot | None
) -> dict[str, Coverage]:
    """Return the coverage of datasets by key, in their order, with that of the snapshot last.

    A dataset that is not read from its own file, as `daily`, has the findings of all files.
    """
    all_files = _sum_counts(findings.values())
    by_key = {rows.key: coverage_of(rows, findings.get(rows.key, all_files)) for rows in datasets}
    return by_key | {"snapshot": coverage_of_snapshot(snapshot)}


def find_datasets_with_values(datasets: Iterable[Rows[Any]]) -> frozenset[str]:
    """Return the keys of the datasets with a measured value; blank rows have none."""
    return frozenset(rows.key for rows in datasets if _has_value(rows))


def _has_value(rows: Rows[Any]) -> bool:
    measured = (cells for name, cells in rows.columns.items() if name not in _NOT_MEASURED)
    return any(cell is not None and cell is not ABSENT for cells in measured for cell in cells)


def coverage_of(rows: Rows[Any], findings: Findings) -> Coverage:
    """Return the coverage of rows that ascend by date."""
    return Coverage(
        count=len(rows),
        start_date=rows.labels[0] if rows else None,
        end_date=rows.labels[-1] if rows else None,
        rejected_rows=findings.rejected_rows,
        unreadable_cells=findings.unreadable_cells,
    )


def coverage_of_snapshot(snapshot: Snapshot | None) -> Coverage:
    """Return the coverage of the snapshot; 0 and None if there is none."""
    if snapshot is None:
        return Coverage(0, None, None)
    return Coverage(snapshot.ok_count, snapshot.recent_start, snapshot.saved_at)


def _sum_counts(findings: Iterable[Findings]) -> Findings:
    """Return the sums of the counts of all files, without the listed findings."""
    counted = [(each.total, each.rejected_rows, each.unreadable_cells) for each in findings]
    return Findings((), *(sum(counts) for counts in zip(*counted, strict=True)))
