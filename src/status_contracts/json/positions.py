"""Find the line and column at which JSON text is broken, by the standard parser.

Lines and columns count from 1, columns in code points; a byte order mark has no column.  The
description is only for people; `status_contracts.json.codec` decides what is JSON text.

Invariant *no input*: a description quotes at most one byte of the body.
"""

import re
from json import JSONDecodeError
from typing import Final

from status_contracts.json.codec import find_lone_surrogate, parse_text, strip_bom

_CONSTANT: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|(?P<constant>NaN|-?Infinity)', re.DOTALL)
"""A string, or a number that JSON does not have."""


def describe_syntax_error(body: bytes) -> str:
    """Return where and why a body is broken, such as `line 1, column 4: Expecting value`.

    Raises:
        ValueError: the body is JSON text.

    """
    body = strip_bom(body)
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        start = error.start
        position = _position(body[:start].decode())
        return f"{position} (byte {start}): expected UTF-8, found the byte 0x{body[start]:02X}"
    at, fault = _find(text)
    return f"{_position(text[:at])}: {fault}"


def _find(text: str) -> tuple[int, str]:
    try:
        parse_text(text)
    except JSONDecodeError as error:
        return error.pos, error.msg.removesuffix(" at").removesuffix(" starting")
    except RecursionError:
        return 0, "nested too deep"
    except ValueError:  # the parser stopped at the first one
        constants = (match for match in _CONSTANT.finditer(text) if match["constant"])
        return next(constants).start(), "NaN and infinities are not JSON"
    at = find_lone_surrogate(text)
    if at is None:
        raise ValueError("the body is JSON text")
    return at, "Expecting a pair of surrogates"


def _position(before: str) -> str:
    """Return the line and column behind a text."""
    column = len(before) - before.rfind("\n")
    return f"line {before.count(chr(10)) + 1}, column {column}"
