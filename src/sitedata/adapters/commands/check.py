"""`sitedata check`: list all problems of a snapshot and all broken publishing rules."""

from argparse import Namespace
from typing import Final

from purewire.adapters.commands.exit_codes import OK, REFUSED
from purewire.adapters.commands.terminal import echo, format_table, write_json
from purewire.findings import Finding
from sitedata.adapters.commands.inputs import report_of
from sitedata.limits import FINDINGS_CAP
from sitedata.reading.checking import Report

__all__ = ["run"]

_HEADS: Final = ("kind", "path", "rule", "message")


def run(arguments: Namespace) -> int:
    """Check the snapshot."""
    report = report_of(arguments.snapshot, allow_http=arguments.allow_http)
    if arguments.json:
        write_json({"errors": _plain(report.errors), "warnings": _plain(report.warnings)})
    else:
        rows = [_row("error", each) for each in report.errors]
        rows += [_row("warning", each) for each in report.warnings]
        for line in format_table(_HEADS, rows):
            echo(line)
        echo(_summary(report))
    is_refused = report.errors or (arguments.strict and report.warnings)
    return REFUSED if is_refused else OK


def _plain(findings: tuple[Finding, ...]) -> list[dict[str, str]]:
    return [{"path": each.path, "rule": each.rule, "message": each.message} for each in findings]


def _row(kind: str, finding: Finding) -> tuple[str, ...]:
    return kind, finding.path or "(whole file)", finding.rule, finding.message


def _summary(report: Report) -> str:
    errors, warnings = len(report.errors), len(report.warnings)
    more = " (no more are listed)" if FINDINGS_CAP in (errors, warnings) else ""
    if report.snapshot is None:
        return f"no snapshot: {_counted(errors, 'error')}{more}"
    problems = _counted(len(report.snapshot.problems), "problem")
    return f"a snapshot of {problems}: {_counted(warnings, 'warning')}{more}"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
