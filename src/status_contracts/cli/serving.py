"""Serve an ASGI application with uvicorn, in the caller's event loop.

Invariant *no headers in logs*: there is no access log; only failures are logged.
Invariant *the caller stops it*: uvicorn handles no signals here.  The end of the block stops it;
requests in progress have 3 seconds to finish.
Invariant *no half request stays*: a connection that waits 30 s for a request, or for the rest of
one, is closed.
Invariant *room for others*: connections take three quarters of the file descriptors, whose limit is
raised first; where there are more, the one that has waited longest for a request is closed.  That
descriptors are lacking nevertheless is logged once a minute.
"""

import asyncio
import errno
import gc
import logging
import os
import socket
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from ipaddress import ip_address
from typing import Any, Final, NoReturn

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from status_contracts.adapters.asgi import App
from status_contracts.cli.arguments import BOLD, Styled
from status_contracts.cli.exit_codes import CANNOT, Failed
from status_contracts.cli.terminal import echo, echo_warning, show_log

_GRACE_SECONDS: Final = 3
_HALF_SECONDS: Final = 30
_MOST_CONNECTIONS: Final = 10_000
_ACCEPTED_AT_ONCE: Final = 128
_QUEUE: Final = 2048
_TICKS: Final = 10  # of uvicorn, in a second
_NO_DESCRIPTORS: Final = "socket.accept() out of system resource"
_SILENT_SECONDS: Final = 60
_PROTOCOL: Final[Any] = AutoHTTPProtocol
_Connection = Any
"""Such a protocol: `cycle` is its last request, with the response."""
_REMEDIES: Final = {
    errno.EADDRINUSE: "; give another --port, or 0 for any free one",
    errno.EACCES: "; give a --port of 1024 or more",
    errno.EADDRNOTAVAIL: "; give a --host that this machine has",
}


class _ForOwner(logging.Filter):
    """Passes what an owner needs; a lack of file descriptors is one line a minute.

    Left out are websockets, of which any client may ask for one, and the tracebacks of requests
    that the end of the server cancels: it logs their number.
    """

    _silent_until = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, OSError) and record.getMessage().startswith(_NO_DESCRIPTORS):
            now = time.monotonic()
            if now < self._silent_until:
                return False
            self._silent_until = now + _SILENT_SECONDS
            record.msg = f"no connection can be accepted: {error.strerror}; raise ulimit -n"
            record.exc_info = None
        is_upgrade = record.funcName == "_unsupported_upgrade_warning"
        return not (is_upgrade or isinstance(error, asyncio.CancelledError))


_FOR_OWNER: Final = _ForOwner()


class _Server(uvicorn.Server):
    """A server that closes the connections that wait for too long."""

    def __init__(self, app: App) -> None:
        descriptors = _raise_limit()
        at_once = min(_ACCEPTED_AT_ONCE, descriptors // 16)  # three times as many before one closes
        self._most = min(_MOST_CONNECTIONS, descriptors * 3 // 4)
        self._waiting: dict[_Connection, tuple[object, float]] = {}
        """Connection to the last request that it had, and since when; the longest first."""
        config = uvicorn.Config(
            app,
            interface="asgi3",
            http=self._connect,  # type: ignore[arg-type]  # called as a class is
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=at_once,
            limit_concurrency=self._most + at_once,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        super().__init__(config)
        for logger in ("uvicorn.error", "asyncio"):
            logging.getLogger(logger).addFilter(_FOR_OWNER)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def on_tick(self, counter: int) -> bool:
        if counter % _TICKS == 0:
            self._close_half_requests()
        return await super().on_tick(counter)

    def _connect(self, **members: object) -> _Connection:
        """Return the protocol of a new connection, and close an old one if there are too many."""
        connection = _PROTOCOL(**members)
        if len(self.server_state.connections) >= self._most:
            waiting = self._waiting.items()
            old = next((one for one, (last, _) in waiting if _is_waiting(one, last)), None)
            if old is not None:
                del self._waiting[old]
                old.transport.abort()
        self._waiting[connection] = None, time.monotonic()
        return connection

    def _close_half_requests(self) -> None:
        now, waiting = time.monotonic(), dict[_Connection, tuple[object, float]]()
        connections: set[Any] = self.server_state.connections
        for connection in connections:
            last, since = self._waiting.get(connection, (None, now))
            if not _is_waiting(connection, last):
                last, since = connection.cycle, now
            waiting[connection] = last, since
            if now - since >= _HALF_SECONDS:
                connection.transport.close()
        self._waiting = dict(sorted(waiting.items(), key=lambda item: item[1][1]))


def _is_waiting(connection: _Connection, last: object) -> bool:
    """Check whether a connection waits for a request after the last, or for the rest of it."""
    cycle = connection.cycle
    is_open = connection.transport is not None and cycle is last
    return is_open and (cycle is None or cycle.response_complete or cycle.more_body)


def _raise_limit() -> int:
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return _MOST_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(ValueError, OSError):  # macOS allows less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
    return 2 * _MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else soft


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 means any free port."""
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


def place_lines(url: str, pages: Mapping[str, str]) -> list[Styled]:
    """Return a line for each path with its description: the URLs are in one column."""
    width = max(map(len, pages.values()))
    return [Styled(f"{name:{width}}  {url}{path}", BOLD, name) for path, name in pages.items()]


@asynccontextmanager
async def serving(app: App, listener: socket.socket) -> AsyncIterator[asyncio.Task[None]]:
    """Serve while the block runs; yield the task, which ends early only if the server fails."""
    server = _Server(app)
    gc.freeze()  # no collection looks again at what was imported
    task = asyncio.create_task(server.serve([listener]))
    try:
        while not (server.started or task.done()):  # noqa: ASYNC110 - uvicorn sets no event
            await asyncio.sleep(0.001)
        listener.listen(_QUEUE)  # more may wait than asyncio accepts at once
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
    show_log()
    async with serving(app, listener) as server:
        url = base_url(listener)
        for line in (*place_lines(url, pages), *notes):
            echo(line)
        address = ip_address(listener.getsockname()[0].partition("%")[0])
        if warning is not None and not address.is_loopback:
            echo_warning(warning)
        await asyncio.wait([server])
    raise Failed(CANNOT, "the server stopped unexpectedly")
