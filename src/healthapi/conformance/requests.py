"""Checks of requests: paths, methods, keys, queries, errors, caching, conditions."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from healthapi import limits
from healthapi.conformance.deployment import (
    JSON_ENDPOINTS,
    SUITE,
    Deployment,
    expect_absent,
    expect_error,
    get_behind_gateways,
    one_of_each,
    paths_of,
    plain_value,
)
from healthapi.conformance.values import expect_derived
from healthapi.http.endpoints import ENDPOINTS, ROOT, Endpoint
from purewire.conformance.checks import (
    Reply,
    Steps,
    Unchecked,
    Wait,
    expect,
    expect_equal,
    expect_status,
    testing,
)
from purewire.conformance.reads import (
    WITHOUT_EFFECT,
    expect_conditions,
    expect_cors,
    expect_head,
    expect_items,
    expect_methods,
    expect_preflight,
    expect_same,
    expect_strong_tag,
    get,
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
_OF_HEAD: Final = (
    *("content-type", "content-length", "cache-control", "etag", "x-chart-metadata"),
    *("content-security-policy", "access-control-allow-origin", "content-encoding"),
)
"""Headers of GET that HEAD has too."""
_CANARY: Final = "canary7f3a"
_BRACED: Final = re.compile(r"\{\w+\}")


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
    f"{ROOT}/openapi.json/",
)
_UNKNOWN_BELOW: Final = (
    "/",
    "/nothing-here",
    "/Dashboard",
    "/dashboard/",
    "//dashboard",
    "/dashboard;x=1",
    "/dashboard.json",
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
    """Path, OPTIONS, method, profile and key are checked in this order, at every endpoint."""
    for method in ("POST", "OPTIONS", "PATCH"):
        reply = yield from get(f"{ROOT}/nothing-here", method=method)
        expect_error(reply, 404, "not_found")
    for endpoint in ENDPOINTS:
        if not endpoint.of_profile:
            continue
        path = _BRACED.sub("nothing", f"{ROOT}{endpoint.path}".replace("{profile_id}", _CANARY))
        expect_status((yield from get(path, method="OPTIONS")), 204)
        expect_error((yield from get(path, method="POST")), 405, "method_not_allowed")
        expect_error((yield from get(path)), 404, "profile_not_found")
        head = yield from get(path, method="HEAD")
        expect_status(head, 404)
        if endpoint.key is not None and deployment.profile_id is not None:
            known = path.replace(_CANARY, deployment.profile_id)
            expect_error((yield from get(known)), 404, endpoint.key.error_code)
            expect_status((yield from get(known, method="OPTIONS")), 204)
            expect_error((yield from get(known, method="DELETE")), 405, "method_not_allowed")


@SUITE.check("methods.head", "HA-HTTP-14")
def _head(deployment: Deployment) -> Steps:
    """HEAD has the status and headers of GET and no body, errors included."""
    pairs = yield from one_of_each(deployment)
    for path in (*(path for _, path in pairs), f"{ROOT}/nothing-here"):
        yield from expect_head(path, _OF_HEAD)


@SUITE.check("methods.refused", "HA-HTTP-16", "HA-ERROR-12", "HA-SERVICE-03")
def _refused_methods(deployment: Deployment) -> Steps:
    """Other methods are 405 method_not_allowed, and Allow lists GET, HEAD and OPTIONS."""
    for _, path in (yield from one_of_each(deployment)):
        yield from expect_methods(path, ("POST", "PUT", "DELETE", "PATCH"), _ALLOWED)
    expect_error((yield from get(ROOT, method="DELETE")), 405, "method_not_allowed")


@SUITE.check("methods.options", "HA-HTTP-15")
def _options(deployment: Deployment) -> Steps:
    """OPTIONS is 204 without a body, and names the methods."""
    for _, path in (yield from one_of_each(deployment)):
        reply = yield from get(path, ("Origin", "https://page.example"), method="OPTIONS")
        expect_preflight(reply, _ALLOWED)


# Keys


@SUITE.check("keys.case", "HA-KEY-02", "HA-KEY-03")
def _case(deployment: Deployment) -> Steps:
    """Keys of datasets, granularities and charts are trimmed and lower-cased; others are exact."""
    for endpoint in ENDPOINTS:
        key = endpoint.key
        for path in (yield from paths_of(deployment, endpoint, every_profile=False)):
            if key is None:
                continue
            plain = yield from get(path)
            written = endpoint.pattern.fullmatch(path.encode())
            start, end = (0, 0) if written is None else written.span(key.name)
            own = path[start:end]
            for name in sorted({own.title(), f"%20{own.upper()}%20"} - {own}):
                reply = yield from get(f"{path[:start]}{name}{path[end:]}")
                if key.is_case_insensitive:
                    expect_status(reply, 200)
                    expect(reply.body == plain.body, f"the body of {path}", reply.body)
                    continue
                with testing("HA-KEY-03"):
                    expect_error(reply, 404, key.error_code)
    swapped = (deployment.profile_id or "").swapcase()
    if swapped not in deployment.profile_ids:
        reply = yield from get(f"{ROOT}/profiles/{swapped}")
        with testing("HA-KEY-03"):
            expect_error(reply, 404, "profile_not_found")


@SUITE.check("keys.decoded-once", "HA-KEY-01")
def _decoded_once(deployment: Deployment) -> Steps:
    """A key is percent-decoded once, and is UTF-8 without `/` and NUL."""
    plain = yield from get(deployment.profile("/metrics/steps"))
    encoded = yield from get(deployment.profile("/metrics/st%65ps"))
    expect_status(encoded, 200)
    expect(encoded.body == plain.body, "the body of /metrics/steps", encoded.body)
    for subpath, code in (
        ("/metrics/st%2565ps", "metric_not_found"),
        ("/metrics/steps%0a", "metric_not_found"),
        ("/sections/body%0a", "section_not_found"),
        ("/datasets/+daily", "dataset_not_found"),
        ("/metrics/%ff", "metric_not_found"),
        ("/datasets/daily%2Frows", "dataset_not_found"),
        ("/tables/sleep%00", "table_not_found"),
    ):
        yield from expect_absent(deployment.profile(subpath), code)


_CODES: Final = {
    "profile": ("HA-ERROR-03", "", "profile_not_found"),
    "metric": ("HA-ERROR-04", "/metrics/", "metric_not_found"),
    "series": ("HA-ERROR-05", "/series/", "series_not_found"),
    "dataset": ("HA-ERROR-06", "/datasets/", "dataset_not_found"),
    "section": ("HA-ERROR-07", "/sections/", "section_not_found"),
    "table": ("HA-ERROR-08", "/tables/", "table_not_found"),
    "snapshot-endpoint": ("HA-ERROR-09", "/snapshot/endpoints/", "snapshot_endpoint_not_found"),
}


def _unknown_key(subpath: str, code: str, deployment: Deployment) -> Steps:
    for key in ("nothing-here", "hourly", "%F0%9F%98%80", "a.b", "0"):
        path = deployment.profile(f"{subpath}{key}") if subpath else f"{ROOT}/profiles/{key}-7f3a"
        yield from expect_absent(path, code)


for _name, (_rule, _subpath, _code) in _CODES.items():
    _steps = partial(_unknown_key, _subpath, _code)
    SUITE.add(f"errors.{_name}", f"An unknown key is 404 {_code}", (_rule, "HA-ERROR-01"), _steps)


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
    """Errors have Cache-Control: no-store; checks of single errors look at it too."""
    expect_error((yield from get(f"{ROOT}/nothing-here")), 404, "not_found")
    expect_error((yield from get(ROOT, method="DELETE")), 405, "method_not_allowed")


# Queries


@SUITE.check("query.pages", "HA-DATASET-06", "HA-QUERY-11")
def _pages(deployment: Deployment) -> Steps:
    """Pages in order make the whole, and each row is on one page."""
    for subpath in ("/datasets/daily", "/tables/body"):
        for offset in range(0, 15, 3):
            yield from expect_derived(deployment, f"{subpath}?limit=3&offset={offset}")


_ODD_QUERIES: Final = (
    "&&&=&=",
    "%ff=%fe",
    "limit=%00",
    "limit[]=1",
    "metrics=%F0%9F%98%80,%FF",
    "theme=%FF",
    "offset=" + "9" * 2000,
    "?",
    "metrics=" + "steps," * 300,
)


@SUITE.check("query.never-an-error", "HA-QUERY-01", "HA-HTTP-18")
def _never_an_error(deployment: Deployment) -> Steps:
    """No query is an error."""
    for subpath in ("/datasets/daily", "/series/daily", "/charts/series.svg"):
        for query in _ODD_QUERIES:
            path = f"{deployment.profile(subpath)}?{query}"
            reply = yield from get_behind_gateways(path)
            expect_status(reply, 200)


_RANGES: Final = {
    ("dataset", "limit"): "HA-QUERY-06",
    ("table", "limit"): "HA-QUERY-07",
    ("series", "limit"): "HA-QUERY-08",
    ("chart", "limit"): "HA-QUERY-08",
    ("chart", "width"): "HA-QUERY-13",
    ("chart", "height"): "HA-QUERY-14",
}
"""Endpoint and parameter to the rule about its range; `offset` has another."""
_OF_WORDS: Final = {
    "metrics": (
        ("metrics=", "HA-QUERY-18"),
        ("metrics=,,", "HA-QUERY-18"),
        ("metrics=nothing,Steps", "HA-QUERY-18"),
        ("metrics=rhr,nothing,minutes_deep,STEPS,days,steps", "HA-QUERY-17"),
        ("metrics=%20hrv%20,%09steps", "HA-QUERY-16"),
        ("metrics=hrv,steps,hrv", "HA-DATASET-09"),
        ("metrics=hrv&metrics=steps", "HA-QUERY-02"),
        ("METRICS=hrv", "HA-QUERY-02"),
    ),
    "granularity": (
        ("granularity=", "HA-QUERY-19"),
        ("granularity=weekly", "HA-CHART-07"),
        ("granularity=%20WEEKLY%20", "HA-QUERY-19"),
        ("granularity=+Monthly", "HA-QUERY-19"),
        ("granularity=monthly&granularity=weekly", "HA-QUERY-02"),
        ("Granularity=weekly", "HA-QUERY-02"),
    ),
    "theme": (
        ("theme=Transparent", "HA-QUERY-15"),
        ("theme=dark&theme=transparent", "HA-QUERY-02"),
        ("Theme=transparent", "HA-QUERY-02"),
    ),
}
"""Parameter that is no integer to queries, each with the rule that it tests."""


_NO_INTEGERS: Final = ("", "x", "2.5", "1e3", "-", "2x", "0x10", "2;x=1", "true")
_FORMS: Final = (
    *("+7", "007", "%207%09", "1_0", "1_0_0", "%D9%A7", "%EF%BC%91%EF%BC%90"),
    *("1__0", "_1", "1_", "1%200", "--1", "%2B-1", "%C2%B2"),
    *("9" * 1_000, "-" + "9" * 1_000, "0" * 1_000 + "7"),
)
"""Integers as Python's int() reads them, texts that are none, and integers of many digits."""


