"""Settings of a build: name and host of the repository, rules for paths and dates, languages.

Every setting has a default; `sitedata.building.settings_file` parses a settings file.  Extensions
of headers, notes and data have no language, because no problem is solved in them.

Invariant *valid or refused*: a `BuildSettings` object can be built with; invalid values raise when
it is created.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, get_args

import attrs

from sitedata.building.history import Dates
from sitedata.building.hosts import HostKind, is_host
from sitedata.building.known_platforms import known_platforms
from sitedata.building.platforms import Platform
from sitedata.parsing import broken_path_rule
from status_contracts.structuring.constraints import Predicate

CONFIG_FILE: Final = "site-data.toml"
"""Name of the settings file in the root of a repository."""
CONFIG_FILE_BYTES: Final = 1024 * 1024
"""Largest size of the file; real ones have a few kB."""

_EXTENSIONS: Final = {
    "Ada": "ada adb",
    "Assembly": "asm s",
    "Awk": "awk",
    "C": "c",
    "C#": "cs csx",
    "C++": "C c++ cc cp cpp cxx",
    "Clojure": "clj",
    "COBOL": "cbl cob",
    "Common Lisp": "lisp lsp",
    "Crystal": "cr",
    "CUDA": "cu",
    "D": "d",
    "Dart": "dart",
    "Elixir": "ex exs",
    "Erlang": "erl",
    "F#": "fs fsx",
    "Fortran": "f f03 f08 f77 f90 f95 for",
    "Gleam": "gleam",
    "Go": "go",
    "Groovy": "groovy",
    "Haskell": "hs lhs",
    "Java": "java",
    "JavaScript": "cjs js jsx mjs",
    "Julia": "jl",
    "Kotlin": "kt kts",
    "Lean": "lean",
    "Lua": "lua",
    "MoonScript": "moon",
    "Nim": "nim",
    "OCaml": "ml",
    "Pascal": "dpr pas pp",
    "Perl": "pl pm",
    "PHP": "php",
    "PowerShell": "ps1",
    "Python": "py py2 py3 pypy",
    "R": "r",
    "Racket": "rkt",
    "Raku": "raku",
    "Ruby": "rb",
    "Rust": "rs",
    "Scala": "sc scala",
    "Scheme": "scm",
    "Shell": "bash fish ksh sh zsh",
    "SQL": "sql",
    "Standard ML": "sml",
    "Swift": "swift",
    "Tcl": "tcl",
    "TypeScript": "cts mts ts tsx",
    "Visual Basic": "vb",
    "Wren": "wren",
    "Zig": "zig",
}

LANGUAGES: Final[Mapping[str, str]] = {
    extension: language for language, text in _EXTENSIONS.items() for extension in text.split()
}
"""Extension to language.  A lower-case extension matches every case that is not listed itself, so
`.C` is C++ and `.PY` is Python."""


def split_name(name: str) -> tuple[str, str]:
    """Split a file name into stem and extension; the extension may be empty."""
    stem, dot, extension = name.rpartition(".")
    return (stem, extension) if dot and stem else (name, "")


def language_of(extension: str, languages: Mapping[str, str]) -> str | None:
    """Return the language of an extension; None if it is unknown."""
    if not extension:
        return None
    return languages.get(extension) or languages.get(extension.lower())


_ROOTS: Final = (
    "archive assets benchmark benchmarks bin build ci config configs data dist doc docs"
    " documentation example examples helper helpers image images img include lib libraries library"
    " libs media misc node_modules notes out script scripts snippet snippets src static target"
    " template templates test testing tests third-party third_party tool tools util utils vendor"
    " venv website wiki"
)
_FOLDERS: Final = (
    "__mocks__ __pycache__ __tests__ benches node_modules test test-framework testlib tests vendor"
)
_FILES: Final = {
    "all": "*.conf.* *.config.* *.bench.* *.spec.* *.test.* *.tests.* bench.* *_bench.* tests.*",
    "C#": "assemblyinfo.cs globalusings.cs",
    "Clojure": "build.clj project.clj",
    "Elixir and Erlang": "mix.exs *_suite.erl",
    "Java": "module-info.java package-info.java",
    "JavaScript and TypeScript": "*.d.cts *.d.mts *.d.ts *.min.js *.setup.* gruntfile.* gulpfile.*",
    "Haskell, Julia and Zig": "setup.hs runtests.jl build.zig",
    "Kotlin": "*.gradle.kts",
    "OCaml, Scheme and Standard ML": "test.ml test.scm test.sml testlib.sml",
    "Python": "*_pb2.py __init__.py __main__.py conftest.py noxfile.py setup.py testing_tool*.py",
    "Ruby": "spec_helper.rb",
    "Rust": "build.rs mod.rs",
    "Shell": "bats-*.bash test.ps1 test.sh",
    "SQL": "test_reporter.sql test_setup.sql",
    "Swift": "package.swift package@*.swift",
}
TEST_FILES: Final = frozenset(["*spec.*", "*test.*", "*tests.*", "test*.*"])
"""Names of tests, unless `sitedata.building.names.is_test` says that they may be titles."""

# Names are in lower case and match in any case.
IGNORED_FILES: Final = TEST_FILES.union(*(names.split() for names in _FILES.values()))
"""Files that are tests, settings or parts of a package; `*` stands for any text."""
IGNORED_ROOTS: Final = frozenset(_ROOTS.split())
"""First path segments that are not platforms."""
IGNORED_FOLDERS: Final = frozenset(_FOLDERS.split())
"""Folders whose files are not listed, at any depth; neither are names that begin with a dot."""
_MAX_GLOB_LENGTH: Final = 200  # characters

_ZONE: Final = re.compile(
    r"[+-](?:0[0-9]|1[0-4]):[0-5][0-9]|[A-Za-z0-9_+-]++(?:/[A-Za-z0-9_+-]++)*+"
)


def _is_path(text: str) -> bool:
    return broken_path_rule(text) is None and text.isprintable() and text.strip() == text


def _is_name(text: str) -> bool:
    return _is_path(text) and "/" not in text and "\\" not in text


def _is_glob(text: str) -> bool:
    return 0 < len(text) <= _MAX_GLOB_LENGTH and "/" not in text


PATH: Final = Predicate.of(_is_path, "settings.name", "printable, with no segment of dots")
NAME: Final = Predicate.of(_is_name, "settings.name", "printable, without a slash")
HOST: Final = Predicate.of(is_host, "settings.name", "a host name in lower case")
ZONE: Final = Predicate.of(
    _ZONE.fullmatch, "settings.name", "the name of a zone, as Europe/Berlin, or +09:00"
)
FILE: Final = Predicate.of(_is_glob, "ignore.file", "a name without a slash, with * for any text")


def _all(
    is_valid: Callable[[str], object], kind: Predicate
) -> Callable[[object, "attrs.Attribute[Any]", Any], None]:
    """Return a validator of a text, or of each of several; None is valid."""

    def validate(_: object, attribute: "attrs.Attribute[Any]", value: Any) -> None:  # noqa: ANN401
        texts = (value,) if isinstance(value, str) else value or ()
        if not all(map(is_valid, texts)):
            raise ValueError(f"{attribute.name} must be {kind.name}")

    return validate


def casefolded(names: Iterable[str]) -> frozenset[str]:
    """Return names for comparison in any case."""
    return frozenset(name.casefold() for name in names)


def glob_matcher(globs: Iterable[str]) -> Callable[[str], bool]:
    """Return a function that checks whether a casefolded name matches a glob; `*` is any text.

    It finds each part of a glob at its first place, so that it is linear.
    """
    searched, matched = list[str](), list[str]()
    for glob in sorted(globs):
        match [*map(re.escape, glob.split("*"))]:
            case ["", part, ""]:  # most are searched, because that is faster
                searched.append(part)
            case ["", end]:
                searched.append(rf"{end}\Z")
            case [whole]:
                matched.append(whole)
            case pieces:
                first, *parts, end = pieces
                middle = "".join(f"(?>.*?{part})" for part in parts if part)
                matched.append(f"{first}{middle}.*{end}")
    search = re.compile("|".join(searched or ["(?!)"])).search
    match_whole = re.compile("|".join(matched or ["(?!)"]), re.DOTALL).fullmatch
    return lambda name: search(name) is not None or match_whole(name) is not None


@attrs.frozen(kw_only=True)
class BuildSettings:
    """The settings of a build.

    Attributes:
        owner: owner of the repository; None: taken from the remote URL.
        name: name of the repository; None: taken from the remote URL.
        branch: name of the branch; None: the short name of the reference.
        host: host name, with an optional port; None: taken from the remote URL, else `github.com`.
        kind: software that runs on the host; None: derived from the host name.
        root: platform of the files in the root; None: they are not listed.
        ignored_roots: first path segments that are not platforms, in any case.
        ignored_folders: folders whose files are not listed, at any depth, in any case.
        ignored_files: names of files that are not listed, at any depth, in any case; `*` stands
            for any text.
        languages: extension to language.
        platforms: the first platform with a matching folder name is used.
        ratings: keys of the snapshot's ratings; None: the names of the platforms.
        zone: time zone in which contributions are counted by day: an IANA name, or an offset such
            as `+09:00`.
        dates: which commit dates a path.
        reads_files: whether the links that files name themselves replace those of their paths.

    Raises:
        ValueError: a value is invalid.

    """

    owner: str | None = attrs.field(default=None, validator=_all(_is_path, PATH))
    name: str | None = attrs.field(default=None, validator=_all(_is_name, NAME))
    branch: str | None = attrs.field(default=None, validator=_all(_is_path, PATH))
    host: str | None = attrs.field(default=None, validator=_all(is_host, HOST))
    kind: HostKind | None = None
    root: str | None = attrs.field(default=None, validator=_all(_is_name, NAME))
    ignored_roots: frozenset[str] = attrs.field(default=IGNORED_ROOTS, converter=casefolded)
    ignored_folders: frozenset[str] = attrs.field(default=IGNORED_FOLDERS, converter=casefolded)
    ignored_files: frozenset[str] = attrs.field(
        default=IGNORED_FILES, converter=casefolded, validator=_all(_is_glob, FILE)
    )
    languages: Mapping[str, str] = attrs.field(default=LANGUAGES, hash=False)
    platforms: tuple[Platform, ...] = attrs.field(
        factory=known_platforms, converter=tuple[Platform, ...]
    )
    ratings: tuple[str, ...] | None = None
    zone: str = attrs.field(default="UTC", validator=_all(_ZONE.fullmatch, ZONE))
    dates: Dates = attrs.field(
        default="last-touched", validator=attrs.validators.in_(get_args(Dates))
    )
    reads_files: bool = False

    @property
    def rating_keys(self) -> tuple[str, ...]:
        """The keys of the snapshot's ratings, sorted."""
        names = [platform.name for platform in self.platforms]
        return tuple(sorted(set(names if self.ratings is None else self.ratings)))
