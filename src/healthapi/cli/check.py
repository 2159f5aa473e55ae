"""`healthapi check`: report all problems of the files of all profiles."""

import logging
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Final

import attrs

from healthapi.adapters.folder import FolderSource
from healthapi.cli.inputs import expected_files, reading, source_of
from healthapi.errors import DataError
from healthapi.profile import Profile
from healthapi.rows.findings import DOUBTS
from healthapi.snapshot import SNAPSHOT_FILE
from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED
from status_contracts.cli.terminal import echo, echo_wrapped, problem_line, write_json
from status_contracts.primitives import plural

_MISSING_COLUMN: Final = "column.missing"
"""What other vendors do not measure: a warning, as what can hardly be true."""
_WARNINGS: Final = DOUBTS | {_MISSING_COLUMN, "date.future"}


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


@attrs.frozen
class _Checked:
    """The problems of a profile, the number of unlisted ones, and whether it has no data.

    File names are relative to the profile.  `removed` has what of the snapshot is not published, by
    name and number.
    """

    problems: Sequence[_Problem]
    unlisted: int = 0
    is_empty: bool = False
    removed: Mapping[str, Mapping[str, int]] = attrs.field(factory=dict)


def run(arguments: Namespace) -> int:
    """Check the files of all profiles; a folder without any data is a problem as well.

    Tables that merely lack columns are correct, and values that can hardly be true are warnings.
    """
    logging.getLogger("healthapi").addHandler(logging.NullHandler())  # Errors are printed below.
    source = source_of(arguments)
    with reading(arguments.folder):
        ids = source.ids()
    checked = {name: _check(source, name, arguments.folder) for name in ids}
    problems = [problem for profile in checked.values() for problem in profile.problems]
    empty = [name for name, profile in checked.items() if profile.is_empty]
    expected = expected_files(arguments) if len(empty) == len(ids) else ()
    if expected:
        message = _no_profile(arguments.folder)
        problems.append(_Problem("", "", None, None, "folder.profiles", message))
    unlisted = sum(profile.unlisted for profile in checked.values())
    removed = {
        name: profile.removed for name, profile in checked.items() if any(profile.removed.values())
    }
    if arguments.json:
        listed = [attrs.asdict(problem) for problem in problems]
        write_json(
            {
                "profiles": list(ids),
                "empty": empty,
                "findings": listed,
                "unlisted": unlisted,
                "removed": removed,
                "expected": list(expected),
            }
        )
    else:
        for line in (*_lines(problems), _summary(len(ids), problems, unlisted)):
            echo_wrapped(line)
        lines = list(_removed_lines(removed))
        lines += [f"without any data: {', '.join(empty)}"] if empty else []
        lines += (
            ["expected one or more of", *(f"  {path}" for path in expected)] if expected else []
        )
        for line in lines:
            echo(line)
    rules = {problem.rule for problem in problems}
    if "file.unreadable" in rules:
        return CANNOT
    return OK if rules <= _WARNINGS else REFUSED


def _lines(problems: Sequence[_Problem]) -> Iterator[str]:
    """Yield a line for each problem, and one for all columns that a file lacks."""
    lacking: dict[str, list[str]] = {}
    for problem in problems:
        place = "/".join(filter(None, (problem.profile, problem.file)))
        if problem.rule == _MISSING_COLUMN:
            lacking.setdefault(place, []).append(str(problem.column))
            continue
        line = "" if problem.line is None else f":{problem.line}"
        place = " ".join(filter(None, (f"{place}{line}", problem.column)))
        quoted = "" if problem.text is None else f"{problem.text!r}: "
        is_error = problem.rule not in _WARNINGS
        yield problem_line(place, problem.rule, f"{quoted}{problem.message}", is_error=is_error)
    for place, names in lacking.items():
        words = f"the header lacks {plural(len(names), 'column')}: {', '.join(names)}"
        yield problem_line(place, _MISSING_COLUMN, words, is_error=False)


def _removed_lines(removed: Mapping[str, Mapping[str, Mapping[str, int]]]) -> Iterator[str]:
    """Yield what of snapshots is not published: names and numbers, never a value."""
    for profile, kinds in removed.items():
        for kind, numbers in kinds.items():
            named = ", ".join(f"{name} {number}" for name, number in sorted(numbers.items()))
            yield f"{profile}: {kind} removed from the snapshot: {named or 'none'}"


def _no_profile(folder: str) -> str:
    tables = sorted(path.name for path in Path(folder).glob("*.csv"))
    remedy = f"; move {tables[0]} to csv/ of a profile" if tables else ""
    return f"{folder} has no profile with data{remedy}"


def _check(source: FolderSource, profile_id: str, folder: str) -> _Checked:
    try:
        with reading(folder):
            profile = source.profile(profile_id)
    except DataError as error:
        return _Checked(
            [
                _Problem(profile_id, one.path[1:], None, None, one.rule, one.message)
                for one in error.findings
            ]
        )
    except KeyError:  # Removed since it was listed.
        return _Checked(())
    findings = profile.findings.values()
    # A file with several datasets has the same finding for each of them.
    listed = dict.fromkeys(finding for group in findings for finding in group.listed)
    problems = [
        _Problem(profile_id, **attrs.asdict(finding))
        for finding in sorted(listed, key=attrgetter("file", "line"))
    ]
    problems += _future_days(profile)
    unlisted = sum(group.total - len(group.listed) for group in findings)
    snapshot = profile.snapshot
    if snapshot is None:
        return _Checked(problems, unlisted, not problems and not profile.daily)
    if snapshot.dropped_entries:  # They have no lines, so one represents all.
        message = "an entry of `endpoints` is not an object and is skipped"
        problems.append(_Problem(profile_id, SNAPSHOT_FILE, None, None, "snapshot.entry", message))
        unlisted += snapshot.dropped_entries - 1
    removed = {"members": snapshot.removed_members, "texts": snapshot.removed_texts}
    return _Checked(problems, unlisted, removed=removed)


def _future_days(profile: Profile) -> Iterator[_Problem]:
    """Yield a warning for each table with days after the one on which it was read."""
    for rows in (profile.activity, profile.logs, profile.hrv, profile.rhr):
        later = {day for day in rows.labels if day > profile.generated_at[:10]}
        if later:
            words = f"{plural(len(later), 'day')} of {rows.key} in the future, up to {max(later)}"
            yield _Problem(profile.id, "csv", None, None, "date.future", words)


def _summary(profiles: int, problems: Sequence[_Problem], unlisted: int) -> str:
    missing = sum(problem.rule == _MISSING_COLUMN for problem in problems)
    warnings = sum(problem.rule in _WARNINGS for problem in problems) - missing
    listed = len(problems) - missing - warnings
    counts = [plural(listed, "problem")] if listed or not warnings else []
    counts += [plural(warnings, "warning")] if warnings else []
    text = ", ".join(counts) if listed or warnings else "no problems"
    more = f", and {unlisted} more of the same files" if unlisted else ""
    columns = f"; {plural(missing, 'missing column')}" if missing else ""
    return f"{plural(profiles, 'profile')}: {text}{more}{columns}"
