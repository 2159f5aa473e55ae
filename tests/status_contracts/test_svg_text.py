"""Text of SVG images: safe, short, and measured; the invariants are those of the module."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import ImageFont

from status_contracts.svg.text import fit, text_width, truncate, xml_text
from support.checks.fonts import need_font
from support.checks.xml_reading import read_xml

any_text = st.text(st.characters(exclude_categories=()), max_size=60)
marks = st.text(st.characters(categories=["Mn", "Me", "Cf"]), max_size=40)
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

EMOJI_WIDTH = text_width("😀", 1)
"""Width of one emoji, em."""


class TestXmlText:
    @given(any_text)
    @example("\r\n\t")
    @example("]]>&amp;<!--\"'")
    @example("\x00\x1f\x7f\x85\ud800\ufdd0\ufffe\uffff\U0010ffff")
    def test_a_parser_gives_the_text_back(self, text: str) -> None:
        """*xml-safe*, in content and in both kinds of quotes."""
        safe = xml_text(text)
        (element,) = read_xml(f"<e a=\"{safe}\" b='{safe}'>{safe}</e>".encode())
        assert element.attributes["a"] == element.attributes["b"] == element.text
        assert element.text == NOT_XML.sub("\ufffd", text)

    def test_plain_text_of_any_script_stays_as_it_is(self) -> None:
        text = "♫ Für Elise — 夜に駆ける 👩‍💻 عربى \u202e\u2028\x7f\x85"
        assert xml_text(text) == text


class TestTruncate:
    def test_text_of_the_limit_stays_whole(self) -> None:
        assert truncate("x" * 64, 64, 61) == "x" * 64

    def test_longer_text_ends_in_an_ellipsis(self) -> None:
        assert truncate("x" * 65, 64, 61) == "x" * 61 + "…"

    def test_code_points_count_not_utf16_units(self) -> None:
        assert truncate("😀" * 64, 64, 61) == "😀" * 64

    @given(any_text, st.integers(0, 70))
    def test_twice_is_once(self, text: str, most: int) -> None:
        keep = max(most - 3, 0)
        once = truncate(text, most, keep)
        assert len(once) <= max(most, 1)
        assert most < 1 or truncate(once, most, keep) == once


class TestWidth:
    @given(any_text)
    def test_width_is_finite_and_not_negative(self, text: str) -> None:
        assert 0 <= text_width(text, 11) < 11 * 13 * (len(text) + 1)

    @pytest.mark.parametrize(
        ("text", "off"),
        [
            ("Never Gonna Give You Up (Official Video) [HD] — 100 %", 1),
            ("♫ ♪ … – — “quoted” «ja» ½ £ ¥ ÀÉÎÕÜ ßþð łžčřő ƒȘ", 1),
            ("♬ → ← ↑ ⇒ № ™ € ṠẤỗ", 26),
            ("Ζεϊμπέκικο της Ευδοκίας Ωώ ἀρχή", 26),
            ("Группа крови Їґ ѣ", 26),
            ("שלום Երեւան თბილისი", 26),
        ],
    )
    def test_letters_have_the_advances_of_dejavu_sans(self, text: str, off: int) -> None:
        path = need_font("♫", "fonts-dejavu-core")
        font = ImageFont.truetype(path, 1000, layout_engine=ImageFont.Layout.BASIC)
        for letter in text.replace(" ", ""):
            expected = pytest.approx(font.getlength(letter), abs=off)
            assert text_width(letter, 1000) == expected, letter

    @pytest.mark.parametrize(
        "text", ["夜に駆ける", "月亮代表我的心", "ＦＵＬＬ", "「」、。", "㈱㎏"]
    )
    def test_east_asian_wide_text_is_one_em_each(self, text: str) -> None:
        assert text_width(text, 1) == pytest.approx(len(text))

    def test_halfwidth_forms_are_half_an_em(self) -> None:
        assert text_width("ｱｲｳﾞ", 1) == pytest.approx(2)

    def test_decomposed_hangul_is_as_wide_as_composed(self) -> None:
        decomposed = "\u1107\u1169\u11b7\u1102\u1161\u11af"
        assert text_width(decomposed, 11) == text_width("봄날", 11) == pytest.approx(11 * 2 * 0.92)

    @pytest.mark.parametrize("space", ["  ", "\n", "\t\r\n "])
    def test_white_space_collapses_as_svg_draws_it(self, space: str) -> None:
        assert text_width(f"{space}a{space}b{space}", 11) == text_width("a b", 11)

    @pytest.mark.parametrize("code", [0x00, 0x1F, 0xD800, 0xFFFE, 0xFFFF])
    def test_what_xml_cannot_contain_is_as_wide_as_its_replacement(self, code: int) -> None:
        assert text_width(chr(code), 11) == text_width("\ufffd", 11) > 0

    @pytest.mark.parametrize("character", ["\ue000", "\u0378", "\U000f0000", "\U000effff"])
    def test_an_unknown_character_is_a_box(self, character: str) -> None:
        assert text_width(character, 1) == 0.6

    def test_an_unassigned_ideograph_is_one_em(self) -> None:
        assert text_width("\U0003fff0", 1) == 1

    def test_styled_letters_follow_the_plain_ones(self) -> None:
        assert text_width("𝐖", 11) == pytest.approx(1.2 * text_width("W", 11))
        assert text_width("𝐢", 11) == pytest.approx(1.2 * text_width("i", 11))

    @pytest.mark.parametrize("text", ["नमस्ते", "สวัสดี", "வணக்கம்", "ሰላም", "မင်္ဂလာ", "سلام", "שלום"])
    def test_letters_of_any_script_have_a_plausible_width(self, text: str) -> None:
        assert 0.25 * len(text) < text_width(text, 1) < 1.1 * len(text)

    def test_a_spacing_vowel_sign_has_a_width_and_others_have_none(self) -> None:
        """Javanese: a script without measured widths."""
        assert 0 < text_width("\ua9ba", 1) < text_width("\ua98f", 1)
        assert text_width("\ua98f\ua9b6", 1) == text_width("\ua98f", 1)


class TestMarks:
    """*marks have no width*."""

    def test_a_tower_is_as_wide_as_its_letter(self) -> None:
        assert text_width("Z" + "\u0300\u0316\u0489\u20dd" * 5000, 11) == text_width("Z", 11)

    @given(marks)
    @example("\u200b\u200c\u200d\u2060\ufeff\u00ad")
    @example("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    def test_marks_and_controls_on_a_letter_add_nothing(self, marks: str) -> None:
        assert text_width(f"x{marks}", 11) == text_width("x", 11)


class TestEmoji:
    @pytest.mark.parametrize(
        "emoji",
        [
            "🌡",  # no selector, and no letter shape to fall back on
            "❤\ufe0f",
            "©\ufe0f",
            "1\ufe0f\u20e3",
            "#\u20e3",
            "👋🏽",
            "🇯🇵",
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
            "👨‍👩‍👧‍👦",
            "👩🏽‍❤️‍💋‍👨🏿",
            "❤‍🔥",
        ],
    )
    def test_a_cluster_is_one_picture(self, emoji: str) -> None:
        assert text_width(emoji, 1) == EMOJI_WIDTH
        assert text_width(f"a{emoji}b", 1) == pytest.approx(text_width("ab", 1) + EMOJI_WIDTH)

    @pytest.mark.parametrize(
        ("text", "pictures"),
        [
            ("🇯🇵🇰🇷🇩🇪", 3),
            ("🇯🇵🇰", 2),  # a lone regional indicator is a picture of its own
            ("👩\u200d👩\u200d👩\u200d👩\u200d👩", 2),  # nor more than four
            ("🏽", 1),
            ("☝\ufe0f🏽", 2),  # the selector keeps the tone apart
        ],
    )
    def test_pictures_are_counted_as_they_are_drawn(self, text: str, pictures: int) -> None:
        assert text_width(text, 1) == pytest.approx(pictures * EMOJI_WIDTH)

    @pytest.mark.parametrize("text", ["♫", "❤", "©", "☀", "1", "⌚\ufe0e"])
    def test_symbols_without_a_selector_are_text(self, text: str) -> None:
        assert 0 < text_width(text, 1) < EMOJI_WIDTH


class TestFit:
    def test_text_that_fits_is_kept(self) -> None:
        assert fit("Sleep score", 12, text_width("Sleep score", 12)) == "Sleep score"

    def test_else_as_much_as_fits_is(self) -> None:
        width = text_width("Heart rate…", 12)
        assert fit("Heart rate variability", 12, width) == "Heart rate…"

    def test_no_space_stands_before_the_ellipsis(self) -> None:
        assert fit("Heart rate", 12, text_width("Heart …", 12)) == "Heart…"

    @pytest.mark.parametrize("text", ["متصفح الويب", "So — أغنية طويلة"])
    def test_the_ellipsis_follows_letters_that_run_to_the_left(self, text: str) -> None:
        assert fit(text, 12, 60).endswith("…\u200f")

    def test_without_any_space_the_ellipsis_is_left(self) -> None:
        assert fit("Sleep", 12, 1) == "…"

    @pytest.mark.parametrize(
        "text", ["👨‍👩‍👧‍👦" * 9, "🇯🇵" * 30, "e\u0301" * 60, "永" * 60, "1️⃣" * 40]
    )
    def test_the_result_fits_however_letters_join(self, text: str) -> None:
        results = {width: fit(text, 12, width) for width in range(0, 200, 7)}
        failures = {
            width: short
            for width, short in results.items()
            if short != "…" and text_width(short, 12) > width
        }
        assert not failures

    def test_with_too_few_code_points_the_result_is_empty(self) -> None:
        assert fit("WWWW", 11, 20, min_kept=3) == ""
        assert fit("ab", 11, 20, min_kept=3) == "ab"
        assert fit("", 11, -5, min_kept=3) == ""

    def test_a_long_text_is_cut_where_its_space_ends(self) -> None:
        assert fit("Editor of texts", 11, 50) == "Editor…"
        assert fit("a" * 500, 11, 100) == f"{'a' * 13}…"