def odd_queries(endpoint: Endpoint) -> Iterator[tuple[str, str]]:
    """Yield queries of each parameter of an endpoint, one by one, with the rule that each tests."""
    for parameter in endpoint.parameters:
        name, bounds = parameter.name, parameter.bounds
        yield from _OF_WORDS.get(name, ())
        if bounds is None:
            continue
        low, high = bounds.minimum, bounds.maximum
        if endpoint.name == "dataset":  # one function reads all integers
            yield from ((f"{name}={text}", "HA-QUERY-04") for text in _FORMS)
        own = _RANGES.get((endpoint.name, name), "HA-QUERY-11")
        yield from ((f"{name}={value}", own) for value in (low, low + 1, high - 1, high))
        yield from ((f"{name}={value}", "HA-QUERY-05") for value in (low - 1, -high, high + 1))
        yield from ((f"{name}={text}", "HA-QUERY-03") for text in _NO_INTEGERS)
        yield f"{name}=%20{low + 1}+", "HA-QUERY-03"
        yield f"{name}={low + 1}&{name}={high}", "HA-QUERY-02"
        yield f"{name.title()}={low + 1}", "HA-QUERY-02"
        yield f"%{ord(name[0]):x}{name[1:]}={low + 1}", "HA-QUERY-02"  # an encoded letter
        yield from ((query, own) for query in ("", name))


