"""Draw a card of a snapshot, for a profile or a README: totals and a year as a heat map."""

from functools import partial

from purewire.instants import format_instant
from purewire.svg.card import Card, draw_card
from purewire.svg.image import Box, Frame
from purewire.svg.labels import Label, format_day, write_labels
from purewire.svg.palette import FILLS, Theme
from purewire.text import plural
from sitedata.reading.models import Snapshot
from sitedata.views.calendar import calendar_to_show
from sitedata.views.heatmap import (
    YEAR_WEEKS,
    Grid,
    Heat,
    build_heat,
    draw_squares,
    empty_text,
    format_things,
)
from sitedata.views.selecting import counts

_CELL, _STEP = 7, 8  # px
_LANGUAGES = 3


def card(
    snapshot: Snapshot, *, name: str = "", avatar: str | None = None, theme: Theme = "light"
) -> bytes:
    """Draw a snapshot as an SVG image of 480 x 160 px, UTF-8.

    Args:
        snapshot: the snapshot; its contributions are counted, or without any its problems.
        name: of the owner, any text, cut where it is too long; "" for owner and name of the
            repository.
        avatar: data URL of a PNG, JPEG, GIF or WebP image; None for the initial of the name.
        theme: on white, on a dark background, or without background and readable on both.

    Raises ValueError for another URL or theme.

    """
    repository, calendar = snapshot.repository, calendar_to_show(snapshot)
    heat = build_heat(calendar, until=None, weeks=YEAR_WEEKS)
    if heat is None:
        activity = about = empty_text(calendar.unit)
        draw = partial(_draw_text, text=activity)
    else:
        longest = max(streak.days for streak in calendar.streaks)
        total = format_things(sum(month.total for month in heat.months), heat.unit)
        activity = f"{total} in twelve months, longest streak {plural(longest, 'day')}"
        about = " ".join(f"{heat.describe(month)}." for month in heat.months)
        draw = partial(_draw_heat, heat=heat, fills=FILLS[theme])
    lines = (_solved(snapshot), activity)
    day = format_day(format_instant(snapshot.generated_at)[: len("YYYY-MM-DD")])
    shown = name or f"{repository.owner}/{repository.name}"
    return draw_card(Card(shown, lines, ". ".join((*lines, about)), draw, day, avatar), theme)


def _solved(snapshot: Snapshot) -> str:
    """Return the number of problems and the languages, the most used first."""
    counted = counts(snapshot.problems)
    solved = f"{format_things(counted.total, 'problem')} solved"
    first, others = list(counted.languages)[:_LANGUAGES], len(counted.languages) - _LANGUAGES
    more = f" and {others} more" if others > 0 else ""
    return f"{solved} in {', '.join(first)}{more}" if first else solved


def _draw_text(box: Box, frame: Frame, *, text: str) -> str:
    y = frame.style.base_line(box.top, box.height)
    return frame.text(write_labels([Label(text, box.left)], y))


def _draw_heat(box: Box, frame: Frame, *, heat: Heat, fills: tuple[tuple[str, str], ...]) -> str:
    """Draw the squares of a year over the width of the box."""
    grid = Grid(_CELL, _STEP, YEAR_WEEKS, 1, 0, 0, frame.style, fills)
    scale = (box.right - box.left) / (YEAR_WEEKS * _STEP - _STEP + _CELL)
    place = f"translate({box.left} {box.top + 6}) scale({scale:.4f})"
    return f'<g transform="{place}">{draw_squares(heat, grid)}</g>'
