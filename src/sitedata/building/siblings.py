"""Collect facts about the names in each folder, to interpret the numbers in paths.

The cost is linear in the length of all paths: a file is recorded in its folder, and a folder with
files is recorded once in its parent folder.

Contract: SD-LINK-03, SD-LINK-06.
"""

import re
from collections import defaultdict
from typing import Final, NamedTuple

import attrs

_FLAGS: Final = re.ASCII | re.IGNORECASE | re.DOTALL
_LETTER: Final = re.compile(r"([a-z])[0-9]?(?:[ ._-].*+)?", _FLAGS)
_NUMBER: Final = re.compile(r"0*+([0-9]++)[ ._-]++.++", _FLAGS)
_SLUG: Final = re.compile("[a-z][a-z0-9]*+(?:-[a-z0-9]++)++")
_MIN_LETTERS: Final = 2
_MIN_NUMBERS: Final = 5
"""Fewer names could all be titles that begin with a number."""
_MIN_SLUGS: Final = 3


class NameFacts(NamedTuple):
    """Facts about the names of files and folders in one folder.

    `numbered`: whether all begin with a number, at least five different ones.  `slugs`: whether at
    least three have the form `two-sum`.
    """

    numbered: bool = False
    slugs: bool = False


class SiblingFacts(NamedTuple):
    """Facts about the names beside a file, and about those in the parent folder.

    `contest`: whether files of the folder have different letters, as `a.cpp` and `c.cpp`.
    """

    contest: bool = False
    beside: NameFacts = NameFacts()
    above: NameFacts = NameFacts()


@attrs.define(eq=False)
class _Names:
    """The letters, numbers and slugs of the names in one folder."""

    letters: set[str] = attrs.field(factory=set)
    numbers: set[str] = attrs.field(factory=set)
    slugs: set[str] = attrs.field(factory=set)
    all_numbered: bool = True

    def add(self, name: str) -> None:
        if found := _NUMBER.fullmatch(name):
            self.numbers.add(found[1])
        else:
            self.all_numbered = False
        if len(self.slugs) < _MIN_SLUGS and _SLUG.fullmatch(name):
            self.slugs.add(name)

    @property
    def facts(self) -> NameFacts:
        is_numbered = self.all_numbered and len(self.numbers) >= _MIN_NUMBERS
        return NameFacts(is_numbered, len(self.slugs) >= _MIN_SLUGS)


@attrs.define(eq=False, repr=False)
class SiblingIndex:
    """The names in all folders."""

    _folders: defaultdict[str, _Names] = attrs.field(
        factory=lambda: defaultdict(_Names), init=False
    )
    _holders: set[str] = attrs.field(factory=set, init=False)
    """Folders with files, which are recorded in their parent folder."""

    def add(self, parent: str, stem: str) -> None:
        """Record a file: the path of its folder, and its name without extension."""
        names = self._folders[parent]
        names.add(stem)
        if found := _LETTER.fullmatch(stem):
            names.letters.add(found[1].lower())
        if parent not in self._holders:
            self._holders.add(parent)
            above, _, name = parent.rpartition("/")
            self._folders[above].add(name)

    def facts(self, parent: str) -> SiblingFacts:
        """Return the facts about the names beside the files of a folder, which is not the root."""
        names = self._folders[parent]
        above = self._folders[parent.rpartition("/")[0]]
        return SiblingFacts(len(names.letters) >= _MIN_LETTERS, names.facts, above.facts)
