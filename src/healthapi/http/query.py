"""What the query of a request means: each parameter read, and brought within its bounds.

Source: health-data specification, "Parameters"; rulings under "Query".  Names are exact; of a
repeated parameter the first counts; `+` is a space, and bytes that are not UTF-8 become U+FFFD.

Invariant *no query is refused*: any bytes give parameters, in time linear in their number.
Invariant *canonical*: what is given back is made from the vocabulary and the bounds alone; nothing
of the request's own spelling is in it.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal
from urllib.parse import unquote_to_bytes

from healthapi.catalog_keys import GRANULARITIES, METRICS, Granularity
from healthapi.limits import Bounds

__all__ = [
    "THEMES",
    "Theme",
    "first_values",
    "folded",
    "read_distinct_metrics",
    "read_granularity",
    "read_integer",
    "read_metrics",
    "read_theme",
]

Theme = Literal["light", "transparent"]
THEMES: Final[tuple[Theme, ...]] = ("light", "transparent")
"""What a chart may be drawn on; the first by default."""

_GRANULARITIES: Final[dict[str, Granularity]] = {name: name for name in GRANULARITIES}
_INTEGER: Final = re.compile(r"([+-]?)(\d(?:_?\d)*+)")
_LONGEST_INTEGER: Final = 600
"""Digits: below every limit an interpreter may set on int()."""


def first_values(query: bytes) -> Mapping[str, str]:
    """Give the first value of each parameter of a raw query."""
    values: dict[str, str] = {}
    for pair in query.split(b"&"):
        name, _, value = pair.partition(b"=")
        values.setdefault(_text(name), _text(value))
    return values


def folded(text: str) -> str:
    """Give text as the keys of datasets, granularities and charts compare: trimmed, lower case."""
    return text.strip().lower()


def read_integer(text: str | None, bounds: Bounds) -> int | None:
    """Read an integer as Python's int() does, and clamp it; what is none is the default.

    One that is longer than int() takes is clamped by its sign.
    """
    found = _INTEGER.fullmatch((text or "").strip())
    if found is None:
        return bounds.default
    digits = found[2].replace("_", "").lstrip("0") or "0"
    size = int(digits) if len(digits) <= _LONGEST_INTEGER else bounds.most
    return max(bounds.least, min(-size if found[1] == "-" else size, bounds.most))


def read_metrics(text: str | None) -> tuple[str, ...]:
    """Give the names of metrics among words between commas, in order, repetitions kept."""
    words = (word.strip() for word in (text or "").split(","))
    return tuple(word for word in words if word in METRICS)


def read_distinct_metrics(text: str | None) -> tuple[str, ...]:
    """Give the same names, each where it stands first."""
    return tuple(dict.fromkeys(read_metrics(text)))


def read_granularity(text: str | None) -> Granularity | None:
    """Give the granularity of this name, None for a blank; raises KeyError for an unknown one."""
    name = folded(text or "")
    if not name:
        return None
    return _GRANULARITIES[name]


def read_theme(text: str | None) -> Theme:
    """Give the theme of this name, else light."""
    return next((theme for theme in THEMES if theme == text), THEMES[0])


def _text(encoded: bytes) -> str:
    return unquote_to_bytes(encoded.replace(b"+", b" ")).decode("utf-8", "replace")
