"""Checks of requests: paths, methods, keys, queries, errors, caching, conditions."""

from collections.abc import Generator
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from healthapi import limits
from healthapi.catalog_keys import SERIES_METRICS
from healthapi.conformance.deployment import (
    JSON_ENDPOINTS,
    SUITE,
    Deployment,
    Plain,
    envelope_of,
    expect_error,
    paths_of,
    plain_value,
    read,
    read_envelope,
)
from healthapi.http.endpoints import ROOT
from purewire.conformance.checks import Effect, Reply, Steps, Unchecked, Wait, expect, expect_equal
from purewire.conformance.reads import (
    expect_conditions,
    expect_gzip,
    expect_head,
    expect_methods,
    expect_strong_tag,
    get,
    list_items,
    media_type,
)

_ALLOWED: Final = "GET, HEAD, OPTIONS"
_DATA_CACHE: Final = (
    f"public, max-age={limits.MAX_AGE_SECONDS}, stale-while-revalidate={limits.STALE_SECONDS}"
)
_DOCS_CACHE: Final = (
    f"public, max-age={limits.MAX_AGE_DOCS_SECONDS},"
    f" stale-while-revalidate={limits.STALE_DOCS_SECONDS}"
)
_DOCUMENTS: Final = (f"{ROOT}/docs", f"{ROOT}/docs.md", f"{ROOT}/openapi.json")
_LISTS: Final = (ROOT, f"{ROOT}/profiles")
_OF_PROFILE: Final = (
    "",
    "/dashboard",
    "/metrics/steps",
    "/datasets/daily",
    "/series/weekly",
    "/tables/sleep",
    "/snapshot",
    "/charts/overview-trend.svg",
)
"""One path of each kind below a profile."""
_CANARY: Final = "canary7f3a"
_REFUSED_BY_GATEWAYS: Final = frozenset({400, 403, 414, 431})
"""Statuses of gateways that refuse unusual targets before the service sees them."""


def _samples(deployment: Deployment) -> list[str]:
    """Return one path of each kind; without a profile only those of the service."""
    below = [] if deployment.profile_id is None else map(deployment.profile, _OF_PROFILE)
    return [*_LISTS, *_DOCUMENTS, *below]


# Paths and methods

_UNKNOWN_PATHS: Final = (
    f"{ROOT}/",
    f"{ROOT}/profiles/",
    f"{ROOT}//profiles",
    f"{ROOT}/Profiles",
    "/API/public/v1",
    "/api/public/v2",
    "/api/public",
    f"{ROOT}/nothing-here",
    f"{ROOT}/docs/",
    f"{ROOT}/docs.html",
    f"{ROOT}/openapi.yaml",
)
_UNKNOWN_BELOW: Final = (
    "/",
    "/nothing-here",
    "/Dashboard",
    "/dashboard/",
    "/metrics/steps/",
    "/datasets/daily/rows",
    "/charts/overview-trend.png",
    "/charts/overview-trend",
    "/snapshot/endpoints/",
)


@SUITE.check("paths.unknown", "HA-HTTP-13", "HA-ERROR-11", "HA-ERROR-01", "HA-ERROR-14")
def _unknown_paths(deployment: Deployment) -> Steps:
    """Unknown paths are 404 not_found in JSON: trailing slash, double slash, other case."""
    below = () if deployment.profile_id is None else map(deployment.profile, _UNKNOWN_BELOW)
    for path in (*_UNKNOWN_PATHS, *below):
        expect_error((yield from get(path)), 404, "not_found")


@SUITE.check("paths.order-of-checks", "HA-HTTP-17")
def _order_of_checks(deployment: Deployment) -> Steps:
    """Path, OPTIONS, method, profile and key are checked in this order."""
    expect_error((yield from get(f"{ROOT}/nothing-here", method="POST")), 404, "not_found")
    expect_error((yield from get(f"{ROOT}/nothing-here", method="OPTIONS")), 404, "not_found")
    absent = f"{ROOT}/profiles/{_CANARY}"
    preflight = yield from get(f"{absent}/datasets/nothing", method="OPTIONS")
    expect_equal("status of OPTIONS of an unknown profile", preflight.status, 204)
    refused = yield from get(f"{absent}/datasets/nothing", method="POST")
    expect_error(refused, 405, "method_not_allowed")
    unknown = yield from get(f"{absent}/datasets/nothing")
    expect_error(unknown, 404, "profile_not_found")
    path = deployment.profile("/datasets/nothing")
    expect_error((yield from get(path)), 404, "dataset_not_found")


