"""Cases of bodies that are derived from the constraints of a model."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from purewire.findings import pointer
from purewire.structuring.cases import UNUSUAL_TEXTS, Case, Cases
from support.vectors.topics import Json

__all__ = ["Derived", "derived"]

_MOST: Final = {"": 3, "number.range": 2, "text.length": 2, "type": 2, "time.format": 2}
"""Rule to the number of its cases in one place, one if it is not here."""
_MAX_TEXT: Final = 3_000
"""Longer values are in the cases that are written by hand."""


class Derived(NamedTuple):
    """A case: its title, the body as a plain value, and its finding (no rule: it is valid)."""

    title: str
    value: Json
    path: str
    rule: str
    member: str


def derived(
    cases: Cases, model: type, valid: Json, *, is_wanted: Callable[[Case], bool]
) -> Iterator[Derived]:
    """Generate the wanted cases of a model's members that have a JSON text, in a valid value."""
    numbers: Counter[tuple[Any, str]] = Counter()
    for case in cases.of(model):
        if not (case.at and case.has_text and is_wanted(case)):
            continue
        if case.value in UNUSUAL_TEXTS or len(json.dumps(case.value, default=str)) > _MAX_TEXT:
            continue
        at = case.at[:-1] if case.rule == "unknown" else case.at
        numbers[at, case.rule] += 1
        number = numbers[at, case.rule]
        if number > _MOST.get(case.rule, 1):
            continue
        place = pointer(case.at)
        title = f"{model.__name__} {place}: {case.rule or 'valid'} {number}"
        member = next((step for step in reversed(case.at) if isinstance(step, str)), "")
        value = cases.place(model, valid, case)
        yield Derived(title, value, pointer(case.path), case.rule, member)
