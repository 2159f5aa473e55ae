"""Health-data servers that each break a rule of the contract, made outside of the application.

`BROKEN` maps a name to the ids of the broken rules and a function that wraps the application.
"""

import gzip
import json
import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote

import attrs

from healthapi.adapters import asgi
from healthapi.http.endpoints import ENDPOINTS, ROOT, Endpoint
from purewire.exchange.effects import Clock
from support.healthapi.health_client import anna, empty
from support.purewire.asgi_layers import layered
from support.purewire.derived_servers import Derived, Resource, servers_of
from support.purewire.middleware import (
    Asgi,
    Call,
    Request,
    Response,
    after,
    around,
    before,
    below,
    edit_json,
    ends,
)

Build = Callable[[Clock], Asgi]


class Profiles:
    """A source of some profiles: a healthy one and an empty one."""

    nonblocking = True

    def read(self, name: str | None, now: int) -> object:
        del now
        found = {profile.id: profile for profile in (anna(), empty())}
        return tuple(sorted(found)) if name is None else found.get(name)


def healthy(clock: Clock, base_url: str | None = None) -> Asgi:
    """Return the application as it is."""
    return asgi.create_app(Profiles(), clock=clock, base_url=base_url)


@attrs.frozen
class Broken:
    """A broken server: the rules that it breaks, and how to make it."""

    rules: tuple[str, ...]
    build: Build = attrs.field(repr=False)


BROKEN: dict[str, Broken] = {}


def broken(name: str, *rules: str) -> Callable[[Build], Build]:
    """Add a server to the table."""

    def add(build: Build) -> Build:
        assert name not in BROKEN
        BROKEN[name] = Broken(rules, build)
        return build

    return add


def edited(
    name: str, rules: str, matches: Callable[[Request], bool], edit: Callable[[Any], object]
) -> None:
    """Add a server whose JSON bodies are edited; the rules are separated by blanks."""
    broken(name, *rules.split())(lambda clock: edit_json(healthy(clock), matches, edit))


def changed(name: str, rules: str, change: Callable[[Request, Response], Response]) -> None:
    """Add a server with other responses."""
    broken(name, *rules.split())(lambda clock: after(healthy(clock), change))


def asked(name: str, rules: str, change: Callable[[Request], Request]) -> None:
    """Add a server that gets other requests."""
    broken(name, *rules.split())(lambda clock: before(healthy(clock), change))


def parameters(request: Request) -> list[tuple[str, str]]:
    """Return the parameters of a query, still encoded."""
    pairs = [pair.partition("=") for pair in request.query.split("&") if pair]
    return [(name, value) for name, _, value in pairs]


def parameter(request: Request, name: str) -> str | None:
    """Return the first value of a parameter."""
    return next((value for key, value in parameters(request) if key == name), None)


def with_parameters(request: Request, pairs: list[tuple[str, str]]) -> Request:
    """Return the request with another query."""
    return attrs.evolve(request, query="&".join(f"{name}={value}" for name, value in pairs))


def error(status: int, body: object, **headers: str) -> Response:
    """Return an error response as another framework sends it."""
    lines = {"access-control-allow-origin": "*", "cache-control": "no-store", **headers}
    empty_response = Response(status, tuple(lines.items()), b"")
    if isinstance(body, str):
        return empty_response.with_body(body.encode())
    return empty_response.with_headers(content_type="application/json").with_json(body)


def objects(value: object) -> Iterator[dict[str, Any]]:
    """Yield every object inside a value."""
    if isinstance(value, dict):
        yield value
    for each in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from objects(each)


def enveloped(request: Request) -> bool:
    """Match requests whose JSON response has an envelope."""
    return not request.path.endswith(".json")


# Reads

