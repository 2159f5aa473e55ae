"""Uploads over HTTP: where they go, and what comes back.

Invariant *the token goes to one place*: no redirect is followed, plain HTTP goes to this machine
only (unless the person insists) and never through a proxy.
Invariant *no cookies*: none is stored and none is sent.
Invariant *an attempt ends*: after `patience_seconds`, whatever the other side does, and no more
than the start of an answer is read.
Invariant *nothing private is told*: what is said of a failure is the name of an exception's type,
never its text, which may quote the token or the body.
Invariant *the token is not shown*: it is held as a `Credential`; no frame here has a local variable
that shows it, as a traceback with locals would.
"""

import asyncio
import hmac
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ipaddress import ip_address
from typing import Final, NoReturn, Self, cast, final

import attrs
import httpx

from devicestatus.agent.delivery import Answer, Skew, Upload, estimate_skew, read_answer
from purewire.adapters.clocks import system_clock
from purewire.exchange.effects import Clock

__all__ = ["PATIENCE_SECONDS", "Credential", "Destination", "Sender", "Sent", "UnusableUrl"]

_PATHS: Final[Mapping[Upload, str]] = {"snapshot": "/api/update", "window": "/api/batch"}
PATIENCE_SECONDS: Final = 20.0
"""For connecting, sending and the answer together."""
_ANSWER_BYTES: Final = 65_536  # an answer of the service has 100
_LAST_PORT: Final = 65_535
_HEADERS: Final = {
    b"Content-Type": b"application/json",
    b"Accept-Encoding": b"identity",
    b"User-Agent": b"devicestatus-agent",
}
# A redirect is not followed, but where it leads is read: to a URL that is none, for some.
_FAULTS: Final = (httpx.HTTPError, httpx.InvalidURL, TimeoutError)


class UnusableUrl(ValueError):
    """The URL cannot be an agent's destination; the text says why and does not quote it."""


@final
class Credential:
    """A token as the one who presents it holds it: it goes into requests, and is not shown.

    Copies are the object itself; pickling raises TypeError.
    """

    __slots__ = ("_value",)

    def __init__(self, token: str) -> None:
        # An unpaired surrogate (undecodable environment) has no UTF-8, and the error of a strict
        # encoder would carry the token.
        self._value = b"Bearer " + token.encode("utf-8", "surrogatepass")

    def present(self, request: httpx.Request) -> httpx.Request:
        """Put the token into a request, as `auth` of a client; give the request."""
        request.headers = httpx.Headers([*request.headers.raw, (b"Authorization", self._value)])
        return request

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Credential):
            return NotImplemented
        return hmac.compare_digest(self._value, other._value)

    def __hash__(self) -> int:
        return hash(Credential)  # the same for all: nothing made from the token leaves

    def __repr__(self) -> str:
        return "Credential(***)"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a credential cannot be pickled")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        self.__reduce__()

    def __getstate__(self) -> NoReturn:
        self.__reduce__()


@attrs.frozen
class Destination:
    """Where uploads go; it cannot be pickled.

    Attributes:
        url: the URL of `POST /api/update` or `POST /api/batch`.
        credential: what lets uploads in there.

    """

    url: httpx.URL
    credential: Credential

    @classmethod
    def of(
        cls, base_url: str, token: str, *, upload: Upload = "snapshot", insecure: bool = False
    ) -> Self:
        """Make the destination of a service.

        Args:
            base_url: where the service is, without `/api`.
            token: its ingest token.
            upload: what will be sent.
            insecure: allow plain HTTP to other machines.

        Raises:
            UnusableUrl: the URL is no place to send a token to.

        """
        credential = Credential(token)
        del token  # the locals of this frame may be shown
        fault = _fault(base_url, insecure=insecure)
        if fault is not None:
            raise UnusableUrl(fault)
        return cls(httpx.URL(base_url.rstrip("/") + _PATHS[upload]), credential)


def _fault(base_url: str, *, insecure: bool) -> str | None:
    try:
        url = httpx.URL(base_url)
        url.host.encode("idna")  # as looking it up would
    except (httpx.InvalidURL, UnicodeError):
        return "the URL cannot be read"
    if not (url.port is None or 0 < url.port <= _LAST_PORT):
        return "the URL has no such port"
    if url.scheme not in {"http", "https"} or not url.host:
        return "the URL must begin with https:// or http:// and have a host"
    if url.userinfo or "?" in base_url or "#" in base_url:
        return "the URL must have no user, no query and no fragment"
    if url.scheme == "http" and not insecure and not _is_loopback(url.host):
        return "the token would travel in the clear: use https, or insist with --insecure"
    return None


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@attrs.frozen
class Sent:
    """One attempt.

    Attributes:
        answer: None where there was none.
        skew: how far this machine's clock is off, as far as the answer tells.
        fault: type of the exception that stands for the missing answer.

    """

    answer: Answer | None
    skew: Skew | None = None
    fault: str | None = None


@attrs.frozen
class Sender:
    """Sends bodies to one destination; make it with `opened`.

    Attributes:
        destination: where they go.
        client: what sends them.
        patience_seconds: how long one attempt may take.
        clock: gives the time, ms since the epoch.

    """

    destination: Destination
    client: httpx.AsyncClient
    patience_seconds: float
    clock: Clock

    @classmethod
    @asynccontextmanager
    async def opened(
        cls,
        destination: Destination,
        *,
        patience_seconds: float = PATIENCE_SECONDS,
        clock: Clock = system_clock,
    ) -> AsyncIterator[Self]:
        """Give a sender; it is closed in the end."""
        async with httpx.AsyncClient(
            follow_redirects=False,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            # A proxy that the environment names sees only what TLS shows it.
            trust_env=destination.url.scheme == "https",
            timeout=patience_seconds,
            limits=httpx.Limits(max_keepalive_connections=0),  # the next one is far away
        ) as client:
            yield cls(destination, client, patience_seconds, clock)

    async def send(self, body: bytes) -> Sent:
        """Send one body."""
        url, credential = self.destination.url, self.destination.credential
        sent_at = self.clock()
        sending = self.client.stream(
            "POST", url, content=body, headers=_HEADERS, auth=credential.present
        )
        try:
            async with asyncio.timeout(self.patience_seconds), sending as response:
                start = await _start_of(response)
                answer = read_answer(response.status_code, start, response.headers.get("date"))
        except _FAULTS as fault:
            return Sent(None, fault=type(fault).__name__)
        skew = estimate_skew(answer.date_ms, sent_at=sent_at, answered_at=self.clock())
        return Sent(answer, skew)


async def _start_of(response: httpx.Response) -> bytes:
    body = bytearray()
    async with aclosing(cast("AsyncGenerator[bytes]", response.aiter_raw())) as pieces:
        async for piece in pieces:
            body += piece
            if len(body) > _ANSWER_BYTES:
                break
    return bytes(body[:_ANSWER_BYTES])
