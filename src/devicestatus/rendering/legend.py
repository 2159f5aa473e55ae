"""The legend of a picture: the apps that were longest in front, and for how long.

Invariant *longest first*: the four apps that were longest in front are named, in order; of equals
the one that came first.  All others, and the app that stands for private ones, are one entry
without a colour.
Invariant *two rows*: entries that would need more rows are left out, and so is what they say.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Final

import attrs

from devicestatus.engine.intervals import Interval
from devicestatus.models.snapshot import SENSITIVE_APP
from devicestatus.rendering.labels import cut, duration
from devicestatus.rendering.layout import Layout
from devicestatus.rendering.palette import APPS, OTHER, Paper, colour_number
from purewire.svg.text import width, xml_text

__all__ = ["Times", "app_ink", "legend", "times_of"]

_NAMED: Final = 4
_ROWS: Final = 2
_SQUARE: Final = 5  # px between a square and its words
_APART: Final = 16  # px between two entries


@attrs.frozen(repr=False)
class Times:
    """How long each app was in front, in ms, and which of them are named."""

    durations: Mapping[str, int]
    named: Sequence[str]

    @property
    def others(self) -> int:
        """How long all apps that are not named were in front, ms."""
        return sum(time for app, time in self.durations.items() if app not in self.named)


def app_ink(app: str) -> str:
    """Return the ink of an app, by its name; that of private ones is the ink of all else."""
    return OTHER if app == SENSITIVE_APP else APPS[colour_number(app)]


def times_of(found: Iterable[Interval[str | None]]) -> Times:
    """Add up how long each app was in front, longest first."""
    durations: dict[str, int] = {}
    for each in found:
        if each.value is not None:
            durations[each.value] = durations.get(each.value, 0) + each.duration
    ranked = dict(sorted(durations.items(), key=lambda each: -each[1]))
    named = [app for app in ranked if app != SENSITIVE_APP]
    return Times(ranked, named[:_NAMED])


def legend(times: Times, y: int, place: Layout, paper: Paper) -> tuple[str, int]:
    """Write the entries from the base line `y` on; gives how many rows there are as well."""
    size, left = place.style.text, place.style.margin
    entries: list[tuple[str | None, str, int]] = [
        (app_ink(app), app, times.durations[app]) for app in times.named
    ]
    if times.others:
        entries.append((None, "others", times.others))
    parts: list[str] = []
    x, row = left, 0
    for ink, name, time in entries:
        words = duration(time)
        room = (place.right - left) / 2 - width(f"x {words}", size)
        shown = cut(name, size, room) or "…"
        start = 0 if ink is None else size + _SQUARE
        wide = start + ceil(width(f"{shown} {words}", size))
        if x + wide > place.right and x > left:
            x, row = left, row + 1
        if row == _ROWS:
            break
        line = y + row * place.style.row
        if ink is not None:
            parts.append(
                f'<rect x="{x}" y="{line - size + 1}" width="{size}" height="{size}" rx="2"'
                f' fill="{ink}"/>'
            )
        parts.append(
            f'<text x="{x + start}" y="{line}">'
            f'{xml_text(shown)}</text><text x="{x + wide}" y="{line}" text-anchor="end"'
            f' fill="{paper.title}">{words}</text>'
        )
        x += wide + _APART
    rows = min(row + 1, _ROWS) if parts else 0
    return f'<g fill="{paper.words}">{"".join(parts)}</g>', rows
