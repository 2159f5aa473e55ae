"""The option `--report FILE`: faults of checked files as JUnit XML, for CI services."""

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from xml.etree import ElementTree as ET

import attrs

from status_contracts.cli.exit_codes import USAGE, Failed
from status_contracts.cli.files import write_file
from status_contracts.findings import Finding
from status_contracts.primitives import plural, printable_xml


@attrs.frozen
class Fault:
    """A fault of a file.

    Attributes:
        case: what was checked: a file, a profile or a rule.
        file: path of the file, with `/`; relative to the working folder, absolute, or a URL.
        is_error: false if the check succeeds nevertheless.
        line: line of a table, from 1; None if it is unknown, or the fault is about all of it.
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
        place = f"{self.file}{line}{member}: " if self.file else ""
        return f"{place}{'' if self.is_error else 'warning: '}{self.message} [{self.rule}]"


def faults_of_json(file: str, findings: Iterable[Finding], *, is_error: bool = True) -> list[Fault]:
    """Return findings about a JSON file as faults."""
    return [
        Fault(file, file, finding.rule, finding.message, is_error, member=finding.path or None)
        for finding in findings
    ]


def junit_xml(tool: str, cases: Sequence[str], faults: Sequence[Fault]) -> bytes:
    """Return the faults that a command found as JUnit XML: a test case for each of the cases.

    A case with errors has a failure; warnings are its output.
    """
    failed = {fault.case for fault in faults if fault.is_error}
    count = {"tests": str(len(cases)), "failures": str(len(failed))}
    root = ET.Element("testsuites", count)
    suite = ET.SubElement(root, "testsuite", {"name": tool, **count})
    for case in cases:
        element = ET.SubElement(
            suite, "testcase", classname=tool.replace(" ", "."), name=printable_xml(case)
        )
        lines = [str(fault) for fault in faults if fault.case == case]
        text = printable_xml("\n".join(lines))
        if case in failed:
            message = plural(len(lines), "problem")
            ET.SubElement(element, "failure", message=message).text = text
        elif lines:
            ET.SubElement(element, "system-out").text = text
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def check_report_names(names: Sequence[str], *suffixes: str) -> None:
    """Raise Failed for an unknown suffix of a report file, before anything is checked."""
    for name in names:
        if PurePath(name).suffix not in suffixes:
            raise Failed(USAGE, f"--report {name}: the suffix is none of {', '.join(suffixes)}")


def write_reports(
    names: Sequence[str], tool: str, cases: Sequence[str], faults: Sequence[Fault]
) -> None:
    """Write a report to files, as `junit_xml` returns it."""
    for name in names:
        write_file(name, junit_xml(tool, cases, faults))
