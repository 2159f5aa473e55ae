"""Settings of a build: defaults, values, languages."""

from typing import Any

import pytest

from sitedata.building.platforms import Platform
from sitedata.building.settings import (
    FILE,
    LANGUAGES,
    NAME,
    PATH,
    BuildSettings,
    glob_matcher,
    language_of,
)
from status_contracts.structuring.constraints import Predicate


def accepts(kind: Predicate, text: str) -> bool:
    try:
        kind.check(text)
    except ValueError:
        return False
    return True


@pytest.mark.rule("SD-PROBLEM-04")
class TestLanguage:
    @pytest.mark.parametrize(
        ("extension", "language"),
        [("CPP", "C++"), ("C", "C++"), ("c", "C"), ("py", "Python"), ("sh", "Shell")],
    )
    def test_an_extension_has_a_language(self, extension: str, language: str) -> None:
        assert language_of(extension, LANGUAGES) == language

    @pytest.mark.parametrize("extension", ["", "h", "hpp", "md", "txt", "in", "out", "json", "exe"])
    def test_headers_notes_and_data_have_none(self, extension: str) -> None:
        assert language_of(extension, LANGUAGES) is None

    def test_an_empty_extension_has_no_language(self) -> None:
        assert language_of("", {"": "Text"}) is None

    def test_a_listed_case_takes_precedence_over_lower_case(self) -> None:
        languages = {"x": "small", "X": "great"}
        assert [language_of(each, languages) for each in ("x", "X")] == ["small", "great"]


class TestValues:
    def test_names_and_hashes_are_accepted_in_any_case(self) -> None:
        settings = BuildSettings(ignored_roots=["Attic"])
        assert settings.ignored_roots == {"attic"}

    @pytest.mark.parametrize(
        "value",
        [
            *("owner a/../b", "name a/b", "branch /main", "host u@github.com", "zone ../UTC"),
            *("zone Europe/", "dates newest", "ignored_files a/b"),
        ],
    )
    def test_invalid_values_are_refused(self, value: str) -> None:
        """Invariant *valid or refused*."""
        name, _, text = value.partition(" ")
        values: dict[str, Any] = {name: [text] if name == "ignored_files" else text}
        with pytest.raises(ValueError, match="must be"):
            BuildSettings(**values)

    def test_ratings_are_the_platforms_by_default(self) -> None:
        platforms = [Platform("b", ["b"], ()), Platform("a", ["a"], ())]
        assert BuildSettings(platforms=platforms).rating_keys == ("a", "b")
        assert BuildSettings(platforms=platforms, ratings=("z", "y", "z")).rating_keys == ("y", "z")
        assert BuildSettings(ratings=()).rating_keys == ()


class TestGlobs:
    @pytest.mark.parametrize(
        ("pattern", "name", "matches"),
        [
            ("*_test.go", "sum_test.go", True),
            ("*a*b*", "xaybz", True),
            ("*a*b*", "xbyaz", False),
            ("*.x", "a.x", True),
            ("*.x", "a.xy", False),
            ("a*.x", "a.x", True),
            ("*_test.go", "_TEST.go", True),
            ("**", "sum.go", True),
            ("a.py", "aXpy", False),
        ],
    )
    def test_names_match_in_any_case(self, pattern: str, name: str, matches: bool) -> None:
        assert glob_matcher([pattern])(name.casefold()) is matches

    @pytest.mark.parametrize(
        ("text", "is_valid"),
        [("", False), ("a/b", False), ("*", True), ("a" * 200, True), ("a" * 201, False)],
    )
    def test_a_pattern_is_a_name_without_a_slash(self, text: str, is_valid: bool) -> None:
        assert accepts(FILE, text) is is_valid


class TestPlain:
    @pytest.mark.parametrize(
        ("text", "is_path", "is_name"),
        [
            *((text, True, None) for text in ("~a", "a b", "é")),
            *(("a", True, True), ("a/b", True, False), ("a\\b", None, False)),
            *((text, False, False) for text in ("", "/a", "a/", "a//b", "..", "a/../b", ".")),
            *((text, False, False) for text in (" a", "a\nb")),
        ],
    )
    def test_a_plain_path_is_relative_and_printable_and_a_name_one_segment(
        self, text: str, is_path: bool | None, is_name: bool | None
    ) -> None:
        assert is_path in {None, accepts(PATH, text)}
        assert is_name in {None, accepts(NAME, text)}
