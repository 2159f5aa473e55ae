"""The rules for music URLs: which catalog hosts a snapshot may point to.

Source: device-status specification, "Music", rules 3 and 4.  A URL is parsed by the WHATWG URL
Standard and judged by its parts; the text itself is kept and returned unchanged.

Invariant *judge the parsed host*: what decides is the host after parsing (lower case, punycode),
never a prefix or a suffix of the text.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

import ada_url
import attrs

from purewire.text import has_control, is_trimmed

__all__ = ["ITUNES", "CatalogHosts", "artwork_fault", "is_https", "track_fault"]

_COMMON: Final = re.compile(
    r"https://((?:[a-z0-9]++(?:-[a-z0-9]++)*+\.)++[a-z]++)/[A-Za-z0-9._~/?=&%-]*+"
)
"""URLs whose parts need no parser: no credentials, no port, a plain host of ASCII labels."""


def _parsed_host(host: str) -> str:
    """Give a configured host as the parser gives hosts; empty where it is none."""
    try:
        parsed = ada_url.URL(f"https://{host.removeprefix('.')}/")
    except ValueError:
        return ""
    # Text with a user, a port or a path is no host, though it begins or ends with one.
    return parsed.hostname if parsed.href == f"https://{parsed.hostname}/" else ""


def _parsed_hosts(hosts: Iterable[str]) -> frozenset[str]:
    return frozenset(map(_parsed_host, [hosts] if isinstance(hosts, str) else hosts))


@attrs.frozen
class CatalogHosts:
    """The hosts of one music catalog; what is no host matches nothing.

    Attributes:
        artwork_domain: artwork lies on hosts strictly below this domain.
        track_hosts: track pages lie on exactly these hosts.

    """

    artwork_domain: str = attrs.field(default="mzstatic.com", converter=_parsed_host)
    track_hosts: frozenset[str] = attrs.field(
        default=("music.apple.com", "itunes.apple.com"), converter=_parsed_hosts
    )

    def has_artwork_host(self, host: str) -> bool:
        """Tell whether a parsed host is strictly below the artwork domain."""
        domain = self.artwork_domain
        below = host.removesuffix(f".{domain}")
        return bool(domain) and below != host and all(below.split("."))

    def has_track_host(self, host: str) -> bool:
        """Tell whether a parsed host is one of the track hosts."""
        return host in self.track_hosts


ITUNES: Final = CatalogHosts()
"""The default preset: the iTunes Search catalog."""


def artwork_fault(url: str, catalog: CatalogHosts) -> str | None:
    """Give the id of the rule that an artwork URL breaks, or None."""
    return _fault(url, catalog.has_artwork_host)


def track_fault(url: str, catalog: CatalogHosts) -> str | None:
    """Give the id of the rule that a track URL breaks, or None."""
    return _fault(url, catalog.has_track_host)


def is_https(url: str) -> bool:
    """Tell whether text is a valid URL whose scheme is https."""
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return False
    return is_trimmed(url) and not has_control(url) and parsed.protocol == "https:"


def _fault(url: str, has_host: Callable[[str], bool]) -> str | None:
    common = _COMMON.fullmatch(url)
    if common is not None:
        return None if has_host(common[1]) else "url.host"
    # The standard strips white space and tabs, so the text is judged before it is parsed.
    if not is_trimmed(url):
        return "url.trimmed"
    if has_control(url):
        return "text.control"
    return _parsed_fault(url, has_host)


def _parsed_fault(url: str, has_host: Callable[[str], bool]) -> str | None:
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return "url.parse"
    if parsed.protocol != "https:":
        return "url.scheme"
    if parsed.username or parsed.password:
        return "url.credentials"
    if parsed.port:
        return "url.port"
    return None if has_host(parsed.hostname) else "url.host"