_HEADERS = {"content-type": "HA-HTTP-19", "etag": "HA-CACHE-05"}
_OF_KIND = {
    "json": {"cache-control": "HA-CACHE-01"},
    "svg": {"cache-control": "HA-CACHE-01", "content-security-policy": "HA-CACHE-07"},
    "html": {"cache-control": "HA-CACHE-02"},
    "markdown": {"cache-control": "HA-CACHE-02"},
    "openapi": {"cache-control": "HA-CACHE-02"},
}
"""Kind of an endpoint to the rules of more headers."""
_INDEPENDENT = {
    "HA-SERVICE-08": (
        *(("Cookie", "session=1"), ("Accept-Language", "zh"), ("Cache-Control", "no-cache")),
        *(("Accept", "text/html"), ("Referer", "https://a.example/"), ("Pragma", "no-cache")),
    ),
    "HA-SERVICE-04": (("Authorization", "Bearer x"),),
    "HA-LINK-01": (("Host", "other.example"), ("X-Forwarded-Host", "other.example")),
}


def _resource(endpoint: Endpoint) -> Resource:
    path = endpoint.path.replace("{profile_id}", anna().id)
    for key in endpoint.keys:
        path = path.replace(f"{{{key.name}}}", (key.choices or ("profile",))[0])
    return Resource(
        f"{ROOT}{path}",
        headers=_HEADERS | _OF_KIND[endpoint.kind],
        head="HA-HTTP-14",
        methods="HA-HTTP-16",
        preflight="HA-HTTP-15",
        cors="HA-CACHE-04",
        conditions="HA-CACHE-05",
        dates="HA-CACHE-06",
        independence=_INDEPENDENT,
    )


def reads() -> list[Derived]:
    """Return the servers that break a rule of reading at one endpoint, endpoint by endpoint."""
    return [server for endpoint in ENDPOINTS for server in servers_of(_resource(endpoint))]


def built(server: Derived) -> Build:
    """Return the function that makes a derived server."""
    return lambda clock: layered(healthy(clock), server.layer)


# Envelopes


def _drop_empty_meta(value: Any) -> None:
    if not value["meta"]:
        del value["meta"]


edited("meta only where there is something to say", "HA-ENVELOPE-11", enveloped, _drop_empty_meta)
edited(
    "a list as data",
    "HA-ENVELOPE-09 HA-ENVELOPE-10",
    ends("/metrics", "/profiles"),
    lambda value: value.update(data=next(iter(value["data"].values()))),
)
edited(
    "no profile_id", "HA-ENVELOPE-08", below("/profiles/"), lambda value: value.pop("profile_id")
)
edited(
    "generated_at with a zone",
    "HA-ENVELOPE-04",
    enveloped,
    lambda value: value.update(generated_at=f"{value['generated_at']}Z"),
)
edited(
    "generated_at with microseconds",
    "HA-ENVELOPE-04",
    ends("/v1", "/profiles"),
    lambda value: value.update(generated_at=f"{value['generated_at']}.123456"),
)
edited(
    "the version as a number",
    "HA-ENVELOPE-02",
    enveloped,
    lambda value: value.update(api_version=1),
)
edited(
    "resource by the name of the handler",
    "HA-ENVELOPE-03",
    ends("/snapshot-status"),
    lambda value: value.update(resource="snapshot_status"),
)
edited(
    "members in alphabetical order",
    "HA-ENVELOPE-01 HA-ENVELOPE-14",
    enveloped,
    lambda value: [value.__setitem__(name, value.pop(name)) for name in sorted(value)],
)
edited(
    "a wrong count", "HA-ENVELOPE-12", ends("/tables"), lambda value: value["meta"].update(count=9)
)


@broken("generated_at is the time of the request", "HA-ENVELOPE-06", "HA-CACHE-09")
def _dated_by_request(clock: Clock) -> Asgi:
    def edit(value: Any) -> None:
        second = clock() // 1000
        moment = f"2026-01-31T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"
        value["generated_at"] = moment

    return edit_json(healthy(clock), below("/profiles/anna"), edit)


# Queries


def _first_points(clock: Clock) -> Asgi:
    async def handle(request: Request, call: Call) -> Response:
        limit = parameter(request, "limit")
        if "/series/" not in request.path or limit is None or not limit.isdigit() or limit == "0":
            return await call(request)
        others = [pair for pair in parameters(request) if pair[0] != "limit"]
        response = await call(with_parameters(request, others))
        value = json.loads(response.body)
        value["data"]["points"] = value["data"]["points"][: int(limit)]
        value["meta"] |= {"count": len(value["data"]["points"]), "limit": min(int(limit), 1000)}
        return response.with_json(value)

    return around(healthy(clock), handle)


