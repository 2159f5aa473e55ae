"""Collect the reasons for which values of the tables are missing, merge and keep them.

Invariant *one reason a day*: where two imports name different reasons for a day, the newer one
stays.
Invariant *nothing of the machine*: a report has names of columns, codes and days, and no paths.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

import attrs

from health_import.tables import CLASSIC_COLUMNS, COLUMNS, Row
from health_import.texts import day_of
from healthapi.omissions import (
    REPORT_BYTES,
    REPORT_VERSION,
    UNFINISHED,
    Codes,
    OmissionCode,
    Reasons,
    day_ranges,
)
from healthapi.rows.mapping import FileDataset
from status_contracts import json_text

_NOT_EXACT: Final = frozenset({"activityCalories", "deepRmssd"})
"""Columns that some exports would allow to approximate, and that are then left blank."""


@attrs.frozen
class Gap:
    """Days for which a column could not be formed; a whole row if the column is empty.

    Without days, the column is missing as a whole.
    """

    dataset: FileDataset
    column: str
    code: OmissionCode
    days: tuple[date, ...] = ()


def dates_of(ordinals: Iterable[int]) -> tuple[date, ...]:
    """Return the dates of ordinals, ascending."""
    return tuple(map(date.fromordinal, sorted(ordinals)))


def blank_gaps(
    dataset: FileDataset,
    rows: Sequence[Row],
    reasons: Mapping[str, Mapping[OmissionCode, Collection[int]]],
) -> Iterator[Gap]:
    """Yield the gaps of the blank cells of a table, one for each column and reason.

    The reasons are by column (empty for whole rows), with the days to which they apply; other days
    have no value.
    """
    if not rows and not any(days for codes in reasons.values() for days in codes.values()):
        yield Gap(dataset, "", "column.not-in-archive")
        return
    for column in ("", *COLUMNS[dataset]):
        known = reasons.get(column, {})
        for code, days in known.items():
            if days:
                yield Gap(dataset, column, code, dates_of(days))
        if not column or column in CLASSIC_COLUMNS.values():  # written for other programs
            continue
        blank = [row["date"] for row in rows if column not in row]
        if len(blank) == len(rows):
            if not any(known.values()) and column != "date":
                never = column in _NOT_EXACT
                yield Gap(dataset, column, "column.not-exact" if never else "column.not-in-archive")
            continue
        if column == "exerciseExamples":  # most days have none
            continue
        explained = set[int]().union(*known.values())
        left = {day for day in map(day_of, blank) if day is not None} - explained
        if left:
            yield Gap(dataset, column, "value.none", dates_of(left))


Tables = Mapping[FileDataset, Sequence[Row]]


def missing_of(gaps: Iterable[Gap]) -> Reasons:
    """Return the reasons of an import."""
    missing: Reasons = {}
    for gap in gaps:
        missing.setdefault((gap.dataset, gap.column), {})[gap.code] = set(gap.days) or None
    return missing


def merge_missing(
    old: Reasons, fresh: Reasons, tables: Tables, rows: Tables, *, fresh_wins: bool
) -> Reasons:
    """Return the reasons of an existing report and of an import together.

    The tables belong to the old reasons, the rows to the fresh ones, which may be the newer ones.
    """
    if not any(tables.values()):
        return fresh
    merged: Reasons = {}
    texts = {row["date"][:10] for row in (rows if fresh_wins else tables)["activity"]}
    has_rows = set(dates_of(day for day in map(day_of, texts) if day is not None))
    for key in old.keys() | fresh.keys():
        before, after = old.get(key, {}), fresh.get(key, {})
        if before == after:
            merged[key] = after
            continue
        before, after = _explicit(before, key, tables), _explicit(after, key, rows)
        newer, older = (after, before) if fresh_wins else (before, after)
        taken = set[date]().union(*(days or () for days in newer.values()))
        codes: Codes = {}
        for code in newer.keys() | older.keys():
            replaced = taken | (has_rows if code == UNFINISHED else set())
            days = (newer.get(code) or set()) | ((older.get(code) or set()) - replaced)
            if days:
                codes[code] = days
        merged[key] = codes
    return merged


def _explicit(codes: Codes, key: tuple[FileDataset, str], tables: Tables) -> Codes:
    """Return reasons for all days as reasons for the days of tables that have no value."""
    if None not in codes.values():
        return codes
    dataset, column = key
    texts = {row["date"][:10] for rows in tables.values() for row in rows}
    texts -= {row["date"][:10] for row in tables[dataset] if not column or column in row}
    known = set[date]().union(*(days or () for days in codes.values()))
    left = set(dates_of(day for day in map(day_of, texts) if day is not None)) - known
    return {code: left if days is None else days for code, days in codes.items()}


def encode_report(missing: Reasons) -> bytes:
    """Return the bytes of a report; of more than `REPORT_BYTES` the oldest days are left out."""
    ranges_kept = REPORT_BYTES
    while True:
        entries = list(_entries(missing, ranges_kept))
        data = json_text.encode({"version": REPORT_VERSION, "missing": entries}) + b"\n"
        if len(data) <= REPORT_BYTES:
            return data
        ranges_kept = min(ranges_kept, max(len(entry["days"]) for entry in entries)) // 2


def _entries(missing: Reasons, ranges_kept: int) -> Iterator[dict[str, Any]]:
    for dataset, column in ((of, name) for of in COLUMNS for name in ("", *COLUMNS[of])):
        for code, days in sorted(missing.get((dataset, column), {}).items()):
            yield {
                "dataset": dataset,
                "column": column or None,
                "code": code,
                "days": [list(span) for span in day_ranges(days or ())[-ranges_kept:]],
            }
