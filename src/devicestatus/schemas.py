"""The schemas of the device status contract, and the OpenAPI 3.1 document of the service.

Invariant *no second source*: paths come from the table of endpoints, bodies from the models, error
codes from `devicestatus.errors`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from devicestatus.endpoints import ENDPOINTS
from devicestatus.errors import STATUS_OF
from devicestatus.models import Snapshot, Window
from devicestatus.record import SnapshotRecord, WindowRecord
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
from devicestatus.schema_tables import EXAMPLES, REFINEMENTS
from status_contracts.pages import openapi
from status_contracts.structuring.json_schema import (
    Schema,
    SchemaBuilder,
    SchemaSet,
    document,
)

__all__ = ["CONTRACT_VERSION", "DOCUMENTS", "PRODUCT", "schemas"]

PRODUCT: Final = "device-status"
"""The folder of the files of the schemas."""
CONTRACT_VERSION: Final = "0.1.0"

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

_REASONS: Final = {
    400: "The body breaks the contract",
    401: "The token is missing or wrong",
    404: "There is no such icon",
    405: "The method is not supported",
    413: "The body is too long",
    415: "The media type or the content coding is not supported",
    503: "Configuration, store or assets are not available",
}
_ORIGIN: Final[Schema] = {"description": "Any origin.", "schema": {"const": "*"}}
_HEADERS: Final[Mapping[int, Mapping[str, Schema]]] = {
    401: {"WWW-Authenticate": {"description": "The scheme.", "schema": {"const": "Bearer"}}},
    405: {"Allow": {"description": "The methods of the path.", "schema": {"type": "string"}}},
}


def schemas() -> SchemaSet:
    """Return the schemas."""
    builder = SchemaBuilder(
        refinements=REFINEMENTS,
        predicates={},
        examples=EXAMPLES,
    )
    bodies = {
        name: _body(name, description, [builder.reference(model) for model in models])
        for name, (description, models) in DOCUMENTS.items()
    }
    made = builder.definitions
    documents = {name: document(PRODUCT, name, body, made) for name, body in bodies.items()}
    return SchemaSet(PRODUCT, documents, _openapi(bodies, made))


def _body(name: str, description: str, references: list[Schema]) -> Schema:
    if len(references) == 1:
        return references[0]
    title = f"{name.replace('-', ' ').capitalize()}"
    return {"title": title, "description": description, "anyOf": references}


def _openapi(bodies: Mapping[str, Schema], definitions: Mapping[str, Schema]) -> dict[str, Any]:
    """Return the OpenAPI document of the schemas of bodies, which refer to definitions by name."""

    def error_schema(codes: Sequence[str]) -> Schema:
        return {**bodies["error"], "properties": {"error": {"enum": list(codes)}}}

    api = openapi.Api(
        title="Device status",
        version=CONTRACT_VERSION,
        description="The status of one computer: one agent writes, everybody reads.",
        server="/",
        bodies=bodies,
        status_of=STATUS_OF,
        reasons=_REASONS,
        error_schema=error_schema,
        headers=lambda _, status: {
            "Access-Control-Allow-Origin": _ORIGIN,
            **_HEADERS.get(status, {}),
        },
        conditions={
            "If-None-Match": "Entity tags of the files that the client has.",
            "If-Modified-Since": "Date of the file that the client has.",
        },
        token="The ingest token of the deployment.",  # noqa: S106 - a description
    )
    return openapi.document(api, ENDPOINTS, definitions)
