"""The option `--report FILE`, whose suffix chooses the format.

Problems of checked files are written as SARIF 2.1.0 or JUnit XML, for CI services and editors.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import PurePath
from typing import Any, Final, Literal, TypeVar
from urllib.parse import quote
from xml.etree import ElementTree as ET

import attrs

from purewire.adapters.commands.exit_codes import USAGE, Failed
from purewire.adapters.commands.files import write_file
from purewire.adapters.contract import read_contract
from purewire.findings import Finding
from purewire.json import codec
from purewire.json.positions import find_positions
from purewire.primitives import printable_xml

Value = TypeVar("Value")
_DOCUMENTS: Final = "https://github.com/status-contracts/status-contracts/blob/main/docs/reference/"
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_STATED: Final = re.compile(r"line (\d+), column (\d+): ")
"""How a message about broken JSON text starts."""
_ABSOLUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


@attrs.frozen
class Problem:
    """A problem of a file.

    Attributes:
        case: what was checked, one of `ProblemReport.cases`.
        file: path of the file, with `/`; relative to the working folder, absolute, or a URL.
        level: `warning` if the check succeeds nevertheless.
        line: line of the file, from 1; None if it is about the whole file.
        column: column in code points, from 1; None if unknown.
        member: the JSON pointer, or the name of a table's column; None if it is about all of it.

    """

    case: str
    file: str
    rule: str
    message: str
    level: Literal["error", "warning"] = "error"
    line: int | None = None
    column: int | None = None
    member: str | None = None

    def __str__(self) -> str:
        numbers = [str(number) for number in (self.line, self.column) if number is not None]
        member = f" {self.member}" if self.member else ""
        return f"{':'.join([self.file, *numbers])}{member}: {self.message} [{self.rule}]"


@attrs.frozen
class ProblemReport:
    """The result of a check of files.

    Attributes:
        tool: the command: `devicestatus validate`, for example.
        cases: what was checked: files, or profiles.
        rules: id to description, of at least the rules with problems.
        contract: id of a finding to the ids of the rules of the contract that it reports.

    """

    tool: str
    version: str
    help_url: str
    cases: tuple[str, ...]
    problems: tuple[Problem, ...]
    rules: Mapping[str, str]
    contract: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)


def problems_of_json(
    file: str,
    body: bytes,
    findings: Sequence[Finding],
    level: Literal["error", "warning"] = "error",
) -> list[Problem]:
    """Return findings about JSON text as problems with line and column."""
    positions = find_positions(body, [finding.path for finding in findings])
    problems: list[Problem] = []
    for finding in findings:
        stated = _STATED.match(finding.message)
        line, column = map(int, stated.groups()) if stated else positions[finding.path]
        problems.append(
            Problem(
                case=file,
                file=file,
                rule=finding.rule,
                message=finding.message,
                level=level,
                line=line,
                column=column,
                member=finding.path or None,
            )
        )
    return problems


def sarif_problems(report: ProblemReport) -> bytes:
    """Return the report as SARIF 2.1.0."""
    ids = sorted(report.rules)
    driver = {
        "name": report.tool,
        "version": report.version,
        "informationUri": report.help_url,
        "rules": [_sarif_rule(report, identifier) for identifier in ids],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(problem, ids) for problem in report.problems],
    }
    return codec.encode({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _sarif_rule(report: ProblemReport, identifier: str) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": identifier,
        "shortDescription": {"text": report.rules[identifier]},
        "helpUri": report.help_url,
    }
    if identifier in report.contract:
        rule["properties"] = {"tags": list(report.contract[identifier])}
    return rule


def _sarif_result(problem: Problem, ids: list[str]) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(problem.file)}}
    region = {"startLine": problem.line or 1}
    if problem.column is not None:
        region["startColumn"] = problem.column
    location: dict[str, Any] = {"physicalLocation": {**physical, "region": region}}
    if problem.member:
        location["logicalLocations"] = [
            {"fullyQualifiedName": problem.member, "kind": "member"},
        ]
    return {
        "ruleId": problem.rule,
        "ruleIndex": ids.index(problem.rule),
        "level": problem.level,
        "message": {"text": f"{problem.member}: {problem.message}"}
        if problem.member
        else {"text": problem.message},
        "locations": [location],
    }


def _uri(file: str) -> str:
    if _ABSOLUTE.match(file):
        return file
    return f"file://{quote(file)}" if file.startswith("/") else quote(file)


def junit_problems(report: ProblemReport) -> bytes:
    """Return the report as JUnit XML: a test case for each file or profile.

    A case with errors has a failure; warnings are its output.
    """
    failed = {problem.case for problem in report.problems if problem.level == "error"}
    count = {"tests": str(len(report.cases)), "failures": str(len(failed))}
    root = ET.Element("testsuites", count)
    suite = ET.SubElement(root, "testsuite", {"name": report.tool, **count})
    for case in report.cases:
        element = ET.SubElement(
            suite, "testcase", classname=report.tool.replace(" ", "."), name=printable_xml(case)
        )
        lines = [str(problem) for problem in report.problems if problem.case == case]
        text = printable_xml("\n".join(lines))
        if case in failed:
            message = f"{len(lines)} problem{'' if len(lines) == 1 else 's'}"
            ET.SubElement(element, "failure", message=message).text = text
        elif lines:
            ET.SubElement(element, "system-out").text = text
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


REPORT_FORMATS: Final[Mapping[str, Callable[[ProblemReport], bytes]]] = {
    ".sarif": sarif_problems,
    ".xml": junit_problems,
}
"""The suffix of a file to the format that it has."""


def check_report_names(names: Sequence[str], formats: Mapping[str, object]) -> None:
    """Raise Failed for an unknown suffix of a report file, before anything is checked."""
    for name in names:
        if PurePath(name).suffix not in formats:
            raise Failed(USAGE, f"--report {name}: the suffix is none of {', '.join(formats)}")


def write_reports(
    names: Sequence[str], formats: Mapping[str, Callable[[Value], bytes]], value: Value
) -> None:
    """Write a value to files in the formats of their suffixes."""
    for name in names:
        write_file(name, formats[PurePath(name).suffix](value))


def write_problems(
    names: Sequence[str],
    tool: str,
    cases: Sequence[str],
    problems: Sequence[Problem],
    *,
    page: str,
    rules: Mapping[str, str],
) -> None:
    """Write problems as SARIF or JUnit XML.

    The first word of `tool` is the product, and `page` describes its rules; the message of a
    problem stands for a description that is missing in `rules`.
    """
    contract: dict[str, tuple[str, ...]] = {}
    for rule in read_contract(tool.partition(" ")[0]).rules.values():
        for finding in rule.findings:
            contract[finding] = (*contract.get(finding, ()), rule.id)
    messages = {problem.rule: problem.message for problem in problems}
    report = ProblemReport(
        tool=tool,
        version=version("status-contracts"),
        help_url=f"{_DOCUMENTS}{page}",
        cases=tuple(cases),
        problems=tuple(problems),
        rules={identifier: rules.get(identifier, text) for identifier, text in messages.items()},
        contract=contract,
    )
    write_reports(names, REPORT_FORMATS, report)
