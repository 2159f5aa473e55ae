"""`devicestatus project`: show the response of `/api/now` for a window at a server time."""

from argparse import Namespace
from collections.abc import Iterator

from devicestatus.adapters.commands.inputs import load_settings, load_state
from devicestatus.engine.state import Offline, Online
from devicestatus.engine.status_text import (
    deadline_text,
    format_time,
    reason_text,
    snapshot_fields,
)
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
        for line in _lines(state):
            echo(line)
    return OK


def _lines(state: Online | Offline) -> Iterator[str]:
    """Yield the lines that describe the public status."""
    if isinstance(state, Offline):
        yield f"offline: {reason_text(state.reason, state.gap)}"
        return
    yield f"online until {deadline_text(state.deadline)}"
    if state.playback is not None:
        yield f"played back at {format_time(state.playback.at)}"
    yield from (f"{name}: {text}" for name, text in snapshot_fields(state.snapshot).items())
