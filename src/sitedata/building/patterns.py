r"""Compile patterns of file layouts: a regular expression for each segment, joined by slashes.

    (?P<contest>[0-9]++)/(?P<index>[a-z])(?:[ -]++(?P<title>.++))?

A pattern is matched against the last segments of a path without the file's extension, and each
part against the whole of its segment.  A pattern that begins with a slash is matched against the
whole path below the platform's folder.  Letters match in either case, except in `(?-i:...)`;
classes such as `[a-z]` and `\d` are ASCII only; a dot is any character.

Invariant *no backtracking*: a repetition that could backtrack is refused, so names, which anybody
may choose, are matched in linear time.  `*`, `+` and `{2,3}` must be possessive (`*+`, `++`,
`{2,3}+`); only `?`, and an exact count of one character such as `[0-9]{4}`, need not be.

Contract: SD-SETTINGS-07.
"""

import re
from collections.abc import Sequence
from typing import Final

_TOKEN: Final = re.compile(
    r"""
      (?P<escape>\\.)
    | \[\^?+(?P<set>\]?+(?:\\.|[^\]\\])*+)\]
    | (?P<open>\[)
    | (?P<odd>\(\?(?!:|=|!|<=|<!|>|P<|-i:))
    | (?P<end>\))
    | (?P<optional>\?[?+]?+)
    | (?P<repeat>[*+]|\{(?:(?P<exact>[0-9]++)|[0-9]*+,[0-9]*+)\})(?P<possessive>\+?+)
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
_NESTED: Final = re.compile(r"\[|--|&&|~~|\|\|")
"""Later versions of Python will give these another meaning in a set."""
_FLAGS: Final = re.ASCII | re.IGNORECASE | re.DOTALL


def is_anchored(path: str) -> bool:
    """Check whether a pattern matches the whole path below the platform's folder."""
    return path.startswith("/")


def segments(path: str) -> tuple[re.Pattern[str], ...]:
    """Compile the parts of a pattern; raise ValueError unless it is linear."""
    patterns = tuple(_compiled(part) for part in path.removeprefix("/").split("/"))
    group_names(patterns)
    return patterns


def group_names(patterns: Sequence[re.Pattern[str]]) -> frozenset[str]:
    """Return the group names of all parts; raise ValueError if one occurs twice."""
    names = [name for pattern in patterns for name in pattern.groupindex]
    if len(set(names)) < len(names):
        raise ValueError("a group occurs twice")
    return frozenset(names)


def _compiled(part: str) -> re.Pattern[str]:
    _check(part)
    try:
        return re.compile(part, _FLAGS)
    except (re.error, OverflowError, RecursionError):
        raise ValueError("not a regular expression") from None


def _check(part: str) -> None:
    follows_group = False
    for token in _TOKEN.finditer(part):
        if token["open"]:
            raise ValueError("not a regular expression: a set has no end")
        if token["odd"]:
            raise ValueError("this kind of group is not supported")
        if token["set"] and _NESTED.search(token["set"]):
            raise ValueError("a set within a set")
        is_plain_count = token["exact"] and not follows_group
        if token["repeat"] and not token["possessive"] and not is_plain_count:
            raise ValueError("a repetition is not possessive")
        follows_group = token["end"] is not None
