"""Languages by extension."""

import pytest

from sitedata.building.settings import LANGUAGES, language_of, split_name


class TestSplitName:
    @pytest.mark.parametrize(
        ("name", "parts"),
        [
            ("A.cpp", ("A", "cpp")),
            ("A.sol.cpp", ("A.sol", "cpp")),
            ("A", ("A", "")),
            (".cpp", (".cpp", "")),
            ("A.", ("A", "")),
            ("..cpp", (".", "cpp")),
            ("", ("", "")),
        ],
    )
    def test_the_extension_is_what_follows_the_last_dot(
        self, name: str, parts: tuple[str, str]
    ) -> None:
        assert split_name(name) == parts


class TestLanguage:
    @pytest.mark.parametrize(
        ("extension", "language"),
        [
            ("cpp", "C++"),
            ("CPP", "C++"),
            ("cc", "C++"),
            ("C", "C++"),
            ("c", "C"),
            ("py", "Python"),
            ("sh", "Shell"),
            ("moon", "MoonScript"),
        ],
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
