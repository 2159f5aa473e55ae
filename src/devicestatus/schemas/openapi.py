"""Generate the OpenAPI 3.1 document of the device status service.

Invariant *no second source*: bodies come from the models, error codes from `devicestatus.errors`.
"""

from collections.abc import Mapping
from typing import Any, Final

import attrs

from devicestatus import limits
from devicestatus.errors import STATUS_OF, ErrorCode
from devicestatus.models.responses import ICON_ID
from purewire.structuring.json_schema import Schema, matching, move_references, reachable

CONTRACT_VERSION: Final = "0.1.0"

_JSON: Final = "application/json"
_SVG: Final = "image/svg+xml"
_PNG: Final = "image/png"
_WRITE_ERRORS: Final[tuple[ErrorCode, ...]] = (
    "invalid_json",
    "invalid_payload",
    "unauthorized",
    "method_not_allowed",
    "payload_too_large",
    "unsupported_media_type",
    "service_unavailable",
)
_READ_ERRORS: Final[tuple[ErrorCode, ...]] = ("method_not_allowed", "service_unavailable")
_REASONS: Final = {
    400: "The body breaks the contract",
    401: "The token is missing or wrong",
    404: "There is no such icon",
    405: "The method is not supported",
    413: "The body is too long",
    415: "The media type or the content coding is not supported",
    503: "Configuration, store or assets are not available",
}
_CORS: Final[Schema] = {"description": "Any origin.", "schema": {"const": "*"}}


@attrs.frozen
class Operation:
    """A method of a path.

    Attributes:
        path: the path, with `{id}` for the parameter.
        method: in lower case.
        name: the operation id.
        summary: what it does, without a full stop.
        response: name of the document of the response, or a media type.
        errors: error codes that it can return.
        request: name of the document of the request body.
        max_bytes: the longest request body.
        legacy: whether the path is kept for old clients only.

    """

    path: str
    method: str
    name: str
    summary: str
    response: str
    errors: tuple[ErrorCode, ...] = _READ_ERRORS
    request: str | None = None
    max_bytes: int = 0
    legacy: bool = False


def _write(
    path: str, name: str, request: str, max_bytes: int, *, legacy: bool = False
) -> Operation:
    summary = f"Replace the record by a {request}"
    return Operation(
        path, "post", name, summary, "update-result", _WRITE_ERRORS, request, max_bytes, legacy
    )


_ICON: Final = "/api/icons/{id}.png"
_ICON_ERRORS: Final[tuple[ErrorCode, ...]] = ("not_found", *_READ_ERRORS)
_NOW: Final = "Return the status at this time"
_BADGE: Final = "Draw the status as a badge"
_HEALTH: Final = "Check that the service responds"
_ICON_SUMMARY: Final = "Return the image of an icon"
_MANIFEST: Final = "List the icons"

OPERATIONS: Final = (
    _write("/api/update", "update", "snapshot", limits.UPDATE_BODY_BYTES),
    _write("/api/batch", "batch", "window", limits.BATCH_BODY_BYTES),
    Operation("/api/now", "get", "now", _NOW, "now"),
    Operation("/api/timeline", "get", "timeline", "Return the window to play back", "timeline"),
    Operation("/api/music", "get", "music", "Return the music player", "music"),
    Operation("/api/apps/active", "get", "activeApp", "Return the foreground app", "active-app"),
    Operation("/api/apps/running", "get", "runningApps", "Return the running apps", "running-apps"),
    Operation("/api/device", "get", "device", "Return battery and load", "device"),
    Operation("/api/badge.svg", "get", "badge", _BADGE, _SVG),
    Operation("/api/health", "get", "health", _HEALTH, "health", ("method_not_allowed",)),
    Operation("/api/icons", "get", "icons", _MANIFEST, "icon-manifest", _ICON_ERRORS),
    Operation("/api/icons", "head", "iconsHead", _MANIFEST, "icon-manifest", _ICON_ERRORS),
    Operation(_ICON, "get", "icon", _ICON_SUMMARY, _PNG, _ICON_ERRORS),
    Operation(_ICON, "head", "iconHead", _ICON_SUMMARY, _PNG, _ICON_ERRORS),
    _write("/update", "legacyUpdate", "snapshot", limits.UPDATE_BODY_BYTES, legacy=True),
    Operation("/now", "get", "legacyNow", _NOW, "now", legacy=True),
    Operation("/badge.svg", "get", "legacyBadge", _BADGE, _SVG, legacy=True),
    Operation(
        "/health", "get", "legacyHealth", _HEALTH, "health", ("method_not_allowed",), legacy=True
    ),
)
"""Every method of every path; OPTIONS, which all paths answer with 204, is left out."""


