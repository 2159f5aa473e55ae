"""Remove the members that this version of a model does not know, for values of a later version.

Invariant *only unknown members are removed*: the rest of the value is unchanged, invalid parts
included.  Members that a model keeps without naming them stay.
"""

from functools import cache

from purewire.structuring.annotations import (
    Annotation,
    split_container,
    split_object,
    split_union,
)
from purewire.structuring.constraints import Items


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
