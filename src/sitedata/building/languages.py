"""Map file extensions to programming languages.

Extensions of headers, notes and data are not listed, because no problem is solved in them.

Contract: SD-PROBLEM-04, SD-TREE-07.
"""

from collections.abc import Mapping
from typing import Final

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
