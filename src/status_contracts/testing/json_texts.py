"""Hypothesis strategies for JSON values and for the serializations of one value.

Serializations differ in white space, escapes, order of members, number formats, byte order mark,
and duplicate members (the last one counts).  One style is drawn for the whole text, so that drawing
is fast and shrinking leads to the compact style.
"""

import json
from itertools import chain
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

__all__ = ["NOT_JSON", "json_texts", "json_values"]

NOT_JSON: Final = (
    b"",
    b" ",
    b"\xef\xbb\xbf",
    b"{",
    b"nul",
    b"NaN",
    b"[Infinity]",
    b"[-Infinity]",
    b"[01]",
    b"[1.]",
    b"[+1]",
    b"{'a':1}",
    b"{a:1}",
    b'{"a":1,}',
    b"[1,]",
    b"[1]//",
    b'"\t"',
    b'"\x00"',
    b'"\\x41"',
    b'"\\ud800"',
    b'"\\udc00\\ud800"',
    b'"\xff"',
    b'"\xed\xa0\xbd\xed\xb1\xa9"',
    b'"\xc0\xaf"',
    "{}".encode("utf-16"),
    "{}".encode("utf-16-le"),
    "{}".encode("utf-32"),
    b"\xef\xbb\xbf\xef\xbb\xbf{}",
)
"""Bytes that are not JSON text in UTF-8."""

_SHORT_ESCAPES: Final = {"/": r"\/"} | {text: json.dumps(text)[1:-1] for text in '"\\\b\f\n\r\t'}
_LAST_CONTROL: Final = 0x1F
_LARGEST_EXACT: Final = 2**53
_DUPLICATES: Final = ("null", '"\\u0000"', "-1e999", "[[{}]]", '{"":0}')


class _Style(NamedTuple):
    escape: str
    number: str
    space: str
    order: int
    duplicate: str
    byte_order_mark: bytes


_STYLES: Final = st.builds(
    _Style,
    st.sampled_from(("needed", "short", "upper", "lower", "not ASCII")),
    st.sampled_from(("shortest", "fraction", "exponent", "shifted")),
    st.sampled_from(("", " ", "\n\t\r  ")),
    st.sampled_from((1, -1)),
    st.sampled_from(("", "", *_DUPLICATES)),
    st.sampled_from((b"", b"\xef\xbb\xbf")),
)


def json_values(max_leaves: int = 4) -> st.SearchStrategy[Any]:
    """Draw plain JSON values with at most `max_leaves` scalars."""
    scalars = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=5),
    )
    names = st.text(max_size=12)
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
        max_leaves=max_leaves,
    )


def json_texts(value: object) -> st.SearchStrategy[bytes]:
    """Draw UTF-8 JSON texts of a plain value whose numbers are finite."""
    return _STYLES.map(lambda style: style.byte_order_mark + _text(value, style).encode())


def _text(value: object, style: _Style) -> str:
    if isinstance(value, dict):
        return _join("{}", _members(value, style), style.space)
    if isinstance(value, list):
        return _join("[]", [_text(character, style) for character in value], style.space)
    if isinstance(value, str):
        return f'"{"".join(_character(character, style.escape) for character in value)}"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return _integer(value, style.number)
    if isinstance(value, float):
        return repr(value) if style.number in {"shortest", "fraction"} else f"{value:.16e}"
    raise TypeError("not a plain value")


def _join(brackets: str, parts: list[str], space: str) -> str:
    return f"{space}{brackets[0]}{space}{f'{space},{space}'.join(parts)}{space}{brackets[1]}{space}"


def _members(value: dict[str, Any], style: _Style) -> list[str]:
    names = [(name, _text(name, style)) for name in value][:: style.order]
    members = [f"{text}{style.space}:{_text(value[name], style)}" for name, text in names]
    if not style.duplicate:
        return members
    return list(chain((f"{text}:{style.duplicate}" for _, text in names), members))


def _character(character: str, escape: str) -> str:
    needed = character in '"\\' or ord(character) <= _LAST_CONTROL
    if escape == "short" and character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    if needed or escape in {"upper", "lower"} or (escape == "not ASCII" and character > "~"):
        return _units(character, upper=escape == "upper")
    return character


def _units(character: str, *, upper: bool) -> str:
    digits = character.encode("utf-16-be").hex()
    digits = digits.upper() if upper else digits
    return "".join(f"\\u{digits[at : at + 4]}" for at in range(0, len(digits), 4))


def _integer(value: int, style: str) -> str:
    if style == "shortest" or abs(value) > _LARGEST_EXACT:
        return str(value)
    return {"fraction": f"{value}.0", "exponent": f"{value}e0", "shifted": f"{value * 10}E-1"}[
        style
    ]
