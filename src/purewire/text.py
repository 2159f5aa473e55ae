"""Text rules that all contracts share: the control rule, surrogates, ECMAScript trim.

Lengths are `len`: code points, not UTF-16 units and not bytes.
"""

import re
from typing import Final

__all__ = [
    "DEFAULT_IGNORABLE",
    "WHITE_SPACE",
    "has_control",
    "has_surrogate",
    "is_blank",
    "is_trimmed",
]

WHITE_SPACE: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What ECMAScript's `trim` removes: Unicode White_Space and U+FEFF, without U+0085."""

DEFAULT_IGNORABLE: Final = tuple(
    range(first, last + 1)
    for first, last in (
        (0x00AD, 0x00AD),
        (0x034F, 0x034F),
        (0x061C, 0x061C),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x200B, 0x200F),
        (0x202A, 0x202E),
        (0x2060, 0x206F),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),
        (0xFEFF, 0xFEFF),
        (0xFFA0, 0xFFA0),
        (0xFFF0, 0xFFF8),
        (0x1BCA0, 0x1BCA3),
        (0x1D173, 0x1D17A),
        (0xE0000, 0xE0FFF),
    )
)
"""Code points with the property Default_Ignorable_Code_Point, which show nothing.

Source: Unicode 16.0, DerivedCoreProperties.txt (4174 code points).
"""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


def has_control(text: str) -> bool:
    """Tell whether an ASCII control character (U+0000 to U+001F, U+007F) is in the text."""
    return _CONTROL.search(text) is not None


def has_surrogate(text: str) -> bool:
    """Tell whether the text holds a surrogate code point, which no UTF-8 can carry."""
    return _SURROGATE.search(text) is not None


def is_blank(text: str) -> bool:
    """Tell whether nothing is left of the text after trimming as ECMAScript does."""
    return not text or (text[0] in WHITE_SPACE and not text.strip(WHITE_SPACE))


def is_trimmed(text: str) -> bool:
    """Tell whether trimming as ECMAScript does would leave the text as it is."""
    return not text or (text[0] not in WHITE_SPACE and text[-1] not in WHITE_SPACE)