broken("limit of a series selects the first points", "HA-QUERY-08")(_first_points)


def _refuse_large(request: Request, response: Response) -> Response:
    limit = parameter(request, "limit") or ""
    is_large = limit.isdigit() and int(limit[:9]) > 1000
    return error(400, {"detail": "limit must be at most 1000"}) if is_large else response


changed("400 for a large limit", "HA-QUERY-05 HA-QUERY-01", _refuse_large)


def _validate_as_fastapi(request: Request, response: Response) -> Response:
    for name in ("limit", "offset", "width", "height"):
        text = parameter(request, name)
        if text is not None and not re.fullmatch(r"-?\d{1,9}", text):
            location = {"loc": ["query", name], "msg": "Input should be a valid integer"}
            return error(422, {"detail": [location]})
    return response


changed("422 for text in place of an integer", "HA-QUERY-03 HA-QUERY-01", _validate_as_fastapi)


def _zero_is_all(request: Request) -> Request:
    pairs = [
        (name, "1000" if (name, value) == ("limit", "0") else value)
        for name, value in parameters(request)
    ]
    return with_parameters(request, pairs)


asked("limit=0 means all", "HA-QUERY-05", _zero_is_all)
asked(
    "negative limits count from the end",
    "HA-QUERY-05",
    lambda request: attrs.evolve(request, query=request.query.replace("limit=-", "limit=")),
)
asked(
    "the last of repeated parameters counts",
    "HA-QUERY-02",
    lambda request: with_parameters(request, parameters(request)[::-1]),
)
asked(
    "names of parameters in any case",
    "HA-QUERY-02",
    lambda request: with_parameters(
        request, [(name.lower(), value) for name, value in parameters(request)]
    ),
)


def _default_of_tables(request: Request) -> Request:
    is_table = "/tables/" in request.path and parameter(request, "limit") is None
    return (
        with_parameters(request, [*parameters(request), ("limit", "200")]) if is_table else request
    )


asked("tables have the default of datasets", "HA-QUERY-07", _default_of_tables)


def _nothing_past_the_end(request: Request, response: Response) -> Response:
    if parameter(request, "offset") is None or response.status != 200:
        return response
    is_empty = b'"rows":[]' in response.body
    body = {"api_version": "v1", "error": {"code": "not_found", "message": "No such page."}}
    return error(404, body) if is_empty else response


changed("404 past the end", "HA-QUERY-12", _nothing_past_the_end)


def _refuse_unknown_metrics(request: Request, response: Response) -> Response:
    known = anna().rows("daily").fields
    names = unquote(parameter(request, "metrics") or "").split(",")
    is_unknown = any(name.strip() and name.strip() not in known for name in names)
    return error(400, {"detail": "unknown metric"}) if is_unknown else response


changed("400 for an unknown metric", "HA-QUERY-17 HA-QUERY-18 HA-QUERY-01", _refuse_unknown_metrics)


def _unordered_metrics(value: Any) -> None:
    value["data"]["metrics"].sort(key=lambda metric: metric["key"])


edited("metrics in an order of the server", "HA-DATASET-09", below("/series/"), _unordered_metrics)


def _without_nulls(value: Any) -> None:
    points = value["data"]["points"]
    points[:] = [{key: cell for key, cell in point.items() if cell is not None} for point in points]


edited("points without nulls", "HA-DATASET-10", below("/series/"), _without_nulls)
edited(
    "available_metrics follow the data",
    "HA-DATASET-12",
    below("/series/daily"),
    lambda value: value["meta"]["available_metrics"].remove("very_active_minutes"),
)

# Paths, methods, errors


def _redirect_slash(request: Request, response: Response) -> Response:
    if response.status == 404 and request.path.endswith("/"):
        return error(307, "", location=request.path.rstrip("/"))
    return response


changed("a trailing slash is redirected", "HA-HTTP-13", _redirect_slash)
asked(
    "paths in any case",
    "HA-HTTP-13 HA-KEY-03",
    lambda request: attrs.evolve(request, path=request.path.lower()),
)
asked(
    "slashes are merged",
    "HA-HTTP-13",
    lambda request: attrs.evolve(request, path=re.sub("/+", "/", request.path)),
)
asked(
    "keys are decoded twice",
    "HA-KEY-01",
    lambda request: attrs.evolve(request, path=request.path.replace("%25", "%")),
)


