"""Validation: plain values to models, or findings for every fault, without any coercion.

cattrs dispatches on the annotation.  Every hook is defined here, because cattrs' own hooks coerce
(`"7"` to 7, 1.9 to 1, null to `"None"`) and its error collection has no limit.

Invariant *exact types*: no JSON type is accepted in place of another; true is not 1.
Invariant *bounded findings*: at most `cap` findings are collected, and a list that is too long is
rejected before its items are read, so the cost is linear and the memory bounded.
Invariant *valid parts are kept*: the valid parts of an invalid value are returned as a `Partial`,
so that rules between members can still be checked where their members are valid.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Final, Generic, NamedTuple, TypeGuard, TypeVar

from cattrs import Converter

from purewire.findings import MISSING, Finding, Missing, Partial, Step, pointer
from purewire.json.codec import MAX_DEPTH, broken_rule
from purewire.primitives import (
    ABSENT,
    canonical,
    has_control,
    has_surrogate,
    is_finite,
    is_integral,
)
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
    annotation_at,
    literal_values,
    split_annotated,
    split_container,
    split_object,
    split_union,
)
from purewire.structuring.to_builtins import Misfit

M = TypeVar("M")
_Hook = Callable[[Any, Any], Any]


class _Fault(NamedTuple):
    steps: tuple[Step, ...]
    rule: str
    message: str

    def below(self, step: Step) -> "_Fault":
        return self._replace(steps=(step, *self.steps))


class _Invalid(Exception):
    """A value is invalid."""

    def __init__(self, faults: list[_Fault], valid: object = MISSING) -> None:
        super().__init__()
        self.faults = faults
        self.valid: Any = valid


class Validator(Generic[M]):
    """A validator of plain values for one model class."""

    def __init__(self, model: type[M], *, cap: int) -> None:
        self._model = model
        self._hooks = _Hooks(cap)
        self._hook = self._hooks.hook(model)

    def validate(self, value: object) -> tuple[M | Partial | Missing, tuple[Finding, ...]]:
        """Return the model and no findings, or the valid parts of the value and the findings."""
        try:
            model: M = self._hook(value, self._model)
        except _Invalid as invalid:
            findings = tuple(
                Finding(pointer(fault.steps), fault.rule, fault.message) for fault in invalid.faults
            )
            return invalid.valid, findings
        return model, ()

    def rejects_at(self, value: object, where: Iterable[Step]) -> bool:
        """Check whether the part of a value at a path is invalid; False where that is not certain.

        If a step of the path does not exist, the last part that does is checked.
        """
        annotation: Annotation = self._model
        for step in where:
            inner = annotation_at(annotation, step)
            if inner is None or not _has(value, step):
                break
            annotation, value = inner, value[step]
        try:
            self._hooks.hook(annotation)(value, annotation)
        except _Invalid:
            return True
        return False


def _has(value: Any, step: Step) -> TypeGuard[Any]:  # noqa: ANN401 - plain values
    if type(value) is dict:
        return step in value
    return type(value) is list and type(step) is int and step < len(value)


class _Hooks:
    """The structure hooks, on a converter of their own."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._converter = Converter()
        for split, factory in (
            (literal_values, _constant),
            (split_union, self._union),
            (split_annotated, _scalar),
            (split_container, self._container),
            (split_object, self._object),  # the last one that applies is used
        ):
            self._register(split, factory)
        self._converter.register_structure_hook(bool, _boolean)

    def _register(
        self, split: Callable[[Annotation], object], factory: Callable[[Any], _Hook]
    ) -> None:
        """Use the hooks of a factory for annotations that a function splits into parts."""
        self._converter.register_structure_hook_factory(
            lambda annotation: split(annotation) is not None,
            lambda annotation: factory(split(annotation)),
        )

    def hook(self, annotation: Annotation) -> _Hook:
        return self._converter.get_structure_hook(annotation)

    def _union(self, union: UnionParts) -> _Hook:
        hook, inner = self.hook(union.inner), union.inner
        if not union.null:
            return lambda value, _: hook(value, inner)
        return lambda value, _: None if value is None else hook(value, inner)

    def _container(self, container: Container) -> _Hook:
        if isinstance(container.constraint, Items):
            return self._items(container.constraint, container.inner)
        return self._map(container.constraint, container.inner)

    def _items(self, constraint: Items, inner: Annotation) -> _Hook:
        hook = self.hook(inner)

        def structure(value: object, _: object) -> tuple[Any, ...]:
            if type(value) is not list:
                raise _wrong_type(value, "an array")
            if len(value) < constraint.min_length or (
                constraint.max_length is not None and len(value) > constraint.max_length
            ):
                raise _invalid(
                    "items.count",
                    f"must have {_span(constraint.min_length, constraint.max_length)} items",
                )
            valid: list[Any] = []
            faults: list[_Fault] = []
            for index, element in enumerate(value):
                try:
                    valid.append(hook(element, inner))
                except _Invalid as invalid:
                    valid.append(invalid.valid)
                    faults += [fault.below(index) for fault in invalid.faults]
                    if len(faults) >= self._cap:
                        break
            if constraint.unique:
                faults += _repeats(valid)
            if faults:
                raise _Invalid(faults[: self._cap], tuple(valid))
            return tuple(valid)

        return structure

    def _map(self, constraint: MapOf, inner: Annotation) -> _Hook:
        hook = self.hook(inner)
        check = None if constraint.names is None else _predicate(constraint.names)

        def structure(value: object, _: object) -> dict[str, Any]:
            if type(value) is not dict:
                raise _wrong_type(value, "an object")
            valid: dict[str, Any] = {}
            faults: list[_Fault] = []
            for name, member in value.items():
                try:
                    _plain_text(name) if check is None else check(name, str)
                    valid[name] = hook(member, inner)
                except _Invalid as invalid:
                    step = name if type(name) is str else ""
                    faults += [fault.below(step) for fault in invalid.faults]
                    if len(faults) >= self._cap:
                        break
            if faults:
                raise _Invalid(faults[: self._cap], valid)
            return valid

        return structure

    def _object(self, object_type: ObjectType) -> _Hook:
        optional = {member.field for member in object_type.members if member.default is ABSENT}
        members = [
            (member.name, member.field, self.hook(member.annotation), member.annotation)
            for member in object_type.members
        ]
        names = {member.name for member in object_type.members}
        model, extra = object_type.model, object_type.extra

        def structure(value: object, _: object) -> object:
            if type(value) is not dict:
                raise _wrong_type(value, "an object")
            valid: dict[str, Any] = dict.fromkeys(optional, ABSENT)
            faults: list[_Fault] = []
            for name, field, hook, inner in members:
                if name in value:
                    try:
                        valid[field] = hook(value[name], inner)
                    except _Invalid as invalid:
                        valid[field] = invalid.valid
                        faults += [fault.below(name) for fault in invalid.faults]
                elif field not in optional:
                    faults.append(_Fault((name,), "required", "must be present"))
            if extra is None:
                faults += islice(_unknown(value, names), self._cap)
            elif not names.issuperset(value):
                valid[extra] = {name: value[name] for name in value if name not in names}
                faults += islice(_extra_faults(valid[extra]), self._cap)
            if faults:
                raise _Invalid(faults[: self._cap], Partial(valid))
            return model(**valid)

        return structure


