"""`devicestatus explain`: why a stored record is online or offline, and until when."""

from argparse import Namespace

from devicestatus.adapters.commands.agent_messages import explained, explanation_value
from devicestatus.adapters.commands.inputs import (
    instant,
    lifetime,
    read_file,
    settings,
    stored_value,
)
from devicestatus.engine.explanation import explain
from purewire.adapters.commands.exit_codes import OK
from purewire.adapters.commands.terminal import echo, write_json

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Explain the stored value in a file; a corrupt one is explained as well."""
    configured = settings(ttl=arguments.ttl)
    now = instant("--at", arguments.at)
    lifetime(configured)
    explanation = explain(stored_value(read_file(arguments.file), configured), now, configured)
    if arguments.json:
        write_json(explanation_value(explanation))
    else:
        for line in explained(explanation):
            echo(line)
    return OK
