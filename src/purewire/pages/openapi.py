"""Build an OpenAPI 3.1 document from a table of endpoints.

OPTIONS, and HEAD where there is GET, are left out: HTTP defines them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import attrs

from purewire.endpoints import Endpoint, Parameter

Schema = Mapping[str, Any]

_JSON: Final = "application/json"


@attrs.frozen(kw_only=True)
class Api:
    """The parts of the document that belong to the whole service.

    Attributes:
        server: URL of the mount point, may be relative to the document.
        bodies: name of the schema of a JSON body to the schema.
        status_of: error code to HTTP status.
        reasons: HTTP status to its meaning.
        error_schema: returns the schema of the body of an error response with one of some codes.
        headers: returns the headers of the responses of an endpoint with a status, by name.
        conditions: conditional header to its description.

    """

    title: str
    version: str
    description: str
    server: str
    bodies: Mapping[str, Schema]
    status_of: Mapping[Any, int]
    reasons: Mapping[int, str]
    error_schema: Callable[[Sequence[Any]], Schema]
    headers: Callable[[Endpoint, int], Mapping[str, Schema]]
    conditions: Mapping[str, str]
    token: str | None = None


def document(
    api: Api, endpoints: Iterable[Endpoint], components: Mapping[str, Schema]
) -> dict[str, Any]:
    """Return the document; `components` are the schemas to which bodies refer."""
    table = tuple(endpoints)
    scheme = {"type": "http", "scheme": "bearer", "description": api.token}
    schemes = {} if api.token is None else {"securitySchemes": {"ingestToken": scheme}}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": api.title,
            "version": api.version,
            "description": api.description,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": api.server}],
        "tags": [{"name": group} for group in dict.fromkeys(one.group for one in table)],
        "paths": {
            path: {endpoint.methods[0].lower(): _operation(api, endpoint, is_alias=index > 0)}
            for endpoint in table
            for index, path in enumerate(endpoint.paths)
        },
        "components": {"schemas": dict(components), **schemes},
    }


def _operation(api: Api, endpoint: Endpoint, *, is_alias: bool) -> dict[str, Any]:
    name = endpoint.name
    operation: dict[str, Any] = {
        "operationId": f"legacy{name.capitalize()}" if is_alias else name,
        "tags": [endpoint.group],
        "summary": endpoint.title,
    }
    if is_alias:
        operation["deprecated"] = True
    if endpoint.description:
        operation["description"] = " ".join(endpoint.description.split())
    parameters = [
        *({**_parameter(key, "path"), "required": True} for key in endpoint.keys),
        *(_parameter(parameter, "query") for parameter in endpoint.parameters),
        *(_condition(*item) for item in api.conditions.items() if endpoint.is_conditional),
    ]
    if parameters:
        operation["parameters"] = parameters
    if endpoint.body is not None:
        operation["security"] = [{"ingestToken": []}]
        operation["requestBody"] = {
            "required": True,
            "description": f"At most {endpoint.body.max_bytes} bytes.",
            "content": {_JSON: {"schema": api.bodies[endpoint.body.schema]}},
        }
    operation["responses"] = _responses(api, endpoint)
    return operation


def _parameter(parameter: Parameter, place: str) -> dict[str, Any]:
    members = {"name": parameter.name, "in": place, "description": parameter.description}
    schema = dict(parameter.schema)
    if not parameter.is_list:
        return {**members, "schema": schema}
    items = {"type": "array", "items": schema}
    return {**members, "style": "form", "explode": False, "schema": items}


def _condition(name: str, description: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "header",
        "description": description,
        "schema": {"type": "string"},
    }


def _responses(api: Api, endpoint: Endpoint) -> dict[str, Any]:
    success = _content(endpoint.media_type, _body(api, endpoint))
    responses = {200: {"description": f"{endpoint.title}.", **success}}
    if endpoint.is_conditional:
        responses[304] = {"description": "The client has the current response."}
    by_status: dict[int, list[str]] = {}
    for code in _error_codes(endpoint):
        by_status.setdefault(api.status_of[code], []).append(code)
    for status, codes in sorted(by_status.items()):
        text = f"{api.reasons[status]}: {', '.join(codes)}."
        responses[status] = {"description": text, **_content(_JSON, api.error_schema(codes))}
    return {
        str(status): {"headers": dict(api.headers(endpoint, status)), **response}
        for status, response in responses.items()
    }


def _content(media_type: str, schema: Schema) -> dict[str, Any]:
    return {"content": {media_type: {"schema": schema}}}


def _error_codes(endpoint: Endpoint) -> list[str]:
    codes = [*endpoint.error_codes, "method_not_allowed"]
    if endpoint.keys and "not_found" not in codes:  # with an empty key the path is unknown
        codes.insert(0, "not_found")
    return codes


def _body(api: Api, endpoint: Endpoint) -> Schema:
    if endpoint.schema:
        return api.bodies[endpoint.schema]
    if endpoint.media_type == _JSON:
        return {"type": "object", "required": ["openapi", "info", "paths"]}
    is_binary = endpoint.media_type == "image/png"
    return {"contentMediaType": endpoint.media_type} if is_binary else {"type": "string"}
