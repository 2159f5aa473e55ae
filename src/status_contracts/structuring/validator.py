"""Validation: plain values to models, or findings for every fault, without any coercion.

cattrs chooses the hook of a kind of value.  Every hook is defined here, because cattrs' own hooks
coerce (`"7"` to 7, 1.9 to 1, null to `"None"`) and its error collection has no limit.

Invariant *exact types*: no JSON type is accepted in place of another; true is not 1.
Invariant *bounded findings*: at most `cap` findings are collected, and a list that is too long is
rejected before its items are read, so the cost is linear and the memory bounded.
Invariant *valid parts are kept*: the valid parts of an invalid value are returned as a `Partial`,
so that rules between members can still be checked where their members are valid.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, Generic, TypeGuard, TypeVar

from cattrs import Converter

from status_contracts.findings import MISSING, Finding, Missing, Partial, Step, pointer
from status_contracts.json_text import MAX_DEPTH, broken_rule
from status_contracts.primitives import (
    ABSENT,
    has_control,
    has_surrogate,
    is_finite,
    is_integral,
)
from status_contracts.structuring.constraints import (
    Anything,
    Integer,
    Number,
    Pattern,
    Predicate,
    Text,
    TimestampFormat,
)
from status_contracts.structuring.to_builtins import Misfit, canonical
from status_contracts.structuring.value_types import (
    Annotation,
    Array,
    Boolean,
    Constants,
    Map,
    Object,
    Plain,
    ValueType,
    value_type,
)

M = TypeVar("M")
_Path = tuple[Step, ...]


class Validator(Generic[M]):
    """A validator of plain values for one model class, with at most `cap` findings for each."""

    def __init__(self, model: type[M], *, cap: int, ignores_unknown: bool = False) -> None:
        """Set up; `ignores_unknown`: members that the model does not have are dropped.

        Raises:
            TypeError: a member has a type without a constraint, as `str`, which states no limits.

        """
        annotation: Annotation = model
        self._type = value_type(annotation)
        for part in self._type.walk():
            if isinstance(part.kind, Plain):
                raise TypeError(f"{model.__name__}: no constraint of {part.kind.type!r}")
        self._cap = cap
        self._ignores_unknown = ignores_unknown

    def validate(self, value: object) -> tuple[M | Partial | Missing, tuple[Finding, ...]]:
        """Return the model and no findings, or the valid parts of the value and the findings."""
        validation = _Validation(self._cap, ignores_unknown=self._ignores_unknown)
        model: M | Partial | Missing = validation.read(self._type, value, ())
        return model, tuple(validation.findings)

    def rejects_at(self, value: object, where: Iterable[Step]) -> bool:
        """Check whether the part of a value at a path is invalid; False where that is not certain.

        If a step of the path does not exist, the last part that does is checked.
        """
        part = self._type
        for step in where:
            inner = part.at(step)
            if inner is None or not _has(value, step):
                break
            part, value = inner, value[step]
        validation = _Validation(1, ignores_unknown=self._ignores_unknown)
        validation.read(part, value, ())
        return validation.faults > 0


def _has(value: Any, step: Step) -> TypeGuard[Any]:  # noqa: ANN401 - plain values
    if type(value) is dict:
        return step in value
    return type(value) is list and type(step) is int and step < len(value)


class _Validation:
    """The validation of one value.

    The methods return the valid part of a value at a path, or MISSING, and add the findings.
    `faults` counts those after the cap too.
    """

    def __init__(self, cap: int, *, ignores_unknown: bool) -> None:
        self._cap = cap
        self._ignores_unknown = ignores_unknown
        self.findings: list[Finding] = []
        self.faults = 0

    def _fault(self, path: _Path, rule: str, message: str) -> Missing:
        self.faults += 1
        if not self._is_full():
            self.findings.append(Finding(pointer(path), rule, message))
        return MISSING

    def _is_full(self) -> bool:
        return len(self.findings) >= self._cap

    def _wrong_type(self, path: _Path, value: object, expected: str) -> Missing:
        """Add the finding of a value of another type, with a remedy for Python's own types."""
        if type(value) is Misfit:
            return self._fault(path, "type", value.message)
        message = f"must be {expected}"
        if value is not None and type(value) not in _JSON_TYPES:
            message += f", not {type(value).__name__}"
            message += _REMEDIES.get(type(value).__name__, "")
        return self._fault(path, "type", message)

    def read(self, of: ValueType, value: object, path: _Path) -> Any:  # noqa: ANN401 - any value
        if value is None and of.is_nullable:
            return None
        hook: Callable[..., Any] = _HOOKS.get_structure_hook(type(of.kind))
        return hook(self, of.kind, value, path)

    def read_array(self, kind: Array, value: object, path: _Path) -> tuple[Any, ...] | Missing:
        if type(value) is not list:
            return self._wrong_type(path, value, "an array")
        limits = kind.limits
        if not _is_within(len(value), limits.min_length, limits.max_length):
            span = _span(limits.min_length, limits.max_length)
            return self._fault(path, "items.count", f"must have {span} items")
        valid: list[Any] = []
        for index, element in enumerate(value):
            valid.append(self.read(kind.items, element, (*path, index)))
            if self._is_full():
                break
        if limits.unique:
            self._find_repeats(valid, path)
        return tuple(valid)

    def _find_repeats(self, items: list[Any], path: _Path) -> None:
        seen: set[Any] = set()
        for index, element in enumerate(items):
            if element in seen:
                self._fault((*path, index), "items.unique", "must differ from all items before")
            elif element is not MISSING:
                seen.add(element)

    def read_map(self, kind: Map, value: object, path: _Path) -> dict[str, Any] | Missing:
        if type(value) is not dict:
            return self._wrong_type(path, value, "an object")
        valid: dict[str, Any] = {}
        for name, member in value.items():
            before, inside = self.faults, (*path, name if type(name) is str else "")
            self._name(kind.names, name, inside)
            part = MISSING if self.faults > before else self.read(kind.values, member, inside)
            if self.faults == before:
                valid[name] = part
            if self._is_full():
                break
        return valid

    def _name(self, names: Predicate | None, name: object, path: _Path) -> None:
        if names is None:
            self._plain_text(name, path)
        else:
            self.read_form(names, name, path)

    def read_object(self, kind: Object, value: object, path: _Path) -> Any:  # noqa: ANN401 - any model
        if type(value) is not dict:
            return self._wrong_type(path, value, "an object")
        before = self.faults
        valid: dict[str, Any] = {}
        for name, member in kind.members.items():
            if name in value:
                valid[member.field] = self.read(member.type, value[name], (*path, name))
            elif member.is_optional:
                valid[member.field] = ABSENT
            else:
                self._fault((*path, name), "required", "must be present")
        if not kind.members.keys() >= value.keys():
            others = {name: value[name] for name in value if name not in kind.members}
            self._find_unknown(kind, others, path)
            if kind.extra is not None:
                valid[kind.extra] = others
        return kind.model(**valid) if self.faults == before else Partial(valid)

    def _find_unknown(self, kind: Object, others: dict[Any, Any], path: _Path) -> None:
        """Add the findings of the members that a model does not name."""
        for name, member in others.items():
            if self._is_full():
                break
            if type(name) is not str:
                self._fault(path, "type", "member names must be text")
            elif kind.extra is not None:
                if rule := broken_rule(member) or broken_rule(name):
                    self._fault((*path, name), rule, _JSON_MESSAGES[rule])
            elif not self._ignores_unknown:
                self._fault((*path, name), "unknown", "must be a member that the object has")

    def read_anything(self, _kind: Anything, value: object, path: _Path) -> object:
        rule = broken_rule(value)
        return self._fault(path, rule, _JSON_MESSAGES[rule]) if rule else value

    def read_constant(self, kind: Constants, value: object, path: _Path) -> object:
        if type(value) is float and is_integral(value):
            value = int(value)
        for constant in kind.values:
            if type(value) is type(constant) and value == constant:
                return constant
        words = ", ".join(map(str, kind.values))
        return self._fault(path, "constant", f"must be one of: {words}")

    def read_boolean(self, _kind: Boolean, value: object, path: _Path) -> bool | Missing:
        return value if type(value) is bool else self._wrong_type(path, value, "true or false")

    def _plain_text(self, value: object, path: _Path) -> str | Missing:
        if type(value) is not str:
            return self._wrong_type(path, value, "text")
        if has_surrogate(value):
            return self._fault(path, "text.surrogate", "must not contain a lone surrogate")
        return value

    def read_text(self, kind: Text, value: object, path: _Path) -> str | Missing:
        text = self._plain_text(value, path)
        if isinstance(text, Missing):
            return text
        if not _is_within(len(text), kind.min_length, kind.max_length):
            span = _span(kind.min_length, kind.max_length)
            return self._fault(path, "text.length", f"must have {span} code points")
        if not kind.controls and has_control(text):
            message = "must not contain an ASCII control character"
            return self._fault(path, "text.control", message)
        return text

    def read_form(self, kind: Predicate | Pattern, value: object, path: _Path) -> str | Missing:
        text = self._plain_text(value, path)
        if isinstance(text, Missing):
            return text
        try:
            kind.check(text)
        except ValueError:
            return self._fault(path, kind.rule, f"must be {kind.name}")
        return text

    def read_number(self, kind: Number | Integer, value: Any, path: _Path) -> int | float | Missing:  # noqa: ANN401 - any value
        if type(value) not in (int, float):
            return self._wrong_type(path, value, "a number")
        if not is_finite(value):
            return self._fault(path, "number.finite", "must be a finite number")
        if not _is_within(value, kind.minimum, kind.maximum):
            span = _span(kind.minimum, kind.maximum)
            return self._fault(path, "number.range", f"must be {span}")
        if isinstance(kind, Integer) and not is_integral(value):
            return self._fault(path, "number.integral", "must have an integral value")
        return canonical(value)

    def read_instant(self, kind: TimestampFormat, value: object, path: _Path) -> int | Missing:
        if type(value) is not str:
            return self._wrong_type(path, value, "text")
        try:
            return kind.parse(value)
        except ValueError:
            return self._fault(path, "time.format", f"must be a real instant as {kind.value}")


