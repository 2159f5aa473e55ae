"""Build an OpenAPI 3.1 document from a table of endpoints.

OPTIONS, and HEAD where there is GET, are left out: HTTP defines them.

Invariant *stated once*: bodies of responses are components, and so are the responses that are the
same for all operations: redirections and errors.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from status_contracts.endpoints import Endpoint, Parameter
from status_contracts.structuring.json_schema import choice, object_of, reachable

Schema = Mapping[str, Any]

COMPONENTS: Final = "#/components/schemas/"
"""What a reference to a schema of the document begins with."""

_JSON: Final = "application/json"


@attrs.frozen(kw_only=True)
class Api:
    """The parts of the document that belong to the whole service.

    Attributes:
        server: URL of the mount point, may be relative to the document.
        bodies: name of the schema of a JSON body to the schema, or to a reference to a component.
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
    api: Api, endpoints: Iterable[Endpoint], definitions: Mapping[str, dict[str, Any]]
) -> dict[str, Any]:
    """Return the document; bodies refer to `definitions` by `#/$defs/NAME`."""
    table = tuple(endpoints)
    shared: dict[str, Schema] = {}
    returned = {body_name(one.schema): api.bodies[one.schema] for one in table if one.schema}
    accepted = [api.bodies[one.body.schema] for one in table if one.body]
    needed = reachable([api.error_schema(()), *returned.values(), *accepted], definitions)
    schemas: dict[str, Schema] = {name: definitions[name] for name in needed}
    schemas |= {name: body for name, body in returned.items() if "$ref" not in body}
    paths = {
        path: {
            endpoint.methods[0].lower(): {
                **_operation(api, endpoint, is_alias=index > 0),
                "responses": dict(_responses(api, endpoint, shared)),
            }
        }
        for endpoint in table
        for index, path in enumerate(endpoint.paths)
    }
    components: dict[str, Any] = {"schemas": schemas, "responses": shared}
    if api.token is not None:
        scheme = {"type": "http", "scheme": "bearer", "description": api.token}
        components["securitySchemes"] = {"ingestToken": scheme}
    made = {
        "openapi": "3.1.0",
        "info": {
            "title": api.title,
            "version": api.version,
            "description": api.description,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": api.server}],
        "tags": [{"name": group} for group in dict.fromkeys(one.group for one in table)],
        "paths": paths,
        "components": components,
    }
    moved: dict[str, Any] = json.loads(json.dumps(made).replace('"#/$defs/', f'"{COMPONENTS}'))
    return moved


def error_body(codes: Iterable[str], examples: Mapping[Any, str], **members: str) -> dict[str, Any]:
    """Return the schema of the body of every error response.

    Args:
        codes: all error codes.
        examples: error code to its message.
        members: members beside the error, each with its only value.

    """
    message = {"description": "For people; do not compare it.", "type": "string"}
    error = object_of({"code": choice(codes), "message": message})
    beside = {name: {"type": "string", "const": value} for name, value in members.items()}
    return {
        "title": "Error body",
        "description": "The body of every error response.",
        **object_of({**beside, "error": error}),
        "examples": [
            {**members, "error": {"code": code, "message": text}} for code, text in examples.items()
        ],
    }


def body_name(resource: str) -> str:
    """Return the name of the component with the body of a resource: `SnapshotStatusBody`."""
    return f"{_capitalized(resource.split('-'))}Body"


def _capitalized(words: Iterable[str]) -> str:
    return "".join(word.capitalize() for word in words)


def _operation(api: Api, endpoint: Endpoint, *, is_alias: bool) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": f"legacy{endpoint.name.capitalize()}" if is_alias else endpoint.name,
        "tags": [endpoint.group],
        "summary": endpoint.title,
        **({"deprecated": True} if is_alias else {}),
    }
    if endpoint.description:
        operation["description"] = " ".join(endpoint.description.split())
    parameters = [
        *({**_parameter(key, "path"), "required": True} for key in endpoint.keys),
        *(_parameter(parameter, "query") for parameter in endpoint.parameters),
        *(
            {"name": name, "in": "header", "description": text, "schema": {"type": "string"}}
            for name, text in api.conditions.items()
            if endpoint.is_conditional
        ),
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
    return operation


def _parameter(parameter: Parameter, place: str) -> dict[str, Any]:
    members = {"name": parameter.name, "in": place, "description": parameter.description}
    schema = dict(parameter.schema)
    if not parameter.is_list:
        return {**members, "schema": schema}
    items = {"type": "array", "items": schema}
    return {**members, "style": "form", "explode": False, "schema": items}


def _responses(
    api: Api, endpoint: Endpoint, shared: dict[str, Schema]
) -> Iterator[tuple[str, Schema]]:
    """Yield the status and the response of an operation.

    Redirections and errors are added to the shared ones, by their error codes; one that differs in
    its headers from another of its codes stays in its operation.
    """

    def response(status: int, description: str, content: Schema, name: str = "") -> Schema:
        headers = dict(api.headers(endpoint, status))
        made = {"headers": headers, "description": description, **content}
        is_shared = name and shared.setdefault(name, made) == made
        return {"$ref": f"#/components/responses/{name}"} if is_shared else made

    success = {"content": {endpoint.media_type: {"schema": _body(api, endpoint)}}}
    yield "200", response(200, f"{endpoint.title}.", success)
    if endpoint.is_conditional:
        yield "304", response(304, "The client has the current response.", {}, "NotModified")
    error_codes = [*endpoint.error_codes, "method_not_allowed"]
    if endpoint.keys and "not_found" not in error_codes:  # with an empty key the path is unknown
        error_codes.insert(0, "not_found")
    by_status: dict[int, list[str]] = {}
    for code in error_codes:
        by_status.setdefault(api.status_of[code], []).append(code)
    for status, codes in sorted(by_status.items()):
        name = "Or".join(_capitalized(code.split("_")) for code in codes)
        text = f"{api.reasons[status]}: {', '.join(codes)}."
        content = {"content": {_JSON: {"schema": api.error_schema(codes)}}}
        yield str(status), response(status, text, content, name)


def _body(api: Api, endpoint: Endpoint) -> Schema:
    if endpoint.schema:
        body = api.bodies[endpoint.schema]
        return body if "$ref" in body else {"$ref": f"{COMPONENTS}{body_name(endpoint.schema)}"}
    if endpoint.media_type == _JSON:
        return {"type": "object", "required": ["openapi", "info", "paths"]}
    is_binary = endpoint.media_type == "image/png"
    return {"contentMediaType": endpoint.media_type} if is_binary else {"type": "string"}
