"""Describe the service in OpenAPI 3.1.

Invariant *no second source*: paths, parameters, bounds, keys, members and errors come from the
tables of the service.

Contract: HA-HTTP-05.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from healthapi.errors import MESSAGE_OF, STATUS_OF, ErrorCode
from healthapi.http.api_docs.schemas import COMPONENTS, DATA, META, MOMENT
from healthapi.http.endpoints import ENDPOINTS, ROOT, Endpoint
from healthapi.http.envelope import API_VERSION
from purewire.http import endpoints
from purewire.pages import openapi
from purewire.structuring.json_schema import Schema, choice, object_of

_TEXT: Final[Schema] = {"type": "string"}
_REASONS: Final = {404: "Not found", 405: "Method not allowed", 503: "Unavailable"}


def _header(description: str, schema: Schema) -> Schema:
    return {"description": description, "required": True, "schema": schema}


_TAG: Final = _header(
    "Strong tag of the body, for If-None-Match.",
    {"type": "string", "pattern": '^"[0-9a-f]+(-gzip|-zstd)?"$'},
)
_CACHED: Final = _header("Time for which the response may be cached.", _TEXT)
_NOT_CACHED: Final = _header("Errors are not cached.", {"const": "no-store, max-age=0"})
_ALLOWED: Final = _header("The allowed methods.", {"const": "GET, HEAD, OPTIONS"})
_METADATA: Final = _header(
    "Description of the chart as a JSON object: count, available_metrics, chart,"
    " granularity, theme, width, height.",
    {"type": "string", "contentMediaType": "application/json"},
)
_MOUNT_POINT: Final = "/".join(".." for _ in ROOT.strip("/").split("/"))
"""The mount point relative to the document, which is directly below the index."""


def document(base_url: str | None) -> dict[str, Any]:
    """Return the OpenAPI document; without a base URL the server is relative to the document."""
    api = openapi.Api(
        title="Health data API",
        version=API_VERSION,
        description="Data of a wearable from local files.  Public and read-only; no key is needed.",
        server=_MOUNT_POINT if base_url is None else base_url,
        bodies=BODIES,
        status_of=STATUS_OF,
        reasons=_REASONS,
        error_schema=_error_schema,
        headers=_headers,
        conditions={
            "If-None-Match": "Tags of responses that the client has; a current one is not sent"
            " again."
        },
    )
    return openapi.document(api, ENDPOINTS, COMPONENTS)


def _headers(endpoint: endpoints.Endpoint, status: int) -> Mapping[str, Schema]:
    if status in _REASONS:
        allowed = {"Allow": _ALLOWED} if status == STATUS_OF["method_not_allowed"] else {}
        return {"Cache-Control": _NOT_CACHED, **allowed}
    headers = {"ETag": _TAG, "Cache-Control": _CACHED}
    is_chart = endpoint.media_type == "image/svg+xml"
    return {**headers, "X-Chart-Metadata": _METADATA} if is_chart else headers


def _body(endpoint: Endpoint) -> Schema:
    return object_of(
        {
            "api_version": {"const": API_VERSION},
            "resource": {"const": endpoint.name},
            "generated_at": MOMENT,
            **({"profile_id": _TEXT} if endpoint.of_profile else {}),
            "data": DATA[endpoint.name],
            "meta": META[endpoint.name],
        }
    )


BODIES: Final = {endpoint.name: _body(endpoint) for endpoint in ENDPOINTS if endpoint.schema}
"""Resource to the schema of its envelope, data and meta included."""


def _error_schema(codes: Sequence[ErrorCode]) -> Schema:
    error = {"code": choice(codes), "message": choice(MESSAGE_OF[code] for code in codes)}
    return object_of({"api_version": {"const": API_VERSION}, "error": object_of(error)})
