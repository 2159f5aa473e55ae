"""cattrs converters: plain values to models, with a finding for every fault, and back.

cattrs' own hooks coerce (`"7"` to 7, 1.9 to 1, null to `"None"`), so each kind of value has hooks
here: they hold the constraint that the annotation states.

Of the lists in a decoded body, cattrs structures only the items that msgspec does not accept.

Invariant *exact types*: no JSON type is accepted in place of another; true is not 1.
Invariant *bounded findings*: a list is left as soon as its items have 100 faults, and one that is
too long is rejected before its items are read, so the cost is linear and the memory bounded.
Invariant *whole models*: a value with a fault has no model; no rule is checked on its valid parts.
Invariant *equal models, equal bytes*: instants become text of the millisecond form, tuples lists,
and models dicts in the order of their members, without those that are ABSENT.  Members that a model
keeps without naming them come last, and never replace a named one.  Numbers are canonical.

Models check nothing when they are built: a list may be where a tuple must be.  `unstructure` then
raises; `to_checkable` returns an error in its place, of which structuring makes a finding.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from datetime import date
from functools import cache, partial
from importlib import import_module
from itertools import islice
from operator import methodcaller
from typing import Annotated, Any, Final, Literal

import attrs
from cattrs import BaseConverter, Converter, errors, gen
from cattrs.fns import identity

from status_contracts.findings import MAX_FINDINGS, ContractError, Finding, Step, pointer
from status_contracts.instants import format_instant
from status_contracts.json_text import MAX_DEPTH, broken_rule
from status_contracts.primitives import ABSENT, has_control, has_surrogate, is_finite
from status_contracts.structuring import constraints, value_types
from status_contracts.structuring.fast_decoder import FastDecoder, Undecided, canonical
from status_contracts.structuring.value_types import Annotation, value_type

__all__ = ["ConstraintError", "Unknown", "configure", "structure", "to_checkable", "unstructure"]

Unknown = Literal["refuse", "drop"]
"""What happens to members that a model does not name, unless it keeps them."""
_Value = Any
_Structure = Callable[[_Value, Annotation], Any]
_Unstructure = Callable[[_Value], Any]

_JSON_TYPES: Final = (dict, list, str, int, float, bool)
_REMEDIES: Final[dict[tuple[type, str], str]] = {
    (list, "tuple"): ": pass list(value)",
    (str, "UUID"): ": pass str(value)",
    (str, "datetime"): ": pass format_instant(from_datetime(value))",
    (tuple, "list"): ": pass tuple(value)",
    (int, "float"): ": pass int(value)",
    (int, "datetime"): ": pass from_datetime(value)",
}
_JSON_MESSAGES: Final = {
    "json.depth": f"must not be nested deeper than {MAX_DEPTH}",
    "type": "must be a JSON value",
    "number.finite": "must contain finite numbers only",
    "text.surrogate": "must not contain a lone surrogate",
}


class ConstraintError(ValueError):
    """A plain value breaks the constraint of its place, or a part of a model has no plain value.

    Attributes:
        rule: id of the rule.

    """

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(rule, message)
        self.rule = rule

    def __str__(self) -> str:
        return str(self.args[1])


@cache
def make_converter(
    unknown: Unknown = "refuse", *, only_findings: bool = False, keeps_errors: bool = False
) -> Converter:
    """Return the converter of all models."""
    converter = Converter(
        detailed_validation=True, unstruct_collection_overrides={AbstractSet: sorted}
    )
    converter.register_unstructure_hook(date, methodcaller("isoformat"))
    converter.register_structure_hook(bool, partial(_boolean, value_types.Boolean()))
    converter.register_structure_hook_factory(
        _has_constraint, partial(_structure_hook, unknown=unknown, only_findings=only_findings)
    )
    converter.register_unstructure_hook_factory(
        _has_constraint, partial(_unstructure_hook, keeps_errors=keeps_errors)
    )
    return converter


def configure(converter: BaseConverter, models: Container[type], unknown: Unknown) -> None:
    """Register hooks of models on any converter; its own settings do not change them."""
    own = make_converter(unknown)
    converter.register_structure_hook_factory(models.__contains__, own.get_structure_hook)
    converter.register_unstructure_hook_factory(models.__contains__, own.get_unstructure_hook)


def structure(
    value: object, of: Annotation, unknown: Unknown = "refuse", *, only_findings: bool = False
) -> tuple[Any, tuple[Finding, ...]]:
    """Return the model of a plain value and no findings, or None and up to 100 findings.

    `only_findings`: whether only the findings count, of the value of JSON text without control
    characters; the items that msgspec accepts then have no models, which takes 0.8 of the time.

    Raises:
        TypeError: a member has a type without a constraint, as `str`, which states no limits.

    """
    try:
        return make_converter(unknown, only_findings=only_findings).structure(value, of), ()
    except (errors.BaseValidationError, ConstraintError) as error:
        return None, tuple(islice(_findings(error, ()), MAX_FINDINGS))


def unstructure(model: attrs.AttrsInstance) -> dict[str, Any]:
    """Return the plain JSON value of a model whose texts and constants are valid.

    It does not check them; the functions of a product that check a model do.

    Raises:
        ConstraintError: a model, an instant or a container is of another type than stated, such as
            a list for a tuple.

    """
    plain: dict[str, Any] = make_converter().unstructure(model)
    return plain


def to_checkable(model: attrs.AttrsInstance) -> object:
    """Return the plain value of a model, with its error in place of each part that has none."""
    return make_converter(keeps_errors=True).unstructure(model)


def _findings(error: Exception, path: tuple[Step, ...]) -> Iterator[Finding]:
    error.__traceback__ = None  # its frames would keep the whole value alive
    match error:
        case errors.ClassValidationError():
            noted, others = error.group_exceptions()
            fields = attrs.fields_dict(error.cl)
            for inner, note in noted:
                metadata = fields[note.name].metadata
                name = metadata.get(constraints.NAME, note.name)
                steps = path if constraints.EXTRA in metadata else (*path, name)
                yield from _findings(inner, steps)
            for inner in others:
                yield from _findings(inner, path)
        case errors.IterableValidationError():
            for inner, of_item in error.group_exceptions()[0]:
                yield from _findings(inner, (*path, of_item.index))
        case errors.ForbiddenExtraKeysError():
            known = [of.metadata.get(constraints.NAME, of.name) for of in attrs.fields(error.cl)]
            for name in sorted(error.extra_fields):
                near = import_module("difflib").get_close_matches(name, known, 1)
                hint = f"; did you mean {near[0]}?" if near else ""
                message = f"{constraints.RULES['unknown']}{hint}"
                yield Finding(pointer((*path, name)), "unknown", message)
        case KeyError():
            yield Finding(pointer(path), "required", constraints.RULES["required"])
        case ConstraintError():
            yield Finding(pointer(path), error.rule, str(error))
        case _:
            yield from _own_findings(error, path)


def _own_findings(error: Exception, path: tuple[Step, ...]) -> Iterator[Finding]:
    """Generate the findings of a model that checks itself when it is built."""
    if not isinstance(error, ContractError):
        raise error
    for finding in error.findings:
        yield attrs.evolve(finding, path=pointer(path) + finding.path)


def _has_constraint(annotation: Annotation) -> bool:
    return type(value_type(annotation).kind) is not value_types.Plain


# Structuring


def _structure_hook(
    annotation: Annotation, converter: BaseConverter, *, unknown: Unknown, only_findings: bool
) -> _Structure:
    of = value_type(annotation)
    hook: _Structure
    match of.kind:
        case value_types.Object():
            hook = _object(of.kind, converter, unknown)
        case value_types.Array():
            hook = _array(of.kind, converter, only_findings=only_findings)
        case value_types.Map():
            hook = _map(of.kind, converter)
        case _:
            hook = partial(_SCALARS[type(of.kind)], of.kind)
    return (lambda value, _: None if value is None else hook(value, _)) if of.is_nullable else hook


_Extra = Annotated[Mapping[str, Annotated[Any, constraints.Anything()]], constraints.MapOf()]


def _object(kind: value_types.Object, converter: BaseConverter, unknown: Unknown) -> _Structure:
    model, extra, names = kind.model, kind.extra, kind.members.keys()
    for member in kind.members.values():
        if isinstance(member.type.kind, value_types.Plain):
            raise TypeError(f"{model.__name__}: no constraint of {member.type.kind.type!r}")
    fields, overrides = _fields(kind)
    if extra is not None:
        fields.append(attrs.fields_dict(model)[extra].evolve(type=_Extra))
        overrides[extra] = gen.override(rename=constraints.EXTRA)
    make = partial(gen.make_dict_structure_fn_from_attrs, fields, model, converter, **overrides)
    structure_members = make(_cattrs_forbid_extra_keys=False)
    refusing = cache(partial(make, _cattrs_forbid_extra_keys=True))

    def structure_object(value: _Value, annotation: Annotation) -> _Value:
        _check_type(value, (dict,), "an object")
        if value.keys() <= names:
            return structure_members(value, annotation)
        if not all(type(name) is str for name in value):
            raise ConstraintError("type", "member names must be text")
        if extra is None and unknown == "refuse":
            return refusing()(value, annotation)
        if extra is not None:
            others = {name: value[name] for name in value if name not in names}
            value = {**value, constraints.EXTRA: others}
        return structure_members(value, annotation)

    return structure_object


def _fields(kind: value_types.Object) -> tuple[list[Any], dict[str, Any]]:
    """Return the fields of the members, and what cattrs has to know of them.

    Only a member that may be absent has a default: ABSENT, which is omitted.
    """
    of_model = attrs.fields_dict(kind.model)
    fields, overrides = [], {}
    for name, member in kind.members.items():
        default = ABSENT if member.is_optional else attrs.NOTHING
        fields.append(of_model[member.field].evolve(type=member.type.annotation, default=default))
        overrides[member.field] = gen.override(rename=name, omit_if_default=member.is_optional)
    return fields, overrides


def _array(kind: value_types.Array, converter: BaseConverter, *, only_findings: bool) -> _Structure:
    inner, limits = kind.items.annotation, kind.limits
    hook = converter.get_structure_hook(inner)
    if only_findings and isinstance(kind.items.kind, value_types.Object) and not limits.unique:
        hook = partial(_fast_first, FastDecoder(inner).convert, hook)

    def structure_array(value: _Value, _: Annotation) -> tuple[Any, ...]:
        _check_type(value, (list,), "an array")
        _check_limits(
            "items.count", "must have {} items", len(value), limits.min_length, limits.max_length
        )
        items = _collect(hook, enumerate(value), inner)
        if limits.unique and len(set(items)) < len(items):
            _collect(partial(_check_new, set()), enumerate(items), inner)
        return tuple(items)

    return structure_array


def _fast_first(
    convert: Callable[[_Value], object], hook: _Structure, value: _Value, of: Annotation
) -> None:
    """Check a value, and drop its model: the next one uses the memory again."""
    try:
        convert(value)
    except Undecided:
        hook(value, of)


def _check_new(before: set[Any], item: _Value, _: Annotation) -> None:
    if item in before:
        raise ConstraintError("items.unique", constraints.RULES["items.unique"])
    before.add(item)


def _map(kind: value_types.Map, converter: BaseConverter) -> _Structure:
    inner, names = kind.values.annotation, kind.names
    hook = converter.get_structure_hook(inner)

    def structure_entry(entry: tuple[_Value, _Value], _: Annotation) -> tuple[str, Any]:
        name = _plain_text(entry[0]) if names is None else _form(names, entry[0], _)
        return name, hook(entry[1], inner)

    def structure_map(value: _Value, _: Annotation) -> dict[str, Any]:
        _check_type(value, (dict,), "an object")
        entries = ((name if type(name) is str else "", (name, value[name])) for name in value)
        return dict(_collect(structure_entry, entries, inner))

    return structure_map


def _collect(hook: _Structure, entries: Iterable[tuple[Step, _Value]], of: Annotation) -> list[Any]:
    """Return the results of a hook for all items; raise their errors, of up to 100 faults."""
    left = MAX_FINDINGS
    made: list[Any] = []
    faults: list[Exception] = []
    for index, item in entries:
        try:
            made.append(hook(item, of))
        except (errors.BaseValidationError, ConstraintError) as error:
            note = errors.IterableValidationNote(f"Structuring item {index!r}", index, of)
            error.add_note(note)
            faults.append(error)
            left -= sum(1 for _ in islice(_findings(error, ()), left))
            if left <= 0:
                break
    if faults:
        raise errors.IterableValidationError("While structuring items", faults, of)
    return made


def _anything(_kind: constraints.Anything, value: _Value, _: Annotation) -> _Value:
    if rule := broken_rule(value):
        raise ConstraintError(rule, _JSON_MESSAGES[rule])
    return value


def _constants(kind: value_types.Constants, value: _Value, _: Annotation) -> _Value:
    if type(value) is float and value.is_integer():
        value = int(value)
    for constant in kind.values:
        if type(value) is type(constant) and value == constant:
            return constant
    several = "one of: " if len(kind.values) > 1 else ""
    text = value if type(value) is str and value.isdigit() else None
    names = (f"the number {name}" if name == text else name for name in map(str, kind.values))
    raise ConstraintError("constant", f"must be {several}{', '.join(names)}")


def _boolean(_kind: value_types.Boolean, value: _Value, _: Annotation) -> _Value:
    _check_type(value, (bool,), "true or false")
    return value


def _plain_text(value: _Value) -> str:
    _check_type(value, (str,), "text")
    text: str = value
    if has_surrogate(text):
        raise ConstraintError("text.surrogate", _JSON_MESSAGES["text.surrogate"])
    return text


def _text(kind: constraints.Text, value: _Value, _: Annotation) -> str:
    text = _plain_text(value)
    _check_limits(
        "text.length", "must have {} code points", len(text), kind.min_length, kind.max_length
    )
    if not kind.controls and has_control(text):
        raise ConstraintError("text.control", "must not contain an ASCII control character")
    return text


def _form(kind: constraints.Predicate | constraints.Pattern, value: _Value, _: Annotation) -> str:
    text = _plain_text(value)
    try:
        kind.check(text)
    except ValueError:
        raise ConstraintError(kind.rule, f"must be {kind.name}") from None
    return text


def _number(
    kind: constraints.Number | constraints.Integer, value: _Value, _: Annotation
) -> int | float:
    if type(value) is int and kind.maximum is not None and kind.minimum <= value <= kind.maximum:
        return value  # finite, integral and canonical
    _check_type(value, (int, float), "a number")
    if not is_finite(value):
        raise ConstraintError("number.finite", "must be a finite number")
    _check_limits("number.range", "must be {}", value, kind.minimum, kind.maximum)
    number = canonical(value)
    if type(kind) is constraints.Integer and type(number) is not int:
        raise ConstraintError("number.integral", constraints.RULES["number.integral"])
    return number


def _instant(kind: constraints.TimestampFormat, value: _Value, _: Annotation) -> int:
    text = _plain_text(value)
    try:
        return kind.parse(text)
    except ValueError:
        raise ConstraintError("time.format", f"must be a real instant as {kind.value}") from None


def _check_limits(rule: str, message: str, number: float, least: int, most: int | None) -> None:
    if number < least or (most is not None and number > most):
        span = f"{least} or more" if most is None else f"{least} to {most}"
        raise ConstraintError(rule, message.format(span))


def _check_type(value: _Value, types: tuple[type, ...], expected: str) -> None:
    if type(value) in types:
        return
    if isinstance(value, ConstraintError):
        raise value
    if value is None or type(value) in _JSON_TYPES:
        raise ConstraintError("type", f"must be {expected}")
    raise _wrong_type(value, types[0], expected)


def _wrong_type(value: _Value, of: type, expected: str) -> ConstraintError:
    """Return the error of a value of one of Python's own types, with a remedy."""
    kind = type(value).__name__
    remedy = _REMEDIES.get((of, kind), "")
    if kind == "dict" and attrs.has(of):
        remedy = f": pass {of.__name__}(**value)"
    return ConstraintError("type", f"must be {expected}, not {kind}{remedy}")


