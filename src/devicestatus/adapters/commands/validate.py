"""`devicestatus validate`: list every problem of bodies, before a service refuses them."""

from argparse import Namespace

import attrs

from devicestatus.adapters.commands.inputs import (
    Kind,
    check_body,
    kind_of,
    load_settings,
    parse_time,
    read_file,
)
from devicestatus.validation.cross_field import RULES
from purewire.adapters.commands.exit_codes import OK, REFUSED
from purewire.adapters.commands.reports import (
    REPORT_FORMATS,
    check_report_names,
    problems_of_json,
    write_problems,
)
from purewire.adapters.commands.terminal import echo, write_json
from purewire.findings import Finding
from purewire.structuring.to_builtins import to_builtins


@attrs.frozen
class _Checked:
    """A file, what it is, and its problems."""

    file: str
    body: bytes
    kind: Kind
    findings: tuple[Finding, ...]


def run(arguments: Namespace) -> int:
    """Validate the bodies in files."""
    check_report_names(arguments.report, REPORT_FORMATS)
    received_at = (
        None
        if arguments.received_at is None
        else parse_time("--received-at", arguments.received_at)
    )
    catalog = load_settings().catalog
    checked: list[_Checked] = []
    for name in arguments.files:
        body = read_file(name)
        kind = arguments.kind or kind_of(body)
        findings = tuple(check_body(body, kind, received_at, catalog))
        checked.append(_Checked(name, body, kind, findings))
    if arguments.json:
        _write_json(checked)
    else:
        _echo(checked, has_time=received_at is not None)
    if arguments.report:
        problems = [
            problem
            for checked_file in checked
            for problem in problems_of_json(
                checked_file.file, checked_file.body, checked_file.findings
            )
        ]
        names, files = arguments.report, arguments.files
        write_problems(
            names, "devicestatus validate", files, problems, page="rules.md", rules=RULES
        )
    return REFUSED if any(checked_file.findings for checked_file in checked) else OK


def _write_json(checked: list[_Checked]) -> None:
    results = [
        {
            "valid": not checked_file.findings,
            "kind": checked_file.kind,
            "findings": [to_builtins(finding) for finding in checked_file.findings],
        }
        for checked_file in checked
    ]
    if len(checked) == 1:
        write_json(results[0])
        return
    files = [
        {"file": checked_file.file, **result}
        for checked_file, result in zip(checked, results, strict=True)
    ]
    write_json(
        {"valid": not any(checked_file.findings for checked_file in checked), "files": files}
    )


def _echo(checked: list[_Checked], *, has_time: bool) -> None:
    for checked_file in checked:
        start = f"{checked_file.file}: " if len(checked) > 1 else ""
        for finding in checked_file.findings:
            echo(f"{start}{finding}")
        verdict = f"not a valid {checked_file.kind}: {len(checked_file.findings)} found"
        echo(start + (verdict if checked_file.findings else f"a valid {checked_file.kind}"))
    if not has_time:
        echo("(not checked: the clock of the device; give --received-at TIME)")
