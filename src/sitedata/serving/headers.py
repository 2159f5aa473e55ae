"""The header fields of an answer, as a client got them: names in any case, values as text.

Invariant *no field raises*: whatever a value holds, it is read or it is none.
"""

from collections.abc import Iterable

from purewire.http.conditional import parse_http_date
from purewire.http.headers import parse_bounded_number

__all__ = ["Fields", "date_of", "lines_of", "seconds_of", "single"]

Fields = Iterable[tuple[str, str]]
"""Header lines in order; one that stands twice is there twice."""


def lines_of(fields: Fields, name: str) -> tuple[str, ...]:
    """Give the values of all lines of a field, without outer white space; `name` in lower case."""
    return tuple(value.strip(" \t") for key, value in fields if key.lower() == name)


def single(fields: Fields, name: str) -> str | None:
    """Give the value of a field that stands once, else None."""
    lines = lines_of(fields, name)
    return lines[0] if len(lines) == 1 else None


def date_of(fields: Fields, name: str) -> int | None:
    """Give the instant, ms since the epoch, of a field that is one HTTP date, else None."""
    text = single(fields, name)
    return None if text is None else parse_http_date(text)


def seconds_of(text: str, most: int) -> int | None:
    """Read a number of seconds (RFC 9111 section 1.2.2), at most `most`; None where it is none."""
    number = parse_bounded_number(text.encode("latin-1", "replace"), most)
    return None if number is None else min(number, most)
