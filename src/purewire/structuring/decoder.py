"""JSON bodies and plain values to models: the fast decoder first, the validator where it fails.

Both are derived from the models' annotations (`purewire.structuring.fast_decoder`,
`purewire.structuring.validator`).

The validator reads the whole value of an invalid body only when the caller needs the findings: one
invalid place, where the fast decoder stopped, is often enough to reject a body.

Invariant *only unknown members are removed* by `drop_unknown`: the rest of the value is unchanged,
invalid parts included.  Members that a model keeps without naming them stay.
Invariant *two paths, one result*: the fast decoder accepts only what the validator accepts with an
equal model; a body is rejected exactly when the validator has a finding.
"""

from collections.abc import Callable
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import attrs

from purewire.findings import Finding
from purewire.json import codec
from purewire.structuring.partial import CertainFault, Undecided

if TYPE_CHECKING:
    from purewire.structuring.fast_decoder import FastDecoder
    from purewire.structuring.validator import Validator
from functools import cache

from purewire.structuring.annotations import (
    Annotation,
    split_container,
    split_object,
    split_union,
)
from purewire.structuring.constraints import Items

M = TypeVar("M", bound=attrs.AttrsInstance)
_Result = tuple[Any, tuple[Finding, ...]]


class ValidationError(Exception):
    """A body is JSON text and invalid; `read` returns its valid parts and the findings."""

    def __init__(self, read: Callable[[], _Result]) -> None:
        super().__init__()
        self.read = read


class ModelDecoder(Generic[M]):
    """Decodes and validates one attrs class, with at most `cap` findings for one value."""

    def __init__(self, model: type[M], *, cap: int) -> None:
        self.model = model
        self._cap = cap

    @cached_property
    def _decoder(self) -> "FastDecoder[M]":
        # msgspec is slow to import, and its types are slow to derive: wait for the first body.
        module = import_module("purewire.structuring.fast_decoder")
        decoder: FastDecoder[M] = module.FastDecoder(self.model)
        return decoder

    @cached_property
    def _validator(self) -> "Validator[M]":
        # cattrs is slow to import, and valid bodies do not need it.
        module = import_module("purewire.structuring.validator")
        validator: Validator[M] = module.Validator(self.model, cap=self._cap)
        return validator

    def try_decode(self, body: bytes) -> M | None:
        """Return the model of a body by the fast decoder alone; None if that cannot decide."""
        try:
            return self._decoder.decode(body)
        except Undecided:
            return None

    def decode(self, body: bytes) -> M:
        """Return the model of a body; raise ValidationError, JsonTextError or JsonDepthError."""
        try:
            return self._decoder.decode(body)
        except CertainFault:
            raise ValidationError(partial(self._validate_body, body)) from None
        except Undecided as undecided:
            where = undecided.where
        plain = codec.decode(body)
        if where and self._validator.rejects_at(plain, where):
            del plain  # otherwise the traceback of the error would keep it alive
            raise ValidationError(partial(self._validate_body, body))
        result = self.validate(plain)
        model, findings = result
        if findings:
            raise ValidationError(lambda: result)
        valid: M = model
        return valid

    def decode_with_findings(self, body: bytes) -> _Result:
        """Return the model and no findings, or valid parts and findings; raise as `decode`."""
        try:
            return self.decode(body), ()
        except ValidationError as error:
            return error.read()

    def _validate_body(self, body: bytes) -> _Result:
        return self.validate(codec.decode(body))

    def validate(self, value: object) -> _Result:
        """Return the model of a plain value and no findings, or its valid parts and findings."""
        return self._validator.validate(value)


def drop_unknown(value: object, model: Annotation) -> object:
    """Return a plain value without the members that the model does not have, at every depth.

    The cost is linear in the value, and the recursion no deeper than the model.
    """
    if union := split_union(model):
        return drop_unknown(value, union.inner)
    if container := split_container(model):
        is_array = isinstance(container.constraint, Items)
        if is_array and isinstance(value, list):
            return [drop_unknown(each, container.inner) for each in value]
        if not is_array and isinstance(value, dict):
            return {name: drop_unknown(each, container.inner) for name, each in value.items()}
        return value
    members, keeps_others = _members(model)
    if not isinstance(value, dict) or (keeps_others and not members):
        return value
    return {
        name: drop_unknown(each, members[name]) if name in members else each
        for name, each in value.items()
        if keeps_others or name in members
    }


@cache
def _members(annotation: Annotation) -> tuple[dict[str, Annotation], bool]:
    """Return the annotation of each member of an object, and whether other members stay.

    All members of a value that is not an object of a model stay.
    """
    found = split_object(annotation)
    if found is None:
        return {}, True
    members = {member.name: member.annotation for member in found.members}
    return members, found.extra is not None
