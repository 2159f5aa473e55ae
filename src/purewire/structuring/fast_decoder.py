"""Fast decoding: bytes directly to models, with msgspec Structs derived from the models.

For each model a msgspec Struct is derived from the model's annotations
(`purewire.structuring.constraints`).  It rejects unknown members and wrong JSON types while it
decodes.  What msgspec cannot check (patterns, instants, uniqueness) is checked when the model is
built from the Struct.

The constructor of a frozen class sets each field through `object.__setattr__`.  The functions
generated here set the fields directly; their source text depends on the model's fields alone, as
with attrs' own constructors.

Invariant *accept or leave*: what the fast decoder accepts, `purewire.structuring.validator` accepts
with an equal model.  What it rejects is undecided, so it may reject valid bodies: `1.0` for an
integer, repeated members and escaped control characters are left to the validator.
Invariant *certain faults*: if a body decodes but no model can be built, the validator has a finding
as well.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Final, Generic, TypeVar

import attrs
import msgspec
from msgspec import NODEFAULT, Meta

from purewire.findings import CertainFault, Step, Undecided
from purewire.json.codec import broken_rule, strip_bom
from purewire.primitives import ABSENT, canonical
from purewire.structuring.constraints import (
    Annotation,
    Anything,
    Container,
    Integer,
    Items,
    MapOf,
    Number,
    ObjectType,
    Pattern,
    Predicate,
    Text,
    TimestampFormat,
    UnionParts,
    split_annotated,
    split_container,
    split_object,
    split_union,
)

M = TypeVar("M")
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
        return " and ".join(f"value is not {constant}" for constant in kept)


def build_constructor(
    model: type[attrs.AttrsInstance], converts: Mapping[str, _Convert | None]
) -> Callable[[Any], Any]:
    """Return a function from an object with the fields of `converts` to an instance of the model.

    The other fields get their defaults.
    """
    if any(field.converter or field.validator for field in attrs.fields(model)):
        raise TypeError(f"{model.__name__}: a field has a converter or a validator")
    names: dict[str, Any] = {"model": model, "mutable": _mutable_class(model)}
    lines = ["made = mutable()"]
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
    # Without `__delattr__`, each assignment would still look it up.
    members = {
        "__slots__": (),
        "__init__": object.__init__,
        "__setattr__": object.__setattr__,
        "__delattr__": object.__delattr__,
    }
    return type(model.__name__, (model,), members)


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


_Plan = tuple[Annotation, _Convert | None]

_DELETE: Final = b"\x7f"
_ESCAPED_CONTROL: Final = re.compile(rb"\\(?:[bfnrt]|u00(?:[01]|7[fF]))")
_MAX_INTEGER: Final = 2**63 - 1
"""Larger integers are left to the validator if the constraint has no limit."""
_DECODE_ERRORS: Final = (msgspec.MsgspecError, ValueError, RecursionError)
_PATH: Final = re.compile(r" - at `\$([^`]*)`$")
_STEP: Final = re.compile(r"\.([A-Za-z_0-9]+)|\[([0-9]+)\]")


class FastDecoder(Generic[M]):
    """A decoder of bodies for one attrs class."""

    def __init__(self, model: type[M]) -> None:
        struct, build = _plan(model)
        self._decode = msgspec.json.Decoder(struct, float_hook=float).decode
        self._refuses_controls = not all(text.controls for text in _texts(model))
        self._build: Callable[[object], M] = build or _identity

    def decode(self, body: bytes) -> M:
        """Return the model of a body; raise Undecided or CertainFault, and nothing else."""
        body = strip_bom(body)
        if self._refuses_controls and _has_control(body):
            raise Undecided
        try:
            struct = self._decode(body)
        except msgspec.ValidationError as error:
            where = _path(str(error))
        except _DECODE_ERRORS:
            where = ()
        else:
            try:
                return self._build(struct)
            except ValueError:
                raise CertainFault from None
        raise Undecided(where)  # outside the handlers: the errors of parsers contain the body


def _texts(annotation: Annotation) -> Iterator[Text]:
    """Yield the constraints of all texts of a value."""
    if union := split_union(annotation):
        yield from _texts(union.inner)
    elif container := split_container(annotation):
        yield from _texts(container.inner)
    elif object_type := split_object(annotation):
        for member in object_type.members:
            yield from _texts(member.annotation)
    elif (constrained := split_annotated(annotation)) and isinstance(constrained[1], Text):
        yield constrained[1]


def _has_control(body: bytes) -> bool:
    """Check whether a text may contain a control character; JSON escapes those below U+0020."""
    return _DELETE in body or (b"\\" in body and _ESCAPED_CONTROL.search(body) is not None)


def _path(message: str) -> tuple[Step, ...]:
    """Return the path in a message of msgspec, up to the first step that is not a name or index."""
    steps: list[Step] = []
    match = _PATH.search(message)
    end = 0
    while match and (step := _STEP.match(match[1], end)):
        name, index = step.groups()
        steps.append(int(index) if name is None else name)
        end = step.end()
    return tuple(steps)


def _identity(value: M) -> M:
    return value


def _plan(annotation: Annotation) -> _Plan:
    """Return the type that msgspec decodes and the conversion from its value to the model's."""
    if union := split_union(annotation):
        return _union(union)
    if object_type := split_object(annotation):
        return _object(object_type)
    if container := split_container(annotation):
        return _container(container)
    if constrained := split_annotated(annotation):
        return _BY_CONSTRAINT[type(constrained[1])](constrained[1])
    return annotation, None