def _is_within(number: float, lowest: int, highest: int | None) -> bool:
    return lowest <= number and (highest is None or number <= highest)


def _span(lowest: int, highest: int | None) -> str:
    return f"{lowest} or more" if highest is None else f"{lowest} to {highest}"


_JSON_TYPES: Final = (dict, list, str, int, float, bool)
_REMEDIES: Final = {
    "tuple": ": pass list(value)",
    "UUID": ": pass str(value)",
    "datetime": ": pass format_instant(from_datetime(value))",
}
_JSON_MESSAGES: Final = {
    "json.depth": f"must not be nested deeper than {MAX_DEPTH}",
    "type": "must be a JSON value",
    "number.finite": "must contain finite numbers only",
    "text.surrogate": "must not contain a lone surrogate",
}
_HOOKS: Final = Converter()
_HOOK_OF: Final[dict[type, Callable[..., Any]]] = {
    Array: _Validation.read_array,
    Map: _Validation.read_map,
    Object: _Validation.read_object,
    Constants: _Validation.read_constant,
    Boolean: _Validation.read_boolean,
    Text: _Validation.read_text,
    Predicate: _Validation.read_form,
    Pattern: _Validation.read_form,
    Number: _Validation.read_number,
    Integer: _Validation.read_number,
    TimestampFormat: _Validation.read_instant,
    Anything: _Validation.read_anything,
}
for _kind, _hook in _HOOK_OF.items():
    _HOOKS.register_structure_hook(_kind, _hook)
