"""Decode TOML files to plain tables, in linear time.

Invariant *one error*: for any bytes the only exception is `TomlTextError`; it quotes nothing.
Invariant *linear*: the time of the standard library's parser grows with the square of the parts of
a dotted key or a table's name, and of the digits of an integer if the host has lifted that limit.
Text with more than `MAX_KEY_PARTS` or `MAX_DIGITS` in a row is rejected first, so no result depends
on that limit.
"""

import re
import tomllib
from typing import Any, Final

MAX_KEY_PARTS: Final = 64
"""The configuration files nest three tables deep."""
MAX_DIGITS: Final = 400
"""Below every limit that an interpreter may set on int()."""

# Strings and comments, in which dots and digits are text.  An unclosed string goes to the end, as
# it does for the parser.
_TEXTS: Final = re.compile(
    r'''  """ (?: [^"\\]++ | \\(?:.|\Z) | "{1,2}+(?!") )*+ "{0,5}+
        | \'\'\' (?: [^']++ | '{1,2}+(?!') )*+ '{0,5}+
        | " (?: [^"\\\n]++ | \\(?:.|\Z) )*+ "?+
        | ' [^'\n]*+ '?+
        | \# [^\n]*+
    ''',
    re.VERBOSE | re.DOTALL,
)
_WORDS: Final = re.compile(r"[A-Za-z0-9_-]++")
_BLANKS: Final = str.maketrans("", "", " \t")
_PLACE: Final = re.compile(r"\(at (line \d+, column \d+|end of document)\)\Z")
_LONG_KEY: Final = "k." * MAX_KEY_PARTS
_LONG_INTEGER: Final = re.compile(rf"(?<![0-9_])[0-9_]{{{MAX_DIGITS + 1}}}")


class TomlTextError(ValueError):
    """The bytes are not TOML text, or contain a key or a number that is too long."""


def decode(data: bytes) -> dict[str, Any]:
    """Return the tables of a file without a byte order mark; raise TomlTextError."""
    reason = "not TOML text in UTF-8, or a key or number that is too long"
    try:
        text = data.decode("utf-8-sig")
        if not _is_excessive(text):
            return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # The message of the parser quotes the text, but not in the place at its end.
        if place := _PLACE.search(str(error)):
            reason = f"not TOML text at {place[1]}"
    raise TomlTextError(reason)  # not above, where it would hold the parser's error


def _is_excessive(text: str) -> bool:
    if text.count(".") < MAX_KEY_PARTS and not _LONG_INTEGER.search(text):
        return False
    bare = _TEXTS.sub("k", text)
    signs = _WORDS.sub("k", bare).translate(_BLANKS)
    return _LONG_KEY in signs or _LONG_INTEGER.search(bare) is not None
