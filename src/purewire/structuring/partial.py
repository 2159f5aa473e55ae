"""What is kept of a value that is at fault: its sound parts, and a mark for all others.

They are a module of their own, so that who judges models need not import what reads values.
"""

from collections.abc import Iterator
from typing import Any, Final

__all__ = ["MISSING", "Missing", "Partial", "Settled"]


class Missing:
    """The type of `MISSING`: a member or item that is faulty or not there.

    Its members are `MISSING` as well, and it has no items.
    """

    def __getattr__(self, name: str) -> "Missing":
        return self

    def __iter__(self) -> Iterator[object]:
        return iter(())

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


class Partial:
    """The sound members of a faulty object; every other member is `MISSING`."""

    def __init__(self, members: dict[str, Any]) -> None:
        self.__dict__.update(members)

    def __getattr__(self, name: str) -> Missing:
        return MISSING


class Settled(list[Any]):
    """A list of objects some of which have been read before: models among plain values."""
