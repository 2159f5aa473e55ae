"""`sitedata serve`: serve the file of a snapshot and its page with uvicorn."""

import asyncio
import socket
from argparse import Namespace
from typing import NoReturn

from purewire.adapters.asgi import Application
from purewire.adapters.clocks import system_clock
from purewire.adapters.commands.exit_codes import CANNOT, Failed
from purewire.adapters.commands.files import read_file
from purewire.adapters.commands.page_settings import page_settings
from purewire.adapters.commands.serving import base_url, listen, serving
from purewire.adapters.commands.signals import run_until_stopped
from purewire.adapters.commands.terminal import echo
from sitedata.adapters.asgi import create_app
from sitedata.adapters.files import SnapshotFile
from sitedata.limits import MAX_BYTES
from sitedata.serving.service import PATH


def run(arguments: Namespace) -> int:
    """Serve the snapshot until a signal; the file must be valid at the start."""
    page = page_settings(arguments.page_settings)
    source = SnapshotFile(arguments.file)
    with listen(arguments.host, arguments.port) as listener:
        if source.read(None, system_clock()) is None:
            read_file(arguments.file, MAX_BYTES, regular=True)
            raise Failed(
                CANNOT,
                f"{arguments.file} is not a valid snapshot: run sitedata check",
            )
        return run_until_stopped(_serve(create_app(source, page=page), listener))


async def _serve(app: Application, listener: socket.socket) -> NoReturn:
    async with serving(app, listener) as server:
        url = base_url(listener)
        echo(f"{url}/  page")
        echo(f"{url}{PATH}  snapshot")
        await asyncio.wait([server])
    raise Failed(CANNOT, "the server stopped unexpectedly")
