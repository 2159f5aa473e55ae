"""Names of files as text, and paths as parts of URLs."""

import pytest

from sitedata.building.paths import decode_path, is_plain_name, is_plain_path, percent_encode
from sitedata.reading.publishing_rules import is_https


class TestText:
    @pytest.mark.parametrize("name", ["a/b.cpp", "a b", "é", "😀/A.cpp", "a\nb", "\u202ea", ""])
    def test_utf_8_is_text(self, name: str) -> None:
        assert decode_path(name.encode()) == name

    @pytest.mark.parametrize(
        "name",
        [b"\xff", b"a/\xe9.cpp", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"a\xf0\x9f"],
        ids=["byte", "latin-1", "surrogate", "overlong slash", "too great", "cut off"],
    )
    def test_anything_else_is_none(self, name: bytes) -> None:
        """Invariant *text or nothing*."""
        assert decode_path(name) is None


class TestQuoted:
    """Invariant *one segment stays one*."""

    @pytest.mark.parametrize(
        ("path", "encoded"),
        [
            ("codeforces/1234A.cpp", "codeforces/1234A.cpp"),
            ("~a/b-c_d.e", "~a/b-c_d.e"),
            ("a b/c.cpp", "a%20b/c.cpp"),
            ("a#b?c%d", "a%23b%3Fc%25d"),
            ("a%2fb", "a%252fb"),
            ("%2e%2e/a", "%252e%252e/a"),
            ("a\"b'c", "a%22b%27c"),
            ("a\nb\tc", "a%0Ab%09c"),
            ("a\\b", "a%5Cb"),
            ("a:b@c;d&e=f+g", "a%3Ab%40c%3Bd%26e%3Df%2Bg"),
            ("é/😀", "%C3%A9/%F0%9F%98%80"),
            ("a\u202eb", "a%E2%80%AEb"),
            ("a\x00b", "a%00b"),
            ("", ""),
        ],
    )
    def test_what_means_something_in_a_url_is_encoded(self, path: str, encoded: str) -> None:
        assert percent_encode(path) == encoded

    def test_whatever_the_name_the_url_is_one(self) -> None:
        name = "".join(map(chr, range(1, 0x250))).replace("/", "")
        assert is_https(f"https://example.org/{percent_encode(name)}")
        assert percent_encode(name).isascii()


class TestPlain:
    @pytest.mark.parametrize("text", ["a", "a/b", "~a", "a b", "é"])
    def test_a_plain_path_is_relative_and_printable(self, text: str) -> None:
        assert is_plain_path(text)

    @pytest.mark.parametrize("text", ["", "/a", "a/", "a//b", "..", "a/../b", ".", " a", "a\nb"])
    def test_others_are_not(self, text: str) -> None:
        assert not is_plain_path(text)
        assert not is_plain_name(text)

    @pytest.mark.parametrize(("text", "plain"), [("a", True), ("a/b", False), ("a\\b", False)])
    def test_a_plain_name_is_one_segment(self, text: str, plain: bool) -> None:
        assert is_plain_name(text) is plain
