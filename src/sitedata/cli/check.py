"""`sitedata check`: list all problems of snapshots and all broken publishing rules."""

from argparse import Namespace
from collections.abc import Mapping
from functools import partial

from sitedata.cli.inputs import report_of
from sitedata.limits import FINDINGS_CAP
from sitedata.models import Snapshot
from sitedata.parsing import Report
from sitedata.views.selecting import format_total, solved
from status_contracts.cli.exit_codes import OK, REFUSED, Failed
from status_contracts.cli.files import input_name, read_each
from status_contracts.cli.terminal import echo_error, echo_wrapped, finding_lines, write_json
from status_contracts.primitives import plural
from status_contracts.structuring.converter import unstructure


def run(arguments: Namespace) -> int:
    """Check the snapshots."""
    read = partial(report_of, allow_http=arguments.allow_http)
    checked, failure = read_each(arguments.snapshots, read, is_whole=arguments.json)
    if arguments.json:
        _write_json(checked)
    else:
        for name, report in checked.items():
            for line in (
                *finding_lines(input_name(name), report.errors),
                *finding_lines(input_name(name), report.warnings, is_error=False),
            ):
                echo_wrapped(line)
        for name, report in checked.items():
            echo_wrapped(f"{input_name(name)}: {_summary(report, is_strict=arguments.strict)}")
    if failure:
        raise failure
    is_refused = any(
        report.errors or (arguments.strict and report.warnings) for report in checked.values()
    )
    return REFUSED if is_refused else OK


def _write_json(checked: Mapping[str, Report]) -> None:
    results = {
        name: {
            "errors": list(map(unstructure, report.errors)),
            "warnings": list(map(unstructure, report.warnings)),
        }
        for name, report in checked.items()
    }
    if len(results) == 1:
        write_json(*results.values())
    else:
        write_json({"files": [{"file": name, **result} for name, result in results.items()]})


def snapshot_of(location: str, report: Report) -> Snapshot:
    """Return the snapshot of a report; if there is none, write its errors and raise Failed."""
    if report.snapshot is None:
        name = input_name(location)
        for line in (*finding_lines(name, report.errors), f"{name}: {_summary(report)}"):
            echo_error(line)
        raise Failed(REFUSED)
    return report.snapshot


def _summary(report: Report, *, is_strict: bool = False) -> str:
    errors, warnings = len(report.errors), len(report.warnings)
    more = " (no more are listed)" if FINDINGS_CAP in (errors, warnings) else ""
    if report.snapshot is None:
        return f"not a valid snapshot: {plural(errors, 'error')}{more}"
    files = report.snapshot.problems
    problems = format_total(len(solved(files)), len(files), "solved problem")
    refused = ", refused because of --strict" if warnings and is_strict else ""
    return f"a valid snapshot of {problems}: {plural(warnings, 'warning')}{more}{refused}"
