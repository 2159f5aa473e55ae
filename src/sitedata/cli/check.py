"""`sitedata check`: list all problems of snapshots and all broken publishing rules."""

from argparse import Namespace
from functools import partial

import attrs

from sitedata.cli.inputs import report_of
from sitedata.limits import FINDINGS_CAP
from sitedata.models import Snapshot
from sitedata.parsing import Report
from sitedata.views.selecting import format_total, solved
from status_contracts.cli.arguments import GREEN, RED, Styled
from status_contracts.cli.exit_codes import OK, REFUSED, Failed
from status_contracts.cli.files import input_name, read_each
from status_contracts.cli.problems import Problem, described, problems_of, refused, shortened
from status_contracts.cli.terminal import echo, write_json
from status_contracts.primitives import plural
from status_contracts.structuring.constraints import NAME


def run(arguments: Namespace) -> int:
    """Check the snapshots."""
    read = partial(report_of, allow_http=arguments.allow_http)
    checked, failure = read_each(arguments.snapshots, read, is_whole=arguments.json)
    problems_in = {name: _problems(name, *of) for name, of in checked.items()}
    if arguments.json:
        results = {
            name: {
                "errors": [one.members for one in problems if one.is_error],
                "warnings": [one.members for one in problems if not one.is_error],
            }
            for name, problems in problems_in.items()
        }
        first, *others = results.values()
        listed = [{"file": name, **result} for name, result in results.items()]
        write_json({"files": listed} if others else first)
    else:
        for name, (report, body) in checked.items():
            is_other = report.snapshot is None and _unlike(body)
            for line in () if is_other else shortened(problems_in[name]):
                echo(line)
        for name, (report, body) in checked.items():
            words = _summary(report, body, is_strict=arguments.strict)
            style = RED if report.snapshot is None else GREEN
            echo(Styled(f"{input_name(name)}: {words}", style, words.partition(":")[0]))
    if failure:
        raise failure
    is_refused = any(arguments.strict or one.is_error for of in problems_in.values() for one in of)
    return REFUSED if is_refused else OK


def _problems(name: str, report: Report, body: bytes) -> list[Problem]:
    file = input_name(name)
    errors = problems_of(file, report.errors, body)
    return errors + problems_of(file, report.warnings, body, is_error=False)


def snapshot_of(location: str, report: Report, body: bytes) -> Snapshot:
    """Return the snapshot of a report; if there is none, raise Failed with what is wrong."""
    if report.snapshot is not None:
        return report.snapshot
    if unlike := _unlike(body):
        raise Failed(REFUSED, f"{input_name(location)}: {unlike}")
    problems = _problems(location, report, body)
    raise refused(location, _summary(report, body), problems, "sitedata check")


def _unlike(body: bytes) -> str:
    """Return what JSON is that has no member of a snapshot; empty if it has one."""
    kind = described(body, {of.metadata.get(NAME, of.name) for of in attrs.fields(Snapshot)})
    return kind and f"{kind}: expected a snapshot, as sitedata build writes it"


def _summary(report: Report, body: bytes, *, is_strict: bool = False) -> str:
    errors, warnings = len(report.errors), len(report.warnings)
    more = " (no more are listed)" if FINDINGS_CAP in (errors, warnings) else ""
    if report.snapshot is None:
        return _unlike(body) or f"not a valid snapshot: {plural(errors, 'problem')}{more}"
    files = report.snapshot.problems
    problems = format_total(len(solved(files)), len(files), "solved problem")
    strict = ", refused because of --strict" if warnings and is_strict else ""
    return f"a valid snapshot of {problems}: {plural(warnings, 'warning')}{more}{strict}"
