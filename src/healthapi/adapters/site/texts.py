"""Format days and values as the script of the page does."""

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["day_text", "value_text"]

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)


def day_text(day: str) -> str:
    """Return a day like `2026-01-31` as text like `31 January 2026`."""
    year, month, number = map(int, day.split("-"))
    return f"{number} {_MONTHS[month - 1]} {year}"


def value_text(card: Mapping[str, Any], member: str) -> str:
    """Return a value of a metric card with its unit, which is left out where the label has it."""
    number = f"{card[member]:,.1f}".removesuffix(".0")
    is_named = card["unit"] == card["label"].lower()
    return number if is_named else f"{number} {card['unit']}"
