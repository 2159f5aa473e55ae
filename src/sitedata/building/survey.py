"""Find which folders of a repository are those of platforms, by their names.

A name is that of a platform if it has the platform's own name and otherwise only words that such
names usually have: `leetcode-solutions`, `AtCoder_cpp`, `advent-of-code-2023`.  With any other word
(`leetcode-clone`), or two platforms, it says nothing for certain.

Invariant *linear*: of a path the first `_MAX_DEPTH` folders are examined, each distinct one once.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from typing import Final

import attrs

from sitedata.building.history import TreeFile, Warnings
from sitedata.building.known_platforms import known_platforms
from sitedata.building.platforms import PlatformIndex, folder_key
from sitedata.building.settings import IGNORED_ROOTS, BuildSettings, Globs, split_name
from sitedata.building.tree import Tree

ADVENT: Final = "adventofcode"
EXERCISM: Final = "exercism"

_TRACKS: Final = (
    "8th abap arm64-assembly arturo awk ballerina bash c cairo cfml clojure clojurescript cobol"
    " coffeescript common-lisp cpp crystal csharp d dart delphi elixir elm emacs-lisp erlang"
    " euphoria factor fortran fsharp futhark gdscript gleam go groovy haskell haxe idris j java"
    " javascript jq julia kotlin lfe lua mips moonscript nim objective-c ocaml odin perl5"
    " pharo-smalltalk php plsql powershell prolog purescript pyret python r racket raku reasonml"
    " red rescript roc ruby rust scala scheme sml sqlite swift tcl typescript uiua unison vbnet"
    " vimscript vlang wasm wren x86-64-assembly yamlscript zig"
)
TRACKS: Final = frozenset(_TRACKS.split())
"""Names of the tracks of Exercism in its URLs and folders."""

_USUAL: Final = (
    "ac accepted algorithm algorithms and answer answers archive by challenge challenges code codes"
    " coding contest contests daily dsa exercise exercises for in io judge my of oj online org"
    " practice practise problem problems question questions repo repository set solution solutions"
    " solved study submission submissions the training with workspace"
    " bash c cpp csharp dart elixir go golang haskell java javascript js julia kotlin php py python"
    " python3 rb ruby rust scala sql swift ts typescript"
)
_USUAL_WORDS: Final = frozenset(_USUAL.split())
_SHORT: Final = "ac at atc euler gym lg nc onlinejudge pe programmers ural vj"
_AMBIGUOUS: Final = frozenset(_SHORT.split())
"""Folders of platforms that also have other meanings; built-in rules apply only in the root."""
_MIN_LENGTH: Final = 4
"""Shorter names may be parts of other names."""
_MAX_NAME_LENGTH: Final = 200  # characters; longer names are no names of platforms
_MAX_WORDS: Final = 4
_WORD: Final = re.compile(r"[A-Z]++(?![a-z])|[A-Z]?[a-z]++|[0-9]++|[A-Z]|[^\W\d_a-zA-Z]++")
_YEAR: Final = re.compile("20(?:1[5-9]|[2-4][0-9])")


@attrs.frozen
class NamedPlatform:
    """The platform that a name says: built in, `ADVENT` with a year or `EXERCISM` with a track."""

    name: str
    year: str | None = None
    track: str | None = None


_PLATFORMS: Final = {
    **{key: platform.name for platform in known_platforms() for key in platform.folders},
    "baekjoonhub": "baekjoon",
    "leethub": "leetcode",
    "adventofcode": ADVENT,
    "aoc": ADVENT,
    "exercism": EXERCISM,
}
_IN_NAMES: Final = {
    key: platform
    for key, platform in _PLATFORMS.items()
    if (len(key) >= _MIN_LENGTH or platform == ADVENT) and key not in _AMBIGUOUS
}


def platform_of(name: str) -> NamedPlatform | None:
    """Return the platform that a name says; None if it says none for certain."""
    if len(name) > _MAX_NAME_LENGTH:
        return None
    key = folder_key(name)
    if key in _PLATFORMS:
        return None if key in _AMBIGUOUS else NamedPlatform(_PLATFORMS[key])
    words = _WORD.findall(name)
    longest = _longest(words)
    if longest is None:
        return None
    start, end, platform = longest
    rest = [word.lower() for word in (*words[:start], *words[end:])]
    return _with_rest(platform, rest)


def _longest(words: list[str]) -> tuple[int, int, str] | None:
    """Return start, end and platform of the most words that are the name of one."""
    for count in range(_MAX_WORDS, 0, -1):
        for start in range(len(words) - count + 1):
            platform = _IN_NAMES.get("".join(words[start : start + count]).lower())
            if platform is not None:
                return start, start + count, platform
    return None


def _with_rest(platform: str, rest: list[str]) -> NamedPlatform | None:
    """Return what a name says besides the platform; None if other words make it uncertain."""
    numbers = [word for word in rest if word.isdigit()]
    words = [word for word in rest if not word.isdigit()]
    if platform == EXERCISM and "-".join(words) in TRACKS:
        return NamedPlatform(platform, track="-".join(words))
    if not _USUAL_WORDS.issuperset(words):
        return None
    if platform != ADVENT or not numbers:
        return NamedPlatform(platform)
    year = numbers[0] if _YEAR.fullmatch(numbers[0]) else f"20{numbers[0]}"
    is_year = len(numbers) == 1 and _YEAR.fullmatch(year) is not None
    return NamedPlatform(platform, year=year) if is_year else None


_HOLDERS: Final = frozenset(["archive", "script", "scripts", "snippet", "snippets", "src"])
"""Roots that are ignored by default, unless they are the only ones with solutions."""
_SOURCES: Final = "src"
"""The one of these that may also have folders of platforms beside other roots."""
_MAX_DEPTH: Final = 8
"""Packages of Java have some folders above the platform's."""
_METADATA: Final = frozenset(["config.json", "metadata.json"])
_METADATA_DEPTH: Final = 4  # track/exercise/.exercism/metadata.json
_TEST_NAMES: Final = (
    "*-test.rkt *.test.jsx *.test.tsx *_spec.lua *_test.c *_test.clj *_test.cpp *_test.dart"
    " *_test.erl *_test.exs *_test.hs *_test.lua *_test.ml *_test.nim *_test.sh *_tests.erl"
    " *test.java *test.kt *test.php *test.scala *tests.cs *tests.fs *tests.swift runtests.jl"
    " test-*.r test_*.c test_*.cpp test_*.zig test_helper.exs tests.hs *-test.lisp *.spec.wren"
    " *.tests.ps1 *_spec.cr *_spec.moon *_test.f90 *_test.gleam *_test.sql create_*.sql"
    " package.wren test.ml test.scm test.sml testhelpers.tcl testlib.sml test_*.nim test_*.r"
)
_TEST_FILES: Final = _TEST_NAMES.split()
"""Names of the tests that Exercism hands out and that are not ignored by default."""
_TEST_FOLDERS: Final = (
    *(".approaches", ".articles", ".meta", "spec", "test", "test-framework", "tests"),
)
_NUMBERED: Final = re.compile("[1-9][0-9]{0,3}-[a-z0-9-]++")
_KNOWN: Final = (
    "1-two-sum 2-add-two-numbers 9-palindrome-number 13-roman-to-integer"
    " 14-longest-common-prefix 20-valid-parentheses 21-merge-two-sorted-lists"
    " 26-remove-duplicates-from-sorted-array 27-remove-element 66-plus-one"
    " 35-search-insert-position 53-maximum-subarray 58-length-of-last-word 70-climbing-stairs"
    " 88-merge-sorted-array 94-binary-tree-inorder-traversal 104-maximum-depth-of-binary-tree"
    " 121-best-time-to-buy-and-sell-stock 125-valid-palindrome 136-single-number"
    " 141-linked-list-cycle 169-majority-element 200-number-of-islands 206-reverse-linked-list"
    " 217-contains-duplicate 242-valid-anagram 268-missing-number 283-move-zeroes"
    " 344-reverse-string 412-fizz-buzz 704-binary-search"
)
_LEETCODE: Final = frozenset(_KNOWN.split())
"""Numbers and ids of LeetCode: folders with such names are numbered as on LeetCode."""
_MIN_LEETCODE: Final = 2


