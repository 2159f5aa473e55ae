"""The constraints that models state on their fields, and the ids of the rules that they apply.

A model states `Annotated[str, Text(1, 200)]` once; `status_contracts.structuring.value_types` reads
it.
"""

import re
from collections.abc import Callable
from enum import Enum
from typing import Any, ClassVar, Final, Self

import attrs

from status_contracts.instants import parse_millisecond, parse_utc

__all__ = [
    "EXTRA", "NAME", "OPTIONAL", "RULES", "Anything", "FieldOverride", "Integer", "Items",
    "MapOf", "Number", "Pattern", "Predicate", "Scalar", "Text", "TimestampFormat",
    "optional_defaults",
]  # fmt: skip

NAME: Final = "status_contracts.name"
"""Field metadata: the name of the JSON member, if it differs from the name of the field."""
EXTRA: Final = "status_contracts.extra"
"""Field metadata, true: the field contains the members that the model does not name, unchanged.

A model without such a field rejects them.
"""
OPTIONAL: Final = "status_contracts.optional"
"""Field metadata, true: a settings file may leave the member out; the field's default stays."""


def optional_defaults(
    _model: type, fields: list["attrs.Attribute[Any]"]
) -> list["attrs.Attribute[Any]"]:
    """Mark the fields that have a default as `OPTIONAL`, as a field transformer of attrs."""
    return [
        field.evolve(metadata={**field.metadata, OPTIONAL: field.default is not attrs.NOTHING})
        for field in fields
    ]


@attrs.frozen
class Text:
    """Text of `min_length` to `max_length` code points; ASCII controls only if `controls`."""

    min_length: int = 0
    max_length: int | None = None
    controls: bool = False


@attrs.frozen
class Predicate:
    """Text that `check` accepts; it is kept unchanged.

    Attributes:
        check: raises ValueError for text that it rejects.
        rule: id of the rule that `check` applies.
        name: the expected text, in words for messages.
        by_model: whether the model's constructor checks the text too and raises ValueError.  The
            fast decoder then leaves the check to the constructor.

    """

    check: Callable[[str], object]
    rule: str
    name: str
    by_model: bool = False

    @classmethod
    def of(cls, is_valid: Callable[[str], object], rule: str, name: str) -> Self:
        """Return the predicate of texts for which `is_valid` returns what is true."""

        def check(text: str) -> None:
            if not is_valid(text):
                raise ValueError(f"must be {name}")

        return cls(check, rule, name)


@attrs.frozen
class MapOf:
    """An object with any member names that `names` accepts: a mapping from name to value."""

    names: Predicate | None = None


@attrs.frozen
class Anything:
    """Any JSON value, kept unchanged."""


@attrs.frozen
class Pattern:
    """Text that `expression` matches in full: a `Predicate` that schemas can state."""

    expression: re.Pattern[str]
    name: str
    rule: ClassVar[str] = "text.pattern"
    by_model: ClassVar[bool] = False

    def check(self, text: str) -> None:
        """Raise ValueError for text that the expression does not match."""
        if self.expression.fullmatch(text) is None:
            raise ValueError(self.name)


@attrs.frozen
class Number:
    """A finite number from `minimum` to `maximum`, both included; booleans are not numbers."""

    minimum: int
    maximum: int


@attrs.frozen
class Integer:
    """A number with an integral value (`1`, `1.0` and `1e0` alike) from `minimum` to `maximum`."""

    minimum: int
    maximum: int | None = None


@attrs.frozen
class Items:
    """A list of `min_length` to `max_length` items, all different where `unique` is set."""

    max_length: int | None = None
    unique: bool = False
    min_length: int = 0


@attrs.frozen
class FieldOverride:
    """An object whose member `name` has the narrower type `annotation` here."""

    name: str
    annotation: object


class TimestampFormat(Enum):
    """Timestamp text that the model stores as integer milliseconds since the epoch (UTC)."""

    MILLISECOND = "YYYY-MM-DDTHH:MM:SS.mmmZ"
    UTC = "YYYY-MM-DDTHH:MM:SS[.mmm]Z, with 0 to 3 fractional digits"

    @property
    def parse(self) -> Callable[[str], int]:
        """The function that returns the instant of a text, or raises ValueError."""
        return parse_millisecond if self is TimestampFormat.MILLISECOND else parse_utc


Scalar = Text | Predicate | Pattern | Number | Integer | TimestampFormat | Anything
"""The constraints of values that are neither objects nor lists."""

RULES: Final = {
    "type": "must have the JSON type of the field",
    "required": "must be present",
    "unknown": "unknown member: remove it, or correct its name",
    "constant": "must be the constant, or one of the listed constants",
    "text.length": "must have a number of code points within the limits",
    "text.control": "must not contain an ASCII control character (U+0000 to U+001F, U+007F)",
    "text.surrogate": "must not contain a lone surrogate: text is Unicode scalar values",
    "text.pattern": "must have the form that the field requires",
    "number.finite": "must be finite",
    "number.integral": "must have an integral value",
    "number.range": "must be within the limits, both included",
    "items.count": "must have a number of items within the limits",
    "items.unique": "must differ from all items before",
    "time.format": "must have the exact form of a timestamp and be a real instant",
}
"""Rule id to what must be, for the faults that constraints can report."""