def _resolve_path(request: Request) -> Request:
    decoded = unquote(request.path)
    needs = "/../" in f"{decoded}/"
    return attrs.evolve(request, path=posixpath.normpath(decoded)) if needs else request


asked("profile ids are paths", "HA-KEY-05 HA-KEY-06", _resolve_path)
asked(
    "keys end at NUL",
    "HA-KEY-01 HA-KEY-06",
    lambda request: attrs.evolve(request, path=request.path.split("%00")[0]),
)
changed(
    "500 for bytes that are not UTF-8",
    "HA-HTTP-18 HA-KEY-01",
    lambda request, response: (
        error(500, "Internal Server Error") if "%ff" in request.path else response
    ),
)
changed(
    "errors as pages",
    "HA-ERROR-14 HA-ERROR-01",
    lambda _, response: (
        error(404, "<h1>Not Found</h1>", **{"content-type": "text/html"})
        if response.status == 404
        else response
    ),
)
changed(
    "errors of another framework",
    "HA-ERROR-01",
    lambda _, response: error(404, {"detail": "Not Found"}) if response.status == 404 else response,
)


def _one_code(_: Request, response: Response) -> Response:
    if response.status != 404 or not response.body:
        return response
    return response.with_body(re.sub(rb'"code":"\w+"', b'"code":"not_found"', response.body))


changed("one code for everything", "HA-ERROR-03 HA-ERROR-06", _one_code)


def _quote(request: Request, response: Response) -> Response:
    if response.status != 404 or not response.body:
        return response
    value = json.loads(response.body)
    value["error"]["message"] = f"{request.path} was not found."
    return response.with_json(value)


changed("errors quote the path", "HA-HTTP-21 HA-ERROR-02", _quote)


def _unknown_profile_is_empty(clock: Clock) -> Asgi:
    async def handle(request: Request, call: Call) -> Response:
        response = await call(request)
        if b'"profile_not_found"' in response.body:
            start = f"{ROOT}/profiles/"
            rest = request.path[len(start) :].partition("/")[2]
            other = f"{start}nobody{'/' if rest else ''}{rest}"
            return await call(attrs.evolve(request, path=other))
        return response

    return around(healthy(clock), handle)


broken("an unknown profile is empty", "HA-ERROR-03", "HA-KEY-06")(_unknown_profile_is_empty)


def _unknown_dataset_is_empty(request: Request, response: Response) -> Response:
    if b'"dataset_not_found"' not in response.body:
        return response
    data = {"dataset": "x", "label": "x", "columns": [], "rows": []}
    return error(200, {"api_version": "v1", "resource": "dataset", "data": data, "meta": {}})


changed("an unknown dataset is empty", "HA-ERROR-06", _unknown_dataset_is_empty)
changed(
    "405 without Allow",
    "HA-HTTP-16",
    lambda _, response: response.with_headers(allow=None),
)
asked(
    "the method is overridden by a header",
    "HA-SERVICE-08",
    lambda request: attrs.evolve(
        request, method=request.header("x-http-method-override") or request.method
    ),
)
changed(
    "HEAD is refused",
    "HA-HTTP-14",
    lambda request, response: error(405, "", allow="GET") if request.method == "HEAD" else response,
)


@broken("HEAD has a body", "HA-HTTP-14")
def _head_with_body(clock: Clock) -> Asgi:
    def change(request: Request) -> Request:
        return attrs.evolve(request, method="GET") if request.method == "HEAD" else request

    return before(healthy(clock), change)


changed(
    "OPTIONS is 200 with a text",
    "HA-HTTP-15",
    lambda request, response: (
        attrs.evolve(response.with_body(b"OK"), status=200)
        if request.method == "OPTIONS" and response.status == 204
        else response
    ),
)
asked(
    "the method is checked before the path",
    "HA-HTTP-17",
    lambda request: attrs.evolve(request, path=ROOT) if request.method == "POST" else request,
)

# Caching

