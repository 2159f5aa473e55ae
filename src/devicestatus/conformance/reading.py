"""Checks that need no write: paths, methods, headers, health, icons, badge, forms of responses."""

from collections.abc import Generator, Iterable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from typing import Any, Final

from devicestatus.conformance.bodies import nothing, snapshot, window
from devicestatus.conformance.deployment import (
    A_WHILE_MS,
    CATEGORIES,
    JSON_TYPE,
    OFFLINE,
    ONLINE_MODELS,
    SUITE,
    TIMELINE,
    Deployment,
    expect_model,
    expect_readable,
    post,
    read_back,
    shows,
    svg_texts,
    update,
    write,
)
from devicestatus.http.endpoints import ENDPOINTS
from devicestatus.responses import Health, IconManifest
from purewire.conformance.checks import (
    Action,
    Reply,
    Steps,
    Unchecked,
    Wait,
    expect,
    expect_body,
    expect_equal,
    expect_header,
    expect_status,
    testing,
)
from purewire.conformance.reads import (
    WITHOUT_EFFECT,
    expect_conditions,
    expect_head,
    expect_items,
    expect_modified_since,
    expect_same,
    get,
)
from purewire.http.conditional import http_date, parse_http_date
from purewire.instants import SECOND_MS, to_datetime
from purewire.json.codec import encode
from purewire.svg.text import xml_text


def paths_with(allow: str) -> tuple[str, ...]:
    """Return the paths of endpoints, aliases last, that support these methods besides OPTIONS."""
    paths = [endpoint.paths for endpoint in ENDPOINTS if endpoint.allow == f"{allow}, OPTIONS"]
    return (*(own for own, *_ in paths), *(alias for _, *rest in paths for alias in rest))


_NOT_FOUND: Final = {"error": "not_found"}
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH")
_ABSENT_ICON: Final = "/api/icons/no-such-icon-7f3a.png"
READS: Final = paths_with("GET")
WRITES: Final = paths_with("POST")
_ICONS: Final = ("/api/icons", _ABSENT_ICON)
_KNOWN: Final = (*READS, *WRITES, *_ICONS)
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_EXPOSED: Final = ("etag", "last-modified")
_ODD_PATHS: Final = (
    "/api/nothing-here",
    "/api/v1/now",
    "/api/icons/",
    "/api/icons/Upper.png",
    "/api/icons/two--hyphens.png",
    "/api/icons/-first.png",
    "/api/icons/last-.png",
    "/api/icons/under_score.png",
    "/api/icons/a.PNG",
    "/api/icons/a.svg",
    "/api/icons/a",
    "/api/icons/.png",
    "/api/icons/../now",
    "/api/icons/%61.png",
    "/api/icons/%C3%A9.png",
)


def _unlike(path: str) -> Iterator[str]:
    """Yield unknown paths that differ a little from a known one."""
    start, _, name = path.rpartition("/")
    yield f"{path}/"
    yield f"{start}//{name}"
    yield f"{start}/{name.upper()}"
    yield f"{start}/%{ord(name[0]):02x}{name[1:]}"
    yield f"/.{path}"
    yield f"{path}.json"
    if start:
        yield f"/API{path.removeprefix('/api')}"
        yield from {path.removeprefix("/api")} - {*_KNOWN}


def _named(paths: Iterable[str], *arguments: str) -> dict[str, tuple[str, ...]]:
    """Return cases of some paths, named as in the ids of checks."""
    cases = {}
    for path in paths:
        name = path.strip("/").replace("/", "-").replace(".", "-")
        name = name.removeprefix("api-").removesuffix("-png") if "icons" in path else name
        cases[name] = (path, *arguments)
    return cases


@SUITE.check("paths.{0}", "DS-HTTP-09", "DS-TOKEN-10", cases=_named(READS))
def _is_known(_: Deployment, path: str) -> Steps:
    """GET {1} needs no token."""
    reply = yield from get(path)
    expect_status(reply, 200, 503)


