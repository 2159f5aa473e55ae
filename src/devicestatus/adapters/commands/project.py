"""`devicestatus project`: show the response of `/api/now` for a window at a server time."""

from argparse import Namespace

from devicestatus.adapters.commands.inputs import load_settings, load_state
from devicestatus.adapters.commands.messages import state_lines
from devicestatus.http import views
from purewire.adapters.commands.exit_codes import OK
from purewire.adapters.commands.terminal import echo, write_json
from purewire.structuring.to_builtins import to_builtins


def run(arguments: Namespace) -> int:
    """Project the window, or show the snapshot, in a file."""
    state = load_state(arguments.file, arguments.at, load_settings())
    if arguments.json:
        write_json(to_builtins(views.now(state)))
    else:
        for line in state_lines(state):
            echo(line)
    return OK
