"""Rules of single headers: media type, content coding, declared length, and what may be sent.

Header lines are the values of all lines of one header, in order, as `Request.lines` gives them.

Invariant *no header raises*: any bytes get a verdict, in time linear in their number.
"""

import re
from typing import Final

__all__ = ["bounded_number", "is_identity", "is_sendable", "length_allowed", "media_type"]

_OUTER_SPACE: Final = b" \t"
_VISIBLE: Final = r"[\x21-\x7e\x80-\xff]"
_SENDABLE: Final = re.compile(rf"(?:{_VISIBLE}(?:[\x20-\x7e\x80-\xff]*{_VISIBLE})?)?")


def media_type(lines: tuple[bytes, ...]) -> bytes | None:
    """Give the media type of Content-Type lines in lower case, parameters left out.

    No line, or more than one, has no media type (RFC 9110 section 8.3).
    """
    if len(lines) != 1:
        return None
    return lines[0].partition(b";")[0].strip(_OUTER_SPACE).lower()


def is_identity(lines: tuple[bytes, ...]) -> bool:
    """Tell whether Content-Encoding lines leave the body as it is.

    Every member of the list is `identity`, in any case; an empty member counts as absent.
    """
    codings = (coding for line in lines for coding in line.split(b","))
    return all(coding.strip(_OUTER_SPACE).lower() in (b"", b"identity") for coding in codings)


def length_allowed(lines: tuple[bytes, ...], limit: int) -> bool:
    """Tell whether Content-Length lines are legal and declare at most `limit` bytes.

    Nothing declared is allowed; anything but ASCII digits, and lines that differ, are not.
    """
    if not lines:
        return True
    declared = bounded_number(lines[0], limit)
    return declared is not None and declared <= limit and len(set(lines)) == 1


def bounded_number(digits: bytes, limit: int) -> int | None:
    """Read ASCII digits as a number, but say `limit + 1` for any number past `limit`.

    None where there is anything but digits.  Leading zeros are fine, and the cost is linear: no
    number longer than the limit's own is ever converted.
    """
    if not digits.isdigit():  # of bytes: ASCII digits only, at least one
        return None
    significant = digits.lstrip(b"0")
    if len(significant) > len(str(limit)):
        return limit + 1
    return min(int(significant or b"0"), limit + 1)


def is_sendable(value: str) -> bool:
    """Tell whether a header value may go on the wire as it is (RFC 9110 section 5.5).

    Latin-1 text without any ASCII control character and without outer white space.
    """
    return _SENDABLE.fullmatch(value) is not None
