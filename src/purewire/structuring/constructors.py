"""Constructors that are written out: from the members of a decoded value to a model, in one step.

The constructor of a frozen class sets each field through `object.__setattr__`, and a converter is
called for each field, also where nothing is there to convert.  Here the fields are set in a
function whose text follows from the model's fields, as attrs itself writes constructors.  Nothing
of any input is part of the text.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

from purewire.absent import ABSENT

__all__ = ["WhereGiven", "assembler"]

_Convert = Callable[[Any], Any]


@attrs.frozen
class WhereGiven:
    """Converts a value that is not null, or not absent, and keeps those."""

    convert: _Convert
    null: bool = attrs.field(kw_only=True)
    absent: bool = attrs.field(kw_only=True)

    def __call__(self, value: object) -> object:
        """Give the value converted, or null or absent."""
        return value if value is None or value is ABSENT else self.convert(value)

    def condition(self) -> str:
        """Give the text of the condition that a value is to be converted."""
        kept = ["None"] * self.null + ["ABSENT"] * self.absent
        return " and ".join(f"value is not {each}" for each in kept)


def assembler(
    model: type[attrs.AttrsInstance], converts: Mapping[str, _Convert | None]
) -> Callable[[Any], Any]:
    """Give the function from an object with the fields of `converts` to an instance of the model.

    The other fields have their defaults.  Raises TypeError for a model whose fields hold something
    else than what they are given.
    """
    if any(field.converter or field.validator for field in attrs.fields(model)):
        raise TypeError("a model's fields hold what they are given")
    names: dict[str, Any] = {"new": object.__new__, "model": model, "thawed": _thawed(model)}
    lines = ["made = new(thawed)"]
    for field in attrs.fields(model):
        if field.name in converts:
            lines += _given(field.name, converts[field.name], names)
        else:
            lines += _default(field, names)
    lines.append("made.__class__ = model")
    if hasattr(model, "__attrs_post_init__"):
        lines.append("made.__attrs_post_init__()")
    text = "\n    ".join(["def assemble(decoded):", *lines, "return made"])
    exec(text, names)  # noqa: S102 - of names of fields alone
    assemble: Callable[[Any], Any] = names["assemble"]
    return assemble


def _thawed(model: type[attrs.AttrsInstance]) -> type:
    """Give a subclass whose instances can be set, and become the model's by taking its class."""
    # Both: a class with one of them alone would still look the other up, at each assignment.
    free = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(model.__name__, (model,), {"__slots__": (), **free})


def _given(name: str, convert: _Convert | None, names: dict[str, Any]) -> Iterator[str]:
    if convert is None:
        yield f"made.{name} = decoded.{name}"
    elif isinstance(convert, WhereGiven):
        names |= {f"convert_{name}": convert.convert, "ABSENT": ABSENT}
        yield f"value = decoded.{name}"
        yield f"if {convert.condition()}: value = convert_{name}(value)"
        yield f"made.{name} = value"
    else:
        names[f"convert_{name}"] = convert
        yield f"made.{name} = convert_{name}(decoded.{name})"


def _default(field: "attrs.Attribute[Any]", names: dict[str, Any]) -> Iterator[str]:
    default: Any = field.default
    names[f"default_{field.name}"] = getattr(default, "factory", default)
    if not hasattr(default, "factory"):
        yield f"made.{field.name} = default_{field.name}"
    elif default.takes_self:
        yield f"made.{field.name} = default_{field.name}(made)"
    else:
        yield f"made.{field.name} = default_{field.name}()"
