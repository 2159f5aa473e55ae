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
from sitedata.building.judges import Bound, Judge, bind, folder_key, judges_by_folder
from sitedata.building.languages import language_of, split_name
from sitedata.building.places import text_of
from sitedata.building.remarks import Remarks
from sitedata.building.settings import BuildSettings
from sitedata.reading.rules import path_fault

__all__ = ["SILENT", "Entry", "Tree"]

SILENT: Final = {
    "language.unknown": "has no extension of a known language",
    "path.ignored": "lies below a root or in a folder that is ignored",
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
        bound: the layouts of the platform's judge that fit its folder.

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
        platform: its first segment.
        bound: the layouts of that judge that fit.

    """

    is_ignored: bool
    fault: str | None
    platform: str
    bound: tuple[Bound, ...]


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
        """Give the problems, in the order of the files."""
        seen: set[str] = set()
        for file in files:
            found = self._judged(file)
            if isinstance(found, Entry):
                if found.path not in seen:
                    seen.add(found.path)
                    yield found
                    continue
                found = "path.unique"
            self._leave_out(found, file)

    def _judged(self, file: TreeFile) -> Entry | str:
        """Give the entry of a file, or the rule that leaves it out."""
        path = text_of(file.name)
        shown = _shown(file) if path is None else path
        parent, slash, last = shown.rpartition("/")
        folder = self._folder(parent if slash else last)
        if folder.is_ignored:
            return "path.ignored"
        if file.kind == "submodule" or (slash and file.kind != "file"):
            return f"path.{file.kind}"
        if not slash:
            return "path.root"
        stem, extension = split_name(last)
        language = language_of(extension, self.settings.languages)
        if language is None:
            return "language.unknown"
        rule = "path.encoding" if path is None else folder.fault
        return rule or Entry(file.name, shown, folder.platform, stem, language, folder.bound)

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
        platform = segments[0]
        root = platform.casefold()
        is_hidden = root.startswith(".") and root not in _DOTS
        is_ignored = is_hidden or root in self.settings.ignored_roots or self._is_below(segments)
        judge = None if is_ignored else self._judges.get(folder_key(platform))
        bound = () if judge is None else bind(judge, segments[1:])
        return _Folder(is_ignored, path_fault(parent), platform, bound)

    def _is_below(self, segments: list[str]) -> bool:
        return any(segment.casefold() in self.settings.ignored_folders for segment in segments)


def _shown(file: TreeFile) -> str:
    return file.name.decode("utf-8", "replace")
