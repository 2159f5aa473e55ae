"""The option `--report FILE`, whose suffix chooses the format."""

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import PurePath
from typing import Final, TypeVar

from purewire.adapters.commands.exit_codes import USAGE, Failed
from purewire.adapters.commands.files import write_file
from purewire.adapters.contract import read_contract
from purewire.problem_reports import REPORT_FORMATS, Problem, ProblemReport

Value = TypeVar("Value")
_DOCUMENTS: Final = "https://github.com/status-contracts/status-contracts/blob/main/docs/reference/"


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
    found = {problem.rule: problem.message for problem in problems}
    report = ProblemReport(
        tool=tool,
        version=version("status-contracts"),
        help_url=f"{_DOCUMENTS}{page}",
        cases=tuple(cases),
        problems=tuple(problems),
        rules={identifier: rules.get(identifier, text) for identifier, text in found.items()},
        contract=contract,
    )
    write_reports(names, REPORT_FORMATS, report)
