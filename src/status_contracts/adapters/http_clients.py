"""What HTTP clients share: which URLs they request, how much they read, and why a request failed.

Invariant *no URL is quoted*: it may contain a secret, and a message ends in a log.
"""

import ssl
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

import httpx2

__all__ = [
    "FAILURES", "UNREACHABLE", "UnusableUrl", "find_problem", "parse_url", "read_start",
    "reason_of", "tls_failure",
]  # fmt: skip

_MAX_PORT: Final = 65_535
# A Location is parsed though no redirect is followed, and may be no valid URL: httpx2 passes on the
# ValueError of urllib.
FAILURES: Final = (httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError)
"""What a client or a request raises that has no response; OSError is of a file of certificates, and
the TimeoutError of `asyncio.timeout`, which has to be around it: the timeouts of httpx2 begin anew
with each piece that arrives."""
UNREACHABLE: Final = (
    "the service cannot be reached: check the URL, the network, and that the service runs"
)
_FAILED: Final[tuple[tuple[tuple[type[Exception], ...], str], ...]] = (
    ((TimeoutError, httpx2.TimeoutException), "it took too long"),
    ((httpx2.ProxyError,), "the proxy refuses the connection: check HTTPS_PROXY"),
    ((httpx2.ConnectError,), UNREACHABLE),
    ((httpx2.NetworkError,), "the connection was lost"),
    ((OSError,), "no certificates to trust can be read: check SSL_CERT_FILE, and open files"),
)
"""What an exception means for a user, the first that applies."""


class UnusableUrl(ValueError):
    """A URL that must not, or cannot, be requested; the text has the reason."""


def parse_url(text: str) -> httpx2.URL:
    """Parse an absolute URL, http or https, without credentials; raise UnusableUrl."""
    try:
        url = httpx2.URL(text)
    except (httpx2.InvalidURL, UnicodeError):
        raise UnusableUrl("the URL is not valid") from None
    if problem := find_problem(url):
        raise UnusableUrl(problem)
    return url


def find_problem(url: httpx2.URL) -> str | None:
    """Return why a URL cannot be requested; None if it can."""
    try:
        url.host.encode("idna")  # as the name lookup does
    except UnicodeError:
        return "the host of the URL is not valid"
    if url.scheme not in {"https", "http"} or not url.host:
        return "the URL must begin with https:// or http:// and have a host"
    if url.userinfo:
        return "the URL must not contain credentials"
    if not (url.port is None or 0 < url.port <= _MAX_PORT):
        return f"the port of the URL must be 1 to {_MAX_PORT}"
    return None


async def read_start(pieces: AsyncGenerator[bytes], most_bytes: int) -> bytes:
    """Return a body; of one that is longer than `most_bytes`, the pieces until it is."""
    body = bytearray()
    async with aclosing(pieces):
        async for piece in pieces:
            body += piece
            if len(body) > most_bytes:
                break
    return bytes(body)


def reason_of(error: Exception) -> str:
    """Return why there is no response, with a remedy; quotes nothing of the exception."""
    reasons = (reason for types, reason in _FAILED if isinstance(error, types))
    unusable = "the connection ended without a valid HTTP response: check the URL"
    return tls_failure(error) or next(reasons, unusable)


def tls_failure(cause: BaseException | None) -> str | None:
    """Return why TLS failed, and the remedy; None if it is not the cause of an error."""
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            reason = cause.verify_message.partition(",")[0]  # the rest may quote the host
            return (
                f"TLS failed: the certificate is not accepted, {reason}: renew it on the server,"
                " check this machine's clock and the host in the URL, or name a file to trust in"
                " SSL_CERT_FILE"
            )
        is_waiting = isinstance(cause, ssl.SSLWantReadError | ssl.SSLWantWriteError)
        if isinstance(cause, ssl.SSLError) and not is_waiting:
            return (
                f"TLS failed: protocol error {cause.reason or type(cause).__name__}: check that the"
                " port is one for https, and that the server offers TLS 1.2 or later"
            )
        cause = cause.__cause__ or cause.__context__
    return None
