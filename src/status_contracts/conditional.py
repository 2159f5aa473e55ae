"""Evaluate conditional requests on the origin server (RFC 9110 sections 8.8 and 13).

The functions apply to GET and HEAD on a resource that exists; the caller checks both.

Invariant *tags before dates*: if If-None-Match was sent, If-Modified-Since is ignored.
Invariant *doubt sends the bytes*: an unreadable value (a tag without quotes, a date in no known
form) never makes a resource unmodified.
"""

import re
from datetime import UTC
from typing import Final

from status_contracts.instants import from_datetime, to_datetime

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ETAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
# One member of a list, at its first character: a tag that ends where the member ends, or anything.
# Quotes inside a tag cannot be escaped, so each character is read a bounded number of times.
_MEMBER: Final = re.compile(r'(?:(?:W/)?("[^"]*")[ \t]*+(?=,|\Z)|[^,]*)(?:,[ \t,]*+)?')
_LONGEST_DATE: Final = len("Wednesday, 06-Nov-94 08:49:37 GMT")


def is_unmodified(
    if_none_match: str | None,
    if_modified_since: str | None,
    etag: str | None,
    last_modified: str | None,
) -> bool:
    """Check whether the client's copy of a resource is current (RFC 9110 section 13.2.2).

    The headers of the request, repeated ones joined by commas, and the validators of the resource
    are None if they are absent.
    """
    if if_none_match is not None:
        field = if_none_match.strip(" \t")
        if field == "*":
            return True
        if etag is None or not is_valid_etag(etag):
            return False
        opaque = etag.removeprefix("W/")  # weak comparison
        return any(member[1] == opaque for member in _MEMBER.finditer(field))
    if if_modified_since is None or last_modified is None:
        return False
    since, changed = parse_http_date(if_modified_since), parse_http_date(last_modified)
    return since is not None and changed is not None and changed <= since


def is_valid_etag(text: str) -> bool:
    """Check whether text is an entity tag, weak or strong (RFC 9110 section 8.8.3)."""
    return _ETAG.fullmatch(text) is not None


def http_date(ms: int) -> str:
    """Return ms since the epoch as an IMF-fixdate, without fractions; raise ValueError.

    The year must be 0001 to 9999.
    """
    from email.utils import format_datetime  # noqa: PLC0415 - loads sockets

    return format_datetime(to_datetime(ms), usegmt=True)


def parse_http_date(text: str) -> int | None:
    """Return an HTTP date of any of the three forms as ms since the epoch; None for other text.

    A two-digit year is one of 1969 to 2068.
    """
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - loads sockets

    if len(text) > _LONGEST_DATE:
        return None
    try:
        at = parsedate_to_datetime(text).replace(tzinfo=UTC)
        ms = from_datetime(at)
    except (ValueError, OverflowError, IndexError):  # which of them depends on the text
        return None
    date = http_date(ms)  # the parser accepts more than the three forms
    day, month, time = _DAYS[at.weekday()], date[8:11], date[17:25]
    rfc850 = f"{day}, {at.day:02}-{month}-{at.year % 100:02} {time} GMT"
    asctime = f"{day[:3]} {month} {at.day:2} {time} {at.year:04}"
    return ms if text in {date, rfc850, asctime} else None
