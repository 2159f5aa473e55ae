"""The values of one file of an export, and of all files together.

Invariant *a newer file wins*: `Values.update` replaces what both have and keeps what only one has,
so that repeated files and overlapping archives never add up.
Invariant *bounded*: a file whose minutes lie on more than `MAX_DAYS` days, or that has more than
`MAX_RECORDS` records, is refused, and so is one that would make all files together have more.  A
day of minutes takes 6 kB.
"""

from array import array
from collections.abc import Mapping, MutableSequence
from typing import Any, Final, Literal, NamedTuple, TypeVar

import attrs

from health_import.file_names import FileKind
from health_import.texts import DAY_MINUTES

V = TypeVar("V")

MAX_DAYS: Final = 40_000
"""Days with values of minutes, counted for each measurement and source: 240 MB."""
MAX_RECORDS: Final = 100_000
"""Sleeps, exercises, scores or offsets; someone who sleeps twice a day needs 140 years.

The same limit holds for the days on which sleeps have stages: 290 MB.
"""
STAGES: Final = ("", "deep", "rem", "light", "awake", "asleep", "restless")
"""Stages of sleep; their indexes stand in `Values.stages`."""

_MESSAGE_OF: Final = {
    "file.xml": "is not whole XML text; export it again",
    "file.root": "has no element `HealthData`; give `export.xml` as it was exported",
    "file.json": "is not whole JSON text; export it again",
    "file.shape": "is not a JSON list; give it as it was exported",
    "file.encoding": "is not UTF-8 text; give it as it was exported",
    "file.header": "lacks a column, or no commas separate its cells; give it as it was exported",
    "file.cell": "has too long a cell or line, or an open quote; give it as it was exported",
    "file.days": f"has minutes on so many days that all files have over {MAX_DAYS} of them",
    "file.records": f"has records with which all files have over {MAX_RECORDS} of a kind",
    "file.size": "is larger than files of its kind are",
    "file.damaged": "cannot be decompressed, or its checksum is wrong; download the archive again",
    "file.encrypted": "is encrypted; decrypt the archive and import it again",
    "file.link": "is a link or a device and is not opened; put the file itself in its place",
}


