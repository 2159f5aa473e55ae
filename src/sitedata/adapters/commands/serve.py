"""`sitedata serve`: the file of a snapshot, by uvicorn."""

import asyncio
import socket
from argparse import Namespace
from typing import NoReturn

from purewire.adapters.asgi import Application
from purewire.adapters.clocks import system_clock
from purewire.adapters.commands.exit_codes import CANNOT, Failed
from purewire.adapters.commands.files import read_file
from purewire.adapters.commands.serving import base_url, listen, serving
from purewire.adapters.commands.signals import run_until_stopped
from purewire.adapters.commands.terminal import echo
from sitedata.adapters.asgi import create_app
from sitedata.adapters.files import SnapshotFile
from sitedata.serving.limits import MOST_BYTES
from sitedata.serving.service import PATH

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Serve the snapshot until told to stop; there must be one to begin with."""
    source = SnapshotFile(arguments.file)
    with listen(arguments.host, arguments.port) as listener:
        if source.read(None, system_clock()) is None:
            read_file(arguments.file, MOST_BYTES, regular=True)
            raise Failed(CANNOT, f"{arguments.file} is no snapshot: see sitedata check")
        return run_until_stopped(_serve(create_app(source), listener))


async def _serve(app: Application, listener: socket.socket) -> NoReturn:
    async with serving(app, listener) as server:
        echo(f"{base_url(listener)}{PATH}  snapshot")
        await asyncio.wait([server])
    raise Failed(CANNOT, "the server ended by itself")