@SUITE.check("methods.head", "HA-HTTP-14")
def _head(deployment: Deployment) -> Steps:
    """HEAD has the status and headers of GET and no body, errors included."""
    names = ("content-type", "content-length", "cache-control", "etag", "x-chart-metadata")
    for path in (*_samples(deployment), f"{ROOT}/nothing-here"):
        yield from expect_head(path, names)


@SUITE.check("methods.refused", "HA-HTTP-16", "HA-ERROR-12", "HA-SERVICE-03")
def _refused_methods(deployment: Deployment) -> Steps:
    """Other methods are 405 method_not_allowed, and Allow lists GET, HEAD and OPTIONS."""
    for path in _samples(deployment):
        yield from expect_methods(path, ("POST", "PUT", "DELETE", "PATCH"), _ALLOWED)
    expect_error((yield from get(ROOT, method="DELETE")), 405, "method_not_allowed")


@SUITE.check("methods.options", "HA-HTTP-15")
def _options(deployment: Deployment) -> Steps:
    """OPTIONS is 204 without a body, and names the methods."""
    for path in _samples(deployment):
        reply = yield from get(path, ("Origin", "https://page.example"), method="OPTIONS")
        expect_equal(f"status of OPTIONS {path}", reply.status, 204)
        expect(not reply.body, "no body", reply.body)
        methods = list_items(reply.header("access-control-allow-methods"))
        expect_equal("Access-Control-Allow-Methods", methods, list_items(_ALLOWED))


# Keys


@SUITE.check("keys.any-case", "HA-KEY-02")
def _any_case(deployment: Deployment) -> Steps:
    """Keys of datasets, granularities and charts are trimmed and lower-cased."""
    for written, key in (
        ("/datasets/DAILY", "/datasets/daily"),
        ("/datasets/Sleep%20", "/datasets/sleep"),
        ("/series/%20Weekly", "/series/weekly"),
        ("/charts/Overview-Trend.svg", "/charts/overview-trend.svg"),
    ):
        one = yield from get(deployment.profile(written))
        other = yield from get(deployment.profile(key))
        expect_equal(f"status of {written}", one.status, 200)
        expect(one.body == other.body, f"the body of {key}", one.body)


@SUITE.check("keys.exact", "HA-KEY-03")
def _exact(deployment: Deployment) -> Steps:
    """Keys of profiles, metrics, sections, tables and snapshot endpoints are exact."""
    for subpath, code in (
        ("/metrics/Steps", "metric_not_found"),
        ("/metrics/steps%20", "metric_not_found"),
        ("/sections/BODY", "section_not_found"),
        ("/tables/Sleep", "table_not_found"),
        ("/snapshot/endpoints/PROFILE", "snapshot_endpoint_not_found"),
    ):
        expect_error((yield from get(deployment.profile(subpath))), 404, code)
    swapped = (deployment.profile_id or "").swapcase()
    if swapped not in deployment.profile_ids:
        reply = yield from get(f"{ROOT}/profiles/{swapped}")
        expect_error(reply, 404, "profile_not_found")


@SUITE.check("keys.decoded-once", "HA-KEY-01")
def _decoded_once(deployment: Deployment) -> Steps:
    """A key is percent-decoded once, and is UTF-8 without `/` and NUL."""
    plain = yield from get(deployment.profile("/metrics/steps"))
    encoded = yield from get(deployment.profile("/metrics/st%65ps"))
    expect_equal("status of /metrics/st%65ps", encoded.status, 200)
    expect(encoded.body == plain.body, "the body of /metrics/steps", encoded.body)
    for subpath, code in (
        ("/metrics/st%2565ps", "metric_not_found"),
        ("/metrics/%ff", "metric_not_found"),
        ("/datasets/daily%2Frows", "dataset_not_found"),
        ("/tables/sleep%00", "table_not_found"),
    ):
        yield from _expect_not_found(deployment.profile(subpath), code)


