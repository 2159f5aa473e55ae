"""Platforms: which folders hold their problems, and how the path of a file identifies a problem.

The first layout of a platform that a path matches supplies title and URL of the problem.  It is
matched against as many of the last segments as its pattern has, of what is left of the path
without structural folders, buckets and generic names (`sitedata.building.names`), so
`abc123/src/bin/a.rs`, `abc123/a/main.py` and `abc123/a/a.py` are `abc123/a`.

Invariant *complete or nothing*: without a matching layout, or without a value that a template
needs, there is no result instead of an incomplete URL.
Invariant *only what is certain*: a URL that could belong to another problem is not returned.
Invariant *linear*: a file is recorded in its folder, and a folder with files once in its parent.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final, Literal, NamedTuple

import attrs

from sitedata.building.names import (
    attempt_of,
    folder_key,
    folder_names,
    is_bare,
    is_generic_name,
    is_in_bucket,
    is_other_site,
    is_range,
    is_structure,
    leading_number,
    own_part,
)
from sitedata.building.templates import fill, percent_encode, segment

ROOT: Final = "."
"""The folder of a platform that has the whole repository, except the folders of others."""
_FLAGS: Final = re.ASCII | re.IGNORECASE | re.DOTALL
_LETTER: Final = re.compile(r"([a-z])[0-9]?(?:[ ._-].*+)?", _FLAGS)
_NUMBER: Final = re.compile(r"0*+([0-9]++)[ ._-]++.++", _FLAGS)
_YEAR: Final = re.compile(r"(?:.*[^0-9])?(?:19[7-9]|20[0-4])[0-9](?:[^0-9].*)?", _FLAGS)
_SLUG: Final = re.compile("[a-z][a-z0-9]*+(?:-[a-z0-9]++)++")
_MIN_LETTERS: Final = 2
_MIN_NUMBERS: Final = 5
"""Fewer names could all be titles that begin with a number."""
_MIN_SLUGS: Final = 3
_MAX_SHARED: Final = 3
"""Folders that a stem which names a problem may be in; and stems in a folder of one problem."""
_MAX_BELOW: Final = 3
"""Folders between a bucket and its files."""

_COLLECTIONS: Final = frozenset(["luogu", "vjudge"])
"""Platforms that show the problems of other sites."""

Requirement = Literal[
    "contest", "no contest", "folder", "generic", "numbered", "same name", "slugs"
]
"""Condition on a name: others beside it have different letters, or have not; it is that of a
folder; it is an id although it is generic; all beside it begin with a number; its folder has it
too; some beside it are slugs such as `two-sum`."""


@attrs.define(eq=False, slots=False)
class _Names:
    """The names in one folder, and what they have in common once all are added."""

    folder: str
    stems: set[str] = attrs.field(factory=set)

    @cached_property
    def facts(self) -> frozenset[Requirement]:
        """What is true of the names."""
        letters = filter(None, map(_LETTER.fullmatch, self.stems))
        is_contest = len({match[1].lower() for match in letters}) >= _MIN_LETTERS
        facts: set[Requirement] = {"contest" if is_contest else "no contest", "generic"}
        numbers = {match and match[1] for match in map(_NUMBER.fullmatch, self.stems)}
        if None not in numbers and len(numbers) >= _MIN_NUMBERS:
            facts.add("numbered")
        if sum(map(bool, map(_SLUG.fullmatch, self.stems))) >= _MIN_SLUGS:
            facts.add("slugs")
        return frozenset(facts)

    @cached_property
    def is_bucket(self) -> bool:
        """Whether all begin with a number of the folder's range."""
        numbers = (leading_number(name) or "" for name in self.stems)
        return bool(self.stems) and all(is_in_bucket(number, self.folder) for number in numbers)

    @cached_property
    def are_few(self) -> bool:
        """Whether so few say something that they may be of one problem, which no year is."""
        few = sum(not is_generic_name(name) for name in self.stems) <= _MAX_SHARED
        return few and _YEAR.fullmatch(self.folder) is None

    @cached_property
    def key(self) -> str | None:
        """The key of the folder; None if it is structural."""
        return None if is_structure(self.folder) else folder_key(self.folder)


_NO_NAMES: Final = _Names("")


