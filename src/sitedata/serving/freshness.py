"""Compute how long a response is fresh (RFC 9111), and when to send the next request.

Invariant *no value raises*: an invalid header value counts as missing.
Invariant *stale when in doubt*: missing, repeated or invalid values make a response stale at once;
there is no heuristic from Last-Modified.
Invariant *bounded*: no response is fresh for longer than a day; a wait that Retry-After asks for is
limited to between a second and a day.
Invariant *linear*: Cache-Control is parsed in time linear in its length.
Invariant *doubling*: after n failures in a row the wait is at most 15 s doubled n - 1 times, at
most an hour, and at least half of that.  The caller draws a random number for the place in between,
so clients do not send at the same time.

Contract: SD-CACHE-03, SD-CLIENT-04, SD-CLIENT-08 to 10.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from purewire.http.conditional import parse_http_date
from purewire.http.messages import parse_bounded_number
from purewire.instants import SECOND_MS
from sitedata.limits import (
    FIRST_BACKOFF_MS,
    MAX_BACKOFF_MS,
    MAX_FRESHNESS_MS,
    MAX_RETRY_AFTER_MS,
    MIN_RETRY_AFTER_MS,
)

_TCHARS: Final = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]++"
_MEMBER: Final = re.compile(
    rf"[ \t]*+(?:({_TCHARS})(?:=(?:({_TCHARS})|\"((?:[^\"\\]++|\\.)*+)\"))?[ \t]*+)?(?:,|\Z)"
    r"|([^,]++)(?:,|\Z)",
    re.DOTALL,
)
_INVALID: Final = ""  # key of invalid members; directives have names
_MAX_SECONDS: Final = 2**31  # RFC 9111 section 1.2.2: larger numbers mean the same
_MAX_DOUBLINGS: Final = 8  # further ones exceed the longest wait

HeaderLines = Iterable[tuple[str, str]]
"""Header lines in order; a field that is sent twice is listed twice."""


def field_values(headers: HeaderLines, name: str) -> tuple[str, ...]:
    """Return the values of all lines of a field, stripped; `name` is in lower case."""
    return tuple(value.strip(" \t") for key, value in headers if key.lower() == name)


def single_value(headers: HeaderLines, name: str) -> str | None:
    """Return the value of a field that occurs exactly once, else None."""
    lines = field_values(headers, name)
    return lines[0] if len(lines) == 1 else None


def date_value(headers: HeaderLines, name: str) -> int | None:
    """Return the instant, ms since the epoch, of a field that is one HTTP date, else None."""
    text = single_value(headers, name)
    return None if text is None else parse_http_date(text)


def parse_seconds(text: str, maximum: int) -> int | None:
    """Parse a number of seconds (RFC 9111 section 1.2.2), limited to `maximum`; None if invalid."""
    number = parse_bounded_number(text.encode("latin-1", "replace"), maximum)
    return None if number is None else min(number, maximum)


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
    """Return the freshness of a response, received at `now`, ms since the epoch."""
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


def backoff_ms(failures: int, jitter: float) -> int:
    """Return the wait after a number of failures in a row, 1 or more, in ms.

    `jitter` is a random number of the caller, 0 or more and less than 1; others raise ValueError.
    """
    if not 0 <= jitter < 1:
        raise ValueError("jitter must be 0 or more and less than 1")
    longest = min(FIRST_BACKOFF_MS << min(failures - 1, _MAX_DOUBLINGS), MAX_BACKOFF_MS)
    return int(longest * (1 + jitter) / 2)


def retry_after_ms(headers: HeaderLines, now: int) -> int | None:
    """Return the wait of Retry-After, in ms; None if it is missing or invalid.

    A date counts from the Date of the response, if it has one, so clocks need not agree.
    """
    lines = tuple(headers)
    text = single_value(lines, "retry-after")
    if text is None:
        return None
    seconds = parse_seconds(text, MAX_RETRY_AFTER_MS // SECOND_MS)
    if seconds is not None:
        wait = seconds * SECOND_MS
    else:
        until, sent = date_value(lines, "retry-after"), date_value(lines, "date")
        if until is None:
            return None
        wait = until - (now if sent is None else sent)
    return min(max(wait, MIN_RETRY_AFTER_MS), MAX_RETRY_AFTER_MS)
