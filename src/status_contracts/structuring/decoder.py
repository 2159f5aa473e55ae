"""JSON bodies, plain values and settings to models: the fast decoder first, then cattrs.

Both are derived from the models' annotations (`status_contracts.structuring.fast_decoder`,
`status_contracts.structuring.converter`).

cattrs reads the whole value of an invalid body only when the caller needs the findings: one
invalid place, where the fast decoder stopped, is often enough to reject a body.

Invariant *two paths, one result*: the fast decoder accepts only what cattrs accepts with an equal
model; a body is rejected exactly when cattrs has a finding.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar

import attrs

from status_contracts import json_text
from status_contracts.findings import ContractError, Finding, Step
from status_contracts.structuring.converter import Unknown, structure
from status_contracts.structuring.fast_decoder import CertainFault, Check, FastDecoder, Undecided
from status_contracts.structuring.value_types import value_type

__all__ = ["ModelDecoder", "SettingsError", "ValidationError", "parse_settings"]

M = TypeVar("M", bound=attrs.AttrsInstance)


class ValidationError(Exception):
    """A body is JSON text and invalid; `find` returns the findings."""

    def __init__(self, find: Callable[[], tuple[Finding, ...]]) -> None:
        super().__init__()
        self.find = find


class ModelDecoder(Generic[M]):
    """Decodes and validates one attrs class, with up to 100 findings for one value.

    `unknown`: whether members that the model does not have are faults or are dropped.
    """

    def __init__(self, model: type[M], *, unknown: Unknown = "refuse") -> None:
        self.model = model
        self._unknown: Unknown = unknown

    @cached_property
    def _decoder(self) -> FastDecoder[M]:
        # The types of msgspec are slow to derive: wait for the first body.
        return FastDecoder(self.model)

    def try_decode(self, body: bytes) -> M | None:
        """Return the model of a body by the fast decoder alone; None if that cannot decide."""
        try:
            return self._decoder.decode(body)
        except Undecided:
            return None

    def decode(self, body: bytes, check: Check | None = None) -> M:
        """Return the model of a body; raise ValidationError, JsonTextError or JsonDepthError.

        `check` validates the model, or an object with its attributes in which instants are texts.
        """
        try:
            return self._decoder.decode(body, check)
        except CertainFault:
            raise ValidationError(lambda: self._find_all(json_text.decode(body))) from None
        except Undecided as undecided:
            where = undecided.where
        plain = json_text.decode(body)
        if where and self._rejects_at(plain, where):
            raise ValidationError(lambda: self._find_all(plain))
        model, findings = self.validate(plain)
        if model is None:
            raise ValidationError(lambda: findings)
        if check is not None:
            check(model)
        return model

    def validate(self, value: object) -> tuple[M | None, tuple[Finding, ...]]:
        """Return the model of a plain value and no findings, or None and the findings."""
        return structure(value, self.model, self._unknown)

    def _find_all(self, decoded: object) -> tuple[Finding, ...]:
        return structure(decoded, self.model, self._unknown, only_findings=True)[1]

    def _rejects_at(self, value: Any, where: tuple[Step, ...]) -> bool:  # noqa: ANN401 - plain value
        """Check whether the part of a value at a path is invalid; False where that is not certain.

        If a step of the path does not exist, the last part that does is checked.
        """
        part = value_type(self.model)
        for step in where:
            inner = part.at(step)
            if inner is None or not _has(value, step):
                break
            part, value = inner, value[step]
        return structure(value, part.annotation, self._unknown)[1] != ()


def _has(value: object, step: Step) -> bool:
    if type(value) is dict:
        return step in value
    return type(value) is list and type(step) is int and step < len(value)


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


def parse_settings(tables: object, model: type[M]) -> M:
    """Return the model of plain tables; raise SettingsError, which explains unknown names."""
    settings: M | None
    settings, findings = structure(tables, model)
    if settings is None:
        raise SettingsError(tuple(_explained(finding, model) for finding in findings))
    return settings


def _explained(finding: Finding, model: type[attrs.AttrsInstance]) -> Finding:
    """Return a finding that lists the names that there are, if none is like an unknown one."""
    if finding.rule != "unknown":
        return finding
    steps = finding.path.split("/")[1:]
    *table, name = (step.replace("~1", "/").replace("~0", "~") for step in steps)
    part: Any = value_type(model)
    if table and name in part.kind.members:
        message = "is not a setting of a table; write it above the first [table]"
        return attrs.evolve(finding, message=message)
    for step in table:
        part = part.at(step)
    hint = finding.message.partition("; ")[2] or f"there are {', '.join(part.kind.members)}"
    return attrs.evolve(finding, message=f"is not a setting; {hint}")
