"""Damage to bodies: bytes that are replaced, and members of JSON values that are changed."""

import json
import random
from copy import deepcopy
from typing import Any, Final

from hypothesis import strategies as st

__all__ = ["BYTES", "VALUES", "changed", "changed_json", "changed_values", "damaged"]

BYTES: Final = st.sampled_from(
    [
        *(bytes([code]) for code in b"{}[]:,\"'\\ \n\r\t0019.-+eEnatru=#&?%/;*\x00\x7f\xff"),
        *(b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\\ud800", b"\\u0000", b"\\n", b"\\\\n"),
        *(b"null", b"true", b"NaN", b"1e999", b"9" * 500, b'"":', b'"music":null,', b'"path":'),
        *(b"\r\n", b"..", b"%2e", b"__class__", b"{0}"),
    ]
) | st.binary(max_size=4)
"""Bytes that mean something in JSON, TOML, CSV or HTTP, and others."""
VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, -1, 1.0, 0.5, -0.0, 100, 101, 1e308, 5e-324, 2**53 + 1, 2**64),
    *(10**399, "", " ", "x", "1", "x" * 201, "x" * 501, "System", "playing", "stopped", "ac"),
    *("\x00", "\x7f", "\x85", "\u2028", "\ufeff", "\ufffe", "\u202e", "\U0001f3b5", "a\u0301" * 9),
    *("2026-01-01T12:00:00.000Z", "2026-01-01T12:00:00Z", "2026-02-30T00:00:00.000Z", "2026-01-31"),
    *("0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2026-01-01T12:00:00+14:00"),
    *("https://music.apple.com/x", "https://a.mzstatic.com/x", "https://a@music.apple.com:443/"),
    *("<svg onload=x>", "]]>&amp;", "access_token=abc", "Bearer abcdefghijkl", "../..", "{0}"),
    *([], {}, [[]], [{}], {"": {}}, [None] * 3),
)
_NAMES: Final = (
    *("", "extra", "__class__", "token", "data", "ok", "music", "events", "at", "seq", "changes"),
    *("running_apps", "artwork_url", "track_url", "expires_at", "collected_at", "playback"),
    *("instant", "path", "submittedAt", "commitCount", "2026-01-31"),
)
_NUMBERS: Final = ("1e999", "-1e999", "9" * 401, "9" * 5000, "1.0", "1E0", "-0", "0.1e1")


def changed(value: Any, chance: random.Random) -> Any:
    """Return a plain value with one to three members replaced, dropped, put in, moved or nudged."""
    root = [deepcopy(value)]
    for _ in range(chance.randint(1, 3)):
        places = _places(root[0])
        if not places:
            break
        holder, key = chance.choice(places)
        other, name = chance.choice(places)
        new = deepcopy(chance.choice((other[name], chance.choice(VALUES))))
        action = chance.choice(("replace", "drop", "insert", "nudge"))
        if action == "drop":
            del holder[key]
        elif action == "nudge" and type(holder[key]) in (int, float):
            holder[key] += chance.choice((-1, 1, 1000, -0.125))
        elif action == "insert" and isinstance(holder, dict):
            holder[chance.choice(_NAMES)] = new
        elif action == "insert":
            holder.insert(key, new)
        else:
            holder[key] = new
    return root[0]


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return every member and item of a plain value, with what holds it."""
    if not isinstance(value, dict | list):
        return []
    keys = list(value) if isinstance(value, dict) else range(len(value))
    return [(value, key) for key in keys] + [place for key in keys for place in _places(value[key])]


def changed_json(data: bytes, seed: int) -> bytes | None:
    """Return JSON text with other members, or another number; None where the data is no JSON."""
    chance = random.Random(seed)  # noqa: S311 - of fuzzing
    try:
        value = changed(json.loads(data), chance)
        if (places := _places(value)) and chance.random() < 0.1:
            holder, key = chance.choice(places)
            holder[key] = "@number@"
        text = json.dumps(value, indent=chance.choice((None, 1))).encode()
    except (ValueError, RecursionError, OverflowError):  # deeper than can be copied or written
        return None
    return text.replace(b'"@number@"', chance.choice(_NUMBERS).encode())


def changed_values(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw values of a strategy with other members."""
    return st.builds(changed, values, st.randoms())


@st.composite
def damaged(draw: st.DrawFn, bodies: st.SearchStrategy[bytes]) -> bytes:
    """Draw bodies of a strategy with a few bytes replaced, left out, put in."""
    data = draw(bodies)
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 8)))
        data = data[:start] + draw(BYTES) + data[end:]
    return data
