"""Patterns of file layouts: matching, and refused patterns."""

import importlib
from collections.abc import Iterator
from typing import Any

import pytest

from sitedata.building.known_platforms import known_platforms
from sitedata.building.templates import group_names, segments

REPEATS = importlib.import_module("re._constants")
PARSER = importlib.import_module("re._parser")


def backtracking(parsed: Any) -> Iterator[str]:
    """Yield the repetitions of a parsed expression that can backtrack."""
    for operation, argument in parsed:
        if operation in (REPEATS.MAX_REPEAT, REPEATS.MIN_REPEAT):
            least, most, repeated = argument
            is_plain = len(repeated) == 1 and repeated[0][0] is not REPEATS.SUBPATTERN
            if most > 1 and not (least == most and is_plain):
                yield f"{operation} {least} {most}"
        for part in argument if isinstance(argument, tuple | list) else [argument]:
            if isinstance(part, PARSER.SubPattern):
                yield from backtracking(part)
            elif isinstance(part, list):
                for each in part:
                    if isinstance(each, PARSER.SubPattern):
                        yield from backtracking(each)


class TestMatching:
    def test_a_slash_separates_segments(self) -> None:
        folder, stem = segments("(?P<contest>[0-9]++)/(?P<index>[a-z])")
        assert folder.fullmatch("12")
        assert stem.fullmatch("a")
        assert group_names((folder, stem)) == {"contest", "index"}

    def test_letters_match_in_either_case(self) -> None:
        (stem,) = segments("gym[a-z]")
        assert stem.fullmatch("GYMx")

    def test_in_a_group_without_that_they_match_as_they_are(self) -> None:
        (stem,) = segments("gym(?-i:[A-Z]++)")
        assert stem.fullmatch("GymX")
        assert stem.fullmatch("Gymx") is None

    @pytest.mark.parametrize("text", ["\u0660", "\u212a", "\u017f"])
    def test_classes_are_ascii_only(self, text: str) -> None:
        (stem,) = segments(r"[a-z]|\d|\w")
        assert stem.fullmatch(text) is None

    def test_a_dot_is_any_character(self) -> None:
        (stem,) = segments(".++")
        assert stem.fullmatch("a\nb\u2028c")


class TestLinear:
    """Invariant *no backtracking*."""

    @pytest.mark.parametrize(
        "path",
        [
            "a++",
            "a*+",
            "a?",
            "a?+",
            "a??",
            "a{2,3}+",
            "a{2,}+",
            "[0-9]{4}",
            r"\d{4}",
            r"\){4}",
            "(?:ab){2}+",
            "(?:ab)?",
            "[+*{]",
            "[^]*+]",
            r"[\]*+]",
            r"\*\+\{",
            "{",
            "a{x}",
            "(?=a)(?!b)(?<=a)(?<!b)(?>a)(a)(?P<x>a)(?-i:a)",
            "",
        ],
    )
    def test_possessive_repetitions_are_accepted(self, path: str) -> None:
        assert segments(path)

    @pytest.mark.parametrize(
        "path",
        [
            "a+",
            "a*",
            "a+?",
            "a*?",
            "a{2,3}",
            "a{2,}",
            "a{,3}",
            "a{,}",
            "a{2,3}?",
            "(?:a+)+b",
            "(?:a|a){30}",
            "(?P<x>a|ab){9}",
            "a++/b+",
            "(?>a+)",
            "(?-i:a+)",
            r"[\]]+",
            "[]]+",
        ],
    )
    def test_backtracking_repetitions_are_refused(self, path: str) -> None:
        with pytest.raises(ValueError, match="possessive"):
            segments(path)

    @pytest.mark.parametrize("path", ["(?i)a", "(?x)a", "(?#[)a", "(?P=x)", "(?(1)a)", "(?i:a)"])
    def test_groups_that_could_hide_a_repetition_are_refused(self, path: str) -> None:
        with pytest.raises(ValueError, match="kind of group"):
            segments(path)

    @pytest.mark.parametrize("path", ["[[a]", "[a--b]", "[a&&b]", "[a||b]", "[a~~b]"])
    def test_sets_within_sets_are_refused(self, path: str) -> None:
        with pytest.raises(ValueError, match="set"):
            segments(path)

    @pytest.mark.parametrize(
        "path", ["(", ")", "[a", "a\\", "[a/b]", "++", "(?P<1>a)", "a{9999999999}"]
    )
    def test_invalid_expressions_are_refused(self, path: str) -> None:
        with pytest.raises(ValueError, match="regular expression"):
            segments(path)

    def test_deep_nesting_is_refused(self) -> None:
        with pytest.raises(ValueError, match="regular expression"):
            segments("(" * 20_000 + ")" * 20_000)

    @pytest.mark.parametrize("path", ["(?P<a>x)/(?P<a>y)", "(?P<a>x)/b/(?P<a>y)"])
    def test_a_repeated_group_is_refused(self, path: str) -> None:
        with pytest.raises(ValueError, match="twice"):
            segments(path)

    @pytest.mark.parametrize("platform", known_platforms(), ids=lambda platform: platform.name)
    def test_built_in_patterns_compile_without_backtracking_repetitions(
        self, platform: Any
    ) -> None:
        for layout in platform.layouts:
            for part in layout.path.split("/"):
                assert list(backtracking(PARSER.parse(part))) == []

    def test_a_backtracking_repetition_would_be_found(self) -> None:
        assert list(backtracking(PARSER.parse("(?:x|(?=a+b))")))
        assert list(backtracking(PARSER.parse("(?>a*)")))
