"""Names with `*` for any text, such as `*_test.go`.

Invariant *linear*: every part between two stars is looked for once, from where the one before it
ended, so that names of any length are matched in linear time.
"""

from collections.abc import Iterable
from typing import Final

import attrs

__all__ = ["Globs", "is_glob"]

_STAR: Final = "*"
_LONGEST: Final = 200


def is_glob(text: str) -> bool:
    """Check whether text can match the name of a file: 1 to 200 characters without a slash."""
    return 0 < len(text) <= _LONGEST and "/" not in text


def _folded(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(text.casefold() for text in texts)


@attrs.frozen(repr=False)
class Globs:
    """Several of them; letters match in either case."""

    texts: frozenset[str] = attrs.field(converter=_folded)
    _plain: frozenset[str] = attrs.field(init=False, eq=False)
    _parts: tuple[tuple[str, ...], ...] = attrs.field(init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        starred = sorted(text for text in self.texts if _STAR in text)
        object.__setattr__(self, "_plain", self.texts.difference(starred))
        object.__setattr__(self, "_parts", tuple(tuple(each.split(_STAR)) for each in starred))

    def match(self, name: str) -> bool:
        """Check whether any of them matches the whole of a name."""
        folded = name.casefold()
        return folded in self._plain or any(_fits(folded, each) for each in self._parts)


def _fits(name: str, parts: tuple[str, ...]) -> bool:
    first, *middle, last = parts
    if len(name) < len(first) + len(last) or not (name.startswith(first) and name.endswith(last)):
        return False
    place, end = len(first), len(name) - len(last)
    for part in middle:
        found = name.find(part, place, end)
        if found < 0:
            return False
        place = found + len(part)
    return True
