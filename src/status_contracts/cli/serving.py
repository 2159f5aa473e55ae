"""Serve an ASGI application with uvicorn, in the caller's event loop.

Invariant *no headers in logs*: there is no access log; only failures are logged.
Invariant *the caller stops it*: uvicorn handles no signals here.  The end of the block stops it;
requests in progress have 3 seconds to finish.
Invariant *no long collections*: the garbage collector does not visit the objects that exist at the
start, mostly modules; otherwise it would stop the server for some 50 ms again and again.
"""

import asyncio
import errno
import gc
import logging
import os
import socket
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from ipaddress import ip_address
from typing import Final, NoReturn

import uvicorn

from status_contracts.adapters.asgi import App, Receive, Scope, Send
from status_contracts.cli.arguments import PORTS
from status_contracts.cli.exit_codes import CANNOT, USAGE, Failed
from status_contracts.cli.terminal import echo

_LOG: Final = logging.getLogger("status_contracts")
_GRACE_SECONDS: Final = 3
_REMEDIES: Final = {
    errno.EADDRINUSE: "; give another --port, or 0 for any free one",
    errno.EACCES: "; give a --port of 1024 or more",
    errno.EADDRNOTAVAIL: "; give a --host that this machine has",
}


def _without_traceback(app: App) -> App:
    """Handle the cancellation of requests at shutdown, for which uvicorn logs a traceback."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except asyncio.CancelledError:
            _LOG.warning("a request was still in progress")

    return serve


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 means any free port."""
    if port not in PORTS:
        raise Failed(USAGE, f"--port: {port} is not from {PORTS[0]} to {PORTS[-1]}")
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(address, family=family)
    except UnicodeError:
        raise Failed(CANNOT, f"{host!r} is not a host name") from None
    except OSError as error:
        raise Failed(CANNOT, f"cannot listen on port {port} of {host}: {_reason(error)}") from None
    # Connections inherit it; asyncio sets it only on sockets created with a protocol number.
    # Without it the body of a response waits 40 ms for the client to acknowledge the head.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _reason(error: OSError) -> str:
    """Return the reason and the remedy; asyncio adds the address to the text of the error."""
    if isinstance(error, socket.gaierror) or error.errno is None:
        return str(error.strerror)
    return f"{os.strerror(error.errno)}{_REMEDIES.get(error.errno, '')}"


def base_url(listener: socket.socket) -> str:
    """Return the base URL of a listening socket, without a slash at the end."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(listener: socket.socket) -> bool:
    """Check whether only this machine can connect to a listening socket."""
    return ip_address(listener.getsockname()[0].partition("%")[0]).is_loopback


@asynccontextmanager
async def serving(app: App, listener: socket.socket) -> AsyncIterator[asyncio.Task[None]]:
    """Serve while the block runs; yield the task, which ends early only if the server fails."""
    server = _Server(
        uvicorn.Config(
            _without_traceback(app),
            interface="asgi3",
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
    )
    gc.freeze()
    task = asyncio.create_task(server.serve([listener]))
    try:
        while not (server.started or task.done()):  # noqa: ASYNC110 - uvicorn sets no event
            await asyncio.sleep(0.001)
        yield task
    finally:
        server.should_exit = True
        gc.unfreeze()
        await task


async def serve(
    app: App,
    listener: socket.socket,
    pages: Mapping[str, str],
    notes: Iterable[str] = (),
    *,
    warning: str | None = None,
) -> NoReturn:
    """Serve until the task is cancelled; print what is served once requests are accepted.

    `pages` are paths with descriptions; `warning` is printed if other machines can connect.
    """
    async with serving(app, listener) as server:
        url = base_url(listener)
        for path, description in pages.items():
            echo(f"{url}{path}  {description}")
        for note in notes:
            echo(note)
        if warning is not None and not is_loopback(listener):
            echo(warning)
        await asyncio.wait([server])
    raise Failed(CANNOT, "the server stopped unexpectedly")
