"""The part of the reports of imports that stays beside the tables: why values of days are missing.

Readers drop the days on which the table has a value, so that a reason may outlive its gap.

Invariant *one reason a day*: where two imports name different reasons for a day, the newer one
stays.
Invariant *nothing of the machine*: it has names of columns, codes and days, and no paths.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from healthapi.importing.gaps import Gap, GapCode, day_ranges
from healthapi.importing.table_columns import COLUMNS, Row
from healthapi.importing.times import day_of
from healthapi.rows.columns import FileDataset
from purewire.json import codec

REPORT_FILE: Final = "import-report.json"
"""Its name in the folder of a profile."""
REPORT_BYTES: Final = 1024 * 1024
_VERSION: Final = 1
_CODES: Final = frozenset(get_args(GapCode))

Tables = Mapping[FileDataset, Sequence[Row]]
Codes = dict[GapCode, set[int] | None]
"""Reason to its days; None for every day of the dataset that has no value."""
Missing = dict[tuple[FileDataset, str], Codes]
"""Dataset and column (empty for whole rows) to reasons."""


class KeptReportError(Exception):
    """A file is no report of an import."""


def missing_of(gaps: Iterable[Gap]) -> Missing:
    """Return the reasons of an import."""
    found: Missing = {}
    for gap in gaps:
        found.setdefault((gap.dataset, gap.column), {})[gap.code] = set(gap.days) or None
    return found


def parse_report(data: bytes) -> Missing:
    """Return the reasons of a kept report; those that this version does not know are left out.

    Raises:
        KeptReportError: it is not such a report, or of another version.

    """
    try:
        report: Any = codec.decode(data)
        if report["version"] != _VERSION:
            raise KeptReportError
        found: Missing = {}
        for entry in report["missing"]:
            dataset, column, code = entry["dataset"], entry["column"] or "", entry["code"]
            days = _days(entry["days"])
            if dataset in COLUMNS and column in ("", *COLUMNS[dataset]) and code in _CODES:
                found.setdefault((dataset, column), {})[code] = days or None
    except (*codec.JSON_ERRORS, TypeError, KeyError, ValueError):
        raise KeptReportError from None
    return found


def _days(ranges: Iterable[tuple[str, str]]) -> set[int]:
    found: set[int] = set()
    for pair in ranges:
        first, last = map(day_of, pair)
        if first is None or last is None or last < first:
            raise KeptReportError
        found.update(range(first, last + 1))
    return found


def merge_missing(
    old: Missing, fresh: Missing, tables: Tables, rows: Tables, *, fresh_wins: bool
) -> Missing:
    """Return the reasons of an existing report and of an import together.

    Args:
        old: the reasons of the report; empty without one.
        fresh: the reasons of the import.
        tables: the rows of the existing tables.
        rows: the rows of the import.
        fresh_wins: whether the import is the newer one.

    """
    if not any(tables.values()):
        return fresh
    merged: Missing = {}
    for key in old.keys() | fresh.keys():
        before, after = old.get(key, {}), fresh.get(key, {})
        if before == after:
            merged[key] = after
            continue
        before, after = _explicit(before, key, tables), _explicit(after, key, rows)
        newer, older = (after, before) if fresh_wins else (before, after)
        taken = set[int]().union(*(days or () for days in newer.values()))
        codes: Codes = {}
        for code in newer.keys() | older.keys():
            days = (newer.get(code) or set()) | ((older.get(code) or set()) - taken)
            if days:
                codes[code] = days
        merged[key] = codes
    return merged


def _explicit(codes: Codes, key: tuple[FileDataset, str], tables: Tables) -> Codes:
    """Return reasons for all days as reasons for the days of tables that have no value."""
    if None not in codes.values():
        return codes
    dataset, column = key
    dates = {row["date"][:10] for rows in tables.values() for row in rows}
    dates -= {row["date"][:10] for row in tables[dataset] if not column or column in row}
    known = set[int]().union(*(days or () for days in codes.values()))
    left = {day for date in dates for day in [day_of(date)] if day is not None} - known
    return {code: left if days is None else days for code, days in codes.items()}


def encode_report(missing: Missing) -> bytes:
    """Return the bytes of a report; of more than `REPORT_BYTES` the oldest days are left out."""
    ranges_kept = REPORT_BYTES
    while True:
        entries = list(_entries(missing, ranges_kept))
        data = codec.encode({"version": _VERSION, "missing": entries}) + b"\n"
        if len(data) <= REPORT_BYTES:
            return data
        ranges_kept = min(ranges_kept, max(len(entry["days"]) for entry in entries)) // 2


def _entries(missing: Missing, ranges_kept: int) -> Iterator[dict[str, Any]]:
    for (dataset, column), codes in sorted(missing.items(), key=_order):
        for code, days in sorted(codes.items()):
            yield {
                "dataset": dataset,
                "column": column or None,
                "code": code,
                "days": [list(each) for each in day_ranges(days or ())[-ranges_kept:]],
            }


def _order(entry: tuple[tuple[FileDataset, str], Collection[object]]) -> tuple[int, int]:
    (dataset, column), _ = entry
    columns = ("", *COLUMNS[dataset])
    return list(COLUMNS).index(dataset), columns.index(column)
