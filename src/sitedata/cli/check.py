"""`sitedata check`: list all problems of snapshots and all broken publishing rules."""

from argparse import Namespace
from collections.abc import Mapping

from sitedata.cli.inputs import report_of
from sitedata.limits import FINDINGS_CAP
from sitedata.parsing import Report
from status_contracts.cli.exit_codes import OK, REFUSED
from status_contracts.cli.reports import (
    check_report_names,
    faults_of_json,
    write_reports,
)
from status_contracts.cli.terminal import echo_wrapped, write_json
from status_contracts.primitives import plural
from status_contracts.structuring.converter import unstructure


def run(arguments: Namespace) -> int:
    """Check the snapshots."""
    check_report_names(arguments.report, ".xml")
    checked = {
        name: report_of(name, allow_http=arguments.allow_http)
        for name in dict.fromkeys(arguments.snapshots)
    }
    faults = [
        fault
        for name, report in checked.items()
        for fault in (
            *faults_of_json(name, report.errors),
            *faults_of_json(name, report.warnings, is_error=arguments.strict),
        )
    ]
    if arguments.json:
        _write_json(checked)
    else:
        summaries = [f"{name}: {_summary(report)}" for name, report in checked.items()]
        for line in (*faults, *summaries):
            echo_wrapped(line)
    write_reports(arguments.report, "sitedata check", list(checked), faults)
    return REFUSED if any(fault.is_error for fault in faults) else OK


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


def _summary(report: Report) -> str:
    errors, warnings = len(report.errors), len(report.warnings)
    more = " (no more are listed)" if FINDINGS_CAP in (errors, warnings) else ""
    if report.snapshot is None:
        return f"not a valid snapshot: {plural(errors, 'error')}{more}"
    problems = plural(len(report.snapshot.problems), "problem")
    return f"a valid snapshot of {problems}: {plural(warnings, 'warning')}{more}"
