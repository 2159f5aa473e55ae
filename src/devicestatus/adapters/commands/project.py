"""`devicestatus project`: what `/api/now` would tell of a window at a server time."""

from argparse import Namespace

from devicestatus.adapters.commands.agent_messages import shown
from devicestatus.adapters.commands.inputs import settings, state_at
from devicestatus.http import views
from purewire.adapters.commands.exit_codes import OK
from purewire.adapters.commands.terminal import echo, write_json
from purewire.structuring.to_builtins import to_plain

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Project the window, or show the snapshot, in a file."""
    state = state_at(arguments.file, arguments.at, settings())
    if arguments.json:
        write_json(to_plain(views.now(state)))
    else:
        for line in shown(state):
            echo(line)
    return OK
