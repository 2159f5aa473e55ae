"""Faults of paths, methods, headers, caching and icons."""

import gzip
import re
from itertools import count

from purewire.adapters.conformance import VirtualClock
from support.devicestatus.broken_servers.base import (
    CATEGORIES,
    TOKEN,
    WRITES,
    begin,
    error,
    healthy,
    is_icon,
    is_known,
    layer,
    on_request,
    on_response,
    server,
)
from support.purewire.asgi_layers import App, Call, Request, Response, layered, respond

begin("Paths")


@on_request("slash-redirect", "DS-HTTP-01")
def _slash_redirect(request: Request) -> Response | None:
    """A path with a trailing slash redirects to the one without."""
    if len(request.path) > 1 and request.path.endswith("/"):
        return respond(307, location=request.path.rstrip("/"), access_control_allow_origin="*")
    return None


@on_request("dot-segments-resolved", "DS-HTTP-01")
def _dot_segments(request: Request) -> None:
    """Dot segments are resolved before routing."""
    parts: list[str] = []
    for part in request.path.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    request.path = "/".join(parts)


@on_response("html-404", "DS-HTTP-02", "DS-ERROR-01")
def _html_404(_: Request, response: Response) -> None:
    """404 is the HTML page of the web server."""
    if response.status == 404:
        response.body = b"<!doctype html><title>404 Not Found</title>"
        response.put("content-type", "text/html")


@on_response("single-page-fallback", "DS-HTTP-02")
def _fallback(request: Request, response: Response) -> None:
    """Unknown paths are the index page of a single-page application."""
    if response.status == 404 and not is_icon(request.path):
        response.status, response.body = 200, b"<!doctype html><title>Status</title>"
        response.put("content-type", "text/html")


@on_request("method-before-path", "DS-HTTP-02", "DS-HTTP-12")
def _method_before_path(request: Request) -> Response | None:
    """An unsupported method is 405 on unknown paths too."""
    if request.method in {"GET", "HEAD", "POST", "OPTIONS"}:
        return None
    response = error(405, "method_not_allowed")
    allowed = "POST, OPTIONS" if request.path in WRITES else "GET, OPTIONS"
    response.put("allow", "GET, HEAD, OPTIONS" if is_icon(request.path) else allowed)
    return response


@on_request("missing-aliases", "DS-HTTP-09")
def _missing_aliases(request: Request) -> Response | None:
    """The aliases at the root do not exist."""
    if request.path in {"/now", "/update", "/badge.svg", "/health"}:
        return error(404, "not_found")
    return None


@on_request("more-aliases", "DS-HTTP-09")
def _more_aliases(request: Request) -> None:
    """Every `/api` path has an alias at the root."""
    if request.path in {"/timeline", "/music", "/device", "/batch", "/icons"}:
        request.path = f"/api{request.path}"


begin("Methods")


@on_request("preflight-everywhere", "DS-HTTP-02")
def _preflight_everywhere(request: Request) -> Response | None:
    """CORS middleware answers OPTIONS on unknown paths."""
    if request.method == "OPTIONS" and not is_known(request.path):
        return respond(204, access_control_allow_origin="*")
    return None


@on_response("preflight-200", "DS-HTTP-07")
def _preflight_200(request: Request, response: Response) -> None:
    """CORS middleware answers OPTIONS with 200 and a text."""
    if request.method == "OPTIONS" and response.status == 204:
        response.status, response.body = 200, b"OK"
        response.put("content-type", "text/plain")


@on_request("no-preflight", "DS-HTTP-07")
def _no_preflight(request: Request) -> Response | None:
    """OPTIONS is not supported."""
    if request.method == "OPTIONS" and is_known(request.path):
        response = error(405, "method_not_allowed")
        response.put("allow", "GET")
        return response
    return None


@layer("head-with-body", "DS-HTTP-14")
async def _head_with_body(request: Request, call: Call) -> Response:
    """HEAD of an icon has the body of GET."""
    if request.method == "HEAD" and is_icon(request.path):
        return await call(request.copy(method="GET"))
    return await call(request)


@on_response("head-of-no-length", "DS-HTTP-14")
def _head_of_other_type(request: Request, response: Response) -> None:
    """HEAD of an icon has no media type and no validators."""
    if request.method == "HEAD" and is_icon(request.path):
        response.drop("content-type", "etag", "last-modified")


@on_response("allow-lists-all", "DS-HTTP-04")
def _allow_lists_all(_: Request, response: Response) -> None:
    """Allow lists every method that some path supports."""
    if response.header("allow"):
        response.put("allow", "GET, POST, OPTIONS")