changed(
    "CORS on successes only",
    "HA-CACHE-04",
    lambda _, response: (
        response
        if response.status < 400
        else response.with_headers(access_control_allow_origin=None)
    ),
)


def _reflect(request: Request, response: Response) -> Response:
    origin = request.header("origin")
    if origin is None:
        return response.with_headers(access_control_allow_origin=None)
    allowed = response.with_headers(access_control_allow_origin=origin)
    return allowed.with_headers(access_control_allow_credentials="true")


changed("the origin is reflected with credentials", "HA-CACHE-04", _reflect)
changed(
    "errors are cached",
    "HA-CACHE-03",
    lambda _, response: (
        response.with_headers(cache_control="public, max-age=300")
        if response.status >= 400
        else response
    ),
)
changed(
    "nothing is cached",
    "HA-CACHE-01",
    lambda _, response: response.with_headers(cache_control="private, no-store"),
)
changed(
    "documents are cached as data",
    "HA-CACHE-02",
    lambda _, response: response.with_headers(
        cache_control=response.header("cache-control")
        .replace("600", "300", 1)
        .replace("1200", "600")
        .replace("rate=300", "rate=600")
        or None
    ),
)
changed("no ETag", "HA-CACHE-05", lambda _, response: response.with_headers(etag=None))
changed(
    "ETags made weak by a proxy",
    "HA-CACHE-05",
    lambda _, response: (
        response.with_headers(etag=f"W/{response.header('etag')}")
        if response.header("etag")
        else response
    ),
)
asked(
    "conditions are ignored",
    "HA-CACHE-05",
    lambda request: attrs.evolve(
        request, headers=tuple(line for line in request.headers if line[0] != "if-none-match")
    ),
)


@broken("tags compare as text", "HA-CACHE-05")
def _tags_as_text(clock: Clock) -> Asgi:
    async def handle(request: Request, call: Call) -> Response:
        condition = request.header("if-none-match")
        others = tuple(line for line in request.headers if line[0] != "if-none-match")
        response = await call(attrs.evolve(request, headers=others))
        if condition is not None and condition == response.header("etag"):
            return attrs.evolve(response, status=304, body=b"")
        return response

    return around(healthy(clock), handle)


@broken("304 has a body", "HA-CACHE-05")
def _body_of_304(clock: Clock) -> Asgi:
    async def handle(request: Request, call: Call) -> Response:
        response = await call(request)
        if response.status != 304 or request.method == "HEAD":
            return response
        whole = await call(attrs.evolve(request, headers=()))
        return attrs.evolve(whole, status=304)

    return around(healthy(clock), handle)


changed(
    "one ETag for all",
    "HA-CACHE-05",
    lambda _, response: response.with_headers(etag='"v1"') if response.header("etag") else response,
)


def _compress(request: Request, response: Response) -> Response:
    if "gzip" not in (request.header("accept-encoding") or "") or len(response.body) < 10_000:
        return response
    return response.with_body(gzip.compress(response.body, mtime=0)).with_headers(
        content_encoding="gzip"
    )


changed("compressed without Vary, with the same ETag", "HA-CACHE-05 HA-CACHE-09", _compress)
changed(
    "always compressed",
    "HA-CACHE-05 HA-CACHE-09",
    lambda request, response: _compress(
        attrs.evolve(request, headers=(("accept-encoding", "gzip"),)), response
    ),
)
changed(
    "304 for any If-Modified-Since",
    "HA-CACHE-06",
    lambda request, response: (
        attrs.evolve(response, status=304, body=b"")
        if request.header("if-modified-since") and response.status == 200
        else response
    ),
)

# Links


@broken("links with the Host of the request", "HA-LINK-01", "HA-SERVICE-08")
def _host_in_links(clock: Clock) -> Asgi:
    async def handle(request: Request, _: Call) -> Response:
        host = request.header("x-forwarded-host") or request.header("host") or "localhost"
        application = healthy(clock, base_url=f"http://{host}")

        async def same(own: Request, call: Call) -> Response:
            return await call(own)

        responses: list[Response] = []

        async def collect(own: Request, call: Call) -> Response:
            responses.append(await same(own, call))
            return responses[0]

        wrapped = around(application, collect)
        scope = {
            "type": "http",
            "method": request.method,
            "path": unquote(request.path),
            "raw_path": request.path.encode(),
            "query_string": request.query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in request.headers],
        }

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b""}

        async def send(_: object) -> None:
            return

        await wrapped(scope, receive, send)
        return responses[0]

    return around(healthy(clock), handle)


