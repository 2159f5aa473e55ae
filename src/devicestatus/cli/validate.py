"""`devicestatus validate`: list every problem of bodies, before a service refuses them."""

from argparse import Namespace

from devicestatus.cli.inputs import load_settings, parse_time
from devicestatus.limits import RECORD_BYTES
from devicestatus.parsing import Kind, check_body
from status_contracts.cli.exit_codes import OK, REFUSED
from status_contracts.cli.files import input_name, read_each, read_input
from status_contracts.cli.terminal import echo_wrapped, finding_lines, write_json
from status_contracts.findings import Finding
from status_contracts.primitives import plural
from status_contracts.structuring.converter import unstructure


def run(arguments: Namespace) -> int:
    """Validate the bodies in files."""
    at = arguments.received_at
    received_at = None if at is None else parse_time("--received-at", at)
    catalog = load_settings().catalog

    def check(name: str) -> tuple[Kind, tuple[Finding, ...]]:
        body = read_input(name, RECORD_BYTES)
        return check_body(body, received_at=received_at, catalog=catalog)

    checked, failure = read_each(arguments.files, check, is_whole=arguments.json)
    problems = [finding for _, findings in checked.values() for finding in findings]
    if arguments.json:
        results = {
            name: {"valid": not findings, "kind": kind, "findings": [*map(unstructure, findings)]}
            for name, (kind, findings) in checked.items()
        }
        first, *others = results.values()
        listed = [{"file": name, **result} for name, result in results.items()]
        write_json({"valid": not problems, "files": listed} if others else first)
    else:
        for name, (_, findings) in checked.items():
            for line in finding_lines(input_name(name), findings):
                echo_wrapped(line)
        for name, (kind, findings) in checked.items():
            number = f": {plural(len(findings), 'problem')}" if findings else ""
            echo_wrapped(f"{input_name(name)}: {'not ' if findings else ''}a valid {kind}{number}")
        if any(finding.path == "/schema_version" for finding in problems):
            echo_wrapped("(schema_version: 1 for a snapshot, 2 for a window)")
        if received_at is None and any(not findings for _, findings in checked.values()):
            echo_wrapped("(not checked: the clock of the device; give --received-at TIME)")
    if failure:
        raise failure
    return REFUSED if problems else OK
