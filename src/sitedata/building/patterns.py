r"""Patterns of file layouts: one regular expression for each segment, joined by slashes.

    (?P<contest>[0-9]++)/(?P<index>[a-z])(?:[ -]++(?P<title>.++))?

A pattern is matched against the last segments of a path, the file's extension left out, and each
part against the whole of its segment.  One that begins with a slash is matched against the whole
path below the judge's folder.  Letters match in either case; classes such as `[a-z]` and
`\d` are of ASCII; a dot is any character.

Invariant *nothing is tried twice*: a repetition that could be undone is refused, so that names,
which anybody may choose, are matched in linear time.  `*`, `+` and `{2,3}` must be possessive
(`*+`, `++`, `{2,3}+`); only `?`, and a number of one character such as `[0-9]{4}`, need not be.
"""

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["is_anchored", "segments", "split_groups"]

_TOKEN: Final = re.compile(
    r"""
      (?P<escape>\\.)
    | \[\^?+(?P<set>\]?+(?:\\.|[^\]\\])*+)\]
    | (?P<open>\[)
    | (?P<odd>\(\?(?!:|=|!|<=|<!|>|P<))
    | (?P<end>\))
    | (?P<optional>\?[?+]?+)
    | (?P<repeat>[*+]|\{(?:(?P<exact>[0-9]++)|[0-9]*+,[0-9]*+)\})(?P<possessive>\+?+)
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
_NESTED: Final = re.compile(r"\[|--|&&|~~|\|\|")
"""In a set these will mean something else in later versions of Python."""
_FLAGS: Final = re.ASCII | re.IGNORECASE | re.DOTALL


def is_anchored(path: str) -> bool:
    """Check whether a pattern is of the whole path below the judge's folder."""
    return path.startswith("/")


def segments(path: str) -> tuple[re.Pattern[str], ...]:
    """Compile the parts of a pattern.

    Raises ValueError for text that is no pattern or does not match in linear time.
    """
    patterns = tuple(_compiled(part) for part in path.removeprefix("/").split("/"))
    split_groups(patterns)
    return patterns


def split_groups(patterns: Sequence[re.Pattern[str]]) -> frozenset[str]:
    """Give the names of the groups of all parts; raises ValueError where one stands twice."""
    names = [name for pattern in patterns for name in pattern.groupindex]
    if len(set(names)) < len(names):
        raise ValueError("a group stands twice")
    return frozenset(names)


def _compiled(part: str) -> re.Pattern[str]:
    _check(part)
    try:
        return re.compile(part, _FLAGS)
    except (re.error, OverflowError, RecursionError):
        raise ValueError("no regular expression") from None


def _check(part: str) -> None:
    follows_group = False
    for token in _TOKEN.finditer(part):
        if token["open"]:
            raise ValueError("no regular expression: a set without an end")
        if token["odd"]:
            raise ValueError("a kind of group that layouts do not have")
        if token["set"] and _NESTED.search(token["set"]):
            raise ValueError("a set within a set")
        is_plain_count = token["exact"] and not follows_group
        if token["repeat"] and not token["possessive"] and not is_plain_count:
            raise ValueError("a repetition that is not possessive")
        follows_group = token["end"] is not None
