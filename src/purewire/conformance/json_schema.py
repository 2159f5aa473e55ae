"""Compare JSON values with JSON Schemas, for checks of responses against a description.

The extra `conformance` installs `jsonschema`, which validates.  A schema that it cannot apply
raises `UnsupportedSchema`; nothing is accepted unseen.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.exceptions import UnknownType, best_match
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable

_Json = Any
_MALFORMED: Final = (
    *(UnknownType, Unresolvable, re.error, RecursionError),
    *(ArithmeticError, AttributeError, TypeError, ValueError),
)
"""What a malformed schema raises."""


class UnsupportedSchema(Exception):
    """The schema is malformed, or refers to a schema that is not in the document."""


def find_problem(schema: object, value: object, document: object) -> str | None:
    """Return what is wrong with a value; None if it has the form that the schema describes.

    References of the schema, `#/...`, are looked up in the document.  Raises UnsupportedSchema if
    the schema cannot be applied.
    """
    try:
        error = best_match(_validator(document, schema).iter_errors(value))
    except _MALFORMED as reason:
        raise UnsupportedSchema(f"{type(reason).__name__}: {reason!s:.200}") from reason
    if error is None:
        return None
    path = "".join(f"/{step}" for step in error.absolute_path)
    return f"{path or 'the value'}: {error.message:.200}"


def find_misplaced_member(schema: object, value: object, document: object) -> str | None:
    """Return the first member that does not come in the order of the schema; None if all do."""
    return next(_misplaced(schema, value, document, ""), None)


def _misplaced(schema: object, value: object, document: object, path: str) -> Iterator[str]:
    if not isinstance(schema, dict) or not isinstance(value, dict | list):
        return
    if "$ref" in schema:
        yield from _misplaced(_resolve(schema["$ref"], document), value, document, path)
    for choice in schema.get("anyOf", ()):
        if find_problem(choice, value, document) is None:
            yield from _misplaced(choice, value, document, path)
            return
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _misplaced(schema.get("items"), item, document, f"{path}/{index}")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        places = [list(properties).index(name) for name in value if name in properties]
        if places != sorted(places):
            yield f"{path or 'the object'} has the members {', '.join(value)}"
        others = schema.get("additionalProperties")
        for name, member in value.items():
            yield from _misplaced(properties.get(name, others), member, document, f"{path}/{name}")


def _resolve(reference: str, document: _Json) -> object:
    for part in reference.removeprefix("#/").split("/"):
        document = document[part.replace("~1", "/").replace("~0", "~")]
    target: object = document
    return target


def _validator(document: object, schema: object) -> _Json:
    """Return a validator of a schema; references are looked up in the document, and never fetched.

    Of the formats, only `date` is checked.
    """
    return _Validator(document, registry=Registry(), format_checker=_FORMATS).evolve(schema=schema)


def _check_pattern(
    validator: _Json, pattern: str, value: str, _: object
) -> Iterator[ValidationError]:
    # In ECMAScript `$` matches at the end only, and `\d` ASCII digits only.
    form = pattern.removesuffix("$") + r"\Z" * pattern.endswith("$")
    if validator.is_type(value, "string") and not re.search(form, value, re.ASCII):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


_Validator: Final = extend(Draft202012Validator, {"pattern": _check_pattern})
_FORMATS: Final = FormatChecker(["date"])
