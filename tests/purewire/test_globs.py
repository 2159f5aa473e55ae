"""Patterns in which `*` stands for any text."""

from fnmatch import fnmatchcase
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purewire.globs import glob_matches, split_glob


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("*_test.go", "sum_test.go", True),
        ("*_test.go", "_test.go", True),
        ("*_test.go", "_TEST.go", False),
        ("*_test.go", "sum_test.go.txt", False),
        ("*_test.go", "sum.go", False),
        ("a*a", "a", False),
        ("a*a", "aa", True),
        ("*", "", True),
        ("*b*", "abc", True),
        ("a*b*c", "acb", False),
        ("a*b*c", "axxc", False),
        ("a*b*c", "abbc", True),
        ("a.py", "a.py", True),
        ("a.py", "aXpy", False),
        ("a?.py", "ab.py", False),
        ("[a].py", "a.py", False),
    ],
)
def test_a_star_stands_for_any_text(pattern: str, text: str, matches: bool) -> None:
    assert glob_matches(text, split_glob(pattern)) is matches


@given(st.text("ab*", max_size=8), st.text("ab", max_size=12))
def test_it_agrees_with_fnmatch(pattern: str, text: str) -> None:
    assert glob_matches(text, split_glob(pattern)) == fnmatchcase(text, pattern)


def test_long_text_is_matched_in_linear_time() -> None:
    parts = split_glob("*" + "a*" * 90 + "b")
    started = process_time()
    assert not glob_matches("a" * 1_000_000, parts)
    assert not glob_matches("a" * 1_000_000 + "bc", parts)
    assert process_time() - started < 2
