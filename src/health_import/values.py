"""The values of one file of an export, and of all files together.

Invariant *a newer file wins*: `Values.update` replaces what both have and keeps what only one has,
so that repeated files and overlapping archives never add up.
Invariant *bounded*: files with minutes on more than `MAX_DAYS` days, or with more than
`MAX_RECORDS` records of a kind, are refused, alone and together.  A day of minutes takes 6 kB.
"""

from array import array
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeVar

import attrs

from health_import.texts import DAY_MINUTES
from healthapi.omissions import OmissionCode
from healthapi.rows.cells import Unreadable
from healthapi.rows.mapping import FileDataset

V = TypeVar("V")

MAX_DAYS: Final = 40_000
"""Days with values of minutes, counted for each measurement and source: 240 MB."""
MAX_RECORDS: Final = 500_000
"""Sleeps, stages, exercises, scores or offsets; stages of thirty years take 190 MB."""
STAGES: Final = ("deep", "rem", "awake", "restless", "light", "asleep")
"""Stages of sleep; of stages at the same time the first one counts."""

_MESSAGE_OF: Final = {
    "file.xml": "is not whole XML text; export it again",
    "file.root": "has no element `HealthData`; give `export.xml` as it was exported",
    "file.json": "is not whole JSON text; export it again",
    "file.shape": "is not a JSON list; give it as it was exported",
    "file.encoding": "is not UTF-8 text; give it as it was exported",
    "file.header": "lacks a column, or no commas separate its cells; give it as it was exported",
    "file.cell": "has too long a cell or line, or an open quote; give it as it was exported",
    "file.records": f"has over {MAX_DAYS} days of minutes, or over {MAX_RECORDS} records",
    "file.size": "is larger than files of its kind are",
    "file.damaged": "cannot be decompressed, or its checksum is wrong; download the archive again",
    "file.link": "is a link or a device and is not opened; put the file itself in its place",
}


class FileError(Exception):
    """A file of the archive cannot be read, for the reason of a stable code.

    No value of it is used.  The message quotes nothing of the file.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
        self.message = _MESSAGE_OF[code]


class RecordError(Exception):
    """A record of a file cannot be read."""


NOT_READ: Final = (RecordError, Unreadable)
"""What reading a record of another form raises."""


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
    """Whole numbers by day and minute; `NO_VALUE` where there is none.

    `repeated` are the days with minutes that occur twice in a file.
    """

    days: "dict[int, array[int]]" = attrs.field(factory=dict)
    repeated: set[int] = attrs.field(factory=set)

    def row(self, day: int) -> "array[int]":
        """Return the values of a day, to be changed in place."""
        minutes = self.days.get(day)
        if minutes is None:
            minutes = self.days[day] = array("i", _EMPTY)
        return minutes

    def update(self, newer: "Minutes") -> None:
        """Take over the minutes of a newer file."""
        self.repeated |= newer.repeated
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


Source = tuple[str, str]
"""A measurement by minute, and the device that measured it; empty if the file names none."""
LEVELS: Final = ("sedentary", "lightly", "fairly", "very")
"""The levels of activity."""


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
        minutes: values by minute: `steps`, `google-steps` and `google-zone` in UTC, `calories`
            and `zone` on the local clock.
        daily: values by day: the `LEVELS`, and `hrv`, `resting`, `google-hrv`, `google-deep` and
            `google-resting`.
        sleeps: id of a log to the sleep.
        google_sleeps: id of `UserSleeps` files to the sleep; these are no ids of logs.
        stages: such an id and the start of a stage to its end and its name.
        scores: id of either kind to the score.
        exercises: id of a log to the minute of UTC at which the exercise began, and its name.
        nights: minute of UTC to the offset from UTC in minutes.
        omissions: dataset, column (empty for whole rows) and reason to the days on which a value
            was left out, on the clock of the file.
        exported: minute of UTC at which an archive was made to the days of which it has values.

    """

    minutes: dict[Source, Minutes] = attrs.field(factory=lambda: defaultdict(Minutes))
    daily: dict[str, dict[int, float]] = attrs.field(factory=lambda: defaultdict(dict))
    sleeps: dict[str, Sleep] = attrs.field(factory=dict)
    google_sleeps: dict[str, Sleep] = attrs.field(factory=dict)
    stages: dict[tuple[str, datetime], tuple[datetime, str]] = attrs.field(factory=dict)
    scores: dict[str, float] = attrs.field(factory=dict)
    exercises: dict[str, tuple[int, str]] = attrs.field(factory=dict)
    nights: dict[int, int] = attrs.field(factory=dict)
    omissions: dict[tuple[FileDataset, str, OmissionCode], set[int]] = attrs.field(
        factory=lambda: defaultdict(set)
    )
    skipped: int = 0
    exported: dict[int, set[int]] = attrs.field(factory=dict)

    def days(self) -> set[int]:
        """Return the days with values of activity, on whatever clock."""
        by_minute = (minutes.days for minutes in self.minutes.values())
        return set[int]().union(*by_minute, *(self.daily[level] for level in LEVELS))

    def records(self) -> tuple[dict[Any, Any], ...]:
        """Return the records of each kind by their ids."""
        return (
            *(self.sleeps, self.google_sleeps, self.stages),
            *(self.scores, self.exercises, self.nights),
        )

    def are_too_many(self) -> bool:
        """Check whether there are too many days or records."""
        days = sum(len(minutes.days) for minutes in self.minutes.values())
        return days > MAX_DAYS or max(map(len, self.records())) > MAX_RECORDS

    def update(self, newer: "Values") -> None:
        """Take over the values of a newer file."""
        for source, minutes in newer.minutes.items():
            self.minutes[source].update(minutes)
        for own, other in zip(self.records(), newer.records(), strict=True):
            own.update(other)
        for measurement, values in newer.daily.items():
            self.daily[measurement].update(values)
        for reason, days in newer.omissions.items():
            self.omissions[reason] |= days
