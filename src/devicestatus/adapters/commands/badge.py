"""`devicestatus badge`: draw the badge of a record at a server time, or of any text."""

from argparse import Namespace

from devicestatus.adapters.commands.inputs import load_settings, load_state
from devicestatus.engine.state import Online
from devicestatus.rendering import badge
from devicestatus.settings import Settings
from purewire.adapters.commands.exit_codes import OK, USAGE, Failed
from purewire.adapters.commands.files import write_output
from purewire.adapters.commands.terminal import write_json


def run(arguments: Namespace) -> int:
    """Draw the badge, or print its text."""
    configured = load_settings()
    text, online = _text(arguments, configured)
    label = configured.service_name if arguments.label is None else arguments.label
    if arguments.json:
        write_json({"label": label, "text": text, "online": online})
        return OK
    image = badge.render(label, text, online=online)
    write_output(arguments.output, image)
    return OK


def _text(arguments: Namespace, settings: Settings) -> tuple[str, bool]:
    if arguments.file is None:
        if arguments.text is None or arguments.at is not None:
            raise Failed(USAGE, "give a FILE and --at TIME, or --text TEXT")
        return arguments.text, not arguments.offline
    if arguments.at is None or arguments.text is not None or arguments.offline:
        raise Failed(
            USAGE, "with a FILE, --at TIME is required, and --text and --offline are not allowed"
        )
    state = load_state(arguments.file, arguments.at, settings)
    snapshot = state.snapshot if isinstance(state, Online) else None
    return badge.status_text(snapshot), snapshot is not None