def _span(lowest: int, highest: int | None) -> str:
    return f"{lowest} or more" if highest is None else f"{lowest} to {highest}"


def _invalid(rule: str, message: str) -> _Invalid:
    return _Invalid([_Fault((), rule, message)])


def _wrong_type(value: object, expected: str) -> _Invalid:
    """Return the fault of a value that has another type, with a remedy for Python's own types."""
    if type(value) is Misfit:
        return _invalid("type", value.message)
    if value is None or type(value) in _JSON_TYPES:
        return _invalid("type", f"must be {expected}")
    problem = f"must be {expected}, not {type(value).__name__}"
    remedy = _REMEDIES.get(type(value).__name__)
    return _invalid("type", f"{problem}: {remedy}" if remedy else problem)


_JSON_TYPES: Final = (dict, list, str, int, float, bool)
_REMEDIES: Final = {
    "tuple": "pass list(value)",
    "UUID": "pass str(value)",
    "datetime": "pass format_instant(from_datetime(value))",
}


def _unknown(value: dict[Any, Any], names: set[str]) -> Iterator[_Fault]:
    for name in value:
        if type(name) is not str:
            yield _Fault((), "type", "member names must be text")
        elif name not in names:
            yield _Fault((name,), "unknown", "must be a member that the object has")


