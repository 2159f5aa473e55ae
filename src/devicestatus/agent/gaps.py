"""The gaps of a sliding window: added in any order, kept sorted, disjoint and limited in number.

Invariant *disjoint*: gaps never overlap or touch; those that would are merged into one, whose
reason is theirs where they agree and `collection` where they do not.
Invariant *limited*: there are never more than 128 gaps; the oldest two are merged into one that
spans both, with its reason by the same rule.
Contract: DS-AGENT-08, DS-AGENT-09.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final

import attrs

from devicestatus import limits
from devicestatus.models.window import GapReason, WindowGap
from purewire.instants import FIRST_INSTANT, LAST_INSTANT

_START: Final = attrgetter("start_at")
_END: Final = attrgetter("end_at")


@attrs.define(eq=False)
class GapList:
    """Half-open intervals in which nothing was observed; some may begin after the window."""

    _gaps: list[WindowGap] = attrs.field(factory=list, init=False)

    @classmethod
    def from_gaps(cls, gaps: Iterable[WindowGap]) -> "GapList":
        """Return a list to which the gaps were added in their order."""
        found = cls()
        for gap in gaps:
            found.add(gap)
        return found

    def __len__(self) -> int:
        return len(self._gaps)

    def add(self, gap: WindowGap) -> None:
        """Add a gap, clipped to the range of timestamps; an empty one is ignored."""
        start, end = max(gap.start_at, FIRST_INSTANT), min(gap.end_at, LAST_INSTANT)
        if start >= end:
            return
        first = bisect_left(self._gaps, start, key=_END)
        after = bisect_right(self._gaps, end, lo=first, key=_START)
        touched = [*self._gaps[first:after], WindowGap(start, end, gap.reason)]
        self._gaps[first:after] = [_merged(touched)]
        if len(self._gaps) > limits.WINDOW_GAPS:
            self._gaps[:2] = [_merged(self._gaps[:2])]

    def discard_before(self, start: int) -> None:
        """Discard the gaps that end at or before the start of the window."""
        del self._gaps[: bisect_right(self._gaps, start, key=_END)]

    def within(self, start: int, end: int) -> tuple[WindowGap, ...]:
        """Return the gaps clipped to an interval."""
        clipped = (
            WindowGap(max(gap.start_at, start), min(gap.end_at, end), gap.reason)
            for gap in self._gaps
        )
        return tuple(gap for gap in clipped if gap.start_at < gap.end_at)


def _merged(gaps: Sequence[WindowGap]) -> WindowGap:
    reasons = {gap.reason for gap in gaps}
    reason: GapReason = reasons.pop() if len(reasons) == 1 else "collection"
    return WindowGap(min(map(_START, gaps)), max(map(_END, gaps)), reason)
