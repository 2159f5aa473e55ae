"""The reasons for which values of the tables are missing, as the report beside them keeps them.

Whatever writes the tables of a profile may keep such a report in its folder: codes of reasons for
columns and days.  Codes are stable: added, never renamed or reused.  Readers drop the days on which
the table has a value, so that a reason may outlive its gap.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta
from typing import Any, Final

from healthapi.rows.mapping import NATIVE, FileDataset
from status_contracts import json_text

__all__ = [
    "MESSAGE_OF",
    "REPORT_BYTES",
    "REPORT_FILE",
    "REPORT_VERSION",
    "UNFINISHED",
    "Codes",
    "Columns",
    "KeptReportError",
    "OmissionCode",
    "Reasons",
    "day_ranges",
    "parse_report",
]

OmissionCode = str
"""A key of `MESSAGE_OF`."""
MESSAGE_OF: Final[dict[OmissionCode, str]] = {
    "clock.unchecked": "placed as UTC, not checked: no steps_DATE.csv shows their clock",
    "column.not-in-archive": "no file that is read has such values",
    "day.incomplete": "minutes of the day are missing or stand twice: their sum would be too low",
    "day.future": "the day is later than the export",
    "day.placeholder": "the day is only padded: nothing in it was measured",
    "day.unfinished": "the day was not over when the export was made",
    "hrv.zero": "the heart rate variability is 0, which stands for not measured",
    "resting.placeholder": "the resting heart rate is 0 or has no date: not measured",
    "sleep.classic": "the sleep was recorded without stages",
    "sleep.google-only": "only the UserSleeps files have the sleep; they lack this value",
    "sleep.no-main-flag": "derived: no record names a main sleep; it is the longest of the day"
    " that has three hours or stages",
    "sleep.no-score": "no score of the sleep can be read",
    "sleep.overlapping": "two UserSleeps records of the same time; only the longer one is used",
    "source.mirrored": "rows copied from Health Kit or Health Connect are of other devices",
    "value.none": "the archive has no value of the day",
    "zone.unknown": "the minutes are in UTC and nothing in the archive shows the time zone",
}

UNFINISHED: Final = "day.unfinished"
"""The reason of a day that has a row, of `activity` as a whole."""
REPORT_FILE: Final = "import-report.json"
"""Its name in the folder of a profile."""
REPORT_BYTES: Final = 1024 * 1024
REPORT_VERSION: Final = 1

Codes = dict[OmissionCode, set[date] | None]
"""Reason to its days; None for every day of the dataset that has no value."""
Reasons = dict[tuple[FileDataset, str], Codes]
"""Dataset and column (empty for whole rows) to reasons."""


Columns = Mapping[FileDataset, Collection[str]]
"""Names of the columns of each table."""
_READ_COLUMNS: Final[Columns] = {
    dataset: [name for _, name in table.sources()] for dataset, table in NATIVE.tables.items()
}
_FIRST_DAY: Final = date(2000, 1, 1)
_LAST_DAY: Final = date(2099, 12, 31)


class KeptReportError(Exception):
    """A file is no report of an import."""


def day_ranges(days: Iterable[date]) -> list[tuple[str, str]]:
    """Return the first and last day of each run of consecutive days."""
    runs: list[list[date]] = []
    for day in sorted(days):
        if runs and (day - runs[-1][1]).days == 1:
            runs[-1][1] = day
        else:
            runs.append([day, day])
    return [(first.isoformat(), last.isoformat()) for first, last in runs]


def parse_report(data: bytes, columns: Columns = _READ_COLUMNS) -> Reasons:
    """Return the reasons of a kept report for some columns, which are those that are read.

    Reasons that this version does not know are left out.

    Raises:
        KeptReportError: the bytes are no such report, or one of another version.

    """
    try:
        report: Any = json_text.decode(data)
        if report["version"] != REPORT_VERSION:
            raise KeptReportError
        missing: Reasons = {}
        for entry in report["missing"]:
            dataset, column, code = entry["dataset"], entry["column"] or "", entry["code"]
            days = _days(entry["days"])
            if column in ("", *columns.get(dataset, ())) and code in MESSAGE_OF:
                missing.setdefault((dataset, column), {})[code] = days or None
    except (*json_text.JSON_ERRORS, TypeError, KeyError, ValueError):
        raise KeptReportError from None
    return missing


def _days(ranges: Iterable[tuple[str, str]]) -> set[date]:
    days: set[date] = set()
    for pair in ranges:
        first, last = map(date.fromisoformat, pair)
        if not _FIRST_DAY <= first <= last <= _LAST_DAY:
            raise KeptReportError
        days.update(first + timedelta(n) for n in range((last - first).days + 1))
    return days
