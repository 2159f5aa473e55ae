"""A model that keeps what it does not name, with the shapes of text that is open, and values of it.

The other shapes are those of `parcels`.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import attrs

from status_contracts.structuring.constraints import (
    EXTRA,
    NAME,
    Anything,
    Integer,
    Items,
    MapOf,
    Predicate,
    Text,
)


def check_word(text: str) -> None:
    """Raise ValueError unless text is one word."""
    if not text.isalpha():
        raise ValueError("not a word")


Word = Annotated[str, Predicate(check_word, "word", "a word")]
Kept = Annotated[str, Predicate(check_word, "word", "a word", by_model=True)]
Count = Annotated[int, Integer(0)]


@attrs.frozen
class Book:
    """A title that the model checks itself, and what else is said."""

    title: Kept = attrs.field(metadata={NAME: "theTitle"})
    note: Annotated[str, Text(controls=True)]
    extra: Mapping[str, Any] = attrs.field(
        factory=dict, kw_only=True, hash=False, metadata={EXTRA: True}
    )

    def __attrs_post_init__(self) -> None:
        check_word(self.title)


@attrs.frozen
class Shelf:
    """Books, counts by word, and values that no one knows."""

    owner: Word
    books: Annotated[tuple[Book, ...], Items()]
    counts: Annotated[
        Mapping[str, Count], MapOf(Predicate(check_word, "word", "named by words"))
    ] = attrs.field(hash=False)
    marks: Annotated[Mapping[str, Annotated[Any, Anything()]], MapOf()] = attrs.field(hash=False)
    size: Annotated[str, Text(1, 3, controls=True)] = "big"
    extra: Mapping[str, Any] = attrs.field(
        factory=dict, kw_only=True, hash=False, metadata={EXTRA: True}
    )


SHELF = Shelf("Ada", (Book("One", "\n"), Book("Two", "")), {"a": 1, "b": 2**63 - 1}, {"": [None]})
PLAIN: dict[str, Any] = {
    "owner": "Ada",
    "books": [{"theTitle": "One", "note": "\n"}, {"theTitle": "Two", "note": ""}],
    "counts": {"a": 1, "b": 2**63 - 1},
    "marks": {"": [None]},
    "size": "big",
}
