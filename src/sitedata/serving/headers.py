"""Read header fields of a response; names match in any case.

Invariant *no value raises*: an invalid value yields None.
"""

from collections.abc import Iterable

from purewire.http.conditional import parse_http_date
from purewire.http.headers import parse_bounded_number

__all__ = ["HeaderLines", "date_value", "field_values", "parse_seconds", "single_value"]

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