@SUITE.check("paths.like-{0}", "DS-HTTP-01", "DS-HTTP-02", "DS-HTTP-09", cases=_named(_KNOWN))
def _is_like_known(_: Deployment, path: str) -> Steps:
    """Every path that only resembles {1} is unknown."""
    for unlike in _unlike(path):
        alias = "DS-HTTP-09" if unlike == path.removeprefix("/api") else "DS-HTTP-01"
        with testing(alias):
            yield from _is_unknown(unlike, ("GET", "OPTIONS", "POST"))


@SUITE.check("paths.odd", "DS-HTTP-02", "DS-ICON-05", "DS-ICON-04", "DS-ERROR-01")
def _odd_paths(_: Deployment) -> Steps:
    """Unknown paths, and icon paths whose id has another form, are 404 for every method."""
    for path in _ODD_PATHS:
        with testing("DS-ICON-05" if "icons/" in path else "DS-HTTP-02"):
            yield from _is_unknown(path, (*_METHODS, "OPTIONS"))


def _is_unknown(path: str, methods: Iterable[str]) -> Steps:
    for method in methods:
        reply = yield from get(path, method=method)
        expect_status(reply, 404)
        if method == "HEAD":
            expect(not reply.body, "no body of HEAD", reply.body)
            continue
        expect_header(reply, "Content-Type", JSON_TYPE, rule="DS-HTTP-08")
        expect_body(reply, _NOT_FOUND, rule="DS-ERROR-01")


_OF_METHODS: Final = ("DS-HTTP-03", "DS-HTTP-04", "DS-ERROR-02", "DS-CORS-05")


@SUITE.check("methods.{0}", *_OF_METHODS, "DS-HTTP-05", cases=_named(READS, "GET, OPTIONS"))
@SUITE.check("methods.{0}", *_OF_METHODS, "DS-HTTP-05", cases=_named(WRITES, "POST, OPTIONS"))
@SUITE.check("methods.{0}", *_OF_METHODS, "DS-ICON-05", cases=_named(_ICONS, "GET, HEAD, OPTIONS"))
def _allows(_: Deployment, path: str, allowed: str) -> Steps:
    """{1} supports {2} only."""
    overriding = ("X-HTTP-Method-Override", allowed.split(", ", maxsplit=1)[0])
    for method in _METHODS:
        if method in allowed.split(", "):
            continue
        for headers in ((), (overriding,)):
            reply = yield from get(path, *headers, method=method)
            expect_status(reply, 405, rule="DS-HTTP-05" if method == "HEAD" else "DS-HTTP-03")
            expect_header(reply, "Allow", allowed, rule="DS-HTTP-04")
            if method == "HEAD":
                expect(not reply.body, "no body of HEAD", reply.body, rule="DS-HTTP-05")
            else:
                expect_body(reply, {"error": "method_not_allowed"}, rule="DS-HTTP-03")


@SUITE.check("cors.{0}", "DS-CORS-02", "DS-HTTP-07", cases=_named((*READS, *WRITES)))
@SUITE.check("cors.{0}", "DS-CORS-03", "DS-HTTP-07", "DS-ICON-05", cases=_named(_ICONS))
def _preflight(_: Deployment, path: str) -> Steps:
    """OPTIONS of {1} is 204 without a body, with its CORS headers, also from a browser."""
    of_browser = (
        ("Origin", "https://other.example"),
        ("Access-Control-Request-Method", "GET"),
        ("Access-Control-Request-Headers", "x-other"),
    )
    for headers in ((), of_browser, (WRONG_TOKEN,)):
        reply = yield from get(path, *headers, method="OPTIONS")
        expect_status(reply, 204, rule="DS-HTTP-07")
        expect(not reply.body, "no body of OPTIONS", reply.body, rule="DS-HTTP-07")
        _expect_lists(reply, _OF_ICONS if "icons" in path else _OF_STATUS)


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

