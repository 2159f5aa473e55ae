"""HTTP client of the agents: sends uploads to one service and returns its responses.

Invariant *the token goes to one host*: no redirect is followed, plain HTTP goes to this machine
only (unless `insecure` is set) and never through a proxy.
Invariant *an attempt ends*: after `timeout_seconds`, whatever the other side does, and no more than
the start of a response is read.
Invariant *nothing private is reported*: a failure is reported by what its type means, never by the
text of the exception, which may quote the token or the body.
Invariant *the token is not shown*: it is held as a `Credential`; no frame here has a local variable
that shows it, as a traceback with locals would.
"""

import asyncio
import ssl
from collections.abc import Mapping
from ipaddress import ip_address
from secrets import SystemRandom
from typing import Final, Self, final

import attrs
import httpx2

from devicestatus import limits
from devicestatus.agent.delivery import JITTER, Decision, decide, estimate_skew, parse_response
from devicestatus.parsing import Kind
from devicestatus.settings import Settings
from status_contracts.adapters.clocks import system_clock
from status_contracts.adapters.http_clients import (
    FAILURES,
    UnusableUrl,
    parse_url,
    read_start,
    reason_of,
)
from status_contracts.exchange import Clock
from status_contracts.findings import Finding

__all__ = ["DEFAULT_TIMEOUT_SECONDS", "Credential", "Destination", "UploadReport", "send_upload"]

_PATHS: Final[Mapping[Kind, str]] = {"snapshot": "/api/update", "window": "/api/batch"}
DEFAULT_TIMEOUT_SECONDS: Final = 20.0
"""Time limit for connecting, sending and the response together."""
_RANDOM: Final = SystemRandom()
_MAX_BYTES: Final = 65_536  # a response of the service has 100
_HEADERS: Final = {
    b"Content-Type": b"application/json",
    b"Accept-Encoding": b"identity",
    b"User-Agent": b"devicestatus-agent",
}


@final
class Credential:
    """A bearer token that can be added to requests; it is never shown."""

    __slots__ = ("_value",)

    def __init__(self, token: str) -> None:
        # An unpaired surrogate (undecodable environment) has no UTF-8, and the error of a strict
        # encoder would carry the token.
        self._value = b"Bearer " + token.encode("utf-8", "surrogatepass")

    def authorize(self, request: httpx2.Request) -> httpx2.Request:
        """Add the token to a request, as `auth` of a client; return the request."""
        request.headers = httpx2.Headers([*request.headers.raw, (b"Authorization", self._value)])
        return request

    def __repr__(self) -> str:
        return "Credential(***)"


@attrs.frozen
class Destination:
    """Target of uploads."""

    url: httpx2.URL
    credential: Credential
    upload: Kind = "snapshot"

    @classmethod
    def from_url(
        cls, base_url: str, token: str, *, upload: Kind = "snapshot", insecure: bool = False
    ) -> Self:
        """Return the destination of uploads to a service.

        The URL is without `/api`; `insecure` allows plain HTTP to other machines.

        Raises:
            UnusableUrl: the token must not be sent to this URL.
            TypeError: the token is no text.
            ValueError: the service would not accept the token, or there are no such uploads.

        """
        if upload not in _PATHS:
            del token
            raise ValueError(f"upload: must be {' or '.join(_PATHS)}, not {upload!r}")
        if (fault := _token_fault(token)) is not None:
            del token
            raise fault
        credential = Credential(token)
        del token  # the locals of this frame may be shown
        _check_url(base_url, insecure=insecure)
        return cls(httpx2.URL(base_url.rstrip("/") + _PATHS[upload]), credential, upload)


def _check_url(base_url: str, *, insecure: bool) -> None:
    url = parse_url(base_url)
    if "?" in base_url or "#" in base_url:
        raise UnusableUrl("the URL must have no query and no fragment")
    for path in _PATHS.values():
        if base_url.rstrip("/").endswith(path):
            raise UnusableUrl(f"the URL must be that of the service: leave out {path}")
    if url.scheme == "http" and not insecure and not _is_loopback(url.host):
        raise UnusableUrl("plain http would send the token unencrypted: use https, or --insecure")


def _token_fault(token: object) -> Exception | None:
    """Return the exception for a token that no service accepts; it does not show the token."""
    if not isinstance(token, str):
        return TypeError(f"token: must be text, not {type(token).__name__}: is INGEST_TOKEN set?")
    if Settings(token).token is None:
        return ValueError(
            f"token: must have {limits.TOKEN_LENGTH_MIN} to {limits.TOKEN_LENGTH_MAX} characters"
            f" without white space, as INGEST_TOKEN of the service; this one has {len(token)}"
        )
    return None


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@attrs.frozen
class UploadReport:
    """The result of one attempt.

    Attributes:
        findings: why the body was not sent.
        error: why there was no response, or type of the exception in place of a snapshot.
        exception: the one in place of a snapshot; its text may quote what is private.
        lifetime_ms: how long the service shows an accepted upload; else None.

    """

    decision: Decision
    findings: tuple[Finding, ...] = ()
    error: str | None = None
    lifetime_ms: int | None = None
    exception: Exception | None = attrs.field(default=None, eq=False, repr=False)

    @property
    def text(self) -> str:
        """The message of the decision for a user, and why there was no response."""
        message = self.decision.message
        return message if self.error is None else f"{message} ({self.error})"


async def send_upload(
    destination: Destination,
    body: bytes,
    *,
    attempt: int = 1,
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
    clock: Clock = system_clock,
) -> UploadReport:
    """Send one body, over a connection of its own, because the next upload is minutes away.

    Args:
        destination: where it is sent.
        body: a snapshot or a window, as the destination has it.
        attempt: 1, and one more for each failure in a row before.
        timeout_seconds: time limit of all together.
        clock: returns the time, ms since the epoch.

    """
    response, skew, error = None, None, None
    is_tls = destination.url.scheme == "https"
    sent_at = clock()
    try:
        client = httpx2.AsyncClient(
            # Reading all authorities takes long, and without TLS none is needed: trust none.
            verify=is_tls or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            follow_redirects=False,
            # A proxy from the environment is used for TLS only, so it cannot read the token.
            trust_env=is_tls,
            timeout=timeout_seconds,
            auth=destination.credential.authorize,
            headers=_HEADERS,
        )
        sending = client.stream("POST", destination.url, content=body)
        async with asyncio.timeout(timeout_seconds), client, sending as stream:
            start = (await read_start(stream.aiter_raw(), _MAX_BYTES))[:_MAX_BYTES]
            answer = parse_response(stream.status_code, start, stream.headers.get("date"))
            response = attrs.evolve(answer, url=str(destination.url))
    except FAILURES as fault:
        error = reason_of(fault)
    else:
        skew = estimate_skew(response.date_ms, sent_at=sent_at, received_at=clock())
    decision = decide(
        response,
        upload=destination.upload,
        attempt=attempt,
        jitter=_RANDOM.uniform(*JITTER),
        skew=skew,
        sent_bytes=len(body),
    )
    lifetime_ms = None if response is None else response.lifetime_ms
    return UploadReport(decision, error=error, lifetime_ms=lifetime_ms)
