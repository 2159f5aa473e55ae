"""What the names in a folder show about the numbers in its path.

Source: rulings under "Site-data file" (a number names a contest where files beside it show that).

The cost is linear in the length of all paths: a file is noted in its folder, and a folder that
holds files is noted once in the folder above it.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import attrs

__all__ = ["Beside", "Siblings"]

_FLAGS: Final = re.ASCII | re.IGNORECASE | re.DOTALL
_LETTER: Final = re.compile(r"([a-z])[0-9]?(?:[ ._-].*+)?", _FLAGS)
_NUMBER: Final = re.compile(r"0*+([0-9]++)[ ._-]++.++", _FLAGS)
_LETTERS_LEAST: Final = 2
_NUMBERS_LEAST: Final = 5
"""Fewer could all be titles that begin with a number."""


class Beside(NamedTuple):
    """What is known of the names beside a file.

    Attributes:
        contest: whether two files of its folder or more have different letters: `a.cpp`, `c.cpp`.
        numbered: whether all names of its folder begin with a number, five different ones or more.
        folder_numbered: the same of the names beside its folder.

    """

    contest: bool = False
    numbered: bool = False
    folder_numbered: bool = False


@attrs.define(eq=False)
class _Names:
    """The names of one folder, as far as they matter."""

    letters: set[str] = attrs.field(factory=set)
    numbers: set[str] = attrs.field(factory=set)
    is_numbered: bool = True

    def add_file(self, stem: str) -> None:
        found = _LETTER.fullmatch(stem)
        if found is not None:
            self.letters.add(found[1].lower())
        self.add(stem)

    def add(self, name: str) -> None:
        found = _NUMBER.fullmatch(name)
        if found is None:
            self.is_numbered = False
        else:
            self.numbers.add(found[1])

    @property
    def are_numbered(self) -> bool:
        return self.is_numbered and len(self.numbers) >= _NUMBERS_LEAST


@attrs.define(eq=False, repr=False)
class Siblings:
    """The names in every folder."""

    _folders: dict[str, _Names] = attrs.field(factory=dict, init=False)
    _holders: set[str] = attrs.field(factory=set, init=False)
    """Folders that hold files, and so are noted in the folder above."""

    def add(self, parent: str, stem: str) -> None:
        """Note a file: the path of its folder, and its name without extension."""
        self._names(parent).add_file(stem)
        if parent not in self._holders:
            self._holders.add(parent)
            for above, name in _split(parent):
                self._names(above).add(name)

    def beside(self, parent: str) -> Beside:
        """Return what is known of the names beside the files of a folder."""
        names = self._names(parent)
        above = [self._names(folder).are_numbered for folder, _ in _split(parent)]
        return Beside(len(names.letters) >= _LETTERS_LEAST, names.are_numbered, any(above))

    def _names(self, folder: str) -> _Names:
        return self._folders.setdefault(folder, _Names())


def _split(path: str) -> Iterator[tuple[str, str]]:
    """Return the folder above and the last name; nothing for a path of one segment."""
    above, slash, name = path.rpartition("/")
    if slash:
        yield above, name
