"""Check the URLs that clients request.

Invariant *no URL is quoted*: it may contain a secret, and a message ends in a log.
"""

from typing import Final

import httpx2

_MAX_PORT: Final = 65_535


class UnusableUrl(ValueError):
    """A URL that must not, or cannot, be requested; the text has the reason."""


def parse_url(text: str) -> httpx2.URL:
    """Parse an absolute URL, http or https, without credentials; raise UnusableUrl."""
    try:
        url = httpx2.URL(text)
    except (httpx2.InvalidURL, UnicodeError):
        raise UnusableUrl("the URL is not valid") from None
    problem = find_problem(url)
    if problem is not None:
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
