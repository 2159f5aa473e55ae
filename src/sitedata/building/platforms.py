"""Platforms: which folders hold their problems, and how the path of a file identifies a problem.

The first layout of a platform that a path matches supplies title and URL of the problem.  It is
matched against as many of the last segments as its pattern has.

Invariant *complete or nothing*: without a matching layout, or without a value that a template
needs, there is no result instead of an incomplete URL.
Invariant *only what is certain*: a URL that could belong to another problem is not returned.
Invariant *linear*: a file is recorded in its folder, and a folder with files once in its parent.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

import attrs

from sitedata.building.templates import Template, check_url, group_names, segments

ROOT: Final = "."
"""The folder of a platform that has the whole repository, except the folders of others."""
_SEPARATORS: Final = re.compile(r"[\s._-]++")
_FLAGS: Final = re.ASCII | re.IGNORECASE | re.DOTALL
_LETTER: Final = re.compile(r"([a-z])[0-9]?(?:[ ._-].*+)?", _FLAGS)
_NUMBER: Final = re.compile(r"0*+([0-9]++)[ ._-]++.++", _FLAGS)
_SLUG: Final = re.compile("[a-z][a-z0-9]*+(?:-[a-z0-9]++)++")
_MIN_LETTERS: Final = 2
_MIN_NUMBERS: Final = 5
"""Fewer names could all be titles that begin with a number."""
_MIN_SLUGS: Final = 3


Requirement = Literal["contest", "no contest", "numbered", "same name", "slugs"]
"""Condition on the names beside a file: files with different letters, no such files; on the names
beside it, or beside its folder if the pattern has folders: a number at the beginning of all, some
that are slugs such as `two-sum`; or on its own name, which is that of its folder."""


class SiblingFacts(NamedTuple):
    """Conditions that the names beside a file meet, and those in its parent folder.

    Both have "contest" if files beside it have different letters, as `a.cpp` and `c.cpp`, and "no
    contest" otherwise.
    """

    beside: frozenset[Requirement]
    above: frozenset[Requirement]


_NO_FACTS: Final = SiblingFacts(*[frozenset[Requirement](["no contest"])] * 2)


@attrs.define(eq=False)
class _Names:
    """The letters, numbers and slugs of the names in one folder."""

    letters: set[str] = attrs.field(factory=set)
    numbers: set[str] = attrs.field(factory=set)
    slugs: set[str] = attrs.field(factory=set)
    all_numbered: bool = True

    def add(self, name: str) -> None:
        if match := _NUMBER.fullmatch(name):
            self.numbers.add(match[1])
        else:
            self.all_numbered = False
        if len(self.slugs) < _MIN_SLUGS and _SLUG.fullmatch(name):
            self.slugs.add(name)

    def facts(self) -> Iterator[Requirement]:
        if self.all_numbered and len(self.numbers) >= _MIN_NUMBERS:
            yield "numbered"
        if len(self.slugs) >= _MIN_SLUGS:
            yield "slugs"


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
        if match := _LETTER.fullmatch(stem):
            names.letters.add(match[1].lower())
        if parent and parent not in self._holders:
            self._holders.add(parent)
            above, _, name = parent.rpartition("/")
            self._folders[above].add(name)

    def facts(self, parent: str) -> SiblingFacts:
        """Return the facts about the names beside the files of a folder."""
        names = self._folders[parent]
        above = self._folders[parent.rpartition("/")[0]]
        letters: Requirement = "contest" if len(names.letters) >= _MIN_LETTERS else "no contest"
        return SiblingFacts(
            frozenset([letters, *names.facts()]), frozenset([letters, *above.facts()])
        )


class Statement(NamedTuple):
    """Display title of a problem, and the URL of its statement if known."""

    title: str
    url: str | None


@attrs.frozen
class Layout:
    """A pattern of paths (`sitedata.building.templates`), with templates of title and URL.

    The fields of the templates are groups of the pattern; `url` is None if the path does not
    determine it.  Raise ValueError for an invalid pattern or template.
    """

    path: str
    title: str
    url: str | None
    requires: Requirement | None = None
    _folders: tuple[re.Pattern[str], ...] = attrs.field(init=False, eq=False, repr=False)
    stem: re.Pattern[str] = attrs.field(init=False, eq=False, repr=False)
    templates: tuple[Template, Template | None] = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        patterns = segments(self.path)
        title, url = Template(self.title), None
        fields = title.fields
        if self.url is not None:
            check_url(self.url)
            url = Template(self.url)
            fields |= url.fields
        if not fields <= group_names(patterns):
            raise ValueError("a field of a template is not a group of the pattern")
        object.__setattr__(self, "_folders", patterns[:-1])
        object.__setattr__(self, "stem", patterns[-1])
        object.__setattr__(self, "templates", (title, url))

    def match_folders(
        self, folders: Sequence[str], siblings: SiblingFacts
    ) -> "MatchedLayout | None":
        """Match all segments but the last, as `match_folders` does; None if they do not match."""
        count = len(self._folders)
        is_too_long = count < len(folders) and self.path.startswith("/")
        facts = siblings.above if self._folders else siblings.beside
        is_allowed = self.requires in {None, "same name", *facts}
        if count > len(folders) or is_too_long or not is_allowed:
            return None
        values: dict[str, str | None] = {}
        for pattern, folder in zip(self._folders, folders[len(folders) - count :], strict=True):
            match = pattern.fullmatch(folder)
            if match is None:
                return None
            values |= match.groupdict()
        name = folders[-1] if self.requires == "same name" else None
        return MatchedLayout(self, values, name)


@attrs.frozen
class MatchedLayout:
    """A layout whose folders are matched, so only the file name is left to match."""

    layout: Layout
    values: dict[str, str | None]
    name: str | None
    """The only file name without extension that matches; None: any."""

    def statement(self, stem: str) -> Statement | None:
        """Match a file name without its extension; return None if it does not match."""
        match = self.layout.stem.fullmatch(stem)
        if match is None or self.name not in (None, stem):
            return None
        values = match.groupdict() | self.values
        title_template, url_template = self.layout.templates
        title = title_template.title(values)
        url = None if url_template is None else url_template.url(values)
        if title is None or (url is None and url_template is not None):
            return None
        return Statement(title, url)


def folder_key(name: str) -> str:
    """Return a folder name without case, spaces, dots, dashes and underscores, for comparison.

    The key of a path has the keys of its segments, joined by slashes; that of `ROOT` is itself.
    """
    return name if name == ROOT else _SEPARATORS.sub("", name.casefold())


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
    layouts: tuple[Layout, ...] = attrs.field(converter=_in_order)


def platforms_by_folder(platforms: Iterable[Platform]) -> dict[str, Platform]:
    """Map each folder key to the first platform that has it."""
    return {key: platform for platform in reversed([*platforms]) for key in platform.folders}


@attrs.frozen(eq=False, repr=False)
class PlatformIndex:
    """Finds the platform of a folder: that of the deepest known folder on its path."""

    _platforms: dict[str, Platform] = attrs.field(converter=platforms_by_folder)
    _depth: int = attrs.field(init=False)

    @_depth.default
    def _deepest(self) -> int:
        return max((key.count("/") + 1 for key in self._platforms), default=0)

    def find(self, parent: str) -> tuple[Platform, list[str]] | None:
        """Return the platform of a folder's path, and the folders below the platform's own."""
        names = parent.split("/")
        keys = [folder_key(name) for name in names[: self._depth]]
        for count in range(len(keys), 0, -1):
            platform = self._platforms.get("/".join(keys[:count]))
            if platform is not None:
                return platform, names[count:]
        platform = self._platforms.get(ROOT)
        return None if platform is None else (platform, names)


def match_folders(
    platform: Platform, folders: Sequence[str], siblings: SiblingFacts = _NO_FACTS
) -> tuple[MatchedLayout, ...]:
    """Return the layouts of a platform that match the folders between it and a file."""
    matched = (layout.match_folders(folders, siblings) for layout in platform.layouts)
    return tuple(layout for layout in matched if layout is not None)


def find_match(
    layouts: Iterable[MatchedLayout], stem: str
) -> tuple[MatchedLayout, Statement] | None:
    """Return the first layout that matches a file, and the problem; None if none does."""
    for layout in layouts:
        statement = layout.statement(stem)
        if statement is not None:
            return layout, statement
    return None


def find_statement(layouts: Iterable[MatchedLayout], stem: str) -> Statement | None:
    """Return the problem of a file by the first layout that matches; None if none does."""
    matched = find_match(layouts, stem)
    return None if matched is None else matched[1]