def _dead_links(value: Any) -> None:
    for each in objects(value):
        if isinstance(each.get("chart_overview"), str):
            each["chart_overview"] = each["chart_overview"].replace("-trend", "")


edited("a link that leads nowhere", "HA-LINK-03", enveloped, _dead_links)


def _foreign_links(value: Any) -> None:
    for each in objects(value):
        if isinstance(each.get("href"), str):
            each["href"] = f"http://127.0.0.1:8000/internal/{each['href'].rpartition('/')[2]}"


edited("links to an internal address", "HA-LINK-01 HA-LINK-03", enveloped, _foreign_links)

# Values


def _newest_first(value: Any) -> None:
    value["data"]["rows"].reverse()


edited("rows come newest first", "HA-DATASET-06", below("/datasets/"), _newest_first)
edited("tables come oldest first", "HA-TABLE-04", below("/tables/sleep"), _newest_first)


def _columns_of_page(value: Any) -> None:
    value["data"]["columns"] = sorted({name for row in value["data"]["rows"][:20] for name in row})


edited("columns are those of the page", "HA-DATASET-05", below("/datasets/"), _columns_of_page)


def _null_members(value: Any) -> None:
    for row in value["data"]["rows"]:
        for name in ("sleep_score", "minutes_asleep", "hrv", "deep_rmssd"):
            row.setdefault(name, None)


edited("absent members are null", "HA-DAY-04", below("/datasets/daily"), _null_members)


def _calendar_year(value: Any) -> None:
    for row in [*value["data"].get("rows", ()), *value["data"].get("points", ())]:
        row["period"] = row["period"].replace("2026-W01", "2025-W01")


edited("weeks with the calendar year", "HA-PERIOD-01", ends("/weekly"), _calendar_year)


def _zero_for_null(value: Any) -> None:
    for row in value["data"]["rows"]:
        if row["steps"] is not None:
            row["steps"] = round(row["steps"] * 6 / 7)


edited(
    "means that count missing days as 0", "HA-PERIOD-07", ends("/datasets/weekly"), _zero_for_null
)
edited(
    "partial periods are not marked",
    "HA-PERIOD-11",
    ends("/weekly", "/monthly"),
    lambda value: value["meta"].update(partial_periods=[]),
)


def _goal_in_minutes(value: Any) -> None:
    for card in value["data"]["metrics"]:
        if card["key"] == "sleep_hours":
            card["goal"] = 465


edited("a goal in minutes beside hours", "HA-CARD-14", ends("/metrics"), _goal_in_minutes)


def _direction_is_assessment(value: Any) -> None:
    for each in objects(value):
        if "improving" in each and each["improving"] is None:
            each["improving"] = True


edited("a flat trend is good", "HA-CARD-22", below("/metrics"), _direction_is_assessment)


def _mean_of_days(value: Any) -> None:
    for each in objects(value):
        if each.get("key") == "hrv" and each.get("avg7"):
            each["avg7"] = round(each["avg7"] * 6 / 7, 1)


edited("means of days, not of values", "HA-CARD-12", below("/metrics"), _mean_of_days)


def _rounded_first(value: Any) -> None:
    for each in value["data"]["correlations"]:
        if each["key"] == "steps-sleep_score":
            each["strength"] = "weak"


edited("a wrong strength", "HA-CORRELATION-06", ends("/correlations"), _rounded_first)


def _zero_without_snapshot(value: Any) -> None:
    for name in ("device_count", "badge_count", "missing_scopes_count"):
        value["data"][name] = value["data"][name] or 0


