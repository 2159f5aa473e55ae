"""The schemas of the health data contract, from the OpenAPI document of the service.

`healthapi.http.api_docs` generates them from models, keys and endpoints.  Here they get titles,
descriptions from the docstrings of the models, and responses of the service as examples.

Invariant *as served*: the service makes the examples, so they are what clients receive.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final, get_args, get_type_hints

import attrs

from healthapi.account.person import Person
from healthapi.derived.cards import Card
from healthapi.derived.correlations import Correlation
from healthapi.errors import MESSAGE_OF, STATUS_OF
from healthapi.http.api_docs import openapi
from healthapi.http.endpoints import ENDPOINTS, ROOT, Endpoint
from healthapi.http.envelope import API_VERSION
from healthapi.http.service import Service
from healthapi.profile import Profile, load
from healthapi.rows.records import ActivityRow, DailyRow, HrvRow, PeriodRow, RhrRow, SleepRow
from healthapi.views.catalog import Catalog
from healthapi.views.coverage import Coverage
from healthapi.views.overview import Overview
from healthapi.views.sections import Section
from purewire.exchange.drivers import drive
from purewire.exchange.effects import Effect, ReadSource
from purewire.http.messages import Request
from purewire.json import codec
from purewire.structuring.json_schema import (
    Schema,
    describe,
    move_references,
    title_of,
)
from purewire.structuring.schema_set import SchemaSet, document, rules_of_groups

_PRODUCT: Final = "health-api"
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
_ID: Final = "anna"
_GENERATED_AT: Final = "2026-01-31T12:00:00"
_SNAPSHOT: Final = {
    "saved_at": "2026-01-31T11:30:00",
    "requested_scopes": ["sleep", "settings"],
    "token_scope": ["sleep", "settings"],
    "endpoints": {
        "devices": {
            "ok": True,
            "status": 200,
            "fetched_at": "2026-01-31T11:30:00",
            "label": "Devices",
            "group": "account",
            "scope": "settings",
            "data": [{"deviceVersion": "Tracker", "battery": "High", "type": "TRACKER"}],
        }
    },
}
_FILES: Final = {
    "csv/fitbit_activity.csv": b"date,steps,caloriesOut,activeMinutes\n"
    b"2026-01-30,8200,2150,41\n2026-01-31,9100,2230,52\n",
    "csv/fitbit_sleep.csv": b"date,logId,isMainSleep,minutesAsleep,minutesDeep,sleepScore\n"
    b"2026-01-30,1,True,432,70,81\n2026-01-31,2,True,451,76,84\n",
    "csv/fitbit_hrv.csv": b"date,dailyRmssd,deepRmssd\n2026-01-31,34.5,31.2\n",
    "csv/fitbit_rhr.csv": b"date,resting_heart_rate\n2026-01-30,55\n2026-01-31,54\n",
    "cache/fitbit_profile_snapshot.json": codec.encode(_SNAPSHOT),
}
_KEYS: Final = {
    "metric": "steps",
    "dataset": "rhr",
    "series": "daily",
    "section": "body",
    "table": "recovery",
    "snapshot-endpoint": "devices",
}
"""Resource with a key to the key of the example."""
_KEY: Final = re.compile(r"\{\w+\}")
_MAX_BYTES: Final = 8192
"""Longest example; longer responses consist of resources that have their own."""


def schemas(rule_ids: Iterable[str] = ()) -> SchemaSet:
    """Return the schemas.

    Args:
        rule_ids: ids of the contract's rules, which the schemas cite as `x-rules`.

    """
    described = openapi.document(None)
    moved = move_references(described, _COMPONENTS, _DEFINITIONS)
    rules = rules_of_groups(_GROUPS, rule_ids)
    models = {model.__name__: model for model in _all_models(_MODELS)}
    made = {
        name: _with_words(models[name], schema, rules.get(name, ()))
        for name, schema in moved["components"]["schemas"].items()
    }
    bodies = {endpoint.name: _body(endpoint, moved["paths"]) for endpoint in _RESOURCES} | {
        _ERROR: _ERROR_BODY
    }
    bodies = {name: _cited(rules.get(name, ())) | body for name, body in bodies.items()}
    examples = example_responses()
    bodies = {
        name: {**body, "examples": [examples[name]]} if name in examples else body
        for name, body in bodies.items()
    }
    documents = {name: document(_PRODUCT, name, body, made) for name, body in bodies.items()}
    named = {_type_name(name): body for name, body in bodies.items()}
    return SchemaSet(_PRODUCT, documents, described, made | named)


def _body(endpoint: Endpoint, paths: Mapping[str, Any]) -> Schema:
    """Return the schema of a response, with its title and description."""
    operation = paths[f"{ROOT}{endpoint.path}"]["get"]
    schema: Schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    words = f"{endpoint.title}. {' '.join(endpoint.description.split())}".strip()
    return {"title": _type_name(endpoint.name), "description": words, **schema}


def _type_name(resource: str) -> str:
    return "".join(word.capitalize() for word in resource.split("-")) + "Body"


def _with_words(model: type, schema: Schema, rules: tuple[str, ...]) -> Schema:
    """Return a schema with title, descriptions and rules of its model."""
    summary, described = describe(model)
    members = {
        name: {"description": described[name], **member} if name in described else member
        for name, member in schema["properties"].items()
    }
    head: Schema = {"title": title_of(model.__name__), "description": summary}
    return {**head, **_cited(rules), **schema, "properties": members}


def _cited(rules: tuple[str, ...]) -> Schema:
    return {"x-rules": list(rules)} if rules else {}


def _all_models(models: Iterable[type[attrs.AttrsInstance]]) -> Iterator[type[attrs.AttrsInstance]]:
    """Generate the models, and those in their annotations."""
    for model in models:
        yield model
        for hint in get_type_hints(model, include_extras=True).values():
            yield from _all_models(_models_in(hint))


def _models_in(annotation: Any) -> Iterator[type[attrs.AttrsInstance]]:  # noqa: ANN401 - an annotation
    if isinstance(annotation, type) and attrs.has(annotation):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def example_responses() -> dict[str, Any]:
    """Return the example of each resource whose response is not too long."""
    service = Service(base_url=None)
    found = {
        endpoint.name: _example_body(service, endpoint)
        for endpoint in ENDPOINTS
        if endpoint.kind == "json"
    }
    return {name: codec.decode(body) for name, body in found.items() if len(body) <= _MAX_BYTES}


def _example_body(service: Service, endpoint: Endpoint) -> bytes:
    below = endpoint.path.replace("{profile_id}", _ID)
    path = f"{ROOT}{_KEY.sub(_KEYS.get(endpoint.name, ''), below)}"
    query = b"limit=2&metrics=steps,sleep_score" if endpoint.name == "series" else b""
    return drive(service(Request("GET", path.encode(), (), query)), _read).body


def _read(effect: Effect) -> object:
    """Return the list of profiles, or the profile."""
    if isinstance(effect, ReadSource) and effect.name is None:
        return (_ID,)
    return _profile()


@cache
def _profile() -> Profile:
    return load(_ID, _FILES, generated_at=_GENERATED_AT)
