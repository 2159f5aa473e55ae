"""Properties of JSON text; `fuzz_properties.json_text` has what holds for any bytes."""

import json

from hypothesis import given
from hypothesis import strategies as st

from status_contracts.json_text import JsonDepthError, JsonTextError, decode, encode

DEEP = 20_000

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
FRAGMENTS = [
    *'{}[]:,"\\ \n\t\x00\x1f\x7f0019.-+eEé🎵',
    "\ufeff",
    '""',
    '"a"',
    '"a":',
    "\\u",
    "\\ud83d",
    "\\ude00",
    '"\\ud83d\\ude00"',
    '"\\ud800"',
    '"\\\\ud800"',
    "\\n",
    "\\x",
    "1e999",
    "-0",
    "-0.0",
    "1.5e-3",
    "9007199254740993",
    "18446744073709551616",
    "true",
    "false",
    "null",
    "NaN",
    "Infinity",
    "[]",
    "{}",
    '{"a":1,"a":2}',
]
fragments = st.lists(st.sampled_from(FRAGMENTS), max_size=10).map("".join)


def written(value: object, *, ascii_only: bool, indent: int | None) -> bytes:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    return text.encode()


texts = st.builds(written, values, ascii_only=st.booleans(), indent=st.sampled_from([None, 0, 2]))


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Return JSON text with a fragment put in, or put over something else."""
    text = draw(texts)
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 3)))
    fragment: str = draw(st.sampled_from(FRAGMENTS))
    return text[:start] + fragment.encode() + text[end:]


def read(body: bytes) -> str:
    try:
        return repr(decode(body))
    except JsonTextError:
        return "broken"
    except JsonDepthError:
        return "deep"


@given(values)
def test_what_is_encoded_decodes_to_the_same_value(value: object) -> None:
    """Types, signs of zeros and the order of members included."""
    assert repr(decode(encode(value))) == repr(value)


@given(values, st.booleans())
def test_the_mark_and_blanks_around_change_nothing(value: object, mark: bool) -> None:
    body = b" \t\r\n" + encode(value) + b" \t\r\n"
    marked = b"\xef\xbb\xbf" + body if mark else body
    assert read(marked) == read(encode(value))


@given(fragments.map(str.encode) | damaged())
def test_deep_text_is_refused_whatever_it_holds(body: bytes) -> None:
    assert read(b"[" * DEEP + body + b"]" * DEEP) in {"broken", "deep"}
