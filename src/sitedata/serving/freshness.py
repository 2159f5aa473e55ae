"""How long an answer may be used without asking again, for a private cache (RFC 9111).

Invariant *doubt is stale*: whatever is missing, given twice, or cannot be read makes an answer
stale at once; nothing is guessed from Last-Modified.
Invariant *bounded*: no answer is fresh for longer than a day.
Invariant *linear*: any Cache-Control is read in time linear in its length.
"""

import re
from collections.abc import Mapping
from typing import Final

import attrs

from purewire.instants import SECOND_MS
from sitedata.serving.headers import Fields, date_of, lines_of, seconds_of
from sitedata.serving.limits import LONGEST_FRESH_MS

__all__ = ["Freshness", "freshness_of"]

_WORD: Final = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]++"
_MEMBER: Final = re.compile(
    rf"[ \t]*+(?:({_WORD})(?:=(?:({_WORD})|\"((?:[^\"\\]++|\\.)*+)\"))?[ \t]*+)?(?:,|\Z)"
    r"|([^,]++)(?:,|\Z)",
    re.DOTALL,
)
_UNREADABLE: Final = ""  # no name of a directive
_MOST_SECONDS: Final = 2**31  # RFC 9111 section 1.2.2: no larger number means more


@attrs.frozen
class Freshness:
    """What an answer says about its use.

    Attributes:
        until: from this instant on the answer is stale, ms since the epoch.
        must_revalidate: whether a stale answer must not pass for a current one, also where the
            server cannot be asked.
        no_store: whether nothing of it may be written anywhere.

    """

    until: int
    must_revalidate: bool = False
    no_store: bool = False


def freshness_of(fields: Fields, now: int) -> Freshness:
    """Judge an answer.

    Args:
        fields: its header lines.
        now: when it was there, ms since the epoch.

    """
    lines = tuple(fields)
    directives = _directives(",".join(lines_of(lines, "cache-control")))
    dated = date_of(lines, "date")
    origin = now if dated is None else dated
    born = min(now - _age_ms(lines), origin)
    left = born + _lifetime_ms(lines, directives, origin) - now
    return Freshness(
        now + min(max(left, 0), LONGEST_FRESH_MS),
        must_revalidate="must-revalidate" in directives,
        no_store="no-store" in directives,
    )


def _lifetime_ms(fields: Fields, directives: Mapping[str, list[str]], origin: int) -> int:
    """Give the lifetime that the answer states (RFC 9111 section 4.2.1); 0 where it states none."""
    if not directives.keys().isdisjoint({_UNREADABLE, "no-cache", "no-store"}):
        return 0
    if "max-age" in directives:
        first, *others = directives["max-age"]
        return 0 if others else (seconds_of(first, _MOST_SECONDS) or 0) * SECOND_MS
    expires = date_of(fields, "expires")
    return 0 if expires is None else expires - origin


def _age_ms(fields: Fields) -> int:
    """Give how old the answer was when it came (RFC 9111 section 5.1: the first value counts)."""
    first = ",".join(lines_of(fields, "age")).partition(",")[0].strip(" \t")
    return (seconds_of(first, _MOST_SECONDS) or 0) * SECOND_MS


def _directives(field: str) -> dict[str, list[str]]:
    """Give directive to its arguments, "" for none; members that are no directives go under ""."""
    directives: dict[str, list[str]] = {}
    for found in _MEMBER.finditer(field):
        name, token, quoted, unreadable = found.groups()
        if unreadable is not None:
            name = _UNREADABLE
        if name is not None:
            directives.setdefault(name.lower(), []).append(token or quoted or "")
    return directives
