"""Select the files of a tree that are problems, and count the others by rule.

Invariant *every file is accounted for*: a file is an entry, or is counted once under the rule that
excludes it; rules in `EXPECTED_RULES` are expected, all others cause a warning.
Invariant *once*: no two entries have the same path.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from sitedata.building.history import ListedFile, Listing, TreeFile
from sitedata.building.names import (
    attempt_of,
    folder_key,
    is_bare,
    is_in_bucket,
    is_test,
    is_untitled,
)
from sitedata.building.platforms import FolderMatcher, PlatformIndex, SiblingIndex
from sitedata.building.settings import (
    TEST_FILES,
    BuildSettings,
    glob_matcher,
    language_of,
    split_name,
)
from sitedata.parsing import broken_path_rule, plain_text

EXPECTED_RULES: Final = {
    "language.unknown": "has no extension of a known language",
    "path.ignored": "is in an ignored folder, or has an ignored name: see [ignore] of the settings",
    "path.root": "is in the root of the repository: list it by root = 'PLATFORM' in the settings",
}
"""Rule id to its description; files that are skipped by these rules cause no warning."""


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name != "." and not name.startswith("..")


def _title_names(path: str) -> tuple[str, ...]:
    """Return the folders of a path that may be in titles, the nearest first; else the first."""
    folders = [plain_text(folder) for folder in reversed(path.split("/"))]
    return tuple(folder for folder in folders if not is_untitled(folder)) or (folders[-1],)


def _described(listed: Iterable[ListedFile], settings: BuildSettings) -> Iterator[ListedFile]:
    siblings = SiblingIndex()
    for entry in listed:
        siblings.add(entry.folder, entry.stem)
    platforms = PlatformIndex(settings.platforms)
    folders: dict[str, tuple[tuple[str, ...], FolderMatcher | None]] = {}
    for entry in listed:
        parent, stem = entry.folder, entry.stem
        if parent not in folders:
            known = platforms.find(parent or settings.root or "")
            matcher = None if known is None else FolderMatcher(siblings, parent, *known)
            folders[parent] = _title_names(parent or entry.platform), matcher
        names, matcher = folders[parent]
        statement = None if matcher is None else matcher.statement(stem)
        if statement is not None:
            title = plain_text(statement.title)
        elif siblings.is_generic(parent, stem):
            title, names = names[0], names[1:]
        else:
            title = plain_text(attempt_of(stem, siblings.names(parent).stems))
        yield ListedFile(*entry[:6], _titled(title, names), statement and statement.url)


def _titled(title: str, names: Sequence[str]) -> str:
    """Return a title as the nearest folder writes it; a letter or a number with its contest.

    A contest that is a number has before it what that is of: `1234 A`, `biweekly 133 A`.
    """
    is_written = title != title.lower() or " " in title
    if not is_written and names and folder_key(names[0]) == folder_key(title):
        title = names[0]
    return _in_contest(title, names) if is_bare(title) else title


def _in_contest(title: str, names: Iterable[str]) -> str:
    parts = [title.upper()]
    for name in names:
        if not is_bare(parts[0]):
            break
        is_same = name.lstrip("0").upper() == parts[0].lstrip("0").upper()
        if not is_same and not is_in_bucket(parts[0], name):
            parts.insert(0, name)
    return " ".join(["Problem", *parts] if is_bare(" ".join(parts)) else parts)


def select_files(files: Sequence[TreeFile], settings: BuildSettings) -> Listing:
    """Select the files that are problems; they have no titles and no URLs yet."""
    selection = _Selection(settings)
    paths = [file.name.decode("utf-8", "replace") for file in files]
    outcomes = [*zip(paths, map(selection.file_or_rule, files, paths), strict=True)]
    tests = selection.tests(entry for _, entry in outcomes if not isinstance(entry, str))
    listed: dict[str, ListedFile] = {}
    left_out: list[tuple[str, str]] = []
    for path, entry in outcomes:
        if isinstance(entry, str):
            left_out.append((entry, path))
        elif path in tests or path in listed:
            left_out.append(("path.ignored" if path in tests else "path.unique", path))
        else:
            listed[path] = entry
    return Listing(tuple(listed.values()), tuple(left_out))


def list_problems(files: Sequence[TreeFile], settings: BuildSettings) -> Listing:
    """Select the files that are problems, and find their titles and URLs."""
    listing = select_files(files, settings)
    entries = tuple(_described(listing.entries, settings))
    return Listing(entries, listing.left_out, (tuple(files), settings))


class _Selection:
    def __init__(self, settings: BuildSettings) -> None:
        self._settings = settings
        self._is_left_out = glob_matcher(settings.ignored_files - TEST_FILES)
        self._is_named_test = glob_matcher(settings.ignored_files & TEST_FILES)
        self._folder_rules: dict[str, str | None] = {}
        """Folder to the rule by which its files are left out; computed once for all of them."""

    def tests(self, entries: Iterable[ListedFile]) -> set[str]:
        """Return the paths of the files named as tests that are some."""
        named, others = [], defaultdict[str, list[str]](list)
        for entry in entries:
            name = entry.path.rpartition("/")[2]
            if self._is_named_test(name.casefold()):
                named.append((entry.folder, entry, split_name(name)[1]))
            else:
                others[entry.folder].append(entry.stem)
        beside = {folder: set(map(folder_key, others[folder])) for folder, _, _ in named}
        return {
            entry.path
            for folder, entry, extension in named
            if is_test(entry.stem, extension, folder.rpartition("/")[2], beside[folder])
        }

    def file_or_rule(self, file: TreeFile, path: str) -> ListedFile | str:
        """Return a file that is a problem, or the rule that excludes it."""
        folder, slash, last = path.rpartition("/")
        broken = self._folder_rule(folder if slash else last)
        # a file in the root has the platform of the settings, or none
        platform = path.partition("/")[0] if slash else self._settings.root or ""
        has_platform = bool(slash or platform)
        is_left_out = _is_hidden(last) or self._is_left_out(last.casefold())
        if broken == "path.ignored" or (has_platform and is_left_out):
            return "path.ignored"
        if file.kind == "submodule" or (has_platform and file.kind != "file"):
            return f"path.{file.kind}"
        if not has_platform:
            return "path.root"
        stem, extension = split_name(last)
        language = language_of(extension, self._settings.languages)
        if language is None:
            return "language.unknown"
        if path.encode("utf-8") != file.name:
            return "path.encoding"
        return broken or ListedFile(file.name, path, folder, platform, stem, language)

    def _folder_rule(self, folder: str) -> str | None:
        """Return the rule that excludes all files of a folder, or None.

        The name of a file with an extension breaks no rule by itself.
        """
        if folder not in self._folder_rules:
            segments = folder.casefold().split("/")
            # the tests of a project in C# are in Project.Tests
            kinds = [name.rpartition(".")[2] for name in segments if not name[0:1].isdecimal()]
            is_ignored = (
                any(map(_is_hidden, segments))
                or segments[0] in self._settings.ignored_roots
                or not self._settings.ignored_folders.isdisjoint(segments + kinds)
            )
            self._folder_rules[folder] = "path.ignored" if is_ignored else broken_path_rule(folder)
        return self._folder_rules[folder]
