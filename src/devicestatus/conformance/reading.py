"""Checks that only read: paths, methods, headers, health, icons, badge, shapes of responses."""

from collections.abc import Generator
from functools import partial
from hashlib import sha256
from typing import Any, Final

import attrs

from devicestatus.conformance.deployment import (
    JSON_TYPE,
    OFFLINE,
    SUITE,
    Deployment,
    expect_model,
    get,
    post,
    svg_texts,
)
from devicestatus.models.responses import (
    ActiveAppStatus,
    DeviceStatus,
    Health,
    IconManifest,
    MusicStatus,
    OnlineStatus,
    RunningAppsStatus,
    SnapshotTimelineStatus,
    WindowStatus,
)
from purewire.conformance.checks import Effect, Reply, Send, Steps, Unchecked, expect, expect_equal

_NO_STORE: Final = "no-store, max-age=0"
_READS: Final = (
    "/api/now",
    "/api/timeline",
    "/api/music",
    "/api/apps/active",
    "/api/apps/running",
    "/api/device",
    "/api/badge.svg",
    "/api/health",
    "/now",
    "/badge.svg",
    "/health",
)
_WRITES: Final = ("/api/update", "/api/batch", "/update")
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
_ABSENT_ICON: Final = "/api/icons/no-such-icon-7f3a.png"
_ONLINE: Final[dict[str, type[attrs.AttrsInstance]]] = {
    "/api/now": OnlineStatus,
    "/now": OnlineStatus,
    "/api/music": MusicStatus,
    "/api/apps/active": ActiveAppStatus,
    "/api/apps/running": RunningAppsStatus,
    "/api/device": DeviceStatus,
}


def _is_known(path: str, _: Deployment) -> Steps:
    reply = yield from get(path)
    expect(reply.status in {200, 503}, "status 200, or 503 if the store fails", reply.status)
    expect_equal("Cache-Control", reply.header("cache-control"), _NO_STORE)
    expect_equal("CDN-Cache-Control", reply.header("cdn-cache-control"), "no-store")


def _is_unknown(path: str, _: Deployment) -> Steps:
    for method in ("GET", "OPTIONS", "PUT"):
        reply = yield from get(path, method=method)
        expect_equal(f"status of {method}", reply.status, 404)
        expect_equal("Content-Type", reply.header("content-type"), JSON_TYPE)
        expect(reply.json() == {"error": "not_found"}, '{"error": "not_found"}', reply.body)


def _allows(path: str, allowed: str, refused: tuple[str, ...], _: Deployment) -> Steps:
    for method in refused:
        reply = yield from get(path, method=method)
        expect_equal(f"status of {method}", reply.status, 405)
        expect_equal("Allow", reply.header("allow"), allowed)
        if method == "HEAD":
            expect(not reply.body, "no body", reply.body)
        else:
            error = {"error": "method_not_allowed"}
            expect(reply.json() == error, '{"error": "method_not_allowed"}', reply.body)


def _preflight(path: str, expected: tuple[tuple[str, str], ...], _: Deployment) -> Steps:
    reply = yield from get(path, method="OPTIONS")
    expect_equal("status", reply.status, 204)
    expect(not reply.body, "no body", reply.body)
    expect_equal("Access-Control-Allow-Origin", reply.header("access-control-allow-origin"), "*")
    for name, value in expected:
        expect_equal(name, _listed(reply.header(name)), _listed(value))


def _listed(value: str | None) -> tuple[str, ...]:
    """Return the items of a list header in a comparable form; their order and case are free."""
    return tuple(sorted(item.strip().lower() for item in (value or "").split(",")))


