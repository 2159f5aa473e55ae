"""The vocabulary in which models state their own limits, as `Annotated` metadata.

A model says `Annotated[str, Text(1, 200)]` once; `purewire.structuring.fast_decoder` derives the
fast decoder from
it and `purewire.structuring.validator` the finding-by-finding one, so the two cannot drift apart.
"""

import re
from collections.abc import Callable
from enum import Enum
from typing import Final

import attrs

__all__ = [
    "EXTRA",
    "NAME",
    "RULES",
    "Anything",
    "FieldOverride",
    "Integer",
    "Items",
    "MapOf",
    "Number",
    "Pattern",
    "Predicate",
    "Text",
    "TimestampFormat",
]

NAME: Final = "purewire.name"
"""Metadata of a model's field: the name of the member, where it is not that of the field."""
EXTRA: Final = "purewire.extra"
"""Metadata, true: the field holds the members that the model does not name, as they are.

A model without such a field refuses them.
"""


@attrs.frozen
class Text:
    """Text of `min_length` to `max_length` code points; ASCII controls only if `controls`."""

    min_length: int = 0
    max_length: int | None = None
    controls: bool = False


@attrs.frozen
class Predicate:
    """Text that stays as it is if `check` takes it; for other text that raises ValueError.

    Attributes:
        check: the function.
        rule: id of the rule that it knows.
        name: what the text must be, in words.
        by_model: whether the model that has the text checks it when it is made, and raises
            ValueError too; who only wants to know whether the text fits need not check it twice.

    """

    check: Callable[[str], object]
    rule: str
    name: str
    by_model: bool = False


@attrs.frozen
class MapOf:
    """An object whose members are open: a mapping of names that are checked to values."""

    names: Predicate | None = None


@attrs.frozen
class Anything:
    """Any JSON value, kept as it is."""


@attrs.frozen
class Pattern:
    """Text that matches the whole of `expression`; `name` says in words what that is."""

    expression: re.Pattern[str]
    name: str


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
    """An object whose member `name` has the narrower type `annotation` in this place."""

    name: str
    annotation: object


class TimestampFormat(Enum):
    """A timestamp text that the model holds as integer milliseconds since the epoch (UTC)."""

    MILLISECOND = "YYYY-MM-DDTHH:MM:SS.mmmZ"
    UTC = "YYYY-MM-DDTHH:MM:SS[.mmm]Z, with 0 to 3 fractional digits"


RULES: Final = {
    "type": "the JSON type is the one the field has",
    "required": "a required member is there",
    "unknown": "no member that the object does not have",
    "constant": "the value is the constant, or one of the listed words",
    "text.length": "the number of code points is within the limits",
    "text.control": "no ASCII control character (U+0000 to U+001F, U+007F)",
    "text.surrogate": "no lone surrogate: text is Unicode scalar values",
    "text.pattern": "the text has the form the field names",
    "number.finite": "the number is finite",
    "number.integral": "the number has an integral value",
    "number.range": "the number is within the limits, both included",
    "items.count": "the number of items is within the limits",
    "items.unique": "no item stands twice",
    "time.format": "the timestamp has the exact form and names a real instant",
}
"""Rule id to the rule in words, for the faults that the vocabulary itself can state."""
