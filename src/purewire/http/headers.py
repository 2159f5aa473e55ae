"""Parse and check single headers: media type, content coding, length, legal values.

Header lines are the values of all lines of one header, in order, as `Request.lines` returns them.

Invariant *no header raises*: any bytes have a result, in time linear in their number.
"""

import re
from typing import Final

OUTER_SPACE: Final = b" \t"
"""White space around a header value, which is not part of it (RFC 9110 section 5.5)."""
_VISIBLE: Final = r"[\x21-\x7e\x80-\xff]"
_SENDABLE: Final = re.compile(rf"(?:{_VISIBLE}(?:[\x20-\x7e\x80-\xff]*{_VISIBLE})?)?")


def media_type(lines: tuple[bytes, ...]) -> bytes | None:
    """Return the media type of Content-Type lines in lower case, without parameters.

    None for no line or more than one (RFC 9110 section 8.3).
    """
    if len(lines) != 1:
        return None
    return lines[0].partition(b";")[0].strip(OUTER_SPACE).lower()


def is_identity(lines: tuple[bytes, ...]) -> bool:
    """Check whether Content-Encoding lines contain no coding but `identity`, in any case.

    An empty member of the list counts as absent.
    """
    codings = (coding for line in lines for coding in line.split(b","))
    return all(coding.strip(OUTER_SPACE).lower() in (b"", b"identity") for coding in codings)


def is_length_allowed(lines: tuple[bytes, ...], limit: int) -> bool:
    """Check whether Content-Length lines are legal and declare at most `limit` bytes.

    No line is allowed; anything but ASCII digits, and lines that differ, are not.
    """
    if not lines:
        return True
    declared = parse_bounded_number(lines[0], limit)
    return declared is not None and declared <= limit and len(set(lines)) == 1


def parse_bounded_number(digits: bytes, limit: int) -> int | None:
    """Parse ASCII digits as a number; return `limit + 1` for any number above `limit`.

    None for anything but digits.  Leading zeros are allowed.  The cost is linear, because no number
    with more digits than the limit is converted.
    """
    if not digits.isdigit():  # of bytes: ASCII digits only, at least one
        return None
    significant = digits.lstrip(b"0")
    if len(significant) > len(str(limit)):
        return limit + 1
    return min(int(significant or b"0"), limit + 1)


def is_sendable(value: str) -> bool:
    """Check whether a header value may be sent unchanged (RFC 9110 section 5.5).

    It is Latin-1 text without ASCII control characters and without outer white space.
    """
    return _SENDABLE.fullmatch(value) is not None
