"""Fast decoding: bytes directly to models, with msgspec Structs derived from the models.

For each model a msgspec Struct is derived from the model's annotations
(`status_contracts.structuring.constraints`).  It rejects unknown members and wrong JSON types while
it decodes.  What msgspec cannot check (patterns, instants, uniqueness) is checked when the model is
built from the Struct.

The constructor of a frozen class sets each field through `object.__setattr__`.  The functions
generated here set the fields directly; their source text depends on the model's fields alone, as
with attrs' own constructors.  Decoding takes 1.4 to 1.7 times as long with the constructor in their
place, and as long with a loop over the fields.

Invariant *accept or leave*: what the fast decoder accepts, `status_contracts.structuring.converter`
accepts with an equal model.  What it rejects is undecided, so it may reject valid bodies: `1.0` for
an integer, repeated members and escaped control characters are left to cattrs.
Invariant *certain faults*: if a body decodes but no model can be built, cattrs has a finding
as well.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Any, Final, Generic, Literal, TypeVar

import attrs
import msgspec
from msgspec import NODEFAULT, Meta

from status_contracts.findings import Step
from status_contracts.json_text import BOM, broken_rule
from status_contracts.primitives import ABSENT
from status_contracts.structuring import constraints, value_types
from status_contracts.structuring.value_types import Annotation, ValueType, value_type

M = TypeVar("M")
Check = Callable[[Any], object]
"""Validates rules that hold for a Struct as for the model: it is called before that is built."""
_Convert = Callable[[Any], Any]
_Plan = tuple[Annotation, _Convert | None]
"""The type that msgspec decodes, and the conversion from its value to the model's, if any."""

_DELETE, _BACKSLASH = b"\x7f\\"
_ESCAPED_CONTROL: Final = re.compile(rb"\\(?:[bfnrt]|u00(?:[01]|7[fF]))")
_MAX_INTEGER: Final = 2**63 - 1
"""Larger integers are left to cattrs if the constraint has no limit."""
_DECODE_ERRORS: Final = (msgspec.MsgspecError, ValueError, RecursionError)
_PATH: Final = re.compile(r" - at `\$((?:\.[A-Za-z_0-9]+|\[[0-9]{1,9}\])*+)[^`]*+`$")
_STEP: Final = re.compile(r"\.([A-Za-z_0-9]+)|\[([0-9]{1,9})\]")


class Undecided(Exception):
    """Cattrs must decide; `where` is the path of the value that does not fit, if it is known."""

    def __init__(self, where: tuple[Step, ...] = ()) -> None:
        super().__init__()
        self.where = where


class CertainFault(Undecided):
    """The body is JSON text and invalid; cattrs reports the findings."""


class FastDecoder(Generic[M]):
    """A decoder of bodies for one attrs class."""

    def __init__(self, model: type[M]) -> None:
        annotation: Annotation = model
        of = value_type(annotation)
        self._struct, build = _plan(of)
        self._build: Callable[[Any], M] = build or (lambda decoded: decoded)
        self._decode = msgspec.json.Decoder(self._struct, float_hook=float).decode
        texts = [part.kind for part in of.walk() if isinstance(part.kind, constraints.Text)]
        self._refuses_controls = not all(text.controls for text in texts)

    def decode(self, body: bytes, check: Check | None = None) -> M:
        """Return the model of a body; raise Undecided, CertainFault, or what `check` raises."""
        body = body.removeprefix(BOM)
        if self._refuses_controls and _has_control(body):
            raise Undecided
        try:
            decoded = self._decode(body)
        except _DECODE_ERRORS as error:
            where = _path(str(error))
        else:
            if check is not None:
                check(decoded)
            try:
                return self._build(decoded)
            except ValueError:
                raise CertainFault from None
        raise Undecided(where)  # outside the handlers: the errors of parsers contain the body

    def convert(self, value: object) -> M:
        """Return the model of a value of JSON text without controls; raise Undecided alone."""
        try:
            return self._build(msgspec.convert(value, self._struct))
        except _DECODE_ERRORS:
            raise Undecided from None


def _has_control(body: bytes) -> bool:
    """Check whether a text may contain a control character; JSON escapes those below U+0020."""
    return _DELETE in body or (_BACKSLASH in body and _ESCAPED_CONTROL.search(body) is not None)


def _path(message: str) -> tuple[Step, ...]:
    """Return the path in a message of msgspec, up to the first step that is not a name or index."""
    match = _PATH.search(message)
    steps = _STEP.findall(match[1]) if match else ()
    return tuple(name or int(index) for name, index in steps)


def _plan(of: ValueType) -> _Plan:
    """Return the plan of a type; null must not be converted."""
    inner, convert = _PLANS.get(type(of.kind), _scalar)(of.kind)
    return inner | None if of.is_nullable else inner, convert


def _plan_parts(of: ValueType) -> _Plan:
    """Return the plan of the items of an array, or of the members of a map."""
    inner, convert = _plan(of)
    if convert is None or not of.is_nullable:
        return inner, convert
    return inner, lambda value: None if value is None else convert(value)


def _scalar(kind: Any) -> _Plan:  # noqa: ANN401 - a text with a check, or one of these
    literal: Any = Literal
    match kind:
        case value_types.Boolean():
            return bool, None
        case value_types.Constants(values):
            return literal[values], None
        case constraints.Text(least, most):
            return Annotated[str, Meta(min_length=least, max_length=most)], None
        case constraints.Integer(least, most):
            most = _MAX_INTEGER if most is None else most
            return Annotated[int, Meta(ge=least, le=most)], None
        case constraints.TimestampFormat():
            return str, kind.parse
    return str, None if kind.by_model else partial(_checked, kind.check)


