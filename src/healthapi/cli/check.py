"""`healthapi check`: report all problems of the files of all profiles."""

import logging
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path, PurePath
from typing import Final

import attrs

from healthapi.adapters.folder import FolderSource
from healthapi.cli.inputs import expected_files, in_turn, reading, source_of
from healthapi.errors import DataError
from healthapi.profile import Profile
from healthapi.rows.findings import DOUBTS
from healthapi.snapshot import SNAPSHOT_FILE
from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED
from status_contracts.cli.reports import (
    Fault,
    check_report_names,
    write_reports,
)
from status_contracts.cli.terminal import echo, echo_wrapped, write_json
from status_contracts.primitives import plural

_MISSING_COLUMN: Final = "column.missing"
"""What other vendors do not measure: a warning, as what can hardly be true."""
_WARNINGS: Final = DOUBTS | {_MISSING_COLUMN}
_HEADS: Final = ("profile", "file", "line", "column", "rule", "message")


@attrs.frozen
class _Checked:
    """The problems of a profile, the number of unlisted ones, and whether it has no data.

    File names are relative to the profile.  `removed` has what of the snapshot is not published, by
    name and number.
    """

    problems: Sequence[Fault]
    unlisted: int = 0
    is_empty: bool = False
    removed: Mapping[str, Mapping[str, int]] = attrs.field(factory=dict)


def run(arguments: Namespace) -> int:
    """Check the files of all profiles; a folder without any data is a problem as well.

    Tables that merely lack columns are correct, and values that can hardly be true are warnings.
    """
    check_report_names(arguments.report, ".xml")
    logging.getLogger("healthapi").addHandler(logging.NullHandler())  # Errors are printed below.
    source = source_of(arguments)
    with reading(arguments.folder):
        ids = source.ids()
    checked = {name: _check(source, name, arguments.folder) for name in in_turn(ids)}
    problems = [problem for profile in checked.values() for problem in profile.problems]
    empty = [name for name, profile in checked.items() if profile.is_empty]
    expected = expected_files(arguments) if len(empty) == len(ids) else ()
    if expected:
        problems.append(Fault("", "", "folder.profiles", _no_profile(arguments.folder)))
    unlisted = sum(profile.unlisted for profile in checked.values())
    removed = {
        name: profile.removed for name, profile in checked.items() if any(profile.removed.values())
    }
    rows = [_cells(problem) for problem in problems]
    if arguments.json:
        write_json(
            {
                "profiles": list(ids),
                "empty": empty,
                "findings": [dict(zip(_HEADS, row, strict=True)) for row in rows],
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
    _write_reports(arguments, ids, problems)
    if any(problem.rule == "file.unreadable" for problem in problems):
        return CANNOT
    return REFUSED if any(problem.is_error for problem in problems) else OK


def _lines(problems: Sequence[Fault]) -> Iterator[str]:
    """Yield a line for each problem, and one for all columns that a file lacks."""
    lacking: dict[tuple[str, str], list[str]] = {}
    for problem in problems:
        if problem.rule == _MISSING_COLUMN:
            names = lacking.setdefault((problem.case, problem.file), [])
            names.append(str(problem.member))
            continue
        place = "/".join(filter(None, (problem.case, problem.file)))
        yield str(attrs.evolve(problem, file=place))
    for (case, file), names in lacking.items():
        columns = plural(len(names), "column")
        words = f"the header lacks {columns}: {', '.join(names)}"
        yield str(Fault(case, f"{case}/{file}", _MISSING_COLUMN, words, is_error=False))


def _cells(problem: Fault) -> tuple[str | int | None, ...]:
    """Return what is printed of a problem, as `_HEADS` name it."""
    place = (problem.case, problem.file, problem.line, problem.member)
    return (*place, problem.rule, problem.message)


def _removed_lines(removed: Mapping[str, Mapping[str, Mapping[str, int]]]) -> Iterator[str]:
    """Yield what of snapshots is not published: names and numbers, never a value."""
    for profile, kinds in removed.items():
        for kind, numbers in kinds.items():
            named = ", ".join(f"{name} {number}" for name, number in sorted(numbers.items()))
            yield f"{profile}: {kind} removed from the snapshot: {named or 'none'}"


def _write_reports(arguments: Namespace, ids: Sequence[str], problems: Sequence[Fault]) -> None:
    folder = PurePath(arguments.folder)
    named = [
        attrs.evolve(
            problem,
            case=problem.case or arguments.folder,
            file=(folder / problem.case / problem.file).as_posix(),
        )
        for problem in problems
    ]
    # A folder without profiles is a case of its own.
    cases = dict.fromkeys([*ids, *(problem.case for problem in named)])
    write_reports(arguments.report, "healthapi check", list(cases), named)


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
        return _Checked([Fault(profile_id, *fault) for fault in named])
    except KeyError:  # Removed since it was listed.
        return _Checked(())
    findings = profile.findings.values()
    # A file with several datasets has the same finding for each of them.
    listed = dict.fromkeys(finding for group in findings for finding in group.listed)
    problems = [
        Fault(
            *(profile_id, finding.file, finding.rule, finding.message),
            is_error=finding.rule not in _WARNINGS,
            line=finding.line,
            member=finding.column,
        )
        for finding in sorted(listed, key=attrgetter("file", "line"))
    ]
    problems += _future_days(profile)
    unlisted = sum(group.total - len(group.listed) for group in findings)
    snapshot = profile.snapshot
    if snapshot is None:
        return _Checked(problems, unlisted, not problems and not profile.daily)
    if snapshot.dropped_entries:  # They have no lines, so one represents all.
        message = "an entry of `endpoints` is not an object and is skipped"
        problems.append(Fault(profile_id, SNAPSHOT_FILE, "snapshot.entry", message))
        unlisted += snapshot.dropped_entries - 1
    removed = {"members": snapshot.removed_members, "texts": snapshot.removed_texts}
    return _Checked(problems, unlisted, removed=removed)


def _future_days(profile: Profile) -> Iterator[Fault]:
    """Yield a warning for each table with days after the one on which it was read."""
    for rows in (profile.activity, profile.logs, profile.hrv, profile.rhr):
        later = {day for day in rows.labels if day > profile.generated_at[:10]}
        if later:
            words = f"{plural(len(later), 'day')} of {rows.key} in the future, up to {max(later)}"
            yield Fault(profile.id, "csv", "date.future", words, is_error=False)


def _summary(profiles: int, problems: Sequence[Fault], unlisted: int) -> str:
    missing = sum(problem.rule == _MISSING_COLUMN for problem in problems)
    warnings = sum(not problem.is_error for problem in problems) - missing
    listed = len(problems) - missing - warnings
    counts = [plural(listed, "problem")] if listed or not warnings else []
    counts += [plural(warnings, "warning")] if warnings else []
    text = ", ".join(counts) if listed or warnings else "no problems"
    more = f", and {unlisted} more of the same files" if unlisted else ""
    columns = f"; {plural(missing, 'missing column')}" if missing else ""
    return f"{plural(profiles, 'profile')}: {text}{more}{columns}"
