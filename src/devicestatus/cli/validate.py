"""`devicestatus validate`: list every problem of bodies, before a service refuses them."""

from argparse import Namespace

from devicestatus.cli.inputs import check_body, load_settings, parse_time, read_file
from devicestatus.music_urls import CatalogHosts
from devicestatus.parsing import Kind, kind_of
from status_contracts.cli.exit_codes import OK, REFUSED
from status_contracts.cli.reports import (
    check_report_names,
    faults_of_json,
    write_reports,
)
from status_contracts.cli.terminal import echo, echo_wrapped, write_json
from status_contracts.findings import Finding
from status_contracts.primitives import plural
from status_contracts.structuring.converter import unstructure


def run(arguments: Namespace) -> int:
    """Validate the bodies in files."""
    names, files = arguments.report, arguments.files
    check_report_names(names, ".xml")
    at = arguments.received_at
    received_at = None if at is None else parse_time("--received-at", at)
    catalog = load_settings().catalog
    checked = [_check(name, arguments.kind, received_at, catalog) for name in files]
    faults = [
        fault
        for name, (_, findings) in zip(files, checked, strict=True)
        for fault in faults_of_json(name, findings)
    ]
    if arguments.json:
        results = [
            {"valid": not findings, "kind": kind, "findings": list(map(unstructure, findings))}
            for kind, findings in checked
        ]
        listed = [{"file": name, **result} for name, result in zip(files, results, strict=True)]
        write_json(results[0] if len(files) == 1 else {"valid": not faults, "files": listed})
    else:
        for fault in faults:
            echo_wrapped(fault)
        for name, (kind, findings) in zip(files, checked, strict=True):
            number = plural(len(findings), "problem")
            echo(f"{name}: {f'not a valid {kind}: {number}' if findings else f'a valid {kind}'}")
        if received_at is None:
            echo("(not checked: the clock of the device; give --received-at TIME)")
    write_reports(names, "devicestatus validate", files, faults)
    return REFUSED if faults else OK


def _check(
    name: str, kind: Kind | None, received_at: int | None, catalog: CatalogHosts
) -> tuple[Kind, tuple[Finding, ...]]:
    body = read_file(name)
    kind = kind or kind_of(body)
    return kind, check_body(body, kind, received_at, catalog)
