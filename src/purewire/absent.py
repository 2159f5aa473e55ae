"""The sentinel for "not given", which is not null.

Invariant *absent is not null*: a member that a JSON object does not have is `ABSENT`, a member
that is there and null is `None`; a round trip through bytes keeps the two apart.
"""

from enum import Enum
from typing import Final, Literal

__all__ = ["ABSENT", "Absent"]


class Absent(Enum):
    """The type of the one value `ABSENT`; type checkers narrow `X | Absent` with `is ABSENT`."""

    ABSENT = 0

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent.ABSENT
