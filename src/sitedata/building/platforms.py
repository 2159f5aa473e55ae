"""Judges: which folders hold their problems, and how a file's place names the problem.

Source: rulings under "Site-data file".  A judge has layouts; the first one that a path fits gives
title and URL of the problem.  A layout looks at as many of the last segments as its pattern has, so
folders of the owner's own making may lie between the platform and them, unless its pattern begins
with a slash.

Invariant *a guess is a whole one*: where no layout fits, or a template lacks a value, there is no
problem found, rather than half of an address.
Invariant *only what is certain*: a URL that could be another problem's is not returned.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

import attrs

from sitedata.building.patterns import is_anchored, segments, split_groups
from sitedata.building.siblings import Beside
from sitedata.building.templates import Template, check_url

__all__ = [
    "Bound",
    "Judge",
    "Layout",
    "Only",
    "Statement",
    "bind",
    "folder_key",
    "judges_by_folder",
    "locate",
]

_SEPARATORS: Final = re.compile(r"[\s._-]++")


Only = Literal["contest", "no contest", "numbered"]
"""What the names beside a file must show: files with different letters, none of these, or numbers
before all names."""
_ALONE: Final = Beside()


class Statement(NamedTuple):
    """The problem that a path names: its display title, and the URL of its statement if known."""

    title: str
    url: str | None


@attrs.frozen
class Layout:
    """One way of laying out files.

    Attributes:
        path: the pattern (`sitedata.building.patterns`).
        title: template of the title; its fields are the pattern's groups.
        url: template of the URL of the statement; None: the path does not tell it.
        only: what the names beside a file must show; None: nothing.

    Raises ValueError for a pattern or a template that is none.

    """

    path: str
    title: str
    url: str | None
    only: Only | None = None
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
        if not fields <= split_groups(patterns):
            raise ValueError("a field that the pattern has no group for")
        object.__setattr__(self, "_folders", patterns[:-1])
        object.__setattr__(self, "_stem", patterns[-1])
        object.__setattr__(self, "_templates", (title, url))

    def bind(self, folders: Sequence[str], beside: Beside = _ALONE) -> "Bound | None":
        """Match all but the last segment; None where they do not fit.

        Args:
            folders: between the platform and the file.
            beside: what the names beside the file show.

        """
        count = len(self._folders)
        if count > len(folders) or (count < len(folders) and is_anchored(self.path)):
            return None
        if not self._is_shown(beside):
            return None
        values: dict[str, str | None] = {}
        for pattern, folder in zip(self._folders, folders[len(folders) - count :], strict=True):
            found = pattern.fullmatch(folder)
            if found is None:
                return None
            values |= found.groupdict()
        return Bound(self._stem, values, *self._templates)

    def _is_shown(self, beside: Beside) -> bool:
        if self.only == "numbered":
            return beside.folder_numbered if self._folders else beside.numbered
        return self.only is None or beside.contest == (self.only == "contest")


@attrs.frozen
class Bound:
    """A layout whose folders are matched: what is left to do for each file of a folder."""

    stem: re.Pattern[str]
    values: Mapping[str, str | None]
    title: Template
    url: Template | None

    def statement(self, stem: str) -> Statement | None:
        """Match the name of a file without its extension; None where it does not fit."""
        found = self.stem.fullmatch(stem)
        if found is None:
            return None
        values = found.groupdict()
        values.update(self.values)
        title = self.title.title(values)
        url = None if self.url is None else self.url.url(values)
        if title is None or (url is None and self.url is not None):
            return None
        return Statement(title, url)


def folder_key(name: str) -> str:
    """Give what tells judges' folders apart: not case, spaces, dots, dashes or underscores."""
    return _SEPARATORS.sub("", name.casefold())


def _folder_keys(names: Iterable[str]) -> frozenset[str]:
    return frozenset(map(folder_key, names))


def _in_order(layouts: Iterable[Layout]) -> tuple[Layout, ...]:
    return tuple(layouts)


@attrs.frozen
class Judge:
    """A judge.

    Attributes:
        name: what settings and ratings call it.
        folders: names that its folder goes by, as `folder_key` gives them.
        layouts: the ways of laying out files, the likeliest reading first.

    """

    name: str
    folders: frozenset[str] = attrs.field(converter=_folder_keys)
    layouts: tuple[Layout, ...] = attrs.field(converter=_in_order)


def judges_by_folder(judges: Iterable[Judge]) -> dict[str, Judge]:
    """Give each folder key its judge: the first that has it."""
    found: dict[str, Judge] = {}
    for judge in judges:
        for key in judge.folders:
            found.setdefault(key, judge)
    return found


def bind(judge: Judge, folders: Sequence[str], beside: Beside = _ALONE) -> tuple[Bound, ...]:
    """Return the layouts of a judge that fit the folders between the platform and a file.

    Args:
        judge: the judge.
        folders: between the platform and the file.
        beside: what the names beside the file show.

    """
    bound = (layout.bind(folders, beside) for layout in judge.layouts)
    return tuple(each for each in bound if each is not None)


def locate(bound: Iterable[Bound], stem: str) -> Statement | None:
    """Return the problem of a file by the first layout that fits; None where none does."""
    for each in bound:
        found = each.statement(stem)
        if found is not None:
            return found
    return None
