"""The findings path: plain values into models, every fault named, nothing coerced.

cattrs dispatches on the annotation; every hook is ours, because cattrs' own hooks coerce (`"7"`
to 7, 1.9 to 1, null to `"None"`) and its error collection has no bound.

Invariant *exact types*: a JSON type is never taken for another; true is not 1.
Invariant *bounded findings*: no more than `cap` findings are collected, and a list that is too
long is refused before its items are looked at, so the cost is linear and the memory bounded.
Invariant *nothing is lost*: what is sound in a faulty value is kept as a `Partial`, so that rules
between neighbours can still be judged where their members are sound.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Final, Generic, NamedTuple, TypeGuard, TypeVar

import attrs
from cattrs import Converter

from purewire.absent import ABSENT
from purewire.findings import Finding, Step, pointer
from purewire.instants import parse_millisecond, parse_utc
from purewire.json.plain_values import DEPTH_MOST, fault_in
from purewire.numbers import canonical, integral, is_finite
from purewire.structuring.annotations import (
    Annotation,
    alternatives,
    choices,
    entry,
    item,
    members_of,
    part,
    rest_of,
    shaped,
)
from purewire.structuring.constraints import (
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
from purewire.structuring.partial import MISSING, Missing, Partial, Settled
from purewire.text import has_control, has_surrogate

__all__ = ["Validator"]

M = TypeVar("M")
_Hook = Callable[[Any, Any], Any]


class _Fault(NamedTuple):
    steps: tuple[Step, ...]
    rule: str
    message: str

    def below(self, step: Step) -> "_Fault":
        return self._replace(steps=(step, *self.steps))


class _Refused(Exception):
    """A value that does not fit: its faults, and what is sound in it."""

    def __init__(self, faults: list[_Fault], sound: object = MISSING) -> None:
        super().__init__()
        self.faults = faults
        self.sound: Any = sound


class Validator(Generic[M]):
    """Structures plain values into one model class.

    Args:
        model: the attrs class.
        cap: how many findings are collected at the most.

    """

    def __init__(self, model: type[M], *, cap: int) -> None:
        self._model = model
        self._strict = _Strict(cap)
        self._hook = self._strict.hook(model)

    def validate(self, value: object) -> tuple[M | Partial | Missing, tuple[Finding, ...]]:
        """Give the model and no findings, or what is sound in the value and its findings."""
        try:
            model: M = self._hook(value, self._model)
        except _Refused as refused:
            findings = tuple(
                Finding(pointer(fault.steps), fault.rule, fault.message) for fault in refused.faults
            )
            return refused.sound, findings
        return model, ()

    def refuses(self, value: object, where: Iterable[Step]) -> bool:
        """Tell whether a value is at fault in one place, at little cost; False where unsure.

        The place is looked for as far as the steps lead to a part that is there.
        """
        annotation: Annotation = self._model
        for step in where:
            inner = part(annotation, step)
            if inner is None or not _has(value, step):
                break
            annotation, value = inner, value[step]
        try:
            self._strict.hook(annotation)(value, annotation)
        except _Refused:
            return True
        return False


def _has(value: Any, step: Step) -> TypeGuard[Any]:  # noqa: ANN401 - plain values
    if type(value) is dict:
        return step in value
    return type(value) is list and type(step) is int and step < len(value)


class _Strict:
    """The hooks, on a converter of their own."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._converter = Converter()
        factories: tuple[tuple[Callable[[Any], bool], Callable[[Any], _Hook]], ...] = (
            (attrs.has, self._object),
            (lambda annotation: choices(annotation) is not None, _constant),
            (lambda annotation: alternatives(annotation) is not None, self._union),
            (lambda annotation: shaped(annotation) is not None, self._shaped),
        )
        for applies, factory in factories:
            self._converter.register_structure_hook_factory(applies, factory)
        self._converter.register_structure_hook(bool, _boolean)

    def hook(self, annotation: Annotation) -> _Hook:
        return self._converter.get_structure_hook(annotation)

    def _shaped(self, annotation: Annotation) -> _Hook:
        base, shape = shaped(annotation) or (annotation, None)
        if isinstance(shape, Items):
            return self._items(base, shape)
        if isinstance(shape, FieldOverride):
            return self._object(base, {shape.name: shape.annotation})
        if isinstance(shape, MapOf):
            return self._entries(base, shape)
        return _SHAPES[type(shape)](shape)

    def _union(self, annotation: Annotation) -> _Hook:
        union = alternatives(annotation)
        inner = annotation if union is None else union.inner
        hook = self.hook(inner)
        if union is None or not union.null:
            return lambda value, _: hook(value, inner)
        return lambda value, _: None if value is None else hook(value, inner)

    def _items(self, base: Annotation, shape: Items) -> _Hook:
        inner = item(base)
        hook = self.hook(inner)

        def structure(value: object, _: object) -> tuple[Any, ...]:
            if type(value) is not list and type(value) is not Settled:
                raise _refused("type", "must be an array")
            if len(value) < shape.min_length or (
                shape.max_length is not None and len(value) > shape.max_length
            ):
                raise _refused(
                    "items.count", f"must have {_span(shape.min_length, shape.max_length)} items"
                )
            sound: list[Any] = []
            faults: list[_Fault] = []
            for index, each in enumerate(value):
                if type(value) is Settled and isinstance(each, inner):
                    sound.append(each)
                    continue
                try:
                    sound.append(hook(each, inner))
                except _Refused as refused:
                    sound.append(refused.sound)
                    faults += [fault.below(index) for fault in refused.faults]
                    if len(faults) >= self._cap:
                        break
            if shape.unique:
                faults += _repeats(sound)
            if faults:
                raise _Refused(faults[: self._cap], tuple(sound))
            return tuple(sound)

        return structure

    def _entries(self, base: Annotation, shape: MapOf) -> _Hook:
        inner = entry(base)
        hook = self.hook(inner)
        check = None if shape.names is None else _checked(shape.names)

        def structure(value: object, _: object) -> dict[str, Any]:
            if type(value) is not dict:
                raise _refused("type", "must be an object")
            sound: dict[str, Any] = {}
            faults: list[_Fault] = []
            for name, each in value.items():
                try:
                    _checked_text(name) if check is None else check(name, str)
                    sound[name] = hook(each, inner)
                except _Refused as refused:
                    step = name if type(name) is str else ""
                    faults += [fault.below(step) for fault in refused.faults]
                    if len(faults) >= self._cap:
                        break
            if faults:
                raise _Refused(faults[: self._cap], sound)
            return sound

        return structure

    def _object(self, model: Annotation, narrowed: dict[str, Any] | None = None) -> _Hook:
        named = members_of(model, narrowed or {})
        optional = {member.field for member in named if member.default is ABSENT}
        members = [
            (member.name, member.field, self.hook(member.annotation), member.annotation)
            for member in named
        ]
        names = {member.name for member in named}
        rest = rest_of(model)

        def structure(value: object, _: object) -> object:
            if type(value) is not dict:
                raise _refused("type", "must be an object")
            sound: dict[str, Any] = dict.fromkeys(optional, ABSENT)
            faults: list[_Fault] = []
            for name, field, hook, inner in members:
                if name in value:
                    try:
                        sound[field] = hook(value[name], inner)
                    except _Refused as refused:
                        sound[field] = refused.sound
                        faults += [fault.below(name) for fault in refused.faults]
                elif field not in optional:
                    faults.append(_Fault((name,), "required", "is required"))
            if rest is None:
                faults += islice(_unknown(value, names), self._cap)
            elif not names.issuperset(value):
                sound[rest] = {name: value[name] for name in value if name not in names}
                faults += islice(_unfit(sound[rest]), self._cap)
            if faults:
                raise _Refused(faults[: self._cap], Partial(sound))
            return model(**sound)

        return structure


