"""What a build remarks on: files that are not listed, dates that are not known, odd commits.

Source: rulings under "Site-data file".

Invariant *bounded, yet whole*: of each rule so many are named one by one; the others are counted in
one finding more, so a hostile repository makes no endless report and no file is passed over.
"""

from collections.abc import Iterable
from typing import Final

import attrs

from purewire.findings import Finding, Step, pointer

__all__ = ["RULES", "Remarks"]

RULES: Final = {
    "history.bulk_only": "has no date, for only commits listed as bulk changes touched it",
    "history.bulk_suspect": (
        "is a commit that changed very many files at once, and dates them all: if they were solved"
        " before, name it with --bulk, or in commits of [bulk] in the settings"
    ),
    "history.offset": "is dated in UTC, for its commit's zone is no offset of less than a day",
    "history.shallow": "the history is cut off, so counts and dates are of a part of it",
    "history.time": "has no date, for its commit's time is outside the years 1 to 9999",
    "history.uncounted": "commits fall on no day of the calendar, and are not counted",
    "path.encoding": "is not listed, for its name is not UTF-8",
    "path.relative": "is not listed, for its path is not relative",
    "path.segment": "is not listed, for a segment of its path is empty, `.` or `..`",
    "path.submodule": "is not listed, for it is a submodule",
    "path.symlink": "is not listed, for it is a symbolic link",
    "path.unique": "is not listed again, for its path stands there already",
}
"""Rule id to the rule in words."""

_NAMED: Final = 20  # of one rule: enough to see what it is about


@attrs.define
class Remarks:
    """What was remarked so far."""

    _named: dict[str, list[Finding]] = attrs.field(factory=dict, init=False)
    _counts: dict[str, int] = attrs.field(factory=dict, init=False)

    def add(self, rule: str, steps: Iterable[Step] = (), message: str = "") -> None:
        """Remark on one thing: where it is, and the rule in words where they are not `RULES`."""
        self._counts[rule] = self._counts.get(rule, 0) + 1
        named = self._named.setdefault(rule, [])
        if len(named) < _NAMED:
            named.append(Finding(pointer(steps), rule, message or RULES[rule]))

    def findings(self) -> tuple[Finding, ...]:
        """Give them by rule, in the order in which they were made."""
        found: list[Finding] = []
        for rule in sorted(self._named):
            found += self._named[rule]
            more = self._counts[rule] - _NAMED
            if more > 0:
                found.append(Finding("", rule, f"{more} more: {RULES[rule]}"))
        return tuple(found)
