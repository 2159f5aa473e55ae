"""The values of one file of an export, and of all files together.

Invariant *a newer file wins*: `Values.update` replaces what both have and keeps what only one has.
Invariant *bounded*: a file whose minutes lie on more than `MAX_DAYS` days, or that has more than
`MAX_RECORDS` records, is refused, and so is one that would make all files together have more.
"""

from collections.abc import Collection, Mapping, MutableSequence
from typing import Final, Literal

import attrs

from healthapi.importing.minutes import Minutes

__all__ = [
    "MAX_DAYS",
    "MAX_RECORDS",
    "Daily",
    "Exercise",
    "FileCode",
    "FileError",
    "Omission",
    "Sleep",
    "Source",
    "Values",
    "check_records",
    "file_error",
]

MAX_DAYS: Final = 40_000
"""Days with values of minutes, counted for each measurement and source: 240 MB."""
MAX_RECORDS: Final = 100_000
"""Sleeps, exercises, scores or offsets; someone who sleeps twice a day needs 140 years."""

FileCode = Literal[
    "file.json",
    "file.shape",
    "file.encoding",
    "file.header",
    "file.cell",
    "file.days",
    "file.records",
    "file.size",
    "file.damaged",
    "file.encrypted",
]
_MESSAGE_OF: Final[dict[FileCode, str]] = {
    "file.json": "is not whole JSON text",
    "file.shape": "is not a JSON list",
    "file.encoding": "is not UTF-8 text",
    "file.header": "has none of the columns that are expected",
    "file.cell": "has a cell or a line that is too long, or a quoted cell that is not closed",
    "file.days": f"has minutes on so many days that all files have over {MAX_DAYS} of them",
    "file.records": f"has records with which all files have over {MAX_RECORDS} of a kind",
    "file.size": "is larger than files of its kind are",
    "file.damaged": "cannot be decompressed, or its checksum is wrong",
    "file.encrypted": "is encrypted; decrypt the archive and import it again",
}


class FileError(Exception):
    """A file of the archive cannot be read; none of its values are used.

    Attributes:
        code: stable id of the reason.
        message: the reason in words; quotes nothing of the file.

    """

    def __init__(self, code: FileCode, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message


def file_error(code: FileCode) -> FileError:
    """Return the error of a code."""
    return FileError(code, _MESSAGE_OF[code])


def check_records(own: Collection[int | str], other: Collection[int | str] = ()) -> None:
    """Raise FileError if two groups have more than `MAX_RECORDS` different ids."""
    if len(own) + len(other) > MAX_RECORDS and len({*own, *other}) > MAX_RECORDS:
        raise file_error("file.records")


Source = tuple[Literal["steps", "calories", "zone", "google-steps", "google-calories"], str]
"""A measurement by minute, and the device that measured it; empty if the file names none."""
Daily = Literal[
    "sedentary",
    "lightly",
    "fairly",
    "very",
    "resting",
    "hrv",
    "google-hrv",
    "google-deep",
    "google-resting",
]
"""A measurement by day."""
Omission = Literal[
    "hrv.mirrored", "hrv.zero", "resting.mirrored", "resting.placeholder", "steps.mirrored"
]
"""Why a value of a day is left out."""


@attrs.frozen
class Sleep:
    """One sleep: its day and the cells of its row, blank ones left out."""

    day: int
    cells: Mapping[str, str]
    has_stages: bool


@attrs.frozen
class Exercise:
    """One exercise: the minute of UTC at which it began, and its name."""

    start: int
    name: str


@attrs.define
class Values:
    """Values of one or several files.

    Attributes:
        minutes: values by minute; the clock is UTC, for `calories` and `zone` the local one.
        daily: values by day.
        sleeps: id of a log to the sleep.
        scores: id of a log to its score.
        exercises: id of a log to the exercise.
        nights: minute of UTC to the offset from UTC in minutes.
        google_nights: minutes of UTC at which nights of `UserSleeps` files ended, with their
            offsets.
        omissions: reason to the days on which a value was left out.
        skipped: number of records that cannot be read.

    """

    minutes: dict[Source, Minutes] = attrs.field(factory=dict)
    daily: dict[Daily, dict[int, float]] = attrs.field(factory=dict)
    sleeps: dict[str, Sleep] = attrs.field(factory=dict)
    scores: dict[str, float] = attrs.field(factory=dict)
    exercises: dict[str, Exercise] = attrs.field(factory=dict)
    nights: dict[int, int] = attrs.field(factory=dict)
    google_nights: dict[int, int] = attrs.field(factory=dict)
    omissions: dict[Omission, set[int]] = attrs.field(factory=dict)
    skipped: int = 0

    def row(self, source: Source, day: int) -> MutableSequence[int]:
        """Return the values of the minutes of a day, to be changed in place; raise FileError."""
        minutes = self.minutes.get(source)
        if minutes is None:
            minutes = self.minutes[source] = Minutes()
        if day not in minutes.days and self.count_days() >= MAX_DAYS:
            raise file_error("file.days")
        return minutes.row(day)

    def count_days(self) -> int:
        """Return the number of days with values of minutes, over all measurements."""
        return sum(len(minutes.days) for minutes in self.minutes.values())

    def set_daily(self, name: Daily, day: int, value: float) -> None:
        """Set the value of a day."""
        self.daily.setdefault(name, {})[day] = value

    def omit(self, reason: Omission, day: int) -> None:
        """Record that a value of a day is left out."""
        self.omissions.setdefault(reason, set()).add(day)

    def update(self, newer: "Values") -> None:
        """Take over the values of a newer file; raise FileError and change nothing if too many."""
        added = sum(
            len(minutes.days.keys() - own.days.keys()) if own else len(minutes.days)
            for source, minutes in newer.minutes.items()
            for own in [self.minutes.get(source)]
        )
        if self.count_days() + added > MAX_DAYS:
            raise file_error("file.days")
        for own, other in (
            (self.sleeps, newer.sleeps),
            (self.scores, newer.scores),
            (self.exercises, newer.exercises),
            (self.nights, newer.nights),
        ):
            check_records(own, other)
        for source, minutes in newer.minutes.items():
            self.minutes.setdefault(source, Minutes()).update(minutes)
        for name, values in newer.daily.items():
            self.daily.setdefault(name, {}).update(values)
        for reason, days in newer.omissions.items():
            self.omissions.setdefault(reason, set()).update(days)
        self.sleeps.update(newer.sleeps)
        self.scores.update(newer.scores)
        self.exercises.update(newer.exercises)
        self.nights.update(newer.nights)
        self.google_nights.update(newer.google_nights)
        self.skipped += newer.skipped
