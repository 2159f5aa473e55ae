"""Checks of the three documents, and of all responses against the deployment's own description."""

import re
from typing import Final

from healthapi.conformance.deployment import SUITE, Deployment, expect_json, paths_of
from healthapi.http.endpoints import ENDPOINTS, ROOT
from purewire.conformance.checks import (
    CheckFailed,
    Reply,
    Steps,
    Unchecked,
    expect,
    expect_equal,
    expect_status,
    shorten,
)
from purewire.conformance.json_schema import UnsupportedSchema, find_problem
from purewire.conformance.reads import charset, get, media_type

_LOADING: Final = re.compile(
    r"<(?:script|iframe|object|embed|video|audio|base)\b"
    r"|<(?:img|link|source|input|use|image)\b[^>]*\b(?:src|href)\s*=\s*[\"']?(?!data:|#)[^\s\"'>]"
    r"|\bon[a-z]{3,}\s*=\s*[\"']|@import|url\(\s*[\"']?(?!data:|#)",
    re.IGNORECASE,
)
"""What makes a page load something, or run a script."""
_PATHS: Final = tuple(f"{ROOT}{endpoint.path}" for endpoint in ENDPOINTS)
_FIXED: Final = tuple(path.partition("/{")[0] for path in _PATHS)


def _expect_text(reply: Reply, expected: str) -> str:
    expect_status(reply, 200)
    expect_equal("media type", media_type(reply), expected)
    expect_equal("charset", charset(reply), "utf-8")
    try:
        return reply.body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CheckFailed("text in UTF-8", shorten(reply.body)) from error


def _missing(text: str) -> list[str]:
    """Return the last fixed parts of paths that a text does not mention."""
    parts = {path.rpartition("/")[2] for path in _FIXED}
    return sorted(part for part in parts if part not in text)


@SUITE.check("documents.html", "HA-HTTP-03", "HA-HTTP-19")
def _html(_: Deployment) -> Steps:
    """`/docs` is an HTML page that names every endpoint."""
    text = _expect_text((yield from get(f"{ROOT}/docs")), "text/html")
    expect(text.lstrip()[:9].lower() == "<!doctype", "an HTML page", text)
    expect(not _missing(text), "a page about all endpoints", f"nothing about {_missing(text)}")


@SUITE.check("documents.html-loads-nothing", "HA-CACHE-08")
def _html_loads_nothing(_: Deployment) -> Steps:
    """The page loads nothing, runs no script, and has a strict content policy."""
    reply = yield from get(f"{ROOT}/docs")
    found = _LOADING.search(reply.body.decode("utf-8", "replace"))
    expect(found is None, "a page that loads nothing", found and found[0])
    policy = reply.header("content-security-policy") or ""
    directives = [part.split() for part in policy.lower().split(";")]
    expect(["default-src", "'none'"] in directives, "default-src 'none' in the policy", policy)
    unsafe = [word for word in ("'unsafe-inline'", "'unsafe-eval'", "*") if word in policy.split()]
    expect(not unsafe, "a policy that allows no script", policy)


@SUITE.check("documents.markdown", "HA-HTTP-04", "HA-HTTP-19")
def _markdown(_: Deployment) -> Steps:
    """`/docs.md` is the documentation as Markdown."""
    text = _expect_text((yield from get(f"{ROOT}/docs.md")), "text/markdown")
    expect(text.lstrip().startswith("#"), "a heading", text)
    expect(not _missing(text), "text about all endpoints", f"nothing about {_missing(text)}")


@SUITE.check("documents.openapi", "HA-HTTP-05")
def _openapi(_: Deployment) -> Steps:
    """`/openapi.json` is OpenAPI 3.1 without an envelope, and has all paths with GET."""
    body = expect_json((yield from get(f"{ROOT}/openapi.json")))
    version = body.get("openapi")
    expect(isinstance(version, str) and version.startswith("3.1."), "openapi 3.1", version)
    paths = body.get("paths")
    expect(isinstance(paths, dict), "an object as paths", paths)
    described = {_generic(path) for path in body["paths"] if "get" in body["paths"][path]}
    missing = [path for path in _PATHS if _generic(path) not in described]
    expect(not missing, "all paths with get", f"none for {missing}")


def _generic(path: str) -> str:
    """Return a path template without the names of its variables; the mount point is free."""
    return re.sub(r"\{[^}]*\}", "{}", path[path.find(ROOT) :])


@SUITE.check("documents.openapi-describes-answers", "HA-HTTP-05", "HA-ENVELOPE-13")
def _describes(deployment: Deployment) -> Steps:
    """Every JSON response has the form that the deployment's own OpenAPI document describes."""
    document = expect_json((yield from get(f"{ROOT}/openapi.json")))
    described = {_generic(path): item for path, item in document.get("paths", {}).items()}
    for endpoint in ENDPOINTS:
        if endpoint.kind not in {"json", "openapi"}:
            continue
        item = described.get(_generic(f"{ROOT}{endpoint.path}"), {})
        schema = _success_schema(item)
        for path in (yield from paths_of(deployment, endpoint, every_profile=False)):
            reply = yield from get(path)
            expect_status(reply, 200)
            try:
                problem = find_problem(schema, reply.json(), document)
            except UnsupportedSchema as reason:
                raise Unchecked(
                    f"the schema of {endpoint.name} cannot be compared: {reason}",
                    inconclusive=True,
                ) from None
            expect(problem is None, "the form that /openapi.json describes", f"{path} {problem}")


def _success_schema(item: object) -> object:
    """Return the schema of the response 200 of a path; `{}` if the document has none."""
    found = item
    for name in ("get", "responses", "200", "content", "application/json", "schema"):
        found = found.get(name) if isinstance(found, dict) else None
    if found is None:
        raise Unchecked("/openapi.json has no schema of some response", inconclusive=True)
    return found


@SUITE.check("documents.openapi-parameters", "HA-HTTP-05", "HA-QUERY-06", "HA-QUERY-07")
def _parameters(_: Deployment) -> Steps:
    """The OpenAPI document states the range and the default of every integer of a query."""
    document = expect_json((yield from get(f"{ROOT}/openapi.json")))
    described = {_generic(path): item for path, item in document.get("paths", {}).items()}
    for endpoint in ENDPOINTS:
        operation = described.get(_generic(f"{ROOT}{endpoint.path}"), {}).get("get", {})
        stated = {
            each.get("name"): each.get("schema", {})
            for each in operation.get("parameters", ())
            if each.get("in") == "query"
        }
        for parameter in endpoint.parameters:
            schema = stated.get(parameter.name)
            what = f"{parameter.name} of {endpoint.path}"
            expect(schema is not None, f"the parameter {what}", sorted(stated))
            bounds = parameter.bounds
            if schema is not None and bounds is not None:
                found = [schema.get(name) for name in ("minimum", "maximum", "default")]
                expected = [bounds.minimum, bounds.maximum, bounds.default]
                expect(found == expected, f"the range and default {expected} of {what}", found)
