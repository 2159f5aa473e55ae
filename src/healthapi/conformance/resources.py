"""Checks of every resource and document: its members, their order, what describes them."""

import re
from functools import partial
from typing import Final

from healthapi.catalog_keys import CHARTS, DATASETS, SECTIONS, TABLES
from healthapi.conformance.deployment import (
    DOCUMENT,
    JSON_ENDPOINTS,
    SUITE,
    Deployment,
    expect_json,
    paths_of,
    problem_of_form,
    read_envelope,
)
from healthapi.http.endpoints import ENDPOINTS, KEYS, ROOT, Endpoint
from healthapi.http.openapi import BODIES, MOMENT
from purewire.conformance.checks import (
    CheckFailed,
    Reply,
    Steps,
    Unchecked,
    expect,
    expect_equal,
    expect_status,
)
from purewire.conformance.differences import shorten
from purewire.conformance.json_schema import UnsupportedSchema, find_misplaced_member, find_problem
from purewire.conformance.reads import charset, get, media_type

_RULES: Final = {
    "index": ("HA-HTTP-01", "HA-HTTP-02", "HA-INDEX-01", "HA-INDEX-02", "HA-INDEX-03"),
    "profiles": ("HA-HTTP-06", "HA-INDEX-06", "HA-INDEX-07"),
    "profile": (
        *("HA-HTTP-06", "HA-INDEX-13", "HA-LINK-04", "HA-LINK-05"),
        *("HA-PERSON-01", "HA-PERSON-02", "HA-PERSON-03", "HA-PERSON-17"),
    ),
    "dashboard": ("HA-HTTP-07", "HA-DASHBOARD-01", "HA-DASHBOARD-05"),
    "catalog": (
        *("HA-HTTP-07", "HA-CATALOG-01", "HA-CATALOG-05"),
        *("HA-CATALOG-20", "HA-CATALOG-21", "HA-CATALOG-22"),
    ),
    "overview": ("HA-HTTP-07", "HA-OVERVIEW-01", "HA-OVERVIEW-02"),
    "coverage": ("HA-HTTP-07", "HA-COVERAGE-01"),
    "metrics": ("HA-HTTP-07", "HA-CARD-10"),
    "metric": ("HA-HTTP-08", "HA-CARD-10"),
    "correlations": ("HA-HTTP-07", "HA-CORRELATION-02"),
    "snapshot-status": ("HA-HTTP-07", "HA-SNAPSHOT-16"),
    "datasets": ("HA-HTTP-09", "HA-DATASET-01"),
    "dataset": ("HA-HTTP-09", "HA-KEY-07", "HA-DATASET-03", "HA-DATASET-04", "HA-DAY-07"),
    "series": ("HA-HTTP-09", "HA-KEY-08", "HA-DATASET-07", "HA-DATASET-08", "HA-DATASET-11"),
    "sections": ("HA-HTTP-08", "HA-SECTION-01", "HA-SECTION-02"),
    "section": ("HA-HTTP-08", "HA-KEY-09", "HA-SECTION-01", "HA-SECTION-02", "HA-SECTION-16"),
    "tables": ("HA-HTTP-10", "HA-TABLE-01"),
    "table": ("HA-HTTP-10", "HA-KEY-10", "HA-TABLE-02", "HA-TABLE-03"),
    "snapshot": ("HA-HTTP-11", "HA-SNAPSHOT-09", "HA-SNAPSHOT-11"),
    "snapshot-endpoints": ("HA-HTTP-11", "HA-SNAPSHOT-14"),
    "snapshot-endpoint": ("HA-HTTP-11", "HA-SNAPSHOT-11", "HA-SNAPSHOT-15"),
}
"""Resource to the rules about its members."""
_MEMBERS: Final = ("api_version", "resource", "generated_at", "profile_id", "data", "meta")


