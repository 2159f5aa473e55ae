"""Health-data servers that each break a rule of the contract, made outside of the application.

`BROKEN` maps a name to the ids of the broken rules and a layer around the application.  Here are
faults that `derived_faults` does not derive from the endpoints, their bodies and their parameters.
"""

import itertools
import json
import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote

import attrs

from healthapi.adapters import asgi
from healthapi.http.endpoints import ROOT
from purewire.exchange import Clock
from support.healthapi.health_client import ProfileSource, empty, short
from support.purewire.asgi_layers import (
    App,
    Call,
    Layer,
    Request,
    Response,
    caller,
    layered,
    respond,
)
from support.purewire.derived_servers import (
    Change,
    Matches,
    after,
    before,
    dropping,
    edited_json,
    putting,
)


def anything(_: Request) -> bool:
    """Match every request."""
    return True


def healthy(clock: Clock, base_url: str | None = None) -> App:
    """Return the application without pages."""
    return asgi.create_app(
        ProfileSource(short(), empty()), clock=clock, base_url=base_url, page=None
    )


@attrs.frozen
class Broken:
    """A broken server: the rules that it breaks, and the layer that makes it."""

    rules: tuple[str, ...]
    layer: Layer = attrs.field(repr=False)

    def build(self, clock: Clock) -> App:
        """Return the application."""
        return layered(healthy(clock), self.layer)


BROKEN: dict[str, Broken] = {}


def broken(name: str, rules: str, layer: Layer) -> None:
    """Add a server to the table; the rules are separated by blanks."""
    assert name not in BROKEN
    BROKEN[name] = Broken(tuple(rules.split()), layer)


def edited(name: str, rules: str, matches: Matches, edit: Callable[[Any], object]) -> None:
    """Add a server whose JSON bodies are edited."""
    broken(name, rules, edited_json(matches, edit))


def changed(name: str, rules: str, change: Change, matches: Matches = anything) -> None:
    """Add a server with other responses to some requests."""
    broken(name, rules, after(matches, change))


def routed(name: str, rules: str, path_of: Callable[[str], str]) -> None:
    """Add a server whose router sees another path."""
    layer = before(anything, lambda request: request.copy(path=path_of(request.path)))
    broken(name, rules, layer)


def below(text: str) -> Matches:
    """Match requests whose path contains a text."""
    return lambda request: text in request.path


def ends(*texts: str) -> Matches:
    """Match requests whose path ends with one of some texts."""
    return lambda request: request.path.endswith(texts)


def parameter(request: Request, name: str) -> str | None:
    """Return the first value of a parameter, still encoded."""
    pairs = (pair.partition("=") for pair in request.query.split("&"))
    return next((value for key, _, value in pairs if key == name), None)


def error(status: int, body: object, **headers: str) -> Response:
    """Return an error response as another framework sends it."""
    common = {"access_control_allow_origin": "*", "cache_control": "no-store"}
    response = respond(status, b"", **common, **headers)
    if isinstance(body, str):
        response.body = body.encode()
    else:
        response.put("content-type", "application/json")
        response.put_json(body)
    return response


def refused(code: str, message: str = "No.") -> dict[str, Any]:
    """Return the body of an error as the contract has it."""
    return {"api_version": "v1", "error": {"code": code, "message": message}}


def put_body(response: Response, body: bytes) -> None:
    """Replace the body of a response, and its length."""
    response.body = body
    response.put("content-length", str(len(body)))


def replacing(old: bytes, new: bytes, count: int = -1) -> Change:
    """Return the change that replaces text of bodies."""
    return lambda _, response: put_body(response, response.body.replace(old, new, count))


def of_errors(change: Change, *statuses: int) -> Change:
    """Return a change of errors alone; of all of them without a status."""

    def of_status(request: Request, response: Response) -> Response | None:
        is_chosen = response.status in statuses if statuses else response.status >= 400
        return change(request, response) if is_chosen else None

    return of_status


def instead(response: Response) -> Change:
    """Return the change to another response."""
    return lambda _, __: attrs.evolve(response, headers=[*response.headers])


