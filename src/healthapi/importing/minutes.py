"""Values of single minutes, kept compactly for many years.

Invariant *each minute counts once*: a minute that a later file holds again replaces the earlier
value, so that repeated files and overlapping archives never add up.
Invariant *bounded*: a day takes 6 kB, whatever the number of records; `Minutes.days` has an entry
for each day with a value.
"""

from array import array
from typing import Final, NamedTuple

import attrs

from healthapi.importing.times import DAY_MINUTES

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
    """Whole numbers by minute.

    Attributes:
        days: day to the values of its 1,440 minutes; `NO_VALUE` where there is none.

    """

    days: "dict[int, array[int]]" = attrs.field(factory=dict)

    def row(self, day: int) -> "array[int]":
        """Return the values of a day, to be changed in place."""
        found = self.days.get(day)
        if found is None:
            found = self.days[day] = array("i", _EMPTY)
        return found

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
        found = {day: self.total(day) for day in sorted(self.days)}
        return {day: total for day, total in found.items() if total.minutes}
