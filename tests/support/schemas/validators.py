"""Three validators of JSON Schema in three languages: jsonschema, jsonschema-rs and ajv.

A verdict is `valid`, `invalid` or `unreadable`: the decoder of the language refuses the text.
"""

import base64
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import attrs
import jsonschema
import jsonschema_rs

from devicestatus import schemas as device
from healthapi import schemas as health
from purewire.structuring.schema_set import SchemaSet
from sitedata import schemas as site
from support.servers.node import run_node
from support.servers.services import node_package

TESTS = Path(__file__).parents[2]
BOM = b"\xef\xbb\xbf"


_SCHEMAS: Mapping[str, Callable[[Iterable[str]], SchemaSet]] = {
    "devicestatus": device.schemas,
    "healthapi": health.schemas,
    "sitedata": site.schemas,
}


@cache
def schema_set(product: str) -> SchemaSet:
    """Return the schemas of a product without the ids of rules, which validate nothing."""
    return _SCHEMAS[product](())


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


def _verdict(is_valid: Callable[[Any], bool], text: bytes) -> str:
    try:
        value = _decode(text)
    except (ValueError, RecursionError):
        return "unreadable"
    try:
        return "valid" if is_valid(value) else "invalid"
    except (ValueError, UnicodeEncodeError):  # jsonschema-rs: text with a lone surrogate
        return "unreadable"


def python_verdicts(product: str, cases: Sequence[Case]) -> list[str]:
    """Validate by jsonschema, without checks of formats."""
    validators = {
        name: jsonschema.Draft202012Validator(schema)
        for name, schema in schema_set(product).documents.items()
    }
    return [_verdict(validators[each.document].is_valid, each.text) for each in cases]


def rust_verdicts(product: str, cases: Sequence[Case]) -> list[str]:
    """Validate by jsonschema-rs, with checks of formats, patterns by an engine as Go's."""
    engine = jsonschema_rs.RegexOptions()  # without look-around and backreferences
    validators = {
        name: jsonschema_rs.Draft202012Validator(
            schema, validate_formats=True, pattern_options=engine
        )
        for name, schema in schema_set(product).documents.items()
    }
    return [_verdict(validators[each.document].is_valid, each.text) for each in cases]


def node_verdicts(product: str, cases: Sequence[Case]) -> list[str]:
    """Validate by ajv in one process, in strict mode, with checks of formats."""
    node_package("ajv")
    lines = [json.dumps(schema_set(product).documents)]
    lines += [
        json.dumps([each.document, base64.b64encode(each.text.removeprefix(BOM)).decode()])
        for each in cases
    ]
    return run_node(TESTS / "ajv_runner.cjs", stdin="\n".join(lines)).split()


VALIDATORS: Mapping[str, Callable[[str, Sequence[Case]], list[str]]] = {
    "jsonschema": python_verdicts,
    "jsonschema-rs": rust_verdicts,
    "ajv": node_verdicts,
}


def disagreements(
    product: str, cases: Sequence[Case], expected: set[str], *validators: str
) -> list[str]:
    """Return a line for each case and validator whose verdict is none of the expected ones."""
    found = []
    for name in validators or VALIDATORS:
        verdicts = VALIDATORS[name](product, cases)
        assert len(verdicts) == len(cases)
        found += [
            f"{name}: {verdict}: {each.document}: {each.label}"
            for each, verdict in zip(cases, verdicts, strict=True)
            if verdict not in expected
        ]
    return found