@attrs.define
class Survey:
    """Folders of platforms and exercises in a repository.

    `known` are built-in platforms that have a folder in the root.  `sites` has the path of a folder
    with the platform that its name says and its number of files.  `tracks` are folders in the root
    that are tracks of Exercism by the metadata in all exercises, `exercised` those of exercises for
    any reason.  `kept` are roots that are ignored by default, and hold the solutions here.
    """

    known: set[str] = attrs.field(factory=set)
    sites: dict[str, tuple[NamedPlatform, int]] = attrs.field(factory=dict)
    tracks: frozenset[str] = frozenset()
    exercised: frozenset[str] = frozenset()
    has_leetcode: bool = False
    kept: tuple[str, ...] = ()
    test_files: list[str] = attrs.field(factory=list)
    test_folders: list[str] = attrs.field(factory=list)


def survey(files: Iterable[TreeFile], repository: NamedPlatform | None) -> Survey:
    """Return what the folders of the files say; `repository` is what its name says."""
    tree_files = tuple(files)
    settings = BuildSettings(ignored_roots=IGNORED_ROOTS - _HOLDERS, platforms=())
    folders: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    for entry in Tree(settings, Warnings()).entries(tree_files):
        parent, _, name = entry.path.rpartition("/")
        folders.setdefault(parent, set()).add(name.casefold())
        counts[parent] = counts.get(parent, 0) + 1
    roots = set(map(_root, folders))
    if len(roots) > 1:
        left_out = _HOLDERS - {_SOURCES}
        folders = {
            folder: names for folder, names in folders.items() if _root(folder) not in left_out
        }
    result = Survey(tracks=_tracks(tree_files, folders), has_leetcode=_has_leetcode(folders))
    platforms, named = PlatformIndex(known_platforms()), cache(platform_of)
    exercises: list[tuple[str, set[str]]] = []
    for parent, names in folders.items():
        segments = parent.split("/", _MAX_DEPTH)[:_MAX_DEPTH]
        built_in, site = platforms.find(segments[0]), None
        if built_in is not None:
            result.known.add(built_in[0].name)
        else:
            site = _site(segments, named)
        if site is not None:
            prefix, platform = site
            earlier = result.sites.get(prefix, (platform, 0))[1]
            result.sites[prefix] = platform, counts[parent] + earlier
        is_exercise = EXERCISM in (repository and repository.name, site and site[1].name)
        if is_exercise or _root(parent) in result.tracks:
            exercises.append((parent, names))
    if len(roots) == 1:
        result.kept = tuple(roots & _HOLDERS)
    elif _SOURCES in roots and (repository or _SOURCES in map(_root, result.sites)):
        result.kept = (_SOURCES,)
    _add_exercises(result, exercises)
    return result


