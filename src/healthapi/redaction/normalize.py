"""Normal form of a text: no escapes, plain letters instead of look-alikes, no invisible ones.

What is found in a normal text has to be cut out of the given one, so a normal text knows where each
of its characters comes from.

Invariant *for searching only*: nothing that leaves this package is normal text.
Invariant *linear*: each character is read once.
"""

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from typing import Final

import attrs

from purewire.text import has_surrogate

__all__ = ["Normal", "Span", "needs_normalizing", "normalize", "plain_letters"]

Span = tuple[int, int]
"""Start and end, the end not included."""

_ESCAPE: Final = re.compile(
    r"""(?P<bytes>%(?:25)*[C-Fc-f][0-9A-Fa-f](?:%(?:25)*[89ABab][0-9A-Fa-f]){1,3})
      | %(?:25)*(?P<percent>[0-9A-Fa-f]{2})
      | (?<!\\)\\++u(?P<pair>[Dd][89ABab][0-9A-Fa-f]{2}\\++u[Dd][C-Fc-f][0-9A-Fa-f]{2})
      | (?<!\\)\\++(?:u(?P<wide>[0-9A-Fa-f]{4})|x(?P<narrow>[0-9A-Fa-f]{2})|(?P<sign>["'/nrt]))
      | &(?:amp;)*(?:\#x(?P<hex>[0-9A-Fa-f]{1,6})|\#(?P<decimal>[0-9]{1,7})
                     |(?P<entity>amp|apos|colon|equals|gt|lt|quot));
      | \x1b\[[0-9;]{0,16}m(?P<nothing>)
      | (?P<letter>[^\t-\r\x20-\x7e])""",
    re.VERBOSE,
)
_BYTE: Final = re.compile(r"%(?:25)*([0-9A-Fa-f]{2})")
_MAY_CHANGE: Final = re.compile(r"%[0-9A-Fa-f]|\\|&[a-z]{2,6};|&#|[^\t-\r\x20-\x7e]")

_SIGNS: Final = {
    "sign": {"n": "\n", "r": "\r", "t": "\t"},
    "entity": {
        "amp": "&",
        "apos": "'",
        "colon": ":",
        "equals": "=",
        "gt": ">",
        "lt": "<",
        "quot": '"',
    },
}
_BASES: Final = {"percent": 16, "wide": 16, "narrow": 16, "hex": 16, "decimal": 10}

_LAST_CHARACTER: Final = 0x10FFFF
_INVISIBLE: Final = {"Cf", "Mn", "Me"}
"""Categories of characters that leave no mark of their own: joiners, accents, enclosures."""
_BLANKS: Final = frozenset("\u115f\u1160\u2800")
"""Letters that show nothing."""

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
    return "".join(each for each in spread if not _is_invisible(each)).translate(_LOOK_ALIKES)


def _is_invisible(character: str) -> bool:
    if character.isascii():
        return not (character.isprintable() or character.isspace())
    return character in _BLANKS or unicodedata.category(character) in _INVISIBLE


@attrs.frozen
class Normal:
    """A text in normal form.

    Attributes:
        text: the normal text.

    """

    text: str
    _starts: list[int]
    _origins: list[Span]

    def origin(self, span: Span) -> Span:
        """Return the part of the given text that a part of the normal text was made from."""
        return self._origin(span[0])[0], self._origin(span[1] - 1)[1]

    def _origin(self, place: int) -> Span:
        piece = bisect_right(self._starts, place) - 1
        start, end = self._origins[piece]
        if end:  # one escape or letter, whatever it became
            return start, end
        there = start + place - self._starts[piece]
        return there, there + 1


def needs_normalizing(text: str) -> bool:
    """Check whether a text may differ from its normal form."""
    return _MAY_CHANGE.search(text) is not None


def normalize(text: str) -> Normal | None:
    """Return the normal form of a text; None where that is the text itself."""
    if not needs_normalizing(text):
        return None
    pieces: list[str] = []
    starts: list[int] = []
    origins: list[Span] = []
    length = done = 0
    for found in (*_ESCAPE.finditer(text), None):
        start, end = found.span() if found else (len(text), 0)
        meant = _meaning(found) if found else ""
        if found and meant == found[0]:
            continue
        for piece, origin in ((text[done:start], (done, 0)), (meant, (start, end))):
            if piece:
                pieces.append(piece)
                starts.append(length)
                origins.append(origin)
                length += len(piece)
        done = end
    normal = "".join(pieces)
    return None if normal == text else Normal(normal, starts, origins)


def _meaning(found: re.Match[str]) -> str:
    """Return what an escape or a letter means; itself where it means nothing plain."""
    kind = found.lastgroup or ""
    given = found[kind]
    if kind in _BASES:
        return _character(int(given, _BASES[kind]), found[0])
    if kind == "bytes":
        return _decoded("".join(_BYTE.findall(given)), "utf-8", found[0])
    if kind == "pair":
        return _decoded(given[:4] + given[-4:], "utf-16-be", found[0])
    return _SIGNS.get(kind, {}).get(given) or _plain_letter(given)


def _decoded(digits: str, encoding: str, otherwise: str) -> str:
    """Return what bytes mean in plain letters; what means nothing stays an escape."""
    try:
        return plain_letters(bytes.fromhex(digits).decode(encoding))
    except UnicodeDecodeError:
        return otherwise


def _character(code: int, otherwise: str) -> str:
    """Return a character in plain letters; what is no character stays an escape."""
    if code > _LAST_CHARACTER or has_surrogate(chr(code)):
        return otherwise
    return _plain_letter(chr(code))


_plain_letter: Final = lru_cache(maxsize=4096)(plain_letters)
