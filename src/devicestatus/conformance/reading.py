"""Checks that need no write: paths, methods, headers, health, icons, badge, forms of responses."""

from collections.abc import Generator, Iterable
from hashlib import sha256
from typing import Any, Final

import attrs

from devicestatus.conformance.bodies import snapshot, window
from devicestatus.conformance.deployment import (
    CATEGORIES,
    JSON_TYPE,
    OFFLINE,
    ONLINE_MODELS,
    SUITE,
    TIMELINE,
    Deployment,
    expect_model,
    model_of_timeline,
    post,
    read_back,
    shows,
    svg_texts,
    update,
    write,
)
from devicestatus.http.endpoints import ENDPOINTS
from devicestatus.models.responses import Health, IconManifest
from purewire.conformance.checks import Action, Reply, Steps, Unchecked, Wait, expect, expect_equal
from purewire.conformance.reads import (
    expect_conditions,
    expect_head,
    expect_modified_since,
    get,
    list_items,
)
from purewire.svg.text import xml_text


def paths_with(allow: str) -> tuple[str, ...]:
    """Return the paths of endpoints, aliases last, that support these methods besides OPTIONS."""
    paths = [endpoint.paths for endpoint in ENDPOINTS if endpoint.allow == f"{allow}, OPTIONS"]
    return (*(own for own, *_ in paths), *(alias for _, *rest in paths for alias in rest))


_NO_STORE: Final = "no-store, max-age=0"
_NOT_FOUND: Final = {"error": "not_found"}
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH")
_ABSENT_ICON: Final = "/api/icons/no-such-icon-7f3a.png"
_READS: Final = paths_with("GET")
_WRITES: Final = paths_with("POST")
_ICONS: Final = ("/api/icons", _ABSENT_ICON)
_UNKNOWN_PATHS: Final = (
    "/api/now/",
    "//api/now",
    "/api//now",
    "/API/now",
    "/api/Now",
    "/api/%6eow",
    "/api/nothing-here",
    "/api/v1/now",
    "/timeline",
    "/music",
    "/device",
    "/batch",
    "/icons",
    "/api/icons/",
    "/api/icons/Upper.png",
    "/api/icons/two--hyphens.png",
    "/api/icons/-first.png",
    "/api/icons/under_score.png",
    "/api/icons/a.PNG",
    "/api/icons/../now",
    "/api/update/",
)
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_EXPOSED: Final = ("etag", "last-modified")


def _named(paths: Iterable[str], *arguments: str) -> dict[str, tuple[str, ...]]:
    """Return cases of some paths, named as in the ids of checks."""
    cases = {}
    for path in paths:
        name = path.strip("/").replace("/", "-").replace(".", "-")
        name = name.removeprefix("api-").removesuffix("-png") if "icons" in path else name
        cases[name] = (path, *arguments)
    return cases


@SUITE.check("paths.{0}", "DS-HTTP-09", "DS-CACHE-01", "DS-TOKEN-10", cases=_named(_READS))
def _is_known(_: Deployment, path: str) -> Steps:
    """GET {1} needs no token and is not cached."""
    reply = yield from get(path)
    expect(reply.status in {200, 503}, "status 200, or 503 if the store fails", reply.status)
    expect_equal("Cache-Control", reply.header("cache-control"), _NO_STORE)
    expect_equal("CDN-Cache-Control", reply.header("cdn-cache-control"), "no-store")


def _unknown(*, of_icons: bool) -> dict[str, tuple[str]]:
    """Return the cases of unknown paths, below `/api/icons/` or elsewhere, by their number."""
    paths = enumerate(_UNKNOWN_PATHS, 1)
    return {str(number): (path,) for number, path in paths if ("icons/" in path) is of_icons}


@SUITE.check(
    "paths.unknown-{0}",
    *("DS-HTTP-01", "DS-HTTP-02", "DS-HTTP-09"),
    cases=_unknown(of_icons=False),
)
@SUITE.check(
    "paths.unknown-{0}",
    *("DS-HTTP-01", "DS-HTTP-02", "DS-ICON-05"),
    cases=_unknown(of_icons=True),
)
def _is_unknown(_: Deployment, path: str) -> Steps:
    """{1} is an unknown path."""
    for method in ("GET", "OPTIONS", "PUT"):
        reply = yield from get(path, method=method)
        expect_equal(f"status of {method}", reply.status, 404)
        expect_equal("Content-Type", reply.header("content-type"), JSON_TYPE)
        expect(reply.json() == _NOT_FOUND, str(_NOT_FOUND), reply.body)


