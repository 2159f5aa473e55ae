"""`healthapi check`: report all problems of the files of all profiles."""

import logging
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Final

import attrs

from healthapi.account.snapshot import SNAPSHOT_FILE
from healthapi.adapters.commands.inputs import expected_files, in_turn, reading, source_of
from healthapi.adapters.folder import FolderSource
from healthapi.errors import DataError
from purewire.adapters.commands.exit_codes import CANNOT, OK, REFUSED
from purewire.adapters.commands.reports import (
    REPORT_FORMATS,
    Problem,
    ProblemReport,
    check_report_names,
    write_reports,
)
from purewire.adapters.commands.terminal import echo, format_table, write_json
from purewire.primitives import plural
from purewire.structuring.to_builtins import to_builtins

_ENTRY: Final = "snapshot.entry"
_MISSING_COLUMN: Final = "column.missing"
"""What other vendors do not measure; it is printed, and is a warning in reports."""
_NO_OBJECT: Final = "an entry of `endpoints` is not an object and is skipped"
_HEADS: Final = ("profile", "file", "line", "column", "rule", "message")


@attrs.frozen
class _Problem:
    """A problem as this command prints it; file names are relative to the profile."""

    profile: str
    file: str
    line: int | None
    column: str | None
    rule: str
    message: str


@attrs.frozen
class _Checked:
    """The problems of a profile, the number of unlisted ones, and whether it has no data.

    `removed` has what of the snapshot is not published, by name and number.
    """

    problems: tuple[_Problem, ...]
    unlisted: int = 0
    is_empty: bool = False
    removed: Mapping[str, Mapping[str, int]] = attrs.field(factory=dict)


def run(arguments: Namespace) -> int:
    """Check the files of all profiles; a folder without any data is a problem as well.

    Tables that merely lack columns are correct.
    """
    check_report_names(arguments.report, REPORT_FORMATS)
    logging.getLogger("healthapi").addHandler(logging.NullHandler())  # Errors are printed below.
    source = source_of(arguments)
    with reading(arguments.folder):
        ids = source.ids()
    checked = [_check(source, profile_id, arguments.folder) for profile_id in in_turn(ids)]
    problems = [problem for profile in checked for problem in profile.problems]
    expected = expected_files(arguments) if all(profile.is_empty for profile in checked) else ()
    if expected:
        message = _no_profile(arguments.folder)
        problems.append(_Problem("", "", None, None, "folder.profiles", message))
    unlisted = sum(profile.unlisted for profile in checked)
    empty = [name for name, profile in zip(ids, checked, strict=True) if profile.is_empty]
    removed = {
        name: profile.removed
        for name, profile in zip(ids, checked, strict=True)
        if any(profile.removed.values())
    }
    if arguments.json:
        write_json(
            {
                "profiles": list(ids),
                "empty": empty,
                "findings": [to_builtins(problem) for problem in problems],
                "unlisted": unlisted,
                "removed": removed,
                "expected": list(expected),
            }
        )
    else:
        _print(problems, _summary(len(ids), problems, unlisted))
        for name, kinds in removed.items():
            _print_removed(name, kinds)
        if empty:
            echo(f"without any data: {', '.join(empty)}")
        if expected:
            echo("expected one or more of")
        for path in expected:
            echo(f"  {path}")
    if arguments.report:
        _write_reports(arguments, ids, problems)
    if any(problem.rule == "file.unreadable" for problem in problems):
        return CANNOT
    return REFUSED if any(problem.rule != _MISSING_COLUMN for problem in problems) else OK


def _print(problems: Sequence[_Problem], summary: str) -> None:
    rows = [
        ["" if cell is None else str(cell) for cell in attrs.astuple(problem)]
        for problem in problems
    ]
    for line in format_table(_HEADS, rows):
        echo(line)
    echo(summary)


def _print_removed(profile: str, kinds: Mapping[str, Mapping[str, int]]) -> None:
    """Print what of a snapshot is not published: names and numbers, never a value."""
    for kind, numbers in kinds.items():
        named = ", ".join(f"{name} {number}" for name, number in sorted(numbers.items()))
        echo(f"{profile}: {kind} removed from the snapshot: {named or 'none'}")


def _write_reports(arguments: Namespace, ids: Sequence[str], problems: Sequence[_Problem]) -> None:
    folder = PurePath(arguments.folder)
    named = [
        Problem(
            case=problem.profile or arguments.folder,
            file=(folder / problem.profile / problem.file).as_posix(),
            rule=problem.rule,
            message=problem.message,
            is_error=problem.rule != _MISSING_COLUMN,
            line=problem.line,
            member=problem.column,
        )
        for problem in problems
    ]
    # A folder without profiles is a case of its own.
    cases = dict.fromkeys([*ids, *(problem.case for problem in named)])
    report = ProblemReport("healthapi check", list(cases), named)
    write_reports(arguments.report, REPORT_FORMATS, report)


def _no_profile(folder: str) -> str:
    tables = sorted(path.name for path in Path(folder).glob("*.csv"))
    if not tables:
        return f"{folder} has no profile with data"
    return f"{folder} has no profile with data; move {tables[0]} to csv/ of a profile"


def _check(source: FolderSource, profile_id: str, folder: str) -> _Checked:
    try:
        with reading(folder):
            profile = source.profile(profile_id)
    except DataError as error:
        named = ((finding.path[1:], finding.rule, finding.message) for finding in error.findings)
        problems = [_Problem(profile_id, file, None, None, *rest) for file, *rest in named]
        return _Checked(tuple(problems))
    except KeyError:  # Removed since it was listed.
        return _Checked(())
    findings = profile.findings.values()
    # A file with several datasets has the same finding for each of them.
    listed = dict.fromkeys(finding for group in findings for finding in group.listed)
    problems = [
        _Problem(
            profile_id, finding.file, finding.line, finding.column, finding.rule, finding.message
        )
        for finding in sorted(listed, key=lambda finding: (finding.file, finding.line))
    ]
    unlisted = sum(group.total - len(group.listed) for group in findings)
    is_empty = not problems and not profile.daily and profile.snapshot is None
    snapshot = profile.snapshot
    dropped = 0 if snapshot is None else snapshot.dropped_entries
    if dropped:  # They have no lines, so one represents all.
        problems.append(_Problem(profile_id, SNAPSHOT_FILE, None, None, _ENTRY, _NO_OBJECT))
        unlisted += dropped - 1
    removed = (
        {}
        if snapshot is None
        else {"members": snapshot.removed_members, "texts": snapshot.removed_texts}
    )
    return _Checked(tuple(problems), unlisted, is_empty, removed)


def _summary(profiles: int, problems: Sequence[_Problem], unlisted: int) -> str:
    missing = sum(problem.rule == _MISSING_COLUMN for problem in problems)
    listed = len(problems) - missing
    text = plural(listed, "problem") if listed else "no problems"
    more = f", and {unlisted} more of the same files" if unlisted else ""
    columns = f"; {plural(missing, 'missing column')}" if missing else ""
    return f"{plural(profiles, 'profile')}: {text}{more}{columns}"