@on_response("405-of-framework", "DS-ERROR-01", "DS-HTTP-03")
def _framework_405(request: Request, response: Response) -> None:
    """The body of 405 is that of the framework."""
    if response.status == 405 and request.method != "HEAD":
        response.put_json({"detail": "Method Not Allowed"})


@on_request("method-override", "DS-CORS-05")
def _method_override(request: Request) -> None:
    """`X-HTTP-Method-Override` replaces the method."""
    request.method = request.header("x-http-method-override") or request.method


begin("Query and headers of the request")


@on_response("query-formats", "DS-HTTP-06")
def _query_formats(request: Request, response: Response) -> None:
    """`?pretty=1` indents the body."""
    if "pretty" in request.query:
        response.body = response.body.replace(b",", b",\n  ")


@on_request("unknown-query-400", "DS-HTTP-06")
def _unknown_query(request: Request) -> Response | None:
    """A query that the framework does not know is 422."""
    return error(422, "invalid_payload") if request.query else None


begin("CORS")


@on_response("no-cors-on-304", "DS-CORS-01")
def _no_cors_on_304(_: Request, response: Response) -> None:
    """CORS middleware leaves out 304."""
    if response.status == 304:
        response.drop("access-control-allow-origin")


@on_response("reflected-origin", "DS-CORS-05", "DS-CORS-01")
def _reflected_origin(request: Request, response: Response) -> None:
    """CORS middleware returns the origin that the request names."""
    origin = request.header("origin")
    if origin:
        response.put("access-control-allow-origin", origin)


@on_response("credentials", "DS-CORS-01")
def _credentials(_: Request, response: Response) -> None:
    """CORS middleware enables credentials."""
    response.put("access-control-allow-credentials", "true")


@on_response("preflight-headers-everywhere", "DS-CORS-04")
def _preflight_headers(request: Request, response: Response) -> None:
    """Every response has the headers of a preflight."""
    if not is_icon(request.path):
        response.put("access-control-allow-methods", "GET, POST, OPTIONS")
        response.put("access-control-allow-headers", "Authorization, Content-Type")


@on_response("one-preflight", "DS-CORS-03")
def _one_preflight(request: Request, response: Response) -> None:
    """Icon paths have the preflight of the other paths."""
    if request.method == "OPTIONS" and is_icon(request.path):
        response.drop("access-control-expose-headers")
        response.put("access-control-allow-methods", "GET, POST, OPTIONS")
        response.put("access-control-allow-headers", "Authorization, Content-Type")


begin("Caching and security headers")


@on_response("no-cache", "DS-CACHE-01")
def _no_cache(_: Request, response: Response) -> None:
    """`no-cache` stands for `no-store, max-age=0`."""
    if response.header("cache-control") == "no-store, max-age=0":
        response.put("cache-control", "no-cache")


@on_response("icons-not-cached", "DS-CACHE-03")
def _icons_not_cached(request: Request, response: Response) -> None:
    """Icons are not cached."""
    if is_icon(request.path):
        response.put("cache-control", "no-store, max-age=0")


@on_response("304-without-cache-control", "DS-CACHE-03")
def _plain_304(_: Request, response: Response) -> None:
    """304 says nothing about caching."""
    if response.status == 304:
        response.drop("cache-control")


begin("Media types and compression")


@on_response("no-charset", "DS-HTTP-08")
def _no_charset(_: Request, response: Response) -> None:
    """The media type of JSON has no charset."""
    if (response.header("content-type") or "").startswith("application/json"):
        response.put("content-type", "application/json")


@on_response("compressed-without-request", "DS-HTTP-08")
def _always_compressed(request: Request, response: Response) -> None:
    """Bodies of more than 100 bytes are compressed, also for clients that do not accept that."""
    if len(response.body) > 100 and request.path != "/api/health":
        response.body = gzip.compress(response.body)
        response.put("content-encoding", "gzip")


@on_response("compression-removes-etag", "DS-ICON-09")
def _compression(request: Request, response: Response) -> None:
    """Compression removes the ETag of icons."""
    if "gzip" in (request.header("accept-encoding") or "") and is_icon(request.path):
        response.drop("etag", "last-modified")


begin("Icons")


@on_response("304-with-body", "DS-ICON-10")
def _body_of_304(_: Request, response: Response) -> None:
    """304 has a body."""
    if response.status == 304:
        response.body = b"not modified"


@on_request("strong-comparison", "DS-ICON-11")
def _strong_comparison(request: Request) -> None:
    """A weak tag never matches."""
    if (request.header("if-none-match") or "").startswith("W/"):
        request.put("if-none-match", '"none"')


@on_request("modified-since-first", "DS-ICON-11")
def _modified_since_first(request: Request) -> None:
    """If-Modified-Since counts also beside If-None-Match."""
    if request.header("if-modified-since"):
        request.drop("if-none-match")


