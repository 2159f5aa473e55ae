"""Docstrings and comments are written in plain words: see CONTRIBUTING.md."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
FOLDERS = ("src", "tests", "tools", "benchmarks", "fuzz", "examples")
FILES = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]

BANNED_OPENINGS = {"Give", "Gives", "Tell", "Tells", "Say", "Says"}
"""First words of docstrings; begin with Return, Raise, Parse, Check whether, or a noun."""
BANNED_IN_SOURCES = {*BANNED_OPENINGS, "How", "What", "Where", "Whether", "Which", "Who"}
"""The same for the packages; in tests a docstring may be a question that the test answers."""
BANNED_WORDS = re.compile(
    r"\b(doors?|house|twins?|memo|torn|condemned|acquitted|told|telling|dust|ruling|spelling"
    r"|judg(?:e|es|ed|ing)|patience)\b",
    re.IGNORECASE,
)
"""Private words with a standard term: entry point, package, port, cache, truncated, reported."""


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each docstring and comment of a file with a banned word."""
    text = path.read_text("utf-8")
    if BANNED_WORDS.search(text) is None:  # fast path: most files have no such word at all
        return
    for node in ast.walk(ast.parse(text)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.lineno, value.value
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


_OPENING = re.compile(rf'"""\s*(?:{"|".join(sorted(BANNED_IN_SOURCES))})\b')


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each docstring of a file in which a text starts with such a word."""
    text = path.read_text("utf-8")
    if _OPENING.search(text) is None:  # fast path, as above
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found = ast.get_docstring(node)
            if found:
                yield getattr(node, "lineno", 1), found


def assert_none(faults: list[str]) -> None:
    if faults:
        pytest.fail("\n" + "\n".join(faults), pytrace=False)


def test_docstrings_begin_with_a_verb_of_the_field_or_a_noun() -> None:
    assert_none(
        [
            f"{path.relative_to(ROOT)}:{line}: {text.split()[0]} ..."
            for path in FILES
            for line, text in docstrings(path)
            if text.split()[0]
            in (BANNED_IN_SOURCES if path.is_relative_to(SOURCES) else BANNED_OPENINGS)
        ]
    )


def test_prose_has_no_private_words() -> None:
    assert_none(
        [
            f"{path.relative_to(ROOT)}:{line}: {found.group()}"
            for path in FILES
            for line, text in prose(path)
            for found in BANNED_WORDS.finditer(text)
        ]
    )
