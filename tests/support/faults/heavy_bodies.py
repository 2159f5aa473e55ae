"""Bodies that cost careless parsers most, each by name, of any size; and valid ones to compare.

No entry point accepts any of them.  `valid_…` are valid, and padded with blanks to their size.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import takewhile
from typing import Any, Final

from devicestatus.agent.checkpoint import Checkpoint, encode_checkpoint
from devicestatus.deadlines import window_deadline
from devicestatus.models import Window, WindowEvent
from devicestatus.record import encode_record
from devicestatus.responses import WindowStatus
from status_contracts.structuring.converter import unstructure
from support.devicestatus.examples import (
    COVERED_SONG,
    NOON,
    RECEIVED_AT,
    SESSION,
    body,
    event,
    snapshot,
    window,
    window_record,
)
from support.healthapi.health_snapshots import snapshot_value
from support.sitedata.site_versions import body_of

FINGERPRINT: Final = "0" * 64
_MODULUS: Final = 2**61 - 1
"""All multiples of it have one hash, as integers and as floats."""
SHORT: Final = 8192
"""Bytes of a short batch."""
_WRAPPING: Final = 1000
"""Bytes that stand around a window at the most."""
_LEVELS: Final = 2000
"""More than any interpreter's parser recurses into."""


def _filled(start: str, part: str, end: str, size: int) -> bytes:
    space = size - len(start) - len(end)
    return f"{start}{part * (space // len(part))}{end}".encode()


HEAVY_NUMBERS: Final = (
    "1e308",
    "1.7976931348623157e308",
    "5e-324",
    "2.2250738585072011e-308",
    "1.5e-380",
    "1e400",
    "9007199254740993.5",
    "1.00000000000000011102230246251565404e-200",
    "1" * 401,
    f"0.{'0' * 320}1",
)
"""Numbers that parsers take long for: at the ends of the doubles, halfway, or of many digits."""


def in_load(number: str, size: int) -> bytes:
    """Return a batch of that many bytes that has one number over and over as one member."""
    text = valid_window(SHORT).rstrip().decode()
    start, member, end = text.partition('"load_1m":')
    return _filled(start, f"{member}{number},", f"{member}{end}", size)


