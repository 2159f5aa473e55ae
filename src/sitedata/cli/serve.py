"""`sitedata serve`: serve the file of a snapshot and its page with uvicorn."""

import asyncio
from argparse import Namespace

from sitedata.adapters.application import asgi_app
from sitedata.cli.check import snapshot_of
from sitedata.cli.inputs import refuse_url
from sitedata.limits import MAX_BYTES
from sitedata.parsing import check
from sitedata.service import PATH
from status_contracts.cli.exit_codes import USAGE, Failed
from status_contracts.cli.files import page_settings, read_file
from status_contracts.cli.serving import listen, serve


def run(arguments: Namespace) -> int:
    """Serve the snapshot until a signal; the file must be valid at the start."""
    page = page_settings(arguments.page_settings)
    refuse_url(arguments.file)
    if arguments.file == "-":
        raise Failed(USAGE, "the standard input cannot be read again: give a file")
    with listen(arguments.host, arguments.port) as listener:
        body = read_file(arguments.file, MAX_BYTES)
        snapshot_of(arguments.file, check(body), body)
        app = asgi_app(arguments.file, page=page)
        return asyncio.run(serve(app, listener, {"/": "page", PATH: "snapshot"}))
