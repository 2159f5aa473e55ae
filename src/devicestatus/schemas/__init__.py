"""The schemas of the device status contract, generated from its models."""

from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from devicestatus.engine.record import SnapshotRecord, WindowRecord
from devicestatus.models import Snapshot, Window
from devicestatus.responses import (
    ActiveAppStatus,
    DeviceStatus,
    ErrorBody,
    Health,
    IconManifest,
    MusicStatus,
    OfflineStatus,
    OnlineStatus,
    RunningAppsStatus,
    SnapshotTimelineStatus,
    UpdateResult,
    WindowStatus,
)
from devicestatus.schemas.openapi import openapi
from devicestatus.schemas.tables import EXAMPLES, GROUPS, NOT_IN_SCHEMA, REFINEMENTS
from purewire.structuring.json_schema import Schema, SchemaBuilder
from purewire.structuring.schema_set import SchemaSet, document, rules_of_groups

PRODUCT: Final = "device-status"
"""The folder of the files of the schemas."""

DOCUMENTS: Final[Mapping[str, tuple[str, tuple[type[attrs.AttrsInstance], ...]]]] = {
    "snapshot": ("The body of `POST /api/update`.", (Snapshot,)),
    "window": ("The body of `POST /api/batch`.", (Window,)),
    "record": ("The value of the store's one key.", (SnapshotRecord, WindowRecord)),
    "update-result": ("The response to an accepted write.", (UpdateResult,)),
    "now": ("The response of `/api/now`.", (OnlineStatus, OfflineStatus)),
    "timeline": (
        "The response of `/api/timeline`.",
        (WindowStatus, SnapshotTimelineStatus, OfflineStatus),
    ),
    "music": ("The response of `/api/music`.", (MusicStatus, OfflineStatus)),
    "active-app": ("The response of `/api/apps/active`.", (ActiveAppStatus, OfflineStatus)),
    "running-apps": ("The response of `/api/apps/running`.", (RunningAppsStatus, OfflineStatus)),
    "device": ("The response of `/api/device`.", (DeviceStatus, OfflineStatus)),
    "health": ("The response of `/api/health`.", (Health,)),
    "error": ("The body of every error response.", (ErrorBody,)),
    "icon-manifest": ("The list of icons: `/api/icons`, `app-icons/index.json`.", (IconManifest,)),
}
"""Name of a document to its description, and to the models of which it has one."""
ROLES: Final[Mapping[str, tuple[str, ...]]] = {
    "snapshot": ("agent", "service"),
    "window": ("agent", "service"),
    "record": ("service", "service"),
    "icon-manifest": ("icons", "service", "page"),
}
"""Name of a document to the component that writes it and to those that read it; the service writes
all others for the page."""


def schemas(rule_ids: Iterable[str] = ()) -> SchemaSet:
    """Return the schemas; they cite `rule_ids`, rules of the contract, as `x-rules`."""
    builder = SchemaBuilder(
        refinements=REFINEMENTS,
        predicates={},
        examples=EXAMPLES,
        rules=rules_of_groups(GROUPS, rule_ids),
    )
    bodies = {
        name: _body(name, description, [builder.reference(model) for model in models])
        for name, (description, models) in DOCUMENTS.items()
    }
    made = builder.definitions
    documents = {name: document(PRODUCT, name, body, made) for name, body in bodies.items()}
    unions = {f"{_type_name(name)}Body": body for name, body in bodies.items() if "anyOf" in body}
    return SchemaSet(PRODUCT, documents, openapi(bodies, made), made | unions, NOT_IN_SCHEMA)


def _body(name: str, description: str, references: list[Schema]) -> Schema:
    if len(references) == 1:
        return references[0]
    title = f"{name.replace('-', ' ').capitalize()}"
    return {"title": title, "description": description, "anyOf": references}


def _type_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))