class SiblingIndex:
    """The names in all folders, without structural ones; it is read once all are added."""

    def __init__(self) -> None:
        self._folders: dict[str, _Names] = {}
        self._holders: dict[str, str] = {}
        """Folder with files to the folder that it is a structural part of."""
        self._places: defaultdict[str, set[str]] = defaultdict(set)
        """Stem to the keys of the folders that it is in, as long as they are few."""
        self.matched: dict[tuple[object, ...], _Matched] = {}
        """Layouts that match folders, by platform, folders and facts: many files have the same."""

    def add(self, parent: str, stem: str) -> None:
        """Record a file: the path of its folder, and its name without extension."""
        holder = self._holders.get(parent)
        if holder is None:
            folders = parent.split("/")
            while len(folders) > 1 and is_structure(folders[-1]):
                folders.pop()
            holder = self._holders[parent] = "/".join(folders)
            if holder:
                above, _, name = holder.rpartition("/")
                self._folder(above).stems.add(name)
        names, places = self._folder(holder), self._places[stem]
        names.stems.add(stem)
        if names.key is not None and len(places) <= _MAX_SHARED + 1:  # one may have its own name
            places.add(names.key)

    def _folder(self, path: str) -> _Names:
        if path not in self._folders:
            self._folders[path] = _Names(path.rpartition("/")[2])
        return self._folders[path]

    def names(self, parent: str) -> _Names:
        """Return the names in a folder, or in the one that it is a structural part of."""
        return self._folders.get(self._holders.get(parent, parent), _NO_NAMES)

    def is_generic(self, parent: str, stem: str) -> bool:
        """Check whether a stem names no problem: a generic one, or one that many folders share."""
        if is_generic_name(stem):
            return True
        places = self._places.get(stem)
        if places is None or len(places) <= _MAX_SHARED or is_bare(stem):
            return False
        is_shared = len(places - {folder_key(stem)}) > _MAX_SHARED
        return is_shared and self.names(parent).are_few

    def names_above(self, parent: str) -> _Names:
        """Return the names beside a folder, or beside the one that it is a structural part of."""
        return self.names(self._holders.get(parent, parent).rpartition("/")[0])

    def naming(self, parent: str, below: Sequence[str]) -> tuple[str, ...]:
        """Return the folders below that of a platform that may name a problem."""
        return tuple(
            folder
            for position, folder in enumerate(below)
            if not is_structure(folder)
            and not self._is_bucket(parent, folder, len(below) - position - 1)
        )

    def _is_bucket(self, parent: str, folder: str, below: int) -> bool:
        """Check whether a folder holds only numbers of its range; `below` are deeper ones."""
        if below > _MAX_BELOW or not (is_range(folder) or folder.isdecimal()):
            return False
        return self._folders.get(parent.rsplit("/", below)[0], _NO_NAMES).is_bucket


class Statement(NamedTuple):
    """Display title of a problem, and the URL of its statement if known."""

    title: str
    url: str | None


@attrs.frozen(slots=False)
class Layout:
    """A pattern of paths (`sitedata.building.templates`), with templates of title and URL.

    The fields of the templates are groups of the pattern; `url` is None if the path does not
    determine it.
    """

    path: str
    title: str
    url: str | None
    requires: Requirement | None = None

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        return tuple(self.path.removeprefix("/").split("/"))

    def has_folder(self, name: str) -> bool:
        """Check whether a folder of the pattern matches a name."""
        return any(segment(part).fullmatch(name) for part in self._parts[:-1])

    def match_folders(self, folders: Sequence[str]) -> dict[str, str | None] | None:
        """Match all segments but the last: return the values of groups, None without a match."""
        *parts, _ = self._parts
        if len(parts) > len(folders) or (len(parts) < len(folders) and self.path.startswith("/")):
            return None
        values: dict[str, str | None] = {}
        for part, folder in zip(reversed(parts), reversed(folders), strict=False):
            match = segment(part).fullmatch(folder)
            if match is None:
                return None
            values |= match.groupdict()
        return values

    def statement(self, stem: str, values: dict[str, str | None]) -> Statement | None:
        """Match a file name without its extension; return None if it does not match."""
        match = segment(self._parts[-1]).fullmatch(stem)
        if match is None:
            return None
        values = match.groupdict() | values
        title = fill(self.title, values)
        url = self.url and fill(self.url, values, percent_encode)
        return None if title is None or (url is None and self.url) else Statement(title, url)


def _folder_keys(names: Iterable[str]) -> frozenset[str]:
    return frozenset(map(folder_key, names))


@attrs.frozen
class Platform:
    """A platform that publishes problems, with its name in settings and ratings.

    A folder is a name as `folder_key` returns it, or a path from the root of the repository.  The
    likeliest layouts come first.
    """

    name: str
    folders: frozenset[str] = attrs.field(converter=_folder_keys)
    layouts: tuple[Layout, ...] = attrs.field(repr=False)