def _takes_parameters(endpoint: Endpoint, key: str, deployment: Deployment) -> Steps:
    subpath = _BRACED.sub(key, endpoint.path.partition("{profile_id}")[2])
    for query, rule in odd_queries(endpoint):
        with testing(rule):
            yield from expect_derived(deployment, f"{subpath}?{query}")


for _endpoint in JSON_ENDPOINTS:
    if _endpoint.parameters and _endpoint.key is not None:
        _rules = [rule for _, rule in odd_queries(_endpoint)]
        for _key in _endpoint.key.choices or ():
            SUITE.add(
                f"query.{_endpoint.name}-{_key}",
                f"{_key} takes each parameter: absent, blank, repeated, no integer, out of range",
                (*_rules, "HA-QUERY-12"),
                partial(_takes_parameters, _endpoint, _key),
            )


# Caching


def _has_cache_control(value: str, kinds: tuple[str, ...], deployment: Deployment) -> Steps:
    for endpoint, path in (yield from one_of_each(deployment)):
        if endpoint.kind in kinds:
            expect_items((yield from get(path)), "Cache-Control", value)


SUITE.add(
    "cache.data",
    "Data may be kept for 300 s, and served stale for 600 s more",
    ("HA-CACHE-01",),
    partial(_has_cache_control, _DATA_CACHE, ("json", "svg")),
)
SUITE.add(
    "cache.documents",
    "Documents may be kept for 600 s, and served stale for 1200 s more",
    ("HA-CACHE-02",),
    partial(_has_cache_control, _DOCS_CACHE, ("html", "markdown", "openapi")),
)