def _add_paths() -> None:
    for path in _READS:
        name = path.strip("/").replace("/", "-").replace(".", "-")
        rules = ("DS-HTTP-09", "DS-CACHE-01", "DS-TOKEN-10")
        title = f"GET {path} needs no token and is not cached"
        SUITE.add(f"paths.{name}", title, rules, partial(_is_known, path))
        refused = ("HEAD", "POST", "PUT", "DELETE", "PATCH")
        SUITE.add(
            f"methods.{name}",
            f"{path} supports GET and OPTIONS only",
            ("DS-HTTP-03", "DS-HTTP-04", "DS-HTTP-05", "DS-ERROR-02"),
            partial(_allows, path, "GET, OPTIONS", refused),
        )
    for path in _WRITES:
        name = path.strip("/").replace("/", "-")
        refused = ("GET", "HEAD", "PUT", "DELETE", "PATCH")
        SUITE.add(
            f"methods.{name}",
            f"{path} supports POST and OPTIONS only",
            ("DS-HTTP-03", "DS-HTTP-04", "DS-HTTP-05"),
            partial(_allows, path, "POST, OPTIONS", refused),
        )
    for path in ("/api/icons", _ABSENT_ICON):
        SUITE.add(
            f"methods.{path[5:].replace('/', '-').removesuffix('.png')}",
            f"{path} supports GET, HEAD and OPTIONS only",
            ("DS-HTTP-03", "DS-HTTP-04", "DS-ICON-05"),
            partial(_allows, path, "GET, HEAD, OPTIONS", ("POST", "PUT", "DELETE")),
        )
    for number, path in enumerate(_UNKNOWN_PATHS, 1):
        SUITE.add(
            f"paths.unknown-{number}",
            f"{path} is an unknown path",
            ("DS-HTTP-01", "DS-HTTP-02", "DS-ICON-05") if "icons/" in path else _UNKNOWN,
            partial(_is_unknown, path),
        )
    status = (
        ("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
        ("Access-Control-Allow-Headers", "Authorization, Content-Type"),
    )
    icons = (
        ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
        ("Access-Control-Allow-Headers", "If-None-Match, If-Modified-Since"),
        ("Access-Control-Expose-Headers", "ETag, Last-Modified"),
    )
    for path in (*_READS, *_WRITES):
        name = path.strip("/").replace("/", "-").replace(".", "-")
        rules = ("DS-HTTP-07", "DS-CORS-02", "DS-CORS-01")
        title = f"OPTIONS {path} is 204 with the CORS headers"
        SUITE.add(f"cors.{name}", title, rules, partial(_preflight, path, status))
    for path in ("/api/icons", _ABSENT_ICON):
        name = path[5:].replace("/", "-").removesuffix(".png")
        title = f"OPTIONS {path} is 204 with the CORS headers of icons"
        steps = partial(_preflight, path, icons)
        SUITE.add(f"cors.{name}", title, ("DS-HTTP-07", "DS-CORS-03"), steps)


_UNKNOWN: Final = ("DS-HTTP-01", "DS-HTTP-02", "DS-HTTP-09")
_add_paths()


@SUITE.check("headers.all", "DS-CORS-01", "DS-CACHE-04")
def _common_headers(_: Deployment) -> Steps:
    """Every response allows all origins and has the security headers."""
    paths = ("/api/now", "/api/health", "/api/badge.svg", "/api/icons", "/api/nothing-here")
    for path in paths:
        for method in ("GET", "OPTIONS"):
            reply = yield from get(path, method=method)
            for name, value in (
                ("Access-Control-Allow-Origin", "*"),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
            ):
                expect_equal(f"{name} of {method} {path}", reply.header(name), value)
            allowed = reply.header("access-control-allow-credentials")
            expect(allowed is None, "no Access-Control-Allow-Credentials", allowed)


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
        for name in ("Access-Control-Allow-Methods", "Access-Control-Allow-Headers"):
            expect(reply.header(name) is None, f"no {name} on GET {path}", reply.header(name))


@SUITE.check("headers.independent", "DS-CORS-05", "DS-HTTP-06")
def _independent(_: Deployment) -> Steps:
    """Query, Origin, cookies and forwarded headers change nothing."""
    plain = yield from get("/api/health")
    for path, *headers in (
        ("/api/health?pretty=1&status=offline", ()),
        ("/api/health?fields=service&callback=show", ()),
        ("/api/health", ("Origin", "https://other.example")),
        ("/api/health", ("Cookie", "session=1")),
        ("/api/health", ("X-Forwarded-Host", "other.example")),
        ("/api/health", ("X-HTTP-Method-Override", "DELETE")),
    ):
        reply = yield from get(path, *(line for line in headers if line))
        expect_equal("status", reply.status, plain.status)
        expect(reply.body == plain.body, f"the body {plain.body!r}", reply.body)
        origin = reply.header("access-control-allow-origin")
        expect_equal("Access-Control-Allow-Origin", origin, "*")


@SUITE.check("token.not-for-reads", "DS-TOKEN-01", "DS-TOKEN-10", "DS-HTTP-07")
def _not_for_reads(_: Deployment) -> Steps:
    """A wrong token on a read or on OPTIONS changes nothing."""
    wrong = ("Authorization", f"Bearer {'x' * 40}")
    for method, path, status in (("GET", "/api/now", 200), ("OPTIONS", "/api/update", 204)):
        reply: Reply = yield Send(method, path, (wrong,))
        expect_equal(f"status of {method} {path}", reply.status, status)


@SUITE.check("health.body", "DS-HEALTH-01", "DS-HTTP-08")
def _health_body(_: Deployment) -> Steps:
    """`/api/health` has ok true and the name of the service, and nothing else."""
    reply = yield from get("/api/health")
    expect_model(reply, Health)


def _has_shape(path: str, model: type[attrs.AttrsInstance], _: Deployment) -> Steps:
    reply = yield from get(path)
    expect_equal("status", reply.status, 200)
    expect_equal("Content-Type", reply.header("content-type"), JSON_TYPE)
    if reply.object() != OFFLINE:
        expect_model(reply, model)


for _path, _model in _ONLINE.items():
    SUITE.add(
        f"shape.{_path.strip('/').replace('/', '-')}",
        f"{_path} is exactly offline, or has the members of {_model.__name__} only",
        ("DS-HTTP-08", *(("DS-NOW-01",) if "now" in _path else ("DS-SLICE-01", "DS-SLICE-03"))),
        partial(_has_shape, _path, _model),
    )


@SUITE.check(
    "shape.api-timeline", "DS-HTTP-08", "DS-TIMELINE-01", "DS-TIMELINE-03", "DS-TIMELINE-04"
)
def _timeline_shape(_: Deployment) -> Steps:
    """`/api/timeline` is exactly offline, or a window or snapshot with its members only."""
    reply = yield from get("/api/timeline")
    shown = reply.object()
    if shown != OFFLINE:
        expect_equal("mode", shown.get("mode"), "window", "snapshot")
        is_window = shown["mode"] == "window"
        expect_model(reply, WindowStatus if is_window else SnapshotTimelineStatus)


@SUITE.check("badge.svg", "DS-HTTP-08", "DS-BADGE-05", "DS-BADGE-09")
def _badge_is_svg(_: Deployment) -> Steps:
    """The badge is well-formed SVG with its media type and content security policy."""
    reply = yield from get("/api/badge.svg")
    expect_equal("status", reply.status, 200)
    expect_equal("Content-Type", reply.header("content-type"), "image/svg+xml; charset=utf-8")
    policy = "default-src 'none'; style-src 'none'; sandbox"
    expect_equal("Content-Security-Policy", reply.header("content-security-policy"), policy)
    svg_texts(reply)


@SUITE.check("icons.manifest", "DS-ICON-02", "DS-MANIFEST-01", "DS-MANIFEST-02", "DS-MANIFEST-04")
def _manifest(_: Deployment) -> Steps:
    """`/api/icons` is the manifest, cacheable for an hour."""
    reply = yield from get("/api/icons")
    for icon in expect_model(reply, IconManifest).icons:
        expect_equal("imageUrl", icon.imageUrl, f"/api/icons/{icon.id}.png")
    _expect_cached(reply)


@SUITE.check(
    "icons.images", "DS-ICON-03", "DS-ICON-15", "DS-MANIFEST-07", "DS-CACHE-03", "DS-HTTP-08"
)
def _images(_: Deployment) -> Steps:
    """Every icon of the manifest is a PNG with the digest of the manifest, at most 10 are read."""
    icons = yield from _listed_icons()
    for icon in icons[:10]:
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
    icons = yield from _listed_icons()
    for path in ("/api/icons", icons[0]["imageUrl"], _ABSENT_ICON):
        full = yield from get(path)
        head = yield from get(path, method="HEAD")
        expect_equal("status", head.status, full.status)
        expect(not head.body, "no body", head.body)
        for name in ("content-type", "cache-control", "etag", "last-modified"):
            expect_equal(name, head.header(name), full.header(name))


@SUITE.check("icons.absent", "DS-ICON-06", "DS-ERROR-01", "DS-CORS-04")
def _absent_icon(_: Deployment) -> Steps:
    """An icon that the manifest does not list is 404, with the CORS headers of icons."""
    reply = yield from get(_ABSENT_ICON)
    expect_equal("status", reply.status, 404)
    expect(reply.json() == {"error": "not_found"}, '{"error": "not_found"}', reply.body)
    exposed = _listed(reply.header("access-control-expose-headers"))
    expect_equal("Access-Control-Expose-Headers", exposed, ("etag", "last-modified"))


@SUITE.check("icons.conditional", "DS-ICON-10", "DS-ICON-11", "DS-CACHE-03", "DS-CORS-01")
def _conditional(_: Deployment) -> Steps:
    """If-None-Match with the ETag of an icon is 304 without a body, also weak, listed, as `*`."""
    icons = yield from _listed_icons()
    path = icons[0]["imageUrl"]
    tag = (yield from get(path)).header("etag")
    if tag is None:
        raise Unchecked("the assets have no ETag")
    opaque = tag.removeprefix("W/")
    for value, status in (
        (tag, 304),
        (f"W/{opaque}", 304),
        (f'"other", {opaque}', 304),
        ("*", 304),
        ('"other"', 200),
    ):
        reply = yield from get(path, ("If-None-Match", value))
        expect_equal(f"status for If-None-Match: {value}", reply.status, status)
        if status == 304:
            expect(not reply.body, "no body", reply.body)
            _expect_cached(reply)
            origin = reply.header("access-control-allow-origin")
            expect_equal("Access-Control-Allow-Origin", origin, "*")


@SUITE.check("icons.compressed", "DS-ICON-09", "DS-ICON-15")
def _compressed(_: Deployment) -> Steps:
    """A client that accepts compression gets the same validators, and the same image."""
    icons = yield from _listed_icons()
    path = icons[0]["imageUrl"]
    plain = yield from get(path)
    reply = yield from get(path, ("Accept-Encoding", "gzip, br, zstd"))
    for name in ("etag", "last-modified"):
        expected = plain.header(name)
        actual = reply.header(name)
        if reply.header("content-encoding") is None or actual is None:
            expect_equal(name, actual, expected)
    if reply.header("content-encoding") is None:
        expect(reply.body == plain.body, "the image", reply.body[:16])


@SUITE.check("icons.modified-since", "DS-ICON-10", "DS-ICON-11")
def _modified_since(_: Deployment) -> Steps:
    """If-Modified-Since with Last-Modified is 304, and is ignored beside If-None-Match."""
    icons = yield from _listed_icons()
    path = icons[0]["imageUrl"]
    modified = (yield from get(path)).header("last-modified")
    if modified is None:
        raise Unchecked("the assets have no Last-Modified")
    since = ("If-Modified-Since", modified)
    reply = yield from get(path, since)
    expect_equal("status", reply.status, 304)
    reply = yield from get(path, since, ("If-None-Match", '"other"'))
    expect_equal("status", reply.status, 200)


@SUITE.check("icons.static", "DS-ICON-08")
def _static_icons(_: Deployment) -> Steps:
    """`/app-icons/` has the same manifest and images as static files."""
    manifest_reply = yield from get("/api/icons")
    static = yield from get("/app-icons/index.json")
    expect_equal("status", static.status, 200)
    expect(static.json() == manifest_reply.json(), "the manifest of /api/icons", static.body)
    icons = yield from _listed_icons()
    image = yield from get(icons[0]["imageUrl"])
    copy = yield from get(f"/app-icons/{icons[0]['id']}.png")
    expect_equal("status", copy.status, 200)
    expect(copy.body == image.body, "the image of the API", copy.body[:16])


def _listed_icons() -> Generator[Effect, Any, list[dict[str, Any]]]:
    reply = yield from get("/api/icons")
    value = reply.json() if reply.status == 200 else None
    icons = value.get("icons") if isinstance(value, dict) else None
    if not icons:
        raise Unchecked("the manifest lists no icon")
    listed: list[dict[str, Any]] = icons
    for icon in listed:
        path = icon.get("imageUrl")
        is_path = isinstance(path, str) and path.startswith("/api/icons/")
        expect(is_path, "imageUrl of the form /api/icons/<id>.png", path)
    return listed


def _expect_cached(reply: Reply) -> None:
    expect_equal("Cache-Control", reply.header("cache-control"), "public, max-age=3600")