def _site(
    segments: list[str], named: Callable[[str], NamedPlatform | None]
) -> tuple[str, NamedPlatform] | None:
    """Return the path of the first folder whose name says a platform, and the platform."""
    for count, segment in enumerate(segments, 1):
        platform = named(segment)
        if platform is not None:
            return "/".join(segments[:count]), platform
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


def _root(folder: str) -> str:
    return folder.partition("/")[0].casefold()


def _has_leetcode(folders: Mapping[str, Collection[str]]) -> bool:
    """Check whether folders of the root have numbers of LeetCode, and their files the same names.

    One file with another number shows that a number may mean something else.
    """
    pairs = {
        (folder, stem)
        for folder, names in folders.items()
        if _NUMBERED.fullmatch(folder)
        for stem, _ in map(split_name, names)
        if _NUMBERED.fullmatch(stem)
    }
    known = _LEETCODE.intersection(folder for folder, _ in pairs)
    return len(known) >= _MIN_LEETCODE and all(folder == stem for folder, stem in pairs)


def _add_exercises(result: Survey, exercises: list[tuple[str, set[str]]]) -> None:
    names = set[str]().union(*(names for _, names in exercises))
    segments = {segment.casefold() for parent, _ in exercises for segment in parent.split("/")}
    result.exercised = TRACKS & segments
    result.test_files += (text for text in _TEST_FILES if any(map(Globs([text]).match, names)))
    result.test_folders += (folder for folder in _TEST_FOLDERS if folder in segments)
