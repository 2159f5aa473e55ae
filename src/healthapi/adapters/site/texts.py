"""Format days and values as the script of the page does."""

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["day_text", "value_text"]

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)

_WHOLE_UNITS: Final = frozenset({"steps", "min", "kcal"})
"""Units of metrics that are counted; their means are shown as whole numbers, too."""


def day_text(day: str) -> str:
    """Return a day like `2026-01-31` as text like `31 January 2026`."""
    year, month, number = map(int, day.split("-"))
    return f"{number} {_MONTHS[month - 1]} {year}"


def value_text(card: Mapping[str, Any], member: str) -> str:
    """Return a value of a metric card with its unit, which is left out where the label has it."""
    digits = 0 if card["unit"] in _WHOLE_UNITS else 1
    number = f"{card[member]:,.{digits}f}".removesuffix(".0")
    is_named = card["unit"] == card["label"].lower()
    return number if is_named else f"{number} {card['unit']}"
