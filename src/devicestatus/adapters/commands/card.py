"""`devicestatus card`: draw the card of a record at a server time."""

from argparse import Namespace

from devicestatus.adapters.commands.inputs import load_record, load_settings, parse_time, ttl_of
from devicestatus.engine.state import shown_value
from devicestatus.rendering.card import card
from purewire.adapters.commands.exit_codes import OK
from purewire.adapters.commands.files import write_output
from purewire.adapters.commands.page_settings import page_settings


def run(arguments: Namespace) -> int:
    """Draw the card, with the owner of the page settings."""
    settings, page = load_settings(), page_settings(arguments.page_settings)
    now = parse_time("--at", arguments.at)
    record = load_record(arguments.file, settings)
    shown = shown_value(record, now=now, ttl_seconds=ttl_of(settings))
    name = arguments.name or page.name or "Device status"
    image = card(shown, at=now, name=name, avatar=page.avatar_url, theme=arguments.theme)
    write_output(arguments.output, image)
    return OK
