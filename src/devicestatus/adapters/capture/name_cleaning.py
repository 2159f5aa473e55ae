"""What a desktop says, made fit for the contract: text without controls, numbers within limits.

Invariant *fit or None*: `app_name` and `title` give text that the contract takes, or None where
nothing is left of it; `number` gives a finite number within its limit, or None.
Invariant *after the rules*: `app_name` shortens, so it comes after the privacy rules; before them
`named` only drops what is no name.
Invariant *clean stays clean*: cleaning clean text changes nothing.
Source: device-status specification, "Resources and their fields".
"""

from math import isfinite
from typing import Final

from devicestatus import limits
from purewire.numbers import canonical
from purewire.text import WHITE_SPACE

__all__ = ["app_name", "named", "number", "title"]

_CONTROLS: Final = dict.fromkeys((*range(0x20), 0x7F))
_BREAKS: Final = dict.fromkeys(map(ord, "\t\n\v\f\r"), " ")  # words stay apart without them
_SURROGATES: Final = dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")
_REPLACEMENTS: Final = _CONTROLS | _BREAKS | _SURROGATES


def app_name(text: str) -> str | None:
    """Return the text as the name of an app, at most 200 code points; None if nothing is left."""
    return _fit(text, limits.NAME_LENGTH)


def named(text: str | None) -> str | None:
    """Return a name as it is, for the privacy rules; None where `app_name` leaves nothing of it."""
    return None if text is None or app_name(text) is None else text


def title(text: str) -> str | None:
    """Return the text as track or artist, at most 500 code points; None if nothing is left."""
    return _fit(text, limits.TITLE_LENGTH)


def number(value: float | None, most: int, digits: int) -> float | None:
    """Return a number from 0 to `most` rounded to `digits` decimals; None for any other value."""
    if value is None or not isfinite(value) or not 0 <= value <= most:
        return None
    return canonical(round(value, digits))


def _fit(text: str, most: int) -> str | None:
    trimmed = text.translate(_REPLACEMENTS).strip(WHITE_SPACE)
    return trimmed[:most].rstrip(WHITE_SPACE) or None
