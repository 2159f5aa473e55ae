"""Text inside an SVG image: safe to write, short enough, and how wide it will be.

Nobody can know the fonts of a viewer, so a width is an estimate for a Verdana-like face: DejaVu
Sans for the scripts it has, the averages of Noto Sans for the rest, one em for East Asian wide
text, one picture for one emoji however many code points spell it.

Invariant *xml-safe*: an XML 1.0 parser reads the result of `xml_text`, in content as in an
attribute, and gives back the text with U+FFFD for each code point that XML cannot hold.
Invariant *one pass*: time grows with the number of code points and with nothing else; marks piled
on a letter add nothing to its width.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from purewire import glyphwidths

__all__ = ["truncate", "width", "xml_text"]

_REPLACEMENT: Final = "\ufffd"
_NOT_XML: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPACES: Final = re.compile("[\t\n\r ]+")
_ESCAPES: Final = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&#39;",
        # written as they are, a parser would turn these into line feeds or spaces
        "\t": "&#9;",
        "\n": "&#10;",
        "\r": "&#13;",
    }
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
    rest, pictures = _PICTURE.subn("", line)
    fused = sum(map(_advance, _FUSED.findall(rest))) / 2
    return (pictures * _PICTURE_ADVANCE + sum(map(_advance, rest)) - fused) * size / _EM


def _advance(character: str) -> int:
    code = ord(character)
    measured = _ADVANCES.get(code)
    if measured is not None:
        return measured
    category = unicodedata.category(character)
    if category in _WITHOUT_WIDTH or any(code in jamo for jamo in _COMPOSING_JAMO):
        return 0
    wide = _EAST_ASIAN.get(unicodedata.east_asian_width(character))
    if wide is not None:
        return wide
    letter, mark = _AVERAGES.get(code // _SLICE, _UNKNOWN)
    return mark if category == "Mc" else letter


def _read_advances(table: str) -> Iterator[tuple[int, int]]:
    code = 0
    for word in table.split():
        if word.startswith("U+"):
            code = int(word[2:], 16)
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
    """Write ranges of code points as the inside of a regular expression's character class."""
    return "".join(
        "-".join(chr(int(end, 16)) for end in words.split("-")) for words in ranges.split()
    )


def _picture_expression() -> re.Pattern[str]:
    """Describe one emoji: picture, selected text symbol, skin tone, keycap, flag, ZWJ sequence."""
    emoji, shown, added = map(
        _read_class, (glyphwidths.EMOJI, glyphwidths.PICTURES, glyphwidths.JOINABLE)
    )
    tone, flag, joined = "[\U0001f3fb-\U0001f3ff]", "[\U0001f1e6-\U0001f1ff]", f"\u200d[{added}]"
    return re.compile(
        "[0-9#*]\ufe0f?\u20e3"
        f"|{flag}{flag}?"
        f"|{tone}"
        f"|(?:[{shown}](?!\ufe0e)|[{emoji}](?=\ufe0f|{tone}|{joined}))"
        # the longest sequence of all fonts joins four, each with its own skin tone
        f"(?:\ufe0f|{tone})?(?:{joined}(?:\ufe0f|{tone})?){{0,3}}"
    )


_EM: Final = 1000  # the unit of the tables
_SLICE: Final = 128  # code points that share an average
_UNKNOWN: Final = (600, 0)  # the box that stands for a missing glyph
_PICTURE_ADVANCE: Final = 1245  # Noto Color Emoji; other makers draw from 1.17 to 1.37 em
_WITHOUT_WIDTH: Final = frozenset({"Mn", "Me", "Cf", "Cc", "Zl", "Zp"})
_COMPOSING_JAMO: Final = (
    range(0x1160, 0x1200),
    range(0xD7B0, 0xD800),
)  # part of the syllable before
_FUSED: Final = re.compile(  # a letter that joins the one before takes about half its place
    "(?:[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u1039\u17d2](?=\\w)|\u0644(?=[\u0622\u0623\u0625\u0627]))(.)"
)
_EAST_ASIAN: Final = {"W": 1000, "F": 1000, "H": 500}
_ADVANCES: Final = dict(_read_advances(glyphwidths.ADVANCES))
_AVERAGES: Final = dict(_read_averages(glyphwidths.AVERAGES))
_PICTURE: Final = _picture_expression()
