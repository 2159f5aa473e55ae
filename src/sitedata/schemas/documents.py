"""The schemas of the site-data contract, generated from its models."""

from collections.abc import Iterable
from typing import Any, Final

from purewire.structuring.json_schema import Schema, SchemaBuilder, move_references
from purewire.structuring.schema_set import SchemaSet, document, rules_of_groups
from sitedata.limits import MAX_BYTES
from sitedata.reading.models import Snapshot
from sitedata.schemas.tables import EXAMPLES, FORMS, GROUPS, NOT_IN_SCHEMA, PREDICATES, REFINEMENTS
from sitedata.serving.service import MESSAGE_OF, PATH, STATUS_OF

FILE: Final = "site-data"
"""Name of the schema of the file."""
_PRODUCT: Final = "site-data"
_JSON: Final = "application/json"
_VERSION: Final = "0.1.0"
_REASONS: Final = {404: "Unknown path", 405: "Method not allowed", 503: "No valid snapshot"}
_TEXT: Final[Schema] = {"type": "string"}

_ERROR: Final[Schema] = {
    "title": "Error body",
    "description": "The body of every error response.",
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "string", "enum": list(STATUS_OF)},
                "message": {"description": "For people; do not compare it.", **_TEXT},
            },
            "additionalProperties": False,
        }
    },
    "additionalProperties": False,
    "examples": [{"error": {"code": code, "message": words}} for code, words in MESSAGE_OF.items()],
}


def schemas(rule_ids: Iterable[str] = ()) -> SchemaSet:
    """Return the schemas.

    Args:
        rule_ids: ids of the contract's rules, which the schemas cite as `x-rules`.

    """
    builder = SchemaBuilder(
        refinements=REFINEMENTS,
        predicates=PREDICATES,
        examples=EXAMPLES,
        rules=rules_of_groups(GROUPS, rule_ids),
    )
    builder.reference(Snapshot)
    made: dict[str, Schema] = {**builder.definitions, **FORMS}
    documents = {
        FILE: document(_PRODUCT, FILE, {"$ref": "#/$defs/Snapshot"}, made),
        "error": document(_PRODUCT, "error", _ERROR, made),
    }
    made["ErrorBody"] = _ERROR
    return SchemaSet(_PRODUCT, documents, _openapi(made), made, NOT_IN_SCHEMA)


def _openapi(definitions: dict[str, Schema]) -> dict[str, Any]:
    any_origin = {"description": "Any origin.", "schema": {"const": "*"}}
    headers = {
        "Access-Control-Allow-Origin": any_origin,
        **{
            name: {"description": words, "schema": _TEXT}
            for name, words in (
                ("ETag", "Entity tag of the file, for If-None-Match."),
                ("Last-Modified", "When the file was replaced, for If-Modified-Since."),
                ("Cache-Control", "Time for which the file may be cached."),
            )
        },
    }
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Site data",
            "version": _VERSION,
            "description": "One file: a deployed snapshot of a practice repository.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": {
            PATH: {
                method: {
                    "operationId": name,
                    "summary": "Return the whole snapshot",
                    "description": "There are no query parameters: filter and sort the problems"
                    f" yourself.  A file has at most {MAX_BYTES} bytes.",
                    "parameters": [
                        {"name": each, "in": "header", "description": words, "schema": _TEXT}
                        for each, words in (
                            ("If-None-Match", "Entity tags of the files that the client has."),
                            ("If-Modified-Since", "Date of the file that the client has."),
                        )
                    ],
                    "responses": {
                        "200": {
                            "description": "The snapshot.",
                            "headers": headers,
                            **_content("Snapshot", method),
                        },
                        "304": {"description": "The client has the file.", "headers": headers},
                        **{
                            str(status): {
                                "description": f"{_REASONS[status]}: {code}.",
                                "headers": {"Access-Control-Allow-Origin": any_origin},
                                **_content("ErrorBody", method),
                            }
                            for code, status in STATUS_OF.items()
                        },
                    },
                }
                for method, name in (("get", "siteData"), ("head", "siteDataHead"))
            }
        },
        "components": {"schemas": definitions},
    }
    moved: dict[str, Any] = move_references(document, "#/$defs/", "#/components/schemas/")
    return moved


def _content(name: str, method: str) -> dict[str, Any]:
    if method == "head":
        return {}
    return {"content": {_JSON: {"schema": {"$ref": f"#/$defs/{name}"}}}}
