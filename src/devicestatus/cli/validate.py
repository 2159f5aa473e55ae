"""`devicestatus validate`: list every problem of bodies, before a service refuses them."""

from argparse import Namespace

from devicestatus.cli.inputs import check_body, load_settings, parse_time
from devicestatus.limits import RECORD_BYTES
from devicestatus.music_urls import CatalogHosts
from devicestatus.parsing import Kind, kind_of
from status_contracts.cli.exit_codes import OK, REFUSED
from status_contracts.cli.files import input_name, read_input
from status_contracts.cli.terminal import echo_wrapped, finding_lines, write_json
from status_contracts.findings import Finding
from status_contracts.primitives import plural
from status_contracts.structuring.converter import unstructure


def run(arguments: Namespace) -> int:
    """Validate the bodies in files."""
    files, at = arguments.files, arguments.received_at
    received_at = None if at is None else parse_time("--received-at", at)
    catalog = load_settings().catalog
    checked = [_check(name, received_at, catalog) for name in files]
    is_valid = not any(findings for _, findings in checked)
    if arguments.json:
        results = [
            {"valid": not findings, "kind": kind, "findings": list(map(unstructure, findings))}
            for kind, findings in checked
        ]
        listed = [{"file": name, **result} for name, result in zip(files, results, strict=True)]
        write_json(results[0] if len(files) == 1 else {"valid": is_valid, "files": listed})
    else:
        for name, (_, findings) in zip(map(input_name, files), checked, strict=True):
            for line in finding_lines(name, findings):
                echo_wrapped(line)
        for name, (kind, findings) in zip(map(input_name, files), checked, strict=True):
            number = f": {plural(len(findings), 'problem')}" if findings else ""
            echo_wrapped(f"{name}: {'not ' if findings else ''}a valid {kind}{number}")
        if received_at is None:
            echo_wrapped("(not checked: the clock of the device; give --received-at TIME)")
    return OK if is_valid else REFUSED


def _check(
    name: str, received_at: int | None, catalog: CatalogHosts
) -> tuple[Kind, tuple[Finding, ...]]:
    body = read_input(name, RECORD_BYTES)
    kind = kind_of(body)
    return kind, check_body(body, kind, received_at, catalog)
