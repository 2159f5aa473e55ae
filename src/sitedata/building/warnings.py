"""Collect the warnings of a build: skipped files, unknown dates, unusual commits.

Invariant *bounded and complete*: a finding counts the warnings of a rule after the first
`_MAX_LISTED`, so a hostile repository cannot cause an endless report.

Contract: SD-TREE-08.
"""

from collections.abc import Iterable
from typing import Final

import attrs

from purewire.findings import Finding, Step, pointer

RULES: Final = {
    "history.bulk": (
        "is a bulk commit, which dates only files that it added or that no other commit changed"
    ),
    "history.bulk_only": "has no date, because only the named bulk commits touched it",
    "history.moved": (
        "dates are more than 180 days after the first addition of their files, which would be the"
        ' dates with --dates first-added, or dates = "first-added" in the settings; their number'
    ),
    "history.offset": "is dated in UTC, because the offset of its commit is a day or more",
    "history.shallow": "the history is incomplete (shallow clone), so counts and dates are partial",
    "history.time": "has no date, because the time of its commit is outside the years 1 to 9999",
    "history.uncounted": "commits are not counted: their time is outside the years 1 to 9999",
    "path.encoding": "is not listed, because its name is not UTF-8",
    "path.relative": "is not listed, because its path is not relative",
    "path.segment": "is not listed, because a segment of its path is empty, `.` or `..`",
    "path.submodule": "is not listed, because it is a submodule",
    "path.symlink": "is not listed, because it is a symbolic link",
    "path.unique": "is not listed again, because its path is listed already",
}
"""Rule id to the message of its warnings."""

_MAX_LISTED: Final = 20
"""Warnings of one rule that are listed one by one."""


@attrs.define
class Warnings:
    """The warnings of one build."""

    _listed: dict[str, list[Finding]] = attrs.field(factory=dict, init=False)
    _counts: dict[str, int] = attrs.field(factory=dict, init=False)

    def add(self, rule: str, steps: Iterable[Step] = (), message: str = "") -> None:
        """Add a warning with its rule and path; `message` replaces that of `RULES`."""
        self._counts[rule] = self._counts.get(rule, 0) + 1
        listed = self._listed.setdefault(rule, [])
        if len(listed) < _MAX_LISTED:
            listed.append(Finding(pointer(steps), rule, message or RULES[rule]))

    def findings(self) -> tuple[Finding, ...]:
        """Return the warnings sorted by rule, then in the order in which they were added."""
        found: list[Finding] = []
        for rule in sorted(self._listed):
            found += self._listed[rule]
            more = self._counts[rule] - _MAX_LISTED
            if more > 0:
                found.append(Finding("", rule, f"{more} more: {RULES[rule]}"))
        return tuple(found)
