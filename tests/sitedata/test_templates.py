"""Patterns of layouts, and templates of titles and URLs."""

import pytest

from sitedata.building.templates import FILTERS, Template, percent_encode, segments
from sitedata.parsing import is_https


class TestMatching:
    def test_a_slash_separates_segments(self) -> None:
        folder, stem = segments("(?P<contest>[0-9]++)/(?P<index>[a-z])")
        assert folder.fullmatch("12")
        assert stem.fullmatch("a")

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


class TestTitles:
    def test_fields_are_filled_in(self) -> None:
        template = Template("{contest}{index:upper}")
        assert template.title({"contest": "1234", "index": "a"}) == "1234A"

    @pytest.mark.parametrize("value", [None, ""])
    def test_without_a_value_there_is_no_result(self, value: str | None) -> None:
        """Invariant *complete or nothing*."""
        assert Template("{a}{b}").title({"a": "1", "b": value}) is None
        assert Template("{a}{b}").title({"a": "1"}) is None

    @pytest.mark.parametrize(("title", "text"), [("Sum", "1 - Sum"), (None, "1"), ("", "1")])
    def test_a_section_can_be_omitted(self, title: str | None, text: str) -> None:
        assert Template("{id}[ - {title}]").title({"id": "1", "title": title}) == text

    def test_a_section_needs_values_of_all_its_fields(self) -> None:
        template = Template("x[{a}-{b}]")
        assert template.title({"a": "1", "b": "2"}) == "x1-2"
        assert template.title({"a": "1"}) == "x"

    def test_brackets_without_fields_are_literal(self) -> None:
        assert Template("[HDU] {a}").title({"a": "1"}) == "[HDU] 1"

    def test_percent_signs_are_literal(self) -> None:
        assert Template("100% {a} %s").title({"a": "%d"}) == "100% %d %s"

    def test_text_without_fields_is_a_template(self) -> None:
        assert Template("").title({}) == ""
        assert Template("a").title({}) == "a"

    def test_templates_with_equal_texts_are_equal(self) -> None:
        assert Template("{a}") == Template("{a}") != Template("{b}")


class TestFilters:
    @pytest.mark.parametrize(
        ("name", "value", "text"),
        [
            ("lower", "ABC123", "abc123"),
            ("upper", "a1", "A1"),
            ("number", "007", "7"),
            ("number", "000", "0"),
            ("ordinal", "a", "1"),
            ("ordinal", "D", "4"),
            ("ordinal", "3", "3"),
            ("snake", "Tessoku-Book", "tessoku_book"),
            ("slug", "Pascal's Triangle", "pascals-triangle"),
            ("slug", "two_sum--II.", "two-sum-ii"),
            ("slug", "两数之和", ""),
            ("words", "two-sum-ii", "Two Sum II"),
            ("words", "longest-common-prefix-of-an-lcp", "Longest Common Prefix of an LCP"),
            ("words", "the-lru-cache", "The LRU Cache"),
            ("words", "ip-to-cidr", "IP to CIDR"),
            ("words", "search-a-2d-matrix", "Search a 2D Matrix"),
            ("words", "3sum-1st-10th", "3Sum 1st 10th"),
            ("words", "an\u2005a", "an a"),
            ("words", "Two_Sum", "Two Sum"),
            ("words", "A+B Problem", "A+B Problem"),
            ("words", "two-sum of it", "two-sum of it"),
            ("words", "a--b__c", "A B C"),
            ("words", "--", ""),
            ("words", "3n+1", "3n+1"),
        ],
    )
    def test_a_filter_changes_the_value(self, name: str, value: str, text: str) -> None:
        assert FILTERS[name](value) == text

    def test_a_value_that_a_filter_empties_is_missing(self) -> None:
        assert Template("{a:slug}").title({"a": "两数之和"}) is None


class TestUrls:
    def test_values_are_encoded_and_the_text_is_not(self) -> None:
        """Invariant *one segment stays one*."""
        template = Template("https://example.org/?a={a}&b=%20{b}")
        assert template.url({"a": "1&x#/é", "b": "%"}) == (
            "https://example.org/?a=1%26x%23/%C3%A9&b=%20%25"
        )


class TestPercentEncoding:
    """A value stays one segment."""

    @pytest.mark.parametrize(
        ("path", "encoded"),
        [
            ("codeforces/1234A.cpp", "codeforces/1234A.cpp"),
            ("~a/b-c_d.e", "~a/b-c_d.e"),
            ("a#b?c%d", "a%23b%3Fc%25d"),
            ("%2e%2e/a", "%252e%252e/a"),
            ("a\"b'c", "a%22b%27c"),
            ("a:b@c;d&e=f+g", "a%3Ab%40c%3Bd%26e%3Df%2Bg"),
            ("é/😀", "%C3%A9/%F0%9F%98%80"),
            ("a\u202eb", "a%E2%80%AEb"),
            ("a\x00b", "a%00b"),
            ("", ""),
        ],
    )
    def test_reserved_characters_are_encoded(self, path: str, encoded: str) -> None:
        assert percent_encode(path) == encoded

    def test_every_name_gives_a_valid_url(self) -> None:
        name = "".join(map(chr, range(1, 0x250))).replace("/", "")
        assert is_https(f"https://example.org/{percent_encode(name)}")
        assert percent_encode(name).isascii()