def _span(least: int, most: int | None) -> str:
    return f"{least} or more" if most is None else f"{least} to {most}"


def _refused(rule: str, message: str) -> _Refused:
    return _Refused([_Fault((), rule, message)])


def _unknown(value: dict[Any, Any], known: set[str]) -> Iterator[_Fault]:
    for name in value:
        if type(name) is not str:
            yield _Fault((), "type", "member names must be text")
        elif name not in known:
            yield _Fault((name,), "unknown", "is not a member of this object")


def _unfit(rest: dict[Any, Any]) -> Iterator[_Fault]:
    """Give what is no JSON among the members that are kept as they are."""
    for name, each in rest.items():
        if type(name) is not str:
            yield _Fault((), "type", "member names must be text")
        elif (rule := fault_in(each) or fault_in(name)) is not None:
            yield _Fault((name,), rule, _UNFIT[rule])


_UNFIT: Final = {
    "json.depth": f"must not be nested deeper than {DEPTH_MOST}",
    "type": "must be a JSON value",
    "number.finite": "must hold finite numbers only",
    "text.surrogate": "must not hold a lone surrogate",
}


def _anything(_shape: Anything) -> _Hook:
    def structure(value: object, _: object) -> object:
        rule = fault_in(value)
        if rule is not None:
            raise _refused(rule, _UNFIT[rule])
        return value

    return structure