def _expect_not_found(path: str, code: str) -> Steps:
    """Expect a 404 of a code; what a gateway refused before the service is not decided."""
    reply = yield from get(path)
    if reply.status in _REFUSED_BY_GATEWAYS and media_type(reply) != "application/json":
        reason = f"GET {path} has status {reply.status}, perhaps of a gateway before the service"
        raise Unchecked(reason, inconclusive=True)
    expect_error(reply, 404, code)


_CODES: Final = (
    ("profile", "", "profile_not_found", "HA-ERROR-03"),
    ("metric", "/metrics/", "metric_not_found", "HA-ERROR-04"),
    ("series", "/series/", "series_not_found", "HA-ERROR-05"),
    ("dataset", "/datasets/", "dataset_not_found", "HA-ERROR-06"),
    ("section", "/sections/", "section_not_found", "HA-ERROR-07"),
    ("table", "/tables/", "table_not_found", "HA-ERROR-08"),
    ("snapshot-endpoint", "/snapshot/endpoints/", "snapshot_endpoint_not_found", "HA-ERROR-09"),
)


def _unknown_key(subpath: str, code: str, deployment: Deployment) -> Steps:
    for key in ("nothing-here", "hourly", "%F0%9F%98%80", "a.b", "0"):
        path = deployment.profile(f"{subpath}{key}") if subpath else f"{ROOT}/profiles/{key}-7f3a"
        yield from _expect_not_found(path, code)


for _name, _subpath, _code, _rule in _CODES:
    SUITE.add(
        f"errors.{_name}",
        f"An unknown key is 404 {_code}",
        (_rule, "HA-ERROR-01"),
        partial(_unknown_key, _subpath, _code),
    )


@SUITE.check("errors.chart", "HA-ERROR-10", "HA-ERROR-01")
def _unknown_chart(deployment: Deployment) -> Steps:
    """An unknown chart, and an unknown granularity of a chart, are 404 chart_not_found."""
    for subpath in (
        "/charts/nothing-here.svg",
        "/charts/monthly-trend.svg",
        "/charts/series.svg?granularity=hourly",
        "/charts/overview-trend.svg?granularity=daily,weekly",
    ):
        expect_error((yield from get(deployment.profile(subpath))), 404, "chart_not_found")


@SUITE.check("errors.quote-nothing", "HA-HTTP-21", "HA-ERROR-02")
def _quote_nothing(deployment: Deployment) -> Steps:
    """A body has no text of the request, and the message of an error depends on its code alone."""
    other = "other7f3a"
    for form in (
        f"{ROOT}/{{}}",
        f"{ROOT}/profiles/{{}}",
        deployment.profile("/metrics/{}"),
        deployment.profile("/datasets/{}?x={}"),
        deployment.profile("/snapshot/endpoints/{}"),
        deployment.profile("/series/weekly?metrics={}"),
        deployment.profile("/charts/series.svg?theme={}&metrics={}"),
    ):
        one = yield from get(form.replace("{}", _CANARY))
        expect(_CANARY.encode() not in one.body, "a body without text of the request", one.body)
        quoted = [value for _, value in one.headers if _CANARY in value]
        expect(not quoted, "headers without text of the request", quoted)
        two = yield from get(form.replace("{}", other))
        expect(one.body == two.body, "the same body for another unknown name", two.body)


@SUITE.check("errors.not-cached", "HA-CACHE-03")
def _errors_are_not_cached(_: Deployment) -> Steps:
    """Errors have Cache-Control: no-store."""
    for path, method in (
        (f"{ROOT}/nothing-here", "GET"),
        (f"{ROOT}/profiles/{_CANARY}", "GET"),
        (ROOT, "DELETE"),
    ):
        reply = yield from get(path, method=method)
        directives = list_items(reply.header("cache-control"))
        expect("no-store" in directives, f"no-store on {method} {path}", directives)


# Queries

_MANY: Final = "9" * 40
_PAGE: Final = "/datasets/daily"


def _page(path: str, query: str) -> Generator[Effect, Any, Plain]:
    """Return the envelope of one page; no query is an error."""
    whole = f"{path}?{query}" if query else path
    reply = yield from get(whole)
    expect_equal(f"status of GET {whole}", reply.status, 200)
    return envelope_of(reply, whole, "table" if "/tables/" in path else "dataset")


