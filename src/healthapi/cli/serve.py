"""`healthapi serve`: serve the profiles of a folder with uvicorn."""

import asyncio
from argparse import Namespace
from contextlib import suppress
from typing import Final

from healthapi.adapters.application import asgi_app
from healthapi.cli.inputs import no_data, reading, see_check, source_of, warn_left_out
from healthapi.endpoints import ROOT
from healthapi.errors import DataError
from status_contracts.cli.files import page_settings
from status_contracts.cli.serving import listen, serve
from status_contracts.cli.terminal import echo_warning
from status_contracts.primitives import plural

_PLAIN_HTTP: Final = "plain HTTP: anyone who can reach this address can read the data"


def run(arguments: Namespace) -> int:
    """Read profiles, and serve them until SIGINT or SIGTERM."""
    source = source_of(arguments, is_logged=True)
    app = asgi_app(source, page=page_settings(arguments.page_settings))
    with listen(arguments.host, arguments.port) as listener:
        with reading(arguments.folder):
            ids = source.ids()
        readable = []
        for profile_id in ids:
            with suppress(DataError, KeyError, OSError):  # The source logs the reason.
                readable.append(source.profile(profile_id))
        unreadable = len(ids) - len(readable)
        if not (unreadable or any(profile.snapshot or profile.daily for profile in readable)):
            echo_warning(*see_check(no_data(arguments), arguments.folder))
        pages = {
            "/": "page",
            f"{ROOT}/docs": "API reference",
            f"{ROOT}/profiles": "profiles as JSON",
        }
        number = plural(len(ids), "profile")
        words = f"{number}, {unreadable} of them unreadable"
        notes = see_check(words, arguments.folder) if unreadable else (number,)
        warn_left_out(readable, arguments.folder)
        return asyncio.run(serve(app, listener, pages, notes, warning=_PLAIN_HTTP))