_SCALARS: Final[dict[type, Callable[..., Any]]] = {
    constraints.Anything: _anything,
    value_types.Boolean: _boolean,
    value_types.Constants: _constants,
    constraints.Integer: _number,
    constraints.Number: _number,
    constraints.Pattern: _form,
    constraints.Predicate: _form,
    constraints.Text: _text,
    constraints.TimestampFormat: _instant,
}


# Unstructuring


def _unstructure_hook(
    annotation: Annotation, converter: BaseConverter, *, keeps_errors: bool
) -> _Unstructure:
    of = value_type(annotation)
    hook: _Unstructure
    match of.kind:
        case value_types.Object():
            hook = _plain_object(of.kind, converter)
        case value_types.Array(items=items):
            hook = _plain_array(converter.get_unstructure_hook(items.annotation))
        case value_types.Map(values=values):
            hook = _plain_map(converter.get_unstructure_hook(values.annotation))
        case constraints.TimestampFormat():
            hook = _plain_instant
        case constraints.Number() | constraints.Integer():
            hook = canonical
        case _:
            return identity

    def unstructure_or_keep(value: _Value) -> _Value:
        try:
            return None if value is None and of.is_nullable else hook(value)
        except ConstraintError as error:
            if keeps_errors:
                return error
            raise

    return unstructure_or_keep if keeps_errors or of.is_nullable else hook


