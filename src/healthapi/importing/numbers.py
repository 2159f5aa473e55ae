"""Parse the numbers of an export, and write those of the tables.

Numbers stand in JSON as numbers or as text, in CSV as text.
"""

from healthapi.rows.cells import Unreadable, decimal


def number(value: object) -> float | None:
    """Return a number; None for one that is blank, not a number, or beyond 2**53."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return decimal(str(value))
    except Unreadable:
        return None


def whole_text(value: float | None) -> str:
    """Return a number rounded half to even, without a fraction; blank for None."""
    return "" if value is None else str(round(value))


def number_text(value: float | None) -> str:
    """Return a number in the shortest form that reads back as the same number; blank for None."""
    if value is None:
        return ""
    return str(round(value)) if value == round(value) else repr(value)
