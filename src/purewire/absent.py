"""The sentinel for absent members, which are not null.

Invariant *absent is not null*: a missing member of a JSON object is `ABSENT`, a null member is
`None`; a round trip through bytes keeps the difference.
"""

from enum import Enum
from typing import Final, Literal


class Absent(Enum):
    """The type of the single value `ABSENT`; type checkers narrow `X | Absent` with `is ABSENT`."""

    ABSENT = 0

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent.ABSENT
