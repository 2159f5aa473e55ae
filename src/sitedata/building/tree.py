"""Which files of a tree are problems, and why the others are not.

Source: rulings under "Site-data file".

Invariant *every file is accounted for*: a file is an entry, or is counted once by the rule that
leaves it out; the rules in `SILENT` are expected, the others are remarked on.
Invariant *once*: no two entries have one path.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import attrs

from sitedata.building.history import TreeFile
from sitedata.building.languages import language_of, split_name
from sitedata.building.paths import text_of
from sitedata.building.platforms import Bound, Judge, bind, folder_key, judges_by_folder
from sitedata.building.settings import BuildSettings
from sitedata.building.siblings import Siblings
from sitedata.building.warnings import Remarks
from sitedata.reading.publishing_rules import path_fault

__all__ = ["SILENT", "Entry", "Tree"]

SILENT: Final = {
    "language.unknown": "has no extension of a known language",
    "path.ignored": "lies below a root or in a folder that is ignored, or has a name that is",
    "path.root": "lies in the repository's root, so it has no platform",
}
"""Rule id to the rule in words."""

_DOTS: Final = frozenset([".", ".."])


class Entry(NamedTuple):
    """A file that is a problem.

    Attributes:
        name: as git has it.
        path: that as text.
        platform: its first segment.
        stem: its last segment without the extension.
        language: by the extension.
        bound: the layouts of the platform's judge that fit its folder and what lies beside it.

    """

    name: bytes
    path: str
    platform: str
    stem: str
    language: str
    bound: tuple[Bound, ...]


class _Folder(NamedTuple):
    """What the files of one folder have in common; worked out once.

    Attributes:
        is_ignored: whether none of them is listed, or told of.
        fault: the rule that its path breaks; a last segment that has an extension breaks none.
        path: its path.

    """

    is_ignored: bool
    fault: str | None
    path: str


class _Listed(NamedTuple):
    """A file that is a problem, before it is known what lies beside it."""

    name: bytes
    parent: str
    stem: str
    language: str


@attrs.define(eq=False, repr=False)
class Tree:
    """One pass over a tree.

    Attributes:
        settings: the rules of paths.
        remarks: where it remarks.
        left_out: so far, how many files by rule.

    """

    settings: BuildSettings
    remarks: Remarks
    left_out: dict[str, int] = attrs.field(factory=dict, init=False)
    _judges: dict[str, Judge] = attrs.field(init=False)
    _folders: dict[str, _Folder] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._judges = judges_by_folder(self.settings.judges)

    def entries(self, files: Iterable[TreeFile]) -> Iterator[Entry]:
        """Return the problems, in the order of the files."""
        listed = self._listed(files)
        siblings = Siblings()
        for found in listed.values():
            siblings.add(found.parent, found.stem)
        layouts: dict[str, tuple[Bound, ...]] = {}
        for path, (name, parent, stem, language) in listed.items():
            if parent not in layouts:
                layouts[parent] = self._layouts(parent, siblings)
            platform = parent.partition("/")[0]
            yield Entry(name, path, platform, stem, language, layouts[parent])

    def _listed(self, files: Iterable[TreeFile]) -> dict[str, _Listed]:
        """Return the files that are problems by their paths, and count the others."""
        listed: dict[str, _Listed] = {}
        for file in files:
            path, found = self._judged(file)
            if isinstance(found, str):
                self._leave_out(found, file)
            elif path in listed:
                self._leave_out("path.unique", file)
            else:
                listed[path] = found
        return listed

    def _layouts(self, parent: str, siblings: Siblings) -> tuple[Bound, ...]:
        """Return the layouts that fit the files of a folder."""
        platform, *folders = parent.split("/")
        judge = self._judges.get(folder_key(platform))
        return () if judge is None else bind(judge, folders, siblings.beside(parent))

    def _judged(self, file: TreeFile) -> tuple[str, _Listed | str]:
        """Return the path of a file as it is shown, and the file or the rule that leaves it out."""
        path = text_of(file.name)
        shown = _shown(file) if path is None else path
        return shown, self._found(file, shown, is_text=path is not None)

    def _found(self, file: TreeFile, shown: str, *, is_text: bool) -> _Listed | str:
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
        rule = folder.fault if is_text else "path.encoding"
        return rule or _Listed(file.name, folder.path, stem, language)

    def _leave_out(self, rule: str, file: TreeFile) -> None:
        self.left_out[rule] = self.left_out.get(rule, 0) + 1
        if rule not in SILENT:
            self.remarks.add(rule, _shown(file).split("/"))

    def _folder(self, parent: str) -> _Folder:
        found = self._folders.get(parent)
        if found is None:
            found = self._folders[parent] = self._seen_first(parent)
        return found

    def _seen_first(self, parent: str) -> _Folder:
        segments = parent.split("/")
        root = segments[0].casefold()
        is_hidden = root.startswith(".") and root not in _DOTS
        is_ignored = is_hidden or root in self.settings.ignored_roots or self._is_below(segments)
        return _Folder(is_ignored, path_fault(parent), parent)

    def _is_below(self, segments: list[str]) -> bool:
        return any(segment.casefold() in self.settings.ignored_folders for segment in segments)


def _shown(file: TreeFile) -> str:
    return file.name.decode("utf-8", "replace")