_OF_METHODS: Final = ("DS-HTTP-03", "DS-HTTP-04")


@SUITE.check(
    "methods.{0}",
    *(*_OF_METHODS, "DS-HTTP-05", "DS-ERROR-02"),
    cases=_named(_READS, "GET, OPTIONS"),
)
@SUITE.check("methods.{0}", *_OF_METHODS, "DS-HTTP-05", cases=_named(_WRITES, "POST, OPTIONS"))
@SUITE.check("methods.{0}", *_OF_METHODS, "DS-ICON-05", cases=_named(_ICONS, "GET, HEAD, OPTIONS"))
def _allows(_: Deployment, path: str, allowed: str) -> Steps:
    """{1} supports {2} only."""
    for method in _METHODS:
        if method in allowed.split(", "):
            continue
        reply = yield from get(path, method=method)
        expect_equal(f"status of {method}", reply.status, 405)
        expect_equal("Allow", reply.header("allow"), allowed)
        if method == "HEAD":
            expect(not reply.body, "no body", reply.body)
        else:
            error = {"error": "method_not_allowed"}
            expect(reply.json() == error, str(error), reply.body)


@SUITE.check(
    "cors.{0}",
    *("DS-HTTP-07", "DS-CORS-02", "DS-CORS-01"),
    cases=_named((*_READS, *_WRITES)),
)
@SUITE.check("cors.{0}", "DS-HTTP-07", "DS-CORS-03", cases=_named(_ICONS))
def _preflight(_: Deployment, path: str) -> Steps:
    """OPTIONS {1} is 204 with the CORS headers."""
    reply = yield from get(path, method="OPTIONS")
    expect_equal("status", reply.status, 204)
    expect(not reply.body, "no body", reply.body)
    expect_equal("Access-Control-Allow-Origin", reply.header("access-control-allow-origin"), "*")
    for name, value in (_OF_ICONS if "icons" in path else _OF_STATUS).items():
        expect_equal(name, list_items(reply.header(name)), list_items(value))


_OF_STATUS: Final = {
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
}
_OF_ICONS: Final = {
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "If-None-Match, If-Modified-Since",
    "Access-Control-Expose-Headers": "ETag, Last-Modified",
}


# Headers


@SUITE.check("headers.all", "DS-CORS-01", "DS-CACHE-04")
def _common_headers(_: Deployment) -> Steps:
    """Every response allows all origins and has the security headers."""
    for path in ("/api/now", "/api/health", "/api/badge.svg", "/api/icons", "/api/nothing-here"):
        for method in ("GET", "OPTIONS"):
            reply = yield from get(path, method=method)
            for name, value in (
                ("Access-Control-Allow-Origin", "*"),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
                ("Access-Control-Allow-Credentials", None),
            ):
                expect_equal(f"{name} of {method} {path}", reply.header(name), value)


@SUITE.check("headers.errors-are-not-cached", "DS-CACHE-01", "DS-CACHE-02")
def _errors_are_not_cached(_: Deployment) -> Steps:
    """Errors of status and write paths have the no-store headers."""
    unauthorized = yield from post("/api/update", b"{}", authorized=False)
    wrong_method = yield from get("/api/now", method="DELETE")
    for reply in (unauthorized, wrong_method):
        expect_equal("Cache-Control", reply.header("cache-control"), _NO_STORE)
        for name in ("CDN-Cache-Control", "Cloudflare-CDN-Cache-Control"):
            expect_equal(name, reply.header(name), "no-store")


@SUITE.check("headers.preflight-only", "DS-CORS-04")
def _preflight_only(_: Deployment) -> Steps:
    """Allow-Methods and Allow-Headers are sent with OPTIONS only, and by icons."""
    for path in ("/api/now", "/api/health", "/api/nothing-here"):
        reply = yield from get(path)
        for name in _OF_STATUS:
            expect(reply.header(name) is None, f"no {name} on GET {path}", reply.header(name))