@SUITE.check(
    "envelope.{0}",
    *(f"HA-ENVELOPE-{number:02}" for number in (1, 2, 3, 4, 8, 9, 11)),
    cases={endpoint.name: (endpoint,) for endpoint in JSON_ENDPOINTS},
)
def _has_envelope(deployment: Deployment, endpoint: Endpoint) -> Steps:
    """The envelope of {0} has its members and nothing else."""
    paths = yield from paths_of(deployment, endpoint)
    if not paths:
        raise Unchecked("the snapshot has no endpoint")
    members = [name for name in _MEMBERS if endpoint.of_profile or name != "profile_id"]
    for path in paths:
        body = expect_json((yield from get(path)))
        expect_equal("members", list(body), members)
        expect_equal("api_version", body["api_version"], "v1", rule="HA-ENVELOPE-02")
        expect_equal("resource", body["resource"], endpoint.name, rule="HA-ENVELOPE-03")
        problem = find_problem(MOMENT, body["generated_at"], DOCUMENT)
        written = "generated_at as YYYY-MM-DDThh:mm:ss"
        expect(not problem, written, body["generated_at"], rule="HA-ENVELOPE-04")
        if endpoint.of_profile:
            owner = path[len(f"{ROOT}/profiles/") :].partition("/")[0]
            expect_equal("profile_id", body["profile_id"], owner, rule="HA-ENVELOPE-08")
        for name, rule in (("data", "HA-ENVELOPE-09"), ("meta", "HA-ENVELOPE-11")):
            expect(isinstance(body[name], dict), f"an object as {name}", body[name], rule=rule)


def _has_shape(endpoint: Endpoint, deployment: Deployment) -> Steps:
    paths = yield from paths_of(deployment, endpoint)
    if not paths:
        raise Unchecked("the snapshot has no endpoint")
    for path in paths:
        reply = yield from get(path)
        expect_json(reply)
        problem = problem_of_form(endpoint.name, reply.body)
        expect(problem is None, f"the members and types of {endpoint.name}", f"{path} {problem}")


for _endpoint in JSON_ENDPOINTS:
    SUITE.add(
        f"shape.{_endpoint.name}",
        f"{_endpoint.name} has the members and types of its schema, for every key",
        (*_RULES[_endpoint.name], "HA-ENVELOPE-13"),
        partial(_has_shape, _endpoint),
    )


@SUITE.check("shape.order", "HA-ENVELOPE-14", "HA-DAY-03", "HA-PERIOD-04")
def _order(deployment: Deployment) -> Steps:
    """Members of objects come in the order of the rules."""
    for endpoint in JSON_ENDPOINTS:
        for path in (yield from paths_of(deployment, endpoint))[:1]:
            body = expect_json((yield from get(path)))
            misplaced = find_misplaced_member(BODIES[endpoint.name], body, DOCUMENT)
            expect(misplaced is None, "members in the order of the schema", f"{path}: {misplaced}")


@SUITE.check("shape.counts", "HA-ENVELOPE-12", "HA-ENVELOPE-10")
def _counts(deployment: Deployment) -> Steps:
    """`meta.count` of a list is its length."""
    names = {"catalog": "domains", "snapshot-endpoints": "endpoints"}
    for endpoint in JSON_ENDPOINTS:
        if endpoint.key is not None:
            continue
        for path in (yield from paths_of(deployment, endpoint)):
            body = yield from read_envelope(path, endpoint.name)
            entries = body["data"].get(names.get(endpoint.name, endpoint.name))
            if isinstance(entries, list):
                expect_equal(f"meta.count of {path}", body["meta"].get("count"), len(entries))


@SUITE.check("index.keys", "HA-KEY-07", "HA-KEY-09", "HA-KEY-10", "HA-KEY-11", "HA-INDEX-04")
def _index_keys(_: Deployment) -> Steps:
    """The index lists the keys of datasets, sections, tables and charts in their order."""
    data = expect_json((yield from get(ROOT))).get("data")
    index = data if isinstance(data, dict) else {}
    for name, keys in (
        ("datasets", DATASETS),
        ("sections", SECTIONS),
        ("tables", TABLES),
        ("charts", CHARTS),
    ):
        expect_equal(name, index.get(name), list(keys))


