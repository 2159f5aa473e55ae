"""Conditional requests on the origin's side, as pure functions (RFC 9110 sections 8.8 and 13).

The judgement holds for GET and HEAD on a resource that exists; the caller sees to both.

Invariant *tags before dates*: where If-None-Match was sent, If-Modified-Since says nothing.
Invariant *doubt sends the bytes*: what cannot be read (a bare word for a tag, a date in no known
form) never makes a resource unmodified.
Invariant *two-digit years*: the day name decides the century.  A date of the obsolete form names
its day of the week, and one date falls on different days in neighbouring centuries; so the year
is the one of 1900 to 2099 that fits, without asking what time it is.  This agrees with the
standard's fifty-year rule for every date of those centuries that names its own day truly.
"""

import re
from datetime import date
from typing import Final

from purewire.http.assets import Conditions
from purewire.http.messages import Request

__all__ = ["conditions_of", "http_date", "is_unmodified", "parse_http_date", "valid_etag"]

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS: Final = (
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "May",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Oct",
    "Nov",
    "Dec",
)
_CENTURIES: Final = (1900, 2000)
_EPOCH: Final = date(1970, 1, 1).toordinal()
_SECONDS_A_DAY: Final = 86_400
_LEAP_SECOND: Final = 60

_ETAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
# One member of a list, at its first character: a tag that ends where the member ends, or anything.
# Quotes inside a tag cannot be escaped, so each character is looked at a bounded number of times.
_MEMBER: Final = re.compile(r'(?:(?:W/)?("[^"]*")[ \t]*+(?=,|\Z)|[^,]*)(?:,[ \t,]*+)?')

_DAY3: Final = f"(?P<day_name>{'|'.join(day[:3] for day in _DAYS)})"
_WHOLE_DAY: Final = f"(?P<day_name>{'|'.join(_DAYS)})"
_MONTH: Final = f"(?P<month>{'|'.join(_MONTHS)})"
_TIME: Final = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_IMF_FIXDATE: Final = rf"{_DAY3}, (?P<day>[0-9]{{2}}) {_MONTH} (?P<year>[0-9]{{4}}) {_TIME} GMT"
_RFC850: Final = rf"{_WHOLE_DAY}, (?P<day>[0-9]{{2}})-{_MONTH}-(?P<year>[0-9]{{2}}) {_TIME} GMT"
_ASCTIME: Final = rf"{_DAY3} {_MONTH} (?P<day>[0-9]{{2}}| [0-9]) {_TIME} (?P<year>[0-9]{{4}})"
_FORMS: Final = tuple(re.compile(form) for form in (_IMF_FIXDATE, _RFC850, _ASCTIME))


def conditions_of(request: Request) -> Conditions:
    """Give the conditional headers of a request, its lines joined by a comma."""
    return Conditions(
        if_none_match=_joined(request.lines(b"if-none-match")),
        if_modified_since=_joined(request.lines(b"if-modified-since")),
    )


def is_unmodified(conditions: Conditions, etag: str | None, last_modified: str | None) -> bool:
    """Tell whether the client's copy of an existing resource is current (RFC 9110 section 13.2.2).

    Args:
        conditions: what the client sent.
        etag: the resource's entity tag, if it has one.
        last_modified: the resource's Last-Modified value, if it has one.

    """
    if conditions.if_none_match is not None:
        return _lists(conditions.if_none_match, etag)
    if conditions.if_modified_since is None or last_modified is None:
        return False
    since, changed = parse_http_date(conditions.if_modified_since), parse_http_date(last_modified)
    return since is not None and changed is not None and changed <= since


def valid_etag(text: str) -> bool:
    """Tell whether text is an entity tag, weak or strong (RFC 9110 section 8.8.3)."""
    return _ETAG.fullmatch(text) is not None


def http_date(ms: int) -> str:
    """Write an instant, ms since the epoch, as an IMF-fixdate; parts of a second are cut.

    Raises ValueError outside the years 1 to 9999, which the form cannot write.
    """
    days, second = divmod(ms // 1000, _SECONDS_A_DAY)
    try:
        day = date.fromordinal(days + _EPOCH)
    except (OverflowError, ValueError):
        raise ValueError("an HTTP date has a year from 1 to 9999") from None
    minute, second = divmod(second, 60)
    hour, minute = divmod(minute, 60)
    return (
        f"{_DAYS[day.weekday()][:3]}, {day.day:02} {_MONTHS[day.month - 1]} {day.year:04}"
        f" {hour:02}:{minute:02}:{second:02} GMT"
    )


def parse_http_date(text: str) -> int | None:
    """Read an HTTP date in any of its three forms as ms since the epoch; None where it is none."""
    for form in _FORMS:
        found = form.fullmatch(text)
        if found is not None:
            return _instant(found)
    return None


def _joined(lines: tuple[bytes, ...]) -> str | None:
    return b", ".join(lines).decode("latin-1") if lines else None


def _lists(field: str, etag: str | None) -> bool:
    """Tell whether an If-None-Match value lists the tag, by weak comparison, or is `*`."""
    field = field.strip(" \t")
    if field == "*":
        return True
    if etag is None or not valid_etag(etag):
        return False
    opaque = etag.removeprefix("W/")
    return any(member[1] == opaque for member in _MEMBER.finditer(field))


def _instant(found: re.Match[str]) -> int | None:
    day = _calendar_day(found)
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["second"])
    leap = (hour, minute, second) == (23, 59, _LEAP_SECOND)
    if day is None or hour > 23 or minute > 59 or (second > 59 and not leap):  # noqa: PLR2004 - a clock
        return None
    seconds = (day.toordinal() - _EPOCH) * _SECONDS_A_DAY + hour * 3600 + minute * 60 + second
    return seconds * 1000


def _calendar_day(found: re.Match[str]) -> date | None:
    year, month, day = int(found["year"]), _MONTHS.index(found["month"]) + 1, int(found["day"])
    if found.re.pattern != _RFC850:
        return _existing(year, month, day)
    for century in _CENTURIES:
        candidate = _existing(century + year, month, day)
        if candidate is not None and _DAYS[candidate.weekday()] == found["day_name"]:
            return candidate
    return None


def _existing(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