@SUITE.check("cache.conditions", "HA-CACHE-05")
def _conditions(deployment: Deployment) -> Steps:
    """Successes have a strong ETag, and If-None-Match with it is 304 without a body."""
    for _, path in (yield from one_of_each(deployment)):
        tag = yield from expect_strong_tag(path)
        yield from expect_conditions(path, tag, ("etag", "cache-control"))


@SUITE.check("cache.tags-differ", "HA-CACHE-05")
def _tags_differ(deployment: Deployment) -> Steps:
    """Different bodies have different ETags, whatever path, profile and query tell them apart."""
    bodies: dict[str, bytes] = {}
    for endpoint in ENDPOINTS:
        if endpoint.of_profile and deployment.profile_id is None:
            continue
        queries = [
            f"?{parameter.name}={value}" for parameter in endpoint.parameters for value in _VALUES
        ]
        paths = yield from paths_of(deployment, endpoint)
        for target in (*paths, *(f"{paths[0]}{query}" for query in queries)):
            reply = yield from get(target)
            tag = reply.header("etag") or ""
            earlier = bodies.setdefault(tag, reply.body)
            expect(earlier == reply.body, f"another ETag of {endpoint.name}", tag)


_VALUES: Final = ("1", "2", "400", "steps", "weekly", "transparent")
"""Values of parameters that change a body, each of some parameters."""


@SUITE.check("cache.other-conditions", "HA-CACHE-06")
def _other_conditions(deployment: Deployment) -> Steps:
    """If-Modified-Since is ignored, and an error has no condition."""
    late = ("If-Modified-Since", "Fri, 31 Dec 9999 23:59:59 GMT")
    for _, path in (yield from one_of_each(deployment)):
        reply = yield from get(path, late)
        expect_status(reply, 200)
    error = yield from get(f"{ROOT}/nothing-here", ("If-None-Match", "*"))
    expect_status(error, 404)


@SUITE.check("cache.same-bytes", "HA-CACHE-09", "HA-ENVELOPE-06")
def _same_bytes(deployment: Deployment) -> Steps:
    """The same request has the same bytes some seconds later, `generated_at` included."""
    earlier: dict[str, Reply] = {}
    for _, path in (yield from one_of_each(deployment)):
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
    for _, path in (yield from one_of_each(deployment)):
        plain = yield from get(path)
        for name, value in (("Host", "other.example"), *WITHOUT_EFFECT):
            reply = yield from get(path, (name, value))
            if name != "Host" or reply.status == 200:  # a server of several hosts may not know it
                what = f"the same body of {path} with {name}: {value}"
                expect_same(reply, plain, ("cache-control",), what)


@SUITE.check("cors.everywhere", "HA-CACHE-04")
def _cors(deployment: Deployment) -> Steps:
    """Scripts of any origin may read every response, errors included."""
    for _, path in (yield from one_of_each(deployment)):
        yield from expect_cors(path, ("HEAD", "OPTIONS", "DELETE"))
    for path in (f"{ROOT}/nothing-here", f"{ROOT}/profiles/{_CANARY}"):
        yield from expect_cors(path, ("OPTIONS", "DELETE"))


@SUITE.check("bodies.strict-json", "HA-HTTP-19", "HA-HTTP-20")
def _strict_json(deployment: Deployment) -> Steps:
    """Every JSON body is RFC 8259 text in UTF-8, with finite numbers."""
    for endpoint in JSON_ENDPOINTS:
        for path in (yield from paths_of(deployment, endpoint)):
            reply = yield from get(path)
            expect_equal("media type", media_type(reply), "application/json")
            reply.json()
