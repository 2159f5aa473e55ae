"""Bytes of a TOML file to plain tables, in linear time.

Invariant *one error*: whatever the bytes, the only exception is `TomlTextError`; it quotes nothing.
Invariant *linear*: the time that the standard library's reader takes grows with the square of the
parts of a dotted key, or of a table's name, and, where the host has lifted the limit, of the digits
of an integer; text with more than `KEY_PARTS_MOST` or `DIGITS_MOST` in a row does not get there,
so that no verdict depends on that limit.
"""

import re
import tomllib
from typing import Any, Final

__all__ = ["DIGITS_MOST", "KEY_PARTS_MOST", "TomlTextError", "decode"]

KEY_PARTS_MOST: Final = 64
"""The files that are read here nest three tables deep."""
DIGITS_MOST: Final = 400
"""Below every limit that an interpreter may set on int()."""

# Where dots and digits are text.  What is not closed goes to the end: there the reader stops, too.
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
_LONG_KEY: Final = "k." * KEY_PARTS_MOST
_LONG_INTEGER: Final = re.compile(rf"(?<![0-9_])[0-9_]{{{DIGITS_MOST + 1}}}")


class TomlTextError(ValueError):
    """The bytes are not TOML text, or hold a key or a number that is longer than any of ours."""


def decode(data: bytes) -> dict[str, Any]:
    """Read a file, one leading byte order mark dropped; raises TomlTextError."""
    try:
        text = data.decode("utf-8-sig")
        if not _is_excessive(text):
            return tomllib.loads(text)
    except (ValueError, RecursionError):
        pass  # said below, without what the reader says of the text
    raise TomlTextError("not TOML text, or a key or number that is too long")


def _is_excessive(text: str) -> bool:
    if text.count(".") < KEY_PARTS_MOST and not _LONG_INTEGER.search(text):
        return False
    bare = _TEXTS.sub("k", text)
    signs = _WORDS.sub("k", bare).translate(_BLANKS)
    return _LONG_KEY in signs or _LONG_INTEGER.search(bare) is not None
