"""Platforms: which folders hold their problems, and how the path of a file identifies a problem.

The first layout of a platform that a path matches supplies title and URL of the problem.  It is
matched against as many of the last segments as its pattern has.  Layouts of a settings file match
a path as it is; the built-in ones match what is left of it without structural folders, buckets and
generic names (`sitedata.building.names`), so `abc123/src/bin/a.rs`, `abc123/a/main.py` and
`abc123/a/a.py` are `abc123/a`.

Invariant *complete or nothing*: without a matching layout, or without a value that a template
needs, there is no result instead of an incomplete URL.
Invariant *only what is certain*: a URL that could belong to another problem is not returned.
Invariant *linear*: a file is recorded in its folder, and a folder with files once in its parent.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, Literal, NamedTuple

import attrs

from sitedata.building.names import (
    AMBIGUOUS,
    attempt_of,
    folder_key,
    is_bare,
    is_generic_name,
    is_in_bucket,
    is_other_site,
    is_range,
    is_structure,
    leading_number,
)
from sitedata.building.templates import Template, check_url, group_names, segments

ROOT: Final = "."
"""The folder of a platform that has the whole repository, except the folders of others."""
_FLAGS: Final = re.ASCII | re.IGNORECASE | re.DOTALL
_LETTER: Final = re.compile(r"([a-z])[0-9]?(?:[ ._-].*+)?", _FLAGS)
_NUMBER: Final = re.compile(r"0*+([0-9]++)[ ._-]++.++", _FLAGS)
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

Requirement = Literal["contest", "no contest", "folder", "numbered", "same name", "slugs"]
"""Condition on a name: others beside it have different letters, or have not; it is that of a
folder; all beside it begin with a number; its folder has it too; some beside it are slugs such as
`two-sum`."""


@attrs.define(eq=False)
class _Names:
    """The names in one folder, and what they have in common."""

    stems: set[str] = attrs.field(factory=set)
    letters: set[str] = attrs.field(factory=set)
    numbers: set[str] = attrs.field(factory=set)
    slugs: set[str] = attrs.field(factory=set)
    all_numbered: bool = True
    all_in_bucket: bool = True

    def add(self, name: str, folder: str) -> None:
        if name in self.stems:
            return
        self.stems.add(name)
        if match := _LETTER.fullmatch(name):
            self.letters.add(match[1].lower())
        if match := _NUMBER.fullmatch(name):
            self.numbers.add(match[1])
        else:
            self.all_numbered = False
        if self.all_in_bucket:
            number = leading_number(name)
            self.all_in_bucket = number is not None and is_in_bucket(number, folder)
        if len(self.slugs) < _MIN_SLUGS and _SLUG.fullmatch(name):
            self.slugs.add(name)

    def facts(self) -> Iterator[Requirement]:
        yield "contest" if len(self.letters) >= _MIN_LETTERS else "no contest"
        if self.all_numbered and len(self.numbers) >= _MIN_NUMBERS:
            yield "numbered"
        if len(self.slugs) >= _MIN_SLUGS:
            yield "slugs"


_NO_NAMES: Final = _Names(all_in_bucket=False)


@attrs.define(eq=False, repr=False)
class SiblingIndex:
    """The names in all folders, without structural ones."""

    _folders: defaultdict[str, _Names] = attrs.field(
        factory=lambda: defaultdict(_Names), init=False
    )
    _holders: dict[str, str] = attrs.field(factory=dict, init=False)
    """Folder with files to the folder that it is a structural part of."""
    _places: defaultdict[str, set[str]] = attrs.field(factory=lambda: defaultdict(set), init=False)
    """Stem to the keys of the folders that it is in, as long as they are few."""

    def add(self, parent: str, stem: str) -> None:
        """Record a file: the path of its folder, and its name without extension."""
        holder = self._holders.get(parent)
        if holder is None:
            holder = self._holders[parent] = _without_structure(parent)
            if holder:
                above, _, name = holder.rpartition("/")
                self._folders[above].add(name, above.rpartition("/")[2])
        name = holder.rpartition("/")[2]
        self._folders[holder].add(stem, name)
        places = self._places[stem]
        key = folder_key(name)
        if len(places) <= _MAX_SHARED and key != folder_key(stem) and not is_structure(name):
            places.add(key)

    def names(self, folder: str) -> _Names:
        """Return the names in a folder."""
        return self._folders.get(folder, _NO_NAMES)

    def is_generic(self, parent: str, stem: str) -> bool:
        """Check whether a stem names no problem: a generic one, or one that many folders share."""
        if is_generic_name(stem):
            return True
        if is_bare(stem) or len(self._places.get(stem, ())) <= _MAX_SHARED:
            return False
        stems = self.names(self._holders.get(parent, parent)).stems
        return sum(not is_generic_name(other) for other in stems) <= _MAX_SHARED

    def place(self, parent: str, folders: Sequence[str]) -> "Place":
        """Return the place of a folder's path, of which `folders` are those below the platform."""
        kept = [
            folder
            for position, folder in enumerate(folders)
            if not is_structure(folder)
            and not self._is_bucket(parent, folder, len(folders) - position - 1)
        ]
        holder = self._holders.get(parent, parent)
        names, above = self.names(holder), self.names(holder.rpartition("/")[0])
        facts = frozenset(names.facts()), frozenset(above.facts())
        return Place(tuple(folders), tuple(kept), names.stems, *facts)

    def _is_bucket(self, parent: str, folder: str, below: int) -> bool:
        """Check whether a folder holds only numbers of its range; `below` are deeper ones."""
        if below > _MAX_BELOW or not (is_range(folder) or folder.isdecimal()):
            return False
        return self.names(parent.rsplit("/", below)[0]).all_in_bucket


