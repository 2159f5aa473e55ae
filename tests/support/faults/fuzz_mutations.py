"""Changes of JSON values, beside those of bytes: what is changed is still JSON, so it gets deeper.

A change is a function of the data and a seed alone.
"""

import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

__all__ = ["mutated"]

_Place = tuple[Any, Any]
"""An object or list, and a name or index in it."""
_Change = Callable[[random.Random, _Place, list[_Place]], None]

_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, -1, 1.0, 0.5, -0.0, 1e308, 5e-324, 2**53, 2**53 + 1, 2**63, 2**64),
    *(10**399, 2**61 - 1, "", " ", "x", "x" * 201, "x" * 501, "System", "playing", "stopped"),
    *("\x00", "\x7f", "\x85", "\u2028", "\ufeff", "\ufffe", "\u202e", "\U0001f3b5", "a\u0301" * 9),
    *("2026-01-01T12:00:00.000Z", "2026-01-01T12:00:00Z", "2026-02-30T00:00:00.000Z", "2026-01-01"),
    *("0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2026-01-01T12:00:00+14:00"),
    *("https://music.apple.com/x", "https://a.mzstatic.com/x", "https://a@music.apple.com:443/"),
    *("<svg onload=x>", "]]>&amp;", "access_token=abc", "Bearer abcdefghijkl", "../..", "{0}"),
    *([], {}, [[]], [{}], {"": {}}, [None] * 3),
)
_NAMES: Final = (
    *("", "extra", "__class__", "token", "data", "ok", "music", "events", "at", "seq", "changes"),
    *("running_apps", "artwork_url", "track_url", "expires_at", "playback", "instant", "path"),
)
_NUMBERS: Final = ("1e999", "-1e999", "9" * 401, "9" * 5000, "1.0", "1E0", "-0", "0.1e1")
_SPELLINGS: Final[tuple[dict[str, Any], ...]] = (
    {"separators": (",", ":"), "ensure_ascii": False},
    {"separators": (",", ":")},
    {"indent": 1},
)


def mutated(data: bytes, seed: int) -> bytes | None:
    """Return JSON text with one to three changes; None where the data is no JSON with members."""
    chance = random.Random(seed)  # noqa: S311 - of fuzzing
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    try:
        for _ in range(chance.randint(1, 3)):
            places = _places(value)
            if not places:
                return None
            chance.choice(_CHANGES)(chance, chance.choice(places), places)
        text = json.dumps(value, **chance.choice(_SPELLINGS)).encode()
    except (ValueError, RecursionError):  # a surrogate, or deeper than can be copied or written
        return None
    return text.replace(b'"@number@"', chance.choice(_NUMBERS).encode())


def _places(value: object) -> list[_Place]:
    found: list[_Place] = []
    waiting = [value]
    while waiting:
        each: Any = waiting.pop()
        if isinstance(each, dict | list):
            keys = list(each) if isinstance(each, dict) else range(len(each))
            found += [(each, key) for key in keys]
            waiting += [each[key] for key in keys]
    return found


def _replace(chance: random.Random, place: _Place, _: list[_Place]) -> None:
    holder, key = place
    holder[key] = deepcopy(chance.choice(_VALUES))


def _spell(_: random.Random, place: _Place, __: list[_Place]) -> None:
    holder, key = place
    holder[key] = "@number@"


def _nudge(chance: random.Random, place: _Place, _: list[_Place]) -> None:
    """Change a number or text a little."""
    holder, key = place
    value = holder[key]
    if isinstance(value, str):
        at = chance.randint(0, len(value))
        end = at + chance.randint(0, 2)
        holder[key] = value[:at] + chr(chance.choice((32, 48, 57, 0, 127, 0xE9))) + value[end:]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        step = chance.choice((-1, 1, 1000, -1000))
        holder[key] = value + (step if isinstance(value, int) else step / 8)


def _drop(_: random.Random, place: _Place, __: list[_Place]) -> None:
    holder, key = place
    del holder[key]


def _insert(chance: random.Random, place: _Place, places: list[_Place]) -> None:
    holder, key = place
    other, name = chance.choice(places)
    value = deepcopy(other[name]) if chance.random() < 0.5 else chance.choice(_VALUES)
    if isinstance(holder, dict):
        holder[chance.choice(_NAMES)] = deepcopy(value)
    else:
        holder.insert(key, deepcopy(value))


def _move(chance: random.Random, place: _Place, places: list[_Place]) -> None:
    holder, key = place
    other, name = chance.choice(places)
    holder[key] = deepcopy(other[name])


_CHANGES: Final[tuple[_Change, ...]] = (_replace, _spell, _nudge, _nudge, _drop, _insert, _move)
