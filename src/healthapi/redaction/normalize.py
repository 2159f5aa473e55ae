"""Normalize a text: undo escapes, replace look-alike letters, drop invisible characters.

A normal text records the origin of each of its characters, so that what is found in it can be cut
out of the given text.

Invariant *for searching only*: no normal text leaves this package.
Invariant *linear*: each character is read once.
"""

import html
import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from itertools import chain
from typing import Final

import attrs

Span = tuple[int, int]
"""Start and end, the end not included."""

_ESCAPE: Final = re.compile(
    r"""(?P<utf8>%(?:25)*[C-Fc-f][0-9A-Fa-f](?:%(?:25)*[89ABab][0-9A-Fa-f]){1,3})
      | (?P<percent>%(?:25)*[0-9A-Fa-f]{2})
      | (?<!\\)\\++(?:
            (?P<utf16>u(?:[Dd][89ABab][0-9A-Fa-f]{2}\\++u(?=[Dd][C-Fc-f]))?[0-9A-Fa-f]{4})
          | (?P<byte>x[0-9A-Fa-f]{2}) | (?P<sign>["'/nrt]))
      | &(?:amp;)*(?P<entity>\#x[0-9A-Fa-f]{1,6}|\#[0-9]{1,7}|amp|apos|colon|equals|gt|lt|quot);
      | \x1b\[[0-9;]{0,16}m(?P<nothing>)
      | (?P<letter>[^\t-\r\x20-\x7e])""",
    re.VERBOSE,
)
_NO_DIGITS: Final = re.compile(r"%(?:25)*(?=[0-9A-Fa-f]{2})|[\\ux]")
_ENCODINGS: Final = {"utf8": "utf-8", "utf16": "utf-16-be", "percent": "latin-1", "byte": "latin-1"}
_SIGNS: Final = {"n": "\n", "r": "\r", "t": "\t"}
_MAY_CHANGE: Final = re.compile(r"%[0-9A-Fa-f]|\\|&[a-z]{2,6};|&#|[^\t-\r\x20-\x7e]")

_INVISIBLE: Final = {"Cf", "Mn", "Me"}
"""Categories of characters without a glyph of their own: joiners, accents, enclosures."""
_BLANKS: Final = frozenset("\u115f\u1160\u2800")
"""Letters without a glyph."""

_LOOK_ALIKES: Final = str.maketrans(
    "аеоорсухіјѕԁһӏкмтвнѵԝԛүАВЕКМНОРСТУХІЈЅԌԜҮ"
    "οαερκνιτυχσωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
    "ıłøđɡħŧƒɩɑᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢօոսհզՕՍՏᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ",
    "aeoopcyxijsdhlkmtbhvwqyABEKMHOPCTYXIJSGWY"
    "oaepkvituxowABEZHIKMNOPTYX"
    "ilodghtfiaabcdefghijklmnoprstuvwyzonuhqOUSABCDEGHJKLMPRSTVWZ",
)
"""Letters that pass for plain ones: Cyrillic, Greek; Latin, Armenian and Cherokee."""


def plain_letters(text: str) -> str:
    """Return text in plain letters: no accents, no joiners, no look-alikes."""
    if text.isascii() and text.isprintable():
        return text
    spread = unicodedata.normalize("NFKD", text)
    return "".join(character for character in spread if not _is_invisible(character)).translate(
        _LOOK_ALIKES
    )


def _is_invisible(character: str) -> bool:
    if character.isascii():
        return not (character.isprintable() or character.isspace())
    return character in _BLANKS or unicodedata.category(character) in _INVISIBLE


@attrs.frozen
class Normal:
    """A text in normal form, with the start of each of its pieces and their origins."""

    text: str
    _starts: list[int]
    _origins: list[Span]

    def origin(self, span: Span) -> Span:
        """Return the part of the given text that became a part of the normal text."""
        return self._origin(span[0])[0], self._origin(span[1] - 1)[1]

    def _origin(self, place: int) -> Span:
        piece = bisect_right(self._starts, place) - 1
        start, end = self._origins[piece]
        if end:  # One escape or letter, of any length in the normal text.
            return start, end
        there = start + place - self._starts[piece]
        return there, there + 1


def needs_normalizing(text: str) -> bool:
    """Check whether a text may differ from its normal form."""
    return _MAY_CHANGE.search(text) is not None


def expanded_length(text: str) -> int:
    """Return the length of a text whose letters are expanded, a single one up to 18 times."""
    return len(text) if text.isascii() else len(unicodedata.normalize("NFKD", text))


def normalize(text: str) -> Normal | None:
    """Return the normal form of a text; None if it is the text itself."""
    if not needs_normalizing(text):
        return None
    pieces: list[str] = []
    starts: list[int] = []
    origins: list[Span] = []
    length = done = 0
    for match in chain(_ESCAPE.finditer(text), (None,)):
        start, end = match.span() if match else (len(text), 0)
        plain = _unescaped(match) if match else ""
        if match and plain == match[0]:
            continue
        for piece, origin in ((text[done:start], (done, 0)), (plain, (start, end))):
            if piece:
                pieces.append(piece)
                starts.append(length)
                origins.append(origin)
                length += len(piece)
        done = end
    normal = "".join(pieces)
    return None if normal == text else Normal(normal, starts, origins)


def _unescaped(match: re.Match[str]) -> str:
    """Return what an escape or a letter means; the escape itself if it means no character."""
    kind = match.lastgroup or ""
    text = match[kind]
    if kind in _ENCODINGS:
        try:
            text = bytes.fromhex(_NO_DIGITS.sub("", text)).decode(_ENCODINGS[kind])
        except UnicodeDecodeError:
            return match[0]
    elif kind == "sign":
        return _SIGNS.get(text, text)
    elif kind == "entity":
        text = html.unescape(f"&{text};")
    return match[0] if text == "\ufffd" else _plain_letters(text)


_plain_letters: Final = lru_cache(maxsize=4096)(plain_letters)