@server("random-etag", "DS-ICON-10", "DS-ICON-11", "DS-HTTP-14")
def _random_etag(clock: VirtualClock) -> App:
    """Every response has another ETag."""
    numbers = count(1)

    async def around(request: Request, call: Call) -> Response:
        response = await call(request)
        if response.header("etag"):
            response.put("etag", f'"{next(numbers)}"')
        return response

    return layered(healthy(clock), around)


@on_response("absent-icon-placeholder", "DS-ICON-06")
def _placeholder(request: Request, response: Response) -> None:
    """An icon that does not exist is a placeholder image."""
    if response.status == 404 and re.fullmatch(
        "/api/icons/[a-z0-9]+(-[a-z0-9]+)*.png", request.path
    ):
        response.status, response.body = 200, b"\x89PNG\r\n\x1a\n"
        if request.method == "HEAD":
            response.body = b""
        response.put("content-type", "image/png")


@on_request("icon-form-not-checked", "DS-ICON-05")
def _any_icon_form(request: Request) -> Response | None:
    """OPTIONS and 405 come for every path below `/api/icons/`."""
    if request.path.startswith("/api/icons/") and request.method not in {"GET", "HEAD"}:
        request.path = "/api/icons/any.png"
    return None


@on_request("no-static-icons", "DS-ICON-08")
def _no_static_icons(request: Request) -> Response | None:
    """There are no static files at `/app-icons/`."""
    return error(404, "not_found") if request.path.startswith("/app-icons/") else None


def _manifest(request: Request, response: Response) -> bool:
    return request.path == "/api/icons" and request.method == "GET" and response.status == 200


@on_response("bare-manifest", "DS-MANIFEST-01")
def _bare_manifest(request: Request, response: Response) -> None:
    """The manifest is the list without `version`."""
    if _manifest(request, response):
        response.put_json(response.json["icons"])


@on_response("manifest-with-more", "DS-MANIFEST-02")
def _manifest_with_more(request: Request, response: Response) -> None:
    """Icons in the manifest have the size of their file."""
    if _manifest(request, response):
        value = response.json
        for icon in value["icons"]:
            icon["bytes"] = 1024
        response.put_json(value)


@on_response("absolute-image-urls", "DS-MANIFEST-04")
def _absolute_images(request: Request, response: Response) -> None:
    """`imageUrl` is absolute."""
    if _manifest(request, response):
        value = response.json
        for icon in value["icons"]:
            icon["imageUrl"] = f"https://status.example{icon['imageUrl']}"
        response.put_json(value)


@on_response("another-digest", "DS-MANIFEST-07")
def _another_digest(request: Request, response: Response) -> None:
    """The images are not those of the digests: they were optimized on the way."""
    if request.path.startswith(("/api/icons/", "/app-icons/")) and response.body[:4] == b"\x89PNG":
        response.body += b"\0"


@on_response("icons-need-token", "DS-ICON-03", "DS-ICON-02")
def _icons_need_token(request: Request, response: Response) -> Response | None:
    """Icons need the token."""
    is_read = is_icon(request.path) and request.method == "GET"
    has_token = request.header("authorization") == f"Bearer {TOKEN}"
    return error(401, "unauthorized") if is_read and not has_token else None


begin("Health and badge")


@on_response("health-with-more", "DS-HEALTH-01")
def _health_with_more(request: Request, response: Response) -> None:
    """The health check has the version of the software."""
    if request.path == "/api/health" and response.status == 200:
        response.put_json(response.json | {"version": "1.2.3"})


@on_response("health-as-text", "DS-HEALTH-01")
def _health_as_text(request: Request, response: Response) -> None:
    """The health check is the text `OK`."""
    if request.path in {"/api/health", "/health"} and request.method == "GET":
        response.body = b"OK"
        response.put("content-type", "text/plain")


@layer("health-of-device", "DS-HEALTH-02", "DS-HEALTH-01")
async def _health_of_device(request: Request, call: Call) -> Response:
    """The health check is 503 while the device is offline."""
    if request.path == "/api/health" and request.method == "GET":
        shown = await call(request.copy(path="/api/now"))
        if shown.json == {"status": "offline"}:
            return error(503, "service_unavailable")
    return await call(request)


@on_response("reads-need-token", "DS-TOKEN-01", "DS-TOKEN-10")
def _reads_need_token(request: Request, response: Response) -> Response | None:
    """The categories need the token."""
    is_read = request.path in CATEGORIES and request.method == "GET"
    has_token = request.header("authorization") == f"Bearer {TOKEN}"
    return error(401, "unauthorized") if is_read and not has_token else None
