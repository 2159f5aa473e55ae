"""Write numbers, durations and times as text, and place texts on one line without overlap."""

from collections.abc import Iterable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Final, Literal

import attrs

from status_contracts.instants import DAY_MS, MINUTE_MS, SECOND_MS, format_instant
from status_contracts.svg.text import text_width, truncate, xml_text

Anchor = Literal["start", "middle", "end"]

MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

_TENTH: Final = Decimal("0.1")
_WHOLE_FROM: Final = 2**53  # floating-point numbers from here on have no decimals
_ANCHORS: Final[dict[Anchor, float]] = {"start": 0, "middle": 0.5, "end": 1}  # in text widths
_SHORT_LENGTH: Final = 60  # code points of a text inside a title or description
_HOUR_MINUTES: Final = 60
_TIME: Final = slice(len("YYYY-MM-DDT"), len("YYYY-MM-DDTHH:MM:SS"))
_MINUTE_LENGTH: Final = len("HH:MM")


def format_number(value: float) -> str:
    """Write a number with at most one decimal: `7.5`, `12`, `31,170`, `0`.

    A half is rounded away from zero, as written: 0.25 is `0.3`.  `page.formatNumber` of the shared
    script writes the same.
    """
    number = Decimal(str(value))
    if abs(value) >= _WHOLE_FROM:
        return f"{number:,.0f}"
    rounded = number.quantize(_TENTH, ROUND_HALF_UP)
    text = f"{rounded:,}".removesuffix(".0")
    return "0" if text == "-0" else text


def shorten(text: str) -> str:
    """Cut a text for use inside a title or description: at most 60 code points."""
    return truncate(text, _SHORT_LENGTH, _SHORT_LENGTH - 1)


def format_duration(length_ms: int) -> str:
    """Write a duration: `350 ms`, `3 s`, `8 min 10 s`, `1 h 05 min`, from two days `9 days`.

    Seconds are rounded, a half up, as `times.formatDuration` of the status page rounds them.
    """
    if length_ms < SECOND_MS:
        return f"{length_ms} ms"
    if length_ms >= 2 * DAY_MS:
        return f"{length_ms // DAY_MS:,} days"
    minutes, seconds = divmod((length_ms + SECOND_MS // 2) // SECOND_MS, 60)
    if minutes >= _HOUR_MINUTES:
        return format_minutes(minutes)
    return " ".join(f"{n} {unit}" for n, unit in ((minutes, "min"), (seconds, "s")) if n)


def format_minutes(minutes: int) -> str:
    """Write minutes as hours and minutes: `6 h 06 min`, `54 min`."""
    hours, rest = divmod(abs(minutes), 60)
    sign = "-" if minutes < 0 else ""
    return f"{sign}{hours:,} h {rest:02} min" if hours else f"{sign}{rest} min"


def format_day(day: date, *, has_year: bool = True) -> str:
    """Write a day: `9 Jan 2026`, `9 Jan`."""
    return f"{day.day} {MONTHS[day.month - 1][:3]}{f' {day.year:04}' if has_year else ''}"


def format_month(day: date) -> str:
    """Write the month of a day on an axis: `Feb`; January as the year: `2026`."""
    return f"{day.year:04}" if day.month == 1 else MONTHS[day.month - 1][:3]


def format_time(instant: int, step_ms: int = SECOND_MS) -> str:
    """Write a time of day (UTC), with seconds where multiples of a step need them."""
    time = format_instant(instant)[_TIME]
    return time if step_ms % MINUTE_MS else time[:_MINUTE_LENGTH]


@attrs.frozen
class Label:
    """A text on a line: `x` is the px of its start, middle or end."""

    text: str
    x: float
    anchor: Anchor = "start"

    def span(self, font_size: float) -> tuple[float, float]:
        """Return the px at which the text starts and ends."""
        width = text_width(self.text, font_size)
        left = self.x - _ANCHORS[self.anchor] * width
        return left, left + width


def place_labels(labels: Iterable[Label], font_size: float, spacing: float) -> list[Label]:
    """Return the labels that keep a distance of `spacing` px to each one accepted before."""
    placed, taken = list[Label](), list[tuple[float, float]]()
    for label in labels:
        left, right = label.span(font_size)
        if all(right + spacing <= start or end + spacing <= left for start, end in taken):
            taken.append((left, right))
            placed.append(label)
    return placed


def write_labels(labels: Iterable[Label], y: float) -> str:
    """Write labels that have text as SVG with the base line `y`."""
    written = ""
    for label in (one for one in labels if one.text):
        anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
        written += f'<text x="{label.x:g}" y="{y:g}"{anchor}>{xml_text(label.text)}</text>'
    return written
