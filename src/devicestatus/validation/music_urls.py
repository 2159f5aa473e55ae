"""The rules for music URLs: which catalog hosts a snapshot may point to.

Source: device-status specification, "Music", rules 3 and 4.  A URL is parsed by the WHATWG URL
Standard and judged by its parts; the text itself is kept and returned unchanged.

Invariant *judge the parsed host*: what decides is the host after parsing (lower case, punycode),
never a prefix or a suffix of the text.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

import attrs

from purewire.text import has_control, is_trimmed

if TYPE_CHECKING:
    from ada_url import URL

__all__ = ["ITUNES", "CatalogHosts", "artwork_fault", "is_https", "track_fault"]

_LABEL: Final = "[a-z0-9]++(?:-[a-z0-9]++)*+"
_HOST: Final = re.compile(rf"(?:{_LABEL}\.)++[a-z]++")
_TAIL: Final = "/[A-Za-z0-9._~/?=&%-]*+"
"""What needs no parser: plain hosts of ASCII labels, and what common URLs have behind the host."""


def _parsed_host(host: str) -> str:
    """Return a configured host in the parser's form; empty where it is no host."""
    if _HOST.fullmatch(host):
        return host  # the form that the parser returns
    try:
        parsed = _parsed(f"https://{host.removeprefix('.')}/")
    except ValueError:
        return ""
    # Text with a user, a port or a path is no host, though it begins or ends with one.
    return parsed.hostname if parsed.href == f"https://{parsed.hostname}/" else ""


def _parsed(url: str) -> "URL":
    """Parse a URL by the WHATWG URL Standard; raise ValueError where it is none."""
    return _parser()(url)


@cache
def _parser() -> "type[URL]":
    # ada_url takes long to import, and common URLs do not need it.
    parser: type[URL] = import_module("ada_url").URL
    return parser


def _common(below: str, hosts: Iterable[str]) -> re.Pattern[str]:
    """Give the expression of common URLs on some hosts: without credentials and port."""
    plain = "|".join(re.escape(host) for host in sorted(hosts) if _HOST.fullmatch(host))
    return re.compile(f"https://{below}(?:{plain}){_TAIL}" if plain else "(?!)")


def _parsed_hosts(hosts: Iterable[str]) -> frozenset[str]:
    return frozenset(map(_parsed_host, [hosts] if isinstance(hosts, str) else hosts))


@attrs.frozen
class CatalogHosts:
    """The hosts of one music catalog; what is no host matches nothing.

    Attributes:
        artwork_domain: artwork lies on hosts strictly below this domain.
        track_hosts: track pages lie on exactly these hosts.
        common_artwork: matches common URLs that keep the rules of artwork; others may, too.
        common_track: the same of track pages.

    """

    artwork_domain: str = attrs.field(default="mzstatic.com", converter=_parsed_host)
    track_hosts: frozenset[str] = attrs.field(
        default=("music.apple.com", "itunes.apple.com"), converter=_parsed_hosts
    )
    common_artwork: re.Pattern[str] = attrs.field(init=False, eq=False, repr=False)
    common_track: re.Pattern[str] = attrs.field(init=False, eq=False, repr=False)

    @common_artwork.default
    def _common_artwork(self) -> re.Pattern[str]:
        return _common(rf"(?:{_LABEL}\.)+?", [self.artwork_domain])

    @common_track.default
    def _common_track(self) -> re.Pattern[str]:
        return _common("", self.track_hosts)

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
    if catalog.common_artwork.fullmatch(url) is not None:
        return None
    return _fault(url, catalog.has_artwork_host)


def track_fault(url: str, catalog: CatalogHosts) -> str | None:
    """Give the id of the rule that a track URL breaks, or None."""
    if catalog.common_track.fullmatch(url) is not None:
        return None
    return _fault(url, catalog.has_track_host)


def is_https(url: str) -> bool:
    """Tell whether text is a valid URL whose scheme is https."""
    try:
        parsed = _parsed(url)
    except ValueError:
        return False
    return is_trimmed(url) and not has_control(url) and parsed.protocol == "https:"


def _fault(url: str, has_host: Callable[[str], bool]) -> str | None:
    # The standard strips white space and tabs, so the text is judged before it is parsed.
    if not is_trimmed(url):
        return "url.trimmed"
    if has_control(url):
        return "text.control"
    return _parsed_fault(url, has_host)


def _parsed_fault(url: str, has_host: Callable[[str], bool]) -> str | None:
    try:
        parsed = _parsed(url)
    except ValueError:
        return "url.parse"
    if parsed.protocol != "https:":
        return "url.scheme"
    if parsed.username or parsed.password:
        return "url.credentials"
    if parsed.port:
        return "url.port"
    return None if has_host(parsed.hostname) else "url.host"
