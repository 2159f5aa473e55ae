"""`devicestatus validate`: list every problem of a body, before a service refuses it."""

from argparse import Namespace

from devicestatus.adapters.commands.inputs import (
    check_body,
    kind_of,
    load_settings,
    parse_time,
    read_file,
)
from purewire.adapters.commands.exit_codes import OK, REFUSED
from purewire.adapters.commands.terminal import echo, write_json
from purewire.structuring.to_builtins import to_builtins

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Validate the body in a file."""
    received_at = (
        None
        if arguments.received_at is None
        else parse_time("--received-at", arguments.received_at)
    )
    body = read_file(arguments.file)
    kind = arguments.kind or kind_of(body)
    findings = check_body(body, kind, received_at, load_settings().catalog)
    if arguments.json:
        found = [to_builtins(finding) for finding in findings]
        write_json({"valid": not findings, "kind": kind, "findings": found})
    else:
        for finding in findings:
            echo(str(finding))
        echo(f"not a valid {kind}: {len(findings)} found" if findings else f"a valid {kind}")
        if received_at is None:
            echo("(not checked: the clock of the device; give --received-at TIME)")
    return REFUSED if findings else OK
