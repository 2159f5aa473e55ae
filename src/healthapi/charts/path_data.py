"""Path data of a line: whole numbers, each step relative to the one before.

Invariant *short*: a column takes at most two commands, one to its nearer end and one to the other;
a plus sign parts two numbers as well as a space does.
Invariant *dots*: a value that hangs together with no other is a path without length, which round
line ends draw as a dot.
"""

from collections.abc import Sequence
from itertools import chain, pairwise

__all__ = ["dot", "line"]


def dot(place: int, height: int) -> str:
    """Write a dot."""
    return f"M{place} {height}h0"


def line(places: Sequence[int], tops: Sequence[int], feet: Sequence[int]) -> str:
    """Write a line through columns from left to right.

    Heights count downwards: the top of a column is at most its foot.  The line leaves the first
    column at the end that is nearer to the second.
    """
    across = [after - before for before, after in pairwise(places)]
    if tops == feet:
        down = (after - before for before, after in pairwise(tops))
        moves = chain.from_iterable(zip(across, down, strict=True))
        return f"M{places[0]} {tops[0]}" + "l%d%+d" * len(across) % tuple(moves)
    start, y = tops[0], feet[0]
    if across and tops[1] + feet[1] < start + y:
        start, y = y, start
    numbers = [places[0], start, y - start]
    for step, top, foot in zip(across, tops[1:], feet[1:], strict=True):
        if y + y <= top + foot:
            numbers += step, top - y, foot - top
            y = foot
        else:
            numbers += step, foot - y, top - foot
            y = top
    return ("M%d %dv%d" + "l%d%+dv%d" * len(across)) % tuple(numbers)
