"""The reasons for which a value of the tables could not be formed.

Codes are stable: added, never renamed or reused.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

import attrs

from healthapi.importing.table_columns import COLUMNS, Row
from healthapi.importing.times import day_of, day_text
from healthapi.rows.columns import FileDataset

GapCode = Literal[
    "column.not-exact",
    "column.not-in-archive",
    "column.unreadable",
    "day.incomplete",
    "day.placeholder",
    "day.repeated-minutes",
    "hrv.zero",
    "resting.placeholder",
    "sleep.classic",
    "sleep.google-only",
    "sleep.no-main-flag",
    "sleep.no-score",
    "sleep.overlapping",
    "source.mirrored",
    "value.none",
    "zone.unknown",
]

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

_CLASSIC: Final = frozenset(
    {"minutesAsleepClassic", "minutesRestlessClassic", "minutesAwakeClassic"}
)
"""Columns that are written for other programs, and not read by this one."""


@attrs.frozen
class Gap:
    """Days for which a column, or a whole row, could not be formed.

    Attributes:
        dataset: the dataset.
        column: the column of the table; empty for whole rows.
        code: the stable id of the reason.
        days: the days, ascending; empty if the column is missing as a whole.

    """

    dataset: FileDataset
    column: str
    code: GapCode
    days: tuple[int, ...] = ()

    @property
    def message(self) -> str:
        """The reason in words."""
        return MESSAGE_OF[self.code]


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

    Args:
        dataset: the dataset of the table.
        rows: its rows; blank cells are left out.
        reasons: column (empty for whole rows) to reasons with the days to which they apply; other
            days have no value.

    """
    if not rows and not any(days for codes in reasons.values() for days in codes.values()):
        yield Gap(dataset, "", "column.not-in-archive")
        return
    yield from _known_gaps(dataset, "", reasons)
    for column in COLUMNS[dataset]:
        if column in _CLASSIC:
            continue
        known = reasons.get(column, {})
        yield from _known_gaps(dataset, column, reasons)
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


def _known_gaps(
    dataset: FileDataset, column: str, reasons: Mapping[str, Mapping[GapCode, Collection[int]]]
) -> Iterator[Gap]:
    for code, days in reasons.get(column, {}).items():
        if days:
            yield Gap(dataset, column, code, tuple(sorted(days)))
