"""Patterns of https URLs: the part of the URL rules that a schema can state.

A pattern accepts every URL that `devicestatus.validation.music_urls` accepts.  What it cannot state
needs the tables of the URL standard: which hosts are valid, and which host a text means.
"""

from typing import Final

from purewire.structuring.json_schema import CONTROL, Schema
from purewire.text import WHITE_SPACE

_BLANK: Final = "".join(each for each in WHITE_SPACE if not each.isascii())
_UNTRIMMED: Final[Schema] = {"not": {"pattern": f"{CONTROL}|^[ {_BLANK}]|[ {_BLANK}]$"}}

_SCHEME: Final = r"^[Hh][Tt][Tt][Pp][Ss]:[/\\]*"
_ENCODED: Final = (
    "%(?:2[1246-9A-Ea-e]|3[0-9BDbd]|4[1-9A-Fa-f]|5[0-9AFaf]|6[0-9A-Fa-f]|7[0-9ABDEabde]"
    "|[89A-Fa-f][0-9A-Fa-f])"
)
"""A percent-encoded byte of a host: none that a host must not have."""
_HOST: Final = rf"(?:(?:[^/\\?#@:\[\]<>^|% ]|{_ENCODED})+|\[[0-9A-Fa-f:.]+\])"
_END: Final = r"(?:[/\\?#]|$)"
_NO_USER: Final = "(?::?@)?"
_ANY_USER: Final = r"(?:[^/\\?#]*@)?"
_DEFAULT_PORT: Final = "(?::(?:0*443)?)?"
_ANY_PORT: Final = (
    "(?::(?:0*(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}"
    "|[0-9]{1,4}))?)?"
)

CATALOG_URL: Final[Schema] = {
    "pattern": f"{_SCHEME}{_NO_USER}{_HOST}{_DEFAULT_PORT}{_END}",
    **_UNTRIMMED,
}
"""An https URL without user, password and port, trimmed."""
ANY_HTTPS_URL: Final[Schema] = {
    "pattern": f"{_SCHEME}{_ANY_USER}{_HOST}{_ANY_PORT}{_END}",
    **_UNTRIMMED,
}
"""An https URL, trimmed."""
NOT_BLANK: Final[Schema] = {"type": "string", "pattern": f"[^ {_BLANK}]"}
"""Text with a character that is not white space."""