@SUITE.check("headers.independent", "DS-CORS-05", "DS-HTTP-06")
def _independent(_: Deployment) -> Steps:
    """Query, Origin, cookies and forwarded headers change nothing."""
    plain = yield from get("/api/health")
    for query, *headers in (
        ("?pretty=1&status=offline",),
        ("?fields=service&callback=show",),
        ("", ("Origin", "https://other.example")),
        ("", ("Cookie", "session=1")),
        ("", ("X-Forwarded-Host", "other.example")),
        ("", ("X-HTTP-Method-Override", "DELETE")),
    ):
        reply = yield from get(f"/api/health{query}", *headers)
        expect_equal("status", reply.status, plain.status)
        expect(reply.body == plain.body, f"the body {plain.body!r}", reply.body)
        origin = reply.header("access-control-allow-origin")
        expect_equal("Access-Control-Allow-Origin", origin, "*")


_WRONG_TOKEN: Final = ("Authorization", f"Bearer {'x' * 40}")


@SUITE.check("token.not-for-reads", "DS-TOKEN-01", "DS-TOKEN-10", "DS-HTTP-07")
def _not_for_reads(_: Deployment) -> Steps:
    """A wrong token on a read or on OPTIONS changes nothing."""
    for method, path, status in (("GET", "/api/now", 200), ("OPTIONS", "/api/update", 204)):
        reply = yield from get(path, _WRONG_TOKEN, method=method)
        expect_equal(f"status of {method} {path}", reply.status, status)


# Forms


@SUITE.check("health.body", "DS-HEALTH-01", "DS-HTTP-08")
def _health_body(_: Deployment) -> Steps:
    """`/api/health` has ok true and the name of the service, and nothing else."""
    expect_model((yield from get("/api/health")), Health)


def _expect_form(reply: Reply, model: type[attrs.AttrsInstance]) -> None:
    expect_equal("status", reply.status, 200)
    expect_equal("Content-Type", reply.header("content-type"), JSON_TYPE)
    if reply.object() != OFFLINE:
        expect_model(reply, model)


@SUITE.check("shape.{0}", "DS-HTTP-08", "DS-NOW-01", cases=_named(("/api/now", "/now")))
@SUITE.check("shape.{0}", "DS-HTTP-08", "DS-SLICE-01", "DS-SLICE-03", cases=_named(CATEGORIES))
def _form(_: Deployment, path: str) -> Steps:
    """{1} is exactly offline, or has its members only."""
    _expect_form((yield from get(path)), ONLINE_MODELS[path])


@SUITE.check(
    "shape.api-timeline", "DS-HTTP-08", "DS-TIMELINE-01", "DS-TIMELINE-03", "DS-TIMELINE-04"
)
def _form_of_timeline(_: Deployment) -> Steps:
    """`/api/timeline` is exactly offline, or a window or snapshot with its members only."""
    reply = yield from get(TIMELINE)
    shown = reply.object()
    if shown != OFFLINE:
        expect_equal("mode", shown.get("mode"), "window", "snapshot")
    _expect_form(reply, model_of_timeline(shown))


@SUITE.check("badge.svg", "DS-HTTP-08", "DS-BADGE-05", "DS-BADGE-09")
def _badge_is_svg(_: Deployment) -> Steps:
    """The badge is well-formed SVG with its media type and content security policy."""
    reply = yield from get("/api/badge.svg")
    expect_equal("status", reply.status, 200)
    expect_equal("Content-Type", reply.header("content-type"), "image/svg+xml; charset=utf-8")
    policy = "default-src 'none'; style-src 'none'; sandbox"
    expect_equal("Content-Security-Policy", reply.header("content-security-policy"), policy)
    svg_texts(reply)


@SUITE.check("badge.label", "DS-CONFIG-07", "DS-HEALTH-01")
def _badge_label(_: Deployment) -> Steps:
    """The label of the badge is the name in the health body."""
    health = yield from get("/api/health")
    name = str(health.object().get("service"))
    shown = (yield from get("/api/badge.svg")).body.decode("utf-8", "replace")
    expect(xml_text(name) in shown, f"an SVG with the text {name}", shown)


# Icons


def _icons() -> Generator[Action, Any, list[dict[str, Any]]]:
    """Return the icons of the manifest; raise Unchecked if it lists none."""
    reply = yield from get("/api/icons")
    value = reply.json() if reply.status == 200 else None
    icons = value.get("icons") if isinstance(value, dict) else None
    if not isinstance(icons, list) or not icons:
        raise Unchecked("the manifest lists no icon")
    for icon in icons:
        path = f"/api/icons/{icon.get('id')}.png" if isinstance(icon, dict) else None
        expect(path and icon.get("imageUrl") == path, "imageUrl /api/icons/<id>.png", icon)
    return icons