edited(
    "0 for what is not known",
    "HA-PERSON-14 HA-OVERVIEW-06",
    ends("/nobody/overview"),
    _zero_without_snapshot,
)
edited(
    "coverage of an earlier state",
    "HA-COVERAGE-02",
    ends("/coverage"),
    lambda value: value["data"]["hrv"].update(count=983),
)
edited(
    "the dashboard of an earlier state",
    "HA-DASHBOARD-04",
    ends("/dashboard"),
    lambda value: value["data"]["stats"][0].update(latest=1.0),
)
edited(
    "paths of the disk in the dashboard",
    "HA-DASHBOARD-05",
    ends("/dashboard"),
    lambda value: value["data"].update(files={"sleep": "/srv/profiles/anna/csv/sleep.csv"}),
)
edited(
    "five domains and body",
    "HA-CATALOG-02",
    ends("/catalog"),
    lambda value: value["data"]["domains"].insert(3, value["data"]["domains"].pop(1)),
)
edited(
    "the profile list is not sorted",
    "HA-INDEX-09",
    ends("/profiles"),
    lambda value: value["data"]["profiles"].reverse(),
)
edited(
    "sections with one more",
    "HA-KEY-09",
    ends("/v1"),
    lambda value: value["data"]["sections"].insert(0, "activity"),
)


def _not_json(request: Request, response: Response) -> Response:
    if "/series/" not in request.path:
        return response
    return response.with_body(response.body.replace(b":null", b":NaN"))


changed("NaN in JSON", "HA-HTTP-20", _not_json)
changed(
    "Latin-1",
    "HA-HTTP-20 HA-HTTP-19",
    lambda request, response: (
        response.with_body(response.body.decode().encode("latin-1", "replace"))
        if "/tables/foods" in request.path and response.body
        else response
    ),
)

# Documents


def _no_snapshot_paths(value: Any) -> None:
    value["paths"] = {path: item for path, item in value["paths"].items() if "snapshot" not in path}


edited("a description without all paths", "HA-HTTP-05", ends("/openapi.json"), _no_snapshot_paths)


def _old_description(value: Any) -> None:
    text = json.dumps(value["components"]["schemas"]["Overview"])
    value["components"]["schemas"]["Overview"] = json.loads(
        text.replace("nap_count_today", "naps_today")
    )


edited("a description of another version", "HA-HTTP-05", ends("/openapi.json"), _old_description)
changed(
    "a page that loads scripts from elsewhere",
    "HA-CACHE-08",
    lambda request, response: (
        response.with_body(
            response.body.replace(
                b"</head>", b'<script src="https://cdn.example/ui.js"></script></head>'
            )
        )
        if request.path.endswith("/docs")
        else response
    ),
)
changed(
    "Markdown as plain text",
    "HA-HTTP-04",
    lambda request, response: (
        response.with_headers(content_type="text/plain")
        if request.path.endswith("/docs.md") and response.status == 200
        else response
    ),
)

# Charts


def picture(name: str, rules: str, edit: Callable[[Request, bytes], bytes]) -> None:
    """Add a server whose pictures are edited."""

    def change(request: Request, response: Response) -> Response:
        is_picture = response.header("content-type").startswith("image/svg") and response.body
        return response.with_body(edit(request, response.body)) if is_picture else response

    changed(name, rules, change)


picture(
    "a chart with a script",
    "HA-CHART-10",
    lambda _, body: body.replace(b"</svg>", b"<script>1</script></svg>"),
)
picture(
    "a chart with a style sheet",
    "HA-CHART-10",
    lambda _, body: body.replace(b"</title>", b"</title><style>text{fill:red}</style>", 1),
)
picture(
    "a chart with a font from elsewhere",
    "HA-CHART-10",
    lambda _, body: body.replace(b"<g", b'<g filter="url(https://cdn.example/f.svg#f)"', 1),
)
picture(
    "a chart with a document type",
    "HA-CHART-10",
    lambda _, body: b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">' + body,
)
picture(
    "a chart that is not well-formed",
    "HA-CHART-10 HA-HTTP-12",
    lambda _, body: body.replace(b"</title>", b" & more</title>", 1),
)
picture(
    "a chart without a name",
    "HA-CHART-25",
    lambda _, body: re.sub(rb"<title.*?</title>", b"", body).replace(b' role="img"', b""),
)
picture(
    "transparent is white",
    "HA-CHART-24 HA-CHART-23",
    lambda _, body: re.sub(
        rb'(viewBox="0 0 (\d+) (\d+)".*?</desc>)',
        rb'\1<rect width="\2" height="\3" fill="#fff"/>',
        body,
        count=1,
        flags=re.DOTALL,
    ),
)


