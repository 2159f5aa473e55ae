"""Remove the members that this version of a model does not know, for values of a later version.

Invariant *only unknown members are removed*: the rest of the value is unchanged, invalid parts
included.  Members that a model keeps without naming them stay.
"""

from functools import cache

import attrs

from purewire.structuring.annotations import (
    Annotation,
    extra_field,
    item_type,
    model_members,
    split_annotated,
    split_union,
    value_type,
)
from purewire.structuring.constraints import FieldOverride, Items, MapOf

__all__ = ["drop_unknown"]


def drop_unknown(value: object, model: Annotation) -> object:
    """Return a plain value without the members that the model does not have, at every depth.

    The cost is linear in the value, and the recursion no deeper than the model.
    """
    if found := split_annotated(model):
        base, constraint = found
        if isinstance(constraint, Items) and isinstance(value, list):
            inner = item_type(base)
            return [drop_unknown(each, inner) for each in value]
        if isinstance(constraint, MapOf) and isinstance(value, dict):
            inner = value_type(base)
            return {name: drop_unknown(each, inner) for name, each in value.items()}
        if isinstance(constraint, FieldOverride):
            return _drop_from_object(value, base, constraint)
        return value
    if union := split_union(model):
        return drop_unknown(value, union.inner)
    return _drop_from_object(value, model) if attrs.has(model) else value


def _drop_from_object(
    value: object, model: Annotation, override: FieldOverride | None = None
) -> object:
    if not isinstance(value, dict):
        return value
    members, keeps_others = _members(model, override)
    return {
        name: drop_unknown(each, members[name]) if name in members else each
        for name, each in value.items()
        if keeps_others or name in members
    }


@cache
def _members(
    model: Annotation, override: FieldOverride | None
) -> tuple[dict[str, Annotation], bool]:
    """Return the annotation of each member of a model, and whether it keeps other members."""
    overrides = {} if override is None else {override.name: override.annotation}
    members = {member.name: member.annotation for member in model_members(model, overrides)}
    return members, extra_field(model) is not None
