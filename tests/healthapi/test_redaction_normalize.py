"""Normal form of a text."""

import pytest

from healthapi.redaction.normalize import normalize
from support.checks.costs import assert_linear


def read(text: str) -> str:
    """Return the normal form, the text itself where that is the same."""
    normal = normalize(text)
    return text if normal is None else normal.text


class TestPlainLetters:
    @pytest.mark.parametrize(
        ("written", "plain"),
        [
            ("ｔｏｋｅｎ", "token"),
            ("𝐭𝐨𝐤𝐞𝐧", "token"),
            ("ﬁle", "file"),
            ("tökén", "token"),
            ("to\u0301ken", "token"),
            ("to\u200bken", "token"),
            ("to\ufe0fken", "token"),
            ("to\u115fken", "token"),
            ("to\u3164ken", "token"),
            ("to\u2800ken", "token"),
            ("to\U000e0041ken", "token"),
            ("\u202etoken", "token"),
            ("to\x00ken", "token"),
            ("to\x7fken", "token"),
            ("tоkеn", "token"),
            ("τοκεn", "token"),
            ("tօkeո", "token"),
            ("ᎢOKEN", "TOKEN"),
            ("ᴛᴏᴋᴇɴ", "token"),
            ("ıdłe", "idle"),
        ],
    )
    def test_letters_that_look_alike_are_the_same(self, written: str, plain: str) -> None:
        assert read(written) == plain


class TestNormalize:
    @pytest.mark.parametrize(
        ("written", "meant"),
        [
            ("tok%252565n", "token"),
            ("tok\\u0065n", "token"),
            ("tok\\\\u0065n", "token"),
            ("tok\\x65n", "token"),
            (r"\"a\"", '"a"'),
            (r"\\\"a\\\"", '"a"'),
            (r"a\'b\/c", "a'b/c"),
            (r"a\nb\rc\td", "a\nb\rc\td"),
            ("tok&#101;n", "token"),
            ("tok&#x65;n", "token"),
            ("tok&amp;#x65;n", "token"),
            ("a&quot;b&apos;c", "a\"b'c"),
            ("&lt;a&gt;&amp;&colon;&equals;", "<a>&:="),
            ("\x1b[31mtoken\x1b[0m=x", "token=x"),
            ("t\u200bo\u200bken", "token"),
            ("tоken", "token"),
            ("t%D0%BEken", "token"),
            ("t%25D0%25BEken", "token"),
            ("%EF%BD%94oken", "token"),
            ("\\ud835\\udc2doken", "token"),
            ("\\\\uD835\\\\uDC2Doken", "token"),
        ],
    )
    def test_escapes_are_undone(self, written: str, meant: str) -> None:
        assert read(written) == meant

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "100 %",
            "5%",
            "%zz",
            "a\\b",
            "a & b",
            "&unknown;",
            "a\tb\nc\rd",
            "密码",
            "日本",
            "🏃",
        ],
    )
    def test_other_text_stays(self, text: str) -> None:
        assert normalize(text) is None

    @pytest.mark.parametrize(
        "text", ["%F5%80%80%80", "%C0%80", "\\ud800", "&#xD800;", "&#1114112;", "&#xFFFFFF;"]
    )
    def test_an_escape_of_no_character_stays(self, text: str) -> None:
        assert normalize(text) is None

    def test_an_escaped_letter_beyond_plain_ones_is_that_letter(self) -> None:
        assert read("%E5%AF%86%20\\u7801") == "密 码"

    def test_a_lone_surrogate_is_a_letter_like_any_other(self) -> None:
        assert read("\ud800a%62") == "\ud800ab"


class TestSpan:
    """Invariant *for searching only*: a match is cut out of the given text."""

    @pytest.mark.parametrize(
        ("text", "found", "origin"),
        [
            ("%74oken=abc", "token", "%74oken"),
            ("a tok%65n b", "token", "tok%65n"),
            ("a tok%65n b", "k", "k"),
            ("a tok%65n b", "e", "%65"),
            ("a tok%65n b", " b", " b"),
            ("to\u200bken=%41%42", "AB", "%41%42"),
            ("ﬁle", "i", "ﬁ"),
            ("x\u200b", "x", "x"),
        ],
    )
    def test_has_its_origin_in_the_given_text(self, text: str, found: str, origin: str) -> None:
        normal = normalize(text)
        assert normal is not None
        start = normal.text.index(found)
        first, last = normal.origin((start, start + len(found)))
        assert text[first:last] == origin


@pytest.mark.check
class TestCost:
    """Invariant *linear*."""

    @pytest.mark.parametrize("motif", ["%25", "&amp;", "\\", "\\u0061", "é"])
    def test_grows_with_the_text(self, motif: str) -> None:
        assert_linear(normalize, lambda size: motif * size, 30_000 // len(motif))
