"""Parse the parameters of a query, and limit them to their ranges.

Names are exact.  The first of repeated parameters is used.  `+` is a space; bytes that are not
UTF-8 become U+FFFD.

Invariant *every query is valid*: any bytes yield parameters, in time linear in their number.
Invariant *canonical*: results consist of known keys and limited integers; they never contain text
of the request.

Contract: HA-HTTP-21, HA-KEY-02, HA-QUERY-01 to 05, HA-QUERY-15, HA-QUERY-16, HA-QUERY-19.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal
from urllib.parse import unquote_to_bytes

from healthapi.catalog_keys import GRANULARITIES, METRICS, Granularity
from healthapi.limits import IntegerRange

Theme = Literal["light", "transparent"]
THEMES: Final[tuple[Theme, ...]] = ("light", "transparent")
"""Backgrounds of a chart; the first is the default."""

GRANULARITY_OF: Final[dict[str, Granularity]] = {name: name for name in GRANULARITIES}
"""Name to granularity."""
_INTEGER: Final = re.compile(r"([+-]?)(\d(?:_?\d)*+)")
_MAX_INTEGER_DIGITS: Final = 600
"""Less than every limit that an interpreter may set for int()."""


def first_values(query: bytes) -> Mapping[str, str]:
    """Return the first value of each parameter of a raw query."""
    values: dict[str, str] = {}
    for pair in query.split(b"&"):
        name, _, value = pair.partition(b"=")
        values.setdefault(_decode(name), _decode(value))
    return values


def normalize(text: str) -> str:
    """Return trimmed lower-case text, for comparison with case-insensitive keys."""
    return text.strip().lower()


def parse_integer(text: str | None, limits: IntegerRange) -> int | None:
    """Parse an integer as Python's int() does, and limit it to its range.

    Other text yields the default.  An integer with too many digits for int() becomes the minimum
    or maximum by its sign.
    """
    match = _INTEGER.fullmatch((text or "").strip())
    if match is None:
        return limits.default
    digits = match[2].replace("_", "").lstrip("0") or "0"
    size = int(digits) if len(digits) <= _MAX_INTEGER_DIGITS else limits.maximum
    return max(limits.minimum, min(-size if match[1] == "-" else size, limits.maximum))


def parse_metrics(text: str | None) -> tuple[str, ...]:
    """Return the known metrics of a comma-separated list, in order, with repetitions."""
    words = (word.strip() for word in (text or "").split(","))
    return tuple(word for word in words if word in METRICS)


def parse_distinct_metrics(text: str | None) -> tuple[str, ...]:
    """Return the known metrics of a comma-separated list, in order, each once."""
    return tuple(dict.fromkeys(parse_metrics(text)))


def parse_granularity(text: str | None) -> Granularity | None:
    """Return a granularity by name, None for blank text; raise KeyError for an unknown name."""
    name = normalize(text or "")
    return GRANULARITY_OF[name] if name else None


def parse_theme(text: str | None) -> Theme:
    """Return a theme by name; unknown names yield `light`."""
    return next((theme for theme in THEMES if theme == text), THEMES[0])


def _decode(encoded: bytes) -> str:
    return unquote_to_bytes(encoded.replace(b"+", b" ")).decode("utf-8", "replace")
