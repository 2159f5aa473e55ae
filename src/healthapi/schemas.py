"""The schemas of the health data contract, from the OpenAPI document of the service.

`healthapi.http` generates them from models, keys and endpoints.  Here they get titles,
descriptions from the docstrings of the models, and responses of the service as examples.

Invariant *as served*: the service makes the examples, so they are what clients receive.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from healthapi.account.person import Person
from healthapi.derived.cards import Card
from healthapi.derived.statistics import Correlation
from healthapi.errors import MESSAGE_OF, STATUS_OF
from healthapi.http import openapi
from healthapi.http.endpoints import ENDPOINTS, ROOT, Endpoint
from healthapi.http.envelope import API_VERSION
from healthapi.http.manual import example_bodies
from healthapi.http.openapi import REFINEMENTS, describe_metrics
from healthapi.rows.records import ActivityRow, DailyRow, HrvRow, PeriodRow, RhrRow, SleepRow
from healthapi.views.catalog import Catalog
from healthapi.views.overview import Coverage, Overview
from healthapi.views.sections import Section
from purewire.json import codec
from purewire.structuring.json_schema import Schema, SchemaBuilder, move_references
from purewire.structuring.schema_set import SchemaSet, document, rules_of_groups

PRODUCT: Final = "health-api"
"""The folder of the files of the schemas."""
_ERROR: Final = "error"
_COMPONENTS: Final = "#/components/schemas/"
_DEFINITIONS: Final = "#/$defs/"
_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "Card": ("CARD",),
    "Catalog": ("CATALOG",),
    "Correlation": ("CORRELATION",),
    "Coverage": ("COVERAGE",),
    "DailyRow": ("DAY",),
    "Overview": ("OVERVIEW",),
    "PeriodRow": ("PERIOD",),
    "Person": ("PERSON",),
    "Section": ("SECTION",),
    "SleepRow": ("SLEEP",),
    "dashboard": ("DASHBOARD",),
    "dataset": ("DATASET",),
    "error": ("ERROR",),
    "index": ("INDEX",),
    "profiles": ("INDEX",),
    "series": ("DATASET",),
    "snapshot": ("SNAPSHOT",),
    "table": ("TABLE",),
}
"""Model or resource to the groups of its rules in the contract."""
_MODELS: Final = (
    *(ActivityRow, Card, Catalog, Correlation, Coverage, DailyRow, HrvRow, Overview, PeriodRow),
    *(Person, RhrRow, Section, SleepRow),
)
"""The models of the components; those within them are found by their annotations."""
_RESOURCES: Final = tuple(endpoint for endpoint in ENDPOINTS if endpoint.kind == "json")
NAMES: Final = (*(endpoint.name for endpoint in _RESOURCES), _ERROR)
"""Names of the documents: the resources, and `error`."""
_ERROR_BODY: Final[Schema] = {
    "title": "Error body",
    "description": "The body of every error response.",
    "type": "object",
    "required": ["api_version", "error"],
    "properties": {
        "api_version": {"type": "string", "const": API_VERSION},
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "string", "enum": list(STATUS_OF)},
                "message": {"description": "For people; do not compare it.", "type": "string"},
            },
            "additionalProperties": False,
        },
    },
    "additionalProperties": False,
    "examples": [
        {"api_version": API_VERSION, "error": {"code": code, "message": MESSAGE_OF[code]}}
        for code in ("profile_not_found", "dataset_not_found")
    ],
}


_MAX_BYTES: Final = 8192
"""Longest example; longer responses consist of resources that have their own."""


def schemas(rule_ids: Iterable[str] = ()) -> SchemaSet:
    """Return the schemas; they cite `rule_ids`, rules of the contract, as `x-rules`."""
    described = openapi.document(None)
    moved = move_references(described, _COMPONENTS, _DEFINITIONS)
    rules = rules_of_groups(_GROUPS, rule_ids)
    builder = SchemaBuilder(refinements=REFINEMENTS, rules=rules)
    for model in _MODELS:
        builder.reference(model)
    described_models = describe_metrics(builder.definitions)
    made = {name: described_models[name] for name in described["components"]["schemas"]}
    bodies = {endpoint.name: _body(endpoint, moved["paths"]) for endpoint in _RESOURCES}
    bodies[_ERROR] = dict(_ERROR_BODY)
    for name in bodies.keys() & rules.keys():
        bodies[name] = {"x-rules": list(rules[name])} | bodies[name]
    for name, example in example_bodies().items():
        if len(codec.encode(example)) <= _MAX_BYTES:
            bodies[name]["examples"] = [example]
    documents = {name: document(PRODUCT, name, body, made) for name, body in bodies.items()}
    named = {_type_name(name): body for name, body in bodies.items()}
    return SchemaSet(PRODUCT, documents, described, made | named)


def _body(endpoint: Endpoint, paths: Mapping[str, Any]) -> Schema:
    """Return the schema of a response, with its title and description."""
    operation = paths[f"{ROOT}{endpoint.path}"]["get"]
    schema: Schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    words = f"{endpoint.title}. {' '.join(endpoint.description.split())}".strip()
    return {"title": _type_name(endpoint.name), "description": words, **schema}


def _type_name(resource: str) -> str:
    return "".join(word.capitalize() for word in resource.split("-")) + "Body"
