"""JSON bodies, plain values and settings to models: the fast decoder first, then the validator.

Both are derived from the models' annotations (`status_contracts.structuring.fast_decoder`,
`status_contracts.structuring.validator`).

The validator reads the whole value of an invalid body only when the caller needs the findings: one
invalid place, where the fast decoder stopped, is often enough to reject a body.

Invariant *two paths, one result*: the fast decoder accepts only what the validator accepts with an
equal model; a body is rejected exactly when the validator has a finding.
"""

from collections.abc import Callable
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import attrs

from status_contracts import json_text as codec
from status_contracts.findings import CertainFault, ContractError, Finding, Undecided, steps_of
from status_contracts.structuring.value_types import value_type

if TYPE_CHECKING:
    from status_contracts.structuring.fast_decoder import FastDecoder
    from status_contracts.structuring.validator import Validator

__all__ = ["ModelDecoder", "SettingsError", "ValidationError", "parse_settings"]

M = TypeVar("M", bound=attrs.AttrsInstance)
_Result = tuple[Any, tuple[Finding, ...]]


class ValidationError(Exception):
    """A body is JSON text and invalid; `read` returns its valid parts and the findings."""

    def __init__(self, read: Callable[[], _Result]) -> None:
        super().__init__()
        self.read = read


class ModelDecoder(Generic[M]):
    """Decodes and validates one attrs class, with at most `cap` findings for one value."""

    def __init__(self, model: type[M], *, cap: int, ignores_unknown: bool = False) -> None:
        self.model = model
        self._options = {"cap": cap, "ignores_unknown": ignores_unknown}

    @cached_property
    def _decoder(self) -> "FastDecoder[M]":
        # msgspec is slow to import, and its types are slow to derive: wait for the first body.
        module = import_module("status_contracts.structuring.fast_decoder")
        decoder: FastDecoder[M] = module.FastDecoder(self.model)
        return decoder

    @cached_property
    def _validator(self) -> "Validator[M]":
        # cattrs is slow to import, and valid bodies do not need it.
        module = import_module("status_contracts.structuring.validator")
        validator: Validator[M] = module.Validator(self.model, **self._options)
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


class SettingsError(ContractError):
    """Invalid settings.

    Attributes:
        code: `invalid_settings`.
        findings: every problem found, with its path in the settings; never empty.

    """

    code: Literal["invalid_settings"]

    def __init__(self, problems: tuple[Finding, ...]) -> None:
        super().__init__("invalid_settings", problems)

    def __reduce__(self) -> tuple[type["SettingsError"], tuple[object, ...]]:
        return type(self), (self.findings,)


def parse_settings(tables: object, model: type[M], *, cap: int) -> M:
    """Return the model of the plain tables of a file; raise SettingsError with all problems.

    A name that the tables do not have is explained.
    """
    parsed, findings = ModelDecoder(model, cap=cap).validate(tables)
    if findings:
        raise SettingsError(tuple(_explained(finding, model) for finding in findings))
    settings: M = parsed
    return settings


def _explained(finding: Finding, model: type[attrs.AttrsInstance]) -> Finding:
    """Return a finding that lists the names that there are in place of an unknown one."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a name that is unknown

    if finding.rule != "unknown":
        return finding
    *table, name = steps_of(finding.path)
    names = _names_at(model, table)
    near = get_close_matches(name, names, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
    return attrs.evolve(finding, message=f"is no setting; {hint}")


def _names_at(model: type[attrs.AttrsInstance], steps: list[str]) -> list[str]:
    """Return the names of the object at a path."""
    part: Any = value_type(model)
    for step in steps:
        part = part.at(step)
    return list(part.kind.members)