_COMMON: Final = (
    ("Access-Control-Allow-Origin", "*", "DS-CORS-01"),
    ("Access-Control-Allow-Credentials", None, "DS-CORS-01"),
    ("X-Content-Type-Options", "nosniff", "DS-CACHE-04"),
    ("Referrer-Policy", "no-referrer", "DS-CACHE-04"),
)
_NO_STORE: Final = (
    ("Cache-Control", "no-store, max-age=0", "DS-CACHE-01"),
    ("CDN-Cache-Control", "no-store", "DS-CACHE-02"),
    ("Cloudflare-CDN-Cache-Control", "no-store", "DS-CACHE-02"),
)
_PREFLIGHT_ONLY: Final = (*_OF_STATUS, "Access-Control-Max-Age")
HEADER_RULES: Final = ("DS-CORS-01", "DS-CORS-04", *(f"DS-CACHE-0{n}" for n in range(1, 5)))


def expect_headers(reply: Reply, path: str, method: str) -> None:
    """Expect the headers that every response of a path has, by its method and status."""
    of_icons = (path.startswith("/api/icons") and reply.status != 404) or path == _ABSENT_ICON
    is_success = reply.status in {200, 304}
    expected = list(_COMMON)
    if of_icons and is_success:
        expected.append(("Cache-Control", "public, max-age=3600", "DS-CACHE-03"))
    elif not of_icons or method != "OPTIONS":
        expected += _NO_STORE
    if method != "OPTIONS" and not of_icons:
        expected += ((name, None, "DS-CORS-04") for name in _PREFLIGHT_ONLY)
    for name, value, rule in expected:
        expect_header(reply, name, value, rule=rule)
    if of_icons and method != "OPTIONS":
        _expect_exposed(reply)


@SUITE.check("headers.{0}", *HEADER_RULES, "DS-HTTP-08", cases=_named(_KNOWN))
def _headers_of(_: Deployment, path: str) -> Steps:
    """Every response of {1} has the headers for browsers and caches, whatever the method."""
    for method in ("GET", "OPTIONS", "DELETE", "HEAD"):
        reply = yield from get(path, method=method)
        expect_headers(reply, path, method)
        if reply.status >= 400:
            expect_header(reply, "Content-Type", JSON_TYPE, rule="DS-HTTP-08")


@SUITE.check("headers.unknown", *HEADER_RULES)
def _headers_of_unknown(_: Deployment) -> Steps:
    """404 has the headers of an error, also below the icons."""
    for path in ("/api/nothing-here", "/api/icons/Upper.png", "/nothing-here"):
        for method in ("GET", "OPTIONS"):
            expect_headers((yield from get(path, method=method)), path, method)


@SUITE.check("headers.unauthorized", *HEADER_RULES)
def _headers_of_401(deployment: Deployment) -> Steps:
    """401 has the headers of an error on every write path."""
    for path in filter(deployment.takes, WRITES):
        reply = yield from post(path, b"{}", authorized=False)
        expect_headers(reply, path, "POST")


_QUERIES: Final = (
    *("?pretty=1&status=offline", "?fields=service&callback=show", "?"),
    "?format=xml&token=x&t=0",
)
_CONDITIONS: Final = (
    ("If-None-Match", "*"),
    ("If-Modified-Since", "Fri, 31 Dec 9999 23:59:59 GMT"),
)


def _same_for_all(path: str, plain: Reply) -> Steps:
    """Expect that the response to GET depends on neither query nor headers, nor conditions."""
    lines = WITHOUT_EFFECT if "icons" in path else (*WITHOUT_EFFECT, *_CONDITIONS)
    requests = [(query, ()) for query in _QUERIES] + [("", (line,)) for line in lines]
    for query, headers in requests:
        reply = yield from get(f"{path}{query}", *headers)
        with testing("DS-HTTP-06" if query else "DS-CORS-05"):
            if path == TIMELINE and plain.object() != OFFLINE:
                expect_status(reply, plain.status)
                server_time = reply.object().get("server_time")
                expect_body(reply, {**plain.object(), "server_time": server_time})
            else:
                names = ("Content-Type", "Access-Control-Allow-Origin")
                expect_same(reply, plain, names, "the body without query and headers")