def objects(value: object) -> Iterator[dict[str, Any]]:
    """Yield every object inside a value."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
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


_SECONDS = itertools.count()


def _dated_by_request(value: Any) -> None:
    minutes, seconds = divmod(next(_SECONDS) % 3600, 60)
    value["generated_at"] = f"2026-01-31T13:{minutes:02}:{seconds:02}"


edited(
    "generated_at is the time of the request",
    "HA-ENVELOPE-06 HA-CACHE-09",
    below("/profiles/anna"),
    _dated_by_request,
)

# Queries


def _nothing_past_the_end(request: Request, response: Response) -> Response | None:
    is_past = parameter(request, "offset") is not None and b'"rows":[]' in response.body
    return error(404, refused("not_found")) if is_past else None


def _refuse_unknown_metrics(request: Request, _: Response) -> Response | None:
    known = short().rows("daily").fields
    names = unquote(parameter(request, "metrics") or "").split(",")
    is_unknown = any(name.strip() and name.strip() not in known for name in names)
    return error(400, {"detail": "unknown metric"}) if is_unknown else None


changed("404 past the end", "HA-QUERY-12", _nothing_past_the_end)
changed("400 for an unknown metric", "HA-QUERY-17 HA-QUERY-18 HA-QUERY-01", _refuse_unknown_metrics)

# Paths, methods, errors


def _redirect_slash(request: Request, _: Response) -> Response | None:
    return error(307, "", location=request.path.rstrip("/")) if request.path.endswith("/") else None


def _resolved(path: str) -> str:
    decoded = unquote(path)
    return posixpath.normpath(decoded) if "/../" in f"{decoded}/" else path


changed("a trailing slash is redirected", "HA-HTTP-13", of_errors(_redirect_slash, 404))
routed("paths in any case", "HA-HTTP-13 HA-KEY-03", str.lower)
routed("slashes are merged", "HA-HTTP-13", lambda path: re.sub("/+", "/", path))
routed("keys are decoded twice", "HA-KEY-01", lambda path: path.replace("%25", "%"))
routed("profile ids are paths", "HA-KEY-05 HA-KEY-06", _resolved)
routed("keys end at NUL", "HA-KEY-01 HA-KEY-06", lambda path: path.split("%00")[0])
changed(
    "500 for bytes that are not UTF-8",
    "HA-HTTP-18 HA-KEY-01",
    instead(error(500, "Internal Server Error")),
    below("%ff"),
)
changed(
    "errors as pages",
    "HA-ERROR-14 HA-ERROR-01",
    of_errors(instead(error(404, "<h1>Not Found</h1>", content_type="text/html")), 404),
)
changed(
    "errors of another framework",
    "HA-ERROR-01",
    of_errors(instead(error(404, {"detail": "Not Found"})), 404),
)


def _one_code(_: Request, response: Response) -> None:
    put_body(response, re.sub(rb'"code":"\w+"', b'"code":"not_found"', response.body))


def _quote(request: Request, response: Response) -> None:
    if response.body:
        response.put_json(refused(response.json["error"]["code"], f"{request.path} not found"))


async def _unknown_profile_is_empty(request: Request, call: Call) -> Response:
    response = await call(request)
    if b'"profile_not_found"' not in response.body:
        return response
    start = f"{ROOT}/profiles/"
    _, slash, rest = request.path[len(start) :].partition("/")
    return await call(request.copy(path=f"{start}nobody{slash}{rest}"))


def _unknown_dataset_is_empty(_: Request, response: Response) -> Response | None:
    if b'"dataset_not_found"' not in response.body:
        return None
    data = {"dataset": "x", "label": "x", "columns": [], "rows": []}
    return error(200, {"api_version": "v1", "resource": "dataset", "data": data, "meta": {}})


async def _overridden(request: Request, call: Call) -> Response:
    method = request.header("x-http-method-override") or request.method
    return await call(request.copy(method=method))


async def _method_first(request: Request, call: Call) -> Response:
    return await call(request.copy(path=ROOT) if request.method == "POST" else request)


changed("one code for everything", "HA-ERROR-03 HA-ERROR-06", of_errors(_one_code, 404))
changed("errors quote the path", "HA-HTTP-21 HA-ERROR-02", of_errors(_quote, 404))
broken("an unknown profile is empty", "HA-ERROR-03 HA-KEY-06", _unknown_profile_is_empty)
changed("an unknown dataset is empty", "HA-ERROR-06", _unknown_dataset_is_empty)
broken("the method is overridden by a header", "HA-SERVICE-08", _overridden)
broken("the method is checked before the path", "HA-HTTP-17", _method_first)

# Caching

changed(
    "CORS on successes only",
    "HA-CACHE-04",
    of_errors(dropping("access-control-allow-origin")),
)
changed(
    "errors are cached",
    "HA-CACHE-03",
    of_errors(putting("cache-control", "public, max-age=300")),
)


def _one_tag(_: Request, response: Response) -> None:
    if response.header("etag"):
        response.put("etag", '"v1"')


changed("one ETag for all", "HA-CACHE-05", _one_tag)

# Links


async def _host_in_links(request: Request, _: Call) -> Response:
    host = request.header("x-forwarded-host") or request.header("host") or "localhost"
    return await caller(healthy(lambda: 0, base_url=f"http://{host}"))(request)


broken("links with the Host of the request", "HA-LINK-01 HA-SERVICE-08", _host_in_links)


def _dead_links(value: Any) -> None:
    for each in objects(value):
        if isinstance(each.get("chart_overview"), str):
            each["chart_overview"] = each["chart_overview"].replace("-trend", "")


def _foreign_links(value: Any) -> None:
    for each in objects(value):
        if isinstance(each.get("href"), str):
            each["href"] = f"http://127.0.0.1:8000/internal/{each['href'].rpartition('/')[2]}"


edited("a link that leads nowhere", "HA-LINK-03", enveloped, _dead_links)
edited("links to an internal address", "HA-LINK-01 HA-LINK-03", enveloped, _foreign_links)

# Values


def _null_members(value: Any) -> None:
    for row in value["data"]["rows"]:
        for name in ("sleep_score", "minutes_asleep", "hrv", "deep_rmssd"):
            row.setdefault(name, None)


def _zero_without_snapshot(value: Any) -> None:
    for name in ("device_count", "badge_count", "missing_scopes_count"):
        value["data"][name] = value["data"][name] or 0


def _latin_1(_: Request, response: Response) -> None:
    put_body(response, response.body.decode().encode("latin-1", "replace"))


edited("absent members are null", "HA-DAY-04", below("/datasets/daily"), _null_members)
edited(
    "0 for what is not known",
    "HA-PERSON-14 HA-OVERVIEW-06",
    ends("/nobody/overview"),
    _zero_without_snapshot,
)
changed("NaN in JSON", "HA-HTTP-20", replacing(b":null", b":NaN"), below("/series/"))
changed("Latin-1", "HA-HTTP-20 HA-HTTP-19", _latin_1, below("/tables/foods"))

# Documents


def _no_snapshot_paths(value: Any) -> None:
    value["paths"] = {path: item for path, item in value["paths"].items() if "snapshot" not in path}


def _old_description(value: Any) -> None:
    text = json.dumps(value["components"]["schemas"]["Overview"])
    value["components"]["schemas"]["Overview"] = json.loads(
        text.replace("nap_count_today", "naps_today")
    )


edited("a description without all paths", "HA-HTTP-05", ends("/openapi.json"), _no_snapshot_paths)
edited("a description of another version", "HA-HTTP-05", ends("/openapi.json"), _old_description)
changed(
    "a page that loads scripts from elsewhere",
    "HA-CACHE-08",
    replacing(b"</head>", b'<script src="https://cdn.example/ui.js"></script></head>'),
    ends("/docs"),
)

# Charts


def picture(name: str, rules: str, change: Change) -> None:
    """Add a server whose pictures are changed."""

    def of_picture(request: Request, response: Response) -> Response | None:
        is_picture = (response.header("content-type") or "").startswith("image/svg")
        return change(request, response) if is_picture and response.body else None

    changed(name, rules, of_picture)


def _unnamed(_: Request, response: Response) -> None:
    body = re.sub(rb"<title.*?</title>", b"", response.body)
    put_body(response, body.replace(b' role="img"', b""))


def _white(_: Request, response: Response) -> None:
    start = rb'(viewBox="0 0 (\d+) (\d+)".*?</desc>)'
    white = rb'\1<rect width="\2" height="\3" fill="#fff"/>'
    put_body(response, re.sub(start, white, response.body, count=1, flags=re.DOTALL))


def _any_width(request: Request, response: Response) -> Response | None:
    width = parameter(request, "width") or ""
    is_large = width.isdigit() and int(width[:9]) > 1920
    change = replacing(b'width="1920"', f'width="{width[:9]}"'.encode(), 1)
    return change(request, response) if is_large else None


picture(
    "a chart with a script",
    "HA-CHART-10",
    replacing(b"</svg>", b"<script>1</script></svg>"),
)
picture(
    "a chart with a style sheet",
    "HA-CHART-10",
    replacing(b"</title>", b"</title><style>text{fill:red}</style>", 1),
)
picture(
    "a chart with a font from elsewhere",
    "HA-CHART-10",
    replacing(b"<g", b'<g filter="url(https://cdn.example/f.svg#f)"', 1),
)
picture(
    "a chart with a document type",
    "HA-CHART-10",
    replacing(b"<svg", b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg', 1),
)
picture(
    "a chart that is not well-formed",
    "HA-CHART-10 HA-HTTP-12",
    replacing(b"</title>", b" & more</title>", 1),
)
picture("a chart without a name", "HA-CHART-25", _unnamed)
picture("transparent is white", "HA-CHART-24 HA-CHART-23", _white)
picture("a width that is not clamped", "HA-QUERY-13", _any_width)


def _echo_theme(request: Request, response: Response) -> None:
    theme, metadata = parameter(request, "theme"), response.header("x-chart-metadata")
    if theme and metadata:
        response.put("x-chart-metadata", metadata.replace('"light"', json.dumps(theme)))


changed("the theme of the request in the metadata", "HA-CHART-09 HA-QUERY-15", _echo_theme)
changed(
    "404 for an empty chart",
    "HA-CHART-23",
    instead(error(404, refused("chart_not_found"))),
    below("/nobody/charts"),
)

# Privacy


def _token_in_text(value: Any) -> None:
    token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5UVo0WFcifQ.c2lnbmF0dXJlb2Z0aGlzdG9rZW4"
    value["data"]["rows"][0]["name"] = f"Oats ({token})"


def _signed_avatar(value: Any) -> None:
    avatar = "https://static0.example/a.png?Signature=abc123&Expires=1"
    value["data"]["profile"]["avatar"] = avatar


edited(
    "a token in the text of a table", "HA-PRIVACY-06 HA-PRIVACY-14", ends("/foods"), _token_in_text
)
edited(
    "an avatar with a signature",
    "HA-PERSON-07 HA-PRIVACY-12",
    ends("/profiles/anna"),
    _signed_avatar,
)
