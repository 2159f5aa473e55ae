"""Match text against patterns in which `*` stands for any text, such as `*_test.go`.

Invariant *linear*: each part between two stars is searched once, from the end of the part before
it, so matching takes time linear in the length of the text.
"""

from collections.abc import Sequence
from typing import Final

_STAR: Final = "*"


def split_glob(pattern: str) -> tuple[str, ...]:
    """Return the parts of a pattern between its stars; one part if it has no star."""
    return tuple(pattern.split(_STAR))


def glob_matches(text: str, parts: Sequence[str]) -> bool:
    """Check whether the whole text matches a pattern, given as `split_glob` returns it."""
    first, *middle = parts
    if not middle:
        return text == first
    last = middle.pop()
    start, end = len(first), len(text) - len(last)
    if end < start or not (text.startswith(first) and text.endswith(last)):
        return False
    for part in middle:
        found = text.find(part, start, end)
        if found < 0:
            return False
        start = found + len(part)
    return True
