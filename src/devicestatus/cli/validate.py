"""`devicestatus validate`: list every problem of bodies, before a service refuses them."""

from argparse import Namespace

from devicestatus.cli.inputs import load_settings, parse_time, unknown_kind
from devicestatus.limits import RECORD_BYTES
from devicestatus.parsing import Kind, check_body
from status_contracts.cli.arguments import GREEN, RED, Styled
from status_contracts.cli.exit_codes import OK, REFUSED
from status_contracts.cli.files import input_name, read_each, read_input
from status_contracts.cli.problems import Problem, problems_of, shortened
from status_contracts.cli.terminal import echo, write_json
from status_contracts.primitives import plural


def run(arguments: Namespace) -> int:
    """Validate the bodies in files."""
    at = arguments.received_at
    received_at = None if at is None else parse_time("--received-at", at)
    catalog = load_settings().catalog

    def check(name: str) -> tuple[Kind, list[Problem], str]:
        body = read_input(name, RECORD_BYTES)
        kind, findings = check_body(body, received_at=received_at, catalog=catalog)
        return kind, problems_of(input_name(name), findings, body), unknown_kind(body)

    checked, failure = read_each(arguments.files, check, is_whole=arguments.json)
    is_valid = not any(problems for _, problems, _ in checked.values())
    if arguments.json:
        results = {
            name: {"valid": not faults, "kind": kind, "findings": [one.members for one in faults]}
            for name, (kind, faults, _) in checked.items()
        }
        first, *others = results.values()
        listed = [{"file": name, **result} for name, result in results.items()]
        write_json({"valid": is_valid, "files": listed} if others else first)
    else:
        for _, problems, unknown in checked.values():
            for line in () if unknown else shortened(problems):
                echo(line)
        for name, (kind, problems, unknown) in checked.items():
            number = f": {plural(len(problems), 'problem')}" if problems else ""
            words = unknown or f"{'not ' if problems else ''}a valid {kind}"
            text = f"{input_name(name)}: {words}{'' if unknown else number}"
            echo(Styled(text, RED if problems else GREEN, words))
        if received_at is None and any(not problems for _, problems, _ in checked.values()):
            echo("(not checked: the clock of the device; give --received-at TIME)")
    if failure:
        raise failure
    return OK if is_valid else REFUSED
