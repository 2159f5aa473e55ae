"""Decode TOML files to plain tables, in linear time, and parse them to settings.

Invariant *one error*: for any bytes the only exception of `parse_settings` is `SettingsError`.  It
has all problems with their lines, and quotes no value.
Invariant *linear*: the time of the standard library's parser grows with the square of the parts of
a dotted key or a table's name, and of the digits of an integer.  So text with a line of more than
`MAX_LINE` characters is rejected first.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from errno import EFBIG
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs

from status_contracts.findings import Finding, Step, pointer
from status_contracts.structuring.decoder import SettingsError

__all__ = ["RULES", "parse_settings", "read"]

MAX_LINE: Final = 1000
"""Characters of a line."""
_MAX_DIGITS: Final = 400  # below every limit that an interpreter may have
_LONG_NUMBER: Final = re.compile(rf"[0-9](?:_?[0-9]){{{_MAX_DIGITS}}}")
MAX_FILE_BYTES: Final = 64 * 1024
"""The longest settings file."""
RULES: Final = {"config.toml": "the file is TOML text in UTF-8"}
"""Rule id to its description."""

# Strings and comments, in which brackets are text.
_TEXTS: Final = re.compile(
    r'''  """ (?: [^"\\]++ | \\(?:.|\Z) | "{1,2}+(?!") )*+ "{0,5}+
        | \'\'\' (?: [^']++ | '{1,2}+(?!') )*+ '{0,5}+
        | " (?: [^"\\\n]++ | \\(?:.|\Z) )*+ "?+
        | ' [^'\n]*+ '?+
        | \# [^\n]*+
    ''',
    re.VERBOSE | re.DOTALL,
)
_PLACE: Final = re.compile(r"\(at (line \d+, column \d+|end of document)\)\Z")


def read(path: Path) -> bytes:
    """Return the bytes of a settings file; raise OSError, also where it is longer than 64 KiB."""
    with path.open("rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise OSError(EFBIG, f"it has more than {MAX_FILE_BYTES} bytes")
    return data


Settings = TypeVar("Settings")


def parse_settings(data: bytes, parse: Callable[[dict[str, Any]], Settings]) -> Settings:
    """Return the settings in a file.

    Args:
        data: the bytes of the file.
        parse: turns its tables to settings, or raises SettingsError.

    Raises:
        SettingsError: the file has problems; each message begins with the line of the problem.

    """
    tables = _decode(data)
    try:
        return parse(tables)
    except SettingsError as error:
        problems = error.findings
    raise SettingsError(tuple(_with_lines(data, problems)))


def _decode(data: bytes) -> dict[str, Any]:
    """Return the tables of a file without a byte order mark; raise SettingsError."""
    message = (
        f"must be TOML text in UTF-8, with lines of at most {MAX_LINE} characters"
        f" and numbers of at most {_MAX_DIGITS} digits"
    )
    try:
        text = data.decode("utf-8-sig")
        is_bounded = max(map(len, text.split("\n"))) <= MAX_LINE
        if is_bounded and _LONG_NUMBER.search(text) is None:
            return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # The message of the parser quotes the text, but not in the place at its end.
        if place := _PLACE.search(str(error)):
            message = f"{place[1]}: must be TOML text"
    raise SettingsError((Finding("", "config.toml", message),))  # without the parser's error


def _with_lines(data: bytes, findings: tuple[Finding, ...]) -> Iterator[Finding]:
    """Yield findings in the order of the file; one without a line of its own has its table's."""
    places = [*_key_lines(data.decode("utf-8-sig").replace("\r\n", "\n"))]
    lines = dict(reversed(places))  # the first one of a path counts
    placed = ((_line_of(finding.path, lines), finding) for finding in findings)
    for line, finding in sorted(placed, key=itemgetter(0)):
        yield attrs.evolve(finding, message=f"line {line}: {finding.message}") if line else finding


def _line_of(path: str, lines: Mapping[str, int]) -> int:
    """Return the line of a JSON pointer or of what contains it; 0 where that is the file."""
    while path and path not in lines:
        path = path.rpartition("/")[0]
    return lines.get(path, 0)


def _key_lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield the pointer of each table, key and nested key of a valid file, and its line."""
    table: tuple[Step, ...] = ()
    entries: Counter[tuple[Step, ...]] = Counter()  # of arrays of tables
    for line, statement in _statements(text):
        tree = tomllib.loads(statement)
        if not statement.lstrip().startswith("["):
            yield from ((pointer((*table, *steps)), line) for steps in _paths(tree))
            continue
        table = ()
        while tree:
            ((name, tree),) = tree.items()
            table = (*table, name)
            yield pointer(table), line
            if isinstance(tree, list):
                entries[table] += 1
                (tree,) = tree
            if entries[table]:
                table = (*table, entries[table] - 1)
                yield pointer(table), line


def _paths(tree: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    tables: list[tuple[tuple[str, ...], Mapping[str, Any]]] = [((), tree)]
    for steps, table in tables:  # without recursion: a key may have hundreds of parts
        for name, value in table.items():
            yield (*steps, name)
            if isinstance(value, dict):
                tables.append(((*steps, name), value))


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line at which each statement begins, and its text; a comment is one."""
    lines = text.split("\n")
    begin = end = depth = 0
    # Strings and comments are replaced by the line ends that they contain.
    for bare in _TEXTS.sub(lambda match: "\0" * match[0].count("\n"), text).split("\n"):
        end += 1 + bare.count("\0")
        depth += sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))
        if depth == 0:
            yield begin + 1, "\n".join(lines[begin:end])
            begin = end
