"""Patterns of layouts, and templates of titles and URLs."""

import pytest

from sitedata.building.templates import FILTERS, fill, percent_encode, segment
from sitedata.parsing import is_https


class TestMatching:
    @pytest.mark.parametrize(
        ("part", "name", "is_matched"),
        [
            ("gym[a-z]", "GYMx", True),
            ("gym(?-i:[A-Z]++)", "GymX", True),
            ("gym(?-i:[A-Z]++)", "Gymx", False),
            (r"[a-z]|\d|\w", "\u0660", False),
            (r"[a-z]|\d|\w", "\u212a", False),
            (r"[a-z]|\d|\w", "\u017f", False),
            (".++", "a\nb\u2028c", True),
        ],
    )
    def test_classes_are_ascii_in_either_case(self, part: str, name: str, is_matched: bool) -> None:
        assert (segment(part).fullmatch(name) is not None) == is_matched


class TestTitles:
    @pytest.mark.parametrize(
        ("template", "values", "text"),
        [
            ("{contest}{index:upper}", {"contest": "1234", "index": "a"}, "1234A"),
            ("", {}, ""),
            ("a", {}, "a"),
            ("[HDU] {a}", {"a": "1"}, "[HDU] 1"),
            ("100% {a} %s", {"a": "%d"}, "100% %d %s"),
            # without a value there is no result
            ("{a}{b}", {"a": "1", "b": None}, None),
            ("{a}{b}", {"a": "1", "b": ""}, None),
            ("{a}{b}", {"a": "1"}, None),
            ("{a:slug}", {"a": "两数之和"}, None),
            # or the section is omitted
            ("{id}[ - {title}]", {"id": "1", "title": "Sum"}, "1 - Sum"),
            ("{id}[ - {title}]", {"id": "1", "title": None}, "1"),
            ("{id}[ - {title}]", {"id": "1", "title": ""}, "1"),
            ("x[{a}-{b}]", {"a": "1", "b": "2"}, "x1-2"),
            ("x[{a}-{b}]", {"a": "1"}, "x"),
        ],
    )
    def test_a_template_is_filled_or_nothing(
        self, template: str, values: dict[str, str | None], text: str | None
    ) -> None:
        """Invariant *complete or nothing*."""
        assert fill(template, values) == text


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


class TestUrls:
    def test_values_are_encoded_and_the_text_is_not(self) -> None:
        """Invariant *one segment stays one*."""
        template = "https://example.org/?a={a}&b=%20{b}"
        assert fill(template, {"a": "1&x#/é", "b": "%"}, percent_encode) == (
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
