"""Clean names, titles and numbers of a desktop: no control characters, within the limits.

Invariant *valid or None*: `clean_app_name` and `clean_title` return text that the contract accepts,
or None where nothing is left; `clean_number` returns a finite number within its limit, or None.
Invariant *after the rules*: `clean_app_name` shortens, so it comes after the privacy rules; before
them `name_or_none` only drops names of which cleaning would leave nothing.
Invariant *idempotent*: cleaning clean text changes nothing.
"""

from math import isfinite
from typing import Final

from devicestatus import limits
from purewire.numbers import canonical
from purewire.text import WHITE_SPACE

_CONTROLS: Final = dict.fromkeys((*range(0x20), 0x7F))
_BREAKS: Final = dict.fromkeys(map(ord, "\t\n\v\f\r"), " ")  # keeps words apart
_SURROGATES: Final = dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")
_REPLACEMENTS: Final = _CONTROLS | _BREAKS | _SURROGATES


def clean_app_name(text: str | None) -> str | None:
    """Return the text as the name of an app, at most 200 code points; None if nothing is left."""
    return _clean(text, limits.NAME_LENGTH)


def name_or_none(text: str | None) -> str | None:
    """Return a name unchanged, or None where `clean_app_name` leaves nothing of it."""
    return None if clean_app_name(text) is None else text


def clean_title(text: str | None) -> str | None:
    """Return the text as track or artist, at most 500 code points; None if nothing is left."""
    return _clean(text, limits.TITLE_LENGTH)


def clean_number(value: float | None, maximum: int, digits: int) -> float | None:
    """Return a number from 0 to `maximum` rounded to `digits` decimals; None for other values."""
    if value is None or not isfinite(value) or not 0 <= value <= maximum:
        return None
    return canonical(round(value, digits))


def _clean(text: str | None, max_length: int) -> str | None:
    if text is None:
        return None
    trimmed = text.translate(_REPLACEMENTS).strip(WHITE_SPACE)
    return trimmed[:max_length].rstrip(WHITE_SPACE) or None