@SUITE.check("index.profiles", "HA-INDEX-03", "HA-INDEX-05")
def _index_profiles(_: Deployment) -> Steps:
    """The index counts the listed profiles, and its sample is the first that can be read."""
    index = (yield from read_envelope(ROOT, "index"))["data"]
    listed = (yield from read_envelope(f"{ROOT}/profiles", "profiles"))["data"]["profiles"]
    expect_equal("profiles.count", index["profiles"]["count"], len(listed))
    readable = [entry["id"] for entry in listed if entry["available"]]
    sample = index["sample_profile"]
    expect(
        sample in readable if readable else sample is None,
        f"a sample of {readable}" if readable else "no sample",
        sample,
    )
    expect((index["sample_links"] is None) is (sample is None), "links of the sample", sample)


@SUITE.check("profiles.list", "HA-INDEX-09", "HA-KEY-04", "HA-INDEX-10")
def _profile_list(_: Deployment) -> Steps:
    """The list of profiles is sorted by name and id, and its ids are unique and well-formed."""
    listed = (yield from read_envelope(f"{ROOT}/profiles", "profiles"))["data"]["profiles"]
    order = [(entry["display_name"] or entry["id"], entry["id"]) for entry in listed]
    expect(order == sorted(order), "the list sorted by display_name, then id", order)
    ids = [entry["id"] for entry in listed]
    expect(len(ids) == len({*ids}), "each profile once", ids)
    wrong = [
        profile_id for profile_id in ids if KEYS["profile_id"].pattern.fullmatch(profile_id) is None
    ]
    expect(not wrong, "ids of 1 to 128 letters, digits, _ and -", wrong)


@SUITE.check("profiles.dates", "HA-ENVELOPE-07", "HA-ENVELOPE-06")
def _list_is_dated(deployment: Deployment) -> Steps:
    """The list of profiles is dated by its newest profile, and each profile by its own data."""
    envelope = yield from read_envelope(f"{ROOT}/profiles", "profiles")
    readable = [entry["id"] for entry in envelope["data"]["profiles"] if entry["available"]]
    deployment.profile()
    moments = []
    for profile_id in readable[:_MOST_PROFILES]:
        path = f"{ROOT}/profiles/{profile_id}/overview"
        moments.append((yield from read_envelope(path, "overview"))["generated_at"])
    newest = max(moments)
    is_newest = envelope["generated_at"] == newest
    if len(readable) > _MOST_PROFILES:
        is_newest = envelope["generated_at"] >= newest
    expect(is_newest, f"generated_at {newest}", envelope["generated_at"])


_MOST_PROFILES: Final = 20
"""Profiles that one check reads."""


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
    match = _LOADING.search(reply.body.decode("utf-8", "replace"))
    expect(match is None, "a page that loads nothing", match and match[0])
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
    schema = item
    for name in ("get", "responses", "200", "content", "application/json", "schema"):
        schema = schema.get(name) if isinstance(schema, dict) else None
    if schema is None:
        raise Unchecked("/openapi.json has no schema of some response", inconclusive=True)
    return schema


@SUITE.check("documents.openapi-parameters", "HA-HTTP-05", "HA-QUERY-06", "HA-QUERY-07")
def _parameters(_: Deployment) -> Steps:
    """The OpenAPI document states the range and the default of every integer of a query."""
    document = expect_json((yield from get(f"{ROOT}/openapi.json")))
    described = {_generic(path): item for path, item in document.get("paths", {}).items()}
    for endpoint in ENDPOINTS:
        operation = described.get(_generic(f"{ROOT}{endpoint.path}"), {}).get("get", {})
        stated = {
            parameter.get("name"): parameter.get("schema", {})
            for parameter in operation.get("parameters", ())
            if parameter.get("in") == "query"
        }
        for parameter in endpoint.parameters:
            schema = stated.get(parameter.name)
            what = f"{parameter.name} of {endpoint.path}"
            expect(schema is not None, f"the parameter {what}", sorted(stated))
            bounds = parameter.bounds
            if schema is not None and bounds is not None:
                actual = [schema.get(name) for name in ("minimum", "maximum", "default")]
                expected = [bounds.minimum, bounds.maximum, bounds.default]
                expect(actual == expected, f"the range and default {expected} of {what}", actual)
