"""Find which folders of a repository are those of platforms.

Invariant *linear*: of a path the first `_MAX_DEPTH` folders are examined, each distinct one once.

Contract: SD-INIT-02.
"""

from collections.abc import Iterable
from typing import Final

import attrs

from sitedata.building.detecting.platform_names import EXERCISM, TRACKS, NamedPlatform, platform_of
from sitedata.building.history import TreeFile
from sitedata.building.known_platforms import known_platforms
from sitedata.building.platforms import PlatformIndex
from sitedata.building.settings import IGNORED_ROOTS, BuildSettings, Globs
from sitedata.building.tree import Tree
from sitedata.building.warnings import Warnings

__all__ = ["SOURCES", "Survey", "survey"]

SOURCES: Final = "src"
"""A root that is ignored by default, but is where some repositories have all solutions."""
_MAX_DEPTH: Final = 8
"""Packages of Java have some folders above the platform's."""
_METADATA: Final = frozenset(["config.json", "metadata.json"])
_METADATA_DEPTH: Final = 4  # track/exercise/.exercism/metadata.json
_TEST_FILES: Final = (
    *("*-test.rkt", "*.test.jsx", "*.test.tsx", "*_spec.lua", "*_test.c", "*_test.clj"),
    *("*_test.cpp", "*_test.dart", "*_test.erl", "*_test.exs", "*_test.hs", "*_test.lua"),
    *("*_test.ml", "*_test.nim", "*_test.sh", "*_tests.erl", "*test.java", "*test.kt"),
    *("*test.php", "*test.scala", "*tests.cs", "*tests.fs", "*tests.swift", "runtests.jl"),
    *("test-*.r", "test_*.c", "test_*.cpp", "test_*.zig", "test_helper.exs", "tests.hs"),
)
"""Names of the tests that Exercism hands out and that are not ignored by default."""
_TEST_FOLDERS: Final = (".approaches", ".articles", ".meta", "test", "test-framework", "tests")


@attrs.define
class Survey:
    """Folders of platforms and exercises in a repository.

    Attributes:
        known: built-in platforms that have a folder in the root.
        sites: path of a folder to the platform that its name says, with its number of files.
        tracks: folders in the root that are tracks of Exercism, by the metadata in all exercises.
        exercised: tracks that are folders of exercises, whatever says that they are exercises.
        keeps_sources: whether `SOURCES` must not be ignored.
        test_files: patterns of `_TEST_FILES` that match a file of an exercise.
        test_folders: those of `_TEST_FOLDERS` that are in an exercise.

    """

    known: set[str] = attrs.field(factory=set)
    sites: dict[str, tuple[NamedPlatform, int]] = attrs.field(factory=dict)
    tracks: frozenset[str] = frozenset()
    exercised: frozenset[str] = frozenset()
    keeps_sources: bool = False
    test_files: list[str] = attrs.field(factory=list)
    test_folders: list[str] = attrs.field(factory=list)


def survey(files: Iterable[TreeFile], repository: NamedPlatform | None) -> Survey:
    """Return what the folders of the files say; `repository` is what its name says."""
    given = tuple(files)
    settings = BuildSettings(ignored_roots=IGNORED_ROOTS - {SOURCES}, platforms=())
    folders: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    for entry in Tree(settings, Warnings()).entries(given):
        parent, _, name = entry.path.rpartition("/")
        folders.setdefault(parent, set()).add(name.casefold())
        counts[parent] = counts.get(parent, 0) + 1
    found = Survey(tracks=_tracks(given, folders))
    sites = _Sites(PlatformIndex(known_platforms()))
    exercises: list[str] = []
    for parent, count in counts.items():
        site = sites.of(parent)
        is_exercise = EXERCISM in (repository and repository.name, site and site[1].name)
        if is_exercise or parent.partition("/")[0].casefold() in found.tracks:
            exercises.append(parent)
        if site is not None:
            prefix, platform = site
            found.sites[prefix] = platform, count + found.sites.get(prefix, (platform, 0))[1]
    found.known = sites.known
    found.keeps_sources = _keeps_sources(folders, found.sites, repository)
    _add_exercises(found, [(parent, folders[parent]) for parent in exercises])
    return found


@attrs.define(eq=False, repr=False)
class _Sites:
    """Finds the first folder on a path that names a platform."""

    platforms: PlatformIndex
    known: set[str] = attrs.field(factory=set)
    _named: dict[str, NamedPlatform | None] = attrs.field(factory=dict)

    def of(self, parent: str) -> tuple[str, NamedPlatform] | None:
        """Return the path of that folder and the platform; None if a built-in rule finds it."""
        names = parent.split("/", _MAX_DEPTH)[:_MAX_DEPTH]
        built_in = self.platforms.find(names[0])
        if built_in is not None:
            self.known.add(built_in[0].name)
            return None
        for count, name in enumerate(names, 1):
            if name not in self._named:
                self._named[name] = platform_of(name)
            platform = self._named[name]
            if platform is not None:
                return "/".join(names[:count]), platform
        return None


def _tracks(files: Iterable[TreeFile], folders: Iterable[str]) -> frozenset[str]:
    """Return the folders of the root that are tracks of Exercism, in lower case."""
    marked: set[tuple[str, str]] = set()
    for file in files:
        if b"/.exercism/" in file.name:
            names = file.name.decode("utf-8", "replace").split("/", _METADATA_DEPTH)
            if len(names) == _METADATA_DEPTH and names[3] in _METADATA:
                marked.add((names[0], names[1]))
    tracks = {track for track, _ in marked if track in TRACKS}
    for folder in folders if tracks else ():
        track, _, rest = folder.partition("/")
        if (track, rest.partition("/")[0]) not in marked:
            tracks.discard(track)
    return frozenset(tracks)


def _keeps_sources(
    folders: Iterable[str], sites: Iterable[str], repository: NamedPlatform | None
) -> bool:
    roots = {folder.partition("/")[0].casefold() for folder in folders}
    has_site = any(site.casefold().startswith(f"{SOURCES}/") for site in sites)
    return SOURCES in roots and (has_site or len(roots) == 1 or repository is not None)


def _add_exercises(found: Survey, exercises: list[tuple[str, set[str]]]) -> None:
    names = set[str]().union(*(names for _, names in exercises))
    segments = {segment.casefold() for parent, _ in exercises for segment in parent.split("/")}
    found.exercised = TRACKS & segments
    found.test_files += (text for text in _TEST_FILES if any(map(Globs([text]).match, names)))
    found.test_folders += (folder for folder in _TEST_FOLDERS if folder in segments)
