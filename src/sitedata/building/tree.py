"""Select the files of a tree that are problems, and count the others by rule.

Invariant *every file is accounted for*: a file is an entry, or is counted once under the rule that
excludes it; rules in `EXPECTED_RULES` are expected, all others cause a warning.
Invariant *once*: no two entries have the same path.
"""

import re
from collections import Counter, defaultdict
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
)
from sitedata.building.settings import (
    TEST_FILES,
    BuildSettings,
    language_of,
    name_pattern,
    split_name,
)
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


def _title_names(path: str) -> tuple[str, ...]:
    """Return the folders of a path that may be in titles, the nearest first; else the first."""
    folders = [plain_text(folder) for folder in reversed(path.split("/"))]
    return tuple(folder for folder in folders if not is_untitled(folder)) or (folders[-1],)


@attrs.frozen(eq=False, repr=False)
class _Folder:
    """A folder of files: what may be in their titles, the nearest first, and their problems."""

    path: str
    names: tuple[str, ...]
    siblings: SiblingIndex
    matcher: FolderMatcher | None

    def describe(self, entry: ListedFile) -> ListedFile:
        """Return a file with title and URL.

        The title is that of its problem, its own name, or that of a folder.  A letter or a number
        has its contest before it, and a contest that is a number what that is of: `1234 A`,
        `biweekly 133 A`.
        """
        names, statement = self.names, None
        is_generic = self.siblings.is_generic(self.path, entry.stem)
        if self.matcher is not None:
            statement = self.matcher.statement(entry.stem, is_generic=is_generic)
        if statement is not None:
            title = plain_text(statement.title)
        elif is_generic:
            title, names = names[0], names[1:]
        else:
            title = plain_text(attempt_of(entry.stem, self.siblings.names(self.path).stems))
        is_written = title != title.lower() or " " in title
        if not is_written and names and folder_key(names[0]) == folder_key(title):
            title = names[0]
        title = _in_contest(title, names) if is_bare(title) else title
        return entry._replace(title=title, url=statement and statement.url)


def _in_contest(title: str, names: Iterable[str]) -> str:
    """Put the contest before a letter or a number."""
    parts = [title.upper()]
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
    skipped_in: Counter[tuple[str, str]] = attrs.field(factory=Counter, init=False)
    """Rule and first folder to the number of files that are not listed because of it."""
    _ignored: re.Pattern[str] = attrs.field(init=False)
    _left_out: re.Pattern[str] = attrs.field(init=False)
    _named_as_tests: set[str] = attrs.field(factory=set, init=False)
    _folder_rules: dict[str, str | None] = attrs.field(factory=dict, init=False)
    """Folder to the rule by which its files are skipped; computed once for all of them."""

    def __attrs_post_init__(self) -> None:
        self._ignored = name_pattern(self.settings.ignored_files)
        self._left_out = name_pattern(self.settings.ignored_files - TEST_FILES)

    @property
    def skipped(self) -> Counter[str]:
        """Rule to the number of files that are not listed because of it."""
        counts = Counter[str]()
        for (rule, _), files in self.skipped_in.items():
            counts[rule] += files
        return counts

    def entries(self, files: Iterable[TreeFile]) -> Iterator[ListedFile]:
        """Return the problems, in the order of the files."""
        listed, siblings = self.listed(files), SiblingIndex()
        for path, entry in listed.items():
            siblings.add(path.rpartition("/")[0], entry.stem)
        platforms, cache = PlatformIndex(self.settings.platforms), MatchCache()
        folders: dict[str, _Folder] = {}
        for path, entry in listed.items():
            parent = path.rpartition("/")[0]
            if parent not in folders:
                known, matcher = platforms.find(parent or self.settings.root or ""), None
                if known is not None:
                    platform, below = known
                    matcher = siblings.matcher(platform, parent, below, cache)
                names = _title_names(parent or entry.platform)
                folders[parent] = _Folder(parent, names, siblings, matcher)
            yield folders[parent].describe(entry)

    def listed(self, files: Iterable[TreeFile]) -> dict[str, ListedFile]:
        """Return the files that are problems by their paths, and count the others."""
        listed: dict[str, ListedFile] = {}
        paths = [(file, file.name.decode("utf-8", "replace")) for file in files]
        entries = [self._file_or_rule(file, path) for file, path in paths]
        tests = self._test_paths([entry for entry in entries if not isinstance(entry, str)])
        for (_, path), entry in zip(paths, entries, strict=True):
            if isinstance(entry, str):
                rule = entry
            elif path in tests or path in listed:
                rule = "path.ignored" if path in tests else "path.unique"
            else:
                listed[path] = entry
                continue
            root, slash, _ = path.partition("/")
            self.skipped_in[rule, root if slash else ""] += 1
            if rule not in EXPECTED_RULES:
                self.warnings.add(rule, path.split("/"))
        return listed

    def _test_paths(self, entries: Iterable[ListedFile]) -> set[str]:
        """Return the paths of tests, which are left out."""
        possible: defaultdict[str, list[ListedFile]] = defaultdict(list)
        others: defaultdict[str, list[str]] = defaultdict(list)
        for entry in entries:
            parent = entry.path.rpartition("/")[0]
            if entry.path in self._named_as_tests:
                possible[parent].append(entry)
            else:
                others[parent].append(entry.stem)
        tests = set[str]()
        for parent, named in possible.items():
            folder, beside = parent.rpartition("/")[2], set(map(folder_key, others[parent]))
            for entry in named:
                if is_test(entry.stem, split_name(entry.path)[1], folder, beside):
                    tests.add(entry.path)
        return tests

    def _file_or_rule(self, file: TreeFile, path: str) -> ListedFile | str:
        """Return a file that is a problem, or the rule that excludes it."""
        parent, slash, last = path.rpartition("/")
        broken = self._folder_rule(parent if slash else last)
        # a file in the root has the platform of the settings, or none
        platform = path.partition("/")[0] if slash else self.settings.root or ""
        has_platform = bool(slash or platform)
        if broken == "path.ignored" or (has_platform and self._is_left_out(path, last)):
            return "path.ignored"
        if file.kind == "submodule" or (has_platform and file.kind != "file"):
            return f"path.{file.kind}"
        if not has_platform:
            return "path.root"
        stem, extension = split_name(last)
        language = language_of(extension, self.settings.languages)
        if language is None:
            return "language.unknown"
        if path.encode("utf-8") != file.name:
            return "path.encoding"
        return broken or ListedFile(file.name, path, platform, stem, language)

    def _is_left_out(self, path: str, name: str) -> bool:
        """Check whether the name of a file excludes it; one that may be a test is remembered."""
        if _is_hidden(name):
            return True
        if self._ignored.fullmatch(folded := name.casefold()) is None:
            return False
        if self._left_out.fullmatch(folded) is None:
            self._named_as_tests.add(path)
            return False
        return True

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
