"""Compute the freshness lifetime of a response for a private cache (RFC 9111).

Invariant *stale when in doubt*: missing, repeated or invalid values make a response stale at once;
there is no heuristic from Last-Modified.
Invariant *bounded*: no response is fresh for longer than a day.
Invariant *linear*: Cache-Control is parsed in time linear in its length.
"""

import re
from collections.abc import Mapping
from typing import Final

import attrs

from purewire.instants import SECOND_MS
from sitedata.limits import MAX_FRESHNESS_MS
from sitedata.serving.headers import HeaderLines, date_value, field_values, parse_seconds

__all__ = ["Freshness", "freshness_of"]

_TCHARS: Final = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]++"
_MEMBER: Final = re.compile(
    rf"[ \t]*+(?:({_TCHARS})(?:=(?:({_TCHARS})|\"((?:[^\"\\]++|\\.)*+)\"))?[ \t]*+)?(?:,|\Z)"
    r"|([^,]++)(?:,|\Z)",
    re.DOTALL,
)
_INVALID: Final = ""  # key of invalid members; directives have names
_MAX_SECONDS: Final = 2**31  # RFC 9111 section 1.2.2: larger numbers mean the same


@attrs.frozen
class Freshness:
    """Freshness of a response.

    Attributes:
        until: instant at which the response becomes stale, ms since the epoch.
        must_revalidate: whether a stale response must not be used, even if the server cannot be
            reached.
        no_store: whether the response must not be stored.

    """

    until: int
    must_revalidate: bool = False
    no_store: bool = False


def freshness_of(headers: HeaderLines, now: int) -> Freshness:
    """Return the freshness of a response.

    Args:
        headers: its header lines.
        now: when it was received, ms since the epoch.

    """
    lines = tuple(headers)
    directives = _directives(",".join(field_values(lines, "cache-control")))
    dated = date_value(lines, "date")
    origin = now if dated is None else dated
    generated = min(now - _age_ms(lines), origin)
    remaining = generated + _lifetime_ms(lines, directives, origin) - now
    return Freshness(
        now + min(max(remaining, 0), MAX_FRESHNESS_MS),
        must_revalidate="must-revalidate" in directives,
        no_store="no-store" in directives,
    )


def _lifetime_ms(headers: HeaderLines, directives: Mapping[str, list[str]], origin: int) -> int:
    """Return the explicit lifetime (RFC 9111 section 4.2.1); 0 if there is none."""
    if not directives.keys().isdisjoint({_INVALID, "no-cache", "no-store"}):
        return 0
    if "max-age" in directives:
        first, *others = directives["max-age"]
        return 0 if others else (parse_seconds(first, _MAX_SECONDS) or 0) * SECOND_MS
    expires = date_value(headers, "expires")
    return 0 if expires is None else expires - origin


def _age_ms(headers: HeaderLines) -> int:
    """Return the age of the response when received (RFC 9111 section 5.1: first value)."""
    first = ",".join(field_values(headers, "age")).partition(",")[0].strip(" \t")
    return (parse_seconds(first, _MAX_SECONDS) or 0) * SECOND_MS


def _directives(header: str) -> dict[str, list[str]]:
    """Map each directive to its arguments, "" for none; invalid members have the key ""."""
    directives: dict[str, list[str]] = {}
    for found in _MEMBER.finditer(header):
        name, token, quoted, invalid = found.groups()
        if invalid is not None:
            name = _INVALID
        if name is not None:
            directives.setdefault(name.lower(), []).append(token or quoted or "")
    return directives
