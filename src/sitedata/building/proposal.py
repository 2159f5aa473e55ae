"""Propose the settings of a build: the platform that each first folder certainly is.

A name is that of a built-in platform if it has the platform's own name and otherwise only words
that such names usually have: `leetcode-solutions`, `AtCoder_cpp`.  With any other word
(`leetcode-clone`), or of two platforms, it says another thing.  The name of the repository counts
for folders that say nothing, such as `python`, `easy` or `0001-two-sum`, and for those of which the
platform's layouts know the name, such as `abc220`; other folders are excluded.

Invariant *counts are those of the build*: the same `select_files` selects the files.
Invariant *linear*: the files are passed over a fixed number of times.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, Self

import attrs

from sitedata.building.history import (
    UTC_ZONE,
    ZONE_PERCENT,
    Dates,
    History,
    TreeFile,
    are_clustered,
    main_offset,
)
from sitedata.building.known_platforms import known_platforms
from sitedata.building.names import AMBIGUOUS, LANGUAGE_WORDS, ONE_WORD, folder_key, is_other_site
from sitedata.building.platforms import ROOT, PlatformIndex
from sitedata.building.settings import IGNORED_ROOTS, BuildSettings
from sitedata.building.settings_file import read_settings
from sitedata.building.tree import select_files

_USUAL: Final = (
    "ac accepted algorithm algorithms and answer answers archive by challenge challenges code codes"
    " coding contest contests daily dsa exercise exercises for in io judge my of oj online org"
    " practice practise problem problems question questions repo repository set solution solutions"
    " solved study submission submissions the training with workspace c"
)
_USUAL_WORDS: Final = LANGUAGE_WORDS.union(_USUAL.split())
_PARTS: Final = "basic beginner day easy hard level medium month part section src unit week year"
_EMPTY_WORDS: Final = _USUAL_WORDS.union(_PARTS.split())  # they say nothing about a platform
_MIN_LENGTH: Final = 4  # shorter names may be parts of other names
_MAX_NAME_LENGTH: Final = 200  # characters; longer names are no names of platforms
_MAX_WORDS: Final = 4
_WORD: Final = re.compile(r"[A-Z]++(?![a-z])|[A-Z]?[a-z]++|[0-9]++|[A-Z]|[^\W\d_a-zA-Z]++")
_MAX_FOLDERS: Final = 300  # of the settings, so that the file stays below its size limit
_HOLDERS: Final = frozenset(["archive", "script", "scripts", "snippet", "snippets", "src"])
"""Roots that are ignored by default, unless they are the only ones with solutions."""

_PLATFORMS: Final = {
    **{key: platform.name for platform in known_platforms() for key in platform.folders},
    "baekjoonhub": "baekjoon",
    "leethub": "leetcode",
}


@attrs.frozen
class Folder:
    """A first folder with its number of problems and its platform.

    `certain`: whether its name has no other meaning, as `ac` has, or the repository's says so too.
    """

    name: str
    files: int
    platform: str | None
    certain: bool


@attrs.frozen(repr=False)
class Proposal:
    """Proposed settings, and what a build with them lists.

    Attributes:
        folders: the first folders, those with the most files first.
        added: platform to the folders that the settings add to its own.
        kept: first folders that are ignored by default, and hold all solutions here.
        hint: the platform that the name of the repository says; None: it says none.
        tracked: number of all files.
        zone: the offset of the commits of the last year; UTC if they have no single one.
        dates: which commit dates a path.

    """

    folders: tuple[Folder, ...]
    added: Mapping[str, list[str]]
    kept: tuple[str, ...]
    tracked: int
    hint: str | None = None
    zone: str = "UTC"
    dates: Dates = "last-touched"

    @property
    def listed(self) -> int:
        """Number of files that are problems."""
        return sum(folder.files for folder in self.folders)

    @property
    def ratings(self) -> tuple[str, ...]:
        """The platforms that were found."""
        certain = (folder for folder in self.folders if folder.certain)
        return tuple(sorted({folder.platform for folder in certain if folder.platform}))

    @property
    def settings(self) -> BuildSettings:
        """The settings of a build."""
        chosen = {"dates": self.dates, "zone": self.zone, "ratings": list(self.ratings)}
        platforms = {name: {"folders": folders} for name, folders in self.added.items()}
        ignored = {"keep": list(self.kept)}
        return read_settings({**chosen, "ignore": ignored, "platforms": platforms})

    def with_history(self, history: History) -> Self:
        """Return the proposal with the zone of the commits, and `dates` where they cluster."""
        names = {entry.name for entry in select_files(history.files, self.settings).entries}
        dates: Dates = "first-added" if are_clustered(history, names) else "last-touched"
        offset, percent = main_offset(history)
        return attrs.evolve(self, zone=offset if percent >= ZONE_PERCENT else UTC_ZONE, dates=dates)


def propose(files: Iterable[TreeFile], repository: str = "") -> Proposal:
    """Propose settings for the files of a repository with a name, by names alone."""
    tree = tuple(sorted(files, key=lambda file: file.name))
    counts, kept = _count(tree, BuildSettings()), set[str]()
    if not counts:
        counts = _count(tree, BuildSettings(ignored_roots=IGNORED_ROOTS - _HOLDERS))
        kept = set(map(str.casefold, counts))
    hint = platform_of(repository)
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    folders = tuple(_folder(name, files, hint) for name, files in ranked)
    return Proposal(folders, _added(folders, hint), tuple(sorted(kept)), len(tree), hint)


def _count(files: tuple[TreeFile, ...], settings: BuildSettings) -> Counter[str]:
    return Counter(entry.platform for entry in select_files(files, settings).entries)


def _folder(name: str, files: int, hint: str | None) -> Folder:
    built_in = _INDEX.find(name)
    if built_in is not None:
        platform = built_in[0].name
        return Folder(name, files, platform, folder_key(name) not in AMBIGUOUS or platform == hint)
    own = platform_of(name) or (hint if _is_part(name, hint) else None)
    return Folder(name, files, own, own is not None)


_INDEX: Final = PlatformIndex(known_platforms())
_LAYOUTS: Final = {platform.name: platform.layouts for platform in known_platforms()}


def _added(folders: Iterable[Folder], hint: str | None) -> dict[str, list[str]]:
    """Return platform to its folders that are not built in.

    The platform of the repository's name has the whole of it where no folder says another thing
    than a site, which is none of its folders.
    """
    is_whole = all(
        folder.platform is not None or is_other_site(folder_key(folder.name)) for folder in folders
    )
    added: dict[str, list[str]] = {}
    keys: set[str] = set()
    for folder in folders:
        is_part = is_whole and folder.platform == hint and _is_part(folder.name, hint)
        name = ROOT if is_part else folder.name
        key = folder_key(name)
        is_written = name.isprintable() and name.strip() == name and len(name) <= _MAX_NAME_LENGTH
        if folder.platform is None or _INDEX.find(name) is not None:
            continue
        if is_written and key not in keys and len(keys) < _MAX_FOLDERS:
            keys.add(key)
            added.setdefault(folder.platform, []).append(name)
    return {name: sorted(listed) for name, listed in sorted(added.items())}


def _is_part(folder: str, hint: str | None) -> bool:
    """Check whether a folder may be one of a platform: its name is known there, or says nothing.

    Nothing is said by usual words, and by a number at the beginning.
    """
    if hint in _LAYOUTS and any(layout.has_folder(folder) for layout in _LAYOUTS[hint]):
        return True
    words = [word.lower() for word in _WORD.findall(folder)]
    usual = (word.isdigit() or word in _EMPTY_WORDS for word in words)
    return bool(words) and (words[0].isdigit() or all(usual))


def platform_of(name: str) -> str | None:
    """Return the built-in platform that a name says; None if it says none for certain."""
    if len(name) > _MAX_NAME_LENGTH:
        return None
    key = folder_key(name)
    if key in _PLATFORMS:
        return None if key in AMBIGUOUS else _PLATFORMS[key]
    words = _WORD.findall(name)
    for count in range(_MAX_WORDS, 0, -1):
        for start in range(len(words) - count + 1):
            key = "".join(words[start : start + count]).lower()
            is_short = len(key) < _MIN_LENGTH or key in AMBIGUOUS
            if is_short or key.startswith(ONE_WORD) or key not in _PLATFORMS:
                continue
            rest = {word.lower() for word in (*words[:start], *words[start + count :])}
            usual = all(word.isdigit() or word in _USUAL_WORDS for word in rest)
            return _PLATFORMS[key] if usual else None
    return None
