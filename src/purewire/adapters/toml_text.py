"""Decode TOML files to plain tables, in linear time.

Invariant *one error*: for any bytes the only exception is `TomlTextError`; it quotes nothing.
Invariant *linear*: the time of the standard library's parser grows with the square of the parts of
a dotted key or a table's name, and of the digits of an integer if the host has lifted that limit.
Text with more than `MAX_KEY_PARTS` or `MAX_DIGITS` in a row is rejected first, so no result depends
on that limit.
"""

import re
import tomllib
from collections.abc import Iterable
from errno import EFBIG, ENOENT
from pathlib import Path
from typing import Any, Final

MAX_KEY_PARTS: Final = 64
"""The configuration files nest three tables deep."""
MAX_DIGITS: Final = 400
"""Below every limit that an interpreter may set on int()."""
MAX_FILE_BYTES: Final = 64 * 1024
"""The longest settings file."""
MAX_LINES: Final = 300
"""Lines of the longest file whose problems have lines, because each line is parsed again."""

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


def read(path: Path) -> bytes:
    """Return the bytes of a settings file; raise OSError, also where it is longer than 64 KiB."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except ValueError as error:  # a null character in the name
        raise OSError(ENOENT, str(error)) from None
    if len(data) > MAX_FILE_BYTES:
        raise OSError(EFBIG, f"it has more than {MAX_FILE_BYTES} bytes")
    return data


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


def lines_of(data: bytes, pointers: Iterable[str]) -> list[int | None]:
    """Return the line of each JSON pointer in a valid file, as far as it is short.

    The line of a value is the first after those that already are a file without it.
    """
    lines = data.decode("utf-8-sig").split("\n")
    wanted = [[_unescaped(step) for step in pointer.split("/")[1:]] for pointer in pointers]
    found: list[int | None] = [None] * len(wanted)
    begin = 1
    for number in range(1, len(lines) + 1) if len(lines) <= MAX_LINES else ():
        try:
            tables = tomllib.loads("\n".join(lines[:number]))
        except tomllib.TOMLDecodeError:
            continue  # the value goes on
        for place, steps in enumerate(wanted):
            if found[place] is None and steps and _has(tables, steps):
                found[place] = begin
        begin = number + 1
    return found


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def _has(value: object, steps: list[str]) -> bool:
    """Check whether a path leads somewhere; what is no table is not looked into."""
    for step in steps:
        if not isinstance(value, dict):
            return True
        if step not in value:
            return False
        value = value[step]
    return True


def _is_excessive(text: str) -> bool:
    if text.count(".") < MAX_KEY_PARTS and not _LONG_INTEGER.search(text):
        return False
    bare = _TEXTS.sub("k", text)
    signs = _WORDS.sub("k", bare).translate(_BLANKS)
    return _LONG_KEY in signs or _LONG_INTEGER.search(bare) is not None