def _first_image(*headers: tuple[str, str]) -> Generator[Action, Any, tuple[str, Reply]]:
    """Return the path of the first icon, and the response to it."""
    path = (yield from _icons())[0]["imageUrl"]
    return path, (yield from get(path, *headers))


def _expect_cached(reply: Reply) -> None:
    expect_equal("Cache-Control", reply.header("cache-control"), "public, max-age=3600")


@SUITE.check("icons.manifest", "DS-ICON-02", "DS-MANIFEST-01", "DS-MANIFEST-02", "DS-MANIFEST-04")
def _manifest(_: Deployment) -> Steps:
    """`/api/icons` is the manifest, cacheable for an hour."""
    reply = yield from get("/api/icons")
    for icon in expect_model(reply, IconManifest).icons:
        expect_equal("imageUrl", icon.imageUrl, f"/api/icons/{icon.id}.png")
    _expect_cached(reply)


@SUITE.check("icons.members", "DS-MANIFEST-03", "DS-MANIFEST-05", "DS-MANIFEST-06", "DS-ICON-04")
def _icon_members(_: Deployment) -> Steps:
    """Every icon has an app, aliases, a credit, the constant source, and a source URL or null."""
    yield from _icons()
    reply = yield from get("/api/icons")
    for icon in expect_model(reply, IconManifest).icons:
        url = icon.sourceUrl
        is_url = url is None or url.lower().startswith("https://")
        expect(is_url, "a sourceUrl that is null or an https URL", url)


@SUITE.check(
    "icons.images",
    *("DS-ICON-03", "DS-ICON-15", "DS-MANIFEST-07", "DS-CACHE-03", "DS-HTTP-08"),
)
def _images(_: Deployment) -> Steps:
    """Every icon of the manifest is a PNG with the digest of the manifest, at most 10 are read."""
    for icon in (yield from _icons())[:10]:
        reply = yield from get(icon["imageUrl"])
        expect_equal("status", reply.status, 200)
        expect_equal("Content-Type", reply.header("content-type"), "image/png")
        expect(reply.body.startswith(_PNG), "a PNG", reply.body[:16])
        digest = sha256(reply.body).hexdigest()
        expect_equal("SHA-256", digest, icon.get("sha256", digest))
        _expect_cached(reply)


@SUITE.check("icons.head", "DS-HTTP-14", "DS-CACHE-03")
def _head_of_icons(_: Deployment) -> Steps:
    """HEAD on icon paths has the status and headers of GET and no body, errors included."""
    path, _reply = yield from _first_image()
    for requested in ("/api/icons", path, _ABSENT_ICON):
        yield from expect_head(requested, ("content-type", "cache-control", *_EXPOSED))


@SUITE.check("icons.absent", "DS-ICON-06", "DS-ERROR-01", "DS-CORS-04")
def _absent_icon(_: Deployment) -> Steps:
    """An icon that the manifest does not list is 404, with the CORS headers of icons."""
    reply = yield from get(_ABSENT_ICON)
    expect_equal("status", reply.status, 404)
    expect(reply.json() == _NOT_FOUND, str(_NOT_FOUND), reply.body)
    _expect_exposed(reply)


def _expect_exposed(reply: Reply) -> None:
    exposed = list_items(reply.header("access-control-expose-headers"))
    expect_equal("Access-Control-Expose-Headers", exposed, _EXPOSED)


@SUITE.check(
    "icons.conditional", "DS-ICON-10", "DS-ICON-11", "DS-CACHE-03", "DS-CORS-01", "DS-CORS-04"
)
def _conditional(_: Deployment) -> Steps:
    """If-None-Match with the ETag of an icon is 304 without a body, also weak, listed, as `*`."""
    path, reply = yield from _first_image()
    tag = reply.header("etag")
    if tag is None:
        raise Unchecked("the assets have no ETag")
    yield from expect_conditions(path, tag, ("cache-control", "access-control-allow-origin"))


@SUITE.check("icons.modified-since", "DS-ICON-10", "DS-ICON-11")
def _modified_since(_: Deployment) -> Steps:
    """If-Modified-Since with Last-Modified is 304, and is ignored beside If-None-Match."""
    path, reply = yield from _first_image()
    modified = reply.header("last-modified")
    if modified is None:
        raise Unchecked("the assets have no Last-Modified")
    yield from expect_modified_since(path, modified)


