"""Select the files of a tree that are problems, and count the others by rule.

Source: design decisions under "Site-data file".

Invariant *every file is accounted for*: a file is an entry, or is counted once under the rule that
excludes it; rules in `EXPECTED_RULES` are expected, all others cause a warning.
Invariant *once*: no two entries have the same path.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import attrs

from sitedata.building.history import TreeFile
from sitedata.building.languages import language_of, split_name
from sitedata.building.paths import decode_path
from sitedata.building.platforms import (
    MatchedLayout,
    Platform,
    folder_key,
    match_folders,
    platforms_by_folder,
)
from sitedata.building.settings import BuildSettings
from sitedata.building.siblings import SiblingIndex
from sitedata.building.warnings import Warnings
from sitedata.reading.publishing_rules import broken_path_rule

__all__ = ["EXPECTED_RULES", "Entry", "Tree"]

EXPECTED_RULES: Final = {
    "language.unknown": "has no extension of a known language",
    "path.ignored": "is in an ignored folder, or has an ignored name",
    "path.root": "is in the root of the repository, so it has no platform",
}
"""Rule id to its description; files that are skipped by these rules cause no warning."""

_DOTS: Final = frozenset([".", ".."])


class Entry(NamedTuple):
    """A file that is a problem.

    Attributes:
        name: path as bytes, as git stores it.
        path: path as text.
        platform: first segment of the path.
        stem: last segment without the extension.
        language: language of the extension.
        layouts: layouts of the platform that match its folders and the names in its folder.

    """

    name: bytes
    path: str
    platform: str
    stem: str
    language: str
    layouts: tuple[MatchedLayout, ...]


class _Folder(NamedTuple):
    """Properties of one folder, computed once for all its files.

    Attributes:
        is_ignored: whether its files are skipped without a warning.
        broken_rule: id of the rule that its path breaks, or None.  The name of a file with an
            extension breaks none.
        path: its path.

    """

    is_ignored: bool
    broken_rule: str | None
    path: str


class _Listed(NamedTuple):
    """A file that is a problem, before its siblings are known."""

    name: bytes
    parent: str
    stem: str
    language: str


@attrs.define(eq=False, repr=False)
class Tree:
    """One pass over a tree.

    Attributes:
        settings: the rules for paths.
        warnings: receives a warning for each file that is skipped unexpectedly.
        skipped: number of skipped files so far, by rule.

    """

    settings: BuildSettings
    warnings: Warnings
    skipped: dict[str, int] = attrs.field(factory=dict, init=False)
    _platforms: dict[str, Platform] = attrs.field(init=False)
    _folders: dict[str, _Folder] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._platforms = platforms_by_folder(self.settings.platforms)

    def entries(self, files: Iterable[TreeFile]) -> Iterator[Entry]:
        """Return the problems, in the order of the files."""
        listed = self._listed(files)
        siblings = SiblingIndex()
        for found in listed.values():
            siblings.add(found.parent, found.stem)
        layouts: dict[str, tuple[MatchedLayout, ...]] = {}
        for path, (name, parent, stem, language) in listed.items():
            if parent not in layouts:
                layouts[parent] = self._layouts(parent, siblings)
            platform = parent.partition("/")[0]
            yield Entry(name, path, platform, stem, language, layouts[parent])

    def _listed(self, files: Iterable[TreeFile]) -> dict[str, _Listed]:
        """Return the files that are problems by their paths, and count the others."""
        listed: dict[str, _Listed] = {}
        for file in files:
            path, found = self._classify(file)
            if isinstance(found, str):
                self._skip(found, file)
            elif path in listed:
                self._skip("path.unique", file)
            else:
                listed[path] = found
        return listed

    def _layouts(self, parent: str, siblings: SiblingIndex) -> tuple[MatchedLayout, ...]:
        """Return the layouts that match a folder."""
        name, *folders = parent.split("/")
        platform = self._platforms.get(folder_key(name))
        return () if platform is None else match_folders(platform, folders, siblings.facts(parent))

    def _classify(self, file: TreeFile) -> tuple[str, _Listed | str]:
        """Return the path of a file for display, and the file or the rule that excludes it."""
        path = decode_path(file.name)
        shown = _shown(file) if path is None else path
        return shown, self._file_or_rule(file, shown, is_text=path is not None)

    def _file_or_rule(self, file: TreeFile, shown: str, *, is_text: bool) -> _Listed | str:
        parent, slash, last = shown.rpartition("/")
        folder = self._folder(parent if slash else last)
        if folder.is_ignored or (slash and self.settings.ignored_files.match(last)):
            return "path.ignored"
        if file.kind == "submodule" or (slash and file.kind != "file"):
            return f"path.{file.kind}"
        if not slash:
            return "path.root"
        stem, extension = split_name(last)
        language = language_of(extension, self.settings.languages)
        if language is None:
            return "language.unknown"
        rule = folder.broken_rule if is_text else "path.encoding"
        return rule or _Listed(file.name, folder.path, stem, language)

    def _skip(self, rule: str, file: TreeFile) -> None:
        self.skipped[rule] = self.skipped.get(rule, 0) + 1
        if rule not in EXPECTED_RULES:
            self.warnings.add(rule, _shown(file).split("/"))

    def _folder(self, parent: str) -> _Folder:
        found = self._folders.get(parent)
        if found is None:
            found = self._folders[parent] = self._folder_properties(parent)
        return found

    def _folder_properties(self, parent: str) -> _Folder:
        segments = parent.split("/")
        root = segments[0].casefold()
        is_hidden = root.startswith(".") and root not in _DOTS
        is_ignored = is_hidden or root in self.settings.ignored_roots
        is_ignored = is_ignored or self._is_in_ignored_folder(segments)
        return _Folder(is_ignored, broken_path_rule(parent), parent)

    def _is_in_ignored_folder(self, segments: list[str]) -> bool:
        return any(segment.casefold() in self.settings.ignored_folders for segment in segments)


def _shown(file: TreeFile) -> str:
    return file.name.decode("utf-8", "replace")