def openapi(bodies: Mapping[str, Schema], definitions: Mapping[str, Schema]) -> dict[str, Any]:
    """Return the OpenAPI document.

    Args:
        bodies: name of a document to its schema, whose references lead to `definitions`.
        definitions: name of a model to its schema.

    """
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _operation(operation, bodies)
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Device status",
            "version": CONTRACT_VERSION,
            "description": "The status of one computer: one agent writes, everybody reads.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name} for name in ("write", "status", "icons", "legacy")],
        "paths": paths,
        "components": {
            "schemas": {name: definitions[name] for name in reachable(paths, definitions)},
            "securitySchemes": {
                "ingestToken": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The ingest token of the deployment.",
                }
            },
        },
    }
    moved: dict[str, Any] = move_references(document, "#/$defs/", "#/components/schemas/")
    return moved


def _operation(operation: Operation, bodies: Mapping[str, Schema]) -> dict[str, Any]:
    is_icon = operation.path.startswith("/api/icons")
    described: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [_tag(operation)],
        "summary": operation.summary,
    }
    if operation.legacy:
        described["deprecated"] = True
    parameters = [*_path_parameters(operation), *(_CONDITIONS if is_icon else ())]
    if parameters:
        described["parameters"] = parameters
    if operation.request is not None:
        described["security"] = [{"ingestToken": []}]
        described["requestBody"] = {
            "required": True,
            "description": f"At most {operation.max_bytes} bytes.",
            "content": {_JSON: {"schema": bodies[operation.request]}},
        }
    responses = {"200": _success(operation, bodies)}
    if is_icon:
        headers = {"Access-Control-Allow-Origin": _CORS}
        responses["304"] = {"description": "The client has the file.", "headers": headers}
    described["responses"] = responses | _errors(operation, bodies)
    return described


def _tag(operation: Operation) -> str:
    if operation.legacy:
        return "legacy"
    if operation.request is not None:
        return "write"
    return "icons" if operation.path.startswith("/api/icons") else "status"


def _path_parameters(operation: Operation) -> list[dict[str, Any]]:
    if "{id}" not in operation.path:
        return []
    words = "Id of an icon of the manifest."
    schema = matching(ICON_ID)
    return [{"name": "id", "in": "path", "required": True, "description": words, "schema": schema}]


_CONDITIONS: Final = tuple(
    {"name": name, "in": "header", "description": words, "schema": {"type": "string"}}
    for name, words in (
        ("If-None-Match", "Entity tags of the files that the client has."),
        ("If-Modified-Since", "Date of the file that the client has."),
    )
)


def _success(operation: Operation, bodies: Mapping[str, Schema]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "description": f"{operation.summary}.",
        "headers": {"Access-Control-Allow-Origin": _CORS},
    }
    if operation.method != "head":
        if "/" in operation.response:
            is_text = operation.response == _SVG
            schema = {"type": "string"} if is_text else {"contentMediaType": operation.response}
            found["content"] = {operation.response: {"schema": schema}}
        else:
            found["content"] = {_JSON: {"schema": bodies[operation.response]}}
    return found


def _errors(operation: Operation, bodies: Mapping[str, Schema]) -> dict[str, Any]:
    by_status: dict[int, list[ErrorCode]] = {}
    for code in operation.errors:
        by_status.setdefault(STATUS_OF[code], []).append(code)
    return {
        str(status): _error(operation, status, codes, bodies)
        for status, codes in sorted(by_status.items())
    }


def _error(
    operation: Operation, status: int, codes: list[ErrorCode], bodies: Mapping[str, Schema]
) -> dict[str, Any]:
    headers: dict[str, Any] = {"Access-Control-Allow-Origin": _CORS}
    if status == STATUS_OF["method_not_allowed"]:
        headers["Allow"] = {"description": "The methods of the path.", "schema": {"type": "string"}}
    if status == STATUS_OF["unauthorized"]:
        headers["WWW-Authenticate"] = {"description": "The scheme.", "schema": {"const": "Bearer"}}
    found: dict[str, Any] = {
        "description": f"{_REASONS[status]}: {', '.join(codes)}.",
        "headers": headers,
    }
    if operation.method != "head":
        schema = {**bodies["error"], "properties": {"error": {"enum": list(codes)}}}
        found["content"] = {_JSON: {"schema": schema}}
    return found
