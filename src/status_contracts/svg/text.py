"""Escape, measure and shorten the text of an SVG image.

The fonts of a viewer are unknown, so a width is an estimate for a font like Verdana.  It uses the
Latin letters of DejaVu Sans, and other letters to a twentieth of an em; one em for East Asian wide
text; one glyph for one emoji, of however many code points.

Invariant *xml-safe*: an XML 1.0 parser reads the result of `xml_text`, in content as in a quoted
attribute, as the same text, with U+FFFD for each code point that XML cannot hold.
Invariant *linear*: the time of `xml_text` and `text_width` is linear in the number of code points.
Invariant *marks have no width*: marks on a letter, joiners and direction controls add nothing to a
width.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from itertools import chain
from typing import Final

from status_contracts.primitives import printable_xml
from status_contracts.svg import glyph_widths

BOLD: Final = 1.12
"""Width of bold text in widths of plain text."""
_SPACES: Final = re.compile("[\t\n\r ]+")
_ESCAPES: Final = str.maketrans(
    dict(zip("&<>\"'", ("&amp;", "&lt;", "&gt;", "&quot;", "&#39;"), strict=True))
    # written as they are, a parser would read these as line feeds or spaces
    | {"\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)

_TURNING: Final = frozenset({"R", "AL", "AN", "LRE", "LRO", "LRI", "RLE", "RLO", "RLI", "FSI"})
"""Bidirectional classes of what can turn the text after it."""
_RIGHT_TO_LEFT_MARK: Final = "\u200f"

_EM: Final = 1000  # the tables count thousandths of the font size
_EMOJI: Final = 1245  # in Noto Color Emoji; other fonts have 1170 to 1370
_HANGUL: Final = 920  # a syllable in Noto Sans CJK; other fonts have 860 to 1000
_EAST_ASIAN: Final = {"W": 1000, "F": 1000, "H": 500}
_MISSING: Final = 600  # the box in place of a glyph that no font has, and letters of rare scripts
_VOWEL_SIGN: Final = 300  # the mean of those that have a width
_COARSE: Final = 50  # the unit of coarse widths
_STYLED: Final = 1.2  # bold and script letters are wider than the plain ones
_WITHOUT_WIDTH: Final = frozenset({"Mn", "Me", "Cf", "Cc", "Zl", "Zp"})
_SYLLABLES: Final = (range(0x1100, 0x1160), range(0xA960, 0xA980), range(0xAC00, 0xD7B0))
_REST_OF_SYLLABLE: Final = (range(0x1160, 0x1200), range(0xD7B0, 0xD800))
_IDEOGRAPHS: Final = range(0x20000, 0x40000)  # planes that Unicode keeps for them
_NARROWEST: Final = 250  # narrower than the letter i
_FUSED: Final = re.compile(  # a letter that joins the one before it and counts half
    "(?:"
    "[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u1039\u17d2](?=\\w)"  # after a virama
    "|\u0644(?=[\u0622\u0623\u0625\u0627])"  # alef after lam
    ")(.)"
)


def xml_text(text: str) -> str:
    """Write text for element content or a quoted attribute of XML 1.0.

    Controls other than tab, LF and CR, surrogates, U+FFFE and U+FFFF become U+FFFD.
    """
    return printable_xml(text).translate(_ESCAPES)


def isolated_text(text: str) -> str:
    """Write text for the content of an SVG text, with the direction of its first letter."""
    written = xml_text(text)
    return f'<tspan unicode-bidi="plaintext">{written}</tspan>' if _is_turning(text) else written


def _is_turning(text: str) -> bool:
    return any(unicodedata.bidirectional(character) in _TURNING for character in text)


def runs_left(text: str) -> bool:
    """Check whether the first letter with a direction is of a script that runs to the left."""
    kinds = map(unicodedata.bidirectional, text)
    return next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L") != "L"


def initial(text: str) -> str:
    """Return the first letter or digit of a text, as a capital, which stands for it; else `•`."""
    return next((character.upper()[0] for character in text if character.isalnum()), "•")


def truncate(text: str, max_length: int, keep: int) -> str:
    """Return the text, or the first `keep` code points and `…` of one of over `max_length`."""
    return text if len(text) <= max_length else f"{text[:keep]}…"


def text_width(text: str, font_size: float) -> float:
    """Estimate the width of one line of text, in px for a font size in px.

    Runs of white space count as one space and none at the ends, as an SVG renderer draws them.
    What XML cannot hold counts as U+FFFD.  Python versions may disagree about code points that one
    of them does not know.
    """
    line = _SPACES.sub(" ", printable_xml(text)).strip(" ")
    rest, emoji = _emoji_expression().subn("", line)
    fused = sum(map(_advance, _FUSED.findall(rest))) / 2
    return (emoji * _EMOJI + sum(map(_advance, rest)) - fused) * font_size / _EM


def fit(text: str, font_size: float, max_width: float, *, min_kept: int = 0) -> str:
    """Return the text, or its longest found start and `…` where it is wider than `max_width` px.

    The time is bounded by the width: of a longer text only as many code points are measured as
    letters i would fit.
    """
    measured = text[: int(max(max_width, 0) * _EM / (font_size * _NARROWEST)) + 1]
    if measured == text and text_width(text, font_size) <= max_width:
        return text
    # Joined signs make widths not quite monotonic: bisection may miss a longer start that fits.
    lengths = range(min_kept, len(measured) + 1)
    count = bisect_right(
        lengths, max_width, key=lambda kept: text_width(cut(measured, kept), font_size)
    )
    if count:
        return cut(measured, lengths[count - 1])
    return "" if min_kept else "…"


def cut(text: str, kept: int) -> str:
    """Return the start of a text and `…`, which stands left of letters that run to the left."""
    start = text[:kept].rstrip()
    return f"{start}…{_RIGHT_TO_LEFT_MARK if _is_turning(start) else ''}"


def _advance(character: str) -> float:
    code = ord(character)
    measured = _advances().get(code)
    if measured is not None:
        return measured
    category = unicodedata.category(character)
    if category in _WITHOUT_WIDTH or any(code in block for block in _REST_OF_SYLLABLE):
        return 0
    if any(code in block for block in _SYLLABLES):
        return _HANGUL
    if category == "Cn":  # unassigned in this Python, whose width class is then wrong too
        return _EM if code in _IDEOGRAPHS else _MISSING
    fixed = _EAST_ASIAN.get(unicodedata.east_asian_width(character))
    return _estimate(character, category) if fixed is None else fixed


def _estimate(character: str, category: str) -> float:
    """Estimate an unmeasured width from the letter it decomposes to."""
    kind, *rest = unicodedata.decomposition(character).split() or ["<"]
    if kind == "<font>":
        return _advance(chr(int(rest[0], 16))) * _STYLED
    if kind[0] != "<":  # the marks have no width
        return _advance(chr(int(kind, 16)))
    return _VOWEL_SIGN if category == "Mc" else _MISSING


@cache  # parsed when the first width is measured, so that importing this module is cheap
def _advances() -> dict[int, int]:
    fine = _parsed(glyph_widths.ADVANCES, lambda word: [int(word)])
    coarse = _parsed(glyph_widths.COARSE, lambda word: [int(sign, 36) * _COARSE for sign in word])
    return fine | {code: advance for code, advance in coarse.items() if advance}


def _parsed(table: str, read: Callable[[str], list[int]]) -> dict[int, int]:
    advances: dict[int, int] = {}
    code = 0
    for word in table.split():
        if word.startswith("U+"):
            code = int(word.removeprefix("U+"), base=16)
            continue
        text, _, count = word.partition("*")
        values = read(text) * int(count or 1)
        advances.update(enumerate(values, code))
        code += len(values)
    return advances


@cache
def _emoji_expression() -> re.Pattern[str]:
    """Return a pattern of one emoji as it is drawn: keycap, flag, skin tone, picture, sequence."""
    signs = map(chr, chain(range(0x2300, 0x2C00), range(0x1F000, 0x1F300)))
    wide = "".join(sign for sign in signs if unicodedata.east_asian_width(sign) == "W")
    emoji = "©®‼⁉\u2100-\u2bff〰〽㊗㊙\U0001f000-\U0001f1e5\U0001f200-\U0001faff"
    flag, tone = "[\U0001f1e6-\U0001f1ff]", "[\U0001f3fb-\U0001f3ff]"
    styled = f"(?:\ufe0f|{tone})?"
    joined = f"\u200d[{emoji}]"
    return re.compile(
        f"[0-9#*]\ufe0f?\u20e3|{flag}{flag}?|{tone}"
        f"|(?:[{wide}🅰🅱🅾🅿\U0001f300-\U0001faff](?!\ufe0e)|[{emoji}](?=\ufe0f|{tone}|{joined}))"
        f"{styled}(?:{joined}{styled}){{0,3}}"  # no sequence has more than four parts
    )
