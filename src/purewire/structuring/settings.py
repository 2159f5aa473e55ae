"""Settings from the plain tables of a file: a model, or `SettingsError` with every problem."""

from difflib import get_close_matches
from typing import Generic, Literal, TypeVar

import attrs

from purewire.findings import ContractError, Finding, steps_of
from purewire.structuring.annotations import (
    Annotation,
    annotation_at,
    split_container,
    split_object,
    split_union,
)
from purewire.structuring.partial import Missing, Partial
from purewire.structuring.validator import Validator

M = TypeVar("M")


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


class SettingsTables(Generic[M]):
    """The tables that a model describes; a name that they do not have is explained."""

    def __init__(self, model: type[M], *, cap: int) -> None:
        self._model = model
        self._validator = Validator(model, cap=cap)

    def parse(self, tables: object) -> M:
        """Return the model of plain tables; raise SettingsError with all problems, up to a cap."""
        model, findings = self._validator.validate(tables)
        if findings or isinstance(model, Partial | Missing):
            raise SettingsError(tuple(map(self._explained, findings)))
        return model

    def _explained(self, finding: Finding) -> Finding:
        """Return a finding that lists the names that there are in place of an unknown one."""
        if finding.rule != "unknown":
            return finding
        *table, name = steps_of(finding.path)
        names = _names_at(self._model, table)
        near = get_close_matches(name, names, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
        return attrs.evolve(finding, message=f"is no setting; {hint}")


def _names_at(annotation: Annotation, steps: list[str]) -> list[str]:
    """Return the names of the object at a path."""
    if union := split_union(annotation):
        return _names_at(union.inner, steps)
    if steps:
        container = split_container(annotation)
        inner = container.inner if container else annotation_at(annotation, steps[0])
        return _names_at(inner, steps[1:])
    found = split_object(annotation)
    return [member.name for member in found.members] if found else []