def _without_structure(path: str) -> str:
    folders = path.split("/")
    while len(folders) > 1 and is_structure(folders[-1]):
        folders.pop()
    return "/".join(folders)


class Place(NamedTuple):
    """A folder of files: those below the platform's folder, and those that may name a problem.

    `beside` and `above` are facts about the names in it, and about those in its parent folder.
    """

    folders: tuple[str, ...]
    kept: tuple[str, ...]
    stems: set[str]
    beside: frozenset[Requirement]
    above: frozenset[Requirement]


class Statement(NamedTuple):
    """Display title of a problem, and the URL of its statement if known."""

    title: str
    url: str | None


@attrs.frozen
class Layout:
    """A pattern of paths (`sitedata.building.templates`), with templates of title and URL.

    The fields of the templates are groups of the pattern; `url` is None if the path does not
    determine it.  `is_exact`: whether it is matched against a path as it is.  Raise ValueError for
    an invalid pattern or template.
    """

    path: str
    title: str
    url: str | None
    requires: Requirement | None = None
    is_exact: bool = True

    def __attrs_post_init__(self) -> None:
        if self.is_exact:  # built-in ones are compiled when a folder of their platform is found
            _ = self._compiled

    @cached_property
    def _compiled(self) -> tuple[tuple[re.Pattern[str], ...], Template, Template | None]:
        patterns = segments(self.path)
        title, url = Template(self.title), None
        fields = title.fields
        if self.url is not None:
            check_url(self.url)
            url = Template(self.url)
            fields |= url.fields
        if not fields <= group_names(patterns):
            raise ValueError("a field of a template is not a group of the pattern")
        return patterns, title, url

    def has_folder(self, name: str) -> bool:
        """Check whether a folder of the pattern matches a name."""
        return any(pattern.fullmatch(name) for pattern in self._compiled[0][:-1])

    def match_folders(self, folders: Sequence[str]) -> dict[str, str | None] | None:
        """Match all segments but the last: return the values of groups, None without a match."""
        patterns = self._compiled[0]
        count = len(patterns) - 1
        if count > len(folders) or (count < len(folders) and self.path.startswith("/")):
            return None
        values: dict[str, str | None] = {}
        for place in range(-1, -count - 1, -1):  # the last says most
            match = patterns[place - 1].fullmatch(folders[place])
            if match is None:
                return None
            values |= match.groupdict()
        return values

    def statement(self, stem: str, values: dict[str, str | None]) -> Statement | None:
        """Match a file name without its extension; return None if it does not match."""
        patterns, title_template, url_template = self._compiled
        match = patterns[-1].fullmatch(stem)
        if match is None:
            return None
        values = match.groupdict() | values
        title = title_template.title(values)
        url = None if url_template is None else url_template.url(values)
        if title is None or (url is None and url_template is not None):
            return None
        return Statement(title, url)


