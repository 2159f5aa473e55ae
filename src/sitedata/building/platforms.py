"""Platforms: which folders hold their problems, and how the path of a file identifies a problem.

A platform has layouts; the first layout that a path matches supplies title and URL of the problem.
A layout is matched against as many of the last segments as its pattern has, so the owner may put
other folders between the platform and these, unless the pattern begins with a slash.  A platform's
folder may be below others, and the deepest one that a file is in counts.

Invariant *complete or nothing*: without a matching layout, or without a value that a template
needs, there is no result instead of an incomplete URL.
Invariant *only what is certain*: a URL that could belong to another problem is not returned.

Contract: SD-PROBLEM-04, SD-LINK-01, SD-SETTINGS-08, SD-SETTINGS-10.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

import attrs

from sitedata.building.patterns import group_names, is_anchored, segments
from sitedata.building.siblings import SiblingFacts
from sitedata.building.templates import Template, check_url

ROOT: Final = "."
"""The folder of a platform that has the whole repository, except the folders of others."""
_SEPARATORS: Final = re.compile(r"[\s._-]++")


Requirement = Literal["contest", "no contest", "numbered", "same name", "slugs"]
"""Condition on the names beside a file: files with different letters, no such files; on the names
beside it, or beside its folder if the pattern has folders: a number at the beginning of all, some
that are slugs such as `two-sum`; or on its own name, which is that of its folder."""
_NO_FACTS: Final = SiblingFacts()


class Statement(NamedTuple):
    """Display title of a problem, and the URL of its statement if known."""

    title: str
    url: str | None


@attrs.frozen
class Layout:
    """A pattern of paths, with templates of title and URL.

    Attributes:
        path: the pattern (`sitedata.building.patterns`).
        title: template of the title; its fields are groups of the pattern.
        url: template of the statement's URL; None if the path does not determine it.
        requires: condition on the names in the file's folder, or None.

    Raises:
        ValueError: the pattern or a template is invalid.

    """

    path: str
    title: str
    url: str | None
    requires: Requirement | None = None
    _folders: tuple[re.Pattern[str], ...] = attrs.field(init=False, eq=False, repr=False)
    _stem: re.Pattern[str] = attrs.field(init=False, eq=False, repr=False)
    _templates: tuple[Template, Template | None] = attrs.field(init=False, eq=False, repr=False)

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
        object.__setattr__(self, "_stem", patterns[-1])
        object.__setattr__(self, "_templates", (title, url))

    def match_folders(
        self, folders: Sequence[str], siblings: SiblingFacts
    ) -> "MatchedLayout | None":
        """Match all segments but the last, as `match_folders` does; None if they do not match."""
        count = len(self._folders)
        is_too_long = count < len(folders) and is_anchored(self.path)
        if count > len(folders) or is_too_long or not self._allows(siblings):
            return None
        values: dict[str, str | None] = {}
        for pattern, folder in zip(self._folders, folders[len(folders) - count :], strict=True):
            found = pattern.fullmatch(folder)
            if found is None:
                return None
            values |= found.groupdict()
        name = folders[-1] if self.requires == "same name" else None
        return MatchedLayout(self, self._stem, values, *self._templates, name)

    def _allows(self, siblings: SiblingFacts) -> bool:
        names = siblings.above if self._folders else siblings.beside
        match self.requires:
            case "numbered":
                return names.numbered
            case "slugs":
                return names.slugs
            case "contest":
                return siblings.contest
            case "no contest":
                return not siblings.contest
            case _:
                return True


@attrs.frozen
class MatchedLayout:
    """A layout whose folders are matched, so only the file name is left to match."""

    layout: Layout
    stem: re.Pattern[str]
    values: dict[str, str | None]
    title: Template
    url: Template | None
    name: str | None
    """The only file name without extension that matches; None: any."""

    def statement(self, stem: str) -> Statement | None:
        """Match a file name without its extension; return None if it does not match."""
        found = self.stem.fullmatch(stem)
        if found is None or self.name not in (None, stem):
            return None
        values = found.groupdict() | self.values
        title = self.title.title(values)
        url = None if self.url is None else self.url.url(values)
        if title is None or (url is None and self.url is not None):
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
    """A platform that publishes problems.

    Attributes:
        name: its name in settings and ratings.
        folders: names of its folder, as `folder_key` returns them; a name with slashes is a path
            from the root of the repository.
        layouts: its layouts, the likeliest first.

    """

    name: str
    folders: frozenset[str] = attrs.field(converter=_folder_keys)
    layouts: tuple[Layout, ...] = attrs.field(converter=_in_order)


def platforms_by_folder(platforms: Iterable[Platform]) -> dict[str, Platform]:
    """Map each folder key to the first platform that has it."""
    return {key: platform for platform in reversed([*platforms]) for key in platform.folders}


def _depth(platforms: Mapping[str, Platform]) -> int:
    return max((key.count("/") + 1 for key in platforms), default=0)


@attrs.frozen(eq=False, repr=False)
class PlatformIndex:
    """Finds the platform of a folder: that of the deepest known folder on its path."""

    _platforms: dict[str, Platform] = attrs.field(converter=platforms_by_folder)
    _depth: int = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_depth", _depth(self._platforms))

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
    return tuple(each for each in matched if each is not None)


def find_match(
    layouts: Iterable[MatchedLayout], stem: str
) -> tuple[MatchedLayout, Statement] | None:
    """Return the first layout that matches a file, and the problem; None if none does."""
    for each in layouts:
        found = each.statement(stem)
        if found is not None:
            return each, found
    return None


def find_statement(layouts: Iterable[MatchedLayout], stem: str) -> Statement | None:
    """Return the problem of a file by the first layout that matches; None if none does."""
    found = find_match(layouts, stem)
    return None if found is None else found[1]