@cache
def heavy_texts(size: int) -> Mapping[str, bytes]:
    """Return texts of about that many bytes: broken, too deep, or JSON of no shape at all."""
    down, up = "[" * _LEVELS, "]" * _LEVELS
    levels = size // 2
    deep = {
        "brackets open": b"[" * size,
        "names open": _filled("", '{"a":', "", size),
        "brackets closed": b"[" * levels + b"]" * levels,
        "names closed": b'{"a":' * (size // 6 - 1) + b"1" + b"}" * (size // 6 - 1),
        "steps": b"[1," * (size // 4 - 1) + b"1" + b"]" * (size // 4 - 1),
        "numbers below": _filled(down, "1,", f"1{up}", size),
        "texts below": _filled(down, '"",', f"1{up}", size),
        "members below": _filled(down, '{"":1},', f"1{up}", size),
        "twenty steps below": _filled(down, f"{'[1,' * 20}1{']' * 20},", f"1{up}", size),
        "all depths below": _nested(down, (n * n % 97 % 12 for n in range(size)), up, size),
        "numbers that differ below": _listed(down, map(str, range(10, size)), up, size),
        "a long number below": _filled(down, "1,", "9" * (size // 2) + up, size),
        "pairs below": _filled(f'{down}"', "\\ud83d\\ude00", f'"{up}', size),
    }
    flat = {
        "blanks": b" " * size,
        "backslashes": b"\\" * size,
        "backslashes in a text": _filled('"', "\\", "", size),
        "digits": b"9" * size,
        "exponent": b"1e" + b"9" * (size - 2),
        "exponents": _filled("[", "1e999,", "1]", size),
        "long integers": _filled("[", "9" * 399 + ",", "1]", size),
        "long fractions": _filled("[", "1." + "3" * 797 + ",", "1]", size),
        "surrogate pairs": _filled('["', "\\ud83d\\ude00", '",1e999]', size),
        "a lone surrogate at the end": _filled('["', "\\ud83d\\ude00", '\\ud800"]', size),
        "no UTF-8 at the end": _filled('["', "x", "", size) + b"\xff",
        "one name": _filled("{", '"a":1,', '"a":1}', size),
        "names": _listed("{", (f'"{n}":1' for n in range(size)), "}", size),
        "numbers of one hash": _listed("[", map(str, collisions(size)), "]", size),
        "names of numbers": _filled("{", '"a":{"b":[1]},', '"a":1}', size),
    }
    return {name: text[:size] for name, text in (flat | deep).items()}


def collisions(count: int) -> Iterator[int | float]:
    """Return different numbers, integers and floats in turn, that all have one hash."""
    for number in range(1, count):
        yield _MODULUS * number if number % 2 else float(_MODULUS * 2**10) * number


def _listed(start: str, parts: Iterator[str], end: str, size: int) -> bytes:
    left = [size - len(start) - len(end)]

    def fits(part: str) -> bool:
        left[0] -= len(part) + 1
        return left[0] > 0

    return f"{start}{','.join(takewhile(fits, parts))}{end}".encode()


def _nested(start: str, depths: Iterator[int], end: str, size: int) -> bytes:
    return _listed(start, ("[" * depth + "1" + "]" * depth for depth in depths), end, size)


def in_members(sound: bytes, size: int) -> dict[str, bytes]:
    """Return a valid body with one list or map after the other full of what it must not hold.

    They are those of the first two levels; numbers of one hash, small bad items, empty and faulty
    objects, and one name many times stand in each.
    """
    value = json.loads(sound)
    fillings = {
        "numbers of one hash": _listed("[", map(str, collisions(size)), "]", size),
        "small items": _filled("[", "1,", "1]", size),
        "empty objects": _filled("[", "{},", "1]", size),
        "faulty objects": _filled("[", '{"seq":1,"at":"x"},', "1]", size),
        "one name": _filled("{", '"a":1,', '"a":1}', size),
    }
    found = {}
    hollow = {name: [] if isinstance(each, list) else each for name, each in value.items()}
    for path in _lists_of(value, 2):
        start, _, end = json.dumps(_put(hollow, path, "@")).partition('"@"')
        for name, filling in fillings.items():
            found[f"{name} in {'/'.join(path)}"] = start.encode() + filling + end.encode()
    return found


def _lists_of(value: Any, depth: int) -> Iterator[list[str]]:
    if isinstance(value, dict) and depth:
        for name, member in value.items():
            if isinstance(member, list | dict):
                yield [name]
            yield from ([name, *path] for path in _lists_of(member, depth - 1))


def _put(value: Any, path: list[str], member: object) -> Any:
    first, *rest = path
    return {**value, first: _put(value[first], rest, member) if rest else member}


def _padded(text: bytes, size: int) -> bytes:
    assert len(text) <= size
    return text + b" " * (size - len(text))


@cache
def _busy_window(size: int) -> Window:
    """Return a window of nearly that many bytes, if its 2048 events are enough: all with a song."""
    baseline = snapshot(music=COVERED_SONG, running_apps=tuple(f"App {n}" for n in range(64)))
    space = size - len(body(window(baseline=baseline))) - _WRAPPING
    count = min(space // (len(body(window(events=_songs(2048)))) // 2048 + 4), 2048)
    return window(events=_songs(count), baseline=baseline)


def _songs(count: int) -> tuple[WindowEvent, ...]:
    return tuple(event(number + 1, NOON + number, music=COVERED_SONG) for number in range(count))


@cache
def valid_window(size: int) -> bytes:
    """Return a batch, received at `RECEIVED_AT`."""
    return _padded(body(_busy_window(size)), size)


def valid_snapshot(size: int) -> bytes:
    """Return a snapshot collected at `NOON`."""
    return _padded(body(_busy_window(size).baseline), size)


def valid_record(size: int) -> bytes:
    """Return a stored window."""
    return _padded(encode_record(window_record(_busy_window(size))), size)


def valid_timeline(size: int) -> bytes:
    """Return an answer of the timeline, answered at `RECEIVED_AT`."""
    held = _busy_window(size)
    deadline = window_deadline(held.window_end)
    answer = WindowStatus(
        server_time=RECEIVED_AT, updated_at=RECEIVED_AT, expires_at=deadline, window=held
    )
    return _padded(body(unstructure(answer)), size)


def valid_checkpoint(size: int) -> bytes:
    """Return a checkpoint of the rules with `FINGERPRINT`, saved at `RECEIVED_AT`."""
    held = _busy_window(size)
    at_rest = Checkpoint(
        saved_at=RECEIVED_AT,
        fingerprint=FINGERPRINT,
        session_id=SESSION,
        batch_seq=0,
        seq=len(held.events),
        window=held,
        ahead=(),
    )
    return _padded(encode_checkpoint(at_rest), size)


def valid_account(size: int) -> bytes:
    """Return an account snapshot, its log of weights as long as there is space."""
    value = snapshot_value()
    logs = value["endpoints"]["weight_log_recent"]["data"]["weight"]
    more = (size - len(json.dumps(value)) - 100) // (len(json.dumps(logs[0])) + 2)
    logs += [logs[0]] * (more // 2)
    return _padded(json.dumps(value).encode(), size)


def valid_site(size: int) -> bytes:
    """Return a snapshot of a repository; half of it is members that this version does not know."""
    one = len(body_of(1, problems=2)) - len(body_of(1, problems=1))
    sound = body_of(1, problems=size // 2 // (one + 16))
    later = _listed("{", (f'"later {n}":1' for n in range(size)), ",", size // 2 - _WRAPPING)
    return _padded(later + sound.removeprefix(b"{"), size)
