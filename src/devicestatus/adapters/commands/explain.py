"""`devicestatus explain`: explain why a stored record is online or offline, and until when."""

from argparse import Namespace

from devicestatus.adapters.commands.inputs import (
    load_settings,
    parse_time,
    read_file,
    stored_value,
    ttl_of,
)
from devicestatus.adapters.commands.messages import explanation_lines, explanation_value
from devicestatus.engine.explanation import explain
from purewire.adapters.commands.exit_codes import OK
from purewire.adapters.commands.terminal import echo, write_json


def run(arguments: Namespace) -> int:
    """Explain the stored value in a file; a corrupt one is explained as well."""
    configured = load_settings(ttl=arguments.ttl)
    now = parse_time("--at", arguments.at)
    ttl_of(configured)
    explanation = explain(stored_value(read_file(arguments.file), configured), now, configured)
    if arguments.json:
        write_json(explanation_value(explanation))
    else:
        for line in explanation_lines(explanation):
            echo(line)
    return OK
