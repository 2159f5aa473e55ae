"""Map values to whole px on a linear scale, with integer arithmetic."""

from collections.abc import Iterable

import attrs


@attrs.frozen
class Scale:
    """A linear scale from values to places in px, or in any smaller unit.

    Attributes:
        first: the value at `start`.
        last: the value at `end`; where it equals `first`, every value lies in the middle.
        start: the place of the first value.
        end: the place of the last value.

    """

    first: int
    last: int
    start: int
    end: int

    def places(self, values: Iterable[int]) -> list[int]:
        """Return the place of each value from `first` to `last`, rounded half up."""
        span, length = self.last - self.first, self.end - self.start
        if not span:
            return [self.start + length // 2 for _ in values]
        slope, divisor = 2 * length, 2 * span
        # adds the start, and a half before the division
        offset = divisor * self.start + span - slope * self.first
        return [(slope * value + offset) // divisor for value in values]

    def place(self, value: int) -> int:
        """Return the place of one value."""
        return self.places([value])[0]

    def columns(self, first: int, last: int, least: int = 1) -> range:
        """Return the columns, each one px or unit wide, of a span of values: at least `least`."""
        left = min(self.place(first), self.end - least)
        return range(left, max(self.place(last), left + least))
