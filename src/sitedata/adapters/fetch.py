"""A published snapshot over HTTP: one question, its answer, and what the cache state makes of it.

What is asked and what an answer means is decided in `sitedata.serving.cache`; here are the clock,
the dice and HTTP.

Invariant *silence is an answer*: whatever the other side does (no connection, a time-out, a body
that breaks off, a redirect that leads nowhere), the state and its next try come back.
Invariant *bounded*: no more than `MOST_BYTES` and a bit of a body is held, packed or unpacked; a
body is given up once `patience_seconds` have passed.
Invariant *nothing to remember you by*: no cookies are sent and no credentials in a URL are used.
Invariant *not in the clear*: plain HTTP is spoken only where `allow_http` says so, also after
redirects; at most five of those are followed.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, closing
from secrets import SystemRandom
from typing import Final, cast

import attrs
import httpx

from purewire.adapters.clocks import system_clock
from purewire.exchange.effects import Clock
from purewire.http.responses import Headers
from sitedata.adapters.compression import CODINGS
from sitedata.serving.cache import CacheState, Outcome
from sitedata.serving.codings import Undecodable
from sitedata.serving.limits import MOST_BYTES

__all__ = ["PATIENCE_SECONDS", "Fetched", "UnusableUrl", "fetch", "fetch_async"]

PATIENCE_SECONDS: Final = 60.0
"""For connecting, for each piece of an answer, and for all of its body."""

Fetched = tuple[CacheState, Outcome]

_REDIRECTS: Final = 5
_LAST_PORT: Final = 65_535
_OK: Final = 200
_RANDOM: Final = SystemRandom()
_CODINGS: Final = {coding.name: coding for coding in CODINGS}
_HEADERS: Final = {
    b"Accept": b"application/json",
    b"Accept-Encoding": ", ".join(_CODINGS).encode("ascii"),
    b"User-Agent": b"sitedata",
}
_FAULTS: Final = (httpx.HTTPError, httpx.InvalidURL, TimeoutError)


class UnusableUrl(ValueError):
    """The URL cannot be asked; the text says why and does not quote it."""


@attrs.frozen(repr=False)
class _Answer:
    """What came back; the body is that of a 200, without content coding."""

    status: int
    headers: Headers
    body: bytes


def fetch(
    url: str,
    state: CacheState,
    *,
    client: httpx.Client,
    clock: Clock = system_clock,
    allow_http: bool = False,
    patience_seconds: float = PATIENCE_SECONDS,
) -> Fetched:
    """Ask for a snapshot, whether or not it is time to; give the new state and what came of it.

    Args:
        url: where the file is.
        state: what is known so far.
        client: asks; its own time-outs and rules on redirects do not count.
        clock: gives the time, ms since the epoch.
        allow_http: ask in the clear as well.
        patience_seconds: how long to wait, see `PATIENCE_SECONDS`.

    Raises UnusableUrl for a URL that is not an absolute https URL without credentials.

    """
    asking = _Asking(_usable(url, allow_http=allow_http), state, clock)
    while not asking.is_done:
        route = asking.route(client, patience_seconds, allow_http=allow_http)
        asking.take(_ask(client, route))
    return asking.fetched


async def fetch_async(
    url: str,
    state: CacheState,
    *,
    client: httpx.AsyncClient,
    clock: Clock = system_clock,
    allow_http: bool = False,
    patience_seconds: float = PATIENCE_SECONDS,
) -> Fetched:
    """Do what `fetch` does, on an event loop; there the patience is for the whole answer."""
    asking = _Asking(_usable(url, allow_http=allow_http), state, clock)
    while not asking.is_done:
        route = asking.route(client, patience_seconds, allow_http=allow_http)
        asking.take(await _ask_async(client, route))
    return asking.fetched


@attrs.define(eq=False)
class _Asking:
    """The questions of one call: a second one only where the first says to ask again at once."""

    url: httpx.URL
    state: CacheState
    clock: Clock
    is_done: bool = False
    outcome: Outcome | None = None

    @property
    def fetched(self) -> Fetched:
        return self.state, cast("Outcome", self.outcome)

    def route(
        self, client: httpx.Client | httpx.AsyncClient, patience_seconds: float, *, allow_http: bool
    ) -> "_Route":
        conditions = {
            name.encode(): value.encode("latin-1") for name, value in self.state.request()
        }
        request = client.build_request(
            "GET", self.url, headers=_HEADERS | conditions, timeout=patience_seconds
        )
        return _Route(request, allow_http, patience_seconds)

    def take(self, answer: _Answer | None) -> None:
        now, jitter = self.clock(), _RANDOM.random()
        if answer is None:
            self.state, outcome = self.state.no_answer(now=now, jitter=jitter)
        else:
            self.state, outcome = self.state.received(
                answer.status, answer.headers, answer.body, now=now, jitter=jitter
            )
        self.outcome = outcome
        self.is_done = outcome.kind != "again" or self.state.next_try_at > now


@attrs.define(eq=False)
class _Route:
    """From a request along redirects to an answer."""

    request: httpx.Request
    allow_http: bool
    patience_seconds: float
    ends: float = attrs.field(init=False)
    left: int = _REDIRECTS

    def __attrs_post_init__(self) -> None:
        self.ends = time.monotonic() + self.patience_seconds
        self.request.headers.pop("cookie", None)

    def follows(self, response: httpx.Response) -> bool:
        """Tell whether there is another request to send, and make it the next one."""
        request = response.next_request
        if request is None or not self.left or _fault(request.url, allow_http=self.allow_http):
            return False
        request.headers.pop("cookie", None)
        self.request, self.left = request, self.left - 1
        return True

    def has_enough(self, body: bytearray) -> bool:
        """Tell whether a body is too long to go on; raises TimeoutError where it takes too long."""
        if time.monotonic() > self.ends:
            raise TimeoutError
        return len(body) > MOST_BYTES


def _ask(client: httpx.Client, route: _Route) -> _Answer | None:
    try:
        while True:
            response = client.send(route.request, stream=True, follow_redirects=False)
            with closing(response):
                if not route.follows(response):
                    return _answer(response, _body(response, route))
    except _FAULTS:
        return None


def _body(response: httpx.Response, route: _Route) -> bytearray:
    body = bytearray()
    if response.status_code == _OK:
        for piece in response.iter_raw():
            body += piece
            if route.has_enough(body):
                break
    return body


async def _ask_async(client: httpx.AsyncClient, route: _Route) -> _Answer | None:
    try:
        async with asyncio.timeout(route.patience_seconds):
            while True:
                response = await client.send(route.request, stream=True, follow_redirects=False)
                async with aclosing(response):
                    if not route.follows(response):
                        return _answer(response, await _body_async(response, route))
    except _FAULTS:
        return None


async def _body_async(response: httpx.Response, route: _Route) -> bytearray:
    body = bytearray()
    if response.status_code == _OK:
        async with _closing(response.aiter_raw()) as pieces:
            async for piece in pieces:
                body += piece
                if route.has_enough(body):
                    break
    return body


def _closing(pieces: AsyncIterator[bytes]) -> aclosing[AsyncGenerator[bytes]]:
    return aclosing(cast("AsyncGenerator[bytes]", pieces))


def _answer(response: httpx.Response, body: bytearray) -> _Answer:
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw
    )
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    return _Answer(response.status_code, headers, _decoded(coding, bytes(body)))


def _decoded(coding: str, body: bytes) -> bytes:
    """Undo the content coding; a body that is not what it says is judged as it came."""
    known = _CODINGS.get(coding.removeprefix("x-"))
    if known is None or len(body) > MOST_BYTES:
        return body
    try:
        return known.decompress(body, MOST_BYTES)
    except Undecodable:
        return body


def _usable(text: str, *, allow_http: bool) -> httpx.URL:
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, UnicodeError):
        raise UnusableUrl("the URL cannot be read") from None
    fault = _fault(url, allow_http=allow_http)
    if fault is not None:
        raise UnusableUrl(fault)
    return url


def _fault(url: httpx.URL, *, allow_http: bool) -> str | None:
    if url.scheme not in {"https", "http"} or not url.host:
        return "the URL must begin with https:// and have a host"
    if url.scheme == "http" and not allow_http:
        return "the URL must begin with https://, unless plain HTTP is allowed"
    if url.userinfo:
        return "the URL must hold no credentials"
    if not (url.port is None or 0 < url.port <= _LAST_PORT):
        return "the URL has no such port"
    try:
        url.host.encode("idna")  # as looking it up does
    except UnicodeError:
        return "the URL has no such host"
    return None
