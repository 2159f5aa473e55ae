"""Fetch a published snapshot over HTTP, and update the state of a client.

Invariant *failures are outcomes*: whatever the server does, the new state is returned.
Invariant *bounded*: no more than `MAX_BYTES` and one piece of a body is held; reading a body ends
after `timeout_seconds`.  Of content codings only gzip is decoded, once: a piece of 64 KiB then has
at most 64 MiB.
Invariant *no identification*: no cookies are sent, and URLs with credentials are refused.
Invariant *encrypted*: plain HTTP is used only with `allow_http`, also after redirects; at most five
redirects are followed.
"""

import asyncio
import time
from contextlib import aclosing, closing
from typing import Final

import attrs
import httpx2

from sitedata.client import CacheState, Outcome
from sitedata.limits import MAX_BYTES
from status_contracts.adapters.clocks import system_clock
from status_contracts.adapters.http_clients import UnusableUrl, find_problem, parse_url, tls_failure
from status_contracts.exchange import Clock
from status_contracts.messages import Headers

TIMEOUT_SECONDS: Final = 60.0
"""Default timeout of connecting, of each piece of a response, and of its whole body."""

Fetched = tuple[CacheState, Outcome]

_MAX_REDIRECTS: Final = 5
_OK: Final = 200
_GZIP: Final = "gzip"
_HEADERS: Final = {
    b"Accept": b"application/json",
    b"Accept-Encoding": _GZIP.encode("ascii"),
    b"User-Agent": b"sitedata",
}
# httpx2 passes on the ValueError of urllib, which parses the Location of a redirect.
_FAILURES: Final = (httpx2.HTTPError, httpx2.InvalidURL, ValueError, TimeoutError)


_Response = tuple[int, Headers, bytes]
"""Status, headers and body; the body is empty unless the status is 200."""


def fetch(
    url: str,
    state: CacheState,
    *,
    client: httpx2.Client,
    clock: Clock = system_clock,
    allow_http: bool = False,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> Fetched:
    """Request a snapshot, even while the state is fresh; return the new state and the outcome.

    Timeouts and redirect rules of the client are overridden.  `clock` returns ms since the epoch.

    Raises:
        UnusableUrl: the URL is not an absolute https URL without credentials.

    """
    target = _usable(url, allow_http=allow_http)
    for is_last in (False, True):
        route = _route(client, target, state, timeout_seconds, allow_http=allow_http)
        fetched = _received(state, _send(client, route), clock)
        if is_last or fetched[1].kind != "again":
            break
    return fetched


def open_client() -> httpx2.Client:
    """Return a client for `fetch`; the caller must close it."""
    return httpx2.Client()


async def fetch_async(
    url: str,
    state: CacheState,
    *,
    client: httpx2.AsyncClient,
    clock: Clock = system_clock,
    allow_http: bool = False,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> Fetched:
    """Fetch as `fetch` does, on an event loop; the timeout applies to the whole response."""
    target = _usable(url, allow_http=allow_http)
    for is_last in (False, True):
        route = _route(client, target, state, timeout_seconds, allow_http=allow_http)
        fetched = _received(state, await _send_async(client, route), clock)
        if is_last or fetched[1].kind != "again":
            break
    return fetched


def _received(state: CacheState, response: _Response | str, clock: Clock) -> Fetched:
    if isinstance(response, str):
        return state, Outcome("kept", response)
    return state.received(*response, now=clock())


def _route(
    client: httpx2.Client | httpx2.AsyncClient,
    url: httpx2.URL,
    state: CacheState,
    timeout_seconds: float,
    *,
    allow_http: bool,
) -> "_Route":
    conditions = {name.encode(): value.encode("latin-1") for name, value in state.request()}
    headers = _HEADERS | conditions
    request = client.build_request("GET", url, headers=headers, timeout=timeout_seconds)
    request.headers.pop("cookie", None)
    return _Route(request, allow_http, timeout_seconds, time.monotonic() + timeout_seconds)


@attrs.define(eq=False)
class _Route:
    request: httpx2.Request
    allow_http: bool
    timeout_seconds: float
    deadline: float
    redirects_left: int = _MAX_REDIRECTS
    body: bytearray = attrs.field(factory=bytearray)

    def follows(self, response: httpx2.Response) -> bool:
        """Check whether a redirect is followed, and make it the next request."""
        request = response.next_request
        if (
            request is None
            or not self.redirects_left
            or find_problem(request.url) is not None
            or (request.url.scheme == "http" and not self.allow_http)
        ):
            return False
        request.headers.pop("cookie", None)
        self.request, self.redirects_left = request, self.redirects_left - 1
        return True

    def ends_with(self, piece: bytes) -> bool:
        """Add a piece to the body, and check whether it exceeds the limit.

        Raise TimeoutError if it takes too long.
        """
        self.body += piece
        if time.monotonic() > self.deadline:
            raise TimeoutError
        return len(self.body) > MAX_BYTES


def _send(client: httpx2.Client, route: _Route) -> _Response | str:
    try:
        while True:
            response = client.send(route.request, stream=True, follow_redirects=False)
            with closing(response):
                if not route.follows(response):
                    if response.status_code == _OK:
                        pieces = (
                            response.iter_bytes() if _is_gzip(response) else response.iter_raw()
                        )
                        any(map(route.ends_with, pieces))
                    return _to_response(response, route.body)
    except _FAILURES as error:
        return _message(error)


def _message(error: Exception) -> str:
    """Return why there is no response, as far as TLS is the cause."""
    reason = tls_failure(error)
    return "no response" if reason is None else f"no response: {reason}"


async def _send_async(client: httpx2.AsyncClient, route: _Route) -> _Response | str:
    try:
        async with asyncio.timeout(route.timeout_seconds):
            while True:
                response = await client.send(route.request, stream=True, follow_redirects=False)
                async with aclosing(response):
                    if not route.follows(response):
                        if response.status_code == _OK:
                            await _read_body(response, route)
                        return _to_response(response, route.body)
    except _FAILURES as error:
        return _message(error)


async def _read_body(response: httpx2.Response, route: _Route) -> None:
    raw = response.aiter_bytes() if _is_gzip(response) else response.aiter_raw()
    async with aclosing(raw) as pieces:
        async for piece in pieces:
            if route.ends_with(piece):
                break


def _to_response(response: httpx2.Response, body: bytearray) -> _Response:
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw
    )
    return response.status_code, headers, bytes(body)


def _is_gzip(response: httpx2.Response) -> bool:
    return response.headers.get("content-encoding", "").strip().lower() == _GZIP


def _usable(text: str, *, allow_http: bool) -> httpx2.URL:
    url = parse_url(text)
    if url.scheme == "http" and not allow_http:
        raise UnusableUrl("the URL must begin with https://, unless plain HTTP is allowed")
    return url
