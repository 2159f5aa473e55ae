"""The option `--report FILE`, whose suffix chooses the format.

Problems of checked files are written as JUnit XML, for CI services.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Final, TypeVar
from xml.etree import ElementTree as ET

import attrs

from status_contracts.cli.exit_codes import USAGE, Failed
from status_contracts.cli.files import write_file
from status_contracts.findings import Finding
from status_contracts.primitives import plural, printable_xml

Value = TypeVar("Value")


@attrs.frozen
class Problem:
    """A problem of a file.

    Attributes:
        case: what was checked, one of `ProblemReport.cases`.
        file: path of the file, with `/`; relative to the working folder, absolute, or a URL.
        is_error: false if the check succeeds nevertheless.
        line: line of a table, from 1; None if it is unknown, or the problem is about all of it.
        member: the JSON pointer, or the name of a table's column; None if it is about all of it.

    """

    case: str
    file: str
    rule: str
    message: str
    is_error: bool = True
    line: int | None = None
    member: str | None = None

    def __str__(self) -> str:
        line = "" if self.line is None else f":{self.line}"
        member = f" {self.member}" if self.member else ""
        return f"{self.file}{line}{member}: {self.message} [{self.rule}]"


@attrs.frozen
class ProblemReport:
    """The result of a check of files.

    Attributes:
        tool: the command: `devicestatus validate`, for example.
        cases: what was checked: files, or profiles.

    """

    tool: str
    cases: Sequence[str]
    problems: Sequence[Problem]


def problems_of_json(
    file: str, findings: Iterable[Finding], *, is_error: bool = True
) -> list[Problem]:
    """Return findings about a JSON file as problems."""
    return [
        Problem(file, file, finding.rule, finding.message, is_error, member=finding.path or None)
        for finding in findings
    ]


def junit_problems(report: ProblemReport) -> bytes:
    """Return the report as JUnit XML: a test case for each file or profile.

    A case with errors has a failure; warnings are its output.
    """
    failed = {problem.case for problem in report.problems if problem.is_error}
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
            message = plural(len(lines), "problem")
            ET.SubElement(element, "failure", message=message).text = text
        elif lines:
            ET.SubElement(element, "system-out").text = text
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


REPORT_FORMATS: Final[Mapping[str, Callable[[ProblemReport], bytes]]] = {".xml": junit_problems}
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
