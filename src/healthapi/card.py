"""Draw the card of a profile: 480 x 160 px with three metrics, for a README or another page.

The card states the last day with data, so that it stays true for readers who come later.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

import attrs

from healthapi.catalog_keys import CARD_METRICS
from healthapi.charts.lines import ON_DARK, UNITS, Line, Plot, build_plot, lines_of, parse_periods
from healthapi.derived.cards import Card
from healthapi.derived.statistics import GROWING, find_scale
from healthapi.profile import Profile
from healthapi.views.standing import Standing, build_standings, name_of, say
from purewire.svg.card import Card as CardContent
from purewire.svg.card import draw_card as draw_content
from purewire.svg.image import MEDIUM, Box, Frame
from purewire.svg.labels import Label, format_day, wrap, write_labels
from purewire.svg.palette import Theme
from purewire.svg.text import BOLD, fit, text_width

__all__ = ["MAX_METRICS", "check_metrics", "draw_card"]

MAX_METRICS: Final = 3
"""Metrics of a card."""
_TITLE: Final = "Health"
_DAYS: Final = 30  # with data, of the small line of a metric
_GAP: Final = 12  # px between two metrics
_SENTENCE: Final = 378  # px for a line of the sentence
_NUMBER: Final = 22  # font size
_LINE: Final = Box(94, 16, 132, 38)  # of the small line, in its metric
_STROKE: Final = 1.5


@attrs.frozen
class _Entry:
    """The texts of a metric, and its line of the last days."""

    name: str
    number: str
    unit: str
    note: str
    line: Line | None

    def __str__(self) -> str:
        value = " ".join(filter(None, (self.number, self.unit)))
        return f"{self.name} {value}{f', {self.note}' if self.note else ''}."


def check_metrics(metrics: Sequence[str]) -> None:
    """Raise ValueError unless these are the keys of up to `MAX_METRICS` different metric cards."""
    has_known = set(metrics) <= set(CARD_METRICS) and len(set(metrics)) == len(metrics)
    if not has_known or len(metrics) > MAX_METRICS:
        known = ", ".join(CARD_METRICS)
        listed = ", ".join(metrics)
        raise ValueError(f"expected at most {MAX_METRICS} of {known}; found {listed}")


def draw_card(
    profile: Profile,
    metrics: Sequence[str] = (),
    *,
    name: str = "",
    avatar: str | None = None,
    theme: Theme = "light",
) -> bytes:
    """Draw the card of a profile as an SVG image, UTF-8.

    Args:
        profile: whose last day with data is shown.
        metrics: up to `MAX_METRICS` keys of metric cards; without any, the first ones of sleep,
            steps, resting heart rate and all others that have a value.
        name: of the owner; the display name by default.
        avatar: a data URL of an image.
        theme: on white, on a dark page, or without background.

    Raises ValueError for other or too many metrics, and for another theme.

    """
    check_metrics(metrics)
    shown_name = name or profile.person.display_name
    day = profile.overview.latest_date
    if day is None:
        text = "No days with data yet"
        empty = CardContent(shown_name, (text,), f"{_TITLE}: {text}.", _draw_nothing, avatar=avatar)
        return draw_content(empty, theme)
    is_partial = bool(profile.partial_periods("daily"))
    standings = build_standings(profile.daily, is_partial=is_partial)
    sentence = say(standings, day)
    chosen = metrics or _default_metrics(profile)
    series = profile.series("daily", chosen, _DAYS)
    lines = {line.metric.key: line for line in lines_of(series)[0]}
    if theme == "dark":
        lines = {key: attrs.evolve(line, color=ON_DARK[line.color]) for key, line in lines.items()}
    entries = [
        _entry(card, standing, lines[card.key], day, is_partial=is_partial)
        for key in chosen
        for card, standing in zip(profile.cards, standings, strict=True)
        if card.key == key
    ]
    plot = build_plot(
        parse_periods(series.labels, "daily"), MAX_METRICS, _LINE.width, has_means=False
    )
    score = profile.overview.recovery_score
    first, *more = wrap(sentence.now.split(", "), MEDIUM.text, _SENTENCE)
    recovery = () if score is None else (f"Recovery {score}, {profile.overview.recovery_label}",)
    description = " ".join((sentence.then, *(f"{part}." for part in recovery), *map(str, entries)))
    drawn = partial(_draw_entries, entries, plot)
    content = CardContent(
        shown_name,
        (f"{first},", *more[:1]) if more else (first, *recovery),
        description,
        drawn,
        format_day(day),
        avatar,
    )
    return draw_content(content, theme)


def _default_metrics(profile: Profile) -> tuple[str, ...]:
    keys = dict.fromkeys(("sleep_hours", "steps", "rhr", *CARD_METRICS))
    known = {card.key for card in profile.cards if card.latest is not None}
    return tuple(key for key in keys if key in known)[:MAX_METRICS]


def _entry(card: Card, standing: Standing, line: Line, day: str, *, is_partial: bool) -> _Entry:
    label = name_of(standing.metric)
    name = f"{label[0].upper()}{label[1:]}"
    if card.latest is None or card.latest_date is None:
        return _Entry(name, "", "no data", "", None)
    usual = standing.usual
    unit = "" if card.unit == label else card.unit
    if card.latest_date != day:
        note = f"on {format_day(card.latest_date)}"
    elif is_partial and card.key in GROWING:
        note = "so far"
    else:
        note = "" if usual is None else f"usual {usual.text}"
    scale = find_scale(line.present)
    if scale is not None:  # a day far outside would flatten the others
        values = [
            None if value is None else min(max(value, scale.low), scale.high)
            for value in line.values
        ]
        present = [value for value in values if value is not None]
        line = attrs.evolve(line, values=values, present=present)
    number = standing.metric.format_value(card.latest)
    return _Entry(name, number, unit, note, line if len(line.present) > 1 else None)


def _draw_nothing(_box: Box, _frame: Frame) -> str:
    return ""


def _draw_entries(entries: Sequence[_Entry], plot: Plot, box: Box, frame: Frame) -> str:
    width = (box.width - (MAX_METRICS - 1) * _GAP) // MAX_METRICS
    lefts = range(box.left, box.right, width + _GAP)
    return "".join(
        _draw_entry(entry, left, width, box, plot, frame)
        for entry, left in zip(entries, lefts, strict=False)
    )


def _draw_entry(entry: _Entry, x: int, width: int, box: Box, plot: Plot, frame: Frame) -> str:
    """Write the name, the number with its unit and the note below each other; draw the line."""
    size, number_y = frame.style.text, box.top + _LINE.bottom - 2
    labels = [(Label(fit(entry.name, size, width), x), box.top + size)]
    number, end = "", x
    if entry.number:
        end += round(text_width(entry.number, _NUMBER) * BOLD) + 5
        number = (
            f'<text x="{x}" y="{number_y}" font-size="{_NUMBER}" font-weight="bold"'
            f' fill="{frame.paper.title}"{frame.paper.edge}>{entry.number}</text>'
        )
    labels += (Label(entry.unit, end), number_y), (Label(entry.note, x), box.top + 57)
    written = "".join(write_labels([label], y) for label, y in labels if label.text)
    drawn = frame.text(written) + number
    if entry.line is None or end + text_width(entry.unit, size) > x + _LINE.left - frame.style.gap:
        return drawn
    line = plot.draw_line(entry.line, _LINE.height, _STROKE)
    place = f"translate({x + _LINE.left} {box.top + _LINE.top})scale({1 / UNITS:g})"
    return f'{drawn}<g transform="{place}">{line}</g>'
