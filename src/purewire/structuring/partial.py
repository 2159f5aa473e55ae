"""Results that are not a model: partial and misfit values, the fast decoder's exceptions.

This module imports neither msgspec nor cattrs, so that catching and checking these is cheap.
"""

from collections.abc import Iterator
from typing import Any, Final

from purewire.findings import Step


class Undecided(Exception):
    """The fast decoder cannot accept the body; the validator decides.

    `where` is the path of the value that does not fit, as far as it is known.
    """

    def __init__(self, where: tuple[Step, ...] = ()) -> None:
        super().__init__()
        self.where = where


class CertainFault(Undecided):
    """The body is JSON text and invalid; the validator reports the findings."""


class Missing:
    """The type of `MISSING`: a member or item that is invalid or absent.

    Its attributes are `MISSING` as well, and it has no items.
    """

    def __getattr__(self, name: str) -> "Missing":
        return self

    def __iter__(self) -> Iterator[object]:
        return iter(())

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


class Misfit:
    """In a plain value: the place of a part of a model that has none; `message` says why."""

    def __init__(self, message: str) -> None:
        self.message = message


class Partial:
    """The valid members of an invalid object; every other attribute is `MISSING`."""

    def __init__(self, members: dict[str, Any]) -> None:
        self.__dict__.update(members)

    def __getattr__(self, name: str) -> Missing:
        return MISSING
