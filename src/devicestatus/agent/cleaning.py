"""Clean what a device reports, so that the contract accepts it.

Invariant *valid or None*: `clean_app_name` and `clean_title` return text that the contract accepts,
or None where nothing is left; `clean_number` a finite number within its limit, or None.
Invariant *idempotent*: what is clean stays as it is.
"""

from math import isfinite
from typing import Final

from devicestatus import limits
from status_contracts.primitives import WHITE_SPACE
from status_contracts.structuring.fast_decoder import canonical

__all__ = ["clean_app_name", "clean_number", "clean_title"]

_CONTROLS: Final = dict.fromkeys((*range(0x20), 0x7F))
_BREAKS: Final = dict.fromkeys(map(ord, "\t\n\v\f\r"), " ")  # keeps words apart
_SURROGATES: Final = dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")
_REPLACEMENTS: Final = _CONTROLS | _BREAKS | _SURROGATES


def clean_app_name(text: str | None) -> str | None:
    """Return the text as the name of an app, at most 200 code points; None if nothing is left.

    It shortens, so apply privacy rules before.
    """
    return _clean(text, limits.NAME_LENGTH)


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
