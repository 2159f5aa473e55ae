"""The reasons for which values of the tables are missing, as the report beside them keeps them.

Whatever writes the tables of a profile may keep such a report in its folder: codes of reasons for
columns and days.  Codes are stable: added, never renamed or reused.  Readers drop the days on which
the table has a value, so that a reason may outlive its gap.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from itertools import groupby
from typing import Any, Final

from healthapi.errors import DataError
from healthapi.rows.mapping import ROW_OF, FileDataset
from status_contracts import json_text
from status_contracts.findings import Finding

__all__ = [
    "MESSAGE_OF", "REPORT_BYTES", "REPORT_FILE", "REPORT_VERSION", "UNFINISHED", "Codes",
    "OmissionCode", "Reasons", "day_ranges", "parse_report",
]  # fmt: skip

OmissionCode = str
"""A key of `MESSAGE_OF`."""
MESSAGE_OF: Final[dict[OmissionCode, str]] = {
    "clock.unchecked": "placed as UTC, not checked: no steps_DATE.csv shows their clock",
    "column.not-in-archive": "not in the archive",
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

_FIRST_DAY: Final = date(2000, 1, 1)
_LAST_DAY: Final = date(2099, 12, 31)


def day_ranges(days: Iterable[date]) -> list[tuple[str, str]]:
    """Return the first and last day of each run of consecutive days."""
    numbered = enumerate(sorted(days))
    runs = groupby(numbered, key=lambda pair: pair[1].toordinal() - pair[0])
    spans = ([day.isoformat() for _, day in run] for _, run in runs)
    return [(span[0], span[-1]) for span in spans]


def parse_report(data: bytes) -> Reasons:
    """Return the reasons of a kept report that this version knows.

    Raise DataError for bytes that are no such report, or one of another version.
    """
    try:
        return _reasons(json_text.decode(data))
    except (*json_text.JSON_ERRORS, TypeError, KeyError, ValueError):
        message = "must be a report of this version: remove it and import all archives again"
        raise DataError(Finding(f"/{REPORT_FILE}", "report.form", message)) from None


def _reasons(report: Any) -> Reasons:  # noqa: ANN401 - any JSON
    if report["version"] != REPORT_VERSION:
        raise ValueError
    reasons: Reasons = {}
    for entry in report["missing"]:
        dataset, column, code = entry["dataset"], entry["column"] or "", entry["code"]
        days = _days(entry["days"])
        if dataset in ROW_OF and code in MESSAGE_OF:
            reasons.setdefault((dataset, column), {})[code] = days or None
    return reasons


def _days(ranges: Iterable[tuple[str, str]]) -> set[date]:
    days: set[date] = set()
    for pair in ranges:
        first, last = map(date.fromisoformat, pair)
        if not _FIRST_DAY <= first <= last <= _LAST_DAY:
            raise ValueError
        days.update(first + timedelta(n) for n in range((last - first).days + 1))
    return days