def _union(union: UnionParts) -> _Plan:
    inner, convert = _plan(union.inner)
    if union.null:
        inner = inner | None
    if union.absent:
        inner = inner | msgspec.UnsetType
    if convert is None:
        return inner, None
    return inner, UnlessMissing(convert, null=union.null, absent=union.absent)


def _text(constraint: Text) -> _Plan:
    if constraint.controls and constraint.min_length == 0 and constraint.max_length is None:
        return str, None
    return Annotated[
        str, Meta(min_length=constraint.min_length, max_length=constraint.max_length)
    ], None


def _predicate(constraint: Predicate | Pattern) -> _Plan:
    if constraint.by_model:
        return str, None

    def check(text: str) -> str:
        constraint.check(text)
        return text

    return str, check


def _anything(_constraint: Anything) -> _Plan:
    def check(value: object) -> object:
        if broken_rule(value) is not None:
            raise ValueError("not a JSON value")
        return value

    return Any, check


def _container(container: Container) -> _Plan:
    plan = _plan(container.inner)
    if isinstance(container.constraint, Items):
        return _items(container.constraint, *plan)
    return _map(container.constraint, *plan)


def _map(constraint: MapOf, inner: Annotation, convert: _Convert | None) -> _Plan:
    check = None if constraint.names is None else constraint.names.check

    def build(entries: dict[str, Any]) -> dict[str, Any]:
        if check is not None:
            for name in entries:
                check(name)
        if convert is None:
            return entries
        return {name: convert(member) for name, member in entries.items()}

    return dict[str, inner], build


def _number(constraint: Number) -> _Plan:
    minimum, maximum = constraint.minimum, constraint.maximum

    def check(value: Any) -> int | float:  # noqa: ANN401 - any plain value
        if type(value) is int or type(value) is float:
            if minimum <= value <= maximum:
                return canonical(value)
        elif type(value) is list or type(value) is dict:
            raise Undecided  # perhaps nested too deep for another stack
        raise ValueError("no number, or outside the limits")

    return Any, check  # msgspec calls the hook only for numbers without a type


def _integer(constraint: Integer) -> _Plan:
    maximum = _MAX_INTEGER if constraint.maximum is None else constraint.maximum
    return Annotated[int, Meta(ge=constraint.minimum, le=maximum)], None


def _instant(constraint: TimestampFormat) -> _Plan:
    return str, constraint.parse


def _items(constraint: Items, inner: Annotation, convert: _Convert | None) -> _Plan:
    limits = Meta(min_length=constraint.min_length, max_length=constraint.max_length)

    def check(items: tuple[Any, ...]) -> tuple[Any, ...]:
        if len(set(items)) < len(items):
            raise ValueError("an item is repeated")
        return items

    if convert is None:
        return Annotated[tuple[inner, ...], limits], check if constraint.unique else None

    def build(items: list[Any]) -> tuple[Any, ...]:
        for index, item in enumerate(items):
            items[index] = convert(item)  # frees what was decoded, whose memory is used again
        return check(tuple(items)) if constraint.unique else tuple(items)

    return Annotated[list[inner], limits], build


def _object(object_type: ObjectType) -> tuple[Annotation, _Convert]:
    """Return the Struct of a model and the constructor of the model from it."""
    plans = {member.field: _plan(member.annotation) for member in object_type.members}
    struct = msgspec.defstruct(
        object_type.model.__name__,
        [
            (
                member.field,
                plans[member.field][0],
                ABSENT if member.default is ABSENT else NODEFAULT,
            )
            for member in object_type.members
        ],
        forbid_unknown_fields=True,
        kw_only=True,
        gc=False,
        rename={member.field: member.name for member in object_type.members},
    )
    converts = {field: convert for field, (_, convert) in plans.items()}
    return struct, build_constructor(object_type.model, converts)


_BY_CONSTRAINT: Final[dict[type, Callable[[Any], _Plan]]] = {
    Text: _text,
    Predicate: _predicate,
    Anything: _anything,
    Pattern: _predicate,
    Number: _number,
    Integer: _integer,
    TimestampFormat: _instant,
}
