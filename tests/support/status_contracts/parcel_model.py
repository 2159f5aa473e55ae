"""A model that has every shape of the vocabulary once, and values of it."""

import re
from typing import Annotated, Any, Literal

import attrs

from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring.constraints import (
    FieldOverride,
    Integer,
    Items,
    Number,
    Pattern,
    Text,
    TimestampFormat,
)

Tag = Annotated[str, Text(1, 3)]
Weight = Annotated[int | float, Number(0, 10)]


@attrs.frozen
class Label:
    """A text and a number."""

    name: Tag
    weight: Weight


@attrs.frozen
class Parcel:
    """Every shape, and every way to be null or absent."""

    kind: Literal["parcel"] = attrs.field(default="parcel", kw_only=True)
    code: Annotated[str, Pattern(re.compile("[A-Z]{2}"), "two capital letters")]
    count: Annotated[int, Integer(1, 9)]
    sent_at: Annotated[int, TimestampFormat.UTC]
    kept_at: Annotated[int, TimestampFormat.MILLISECOND] | None
    fragile: bool | None
    size: Literal["small", "large", 3]
    label: Label
    tags: Annotated[tuple[Tag, ...], Items(3, unique=True, min_length=1)]
    labels: Annotated[tuple[Label, ...], Items(2)] | Absent = ABSENT
    note: Annotated[str, Text()] | Absent | None = ABSENT
    whole: Annotated[Label, FieldOverride("weight", Annotated[int, Integer(1, 3)])] | Absent = (
        ABSENT
    )


LABEL = Label("a", 1.5)
PARCEL = Parcel("AB", 1, 0, None, None, "small", LABEL, ("x",))
FULL = Parcel(
    "YZ",
    9,
    -1,
    86_400_000,
    True,
    3,
    Label("abc", 10),
    ("x", "y", "z"),
    (LABEL, LABEL),
    "",
    Label("b", 3),
)
PLAIN: dict[str, Any] = {
    "kind": "parcel",
    "code": "AB",
    "count": 1,
    "sent_at": "1970-01-01T00:00:00.000Z",
    "kept_at": None,
    "fragile": None,
    "size": "small",
    "label": {"name": "a", "weight": 1.5},
    "tags": ["x"],
}
FULL_PLAIN: dict[str, Any] = {
    "kind": "parcel",
    "code": "YZ",
    "count": 9,
    "sent_at": "1969-12-31T23:59:59.999Z",
    "kept_at": "1970-01-02T00:00:00.000Z",
    "fragile": True,
    "size": 3,
    "label": {"name": "abc", "weight": 10},
    "tags": ["x", "y", "z"],
    "labels": [{"name": "a", "weight": 1.5}, {"name": "a", "weight": 1.5}],
    "note": "",
    "whole": {"name": "b", "weight": 3},
}
