"""Text inside an SVG image: safe to write, short enough, and how wide it will be.

Nobody knows the fonts of a viewer, so a width is an estimate for a face like Verdana: the letters
of DejaVu Sans and, for scripts that it lacks, of Noto Sans; one em for East Asian wide text; one
picture for one emoji, however many code points spell it.

Invariant *xml-safe*: an XML 1.0 parser reads the result of `xml_text`, in content as in a quoted
attribute, and gives back the text, with U+FFFD for each code point that XML cannot hold.
Invariant *one pass*: the time of every function grows with the number of code points and with
nothing else.
Invariant *marks weigh nothing*: marks piled on a letter, joiners and direction controls add
nothing to a width.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final

from purewire.svg import glyph_widths

__all__ = ["truncate", "width", "xml_text"]

_REPLACEMENT: Final = "\ufffd"
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""The complement of XML's `Char`, which compiles 20 times as fast as its negation."""
_SPACES: Final = re.compile("[\t\n\r ]+")
_ESCAPES: Final = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&#39;",
        # written as they are, a parser would read these as line feeds or spaces
        "\t": "&#9;",
        "\n": "&#10;",
        "\r": "&#13;",
    }
)

_EM: Final = 1000  # the tables count thousandths of the font size
_PICTURE: Final = 1245  # an emoji of Noto Color Emoji; other makers draw from 1170 to 1370
_HANGUL: Final = 920  # a syllable of Noto Sans CJK; other makers draw from 860 to 1000
_EAST_ASIAN: Final = {"W": 1000, "F": 1000, "H": 500}
_MISSING: Final = 600  # the box that stands for a glyph that no font has
_STYLED: Final = 1.2  # bold and script letters run wider than the plain ones they stand for
_SLICE: Final = 128  # code points that share an average
_WITHOUT_WIDTH: Final = frozenset({"Mn", "Me", "Cf", "Cc", "Zl", "Zp"})
_SYLLABLES: Final = (range(0x1100, 0x1160), range(0xA960, 0xA980), range(0xAC00, 0xD7B0))
_REST_OF_SYLLABLE: Final = (range(0x1160, 0x1200), range(0xD7B0, 0xD800))
_IDEOGRAPHS: Final = range(0x20000, 0x40000)  # planes that Unicode keeps for them
_FUSED: Final = re.compile(  # a letter that fuses with the one before, as half of what it was
    "(?:"
    "[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u1039\u17d2](?=\\w)"  # after a virama
    "|\u0644(?=[\u0622\u0623\u0625\u0627])"  # alef after lam
    ")(.)"
)


def xml_text(text: str) -> str:
    """Write text for element content or a quoted attribute of XML 1.0.

    Controls other than tab, LF and CR, surrogates, U+FFFE and U+FFFF become U+FFFD.
    """
    return _NOT_XML.sub(_REPLACEMENT, text).translate(_ESCAPES)


def truncate(text: str, most: int, keep: int) -> str:
    """Give the text, or its first `keep` code points and `…` where it has more than `most`."""
    return text if len(text) <= most else f"{text[:keep]}…"


def width(text: str, size: float) -> float:
    """Estimate the advance of one line of text, in px for a font size in px.

    Runs of white space count as one space and none at the ends, as an SVG renderer draws them;
    what XML cannot hold counts as the U+FFFD that stands for it.  Python versions may disagree
    about code points that one of them does not know.
    """
    line = _SPACES.sub(" ", _NOT_XML.sub(_REPLACEMENT, text)).strip(" ")
    rest, pictures = _emoji_expression().subn("", line)
    fused = sum(map(_advance, _FUSED.findall(rest))) / 2
    return (pictures * _PICTURE + sum(map(_advance, rest)) - fused) * size / _EM


def _advance(character: str) -> float:
    code = ord(character)
    measured = _advances().get(code)
    if measured is not None:
        return measured
    category = unicodedata.category(character)
    if category in _WITHOUT_WIDTH or _is_in(_REST_OF_SYLLABLE, code):
        return 0
    if _is_in(_SYLLABLES, code):
        return _HANGUL
    if category == "Cn":  # unknown to this Python, which then has no true width class either
        return _EM if code in _IDEOGRAPHS else _MISSING
    fixed = _EAST_ASIAN.get(unicodedata.east_asian_width(character))
    return _usual(character, category) if fixed is None else fixed


def _usual(character: str, category: str) -> float:
    """Estimate what was not measured: by the plain letter it stands for, or by its neighbours."""
    style, *plain = unicodedata.decomposition(character).split() or [""]
    if style == "<font>":
        return _advance(chr(int(plain[0], 16))) * _STYLED
    letter, mark = _averages().get(ord(character) // _SLICE, (_MISSING, 0))
    return mark if category == "Mc" else letter


def _is_in(blocks: tuple[range, ...], code: int) -> bool:
    return any(code in block for block in blocks)


# The tables are read when the first width is measured: importing this module stays cheap.


@cache
def _advances() -> dict[int, int]:
    return dict(_read_advances(glyph_widths.ADVANCES))


@cache
def _averages() -> dict[int, tuple[int, int]]:
    return dict(_read_averages(glyph_widths.AVERAGES))


def _read_advances(table: str) -> Iterator[tuple[int, int]]:
    code = 0
    for word in table.split():
        _, _, start = word.partition("U+")
        if start:
            code = int(start, 16)
            continue
        advance, _, count = word.partition("*")
        for _ in range(int(count or 1)):
            yield code, int(advance)
            code += 1


def _read_averages(table: str) -> Iterator[tuple[int, tuple[int, int]]]:
    for word in table.split():
        start, _, advances = word.removeprefix("U+").partition("=")
        letter, _, mark = advances.partition("/")
        yield int(start, 16) // _SLICE, (int(letter), int(mark))


def _read_class(ranges: str) -> str:
    """Write ranges of code points as the inside of a character class."""
    words = (word.split("-") for word in ranges.split())
    return "".join("-".join(chr(int(end, 16)) for end in word) for word in words)


@cache
def _emoji_expression() -> re.Pattern[str]:
    """Describe one emoji as it is drawn: keycap, flag, skin tone, picture, ZWJ sequence."""
    emoji, pictures = _read_class(glyph_widths.EMOJI), _read_class(glyph_widths.PICTURES)
    joined = f"\u200d[{_read_class(glyph_widths.JOINABLE)}]"
    flag, tone = "[\U0001f1e6-\U0001f1ff]", "[\U0001f3fb-\U0001f3ff]"
    styled = f"(?:\ufe0f|{tone})?"
    return re.compile(
        f"[0-9#*]\ufe0f?\u20e3|{flag}{flag}?|{tone}"
        f"|(?:[{pictures}](?!\ufe0e)|[{emoji}](?=\ufe0f|{tone}|{joined}))"
        f"{styled}(?:{joined}{styled}){{0,3}}"  # no sequence joins more than four
    )
