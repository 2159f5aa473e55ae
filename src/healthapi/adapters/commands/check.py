"""`healthapi check`: report all problems of the files of all profiles."""

import logging
from argparse import Namespace
from pathlib import Path
from typing import Final

import attrs

from healthapi.account.snapshot import SNAPSHOT_FILE
from healthapi.adapters.commands.inputs import (
    Profiles,
    expected_files,
    ids_of,
    profile_of,
    source_of,
)
from healthapi.errors import DataError
from healthapi.profile import Profile
from healthapi.rows.findings import CellFinding
from purewire.adapters.commands.exit_codes import CANNOT, OK, REFUSED
from purewire.adapters.commands.progress import show_progress
from purewire.adapters.commands.terminal import echo, format_table, write_json
from purewire.findings import Finding
from purewire.structuring.to_builtins import to_builtins

__all__ = ["run"]

_UNREADABLE: Final = "file.unreadable"
_NO_PROFILE: Final = "folder.profiles"
_ENTRY: Final = "snapshot.entry"
_NO_OBJECT: Final = "an entry of `endpoints` is no object, so it is left out"
_HEADS: Final = ("profile", "file", "line", "column", "rule", "words")


@attrs.frozen
class _Problem:
    """A problem as this command prints it; file names are relative to the profile."""

    profile: str
    file: str
    line: int | None
    column: str | None
    rule: str
    message: str

    def cells(self) -> tuple[str, ...]:
        line = "" if self.line is None else str(self.line)
        return self.profile, self.file, line, self.column or "", self.rule, self.message


@attrs.frozen
class _Checked:
    """The problems of a profile, the number of unlisted ones, and whether it has no data."""

    problems: tuple[_Problem, ...]
    unlisted: int = 0
    is_empty: bool = False


def run(arguments: Namespace) -> int:
    """Check the files of all profiles; a folder without any data is a problem as well."""
    logging.getLogger("healthapi").addHandler(logging.NullHandler())  # Errors are printed below.
    with show_progress("bytes") as progress:
        source = source_of(arguments, progress)
        ids = ids_of(source, arguments.folder)
        checked = [_check(source, profile_id, arguments.folder) for profile_id in ids]
    problems = [problem for each in checked for problem in each.problems]
    expected = expected_files(arguments) if all(each.is_empty for each in checked) else ()
    if expected:
        message = _no_profile(arguments.folder)
        problems.append(_Problem("", "", None, None, _NO_PROFILE, message))
    unlisted = sum(each.unlisted for each in checked)
    empty = [name for name, each in zip(ids, checked, strict=True) if each.is_empty]
    if arguments.json:
        found = [to_builtins(problem) for problem in problems]
        write_json(
            {
                "profiles": list(ids),
                "empty": empty,
                "findings": found,
                "unlisted": unlisted,
                "expected": list(expected),
            }
        )
    else:
        for line in format_table(_HEADS, [problem.cells() for problem in problems]):
            echo(line)
        echo(_summary(len(ids), len(problems), unlisted))
        if empty:
            echo(f"without any data: {', '.join(empty)}")
        if expected:
            echo("expected one or more of")
        for path in expected:
            echo(f"  {path}")
    if any(problem.rule == _UNREADABLE for problem in problems):
        return CANNOT
    return REFUSED if problems else OK


def _no_profile(folder: str) -> str:
    tables = sorted(path.name for path in Path(folder).glob("*.csv"))
    if not tables:
        return f"{folder} holds no profile with data"
    return f"{folder} holds no profile with data; {tables[0]} belongs into csv/ of a profile"


def _check(source: Profiles, profile_id: str, folder: str) -> _Checked:
    try:
        profile = profile_of(source, profile_id, folder)
    except DataError as error:
        return _Checked(tuple(_of_file(profile_id, finding) for finding in error.findings))
    except KeyError:  # Removed since it was listed.
        return _Checked(())
    rows, entries = _of_rows(profile), _of_entries(profile)
    return _Checked(
        rows.problems + entries.problems, rows.unlisted + entries.unlisted, rows.is_empty
    )


def _of_file(profile_id: str, finding: Finding) -> _Problem:
    file = finding.path.removeprefix("/")
    return _Problem(profile_id, file, None, None, finding.rule, finding.message)


def _of_rows(profile: Profile) -> _Checked:
    """Return the problems of the rows, each once even if a file has several datasets."""
    found: dict[CellFinding, None] = {}
    unlisted = 0
    for findings in profile.findings.values():
        found.update(dict.fromkeys(findings.listed))
        unlisted += findings.total - len(findings.listed)
    ordered = sorted(found, key=lambda finding: (finding.file, finding.line))
    problems = tuple(_of_row(profile.id, finding) for finding in ordered)
    is_empty = not problems and not profile.daily and profile.snapshot is None
    return _Checked(problems, unlisted, is_empty)


def _of_row(profile_id: str, finding: CellFinding) -> _Problem:
    place = finding.file, finding.line, finding.column
    return _Problem(profile_id, *place, finding.rule, finding.message)


def _of_entries(profile: Profile) -> _Checked:
    """Return the problem of skipped entries; they have no lines, so one represents all."""
    dropped = 0 if profile.snapshot is None else profile.snapshot.dropped_entries
    if not dropped:
        return _Checked(())
    problem = _Problem(profile.id, SNAPSHOT_FILE, None, None, _ENTRY, _NO_OBJECT)
    return _Checked((problem,), dropped - 1)


def _summary(profiles: int, listed: int, unlisted: int) -> str:
    checked = f"{profiles} profile{'' if profiles == 1 else 's'}"
    if not listed:
        return f"{checked}: nothing found"
    more = f", and {unlisted} more of the same files" if unlisted else ""
    return f"{checked}: {listed} found{more}"