def _folder_keys(names: Iterable[str]) -> frozenset[str]:
    return frozenset(map(folder_key, names))


def _in_order(layouts: Iterable[Layout]) -> tuple[Layout, ...]:
    return tuple(layouts)


@attrs.frozen
class Platform:
    """A platform that publishes problems, with its name in settings and ratings.

    A folder is a name as `folder_key` returns it, or a path from the root of the repository.  The
    likeliest layouts come first.
    """

    name: str
    folders: frozenset[str] = attrs.field(converter=_folder_keys)
    layouts: tuple[Layout, ...] = attrs.field(converter=_in_order, repr=False)
    has_exact: bool = attrs.field(init=False, eq=False, repr=False)

    @has_exact.default
    def _any_exact(self) -> bool:
        return any(layout.is_exact for layout in self.layouts)


def platforms_by_folder(platforms: Iterable[Platform]) -> dict[str, Platform]:
    """Map each folder key to the first platform that has it."""
    return {key: platform for platform in reversed([*platforms]) for key in platform.folders}


@attrs.frozen(eq=False, repr=False)
class PlatformIndex:
    """Finds the platform of a folder: that of the deepest known folder on its path.

    A folder of another site inside a platform has none, because the ids there are that site's;
    ids of `_COLLECTIONS` name the site themselves.
    """

    _platforms: dict[str, Platform] = attrs.field(converter=platforms_by_folder)
    _depth: int = attrs.field(init=False)

    @_depth.default
    def _deepest(self) -> int:
        return max((key.count("/") + 1 for key in self._platforms), default=0)

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
        if is_other_site(key):
            return True
        other = None if key in AMBIGUOUS else self._platforms.get(key)
        return other is not None and folder_key(other.name) == key and other is not platform


_Matched = tuple[Layout, dict[str, str | None]]
MatchCache = dict[tuple[object, ...], list[_Matched]]
"""Layouts that match folders, by platform, folders and facts: many files have the same."""


@attrs.define(eq=False, repr=False)
class FolderMatcher:
    """Finds the problems of the files in one folder of a platform."""

    _platform: Platform
    _place: Place
    _cache: MatchCache = attrs.field(factory=dict)
    _of_folder: dict[bool, Statement | None] = attrs.field(factory=dict, init=False)

    def statement(self, stem: str, *, is_generic: bool) -> Statement | None:
        """Return the problem of a file by the first layout that matches; None if none does.

        `is_generic`: whether the stem says nothing, so the folder is the name; a stem that many
        folders share may still be a task of each of them.
        """
        place = self._place
        if self._platform.has_exact:
            statement = self._first(place.folders, place.beside, stem, is_exact=True)
            if statement is not None:
                return statement
        if is_generic:
            statement = None if "contest" in place.beside else self._statement_of_folder()
            if statement is not None or is_generic_name(stem):
                return statement
        name = folder_key(place.kept[-1]) if place.kept else ""
        base = attempt_of(stem, place.stems)
        if folder_key(base) == name:
            stem = base
        statement = self._first(place.kept, place.beside, stem)
        if statement is None and folder_key(stem) == name:
            return self._statement_of_folder(has_name=True)
        return statement

    def _statement_of_folder(self, *, has_name: bool = False) -> Statement | None:
        """Return the problem that the folder names; `has_name`: a file has its name."""
        if has_name not in self._of_folder:
            kept = [*self._place.kept]
            while kept and is_generic_name(kept[-1]):
                kept.pop()
            facts: frozenset[Requirement] = self._place.above | {"folder"}
            facts |= {"same name"} if has_name else frozenset()
            statement = self._first(tuple(kept[:-1]), facts, kept[-1]) if kept else None
            self._of_folder[has_name] = statement
        return self._of_folder[has_name]

    def _first(
        self,
        folders: tuple[str, ...],
        facts: frozenset[Requirement],
        stem: str,
        *,
        is_exact: bool = False,
    ) -> Statement | None:
        key = id(self._platform), folders, facts, is_exact
        if key not in self._cache:
            self._cache[key] = [
                (layout, values)
                for layout in self._platform.layouts
                if layout.is_exact is is_exact
                and (layout.requires is None or layout.requires in facts)
                and (values := layout.match_folders(folders)) is not None
            ]
        for layout, values in self._cache[key]:
            statement = layout.statement(stem, values)
            if statement is not None:
                return statement
        return None