def _repeats(items: list[Any]) -> Iterator[_Fault]:
    seen: set[Any] = set()
    for index, each in enumerate(items):
        if each in seen:
            yield _Fault((index,), "items.unique", "stands in the list already")
        elif each is not MISSING:
            seen.add(each)


def _constant(annotation: Annotation) -> _Hook:
    allowed = choices(annotation) or ()
    words = ", ".join(str(choice) for choice in allowed)

    def structure(value: object, _: object) -> object:
        if type(value) is float and integral(value):
            value = int(value)
        for choice in allowed:
            if type(value) is type(choice) and value == choice:
                return choice
        raise _refused("constant", f"must be one of: {words}")

    return structure


def _boolean(value: object, _: object) -> bool:
    if type(value) is not bool:
        raise _refused("type", "must be true or false")
    return value


def _checked_text(value: object) -> str:
    if type(value) is not str:
        raise _refused("type", "must be text")
    if has_surrogate(value):
        raise _refused("text.surrogate", "must not hold a lone surrogate")
    return value


def _text(shape: Text) -> _Hook:
    most = shape.max_length

    def structure(value: object, _: object) -> str:
        text = _checked_text(value)
        if len(text) < shape.min_length or (most is not None and len(text) > most):
            raise _refused("text.length", f"must have {_span(shape.min_length, most)} code points")
        if not shape.controls and has_control(text):
            raise _refused("text.control", "must not hold an ASCII control character")
        return text

    return structure


def _pattern(shape: Pattern) -> _Hook:
    def structure(value: object, _: object) -> str:
        text = _checked_text(value)
        if shape.expression.fullmatch(text) is None:
            raise _refused("text.pattern", f"must be {shape.name}")
        return text

    return structure


def _checked(shape: Predicate) -> _Hook:
    def structure(value: object, _: object) -> str:
        text = _checked_text(value)
        try:
            shape.check(text)
        except ValueError:
            raise _refused(shape.rule, f"must be {shape.name}") from None
        return text

    return structure


def _checked_number(value: object, least: int, most: int | None) -> int | float:
    if type(value) not in (int, float):
        raise _refused("type", "must be a number")
    number: Any = value
    if not is_finite(number):
        raise _refused("number.finite", "must be a finite number")
    if number < least or (most is not None and number > most):
        raise _refused("number.range", f"must be {_span(least, most)}")
    checked: int | float = number
    return checked


def _number(shape: Number) -> _Hook:
    return lambda value, _: canonical(_checked_number(value, shape.minimum, shape.maximum))


def _integer(shape: Integer) -> _Hook:
    def structure(value: object, _: object) -> int:
        number = _checked_number(value, shape.minimum, shape.maximum)
        if not integral(number):
            raise _refused("number.integral", "must have an integral value")
        return int(number)

    return structure


def _instant(shape: TimestampFormat) -> _Hook:
    parse = parse_millisecond if shape is TimestampFormat.MILLISECOND else parse_utc

    def structure(value: object, _: object) -> int:
        if type(value) is not str:
            raise _refused("type", "must be text")
        try:
            return parse(value)
        except ValueError:
            raise _refused("time.format", f"must be a real instant as {shape.value}") from None

    return structure


_SHAPES: Final[dict[type, Callable[[Any], _Hook]]] = {
    Text: _text,
    Anything: _anything,
    Predicate: _checked,
    Pattern: _pattern,
    Number: _number,
    Integer: _integer,
    TimestampFormat: _instant,
}