def _plain_object(kind: value_types.Object, converter: BaseConverter) -> _Unstructure:
    model, extra, members = kind.model, kind.extra, kind.members
    fields, overrides = _fields(kind)
    unstructure_named = gen.make_dict_unstructure_fn_from_attrs(
        fields, model, converter, **overrides
    )
    optional = [member.is_optional for member in members.values()]
    is_ordered = optional == sorted(optional)  # cattrs writes the optional members last
    expected = f"an instance of {model.__name__}"
    of_others = f"an object with a mapping as its `{extra}`"

    def unstructure_object(value: _Value) -> _Value:
        plain = unstructure_named(_instance(value, model, expected))
        if not is_ordered:
            plain = {name: plain[name] for name in members if name in plain}
        if extra is None:
            return plain
        others = _instance(getattr(value, extra), Mapping, of_others)
        return plain | {name: others[name] for name in others if name not in members}

    return unstructure_object


def _plain_array(hook: _Unstructure) -> _Unstructure:
    return lambda value: [hook(item) for item in _instance(value, tuple, "a tuple")]


def _plain_map(hook: _Unstructure) -> _Unstructure:
    return lambda value: {
        name: hook(member) for name, member in _instance(value, Mapping, "a mapping").items()
    }


def _plain_instant(value: _Value) -> str:
    instant = _instance(value, int, "an int of milliseconds since the epoch")
    try:
        return format_instant(instant)
    except ValueError:
        raise ConstraintError("type", "must be in the years 0001 to 9999") from None


def _instance(value: _Value, of: type, expected: str) -> _Value:
    if isinstance(value, of) and type(value) is not bool:
        return value
    raise _wrong_type(value, of, expected)