class FileError(Exception):
    """A file of the archive cannot be read, for the reason of a stable code.

    No value of it is used.  The message quotes nothing of the file.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message


def file_error(code: str) -> FileError:
    """Return the error of a code."""
    return FileError(code, _MESSAGE_OF[code])


class RecordError(Exception):
    """A record of a file cannot be read."""


def known(value: V | None) -> V:
    """Return a value; raise RecordError for None."""
    if value is None:
        raise RecordError
    return value


NO_VALUE: Final = -1
MAX_VALUE: Final = 2**31 - 1
"""The largest value of a minute; values are whole numbers of 0 or more."""
_EMPTY: Final = array("i", [NO_VALUE]) * DAY_MINUTES


class Total(NamedTuple):
    """The sum of the values of some minutes, and how many of the minutes have a value."""

    value: int
    minutes: int


NO_TOTAL: Final = Total(0, 0)


@attrs.define
class Minutes:
    """Whole numbers by day and minute; `NO_VALUE` where there is none."""

    days: "dict[int, array[int]]" = attrs.field(factory=dict)

    def row(self, day: int) -> "array[int]":
        """Return the values of a day, to be changed in place."""
        minutes = self.days.get(day)
        if minutes is None:
            minutes = self.days[day] = array("i", _EMPTY)
        return minutes

    def update(self, newer: "Minutes") -> None:
        """Take over the minutes of a newer file."""
        for day, row in newer.days.items():
            own = self.days.get(day)
            if own is None:
                self.days[day] = row
                continue
            for index, value in enumerate(row):
                if value != NO_VALUE:
                    own[index] = value

    def total(self, day: int, start: int = 0, stop: int = DAY_MINUTES) -> Total:
        """Return the total of a part of a day."""
        row = self.days[day][start:stop]
        missing = row.count(NO_VALUE)
        return Total(sum(row) - missing * NO_VALUE, len(row) - missing)

    def totals(self) -> dict[int, Total]:
        """Return the totals of the days that have a value."""
        totals = {day: self.total(day) for day in sorted(self.days)}
        return {day: total for day, total in totals.items() if total.minutes}


Measurement = Literal["steps", "calories", "zone", "google-steps", "google-calories", "google-zone"]
Source = tuple[Measurement, str]
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
LEVELS: Final[tuple[Daily, ...]] = ("sedentary", "lightly", "fairly", "very")
"""The levels of activity."""
Omission = Literal[
    "calories.repeated",
    "hrv.mirrored",
    "hrv.zero",
    "resting.mirrored",
    "resting.placeholder",
    "sleep.mirrored",
    "steps.repeated",
]
"""Why a value of a day is left out, or counted once although it occurs twice."""


@attrs.frozen
class Sleep:
    """One sleep: its day and the cells of its row, blank ones left out."""

    day: int
    cells: Mapping[str, str]
    has_stages: bool


@attrs.define
class Values:
    """Values of one or several files.

    Attributes:
        minutes: values by minute; the clock is UTC, for `calories` and `zone` the local one.
        sleeps: id of a log to the sleep.
        google_sleeps: id of `UserSleeps` files to the sleep; these are no ids of logs.
        stages: such an id and a day of UTC to the stage of each half minute of the day.
        scores: id of either kind to the score.
        exercises: id of a log to the minute of UTC at which the exercise began, and its name.
        nights: minute of UTC to the offset from UTC in minutes.
        mirrored: measurement and day of UTC to the first and last minute of the rows that were
            left out because another vendor's app wrote them.
        omissions: reason to the days on which a value was left out.
        exported: minute of UTC at which an archive was made to the days of which it has values.

    """

    minutes: dict[Source, Minutes] = attrs.field(factory=dict)
    daily: dict[Daily, dict[int, float]] = attrs.field(factory=dict)
    sleeps: dict[str, Sleep] = attrs.field(factory=dict)
    google_sleeps: dict[str, Sleep] = attrs.field(factory=dict)
    stages: dict[tuple[str, int], bytearray] = attrs.field(factory=dict)
    scores: dict[str, float] = attrs.field(factory=dict)
    exercises: dict[str, tuple[int, str]] = attrs.field(factory=dict)
    nights: dict[int, int] = attrs.field(factory=dict)
    mirrored: dict[tuple[Measurement, int], tuple[int, int]] = attrs.field(factory=dict)
    omissions: dict[Omission, set[int]] = attrs.field(factory=dict)
    skipped: int = 0
    unreadable: set[FileKind] = attrs.field(factory=set)
    exported: dict[int, set[int]] = attrs.field(factory=dict)

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

    def days(self) -> set[int]:
        """Return the days with values of activity, on whatever clock."""
        by_minute = (minutes.days for minutes in self.minutes.values())
        return set[int]().union(*by_minute, *(self.daily.get(level, {}) for level in LEVELS))

    def set_daily(self, name: Daily, day: int, value: float) -> None:
        """Set the value of a day."""
        self.daily.setdefault(name, {})[day] = value

    def omit(self, reason: Omission, day: int) -> None:
        """Record that a value of a day is left out."""
        self.omissions.setdefault(reason, set()).add(day)

    def mirror(self, measurement: Measurement, first: int, last: int) -> None:
        """Record minutes of a day of UTC of which rows of another vendor are left out."""
        key = measurement, first // DAY_MINUTES
        span = self.mirrored.get(key, (first, last))
        self.mirrored[key] = min(span[0], first), max(span[1], last)

    def records(self) -> tuple[dict[Any, Any], ...]:
        """Return the records of each kind by their ids."""
        return (
            *(self.sleeps, self.google_sleeps, self.stages),
            *(self.scores, self.exercises, self.nights),
        )

    def check_records(self, newer: "Values | None" = None) -> None:
        """Raise FileError if there are too many records of a kind, with those of a newer file."""
        for own, other in zip(self.records(), (newer or Values()).records(), strict=True):
            if len(own) + len(other) > MAX_RECORDS and len({*own, *other}) > MAX_RECORDS:
                raise file_error("file.records")

    def update(self, newer: "Values") -> None:
        """Take over the values of a newer file; raise FileError and change nothing if too many."""
        none = Minutes()
        added = sum(
            len(minutes.days.keys() - self.minutes.get(source, none).days.keys())
            for source, minutes in newer.minutes.items()
        )
        if self.count_days() + added > MAX_DAYS:
            raise file_error("file.days")
        self.check_records(newer)
        for source, minutes in newer.minutes.items():
            self.minutes.setdefault(source, Minutes()).update(minutes)
        for own, other in zip(self.records(), newer.records(), strict=True):
            if own is not self.stages:
                own.update(other)
        for measurement, values in newer.daily.items():
            self.daily.setdefault(measurement, {}).update(values)
        for reason, days in newer.omissions.items():
            self.omissions.setdefault(reason, set()).update(days)
        for key, stages in newer.stages.items():
            row = self.stages.setdefault(key, stages)
            if row != stages:
                row[:] = bytes(new or old for old, new in zip(row, stages, strict=True))
        for (measured, _), span in newer.mirrored.items():
            self.mirror(measured, *span)
        self.skipped += newer.skipped