def _checked(check: Callable[[str], object], text: str) -> str:
    check(text)
    return text


def _anything(_kind: constraints.Anything) -> _Plan:
    def check(value: object) -> object:
        if broken_rule(value) is not None:
            raise ValueError("not a JSON value")
        return value

    return Any, check


def _map(kind: value_types.Map) -> _Plan:
    inner, convert = _plan_parts(kind.values)
    check = None if kind.names is None else kind.names.check

    def build(entries: dict[str, Any]) -> dict[str, Any]:
        if check is not None:
            for name in entries:
                check(name)
        if convert is None:
            return entries
        return {name: convert(member) for name, member in entries.items()}

    return dict[str, inner], build  # type: ignore[valid-type]


def canonical(number: float) -> int | float:
    """Return a finite number, as int if it is integral, so that equal models have equal bytes."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _number(limits: constraints.Number) -> _Plan:
    minimum, maximum = limits.minimum, limits.maximum

    def check(value: Any) -> int | float:  # noqa: ANN401 - any plain value
        kind = type(value)
        if kind is float or kind is int:
            if minimum <= value <= maximum:
                return int(value) if kind is float and value.is_integer() else value
        elif kind is list or kind is dict:
            raise Undecided  # perhaps nested too deep for another stack
        raise ValueError("no number, or outside the limits")

    return Any, check  # msgspec calls the hook only for numbers without a type


def _array(kind: value_types.Array) -> _Plan:
    inner, convert = _plan_parts(kind.items)
    limits = Meta(min_length=kind.limits.min_length, max_length=kind.limits.max_length)

    def check(items: tuple[Any, ...]) -> tuple[Any, ...]:
        if len(set(items)) < len(items):
            raise ValueError("an item is repeated")
        return items

    if convert is None:
        return Annotated[tuple[inner, ...], limits], check if kind.limits.unique else None  # type: ignore[valid-type]

    def build(items: list[Any]) -> tuple[Any, ...]:
        for index, item in enumerate(items):
            items[index] = convert(item)  # frees what was decoded, whose memory is used again
        return check(tuple(items)) if kind.limits.unique else tuple(items)

    return Annotated[list[inner], limits], build  # type: ignore[valid-type]


def _object(kind: value_types.Object) -> _Plan:
    """Return a Struct with the fields of a model, and the constructor of the model from it."""
    model, members = kind.model, kind.members.values()
    if any(field.converter or field.validator for field in attrs.fields(model)):
        raise TypeError(f"{model.__name__}: a field has a converter or a validator")
    plans = {member.field: _plan(member.type) for member in members}
    struct = msgspec.defstruct(
        model.__name__,
        [
            (member.field, plans[member.field][0], ABSENT if member.is_optional else NODEFAULT)
            for member in members
        ],
        forbid_unknown_fields=True,
        kw_only=True,
        gc=False,
        rename={member.field: name for name, member in kind.members.items()},
    )
    names: dict[str, Any] = {"model": model, "mutable": _mutable_class(model), "ABSENT": ABSENT}
    lines = ["made = mutable()"]
    for member in members:
        _, names[f"convert_{member.field}"] = plans[member.field]
        lines += _assignment(member, is_converted=plans[member.field][1] is not None)
    for field in attrs.fields(model):
        if field.name not in plans:
            names[f"default_{field.name}"] = _default(field.default)
            lines.append(f"made.{field.name} = default_{field.name}(made)")
    lines.append("made.__class__ = model")
    if hasattr(model, "__attrs_post_init__"):
        lines.append("made.__attrs_post_init__()")
    text = "\n    ".join(["def construct(decoded):", *lines, "return made"])
    exec(text, names)  # noqa: S102 - the text contains field names only
    return struct, names["construct"]


def _mutable_class(model: type[attrs.AttrsInstance]) -> type:
    """Return a mutable subclass; its instances become the model's by a change of `__class__`."""
    # Without `__delattr__`, each assignment would still look it up.
    names = ("__init__", "__setattr__", "__delattr__")
    members = {name: getattr(object, name) for name in names}
    return type(model.__name__, (model,), {"__slots__": (), **members})


def _assignment(member: value_types.Member, *, is_converted: bool) -> Iterator[str]:
    """Generate the lines that set a field; null and absent are not converted."""
    name = member.field
    kept = ["None"] * member.type.is_nullable + ["ABSENT"] * member.is_optional
    if not is_converted:
        yield f"made.{name} = decoded.{name}"
    elif kept:
        yield f"value = decoded.{name}"
        condition = " or ".join(f"value is {constant}" for constant in kept)
        yield f"made.{name} = value if {condition} else convert_{name}(value)"
    else:
        yield f"made.{name} = convert_{name}(decoded.{name})"


def _default(default: Any) -> _Convert:  # noqa: ANN401 - a value, or a factory
    """Return the function from an instance to the default of one of its fields."""
    if not hasattr(default, "factory"):
        return lambda _: default
    make: _Convert = default.factory
    return make if default.takes_self else lambda _: default.factory()


_PLANS: Final[dict[type, Callable[[Any], _Plan]]] = {
    constraints.Anything: _anything,
    constraints.Number: _number,
    value_types.Array: _array,
    value_types.Map: _map,
    value_types.Object: _object,
}
