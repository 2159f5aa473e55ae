"""Select the files of a tree that are problems, and count the others by rule.

Invariant *every file is accounted for*: a file is an entry, or is counted once under the rule that
excludes it; rules in `EXPECTED_RULES` are expected, all others cause a warning.
Invariant *once*: no two entries have the same path.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import attrs

from sitedata.building.history import TreeFile, Warnings
from sitedata.building.names import (
    attempt_of,
    folder_key,
    is_bare,
    is_in_bucket,
    is_test,
    is_untitled,
)
from sitedata.building.platforms import (
    FolderMatcher,
    MatchCache,
    PlatformIndex,
    SiblingIndex,
    Statement,
)
from sitedata.building.settings import TEST_FILES, BuildSettings, Globs, language_of, split_name
from sitedata.parsing import broken_path_rule, plain_text

EXPECTED_RULES: Final = {
    "language.unknown": "has no extension of a known language",
    "path.ignored": "is in an ignored folder, or has an ignored name: see [ignore] of the settings",
    "path.root": "is in the root of the repository, so it has no platform without the setting root",
}
"""Rule id to its description; files that are skipped by these rules cause no warning."""


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name != "." and not name.startswith("..")


class ListedFile(NamedTuple):
    """A file that is a problem.

    `platform` is its first folder, `url` that of the problem's statement, None if unknown.
    """

    name: bytes
    path: str
    platform: str
    stem: str
    language: str
    title: str = ""
    url: str | None = None


def _title(entry: ListedFile, statement: Statement | None, siblings: SiblingIndex) -> str:
    """Return the title of a file: that of its statement, its own name, or that of a folder.

    A letter or a number has its contest before it, and a contest that is a number what that is of:
    `1234 A`, `biweekly 133 A`.
    """
    parent = entry.path.rpartition("/")[0]
    folders = [plain_text(folder) for folder in reversed((parent or entry.platform).split("/"))]
    names = [folder for folder in folders if not is_untitled(folder)] or folders[-1:]
    if statement is not None:
        title = plain_text(statement.title)
    elif siblings.is_generic(parent, entry.stem):
        title, *names = names
    else:
        title = plain_text(attempt_of(entry.stem, siblings.names(parent).stems))
    is_written = title != title.lower() or " " in title
    if not is_written and names and folder_key(names[0]) == folder_key(title):
        title = names[0]
    parts = [title.upper() if is_bare(title) else title]
    for name in names:
        if not is_bare(parts[0]):
            break
        is_same = name.lstrip("0").upper() == parts[0].lstrip("0").upper()
        if not is_same and not is_in_bucket(parts[0], name):
            parts.insert(0, name)
    return " ".join(["Problem", *parts] if is_bare(" ".join(parts)) else parts)


@attrs.define(eq=False, repr=False)
class Tree:
    """One pass over a tree."""

    settings: BuildSettings
    warnings: Warnings
    skipped: dict[str, int] = attrs.field(factory=dict, init=False)
    skipped_in: dict[tuple[str, str], int] = attrs.field(factory=dict, init=False)
    _platforms: PlatformIndex = attrs.field(init=False)
    _left_out: Globs = attrs.field(init=False)
    _tests: Globs = attrs.field(init=False)
    _folder_rules: dict[str, str | None] = attrs.field(factory=dict, init=False)
    """Folder to the rule by which its files are skipped; computed once for all of them."""

    def __attrs_post_init__(self) -> None:
        self._platforms = PlatformIndex(self.settings.platforms)
        names = self.settings.ignored_files.texts
        self._left_out, self._tests = Globs(names - TEST_FILES), Globs(names & TEST_FILES)

    def entries(self, files: Iterable[TreeFile]) -> Iterator[ListedFile]:
        """Return the problems, in the order of the files."""
        listed = self.listed(files)
        siblings = SiblingIndex()
        for path, entry in listed.items():
            siblings.add(path.rpartition("/")[0], entry.stem)
        matchers: dict[str, FolderMatcher | None] = {}
        cache: MatchCache = {}
        for path, entry in listed.items():
            parent = path.rpartition("/")[0]
            if parent not in matchers:
                known = self._platforms.find(parent or self.settings.root or "")
                matchers[parent] = None
                if known is not None:
                    platform, folders = known
                    place = siblings.place(parent, folders)
                    matchers[parent] = FolderMatcher(platform, place, cache)
            matcher, statement = matchers[parent], None
            if matcher is not None:
                is_generic = siblings.is_generic(parent, entry.stem)
                statement = matcher.statement(entry.stem, is_generic=is_generic)
            yield entry._replace(
                title=_title(entry, statement, siblings),
                url=statement and statement.url,
            )

    def listed(self, files: Iterable[TreeFile]) -> dict[str, ListedFile]:
        """Return the files that are problems by their paths, and count the others."""
        listed: dict[str, ListedFile] = {}
        tree = tuple(files)
        entries = [self._file_or_rule(file, file.name.decode("utf-8", "replace")) for file in tree]
        tests = self._test_paths(entry for entry in entries if not isinstance(entry, str))
        for file, entry in zip(tree, entries, strict=True):
            if isinstance(entry, str):
                rule = entry
            elif entry.path in tests or entry.path in listed:
                rule = "path.ignored" if entry.path in tests else "path.unique"
            else:
                listed[entry.path] = entry
                continue
            path = file.name.decode("utf-8", "replace")
            self.skipped[rule] = self.skipped.get(rule, 0) + 1
            root, slash, _ = path.partition("/")
            place = rule, root if slash else ""
            self.skipped_in[place] = self.skipped_in.get(place, 0) + 1
            if rule not in EXPECTED_RULES:
                self.warnings.add(rule, path.split("/"))
        return listed

    def _test_paths(self, entries: Iterable[ListedFile]) -> set[str]:
        """Return the paths of tests, which are left out."""
        possible: defaultdict[str, list[ListedFile]] = defaultdict(list)
        beside: defaultdict[str, set[str]] = defaultdict(set)
        for entry in entries:
            parent, _, name = entry.path.rpartition("/")
            if self._tests.match(name):
                possible[parent].append(entry)
            else:
                beside[parent].add(folder_key(entry.stem))
        return {
            entry.path
            for parent, tests in possible.items()
            for entry in tests
            if is_test(
                entry.stem, split_name(entry.path)[1], parent.rpartition("/")[2], beside[parent]
            )
        }

    def _file_or_rule(self, file: TreeFile, path: str) -> ListedFile | str:
        """Return a file that is a problem, or the rule that excludes it."""
        parent, slash, last = path.rpartition("/")
        broken = self._folder_rule(parent if slash else last)
        slash = slash or (self.settings.root or "")  # a file in the root has its platform, or none
        is_left_out = _is_hidden(last) or self._left_out.match(last)
        if broken == "path.ignored" or (slash and is_left_out):
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
            is_ignored = (
                any(map(_is_hidden, segments))
                or root in self.settings.ignored_roots
                or not self.settings.ignored_folders.isdisjoint(segments)
            )
            self._folder_rules[folder] = "path.ignored" if is_ignored else broken_path_rule(folder)
        return self._folder_rules[folder]


def listed_names(files: Iterable[TreeFile], settings: BuildSettings) -> frozenset[bytes]:
    """Return the names of the files that are problems."""
    listed = Tree(settings, Warnings()).listed(files)
    return frozenset(entry.name for entry in listed.values())
