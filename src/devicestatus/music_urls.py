"""Validate music URLs against the hosts of a music catalog.

A URL is parsed by the WHATWG URL Standard and its parts are validated; the text itself is stored
and returned unchanged.

Invariant *parsed host*: the host after parsing (lower case, punycode) decides, never a prefix or a
suffix of the text.
"""

from collections.abc import Callable, Iterable
from typing import Final

import attrs
import can_ada

from status_contracts.primitives import has_control, is_trimmed

__all__ = ["ITUNES", "CatalogHosts", "artwork_fault", "is_https", "track_fault"]

_INVALID: Final = (TypeError, ValueError)
"""What the parser raises: TypeError for text with surrogates, which UTF-8 cannot encode."""


def _parsed_host(host: str) -> str:
    """Return a configured host as the parser writes it; empty if it is no host."""
    try:
        parsed = can_ada.parse(f"https://{host.removeprefix('.')}/")
    except _INVALID:
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
        is_below = host.endswith(f".{self.artwork_domain}") and self.artwork_domain != ""
        return is_below and ".." not in host and not host.startswith(".")  # no empty label


ITUNES: Final = CatalogHosts()
"""The default: the hosts of the iTunes Search catalog."""


def artwork_fault(url: str, catalog: CatalogHosts) -> str | None:
    """Return the id of the rule that an artwork URL breaks, or None."""
    return _fault(url, catalog.has_artwork_host)


def track_fault(url: str, catalog: CatalogHosts) -> str | None:
    """Return the id of the rule that a track URL breaks, or None."""
    return _fault(url, catalog.track_hosts.__contains__)


def is_https(url: str) -> bool:
    """Check whether text is a valid URL whose scheme is https."""
    try:
        parsed = can_ada.parse(url)
    except _INVALID:
        return False
    return parsed.protocol == "https:" and _text_fault(url) is None


def _text_fault(url: str) -> str | None:
    if not is_trimmed(url):
        return "url.trimmed"
    return "text.control" if has_control(url) else None


def _fault(url: str, has_host: Callable[[str], bool]) -> str | None:
    try:
        parsed = can_ada.parse(url)
    except _INVALID:
        return _text_fault(url) or "url.parse"
    # The parser strips white space and removes tabs: what it leaves unchanged has none.
    if parsed.href != url and (rule := _text_fault(url)) is not None:
        return rule
    if parsed.protocol != "https:":
        return "url.scheme"
    if parsed.has_credentials():
        return "url.credentials"
    if has_host(parsed.host):  # with the port, unless that is 443
        return None
    return "url.port" if parsed.port else "url.host"