@SUITE.check("headers.independent", "DS-CORS-05", "DS-HTTP-06")
def _independent(_: Deployment) -> Steps:
    """Query, Origin, cookies and forwarded headers change neither health nor icons."""
    for path in ("/api/health", "/health", "/api/icons", _ABSENT_ICON):
        yield from _same_for_all(path, (yield from get(path)))


WRONG_TOKEN: Final = ("Authorization", f"Bearer {'x' * 40}")


@SUITE.check("token.not-for-reads", "DS-TOKEN-10", "DS-TOKEN-01")
def _not_for_reads(_: Deployment) -> Steps:
    """A wrong token on a read changes nothing."""
    for path in (*READS, "/api/icons"):
        expect_status((yield from get(path, WRONG_TOKEN)), 200)


# Forms


@SUITE.check("health.body", "DS-HEALTH-01", "DS-HTTP-08")
def _health_body(_: Deployment) -> Steps:
    """`/api/health` has ok true and the name of the service, and nothing else."""
    for path in ("/api/health", "/health"):
        expect_model((yield from get(path)), Health)


_SHAPES: Final = ("/api/now", "/now", *CATEGORIES, TIMELINE)
_OF_MEMBERS: Final = ("DS-PROJECTION-09", "DS-TIME-05")
_RULES_OF_SHAPES: Final = {
    **dict.fromkeys(("/api/now", "/now"), ("DS-NOW-01", "DS-HTTP-08", *_OF_MEMBERS)),
    **{
        path: ("DS-SLICE-01", "DS-HTTP-08", "DS-SLICE-03", *_OF_MEMBERS, f"DS-SLICE-0{number}")
        for number, path in enumerate(CATEGORIES, 4)
    },
    TIMELINE: (
        *("DS-TIMELINE-01", "DS-HTTP-08", "DS-TIMELINE-03", "DS-TIMELINE-04"),
        *("DS-POLICY-07", "DS-TIME-05"),
    ),
}


def _form(path: str, _: Deployment) -> Steps:
    reply = yield from get(path)
    expect_status(reply, 200)
    expect_readable(reply, path)


def _form_online(path: str, deployment: Deployment) -> Steps:
    now = yield from deployment.now()
    bodies = (snapshot(now), nothing(now), window(now - 880_000, now - 10_000))
    for body in bodies:
        is_window = body["schema_version"] == 2
        write_path = "/api/batch" if is_window else "/api/update"
        if not deployment.takes(write_path):
            continue
        yield from post(write_path, encode(body))
        with testing("DS-TIMELINE-03" if path == TIMELINE and not is_window else ""):
            yield from _form(path, deployment)


for _path in _SHAPES:
    _name = _path.strip("/").replace("/", "-")
    _rules = _RULES_OF_SHAPES[_path]
    _title = f"{_path} is exactly offline, or has its members only"
    SUITE.add(f"shape.{_name}", f"{_title}, as it is found", _rules, partial(_form, _path))
    SUITE.add(
        f"shape.online-{_name}",
        f"{_title}, after writes",
        _rules,
        partial(_form_online, _path),
        writes=True,
    )


@SUITE.check("badge.svg", "DS-HTTP-08", "DS-BADGE-05", "DS-BADGE-09")
def _badge_is_svg(_: Deployment) -> Steps:
    """The badge is well-formed SVG with its media type and content security policy."""
    policy = "default-src 'none'; style-src 'none'; sandbox"
    for path in ("/api/badge.svg", "/badge.svg"):
        reply = yield from get(path)
        expect_status(reply, 200)
        expect_header(reply, "Content-Type", "image/svg+xml; charset=utf-8", rule="DS-HTTP-08")
        expect_header(reply, "Content-Security-Policy", policy, rule="DS-BADGE-09")
        with testing("DS-BADGE-05"):
            svg_texts(reply)


