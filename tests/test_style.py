"""Docstrings and comments are written in plain words: see CONTRIBUTING.md."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "src"
FILES = sorted(SOURCES.rglob("*.py"))

BANNED_OPENINGS = {
    *("Give", "Gives", "Tell", "Tells", "Say", "Says"),
    *("How", "What", "Where", "Whether", "Which", "Who"),
}
"""First words of docstrings; begin with Return, Raise, Parse, Check whether, or a noun."""
BANNED_WORDS = re.compile(
    r"\b(doors?|house|twins?|memo|torn|condemned|acquitted|told|telling|dust|ruling|spelling)\b",
    re.IGNORECASE,
)
"""Private words with a standard term: entry point, package, port, cache, truncated, reported."""


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each docstring and comment."""
    text = path.read_text("utf-8")
    for node in ast.walk(ast.parse(text)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.lineno, value.value
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found = ast.get_docstring(node)
            if found:
                yield getattr(node, "lineno", 1), found


def hold(faults: list[str]) -> None:
    if faults:
        pytest.fail("\n" + "\n".join(faults), pytrace=False)


def test_docstrings_begin_with_a_verb_of_the_field_or_a_noun() -> None:
    hold(
        [
            f"{path.relative_to(SOURCES)}:{line}: {text.split()[0]} ..."
            for path in FILES
            for line, text in docstrings(path)
            if text.split()[0] in BANNED_OPENINGS
        ]
    )


def test_prose_has_no_private_words() -> None:
    hold(
        [
            f"{path.relative_to(SOURCES)}:{line}: {found.group()}"
            for path in FILES
            for line, text in prose(path)
            for found in BANNED_WORDS.finditer(text)
        ]
    )
