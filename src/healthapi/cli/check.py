"""`healthapi check`: report all problems of the files of all profiles."""

import os
from argparse import Namespace
from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Final

import attrs

from healthapi.adapters.folder import FolderSource
from healthapi.cli.inputs import mapping_of, no_data, reading, source_of
from healthapi.errors import DataError
from healthapi.profile import Profile, list_files
from healthapi.rows.findings import DOUBTS
from healthapi.snapshot import SNAPSHOT_FILE
from status_contracts.cli.arguments import GREEN, Styled
from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED
from status_contracts.cli.problems import Problem, shortened
from status_contracts.cli.terminal import echo, write_json
from status_contracts.primitives import plural

_MISSING_COLUMN: Final = "column.missing"
"""What other vendors do not measure: a warning, as what can hardly be true."""
_IGNORED: Final = {
    "folder.link": "a link is not read: put the folder itself in its place",
    "folder.name": "no profile id, so it is not read: rename it to 1 to 128 of A-Z a-z 0-9 _ -",
}
_WARNINGS: Final = {*DOUBTS, *_IGNORED, _MISSING_COLUMN, "date.future"}


@attrs.frozen
class _Problem:
    """A problem of a profile; `text` is the beginning of the cell that it is about."""

    profile: str
    file: str
    line: int | None
    column: str | None
    rule: str
    message: str
    text: str | None = None


@attrs.define
class _Report:
    """What is known of all profiles, with the members of `--json`.

    File names are relative to the profile.  `unlisted` is the number of further problems, `empty`
    has the profiles without any data, `unchecked` those of which nothing else can be read, and
    `removed` what of snapshots is not published, by name and number.
    """

    profiles: Sequence[str]
    empty: list[str] = attrs.field(factory=list)
    unchecked: list[str] = attrs.field(factory=list)
    findings: list[_Problem] = attrs.field(factory=list)
    unlisted: int = 0
    removed: dict[str, Mapping[str, Mapping[str, int]]] = attrs.field(factory=dict)
    expected: Sequence[str] = ()


def run(arguments: Namespace) -> int:
    """Check the files of all profiles; a folder without any data is a problem as well.

    Tables that merely lack columns are correct, and values that can hardly be true are warnings.
    """
    source = source_of(arguments)
    with reading(arguments.folder):
        report = _Report(source.ids())
        report.findings += _ignored(Path(arguments.folder), report.profiles)
        for name in report.profiles:
            _check(source, name, report)
    if len(report.empty) == len(report.profiles):
        start = f"{arguments.folder.rstrip('/')}/<profile id>"
        report.expected = [f"{start}/{name}" for name in list_files(mapping_of(arguments))]
        words = no_data(arguments)
        report.findings.append(_Problem("", "", None, None, "folder.profiles", words))
    if arguments.json:
        write_json(attrs.asdict(report))
    else:
        problems = shortened(_problems(report))
        summary = Styled(_summary(report), GREEN, "no problems")
        for line in (*problems, summary, *_further_lines(report)):
            echo(line)
        for path in report.expected:
            echo(f"    {path}")  # whole
    rules = {problem.rule for problem in report.findings}
    if "file.unreadable" in rules:
        return CANNOT
    return OK if rules <= _WARNINGS else REFUSED


def _ignored(folder: Path, ids: Collection[str]) -> Iterator[_Problem]:
    """Yield a warning for each folder beside the profiles that is not read as one."""
    for path in sorted(folder.iterdir()):
        is_folder = os.path.isdir(path)  # noqa: PTH112 - never raises
        if is_folder and path.name not in ids and path.name[0] != ".":
            kind = "folder.link" if path.is_symlink() else "folder.name"
            name = path.name.encode(errors="replace").decode()  # it may be any bytes
            yield _Problem("", name, None, None, kind, _IGNORED[kind])


