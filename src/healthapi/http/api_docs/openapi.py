"""Generate the OpenAPI 3.1 document of the service as a plain value.

Invariant *no second source*: paths, parameters, bounds, keys, members and errors come from the
tables of the service.

Contract: HA-HTTP-05.
"""

from collections.abc import Sequence
from typing import Any, Final

from healthapi.errors import MESSAGE_OF, STATUS_OF, ErrorCode
from healthapi.http.api_docs.model_schemas import choice, items_of, object_of
from healthapi.http.api_docs.schemas import COMPONENTS, DATA, META, MOMENT
from healthapi.http.endpoints import ENDPOINTS, MEDIA_TYPES, ROOT, Endpoint, PathKey, QueryParameter
from healthapi.http.envelope import API_VERSION
from purewire.structuring.json_schema import Schema

_TEXT: Final[Schema] = {"type": "string"}
_REASONS: Final = {404: "Not found", 405: "Method not allowed", 503: "Unavailable"}


def _header(description: str, schema: Schema) -> Schema:
    return {"description": description, "required": True, "schema": schema}


_TAG: Final = _header(
    "Strong tag of the body, for If-None-Match.", {"type": "string", "pattern": '^"[0-9a-f]+"$'}
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
_CONDITION: Final[Schema] = {
    "name": "If-None-Match",
    "in": "header",
    "description": "Tags of responses that the client has; a current one is not sent again.",
    "schema": _TEXT,
}


def document(base_url: str | None) -> dict[str, Any]:
    """Return the OpenAPI document.

    Args:
        base_url: URL of the mount point; without it the server is relative to the document.

    """
    groups = dict.fromkeys(endpoint.group for endpoint in ENDPOINTS)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Health data API",
            "version": API_VERSION,
            "description": "Data of a wearable from local files.  Public and"
            " read-only; no key is needed.",
        },
        "servers": [{"url": _MOUNT_POINT if base_url is None else base_url}],
        "tags": [{"name": group} for group in groups],
        "paths": {
            f"{ROOT}{endpoint.path}": {"get": _operation(endpoint)} for endpoint in ENDPOINTS
        },
        "components": {"schemas": dict(COMPONENTS)},
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    operation = {
        "operationId": endpoint.name,
        "tags": [endpoint.group],
        "summary": endpoint.title,
        "description": " ".join(endpoint.description.split()),
        "parameters": [
            *map(_path_parameter, endpoint.keys),
            *map(_query_parameter, endpoint.parameters),
            _CONDITION,
        ],
        "responses": _responses(endpoint),
    }
    return {name: value for name, value in operation.items() if value != ""}


def _path_parameter(key: PathKey) -> dict[str, Any]:
    return {
        "name": key.name,
        "in": "path",
        "required": True,
        "description": key.description,
        "schema": dict(key.schema),
    }


def _query_parameter(parameter: QueryParameter) -> dict[str, Any]:
    described = {"name": parameter.name, "in": "query", "description": parameter.description}
    if parameter.is_list:
        return {
            **described,
            "style": "form",
            "explode": False,
            "schema": items_of(dict(parameter.schema)),
        }
    return {**described, "schema": dict(parameter.schema)}


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    headers = {"ETag": _TAG, "Cache-Control": _CACHED}
    if endpoint.kind == "svg":
        headers["X-Chart-Metadata"] = _METADATA
    codes: tuple[ErrorCode, ...] = (*endpoint.error_codes, "method_not_allowed")
    if endpoint.keys:  # with an empty key the path is unknown
        codes = ("not_found", *codes)
    by_status: dict[int, list[ErrorCode]] = {}
    for code in codes:
        by_status.setdefault(STATUS_OF[code], []).append(code)
    return {
        "200": {
            "description": f"{endpoint.title}.",
            "headers": headers,
            "content": {MEDIA_TYPES[endpoint.kind]: {"schema": _body(endpoint)}},
        },
        "304": {"description": "The client has the current response.", "headers": headers},
        **{str(status): _error(status, found) for status, found in sorted(by_status.items())},
    }


def _body(endpoint: Endpoint) -> Schema:
    if endpoint.kind == "openapi":
        return {"type": "object", "required": ["openapi", "info", "paths"]}
    if endpoint.kind != "json":
        return _TEXT
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


def _error(status: int, codes: Sequence[ErrorCode]) -> dict[str, Any]:
    schema = object_of(
        {
            "api_version": {"const": API_VERSION},
            "error": object_of(
                {"code": choice(codes), "message": choice(MESSAGE_OF[code] for code in codes)}
            ),
        }
    )
    allowed = {"Allow": _ALLOWED} if "method_not_allowed" in codes else {}
    return {
        "description": f"{_REASONS[status]}: {', '.join(codes)}.",
        "headers": {"Cache-Control": _NOT_CACHED, **allowed},
        "content": {"application/json": {"schema": schema}},
    }
