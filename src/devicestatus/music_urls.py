"""Validate music URLs against the hosts of a music catalog.

A URL is parsed by the WHATWG URL Standard and its parts are validated; the text itself is stored
and returned unchanged.

Invariant *parsed host*: the host after parsing (lower case, punycode) decides, never a prefix or a
suffix of the text.
"""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

import attrs

from status_contracts.primitives import has_control, is_trimmed

__all__ = ["ITUNES", "CatalogHosts", "artwork_fault", "is_https", "track_fault"]

if TYPE_CHECKING:
    from ada_url import URL

_HOST: Final = r"(?:[a-z0-9]++(?:-[a-z0-9]++)*+\.)++[a-z]++"
"""Hosts of plain ASCII labels, which the parser returns unchanged."""
_PLAIN_HOST: Final = re.compile(_HOST)
_PLAIN_URL: Final = re.compile(f"https://({_HOST})/[A-Za-z0-9._~/?=&%-]*+")
"""URLs that need no parser: trimmed, https, plain host, no credentials, no port."""


def _parse(url: str) -> "URL":
    """Parse a URL by the WHATWG URL Standard; raise ValueError if it is invalid."""
    from ada_url import URL  # noqa: PLC0415 - takes long to import, and plain URLs do not need it

    return URL(url)


def _parsed_host(host: str) -> str:
    """Return a configured host as the parser writes it; empty if it is no host."""
    if _PLAIN_HOST.fullmatch(host):
        return host
    try:
        parsed = _parse(f"https://{host.removeprefix('.')}/")
    except ValueError:
        return ""
    # Text with a user, a port or a path is no host, though it begins or ends with one.
    return parsed.hostname if parsed.href == f"https://{parsed.hostname}/" else ""


def _parsed_hosts(hosts: Iterable[str]) -> frozenset[str]:
    return frozenset(map(_parsed_host, [hosts] if isinstance(hosts, str) else hosts))


@attrs.frozen
class CatalogHosts:
    """The hosts of one music catalog; text that is no host matches nothing.

    Attributes:
        artwork_domain: artwork URLs have hosts strictly below this domain.
        track_hosts: track URLs have exactly these hosts.

    """

    artwork_domain: str = attrs.field(default="mzstatic.com", converter=_parsed_host)
    track_hosts: frozenset[str] = attrs.field(
        default=("music.apple.com", "itunes.apple.com"), converter=_parsed_hosts
    )

    def has_artwork_host(self, host: str) -> bool:
        """Check whether a parsed host is strictly below the artwork domain."""
        domain = self.artwork_domain
        has_empty_label = ".." in f".{host}"
        return host.endswith(f".{domain}") and domain != "" and not has_empty_label

    def has_track_host(self, host: str) -> bool:
        """Check whether a parsed host is one of the track hosts."""
        return host in self.track_hosts


ITUNES: Final = CatalogHosts()
"""The default: the hosts of the iTunes Search catalog."""


def artwork_fault(url: str, catalog: CatalogHosts) -> str | None:
    """Return the id of the rule that an artwork URL breaks, or None."""
    plain = _PLAIN_URL.fullmatch(url)
    is_valid = plain is not None and catalog.has_artwork_host(plain[1])
    return None if is_valid else _fault(url, catalog.has_artwork_host)


def track_fault(url: str, catalog: CatalogHosts) -> str | None:
    """Return the id of the rule that a track URL breaks, or None."""
    plain = _PLAIN_URL.fullmatch(url)
    is_valid = plain is not None and plain[1] in catalog.track_hosts
    return None if is_valid else _fault(url, catalog.has_track_host)


def is_https(url: str) -> bool:
    """Check whether text is a valid URL whose scheme is https."""
    try:
        parsed = _parse(url)
    except ValueError:
        return False
    return is_trimmed(url) and not has_control(url) and parsed.protocol == "https:"


def _fault(url: str, has_host: Callable[[str], bool]) -> str | None:
    """Return the id of the rule that any URL breaks, or None."""
    # The parser strips white space and tabs, so the text is checked before it is parsed.
    if not is_trimmed(url):
        return "url.trimmed"
    if has_control(url):
        return "text.control"
    try:
        parsed = _parse(url)
    except ValueError:
        return "url.parse"
    if parsed.protocol != "https:":
        return "url.scheme"
    if parsed.username or parsed.password:
        return "url.credentials"
    rule = "url.port" if parsed.port else "url.host"
    return rule if parsed.port or not has_host(parsed.hostname) else None