def _any_width(request: Request, body: bytes) -> bytes:
    width = parameter(request, "width") or ""
    is_large = width.isdigit() and int(width[:9]) > 1920
    return body.replace(b'width="1920"', f'width="{width[:9]}"'.encode(), 1) if is_large else body


picture("a width that is not clamped", "HA-QUERY-13", _any_width)
changed(
    "charts as plain text",
    "HA-HTTP-19 HA-HTTP-12",
    lambda request, response: (
        response.with_headers(content_type="text/plain")
        if request.path.endswith(".svg") and response.status == 200
        else response
    ),
)
changed(
    "charts without a policy",
    "HA-CACHE-07",
    lambda _, response: response.with_headers(content_security_policy=None),
)


def _echo_theme(request: Request, response: Response) -> Response:
    theme = parameter(request, "theme")
    metadata = response.header("x-chart-metadata")
    if not theme or not metadata:
        return response
    return response.with_headers(x_chart_metadata=metadata.replace('"light"', json.dumps(theme)))


changed("the theme of the request in the metadata", "HA-CHART-09 HA-QUERY-15", _echo_theme)
changed(
    "no metadata of charts",
    "HA-CHART-08",
    lambda _, response: response.with_headers(x_chart_metadata=None),
)
changed(
    "404 for an empty chart",
    "HA-CHART-23",
    lambda request, response: (
        error(404, {"api_version": "v1", "error": {"code": "chart_not_found", "message": "No."}})
        if "/nobody/charts" in request.path
        else response
    ),
)

# Privacy


def _add(*steps: str, **members: object) -> Callable[[Any], None]:
    """Return an edit that adds members to an object inside `data`."""

    def edit(value: Any) -> None:
        found = value["data"]
        for step in steps:
            found = found.get(step, {}) if isinstance(found, dict) else {}
        if isinstance(found, dict) and (found or not steps):
            found.update(members)

    return edit


edited(
    "the block of token metadata",
    "HA-PRIVACY-03",
    ends("/snapshot"),
    _add(token_type="Bearer", expires_in=28800, token_user_id="9QZ4XW"),
)
edited(
    "a secret inside an endpoint",
    "HA-PRIVACY-05 HA-PRIVACY-01",
    ends("/snapshot", "/endpoints/profile"),
    _add("data", "user", refreshToken="c0ffee1dea"),
)
edited(
    "a secret below endpoints of the snapshot",
    "HA-PRIVACY-05 HA-PRIVACY-01",
    ends("/snapshot"),
    _add("endpoints", "profile", "data", "user", access_token="c0ffee1dea"),
)


def _token_in_text(value: Any) -> None:
    token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5UVo0WFcifQ.c2lnbmF0dXJlb2Z0aGlzdG9rZW4"
    value["data"]["rows"][0]["name"] = f"Oats ({token})"


edited(
    "a token in the text of a table", "HA-PRIVACY-06 HA-PRIVACY-14", ends("/foods"), _token_in_text
)


def _hardware_address(value: Any) -> None:
    value["data"]["rows"][0]["status"] = "4C:3B:DF:12:9A:01"


edited(
    "a hardware address of a device", "HA-PRIVACY-11", ends("/tables/devices"), _hardware_address
)
edited(
    "an avatar with a signature",
    "HA-PERSON-07 HA-PRIVACY-12",
    ends("/profiles/anna"),
    _add("profile", avatar="https://static0.example/a.png?Signature=abc123&Expires=1"),
)
edited(
    "the user id of the token",
    "HA-PERSON-17",
    ends("/profiles/anna"),
    _add("profile", user_id="9QZ4XW"),
)


def _reasons(value: Any) -> None:
    for entry in value["data"]["endpoints"].values():
        if not entry["ok"]:
            entry["reason"] = "HTTPSConnectionPool(host='api.example'): Max retries exceeded"


edited("the error text of an endpoint", "HA-SNAPSHOT-12", ends("/snapshot"), _reasons)
