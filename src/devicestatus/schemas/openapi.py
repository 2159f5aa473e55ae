"""Describe the device status service in OpenAPI 3.1.

Invariant *no second source*: paths come from the table of endpoints, bodies from the models, error
codes from `devicestatus.errors`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from devicestatus.errors import STATUS_OF
from devicestatus.http.endpoints import ENDPOINTS
from purewire.http.endpoints import Endpoint
from purewire.pages.openapi import Api, document
from purewire.structuring.json_schema import Schema, move_references, reachable

CONTRACT_VERSION: Final = "0.1.0"

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


def openapi(bodies: Mapping[str, Schema], definitions: Mapping[str, Schema]) -> dict[str, Any]:
    """Return the OpenAPI document of the schemas of bodies, which refer to definitions by name."""

    def error_schema(codes: Sequence[str]) -> Schema:
        return {**bodies["error"], "properties": {"error": {"enum": list(codes)}}}

    api = Api(
        title="Device status",
        version=CONTRACT_VERSION,
        description="The status of one computer: one agent writes, everybody reads.",
        server="/",
        bodies=bodies,
        status_of=STATUS_OF,
        reasons=_REASONS,
        error_schema=error_schema,
        headers=_headers,
        conditions={
            "If-None-Match": "Entity tags of the files that the client has.",
            "If-Modified-Since": "Date of the file that the client has.",
        },
        token="The ingest token of the deployment.",  # noqa: S106 - a description
    )
    paths = document(api, ENDPOINTS, {})["paths"]
    used = {name: definitions[name] for name in reachable(paths, definitions)}
    moved: dict[str, Any] = move_references(
        document(api, ENDPOINTS, used), "#/$defs/", "#/components/schemas/"
    )
    return moved


def _headers(_endpoint: Endpoint, status: int) -> Mapping[str, Schema]:
    return {"Access-Control-Allow-Origin": _ORIGIN, **_HEADERS.get(status, {})}
