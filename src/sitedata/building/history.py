"""Describe a repository at a reference, date its paths, and collect the warnings of a build.

`sitedata.adapters.git` creates these values, and the builder makes a snapshot of them.

Invariant *no false date*: if the commit that dates a path is unknown, the time is null.
Invariant *the instant is kept*: the text names the instant of the commit, even if its offset is
invalid.
Invariant *bounded and complete*: a finding counts the warnings of a rule after the first
`_MAX_LISTED`, so a hostile repository cannot cause an endless report.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Final, Literal, NamedTuple

import attrs

from status_contracts.findings import Finding, Step, pointer

RULES: Final = {
    "history.bulk": (
        "is a bulk commit, which dates only files that it added or that no other commit changed"
    ),
    "history.clock": (
        "has no date, because clocks were wrong: git lists the commit that renamed it after those"
        ' before it; dates = "first-added" in the settings dates it'
    ),
    "history.moved": (
        "dates are more than 180 days after the first addition of their files, which would be the"
        ' dates with dates = "first-added" in the settings; their number'
    ),
    "history.offset": "is dated in UTC, because the offset of its commit is a day or more",
    "history.shallow": (
        "the history is incomplete (shallow clone), so counts and dates are partial: run git fetch"
        " --unshallow, or clone with fetch-depth: 0 in a workflow"
    ),
    "history.time": "has no date, because the time of its commit is outside the years 1 to 9999",
    "history.uncounted": "commits are not counted: their time is outside the years 1 to 9999",
    "history.zone": "days are UTC, but nearly all commits of the last year have another offset",
    "link.replaced": (
        "has the link that its own words name, which is another than that of its path"
    ),
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
    _counts: Counter[str] = attrs.field(factory=Counter, init=False)

    def add(self, rule: str, steps: Iterable[Step] = (), message: str = "") -> None:
        """Add a warning with its rule and path; `message` replaces that of `RULES`."""
        self._counts[rule] += 1
        listed = self._listed.setdefault(rule, [])
        if len(listed) < _MAX_LISTED:
            listed.append(Finding(pointer(steps), rule, message or RULES[rule]))

    def findings(self) -> tuple[Finding, ...]:
        """Return the warnings sorted by rule, then in the order in which they were added."""
        findings: list[Finding] = []
        for rule in sorted(self._listed):
            findings += self._listed[rule]
            more = self._counts[rule] - _MAX_LISTED
            if more > 0:
                findings.append(Finding("", rule, f"{more} more: {RULES[rule]}"))
        return tuple(findings)


FileKind = Literal["file", "symlink", "submodule"]
Dates = Literal["last-touched", "first-added"]
"""Which commit dates a path: the newest that touched it, or the oldest that added it, across
renames."""


class TreeFile(NamedTuple):
    """An entry of the tree; `name` is its path from the root, as the bytes that git stores."""

    name: bytes
    kind: FileKind = "file"


class ListedFile(NamedTuple):
    """A file that is a problem.

    `folder` is the path of its folder, `platform` the first one; `url` is that of the problem's
    statement, None if unknown.
    """

    name: bytes
    path: str
    folder: str
    platform: str
    stem: str
    language: str
    title: str = ""
    url: str | None = None


class Listing(NamedTuple):
    """The problems of a tree in the order of its files; rule and path of each file left out."""

    entries: tuple[ListedFile, ...]
    left_out: tuple[tuple[str, str], ...]
    source: tuple[tuple[TreeFile, ...], object] | None = None
    """The files and the settings that it was made of; without them no build uses it."""


class CommitDate(NamedTuple):
    """A commit that dates a path, in seconds since the epoch and minutes from UTC.

    `is_boundary`: whether a shallow history ends here though the commit has parents.  It seems to
    add all its files, so its time is ignored for dating.
    """

    commit: str
    seconds: int
    offset: int
    is_boundary: bool = False


@attrs.frozen
class Words:
    """The problems of known sites that a file names, as URLs, and the heading of a README."""

    urls: frozenset[str] = frozenset()
    heading: str = ""


@attrs.frozen(repr=False)
class History:
    """A repository at a reference.

    Attributes:
        ref: the requested reference.
        branch: its short name.
        commit: hash of the commit that it names.
        remote: web address of the cloned repository, or another URL of it; None if unknown.
        files: the tree, sorted by name.
        commit_dates: name to the commit that dates it; a missing name is not listed, or was renamed
            by a commit that git lists after those before it.
        commit_count: number of commits that the reference reaches.
        contributions: day (`YYYY-MM-DD`) to the number of commits with a committer time on it.
        is_shallow: whether the history is incomplete, so counts and dates are partial.
        bulk: commits that were recognized as bulk commits, with the number of listed files that
            each changed, newest first.
        additions: name to the commit that first added it, across renames of equal files; empty if
            that is what dates files.
        offsets: minutes from UTC to the number of commits that have it, of the year that ends with
            the commit of the reference.
        words: name to what the file says of its problem, where it was read and names one.
        listing: problems that were found meanwhile; used for the same files and settings only.

    """

    ref: str
    branch: str
    commit: str
    remote: str | None
    files: tuple[TreeFile, ...]
    commit_dates: Mapping[bytes, CommitDate]
    commit_count: int
    contributions: Mapping[str, int]
    is_shallow: bool = False
    bulk: tuple[tuple[str, int], ...] = ()
    additions: Mapping[bytes, CommitDate] = attrs.field(factory=dict)
    offsets: Mapping[int, int] = attrs.field(factory=dict)
    words: Mapping[bytes, Words] = attrs.field(factory=dict)
    listing: Listing | None = None

    def __repr__(self) -> str:
        return f"<History of {self.ref}: {len(self.files)} files, {self.commit_count} commits>"


BULK_FILES: Final = 20
BULK_PERCENT: Final = 10
"""A bulk commit changes at least so many listed files, and more than so many of a hundred."""
MOVED_DAYS: Final = 180
"""A date that is more days after the first addition of its file is reported as moved."""

UTC_ZONE: Final = "UTC"
"""The zone of the days where none is set."""
ZONE_PERCENT: Final = 90
"""Of a hundred commits of the last year so many have the offset that is proposed as a zone."""
_MAX_OFFSET: Final = 15 * 60  # minutes; no zone is further from UTC

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_MINUTES: Final = 24 * 60
_DAY_SECONDS: Final = 60 * _DAY_MINUTES


@attrs.define(eq=False, repr=False)
class PathDates:
    """Submission times of the paths of one history."""

    history: History
    warnings: Warnings
    _undated: int = attrs.field(default=0, init=False)
    _moved: int = attrs.field(default=0, init=False)

    def submitted_at(self, name: bytes, path: str) -> str | None:
        """Return the submission time of a path; None if it is unknown."""
        committed = self.history.commit_dates.get(name)
        if committed is None:
            self.warnings.add("history.clock", path.split("/"))
            return None
        if committed.is_boundary:
            self._undated += 1
            return None
        has_offset = abs(committed.offset) < _DAY_MINUTES
        try:
            text = time_text(committed.seconds, committed.offset if has_offset else 0)
        except OverflowError:
            self.warnings.add("history.time", path.split("/"))
            return None
        if not has_offset:
            self.warnings.add("history.offset", path.split("/"))
        self._moved += _is_moved(committed, self.history.additions.get(name))
        return text

    def add_history_warnings(self, counted: int, zone: str) -> None:
        """Add the warnings about the whole history; `counted` commits are counted by day."""
        history = self.history
        if history.is_shallow or self._undated:
            message = f"{RULES['history.shallow']}; paths without a date for it: {self._undated}"
            self.warnings.add("history.shallow", (), message)
        if counted != history.commit_count:
            message = f"{history.commit_count - counted} {RULES['history.uncounted']}"
            self.warnings.add("history.uncounted", (), message)
        for commit, count in history.bulk:
            message = f"{RULES['history.bulk']}; listed files that it changed: {count}"
            self.warnings.add("history.bulk", (commit,), message)
        if self._moved:
            self.warnings.add("history.moved", (), f"{RULES['history.moved']}: {self._moved}")
        offset, percent = main_offset(history)
        if zone == UTC_ZONE != offset and percent >= ZONE_PERCENT:
            message = (
                f"days are UTC; {percent} % of the commits of the last year are {offset}: set"
                f' zone = "{offset}" in the settings'
            )
            self.warnings.add("history.zone", (), message)


def main_offset(history: History) -> tuple[str, int]:
    """Return the offset of most commits of the last year, as `+09:00`, and of how many in percent.

    That of UTC, of an offset that no zone has, and of no commits is `UTC_ZONE`.
    """
    total = sum(history.offsets.values())
    offset, count = max(history.offsets.items(), key=lambda pair: pair[1], default=(0, 0))
    zone = timezone(timedelta(minutes=offset if abs(offset) < _MAX_OFFSET else 0))
    return str(zone).removeprefix(UTC_ZONE) or UTC_ZONE, 100 * count // max(total, 1)


def is_bulk(changed: int, listed: int) -> bool:
    """Check whether a commit that changed so many of the listed files is a bulk commit."""
    return changed >= BULK_FILES and changed * 100 > listed * BULK_PERCENT


def are_clustered(history: History, names: Collection[bytes]) -> bool:
    """Check whether as many dates as a bulk commit has were moved to one day, in UTC."""
    dates, additions = history.commit_dates, history.additions
    moved = (dates[name] for name in names if _is_moved(dates.get(name), additions.get(name)))
    days = Counter(date.seconds // _DAY_SECONDS for date in moved)
    return is_bulk(max(days.values(), default=0), len(names))


def _is_moved(date: CommitDate | None, added: CommitDate | None) -> bool:
    if date is None or added is None or added.is_boundary:
        return False
    return date.seconds - added.seconds > MOVED_DAYS * _DAY_SECONDS


def time_text(seconds: int, offset: int) -> str:
    """Format seconds since the epoch as RFC 3339 with an offset in minutes; raise OverflowError."""
    zone = timezone(timedelta(minutes=offset))
    return (_EPOCH + timedelta(seconds=seconds)).astimezone(zone).isoformat()