def _extra_faults(rest: dict[Any, Any]) -> Iterator[_Fault]:
    """Yield the faults of the members that are kept without being named."""
    for name, member in rest.items():
        if type(name) is not str:
            yield _Fault((), "type", "member names must be text")
        elif (rule := broken_rule(member) or broken_rule(name)) is not None:
            yield _Fault((name,), rule, _JSON_MESSAGES[rule])


_JSON_MESSAGES: Final = {
    "json.depth": f"must not be nested deeper than {MAX_DEPTH}",
    "type": "must be a JSON value",
    "number.finite": "must contain finite numbers only",
    "text.surrogate": "must not contain a lone surrogate",
}


def _anything(_constraint: Anything) -> _Hook:
    def structure(value: object, _: object) -> object:
        rule = broken_rule(value)
        if rule is not None:
            raise _invalid(rule, _JSON_MESSAGES[rule])
        return value

    return structure


def _repeats(items: list[Any]) -> Iterator[_Fault]:
    seen: set[Any] = set()
    for index, element in enumerate(items):
        if element in seen:
            yield _Fault((index,), "items.unique", "must differ from all items before")
        elif element is not MISSING:
            seen.add(element)


def _scalar(constrained: tuple[Annotation, object]) -> _Hook:
    _, constraint = constrained
    return _BY_CONSTRAINT[type(constraint)](constraint)


def _constant(allowed: tuple[object, ...]) -> _Hook:
    words = ", ".join(str(choice) for choice in allowed)

    def structure(value: object, _: object) -> object:
        if type(value) is float and is_integral(value):
            value = int(value)
        for choice in allowed:
            if type(value) is type(choice) and value == choice:
                return choice
        raise _invalid("constant", f"must be one of: {words}")

    return structure


def _boolean(value: object, _: object) -> bool:
    if type(value) is not bool:
        raise _wrong_type(value, "true or false")
    return value


def _plain_text(value: object) -> str:
    if type(value) is not str:
        raise _wrong_type(value, "text")
    if has_surrogate(value):
        raise _invalid("text.surrogate", "must not contain a lone surrogate")
    return value


def _text(constraint: Text) -> _Hook:
    max_length = constraint.max_length

    def structure(value: object, _: object) -> str:
        text = _plain_text(value)
        if len(text) < constraint.min_length or (max_length is not None and len(text) > max_length):
            raise _invalid(
                "text.length", f"must have {_span(constraint.min_length, max_length)} code points"
            )
        if not constraint.controls and has_control(text):
            raise _invalid("text.control", "must not contain an ASCII control character")
        return text

    return structure


def _predicate(constraint: Predicate | Pattern) -> _Hook:
    def structure(value: object, _: object) -> str:
        text = _plain_text(value)
        try:
            constraint.check(text)
        except ValueError:
            raise _invalid(constraint.rule, f"must be {constraint.name}") from None
        return text

    return structure


def _bounded_number(value: object, minimum: int, maximum: int | None) -> int | float:
    if type(value) not in (int, float):
        raise _wrong_type(value, "a number")
    number: Any = value
    if not is_finite(number):
        raise _invalid("number.finite", "must be a finite number")
    if number < minimum or (maximum is not None and number > maximum):
        raise _invalid("number.range", f"must be {_span(minimum, maximum)}")
    checked: int | float = number
    return checked


def _number(constraint: Number) -> _Hook:
    return lambda value, _: canonical(
        _bounded_number(value, constraint.minimum, constraint.maximum)
    )


def _integer(constraint: Integer) -> _Hook:
    def structure(value: object, _: object) -> int:
        number = _bounded_number(value, constraint.minimum, constraint.maximum)
        if not is_integral(number):
            raise _invalid("number.integral", "must have an integral value")
        return int(number)

    return structure


def _instant(constraint: TimestampFormat) -> _Hook:
    parse = constraint.parse

    def structure(value: object, _: object) -> int:
        if type(value) is not str:
            raise _wrong_type(value, "text")
        try:
            return parse(value)
        except ValueError:
            raise _invalid("time.format", f"must be a real instant as {constraint.value}") from None

    return structure


_BY_CONSTRAINT: Final[dict[type, Callable[[Any], _Hook]]] = {
    Text: _text,
    Anything: _anything,
    Predicate: _predicate,
    Pattern: _predicate,
    Number: _number,
    Integer: _integer,
    TimestampFormat: _instant,
}
