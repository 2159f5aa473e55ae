"""`sitedata check`: list all problems of snapshots and all broken publishing rules."""

from argparse import Namespace
from collections.abc import Mapping
from typing import Final

from sitedata.cli.inputs import report_of
from sitedata.limits import FINDINGS_CAP
from sitedata.parsing import Report
from status_contracts.cli.exit_codes import OK, REFUSED
from status_contracts.cli.reports import (
    check_report_names,
    faults_of_json,
    write_reports,
)
from status_contracts.cli.terminal import echo, format_table, write_json
from status_contracts.findings import Finding
from status_contracts.primitives import plural
from status_contracts.structuring.converter import unstructure

_HEADS: Final = ("kind", "path", "rule", "message")


def run(arguments: Namespace) -> int:
    """Check the snapshots."""
    check_report_names(arguments.report, ".xml")
    checked = {
        name: report_of(name, allow_http=arguments.allow_http)
        for name in dict.fromkeys(arguments.snapshots)
    }
    if arguments.json:
        _write_json(checked)
    else:
        for name, report in checked.items():
            if len(checked) > 1:
                echo(f"{name}:")
            _echo(report)
    if arguments.report:
        problems = [
            problem
            for name, report in checked.items()
            for problem in (
                *faults_of_json(name, report.errors),
                *faults_of_json(name, report.warnings, is_error=arguments.strict),
            )
        ]
        write_reports(arguments.report, "sitedata check", list(checked), problems)
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


def _echo(report: Report) -> None:
    rows = [_row("error", finding) for finding in report.errors]
    rows += [_row("warning", finding) for finding in report.warnings]
    for line in format_table(_HEADS, rows):
        echo(line)
    echo(_summary(report))


def _row(kind: str, finding: Finding) -> tuple[str, ...]:
    return kind, finding.path or "(whole file)", finding.rule, finding.message


def _summary(report: Report) -> str:
    errors, warnings = len(report.errors), len(report.warnings)
    more = " (no more are listed)" if FINDINGS_CAP in (errors, warnings) else ""
    if report.snapshot is None:
        return f"no snapshot: {plural(errors, 'error')}{more}"
    problems = plural(len(report.snapshot.problems), "problem")
    return f"a snapshot of {problems}: {plural(warnings, 'warning')}{more}"
