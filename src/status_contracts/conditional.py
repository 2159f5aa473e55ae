"""Evaluate conditional requests on the origin server (RFC 9110 sections 8.8 and 13).

The functions apply to GET and HEAD on a resource that exists; the caller checks both.

Invariant *tags before dates*: if If-None-Match was sent, If-Modified-Since is ignored.
Invariant *doubt sends the bytes*: an unreadable value (a tag without quotes, a date in no known
form) never makes a resource unmodified.
Invariant *two-digit years*: the day name decides the century.  A date of the obsolete form contains
its day of the week, and one date has different days in neighbouring centuries.  So the year is the
matching one of 1900 to 2099, and no clock is needed.  For every date of those centuries with the
right day name this equals the fifty-year rule of the standard.
"""

import re
from datetime import UTC, datetime
from typing import Final

import attrs

from status_contracts.instants import SECOND_MS, from_datetime, to_datetime

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_CENTURIES: Final = (1900, 2000)

_ETAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
# One member of a list, at its first character: a tag that ends where the member ends, or anything.
# Quotes inside a tag cannot be escaped, so each character is read a bounded number of times.
_MEMBER: Final = re.compile(r'(?:(?:W/)?("[^"]*")[ \t]*+(?=,|\Z)|[^,]*)(?:,[ \t,]*+)?')

_DAY3: Final = f"(?P<day_name>{'|'.join(day[:3] for day in _DAYS)})"
_WHOLE_DAY: Final = f"(?P<day_name>{'|'.join(_DAYS)})"
_MONTH: Final = f"(?P<month>{'|'.join(_MONTHS)})"
_TIME: Final = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_IMF_FIXDATE: Final = rf"{_DAY3}, (?P<day>[0-9]{{2}}) {_MONTH} (?P<year>[0-9]{{4}}) {_TIME} GMT"
_RFC850: Final = rf"{_WHOLE_DAY}, (?P<day>[0-9]{{2}})-{_MONTH}-(?P<year>[0-9]{{2}}) {_TIME} GMT"
_ASCTIME: Final = rf"{_DAY3} {_MONTH} (?P<day>[0-9]{{2}}| [0-9]) {_TIME} (?P<year>[0-9]{{4}})"
_FORMS: Final = tuple(re.compile(form) for form in (_IMF_FIXDATE, _RFC850, _ASCTIME))


@attrs.frozen
class Conditions:
    """The conditional headers of a request, repeated ones joined by commas; None if absent."""

    if_none_match: str | None = None
    if_modified_since: str | None = None


UNCONDITIONAL: Final = Conditions()
"""The conditions of a request without conditional headers."""


def is_unmodified(conditions: Conditions, etag: str | None, last_modified: str | None) -> bool:
    """Check whether the client's copy of a resource is current (RFC 9110 section 13.2.2).

    `etag` and `last_modified` are the validators of the resource, as far as it has them.
    """
    if conditions.if_none_match is not None:
        return _contains_etag(conditions.if_none_match, etag)
    if conditions.if_modified_since is None or last_modified is None:
        return False
    since, changed = parse_http_date(conditions.if_modified_since), parse_http_date(last_modified)
    return since is not None and changed is not None and changed <= since


def is_valid_etag(text: str) -> bool:
    """Check whether text is an entity tag, weak or strong (RFC 9110 section 8.8.3)."""
    return _ETAG.fullmatch(text) is not None


def http_date(ms: int) -> str:
    """Return ms since the epoch as an IMF-fixdate, without fractions; raise ValueError.

    The year must be 0001 to 9999.
    """
    at = to_datetime(ms)
    day = f"{_DAYS[at.weekday()][:3]}, {at.day:02} {_MONTHS[at.month - 1]} {at.year:04}"
    return f"{day} {at:%H:%M:%S} GMT"


def parse_http_date(text: str) -> int | None:
    """Return an HTTP date of any of the three forms as ms since the epoch; None for other text."""
    for form in _FORMS:
        match = form.fullmatch(text)
        if match is not None:
            return _instant(match)
    return None


def _contains_etag(field: str, etag: str | None) -> bool:
    """Check whether an If-None-Match value contains the tag, by weak comparison, or is `*`."""
    field = field.strip(" \t")
    if field == "*":
        return True
    if etag is None or not is_valid_etag(etag):
        return False
    opaque = etag.removeprefix("W/")
    return any(member[1] == opaque for member in _MEMBER.finditer(field))


def _instant(match: re.Match[str]) -> int | None:
    month = _MONTHS.index(match["month"]) + 1
    year, day, hour, minute, second = (
        int(match[name]) for name in ("year", "day", "hour", "minute", "second")
    )
    is_leap = (hour, minute, second) == (23, 59, 60)
    is_short = match.re.pattern == _RFC850
    for century in _CENTURIES if is_short else (0,):
        try:
            at = datetime(century + year, month, day, hour, minute, second - is_leap, tzinfo=UTC)
        except ValueError:  # a day or a time that no calendar or clock has
            continue
        if not is_short or _DAYS[at.weekday()] == match["day_name"]:
            return from_datetime(at) + is_leap * SECOND_MS
    return None