def _expect_pages(name: str, path: str, cases: tuple[tuple[str, int], ...]) -> Steps:
    """Expect that `meta` shows a number for each query, and that the page has so many rows."""
    for query, expected in cases:
        body = yield from _page(path, query)
        meta = body["meta"]
        expect_equal(f"meta.{name} for ?{query}", meta[name], expected)
        count = max(0, min(meta["limit"], meta["total"] - meta["offset"]))
        expect_equal(f"number of rows for ?{query}", len(body["data"]["rows"]), count)


def _limits_of(default: int) -> tuple[tuple[str, int], ...]:
    return (("", default), ("limit=1", 1), ("limit=7", 7), ("limit=1000", 1000))


@SUITE.check("query.dataset-limit", "HA-QUERY-06")
def _dataset_limit(deployment: Deployment) -> Steps:
    """`limit` of a dataset is 200 by default."""
    yield from _expect_pages("limit", deployment.profile(_PAGE), _limits_of(200))


@SUITE.check("query.table-limit", "HA-QUERY-07")
def _table_limit(deployment: Deployment) -> Steps:
    """`limit` of a table is 100 by default."""
    yield from _expect_pages("limit", deployment.profile("/tables/sleep"), _limits_of(100))


@SUITE.check("query.clamped", "HA-QUERY-05", "HA-QUERY-04")
def _clamped(deployment: Deployment) -> Steps:
    """An integer out of its range is clamped to the nearer end, whatever its size."""
    cases = (
        ("limit=0", 1),
        ("limit=-1", 1),
        ("limit=-4", 1),
        ("limit=1001", 1000),
        (f"limit={_MANY}", 1000),
        (f"limit=-{_MANY}", 1),
        (f"limit={'9' * 700}", 1000),
    )
    yield from _expect_pages("limit", deployment.profile(_PAGE), cases)
    yield from _expect_pages("limit", deployment.profile("/tables/sleep"), cases)


@SUITE.check("query.integers", "HA-QUERY-03", "HA-QUERY-04")
def _integers(deployment: Deployment) -> Steps:
    """An integer is trimmed; what is none yields the default; `1_0` is 10."""
    cases = (
        *((f"limit={text}", 200) for text in ("", "%20", "many", "1.5", "1e2", "0x10", "5,0")),
        *((f"limit={text}", 5) for text in ("%205%20", "5+", "%2B5", "005")),
        ("limit=1_0", 10),
        ("limit=1__0", 200),
        ("limit", 200),
    )
    yield from _expect_pages("limit", deployment.profile(_PAGE), cases)


@SUITE.check("query.first-and-exact", "HA-QUERY-02")
def _first_and_exact(deployment: Deployment) -> Steps:
    """Names of parameters are exact, and of a repeated parameter the first counts."""
    cases = (
        ("limit=3&limit=9", 3),
        ("limit=&limit=9", 200),
        ("LIMIT=3", 200),
        ("limit%20=3", 200),
        ("page=2&per_page=5&limit=4", 4),
        ("li%6Dit=6", 6),
    )
    yield from _expect_pages("limit", deployment.profile(_PAGE), cases)


@SUITE.check("query.offset", "HA-QUERY-11", "HA-QUERY-12")
def _offset(deployment: Deployment) -> Steps:
    """`offset` is 0 to 100,000; a page past the end has no rows and status 200."""
    cases = (
        ("", 0),
        ("offset=0", 0),
        ("offset=-1", 0),
        ("offset=some", 0),
        ("offset=2", 2),
        ("offset=100000", 100_000),
        ("offset=100001", 100_000),
        (f"offset={_MANY}", 100_000),
    )
    yield from _expect_pages("offset", deployment.profile(_PAGE), cases)
    yield from _expect_pages("offset", deployment.profile("/tables/sleep"), cases)
    body = yield from _page(deployment.profile("/tables/sleep"), "offset=100000")
    expect_equal("rows past the end", body["data"]["rows"], [])
    expect_equal("meta.count past the end", body["meta"]["count"], 0)


