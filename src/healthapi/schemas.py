"""The schemas of the health data contract, from the OpenAPI document of the service.

`healthapi.http` generates them from models, keys and endpoints.  Here they get titles,
descriptions from the docstrings of the models, and responses of the service as examples.

Invariant *as served*: the service makes the examples, so they are what clients receive.
"""

from typing import Final

from healthapi import openapi
from healthapi.derived.cards import Card
from healthapi.derived.statistics import Correlation
from healthapi.endpoints import ENDPOINTS, HealthEndpoint
from healthapi.manual import example_bodies
from healthapi.models import (
    ActivityRow,
    DailyRow,
    HrvRow,
    PeriodRow,
    RhrRow,
    SleepRow,
)
from healthapi.openapi import REFINEMENTS, describe_rows
from healthapi.person import Person
from healthapi.views.catalog import Catalog
from healthapi.views.overview import Coverage, Overview
from healthapi.views.sections import Section
from status_contracts import json_text
from status_contracts.pages.openapi import body_name
from status_contracts.structuring.json_schema import (
    Schema,
    SchemaBuilder,
    SchemaSet,
    document,
)

PRODUCT: Final = "health-api"
"""The folder of the files of the schemas."""
_ERROR: Final = "error"
_MODELS: Final = (
    *(ActivityRow, Card, Catalog, Correlation, Coverage, DailyRow, HrvRow, Overview, PeriodRow),
    *(Person, RhrRow, Section, SleepRow),
)
"""The models of the components; those within them are found by their annotations."""
_RESOURCES: Final = tuple(endpoint for endpoint in ENDPOINTS if endpoint.kind == "json")
NAMES: Final = (*(endpoint.name for endpoint in _RESOURCES), _ERROR)
"""Names of the documents: the resources, and `error`."""

_MAX_BYTES: Final = 8192
"""Longest example; longer responses consist of resources that have their own."""


def schemas() -> SchemaSet:
    """Return the schemas."""
    builder = SchemaBuilder(refinements=REFINEMENTS)
    for model in _MODELS:
        builder.reference(model)
    described_models = describe_rows(builder.definitions)
    made = {name: described_models.get(name, part) for name, part in openapi.COMPONENTS.items()}
    bodies = {endpoint.name: _body(endpoint) for endpoint in _RESOURCES}
    bodies[_ERROR] = dict(openapi.ERROR_BODY)
    for name, example in example_bodies().items():
        if len(json_text.encode(example)) <= _MAX_BYTES:
            bodies[name]["examples"] = [example]
    documents = {name: document(PRODUCT, name, body, made) for name, body in bodies.items()}
    return SchemaSet(PRODUCT, documents, openapi.document(None))


def _body(endpoint: HealthEndpoint) -> Schema:
    """Return the schema of a response, with its title and description."""
    words = f"{endpoint.title}. {' '.join(endpoint.description.split())}".strip()
    title = body_name(endpoint.name)
    return {"title": title, "description": words, **openapi.BODIES[endpoint.name]}