def _problems(report: _Report) -> Iterator[Problem]:
    """Yield the problems to print: one for all columns that files lack."""
    lacking: dict[tuple[str, str], list[str]] = {}
    for one in report.findings:
        if one.rule == _MISSING_COLUMN:
            lacking.setdefault((one.profile, one.file), []).append(str(one.column))
            continue
        file = "/".join(filter(None, (one.profile, one.file)))
        text, is_error = one.text and repr(one.text), one.rule not in _WARNINGS
        yield Problem(
            file, one.line, one.column or "", one.rule, one.message, text, is_error=is_error
        )
    profiles: dict[tuple[str, ...], list[str]] = {}
    for (profile, file), names in lacking.items():
        profiles.setdefault((file, *names), []).append(profile)
    for (file, *names), (first, *others) in profiles.items():
        also = f"; so does that of {', '.join(others)}" if others else ""
        words = f"the header lacks {plural(len(names), 'column')}: {', '.join(names)}{also}"
        yield Problem(f"{first}/{file}", None, "", _MISSING_COLUMN, words, is_error=False)


def _further_lines(report: _Report) -> Iterator[str]:
    """Yield what is not published, names and numbers, never a value; what is empty or expected."""
    for profile, kinds in report.removed.items():
        for kind, numbers in kinds.items():
            named = ", ".join(f"{name} {number}" for name, number in sorted(numbers.items()))
            yield f"{profile}: {kind} removed from the snapshot: {named or 'none'}"
    if report.unchecked:
        yield f"their other files are not checked: {', '.join(report.unchecked)}"
    if report.empty:
        yield f"without any data: {', '.join(report.empty)}"
    if report.expected:
        yield "expected one or more of"


def _readable(source: FolderSource, profile_id: str, report: _Report) -> Profile | None:
    """Return a profile without the files that cannot be read, which are reported, if any can."""
    without: set[str] = set()
    while True:
        try:
            return source.profile_without(profile_id, without)
        except DataError as error:
            faults = [
                _Problem(profile_id, one.path[1:], None, None, one.rule, one.message)
                for one in error.findings
            ]
        except KeyError:  # Removed since it was listed.
            return None
        if faults[0] in report.findings:  # Nothing else can be read.
            report.unchecked.append(profile_id)
            return None
        report.findings += faults
        without.update(fault.file for fault in faults)


def _check(source: FolderSource, profile_id: str, report: _Report) -> None:
    """Add the problems of a profile to the report; raise OSError for the folder of all."""
    before = len(report.findings)
    profile = _readable(source, profile_id, report)
    if profile is None:
        return
    findings = profile.findings.values()
    # A file with several datasets has the same finding for each of them.
    listed = dict.fromkeys(finding for group in findings for finding in group.listed)
    problems = [
        _Problem(profile_id, **attrs.asdict(finding))
        for finding in sorted(listed, key=attrgetter("file", "line"))
    ]
    for rows in (profile.activity, profile.logs, profile.hrv, profile.rhr):
        if later := {day for day in rows.labels if day > profile.generated_at[:10]}:
            words = f"{plural(len(later), 'day')} of {rows.key} in the future, up to {max(later)}"
            problems.append(_Problem(profile_id, "csv", None, None, "date.future", words))
    report.unlisted += sum(group.total - len(group.listed) for group in findings)
    snapshot = profile.snapshot
    if snapshot is None and not (report.findings[before:] or problems or profile.daily):
        report.empty.append(profile_id)
    if snapshot is not None:
        if snapshot.dropped_entries:  # They have no lines, so one represents all.
            words = "an entry of `endpoints` is not an object and is skipped"
            one = _Problem(profile_id, SNAPSHOT_FILE, None, None, "snapshot.entry", words)
            problems.append(one)
            report.unlisted += snapshot.dropped_entries - 1
        removed = {"members": snapshot.removed_members, "texts": snapshot.removed_texts}
        if any(removed.values()):
            report.removed[profile_id] = removed
    report.findings += problems


def _summary(report: _Report) -> str:
    rules = [one.rule for one in report.findings if one.rule != _MISSING_COLUMN]
    files = {(one.profile, one.file) for one in report.findings if one.rule == _MISSING_COLUMN}
    warnings = sum(rule in _WARNINGS for rule in rules)
    numbers = {"problem": len(rules) - warnings, "warning": warnings + len(files)}
    text = ", ".join(plural(number, name) for name, number in numbers.items() if number)
    more = f", and {report.unlisted} more of the same files" if report.unlisted else ""
    return f"{plural(len(report.profiles), 'profile')}: {text or 'no problems'}{more}"
