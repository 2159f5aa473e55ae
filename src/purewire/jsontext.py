"""Bytes to plain values by RFC 8259 exactly, and back: the one place that knows parsers' quirks.

Plain values are dict, list, str, int, float, bool and None.  One leading byte order mark is
dropped; of members with the same name the last one counts.

Invariant *three verdicts*: every body is either plain values, or broken text (`JsonTextError`),
or well-formed but nested deeper than this interpreter can build (`JsonDepthError`); which of the
three does not depend on how deep the caller's stack is, except between the first and the last, and
no body raises anything else or costs more than linear time.
Invariant *numbers keep their meaning*: digits alone are exact integers, other numbers IEEE 754
doubles; a number that is too large for either purpose (no double, or more than 400 digits) becomes
an infinity, or stays an integer beyond every double, which no rule accepts either.
Invariant *errors hold no text*: parsers' errors have the body in them, so ours are raised outside
of their handlers, and have no context.
Invariant *text is Unicode*: bytes that are not UTF-8, and lone surrogates as escapes, are broken
text.
"""

import json
import re
from typing import Final, NoReturn

import msgspec

__all__ = ["JsonDepthError", "JsonTextError", "decode", "encode", "strip_mark"]

_MARK: Final = b"\xef\xbb\xbf"
_BROKEN: Final = object()

_LONGEST_INTEGER: Final = 400
"""Digits: more than any double has, and below every limit an interpreter may set on int()."""

_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_PAIRED: Final = re.compile(
    r"""(?: [^\\]++
          | \\[^u]
          | \\u(?![dD][89a-fA-F])[0-9a-fA-F]{4}
          | \\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}
        )*+""",
    re.VERBOSE | re.DOTALL,
)

_STRING: Final = r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"'
_SCALAR: Final = (
    r"(?:-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null)(?![-+.0-9A-Za-z])"
)
_TOKENS: Final = re.compile(rf"(?:[ \t\n\r\[\]{{}},:]++|{_STRING}|{_SCALAR})*+")

# Tokens as signs: `v` a value, `k` a name with its colon, `o` a whole member, brackets and commas;
# `^` is the beginning, and `$` all of a text that is one value.
_SCALAR_SIGNS: Final = str.maketrans(dict.fromkeys("-+.0123456789eEtrufalsn", "v"))
_NO_BLANKS: Final = str.maketrans("", "", " \t\n\r")
_COMPLETE: Final = (
    *(("[]", "v"), ("{}", "v"), ("[v]", "v"), ("{o}", "v")),
    *(("kv", "o"), ("^v", "$")),  # before values are joined, for `kv,v` is broken
)
_ALIKE: Final = (("v,v", "v"), ("o,o", "o"))
_WORTH_IT: Final = 0.9
"""What is left after a round that leads to another; each takes off one level."""


class _Place(dict[str, "_Place"]):
    """What may follow in a place, and the place after it; after a bracket, where it is closed."""


def _places() -> tuple[_Place, _Place, _Place, _Place]:
    """Give the places at the start, at the end, in a new array and in a new object."""
    start, end, only = _Place(), _Place(), _Place()
    items, item, next_item = _Place(), _Place(), _Place()
    members, value, member, next_member = _Place(), _Place(), _Place(), _Place()
    for before, after in ((only, end), (items, item), (next_item, item), (value, member)):
        before.update(dict.fromkeys("v[{", after))
    start.update({"^": only, "$": end})
    items["]"] = item["]"] = members["}"] = member["}"] = end
    item[","], member[","] = next_item, next_member
    for before in (members, next_member):
        before.update({"k": value, "o": member})
    return start, end, items, members


_START, _END, _ITEMS, _MEMBERS = _places()


class JsonTextError(ValueError):
    """The body is not JSON text."""


class JsonDepthError(ValueError):
    """The body is JSON text, nested too deep to be built."""


def strip_mark(body: bytes) -> bytes:
    """Drop one leading UTF-8 byte order mark."""
    return body.removeprefix(_MARK)


def decode(body: bytes) -> object:
    """Give the plain value of a body; raises JsonTextError or JsonDepthError."""
    body = strip_mark(body)
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        pass  # the way with all care says whether it really is broken
    return _decode_with_care(body)


def encode(value: object) -> bytes:
    """Give the compact UTF-8 JSON text of plain values whose numbers are finite."""
    return msgspec.json.encode(value)


def _decode_with_care(body: bytes) -> object:
    is_deep = False
    value: object = _BROKEN
    try:
        text = body.decode("utf-8")
        value = json.loads(text, parse_int=_integer, parse_constant=_no_constant)
    except RecursionError:
        is_deep = True
    except ValueError:
        pass  # said below
    if is_deep:
        _check_grammar(text)
        raise JsonDepthError("nested too deep")
    if value is _BROKEN:
        raise JsonTextError("not JSON text")
    if _SURROGATE_ESCAPE.search(text) and not _PAIRED.fullmatch(text):
        raise JsonTextError("an escaped lone surrogate")
    return value


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _check_grammar(text: str) -> None:
    """Tell broken text from deep text without recursion: tokens first, then their order."""
    if not _TOKENS.fullmatch(text) or not _PAIRED.fullmatch(text):
        raise JsonTextError("not JSON text")
    if not _is_value(_shortened(f"^{_signs(text)}")):
        raise JsonTextError("not JSON text")


def _signs(text: str) -> str:
    bare = text.replace("\\\\", "").replace('\\"', "")
    signs = '"'.join(bare.split('"')[::2]).translate(_SCALAR_SIGNS)
    while "vv" in signs:
        signs = signs.replace("vv", "v")
    return signs.translate(_NO_BLANKS).replace('":', "k").replace('"', "v")


def _shortened(signs: str) -> str:
    """Put one sign in place of what is complete; what remains is as sound, or as broken."""
    size = 2 * len(signs)
    while len(signs) < size * _WORTH_IT:
        size = len(signs)
        for complete, sign in _COMPLETE:
            signs = signs.replace(complete, sign)
        for alike, sign in _ALIKE:
            while alike in signs:
                signs = signs.replace(alike, sign)
    return signs


def _is_value(signs: str) -> bool:
    if any(signs.count(one) != signs.count(other) for one, other in ("[]", "{}")):
        return False
    place, after = _START, list[_Place]()
    try:
        for sign in signs:
            follow = place[sign]
            if sign in "[{":
                after.append(follow)
                place = _ITEMS if sign == "[" else _MEMBERS
            else:
                place = after.pop() if sign in "]}" else follow
    except KeyError:
        return False
    return place is _END and not after
