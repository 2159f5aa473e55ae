"""Map values to whole px on a linear scale, with integer arithmetic."""

from collections.abc import Iterable

__all__ = ["positions"]


def positions(values: Iterable[int], first: int, last: int, length: int) -> list[int]:
    """Return the distance of each value from the start of a scale, rounded half up.

    Args:
        values: from `first` to `last`.
        first: the value at the distance 0.
        last: the value at the distance `length`; where it equals `first`, every value lies in the
            middle.
        length: of the scale, in px or any smaller unit.

    """
    span = last - first
    if not span:
        return [length // 2 for _ in values]
    slope, divisor = 2 * length, 2 * span
    offset = span - slope * first  # adds a half before the division
    return [(slope * value + offset) // divisor for value in values]