@SUITE.check("icons.compressed", "DS-ICON-09", "DS-ICON-15")
def _compressed(_: Deployment) -> Steps:
    """A client that accepts compression gets the same validators, and the same image."""
    _path, plain = yield from _first_image()
    _path, reply = yield from _first_image(("Accept-Encoding", "gzip, br, zstd"))
    is_plain = reply.header("content-encoding") is None
    for name in _EXPOSED:
        if is_plain or reply.header(name) is None:
            expect_equal(name, reply.header(name), plain.header(name))
    expect(not is_plain or reply.body == plain.body, "the image", reply.body[:16])


@SUITE.check("icons.static", "DS-ICON-08")
def _static_icons(_: Deployment) -> Steps:
    """`/app-icons/` has the same manifest and images as static files."""
    manifest = yield from get("/api/icons")
    static = yield from get("/app-icons/index.json")
    expect_equal("status", static.status, 200)
    expect(static.json() == manifest.json(), "the manifest of /api/icons", static.body)
    path, image = yield from _first_image()
    copy = yield from get(path.replace("/api/icons/", "/app-icons/"))
    expect_equal("status", copy.status, 200)
    expect(copy.body == image.body, "the image of the API", copy.body[:16])


@SUITE.check("icons.validators", "DS-ICON-09", "DS-CORS-03", "DS-CORS-04")
def _icon_validators(_: Deployment) -> Steps:
    """An icon has the kinds of validators that its static file has, readable by any origin."""
    path, image = yield from _first_image()
    static = yield from get(path.replace("/api/icons/", "/app-icons/"))
    for name in ("ETag", "Last-Modified"):
        if static.status == 200 and static.header(name) is not None:
            expect(image.header(name) is not None, f"{name} as on the static file", image.headers)
    _expect_exposed(image)


@SUITE.check("icons.no-search", "DS-ICON-01", "DS-HTTP-06")
def _no_search(_: Deployment) -> Steps:
    """The manifest is the same whatever the query asks for."""
    whole = yield from get("/api/icons")
    for query in ("?q=zz", "?page=2&limit=1", "?app=Nothing"):
        reply = yield from get(f"/api/icons{query}")
        expect_equal("status", reply.status, whole.status)
        expect(reply.body == whole.body, "the whole manifest", reply.body)


@SUITE.check("icons.id-case", "DS-ICON-04", "DS-ICON-05", "DS-HTTP-01", "DS-HTTP-02")
def _id_case(_: Deployment) -> Steps:
    """The id of an icon in upper case is an unknown path for every method."""
    ids = [icon["id"] for icon in (yield from _icons())]
    others = [name.upper() for name in ids if name.upper() != name]
    if not others:
        raise Unchecked("no icon of the manifest has a letter in its id")
    for method in ("GET", "HEAD", "OPTIONS", "POST"):
        reply = yield from get(f"/api/icons/{others[0]}.png", method=method)
        expect_equal(f"status of {method} of {others[0]}", reply.status, 404)


# Reads after a write


@SUITE.check("reads.change-nothing", "DS-SERVICE-04", "DS-SERVICE-02", writes=True)
def _reads_change_nothing(deployment: Deployment) -> Steps:
    """Reads need no token, and leave the record and its deadline as they are."""
    written = yield from update(deployment)
    before = yield from read_back(deployment, "/api/now", written.result)
    yield Wait(1_100)
    for path in _READS:
        reply = yield from get(path)
        expect_equal(f"status of {path}", reply.status, 200)
    after = yield from read_back(deployment, "/api/now", written.result)
    expect(after.json() == before.json(), f"the body {before.body!r}", after.body)


@SUITE.check("reads.health-is-independent", "DS-HEALTH-02", writes=True)
def _health_independent(deployment: Deployment) -> Steps:
    """The health body is the same before and after a write, while offline, for any credentials."""
    before = yield from get("/api/health")
    now = yield from deployment.now()
    for path, body in (
        ("/api/update", snapshot(now)),
        ("/api/batch", window(now - 60_000, now - 10_000)),
    ):
        written = yield from write(path, body)
        yield from shows(deployment, written, "/api/now")
        after = yield from get("/api/health", _WRONG_TOKEN)
        expect_equal("status", after.status, before.status)
        expect(after.body == before.body, f"the body {before.body!r}", after.body)
