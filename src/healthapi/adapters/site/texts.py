"""Format values as the script of the page does."""

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["value_text"]

_WHOLE_UNITS: Final = frozenset({"steps", "min", "kcal"})
"""Units of metrics that are counted; their means are shown as whole numbers, too."""


def value_text(card: Mapping[str, Any], member: str) -> str:
    """Return a value of a metric card with its unit, which is left out where the label has it."""
    digits = 0 if card["unit"] in _WHOLE_UNITS else 1
    number = f"{card[member]:,.{digits}f}".removesuffix(".0")
    is_named = card["unit"] == card["label"].lower()
    return number if is_named else f"{number} {card['unit']}"