@SUITE.check("badge.label", "DS-CONFIG-07", "DS-HEALTH-01")
def _badge_label(_: Deployment) -> Steps:
    """The label of the badge is the name in the health body."""
    health = yield from get("/api/health")
    name = health.object().get("service")
    expect(isinstance(name, str), "a name as the member service", health.body)
    shown = (yield from get("/api/badge.svg")).body.decode("utf-8", "replace")
    expect(xml_text(str(name)) in shown, f"an SVG with the text {name}", shown)


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
    expect_header(reply, "Cache-Control", "public, max-age=3600")


@SUITE.check(
    "icons.manifest",
    *("DS-MANIFEST-02", "DS-MANIFEST-01", "DS-MANIFEST-04", "DS-ICON-02", "DS-HTTP-08"),
)
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
        expect_status(reply, 200)
        expect_header(reply, "Content-Type", "image/png")
        expect(reply.body.startswith(_PNG), "a PNG", reply.body[:16])
        digest = sha256(reply.body).hexdigest()
        expect_equal("SHA-256", digest, icon.get("sha256", digest))
        _expect_cached(reply)


_SAME_FOR_HEAD: Final = (
    *("content-type", "content-length", "cache-control", "access-control-expose-headers"),
    *("access-control-allow-origin", "x-content-type-options", "referrer-policy", *_EXPOSED),
)


@SUITE.check(
    "icons.as-resource",
    *(
        "DS-ICON-03",
        "DS-CORS-03",
        "DS-HTTP-08",
        *HEADER_RULES,
        "DS-HTTP-03",
        "DS-HTTP-04",
        "DS-HTTP-07",
    ),
)
def _as_resource(deployment: Deployment) -> Steps:
    """An icon that exists has the methods, the preflight and the headers of one that does not."""
    path, _reply = yield from _first_image()
    yield from _headers_of(deployment, path)
    with testing("DS-CORS-03"):
        yield from _preflight(deployment, path)
    with testing("DS-HTTP-03"):
        yield from _allows(deployment, path, "GET, HEAD, OPTIONS")


@SUITE.check("icons.head", "DS-HTTP-14", "DS-CACHE-03")
def _head_of_icons(_: Deployment) -> Steps:
    """HEAD on icon paths has the status and headers of GET and no body, errors included."""
    path, _reply = yield from _first_image()
    for requested in ("/api/icons", path, _ABSENT_ICON):
        yield from expect_head(requested, _SAME_FOR_HEAD)


@SUITE.check("icons.absent", "DS-ICON-06", "DS-ERROR-01", "DS-CORS-04")
def _absent_icon(_: Deployment) -> Steps:
    """An icon that the manifest does not list is 404, with the CORS headers of icons."""
    reply = yield from get(_ABSENT_ICON, ("If-None-Match", "*"))
    expect_status(reply, 404)
    expect_body(reply, _NOT_FOUND, rule="DS-ERROR-01")
    _expect_exposed(reply)


def _expect_exposed(reply: Reply) -> None:
    _expect_lists(reply, _OF_ICONS, "DS-CORS-04")


def _expect_lists(reply: Reply, lists: Mapping[str, str], rule: str = "") -> None:
    for name, value in lists.items():
        expect_items(reply, name, value, rule=rule)


_KEPT: Final = (
    "cache-control",
    "access-control-allow-origin",
    "access-control-expose-headers",
    "etag",
)


