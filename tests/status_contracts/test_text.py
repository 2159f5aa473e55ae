"""The text rules that all contracts share."""

import sys
import unicodedata
from hashlib import sha256
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from status_contracts.primitives import (
    DEFAULT_IGNORABLE,
    WHITE_SPACE,
    glob,
    has_control,
    has_surrogate,
    is_trimmed,
)

ALLOWED = ["", "a b", "\u0080", "\u2028", "\ufeff", "한글", "🎵"]
any_text = st.text(st.characters(codec=None))


class TestHasControl:
    def test_every_ascii_control_is_found(self) -> None:
        controls = [chr(code) for code in (*range(0x20), 0x7F)]
        texts = [
            form.format(control) for control in controls for form in ("{}", "a{}", "{}a", "a{}🎵")
        ]
        assert [text for text in texts if not has_control(text)] == []

    @pytest.mark.parametrize("text", ALLOWED)
    def test_no_other_text_has_one(self, text: str) -> None:
        assert not has_control(text)


class TestHasSurrogate:
    @given(any_text)
    @example("a\ud800b")
    @example("\udfff")
    @example("\ud7ff\ue000")
    def test_text_without_one_can_be_encoded(self, text: str) -> None:
        if has_surrogate(text):
            with pytest.raises(UnicodeEncodeError):
                text.encode()
        else:
            assert text.encode().decode() == text


class TestWhiteSpace:
    """Characters that ECMAScript's `trim` removes: WhiteSpace and LineTerminator productions."""

    def test_it_is_space_separators_five_controls_two_terminators_and_the_mark(self) -> None:
        separators = {
            chr(code)
            for code in range(sys.maxunicode + 1)
            if unicodedata.category(chr(code)) == "Zs"
        }
        assert set(WHITE_SPACE) == separators | set("\t\n\v\f\r\u2028\u2029\ufeff")

    @pytest.mark.parametrize("sign", ["\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u180e", "\u200b"])
    def test_characters_that_only_python_or_old_unicode_strips_are_text(self, sign: str) -> None:
        assert sign not in WHITE_SPACE
        assert is_trimmed(f"{sign}a{sign}")


class TestIsTrimmed:
    @given(st.text(st.sampled_from(["a", *WHITE_SPACE]), max_size=5))
    @example("a b")
    @example("a ")
    @example(" a")
    def test_it_is_trimmed_when_trimming_leaves_it(self, text: str) -> None:
        assert is_trimmed(text) == (text.strip(WHITE_SPACE) == text)


class TestDefaultIgnorable:
    def test_they_are_4174_code_points(self) -> None:
        points = [code for each in DEFAULT_IGNORABLE for code in each]
        assert len(points) == len(set(points)) == 4174
        assert sha256(",".join(map(str, points)).encode()).hexdigest() == (
            "f92e3ee8c6784b62a390cdd51175d08a09de3eb7038eec3325eea78ac0f85c33"
        )


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("*_test.go", "sum_test.go", True),
        ("*_test.go", "_test.go", True),
        ("*_test.go", "_TEST.go", False),
        ("*_test.go", "sum_test.go.txt", False),
        ("a*a", "a", False),
        ("a*a", "aa", True),
        ("a*b*c", "acb", False),
        ("a*b*c", "abbc", True),
        ("a.py", "a.py", True),
        ("a.py", "aXpy", False),
        ("[a].py", "a.py", False),
        ("?[a].py*", "?[a].py\n", True),
    ],
)
def test_a_star_stands_for_any_text(pattern: str, text: str, matches: bool) -> None:
    assert (glob(pattern).fullmatch(text) is not None) is matches


def test_long_text_is_matched_in_linear_time() -> None:
    pattern = glob("*" + "a*" * 90 + "b")
    started = process_time()
    assert not pattern.fullmatch("a" * 1_000_000)
    assert not pattern.fullmatch("a" * 1_000_000 + "bc")
    assert process_time() - started < 2
