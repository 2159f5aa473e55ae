"""Values of a later version, cut down to the members that this version knows.

Invariant *only unknown members go*: what is left of a value is as it was, faults included; a value
without unknown members is left whole, and so is what a model keeps without naming it.
"""

from functools import cache

import attrs

from purewire.structuring.annotations import (
    Annotation,
    alternatives,
    entry,
    item,
    members_of,
    rest_of,
    shaped,
)
from purewire.structuring.constraints import FieldOverride, Items, MapOf

__all__ = ["known"]


def known(value: object, model: Annotation) -> object:
    """Give a plain value without the members that the model does not have, at every depth.

    Linear in the value; no deeper than the model is.
    """
    if found := shaped(model):
        base, shape = found
        if isinstance(shape, Items) and isinstance(value, list):
            inner = item(base)
            return [known(each, inner) for each in value]
        if isinstance(shape, MapOf) and isinstance(value, dict):
            inner = entry(base)
            return {name: known(each, inner) for name, each in value.items()}
        if isinstance(shape, FieldOverride):
            return _cut(value, base, shape)
        return value
    if union := alternatives(model):
        return known(value, union.inner)
    return _cut(value, model) if attrs.has(model) else value


def _cut(value: object, model: Annotation, narrowed: FieldOverride | None = None) -> object:
    if not isinstance(value, dict):
        return value
    members, keeps_all = _members(model, narrowed)
    return {
        name: known(each, members[name]) if name in members else each
        for name, each in value.items()
        if keeps_all or name in members
    }


@cache
def _members(
    model: Annotation, narrowed: FieldOverride | None
) -> tuple[dict[str, Annotation], bool]:
    """Give the annotation of each member of a model, and whether it keeps others too."""
    narrower = {} if narrowed is None else {narrowed.name: narrowed.annotation}
    members = {member.name: member.annotation for member in members_of(model, narrower)}
    return members, rest_of(model) is not None