@SUITE.check("query.pages", "HA-DATASET-06", "HA-QUERY-11")
def _pages(deployment: Deployment) -> Steps:
    """Pages in order make the whole, and each row is on one page."""
    for path in map(deployment.profile, (_PAGE, "/tables/body")):
        whole = yield from _page(path, "limit=1000")
        rows = whole["data"]["rows"]
        size = max(1, len(rows) // 3)
        parts = []
        for offset in range(0, len(rows), size):
            parts += (yield from _page(path, f"limit={size}&offset={offset}"))["data"]["rows"]
        expect(parts == rows, "the rows of the whole in their order", parts)


_ODD_QUERIES: Final = (
    "&&&=&=",
    "%ff=%fe",
    "limit=%00",
    "limit[]=1",
    "metrics=%F0%9F%98%80,%FF",
    "offset=" + "9" * 2000,
    "?",
    "metrics=" + "steps," * 300,
)


@SUITE.check("query.never-an-error", "HA-QUERY-01", "HA-HTTP-18")
def _never_an_error(deployment: Deployment) -> Steps:
    """No query is an error."""
    for subpath in (_PAGE, "/series/daily", "/charts/series.svg"):
        for query in _ODD_QUERIES:
            reply = yield from get(f"{deployment.profile(subpath)}?{query}")
            if reply.status in _REFUSED_BY_GATEWAYS and media_type(reply) != "application/json":
                reason = f"the query {query[:20]!r} has status {reply.status}, perhaps of a gateway"
                raise Unchecked(reason, inconclusive=True)
            expect_equal(f"status of {subpath}?{query[:60]}", reply.status, 200)


# Series


def _whole_series(deployment: Deployment, granularity: str) -> Generator[Effect, Any, Plain]:
    return (yield from read_envelope(deployment.profile(f"/series/{granularity}"), "series"))


def _query_of_series(
    deployment: Deployment, granularity: str, query: str
) -> Generator[Effect, Any, Plain]:
    path = deployment.profile(f"/series/{granularity}?{query}")
    reply = yield from get(path)
    expect_equal(f"status of GET {path}", reply.status, 200)
    return envelope_of(reply, path, "series")


@SUITE.check("series.limit", "HA-QUERY-08")
def _series_limit(deployment: Deployment) -> Steps:
    """`limit` of a series selects the last points, and is clamped to 1 to 1000."""
    for granularity in ("daily", "weekly"):
        points = (yield from _whole_series(deployment, granularity))["data"]["points"]
        if len(points) < 2:
            raise Unchecked(f"the {granularity} series has fewer than 2 points")
        for text, count in (("1", 1), ("2", 2), ("0", 1), ("-3", 1), ("1001", 1000)):
            body = yield from _query_of_series(deployment, granularity, f"limit={text}")
            expected = points[-count:]
            found = body["data"]["points"]
            expect(found == expected, f"the last {count} points for limit={text}", found)
            expect_equal("meta.count", body["meta"]["count"], len(expected))
            expect_equal("meta.total", body["meta"]["total"], len(points))


@SUITE.check("series.whole", "HA-QUERY-09", "HA-QUERY-10", "HA-DATASET-11")
def _series_whole(deployment: Deployment) -> Steps:
    """Without `limit` a series has all points, or the last 36,525 where there are more."""
    for granularity in ("daily", "weekly", "monthly"):
        envelope = yield from _whole_series(deployment, granularity)
        count, meta = len(envelope["data"]["points"]), envelope["meta"]
        expect_equal("meta.count", meta["count"], count)
        most = min(meta["total"], limits.MAX_POINTS)
        expect_equal(f"number of {granularity} points", count, most)
        if meta["total"]:
            path = deployment.profile(f"/datasets/{granularity}?limit=1")
            dataset = yield from read_envelope(path, "dataset")
            expect_equal(f"total of {granularity}", dataset["meta"]["total"], meta["total"])


@SUITE.check("series.metrics", "HA-QUERY-16", "HA-QUERY-17", "HA-DATASET-09", "HA-DATASET-10")
def _series_metrics(deployment: Deployment) -> Steps:
    """`metrics` selects in the order of the request; unknown names are left out."""
    for granularity, text, keys in (
        ("daily", "steps", ["steps"]),
        ("daily", "rhr,steps", ["rhr", "steps"]),
        ("daily", "steps,%20hrv%20,nothing,Steps,steps", ["steps", "hrv", "steps"]),
        ("daily", ",,hrv,", ["hrv"]),
        ("weekly", "minutes_deep,steps,days", ["steps", "days"]),
        ("monthly", "rhr", ["rhr"]),
    ):
        body = yield from _query_of_series(deployment, granularity, f"metrics={text}&limit=20")
        data = body["data"]
        found = [metric["key"] for metric in data["metrics"]]
        expect_equal(f"metrics of {granularity}?metrics={text}", found, keys)
        members = {data["dimension"], *keys}
        wrong = [point for point in data["points"] if point.keys() != members]
        expect(not wrong, f"points with {', '.join(sorted(members))}", wrong[:1])


@SUITE.check("series.all-metrics", "HA-QUERY-18", "HA-DATASET-15")
def _all_metrics(deployment: Deployment) -> Steps:
    """Without a known metric a series has all metrics of its granularity."""
    for granularity in ("daily", "weekly"):
        plain = yield from _whole_series(deployment, granularity)
        available = plain["meta"]["available_metrics"]
        for query in ("", "metrics=", "metrics=nothing,Steps", "metrics=,%20,"):
            body = yield from _query_of_series(deployment, granularity, query)
            found = [metric["key"] for metric in body["data"]["metrics"]]
            expect_equal(f"metrics of {granularity}?{query}", found, available)
            expect(body["data"] == plain["data"], "the data without `metrics`", body["data"])


@SUITE.check("series.available", "HA-DATASET-12", "HA-DATASET-13", "HA-DATASET-14")
def _available(deployment: Deployment) -> Steps:
    """`available_metrics` are the sorted metrics of the granularity, independent of the data."""
    for granularity, keys in SERIES_METRICS.items():
        found = (yield from _whole_series(deployment, granularity))["meta"]["available_metrics"]
        expect_equal(f"available_metrics of {granularity}", found, list(keys))


# Caching


@SUITE.check("cache.data", "HA-CACHE-01")
def _data_cache(deployment: Deployment) -> Steps:
    """Data may be kept for 300 s, and served stale for 600 s more."""
    below = [] if deployment.profile_id is None else map(deployment.profile, _OF_PROFILE)
    for path in (*_LISTS, *below):
        reply = yield from get(path)
        found = list_items(reply.header("cache-control"))
        expect_equal(f"Cache-Control of {path}", found, list_items(_DATA_CACHE))


@SUITE.check("cache.documents", "HA-CACHE-02")
def _documents_cache(_: Deployment) -> Steps:
    """Documents may be kept for 600 s, and served stale for 1200 s more."""
    for path in _DOCUMENTS:
        reply = yield from get(path)
        found = list_items(reply.header("cache-control"))
        expect_equal(f"Cache-Control of {path}", found, list_items(_DOCS_CACHE))


@SUITE.check("cache.conditions", "HA-CACHE-05")
def _conditions(deployment: Deployment) -> Steps:
    """Successes have a strong ETag, and If-None-Match with it is 304 without a body."""
    for path in _samples(deployment):
        tag = yield from expect_strong_tag(path)
        yield from expect_conditions(path, tag, ("etag", "cache-control"))


@SUITE.check("cache.tags-differ", "HA-CACHE-05")
def _tags_differ(deployment: Deployment) -> Steps:
    """Different bodies have different ETags."""
    bodies: dict[str, bytes] = {}
    for subpath in ("/datasets/daily?limit=1", "/datasets/daily?limit=2", "/tables/sleep", ""):
        reply = yield from get(deployment.profile(subpath))
        tag = reply.header("etag") or ""
        earlier = bodies.setdefault(tag, reply.body)
        expect(earlier == reply.body, f"another ETag of {subpath}", tag)


@SUITE.check("cache.other-conditions", "HA-CACHE-06")
def _other_conditions(_: Deployment) -> Steps:
    """If-Modified-Since is ignored, and an error has no condition."""
    late = ("If-Modified-Since", "Fri, 31 Dec 9999 23:59:59 GMT")
    reply = yield from get(ROOT, late)
    expect_equal("status with If-Modified-Since", reply.status, 200)
    error = yield from get(f"{ROOT}/nothing-here", ("If-None-Match", "*"))
    expect_equal("status of an error with If-None-Match: *", error.status, 404)


@SUITE.check("cache.same-bytes", "HA-CACHE-09", "HA-ENVELOPE-06")
def _same_bytes(deployment: Deployment) -> Steps:
    """The same request has the same bytes some seconds later, `generated_at` included."""
    earlier: dict[str, Reply] = {}
    for path in _samples(deployment):
        earlier[path] = yield from get(path)
    yield Wait(_PAUSE_MS)
    for path, before in earlier.items():
        after = yield from get(path)
        if after.body == before.body:
            continue
        yield Wait(_PAUSE_MS)
        last = yield from get(path)
        if last.body == after.body and _derived_at(after) != _derived_at(before):
            raise Unchecked(f"the data of {path} changed meanwhile", inconclusive=True)
        expect(condition=False, expected=f"the same bytes of {path}", actual=last.body)


_PAUSE_MS: Final = 1_200


def _derived_at(reply: Reply) -> object:
    body = plain_value(reply)
    return body.get("generated_at") if isinstance(body, dict) else None


@SUITE.check("cache.independent", "HA-SERVICE-08", "HA-LINK-01", "HA-SERVICE-04")
def _independent(deployment: Deployment) -> Steps:
    """Host, cookies, credentials, language and forwarded headers change nothing."""
    for path in (ROOT, f"{ROOT}/profiles", deployment.profile(), deployment.profile("/tables")):
        plain = yield from get(path)
        for line in (
            ("Host", "other.example"),
            ("X-Forwarded-Host", "other.example"),
            ("X-Forwarded-Prefix", "/other"),
            ("Forwarded", "host=other.example;proto=https"),
            ("Origin", "https://other.example"),
            ("Cookie", "session=1"),
            ("Authorization", "Bearer wrong"),
            ("Accept-Language", "zh"),
            ("X-HTTP-Method-Override", "DELETE"),
            ("Accept", "text/html"),
        ):
            reply = yield from get(path, line)
            if line[0] == "Host" and reply.status != 200:
                continue  # a server of several hosts does not know this one
            expect_equal(f"status with {line[0]}", reply.status, 200)
            expect(reply.body == plain.body, f"the same body with {': '.join(line)}", reply.body)


@SUITE.check("cache.coding", "HA-CACHE-05", "HA-CACHE-09")
def _coding(deployment: Deployment) -> Steps:
    """A compressed body is the same body, with another ETag and Vary; plain unless requested."""
    try:
        yield from expect_gzip(deployment.profile("/dashboard"))
    except Unchecked:
        return  # compression is optional


@SUITE.check("cors.everywhere", "HA-CACHE-04")
def _cors(deployment: Deployment) -> Steps:
    """Scripts of any origin may read every response, errors included."""
    paths = (*_samples(deployment), f"{ROOT}/nothing-here", f"{ROOT}/profiles/{_CANARY}")
    for path in paths:
        for method in ("GET", "OPTIONS", "DELETE"):
            reply = yield from get(path, ("Origin", "https://page.example"), method=method)
            origin = reply.header("access-control-allow-origin")
            expect_equal(f"Access-Control-Allow-Origin of {method} {path}", origin, "*")
            allowed = reply.header("access-control-allow-credentials")
            expect(allowed is None, "no Access-Control-Allow-Credentials", allowed)


@SUITE.check("bodies.strict-json", "HA-HTTP-19", "HA-HTTP-20")
def _strict_json(deployment: Deployment) -> Steps:
    """Every JSON body is RFC 8259 text in UTF-8, with finite numbers."""
    for endpoint in JSON_ENDPOINTS:
        for path in (yield from paths_of(deployment, endpoint)):
            reply = yield from get(path)
            expect_equal(f"media type of {path}", media_type(reply), "application/json")
            reply.json()


@SUITE.check("keys.snapshot-endpoints", "HA-LINK-03", "HA-SNAPSHOT-07")
def _endpoint_keys(deployment: Deployment) -> Steps:
    """Every listed snapshot endpoint is found under its key, percent-encoded."""
    listed = yield from read(deployment, "/snapshot/endpoints", "snapshot-endpoints")
    for entry in listed["endpoints"]:
        if entry["href"] is not None:
            key = quote(entry["key"], safe="")
            reply = yield from get(deployment.profile(f"/snapshot/endpoints/{key}"))
            expect_equal(f"status of endpoint {entry['key']}", reply.status, 200)