def platforms_by_folder(platforms: Iterable[Platform]) -> dict[str, Platform]:
    """Map each folder key to the first platform that has it."""
    return {key: platform for platform in reversed([*platforms]) for key in platform.folders}


class PlatformIndex:
    """Finds the platform of a folder: that of the deepest known folder on its path.

    A folder of another site inside a platform has none, because the ids there are that site's;
    ids of `_COLLECTIONS` name the site themselves.
    """

    def __init__(self, platforms: Iterable[Platform]) -> None:
        self._platforms = platforms_by_folder(platforms)
        self._depth = max((key.count("/") + 1 for key in self._platforms), default=0)

    def find(self, parent: str) -> tuple[Platform, list[str]] | None:
        """Return the platform of a folder's path, and the folders below the platform's own."""
        names = parent.split("/")
        keys = [folder_key(name) for name in names[: self._depth]]
        counts = range(len(keys), 0, -1)
        deepest = next((count for count in counts if "/".join(keys[:count]) in self._platforms), 0)
        platform = self._platforms.get("/".join(keys[:deepest]) if deepest else ROOT)
        if platform is None:
            return None
        is_collection = platform.name in _COLLECTIONS
        if not is_collection and any(self._is_other(name, platform) for name in names[deepest:]):
            return None
        return platform, names[deepest:]

    def _is_other(self, folder: str, platform: Platform) -> bool:
        key = folder_key(folder)
        other = self._platforms.get(key, platform)
        return is_other_site(key) or (other is not platform and folder_key(other.name) == key)


_Matched = list[tuple[Layout, dict[str, str | None]]]


class FolderMatcher:
    """Finds the problems of the files in one folder of a platform.

    `below` are the folders of its path that are below the platform's own.
    """

    def __init__(
        self, siblings: SiblingIndex, parent: str, platform: Platform, below: Sequence[str]
    ) -> None:
        self._siblings, self._parent, self._platform = siblings, parent, platform
        self._folders = siblings.naming(parent, below)
        self._names = siblings.names(parent)
        self._matched = self._matching(self._folders, self._names.facts)
        self._folder = self._folders[-1] if self._folders else ""
        self._key, self._own = folder_key(self._folder), folder_names(self._folder)

    def statement(self, stem: str) -> Statement | None:
        """Return the problem of a file by the first layout that matches; None if none does.

        Where the stem says nothing the folder is the name; a stem that many folders share may still
        be a task of each of them.
        """
        if self._siblings.is_generic(self._parent, stem):
            generic = [pair for pair in self._matched if pair[0].requires == "generic"]
            statement = _first(generic, stem)
            if statement is None and "contest" not in self._names.facts:
                statement = self._statement_of_folder("folder")
            if statement is not None or is_generic_name(stem):
                return statement
        base = attempt_of(stem, self._names.stems, self._folder)
        if stem.isalnum() and folder_key(base) != self._key:
            base = stem  # `x2` may be another problem than `x`
        part = own_part(base, self._own)
        statement = _first(self._matched, part or base)
        if statement is not None:
            return statement
        facts = ("folder", "same name") if folder_key(part) == self._key else ("folder",)
        return self._statement_of_folder(*facts, part=part) if part else None

    def _statement_of_folder(self, *facts: Requirement, part: str = "") -> Statement | None:
        """Return the problem that the folder names, of which facts are known, or its own part."""
        kept = [*self._folders]
        while kept and is_generic_name(kept[-1]):
            kept.pop()
        if not kept:
            return None
        above = self._siblings.names_above(self._parent).facts
        name = part if part.startswith(kept[-1]) else kept[-1]
        return _first(self._matching(tuple(kept[:-1]), above.union(facts)), name)

    def _matching(self, folders: tuple[str, ...], facts: frozenset[Requirement]) -> _Matched:
        """Return the layouts whose folders and requirements match, with the values of groups."""
        key = self._platform.name, folders, facts
        if key not in self._siblings.matched:
            self._siblings.matched[key] = [
                (layout, values)
                for layout in self._platform.layouts
                if (layout.requires is None or layout.requires in facts)
                and (values := layout.match_folders(folders)) is not None
            ]
        return self._siblings.matched[key]


def _first(matched: _Matched, stem: str) -> Statement | None:
    statements = (layout.statement(stem, values) for layout, values in matched)
    return next(filter(None, statements), None)
