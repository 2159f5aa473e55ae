"""Fetch a published snapshot over HTTP, and update the state of a client.

Invariant *failures are outcomes*: whatever the server does, the new state is returned.
Invariant *bounded*: all requests together end after `timeout_seconds`, and no more than `MAX_BYTES`
and one piece of a body is held.  Of content codings only gzip is decoded, once: a piece of 64 KiB
then has at most 64 MiB.
Invariant *no identification*: no cookies are sent, and URLs with credentials are refused.
Invariant *encrypted*: plain HTTP is used only with `allow_http`, also after redirects; at most five
redirects are followed.
"""

import asyncio
from contextlib import aclosing
from typing import Final

import httpx2

from sitedata.client import CacheState, Outcome
from sitedata.limits import MAX_BYTES
from status_contracts.adapters.clocks import system_clock
from status_contracts.adapters.http_clients import (
    FAILURES,
    UnusableUrl,
    find_problem,
    parse_url,
    read_start,
    reason_of,
)
from status_contracts.exchange import Clock
from status_contracts.messages import Headers

TIMEOUT_SECONDS: Final = 60.0
"""Default time limit for connecting, redirects and the whole response together."""

Fetched = tuple[CacheState, Outcome]

_MAX_REDIRECTS: Final = 5
_OK: Final = 200
_GZIP: Final = "gzip"
_HEADERS: Final = {
    b"Accept": b"application/json",
    b"Accept-Encoding": _GZIP.encode("ascii"),
    b"User-Agent": b"sitedata",
}


def fetch(
    url: str,
    state: CacheState,
    *,
    clock: Clock = system_clock,
    allow_http: bool = False,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> Fetched:
    """Request a snapshot, even while the state is fresh; return the new state and the outcome.

    On an event loop, await `fetch_async`.  `clock` returns ms since the epoch.

    Raises:
        UnusableUrl: the URL is not an absolute https URL without credentials.

    """

    async def run() -> Fetched:
        async with httpx2.AsyncClient() as client:
            return await fetch_async(
                url,
                state,
                client=client,
                clock=clock,
                allow_http=allow_http,
                timeout_seconds=timeout_seconds,
            )

    return asyncio.run(run())


async def fetch_async(
    url: str,
    state: CacheState,
    *,
    client: httpx2.AsyncClient,
    clock: Clock = system_clock,
    allow_http: bool = False,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> Fetched:
    """Fetch as `fetch` does, by a client whose timeouts and redirect rules are overridden."""
    target = parse_url(url)
    if target.scheme == "http" and not allow_http:
        raise UnusableUrl("the URL must begin with https://; plain HTTP needs --allow-http")
    conditions = {name.encode(): value.encode("latin-1") for name, value in state.request()}
    ends_at = asyncio.get_running_loop().time() + timeout_seconds
    for is_last in (False, True):
        request = client.build_request(
            "GET", target, headers=_HEADERS | conditions, timeout=timeout_seconds
        )
        try:
            async with asyncio.timeout_at(ends_at):
                response = await _send(client, request, allow_http=allow_http)
        except FAILURES as error:
            return state, Outcome("kept", f"no response ({reason_of(error)})")
        fetched = state.received(*response, now=clock())
        if is_last or fetched[1].kind != "again":
            break
    return fetched


async def _send(
    client: httpx2.AsyncClient, request: httpx2.Request, *, allow_http: bool
) -> tuple[int, Headers, bytes]:
    """Return status, headers and body; the body is empty unless the status is 200."""
    redirects_left = _MAX_REDIRECTS
    while True:
        request.headers.pop("cookie", None)
        response = await client.send(request, stream=True, follow_redirects=False)
        async with aclosing(response):
            following = response.next_request
            if (
                following is None
                or not redirects_left
                or find_problem(following.url) is not None
                or (following.url.scheme == "http" and not allow_http)
            ):
                headers = tuple(
                    (name.decode("latin-1"), value.decode("latin-1"))
                    for name, value in response.headers.raw
                )
                body = await _body_of(response) if response.status_code == _OK else b""
                return response.status_code, headers, body
        request, redirects_left = following, redirects_left - 1


async def _body_of(response: httpx2.Response) -> bytes:
    coding = response.headers.get("content-encoding", "").strip().lower()
    pieces = response.aiter_bytes() if coding == _GZIP else response.aiter_raw()
    return await read_start(pieces, MAX_BYTES)
