"""JSON texts, and what the published schemas say of them."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, NoReturn

import attrs
from jsonschema_rs import Draft202012Validator

from status_contracts.cli.shipped import build_schemas

BOM = b"\xef\xbb\xbf"
schema_set = cache(build_schemas)


@attrs.frozen
class Case:
    """A text to validate.

    Attributes:
        document: name of the schema.
        text: JSON text, which need not be valid.
        label: what a failure shows.

    """

    document: str
    text: bytes
    label: str = ""


def case(document: str, value: object, label: str = "") -> Case:
    """Return the case of a plain value, or of a body."""
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Case(document, text, label or text.decode("utf-8", "replace")[:120])


def _decode(text: bytes) -> Any:
    def refuse(name: str) -> NoReturn:
        raise ValueError(name)

    return json.loads(text.removeprefix(BOM).decode("utf-8"), parse_constant=refuse)


def misjudged(product: str, cases: Sequence[Case], *, is_valid: bool) -> list[str]:
    """Return a line for each case that is not valid, or with False not refused or unreadable."""
    validators = {
        name: Draft202012Validator(schema) for name, schema in schema_set(product).documents.items()
    }

    def is_taken(each: Case) -> bool:
        try:
            value = _decode(each.text)
        except (ValueError, RecursionError):
            return False
        return bool(validators[each.document].is_valid(value))

    return [f"{each.document}: {each.label}" for each in cases if is_taken(each) is not is_valid]