@SUITE.check(
    "icons.conditional", "DS-ICON-11", "DS-ICON-10", "DS-CACHE-03", "DS-CORS-01", "DS-CORS-04"
)
def _conditional(_: Deployment) -> Steps:
    """If-None-Match with the ETag of an icon is 304 without a body, also weak, listed, as `*`."""
    path, reply = yield from _first_image()
    manifest = yield from get("/api/icons")
    tags = {path: reply.header("etag"), "/api/icons": manifest.header("etag")}
    if tags[path] is None:
        raise Unchecked("the assets have no ETag")
    for requested, tag in [(path, tag) for path, tag in tags.items() if tag is not None]:
        yield from expect_conditions(requested, tag, _KEPT)
        for lines in (
            (("If-None-Match", tag), ("Cache-Control", "no-cache")),
            (("If-None-Match", '"x"'), ("If-None-Match", tag)),
            (("If-None-Match", tag), ("If-Modified-Since", _LONG_AGO)),
        ):
            unmodified = yield from get(requested, *lines)
            expect_status(unmodified, 304)
            expect_headers(unmodified, requested, "GET")


_LONG_AGO: Final = "Thu, 01 Jan 1970 00:00:00 GMT"


@SUITE.check("icons.modified-since", "DS-ICON-11", "DS-ICON-10")
def _modified_since(_: Deployment) -> Steps:
    """If-Modified-Since with Last-Modified is 304, and is ignored beside If-None-Match."""
    path, reply = yield from _first_image()
    modified = reply.header("last-modified")
    instant = None if modified is None else parse_http_date(modified)
    if modified is None or instant is None:
        raise Unchecked("the assets have no Last-Modified")
    yield from expect_modified_since(path, modified)
    with testing("DS-ICON-11"):
        for moved, status in ((SECOND_MS, 304), (-SECOND_MS, 200)):
            date = http_date(instant + moved)
            expect_status((yield from get(path, ("If-Modified-Since", date))), status)
        at = to_datetime(instant)
        for form in (f"{at:%A, %d-%b-%y %H:%M:%S} GMT", f"{at:%a %b} {at.day:2} {at:%H:%M:%S %Y}"):
            expect_status((yield from get(path, ("If-Modified-Since", form))), 304)


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
    expect_status(static, 200)
    expect(static.json() == manifest.json(), "the manifest of /api/icons", static.body)
    path, image = yield from _first_image()
    copy = yield from get(path.replace("/api/icons/", "/app-icons/"))
    expect_status(copy, 200)
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
        expect_status(reply, whole.status)
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
        expect_status(reply, 404)


# Reads after a write


@SUITE.check("reads.change-nothing", "DS-SERVICE-04", "DS-SERVICE-02", writes=True)
def _reads_change_nothing(deployment: Deployment) -> Steps:
    """Reads need no token, and leave the record and its deadline as they are."""
    written = yield from update(deployment)
    before = yield from read_back(deployment, "/api/now", written.result)
    yield Wait(A_WHILE_MS)
    for path in READS:
        reply = yield from get(path)
        expect_status(reply, 200)
    after = yield from read_back(deployment, "/api/now", written.result)
    expect(after.json() == before.json(), f"the body {before.body!r}", after.body)


@SUITE.check("reads.independent", "DS-CORS-05", "DS-HTTP-06", writes=True)
def _reads_independent(deployment: Deployment) -> Steps:
    """Query, Origin, cookies and conditions change no status that is online."""
    written = yield from update(deployment)
    for path in READS:
        if path in ONLINE_MODELS:
            yield from read_back(deployment, path, written.result)
        yield from _same_for_all(path, (yield from get(path)))


@SUITE.check("reads.health-is-independent", "DS-HEALTH-02", writes=True)
def _health_independent(deployment: Deployment) -> Steps:
    """The health body is the same before and after a write, while offline, for any credentials."""
    before = yield from get("/api/health")
    now = yield from deployment.now()
    for path, body in (
        ("/api/update", snapshot(now)),
        ("/api/batch", window(now - 60_000, now - 10_000)),
    ):
        if not deployment.takes(path):
            continue
        written = yield from write(path, body)
        yield from shows(deployment, written, "/api/now")
        after = yield from get("/api/health", WRONG_TOKEN)
        expect_status(after, before.status)
        expect(after.body == before.body, f"the body {before.body!r}", after.body)
