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
from healthapi.http.endpoints import ROOT
from purewire.exchange.effects import Clock
from support.healthapi.health_client import anna, empty
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
    """Return the application as it is, without content codings, so that bodies can be edited."""
    return before(asgi.create_app(Profiles(), clock=clock, base_url=base_url), _without_codings)


def _without_codings(request: Request) -> Request:
    kept = (line for line in request.headers if line[0] != "accept-encoding")
    return attrs.evolve(request, headers=tuple(kept))


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


# Envelopes


edited(
    "a list as data",
    "HA-ENVELOPE-09 HA-ENVELOPE-10",
    ends("/metrics", "/profiles"),
    lambda value: value.update(data=next(iter(value["data"].values()))),
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
    "members in alphabetical order",
    "HA-ENVELOPE-01 HA-ENVELOPE-14",
    enveloped,
    lambda value: [value.__setitem__(name, value.pop(name)) for name in sorted(value)],
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


def _validate_as_fastapi(request: Request, response: Response) -> Response:
    for name in ("limit", "offset", "width", "height"):
        text = parameter(request, name)
        if text is not None and not re.fullmatch(r"-?\d{1,9}", text):
            location = {"loc": ["query", name], "msg": "Input should be a valid integer"}
            return error(422, {"detail": [location]})
    return response


changed("422 for text in place of an integer", "HA-QUERY-03 HA-QUERY-01", _validate_as_fastapi)


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
asked(
    "the method is overridden by a header",
    "HA-SERVICE-08",
    lambda request: attrs.evolve(
        request, method=request.header("x-http-method-override") or request.method
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


def _columns_of_page(value: Any) -> None:
    value["data"]["columns"] = sorted({name for row in value["data"]["rows"][:20] for name in row})


edited("columns are those of the page", "HA-DATASET-05", below("/datasets/"), _columns_of_page)


def _null_members(value: Any) -> None:
    for row in value["data"]["rows"]:
        for name in ("sleep_score", "minutes_asleep", "hrv", "deep_rmssd"):
            row.setdefault(name, None)


edited("absent members are null", "HA-DAY-04", below("/datasets/daily"), _null_members)


def _zero_without_snapshot(value: Any) -> None:
    for name in ("device_count", "badge_count", "missing_scopes_count"):
        value["data"][name] = value["data"][name] or 0


edited(
    "0 for what is not known",
    "HA-PERSON-14 HA-OVERVIEW-06",
    ends("/nobody/overview"),
    _zero_without_snapshot,
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


def _echo_theme(request: Request, response: Response) -> Response:
    theme = parameter(request, "theme")
    metadata = response.header("x-chart-metadata")
    if not theme or not metadata:
        return response
    return response.with_headers(x_chart_metadata=metadata.replace('"light"', json.dumps(theme)))


changed("the theme of the request in the metadata", "HA-CHART-09 HA-QUERY-15", _echo_theme)
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
