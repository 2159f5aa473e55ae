"""Select the files of a tree that are problems, and count the others by rule.

Invariant *every file is accounted for*: a file is an entry, or is counted once under the rule that
excludes it; rules in `EXPECTED_RULES` are expected, all others cause a warning.
Invariant *once*: no two entries have the same path.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import attrs

from sitedata.building.history import TreeFile, Warnings
from sitedata.building.platforms import (
    MatchedLayout,
    PlatformIndex,
    SiblingIndex,
    match_folders,
)
from sitedata.building.settings import BuildSettings, language_of, split_name
from sitedata.parsing import broken_path_rule

EXPECTED_RULES: Final = {
    "language.unknown": "has no extension of a known language",
    "path.ignored": "is in an ignored folder, or has an ignored name: see [ignore] of the settings",
    "path.root": "is in the root of the repository, so it has no platform without the setting root",
}
"""Rule id to its description; files that are skipped by these rules cause no warning."""

_BARE_TITLE: Final = re.compile(r"[^\W\d_][0-9]?|\d+")
"""A letter, also with a digit as `F1`, or a number."""
_DOTS: Final = frozenset([".", ".."])


class ListedFile(NamedTuple):
    """A file that is a problem.

    `platform` is its first folder, `known` the name of the platform of the settings that has it.
    """

    name: bytes
    path: str
    platform: str
    stem: str
    language: str
    known: str | None = None
    layouts: tuple[MatchedLayout, ...] = ()

    def full_title(self, title: str) -> str:
        """Return a title with its contest before it if it is a single letter or a number.

        The contest is the nearest folder with another name than the title: `1234 A`, `cses 1068`.
        """
        if _BARE_TITLE.fullmatch(title) is None:
            return title
        number = title.lstrip("0")
        folders = reversed(self.path.split("/")[:-1])
        contest = next((folder for folder in folders if folder.lstrip("0") != number), "Problem")
        return f"{contest} {title}"


@attrs.define(eq=False, repr=False)
class Tree:
    """One pass over a tree."""

    settings: BuildSettings
    warnings: Warnings
    skipped: dict[str, int] = attrs.field(factory=dict, init=False)
    skipped_in: dict[tuple[str, str], int] = attrs.field(factory=dict, init=False)
    _platforms: PlatformIndex = attrs.field(init=False)
    _folder_rules: dict[str, str | None] = attrs.field(factory=dict, init=False)
    """Folder to the rule by which its files are skipped; computed once for all of them."""

    def __attrs_post_init__(self) -> None:
        self._platforms = PlatformIndex(self.settings.platforms)

    def entries(self, files: Iterable[TreeFile]) -> Iterator[ListedFile]:
        """Return the problems, in the order of the files."""
        listed = self.listed(files)
        siblings = SiblingIndex()
        for path, entry in listed.items():
            siblings.add(path.rpartition("/")[0], entry.stem)
        matched: dict[str, tuple[str | None, tuple[MatchedLayout, ...]]] = {}
        for path, entry in listed.items():
            parent = path.rpartition("/")[0]
            if parent not in matched:
                place = self._platforms.find(parent or self.settings.root or "")
                if place is None:
                    matched[parent] = None, ()
                else:
                    layouts = match_folders(*place, siblings.facts(parent))
                    matched[parent] = place[0].name, layouts
            known, layouts = matched[parent]
            yield entry._replace(known=known, layouts=layouts)

    def listed(self, files: Iterable[TreeFile]) -> dict[str, ListedFile]:
        """Return the files that are problems by their paths, and count the others."""
        listed: dict[str, ListedFile] = {}
        for file in files:
            path = file.name.decode("utf-8", "replace")
            entry_or_rule = self._file_or_rule(file, path)
            if not isinstance(entry_or_rule, str) and path in listed:
                entry_or_rule = "path.unique"
            if not isinstance(entry_or_rule, str):
                listed[path] = entry_or_rule
                continue
            self.skipped[entry_or_rule] = self.skipped.get(entry_or_rule, 0) + 1
            root, slash, _ = path.partition("/")
            place = entry_or_rule, root if slash else ""
            self.skipped_in[place] = self.skipped_in.get(place, 0) + 1
            if entry_or_rule not in EXPECTED_RULES:
                self.warnings.add(entry_or_rule, path.split("/"))
        return listed

    def _file_or_rule(self, file: TreeFile, path: str) -> ListedFile | str:
        """Return a file that is a problem, or the rule that excludes it."""
        parent, slash, last = path.rpartition("/")
        broken = self._folder_rule(parent if slash else last)
        slash = slash or (self.settings.root or "")  # a file in the root has its platform, or none
        if broken == "path.ignored" or (slash and self.settings.ignored_files.match(last)):
            return "path.ignored"
        if file.kind == "submodule" or (slash and file.kind != "file"):
            return f"path.{file.kind}"
        if not slash:
            return "path.root"
        stem, extension = split_name(last)
        language = language_of(extension, self.settings.languages)
        if language is None:
            return "language.unknown"
        if path.encode("utf-8") != file.name:
            return "path.encoding"
        return broken or ListedFile(file.name, path, self._platform(path), stem, language)

    def _platform(self, path: str) -> str:
        root, slash, _ = path.partition("/")
        return root if slash else self.settings.root or ""

    def _folder_rule(self, folder: str) -> str | None:
        """Return the rule that excludes all files of a folder, or None.

        The name of a file with an extension breaks no rule by itself.
        """
        if folder not in self._folder_rules:
            segments = folder.casefold().split("/")
            root = segments[0]
            is_hidden = root.startswith(".") and root not in _DOTS
            is_ignored = (
                is_hidden
                or root in self.settings.ignored_roots
                or not self.settings.ignored_folders.isdisjoint(segments)
            )
            self._folder_rules[folder] = "path.ignored" if is_ignored else broken_path_rule(folder)
        return self._folder_rules[folder]


def listed_names(files: Iterable[TreeFile], settings: BuildSettings) -> frozenset[bytes]:
    """Return the names of the files that are problems."""
    listed = Tree(settings, Warnings()).listed(files)
    return frozenset(entry.name for entry in listed.values())
