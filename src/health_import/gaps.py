"""Collect the reasons for which values of the tables are missing, merge and keep them.

Invariant *one reason a day*: where two imports name different reasons for a day, the newer one
stays.
Invariant *nothing of the machine*: a report has names of columns, codes and days, and no paths.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from health_import.tables import CLASSIC_COLUMNS, COLUMNS, Row, days_of
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

_ABOUT_VALUES: Final = frozenset({"clock.unchecked", "sleep.no-main-flag", "sleep.overlapping"})
"""Codes that are no reasons for missing values, but warn of values that are there."""


class Gaps:
    """The reasons, and warnings, of an import by dataset and column (empty for whole rows).

    `last` is the last day of the export; none is about a later one, but for `day.future`.
    """

    def __init__(self, last: int) -> None:
        self.last = last
        self.missing: Reasons = {}
        self.warnings: Reasons = {}

    def add(
        self, dataset: FileDataset, column: str, code: OmissionCode, days: Collection[int]
    ) -> None:
        """Add the days for which a code holds, as ordinals; nothing without any."""
        past = [day for day in days if day <= self.last]
        if past:
            reasons = self.warnings if code in _ABOUT_VALUES else self.missing
            reasons.setdefault((dataset, column), {})[code] = _dates(past)

    def known(self, dataset: FileDataset, column: str) -> set[int]:
        """Return the days of a column that have a reason, as ordinals."""
        codes = self.missing.get((dataset, column), {})
        return {day.toordinal() for days in codes.values() for day in days or ()}

    def keep(self, dataset: FileDataset, rows: Sequence[Row]) -> list[Row]:
        """Return the rows without those that have a reason, or are later than the last day."""
        known = self.known(dataset, "")
        days = [day_of(row["date"]) or 0 for row in rows]
        if future := _dates(day for day in days if day > self.last):
            self.missing.setdefault((dataset, ""), {})["day.future"] = future
        left_out = known | {day.toordinal() for day in future}
        return [row for row, day in zip(rows, days, strict=True) if day not in left_out]

    def add_blanks(self, dataset: FileDataset, rows: Sequence[Row], formed: Sequence[Row]) -> None:
        """Add the blank cells of a table for which there is no reason yet.

        `formed` are the rows with those that were not kept: the archive has their values.
        """
        if not formed and not any(of == dataset for of, _ in self.missing):
            self.missing[dataset, ""] = {"column.not-in-archive": None}
        if not formed and (dataset, "") in self.missing:
            return
        for column in COLUMNS[dataset][1:]:
            if column in CLASSIC_COLUMNS.values():  # written for other programs
                continue
            known = self.known(dataset, column)
            if not any(column in row for row in formed):
                if not known:
                    self.missing[dataset, column] = {"column.not-in-archive": None}
            elif column != "exerciseExamples":  # most days have none
                blank = days_of(row for row in rows if column not in row)
                self.add(dataset, column, "value.none", blank - known)


def _dates(ordinals: Iterable[int]) -> set[date]:
    return set(map(date.fromordinal, ordinals))


Tables = Mapping[FileDataset, Sequence[Row]]


def merge_missing(
    old: Reasons, fresh: Reasons, tables: Tables, rows: Tables, *, fresh_wins: bool
) -> Reasons:
    """Return the reasons of an existing report and of an import together.

    The tables belong to the old reasons, the rows to the fresh ones, which may be the newer ones.
    """
    if not any(tables.values()):
        return fresh
    merged: Reasons = {}
    has_rows = _dates(days_of((rows if fresh_wins else tables)["activity"]))
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
    every = days_of(row for rows in tables.values() for row in rows)
    has_value = days_of(row for row in tables[dataset] if not column or column in row)
    known = set[date]().union(*(days or () for days in codes.values()))
    left = _dates(every - has_value) - known
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
