"""Names with stars."""

from fnmatch import fnmatchcase
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitedata.building.globs import Globs, is_glob


@pytest.mark.parametrize(
    ("glob", "name", "fits"),
    [
        ("*_test.go", "sum_test.go", True),
        ("*_test.go", "_TEST.go", True),
        ("*_test.go", "sum_test.go.txt", False),
        ("*_test.go", "sum.go", False),
        ("a*a", "a", False),
        ("a*a", "aa", True),
        ("*", "", True),
        ("*b*", "abc", True),
        ("a*b*c", "acb", False),
        ("A.py", "a.PY", True),
        ("a.py", "aXpy", False),
        ("a?.py", "ab.py", False),
        ("[a].py", "a.py", False),
    ],
)
def test_a_star_is_any_text(glob: str, name: str, fits: bool) -> None:
    assert Globs([glob]).match(name) is fits


@given(st.text("ab*", max_size=8), st.text("ab", max_size=12))
def test_it_is_what_shells_do(glob: str, name: str) -> None:
    assert Globs([glob]).match(name) == fnmatchcase(name, glob)


def test_one_of_several_is_enough() -> None:
    globs = Globs(["b", "*.x", "a"])
    assert [globs.match(name) for name in ("a", "b", "c", "c.x")] == [True, True, False, True]


def test_names_of_any_length_are_matched_at_once() -> None:
    globs = Globs(["*" + "a*" * 90 + "b"])
    started = process_time()
    assert not globs.match("a" * 1_000_000)
    assert not globs.match("a" * 1_000_000 + "cb"[::-1])
    assert process_time() - started < 2


@pytest.mark.parametrize(
    ("text", "fits"), [("", False), ("a/b", False), ("*", True), ("a" * 201, False)]
)
def test_what_can_be_one(text: str, fits: bool) -> None:
    assert is_glob(text) is fits
