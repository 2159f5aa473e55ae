"""Recognise the names of folders and repositories that say which platform they are of.

A name is that of a platform if it has the platform's own name and otherwise only words that such
names usually have: `leetcode-solutions`, `AtCoder_cpp`, `advent-of-code-2023`.  With any other word
(`leetcode-clone`), or two platforms, it says nothing for certain.

Contract: SD-INIT-02.
"""

import re
from typing import Final

import attrs

from sitedata.building.known_platforms import known_platforms
from sitedata.building.platforms import folder_key

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
_AMBIGUOUS: Final = frozenset(
    [
        "ac",
        "at",
        "atc",
        "euler",
        "gym",
        "lg",
        "nc",
        "onlinejudge",
        "pe",
        "programmers",
        "ural",
        "vj",
    ]
)
"""Folders of platforms that also have other meanings; built-in rules apply only in the root."""
_MIN_LENGTH: Final = 4
"""Shorter names may be parts of other names."""
_MAX_LENGTH: Final = 200  # characters; longer names are no names of platforms
_MAX_WORDS: Final = 4
_WORD: Final = re.compile(r"[A-Z]++(?![a-z])|[A-Z]?[a-z]++|[0-9]++|[A-Z]|[^\W\d_a-zA-Z]++")
_YEAR: Final = re.compile("20(?:1[5-9]|[2-4][0-9])")


@attrs.frozen
class NamedPlatform:
    """The platform that a name says: built in, `ADVENT` with a year or `EXERCISM` with a track."""

    name: str
    year: str | None = None
    track: str | None = None


def _platforms() -> dict[str, str]:
    keys = {key: each.name for each in known_platforms() for key in each.folders}
    tools = {"baekjoonhub": "baekjoon", "leethub": "leetcode"}
    return keys | tools | {"adventofcode": ADVENT, "aoc": ADVENT, "exercism": EXERCISM}


_PLATFORMS: Final = _platforms()
_IN_NAMES: Final = {
    key: platform
    for key, platform in _PLATFORMS.items()
    if (len(key) >= _MIN_LENGTH or platform == ADVENT) and key not in _AMBIGUOUS
}


def platform_of(name: str) -> NamedPlatform | None:
    """Return the platform that a name says; None if it says none for certain."""
    if len(name) > _MAX_LENGTH:
        return None
    key = folder_key(name)
    if key in _PLATFORMS:
        return None if key in _AMBIGUOUS else NamedPlatform(_PLATFORMS[key])
    words = _WORD.findall(name)
    found = _longest(words)
    if found is None:
        return None
    start, end, platform = found
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
