"""Generated constructors: from the members of a decoded value to a model, in one step.

The constructor of a frozen class sets each field through `object.__setattr__` and calls a converter
for each field, even if nothing needs conversion.  The functions generated here set the fields
directly; their source text depends on the model's fields alone, as with attrs' own constructors.
No input is part of the text.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

from purewire.absent import ABSENT

_Convert = Callable[[Any], Any]


@attrs.frozen
class UnlessMissing:
    """A converter that keeps null, or absent, and converts all other values."""

    convert: _Convert
    null: bool = attrs.field(kw_only=True)
    absent: bool = attrs.field(kw_only=True)

    def __call__(self, value: object) -> object:
        """Return the converted value, or null or absent."""
        return value if value is None or value is ABSENT else self.convert(value)

    def condition(self) -> str:
        """Return the source text of the condition under which a value is converted."""
        kept = ["None"] * self.null + ["ABSENT"] * self.absent
        return " and ".join(f"value is not {each}" for each in kept)


def build_constructor(
    model: type[attrs.AttrsInstance], converts: Mapping[str, _Convert | None]
) -> Callable[[Any], Any]:
    """Return a function from an object with the fields of `converts` to an instance of the model.

    The other fields get their defaults.

    Raises:
        TypeError: a field of the model has an attrs converter or validator.

    """
    if any(field.converter or field.validator for field in attrs.fields(model)):
        raise TypeError(f"{model.__name__}: a field has a converter or a validator")
    names: dict[str, Any] = {
        "new": object.__new__,
        "model": model,
        "mutable": _mutable_class(model),
    }
    lines = ["made = new(mutable)"]
    for field in attrs.fields(model):
        if field.name in converts:
            lines += _given(field.name, converts[field.name], names)
        else:
            lines += _default(field, names)
    lines.append("made.__class__ = model")
    if hasattr(model, "__attrs_post_init__"):
        lines.append("made.__attrs_post_init__()")
    text = "\n    ".join(["def construct(decoded):", *lines, "return made"])
    exec(text, names)  # noqa: S102 - the text contains field names only
    construct: Callable[[Any], Any] = names["construct"]
    return construct


def _mutable_class(model: type[attrs.AttrsInstance]) -> type:
    """Return a mutable subclass; its instances become the model's by a change of `__class__`."""
    # Both are needed: with only one, each assignment would still look up the other.
    mutable = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(model.__name__, (model,), {"__slots__": (), **mutable})


def _given(name: str, convert: _Convert | None, names: dict[str, Any]) -> Iterator[str]:
    if convert is None:
        yield f"made.{name} = decoded.{name}"
    elif isinstance(convert, UnlessMissing):
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
