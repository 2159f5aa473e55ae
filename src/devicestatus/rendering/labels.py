"""What a picture of a window says: times of day, durations, amounts, and texts cut to their room.

Invariant *any text*: whatever a text holds, the result is XML, stays inside its room and takes no
more work than the room allows; a renderer that draws it wider clips it.
"""

from bisect import bisect_right
from typing import Final

import attrs

from purewire.instants import MINUTE_MS, SECOND_MS, format_instant
from purewire.svg.text import truncate, width, xml_text

__all__ = [
    "Box",
    "amount",
    "brief",
    "clipped",
    "clock",
    "count",
    "cut",
    "duration",
    "during",
    "fineness",
    "span",
]

_NARROWEST: Final = 3.0  # px: an i in the smallest letters
_SHORTEST: Final = 4  # code points: of a longer text, less says nothing
_BRIEF: Final = 60  # code points of a text in titles and descriptions
_PAD: Final = 4  # px left and right of words in a box
_HOUR_MS: Final = 60 * MINUTE_MS
_FINE_MS: Final = 10 * SECOND_MS  # what is shorter is told to the millisecond
_DAY: Final = slice(len("YYYY-MM-DD"))
_TIME: Final = slice(len("YYYY-MM-DDT"), -1)
_LENGTHS: Final = ((MINUTE_MS, len("HH:MM")), (SECOND_MS, len("HH:MM:SS")))


@attrs.frozen
class Box:
    """Where something stands, px."""

    x: int
    y: int
    width: int
    height: int


def clock(instant: int, step: int) -> str:
    """Write a time of day (UTC), as finely as steps of so many ms ask for."""
    time = format_instant(instant)[_TIME]
    return next((time[:length] for unit, length in _LENGTHS if step % unit == 0), time)


def span(start: int, end: int) -> str:
    """Write days and times: `2026-01-01, 12:00:00 to 12:15:00 UTC`."""
    first, last = _clocks(start, end)
    day, other = (format_instant(instant)[_DAY] for instant in (start, end))
    return f"{day}, {first} to {last if day == other else f'{other}, {last}'} UTC"


def during(start: int, end: int) -> str:
    """Write times and how long: `12:00:00 to 12:15:00 (15 min)`."""
    first, last = _clocks(start, end)
    return f"{first} to {last} ({duration(end - start)})"


def _clocks(start: int, end: int) -> tuple[str, str]:
    step = fineness(end - start)
    return clock(start, step), clock(end, step)


def fineness(length: int) -> int:
    """Give the step in ms in which times are told of what lasts so many ms."""
    return SECOND_MS if length >= _FINE_MS else 1


def duration(length: int) -> str:
    """Write a length of time in at most two units: `350 ms`, `2.5 s`, `8 min 10 s`, `1 h 5 min`."""
    if length < SECOND_MS:
        return f"{length} ms"
    if length < _FINE_MS:
        return f"{amount(length // 100 / 10)} s"
    whole, part = "min", "s"
    large, small = divmod(length // SECOND_MS, 60)
    if length >= _HOUR_MS:
        whole, part = "h", "min"
        large, small = divmod(large, 60)
    pieces = (f"{number} {unit}" for number, unit in ((large, whole), (small, part)) if number)
    return " ".join(pieces)


def amount(value: float) -> str:
    """Write a number with at most one decimal: `1.5`, `82`."""
    return f"{value:.1f}".removesuffix(".0")


def count(number: int, thing: str) -> str:
    """Write how many things there are: `1 gap`, `2 gaps`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def brief(text: str) -> str:
    """Give the text, or as much of it as belongs in a sentence, and an ellipsis."""
    return truncate(text, _BRIEF, _BRIEF - 1)


def cut(text: str, size: int, room: float) -> str:
    """Give as much of a text as has room in px; nothing where that is too little to say a thing."""
    most = int(max(room, 0) / _NARROWEST) + 1
    short = text[:most]
    if short == text and width(text, size) <= room:
        return text
    # whatever bisect gives was tried: a cut that joins letters may hide a longer one that fits
    tried = range(_SHORTEST - 1, len(short) + 1)
    keep = bisect_right(tried, room, key=lambda kept: width(_ended(short, kept), size))
    return _ended(short, tried[keep - 1]) if keep else ""


def _ended(text: str, keep: int) -> str:
    return f"{text[:keep].rstrip()}…"


def clipped(text: str, size: int, box: Box, fill: str) -> str:
    """Write a text into a box and clip it there; nothing where the box is too narrow for it."""
    shown = cut(text, size, box.width - 2 * _PAD)
    if not shown:
        return ""
    return (
        f'<svg x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}"'
        f' overflow="hidden"><text x="{_PAD}" y="{box.height / 2 + size * 0.36:g}" fill="{fill}">'
        f"{xml_text(shown)}</text></svg>"
    )
