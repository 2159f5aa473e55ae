"""The reasons for which values of the tables are missing, and the report of them.

Codes are stable: added, never renamed or reused.  A part of the reports of imports stays beside
the tables.  Readers drop the days on which the table has a value, so that a reason may outlive its
gap.

Invariant *one reason a day*: where two imports name different reasons for a day, the newer one
stays.
Invariant *nothing of the machine*: a report has names of columns, codes and days, and no paths.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from healthapi.importing.tables import CLASSIC_COLUMNS, COLUMNS, Row
from healthapi.importing.texts import day_of, day_text
from healthapi.rows.mapping import FileDataset
from purewire.json import codec

GapCode = str
"""A key of `MESSAGE_OF`."""
MESSAGE_OF: Final[dict[GapCode, str]] = {
    "column.not-exact": "the archive has no such value, and computing it would only approximate it",
    "column.not-in-archive": "no file of the archive has such values",
    "column.unreadable": "a file of the archive that may have the value could not be read",
    "day.incomplete": "the archive lacks minutes of the day, so their sum would be too low",
    "day.placeholder": "the day is only padded: 1,440 sedentary minutes and nothing else",
    "day.repeated-minutes": "the local clock went back; minutes that occur twice count once",
    "hrv.zero": "the heart rate variability is 0, which stands for not measured",
    "resting.placeholder": "the resting heart rate is 0 or has no date: not measured",
    "sleep.classic": "the sleep was recorded without stages",
    "sleep.google-only": "only the UserSleeps files have the sleep; they lack this value",
    "sleep.no-main-flag": "derived: no record names a main sleep, so the longest of the day is it",
    "sleep.no-score": "no score belongs to the sleep's log id",
    "sleep.overlapping": "two UserSleeps records of the same time; only the longer one is used",
    "source.mirrored": "rows copied from Health Kit or Health Connect are of other devices",
    "value.none": "the archive has no value of the day",
    "zone.unknown": "the minutes are in UTC and nothing in the archive shows the time zone",
}

_NOT_EXACT: Final = frozenset({"activityCalories", "deepRmssd"})
"""Columns that some exports would allow to approximate, and that are then left blank."""


@attrs.frozen
class Gap:
    """Days for which a column could not be formed; a whole row if the column is empty.

    Without days, the column is missing as a whole.
    """

    dataset: FileDataset
    column: str
    code: GapCode
    days: tuple[int, ...] = ()


def day_ranges(days: Iterable[int]) -> list[tuple[str, str]]:
    """Return the first and last day of each run of consecutive days."""
    runs: list[list[int]] = []
    for day in sorted(days):
        if runs and day == runs[-1][1] + 1:
            runs[-1][1] = day
        else:
            runs.append([day, day])
    return [(day_text(first), day_text(last)) for first, last in runs]


def blank_gaps(
    dataset: FileDataset,
    rows: Sequence[Row],
    reasons: Mapping[str, Mapping[GapCode, Collection[int]]],
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
                yield Gap(dataset, column, code, tuple(sorted(days)))
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
            yield Gap(dataset, column, "value.none", tuple(sorted(left)))


REPORT_FILE: Final = "import-report.json"
"""Its name in the folder of a profile."""
REPORT_BYTES: Final = 1024 * 1024
_VERSION: Final = 1

Tables = Mapping[FileDataset, Sequence[Row]]
Codes = dict[GapCode, set[int] | None]
"""Reason to its days; None for every day of the dataset that has no value."""
Missing = dict[tuple[FileDataset, str], Codes]
"""Dataset and column (empty for whole rows) to reasons."""


class KeptReportError(Exception):
    """A file is no report of an import."""


def missing_of(gaps: Iterable[Gap]) -> Missing:
    """Return the reasons of an import."""
    missing: Missing = {}
    for gap in gaps:
        missing.setdefault((gap.dataset, gap.column), {})[gap.code] = set(gap.days) or None
    return missing


def parse_report(data: bytes) -> Missing:
    """Return the reasons of a kept report; those that this version does not know are left out.

    Raise KeptReportError if it is not such a report, or of another version.
    """
    try:
        report: Any = codec.decode(data)
        if report["version"] != _VERSION:
            raise KeptReportError
        missing: Missing = {}
        for entry in report["missing"]:
            dataset, column, code = entry["dataset"], entry["column"] or "", entry["code"]
            days = _days(entry["days"])
            if dataset in COLUMNS and column in ("", *COLUMNS[dataset]) and code in MESSAGE_OF:
                missing.setdefault((dataset, column), {})[code] = days or None
    except (*codec.JSON_ERRORS, TypeError, KeyError, ValueError):
        raise KeptReportError from None
    return missing


def _days(ranges: Iterable[tuple[str, str]]) -> set[int]:
    days: set[int] = set()
    for pair in ranges:
        first, last = map(day_of, pair)
        if first is None or last is None or last < first:
            raise KeptReportError
        days.update(range(first, last + 1))
    return days


def merge_missing(
    old: Missing, fresh: Missing, tables: Tables, rows: Tables, *, fresh_wins: bool
) -> Missing:
    """Return the reasons of an existing report and of an import together.

    The tables belong to the old reasons, the rows to the fresh ones, which may be the newer ones.
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
    for dataset, column in ((of, name) for of in COLUMNS for name in ("", *COLUMNS[of])):
        for code, days in sorted(missing.get((dataset, column), {}).items()):
            yield {
                "dataset": dataset,
                "column": column or None,
                "code": code,
                "days": [list(span) for span in day_ranges(days or ())[-ranges_kept:]],
            }
