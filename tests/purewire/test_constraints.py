"""The vocabulary: values that compare, and rule ids that the readers use."""

import ast
import copy
import re
from pathlib import Path

import attrs
import pytest

from purewire.structuring import constraints
from purewire.structuring.constraints import (
    RULES,
    Anything,
    FieldOverride,
    Integer,
    Items,
    MapOf,
    Number,
    Pattern,
    Predicate,
    Text,
    TimestampFormat,
)

STRICT = Path(constraints.__file__).with_name("validator.py").read_text("utf-8")
EXAMPLES = [
    Text(),
    Pattern(re.compile("a"), "the letter a"),
    Number(0, 1),
    Integer(0, 1),
    Items(),
    FieldOverride("a", int),
    Predicate(int, "number", "a number"),
    MapOf(),
]


@pytest.mark.parametrize("shape", EXAMPLES, ids=repr)
def test_shapes_are_frozen_values(shape: attrs.AttrsInstance) -> None:
    name = attrs.fields(type(shape))[0].name
    assert copy.copy(shape) == shape
    assert hash(copy.copy(shape)) == hash(shape)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        setattr(shape, name, None)


def test_anything_is_a_value_too() -> None:
    assert Anything() == Anything()
    assert hash(Anything()) == hash(Anything())


def test_checked_text_is_checked_by_the_reader_unless_the_model_says_so() -> None:
    assert Predicate(int, "number", "a number").by_model is False


def test_integers_may_have_no_most() -> None:
    assert Integer(0).maximum is None


def test_text_rejects_controls_unless_allowed() -> None:
    assert Text().controls is False


def test_text_and_items_have_no_limits_of_their_own() -> None:
    assert Text() == Text(0, None)
    assert Items() == Items(None, unique=False, min_length=0)


def test_the_two_precisions_say_their_form() -> None:
    assert {precision.value.split("[")[0] for precision in TimestampFormat} == {
        "YYYY-MM-DDTHH:MM:SS.mmmZ",
        "YYYY-MM-DDTHH:MM:SS",
    }


def test_the_findings_path_uses_exactly_the_rules_of_the_vocabulary() -> None:
    texts = {
        node.value
        for node in ast.walk(ast.parse(STRICT))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert RULES.keys() <= texts | {Pattern.rule}
    dotted = re.compile(r"(text|number|items|time)\.[a-z]+")
    assert {text for text in texts if dotted.fullmatch(text)} <= RULES.keys()
