"""Convert timestamp text and datetimes to integer milliseconds since the epoch (UTC), and back.

Two text forms: the millisecond form `YYYY-MM-DDTHH:MM:SS.mmmZ` and the UTC form, whose fraction
has 0 to 3 digits.  Text is exact: ASCII digits, upper-case `T` and `Z`, a day that exists, hours 0
to 23, seconds 0 to 59; anything else raises ValueError.

Invariant *one instant, one text*: two texts of the millisecond form are equal exactly if their
instants are equal, and sort in the order of their instants.
Invariant *no zone, no clock, no float*: whole milliseconds in, whole milliseconds out.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final

from status_contracts.primitives import check_type

__all__ = [
    "DAY_MS", "FIRST_INSTANT", "LAST_INSTANT", "LOOKS_LIKE_SECONDS", "MINUTE_MS", "SECONDS",
    "SECOND_MS", "check_duration", "check_instant", "check_milliseconds", "clamp_instant",
    "format_instant", "from_datetime", "local_datetime", "parse_millisecond", "parse_utc",
    "show_instant", "to_datetime",
]  # fmt: skip

SECOND_MS: Final = 1000
MINUTE_MS: Final = 60 * SECOND_MS
DAY_MS: Final = 24 * 60 * MINUTE_MS

SECONDS: Final = range(10**9, 10**10)
"""Seconds since the epoch from 2001 to 2286; in ms, these are instants of January to April 1970."""
LOOKS_LIKE_SECONDS: Final = "looks like seconds: pass int(time.time() * 1000)"

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_MINUTE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]")
_SECONDS: Final = {f":{number:02}": number * SECOND_MS for number in range(60)}
_THREE_DIGITS: Final = {f".{number:03}Z": number for number in range(1000)}
_TWO_DIGITS: Final = {f".{number:02}Z": number * 10 for number in range(100)}
_ONE_DIGIT: Final = {f".{number}Z": number * 100 for number in range(10)}


def _reader(fractions: Mapping[str, int], name: str) -> Callable[[str], int]:
    def parse(text: str) -> int:
        # The instants of a body share few minutes: this takes 0.7 of the time of parsing each text.
        try:
            return _parse_minute(text[:16]) + _SECONDS[text[16:19]] + fractions[text[19:]]
        except KeyError:
            raise ValueError(f"not a {name} timestamp") from None

    return parse


@lru_cache(maxsize=1024)
def _parse_minute(text: str) -> int:
    """Return the instant of a minute; raise KeyError for another form, ValueError for no day."""
    if _MINUTE.fullmatch(text) is None:
        raise KeyError(text)
    try:
        return (datetime.fromisoformat(f"{text}Z") - _EPOCH) // _MILLISECOND
    except ValueError:  # its message quotes the text
        raise ValueError("no such day") from None


parse_millisecond: Final = _reader(_THREE_DIGITS, "millisecond")
"""Return the instant of a timestamp in millisecond form; raise ValueError for other text."""
parse_utc: Final = _reader(_THREE_DIGITS | _TWO_DIGITS | _ONE_DIGIT | {"Z": 0}, "UTC")
"""Return the instant of a timestamp in UTC form; raise ValueError for other text."""


def format_instant(instant: int) -> str:
    """Return the millisecond form of an instant.

    Raises:
        ValueError: the instant is outside the years 0001 to 9999.

    """
    moment = _EPOCH + _in_range(instant) * _MILLISECOND
    return f"{moment.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def show_instant(value: object) -> str:
    """Return the millisecond form of an instant, and the repr of any other value."""
    if type(value) is int and FIRST_INSTANT <= value <= LAST_INSTANT:
        return format_instant(value)
    return repr(value)


def check_instant(name: str, value: object) -> None:
    """Raise TypeError, with the remedy, if a value is not an int of milliseconds."""
    if type(value) is not int:
        raise _type_error(name, "milliseconds since the epoch", value, "int(time.time() * 1000)")


def check_milliseconds(name: str, value: object) -> None:
    """Raise as `check_instant` does, and ValueError, with the remedy, for one of `SECONDS`."""
    check_instant(name, value)
    if value in SECONDS:
        raise ValueError(f"{name}: {LOOKS_LIKE_SECONDS}")


def check_duration(name: str, value: object) -> None:
    """Raise TypeError, with the remedy, if a duration or monotonic reading is not an int."""
    if type(value) is not int:
        raise _type_error(name, "milliseconds", value, "time.monotonic_ns() // 1_000_000")


def _type_error(name: str, unit: str, value: object, remedy: str) -> TypeError:
    if isinstance(value, datetime):
        remedy = "from_datetime(value)"
    elif isinstance(value, timedelta):
        remedy = "value // timedelta(milliseconds=1)"
    kind = type(value).__name__
    return TypeError(f"{name}: must be an int of {unit}, not {kind}: pass {remedy}")


def from_datetime(value: datetime) -> int:
    """Return the milliseconds since the epoch of an aware datetime.

    Microseconds below a millisecond are dropped, so the result is never later than the datetime.

    Raises:
        ValueError: the datetime is naive, or in UTC outside the years 0001 to 9999.
        TypeError: the value is no datetime.

    """
    check_type("value", value, datetime, "pass datetime.fromisoformat(text)")
    if value.utcoffset() is None:
        raise ValueError("the datetime is naive: give it a time zone, such as datetime.UTC")
    return _in_range((value - _EPOCH) // _MILLISECOND)


def to_datetime(instant: int) -> datetime:
    """Return the aware datetime in UTC of milliseconds since the epoch.

    Raises:
        ValueError: the instant is outside the years 0001 to 9999.
        TypeError: the instant is not an int.

    """
    check_instant("instant", instant)
    return _EPOCH + _in_range(instant) * _MILLISECOND


def local_datetime(time: object, zone: tzinfo) -> datetime | None:
    """Return ISO 8601 text, local or with an offset, as a datetime in a zone; else None."""
    if not isinstance(time, str):
        return None
    try:
        at = datetime.fromisoformat(time)
        return at.replace(tzinfo=zone) if at.tzinfo is None else at.astimezone(zone)
    except (ValueError, OverflowError):
        return None


def clamp_instant(instant: int) -> int:
    """Return the instant, or the nearest one that a timestamp can contain."""
    return max(FIRST_INSTANT, min(instant, LAST_INSTANT))


def _in_range(instant: int) -> int:
    if not FIRST_INSTANT <= instant <= LAST_INSTANT:
        raise ValueError("outside the years 0001 to 9999")
    return instant


FIRST_INSTANT: Final = parse_millisecond("0001-01-01T00:00:00.000Z")
LAST_INSTANT: Final = parse_millisecond("9999-12-31T23:59:59.999Z")
