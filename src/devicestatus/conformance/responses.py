"""Checks of what responses contain: no traces of requests, equal deadlines, manifest, badge."""

from typing import Any, Final
from xml.etree import ElementTree as ET

from devicestatus.conformance.bodies import encode, snapshot
from devicestatus.conformance.deployment import SUITE, Deployment, get, post, read_back, write
from purewire.conformance.checks import Reply, Send, Steps, Unchecked, Wait, expect, expect_equal
from purewire.instants import format_instant
from purewire.svg.text import xml_text

_MARK: Final = "conformance-mark-5d1e"
_CATEGORIES: Final = ("/api/music", "/api/apps/active", "/api/apps/running", "/api/device")
_READS: Final = ("/api/now", "/api/timeline", *_CATEGORIES, "/api/badge.svg", "/api/health")
_SOURCE_URL: Final = "https://"


@SUITE.check("errors.quote-nothing", "DS-ERROR-03", "DS-ERROR-01")
def _quote_nothing(_: Deployment) -> Steps:
    """No error has a part of the path, the headers or the body of its request."""
    line = ("X-Request-Id", _MARK)
    wrong = ("Authorization", f"Bearer {_MARK}")
    body = f'{{"{_MARK}": 1}}'.encode()
    replies = []
    for path, method in ((f"/api/{_MARK}", "GET"), (f"/api/now?{_MARK}", "DELETE")):
        replies.append((yield from get(path, line, method=method)))
    replies.append((yield from post("/api/update", body, line, wrong, authorized=False)))
    for reply in replies:
        _expect_no_mark(reply)


def _expect_no_mark(reply: Reply) -> None:
    text = reply.body.decode("utf-8", "replace") + repr(reply.headers)
    expect(_MARK not in text, f"an error without the text {_MARK} of the request", text)


@SUITE.check("body.length-form", "DS-BODY-05", "DS-BODY-06", writes=True)
def _length_form(deployment: Deployment) -> Steps:
    """A Content-Length that is no number, or two that differ, is 413, or 400 of an HTTP server."""
    now = yield from deployment.now()
    body = encode(snapshot(now))
    size = str(len(body))
    for lines in (("abc",), (f"+{size}",), ("-1",), (f"{size}.0",), (size, str(len(body) - 1))):
        headers = [("Content-Length", line) for line in lines]
        reply = yield from post("/api/update", body, *headers)
        expect_equal(f"status for the lengths {lines}", reply.status, 413, 400)


@SUITE.check("body.media-type-repeated", "DS-BODY-08", "DS-BODY-04", writes=True)
def _media_type_repeated(deployment: Deployment) -> Steps:
    """Two Content-Type lines are 415, or 400 of an HTTP server."""
    now = yield from deployment.now()
    reply = yield from post(
        "/api/update", encode(snapshot(now)), ("Content-Type", "application/json")
    )
    expect_equal("status", reply.status, 415, 400)


@SUITE.check("body.coding-empty", "DS-BODY-07", writes=True)
def _coding_empty(deployment: Deployment) -> Steps:
    """An empty Content-Encoding counts as absent."""
    now = yield from deployment.now()
    reply = yield from post("/api/update", encode(snapshot(now)), ("Content-Encoding", ""))
    expect_equal("status", reply.status, 200)


@SUITE.check(
    "update.refreshes", "DS-UPDATE-01", "DS-UPDATE-02", "DS-CONFIG-03", "DS-SERVICE-03", writes=True
)
def _refreshes(deployment: Deployment) -> Steps:
    """A write of the same content sets the deadline anew."""
    now = yield from deployment.now()
    body = encode(snapshot(now))
    first = yield from write("/api/update", body)
    yield Wait(1_100)
    second = yield from write("/api/update", body)
    later = second.updated_at - first.updated_at
    expect(later >= 1_000, "updated_at a second later", f"{later} ms later")
    expect_equal("lifetime in ms", second.expires_at - first.expires_at, later)
    reply = yield from read_back(deployment, "/api/now", second)
    expect_equal("expires_at", reply.object().get("expires_at"), format_instant(second.expires_at))


@SUITE.check("reads.change-nothing", "DS-SERVICE-04", "DS-SERVICE-02", writes=True)
def _reads_change_nothing(deployment: Deployment) -> Steps:
    """Reads need no token, and leave the record and its deadline as they are."""
    now = yield from deployment.now()
    result = yield from write("/api/update", encode(snapshot(now)))
    before = yield from read_back(deployment, "/api/now", result)
    yield Wait(1_100)
    for path in _READS:
        reply = yield from get(path)
        expect_equal(f"status of {path}", reply.status, 200)
    after = yield from read_back(deployment, "/api/now", result)
    expect(after.json() == before.json(), f"the body {before.body!r}", after.body)


@SUITE.check("categories.times", "DS-SLICE-02", "DS-SLICE-11", "DS-NOW-03", writes=True)
def _times_of_categories(deployment: Deployment) -> Steps:
    """Every category of a snapshot has the times of the write and of the collection."""
    now = yield from deployment.now()
    result = yield from write("/api/update", encode(snapshot(now - 30_000)))
    expected = {
        "updated_at": format_instant(result.updated_at),
        "expires_at": format_instant(result.expires_at),
        "collected_at": format_instant(now - 30_000),
    }
    for path in _CATEGORIES:
        reply = yield from read_back(deployment, path, result)
        shown = {name: reply.object().get(name) for name in expected}
        expect(shown == expected, f"{path} with {expected!r}", shown)


@SUITE.check("reads.health-is-independent", "DS-HEALTH-02", writes=True)
def _health_independent(deployment: Deployment) -> Steps:
    """The health body is the same before and after a write, and with any credentials."""
    before = yield from get("/api/health")
    now = yield from deployment.now()
    yield from write("/api/update", encode(snapshot(now)))
    wrong = ("Authorization", f"Bearer {'x' * 40}")
    after: Reply = yield Send("GET", "/api/health", (wrong,))
    expect_equal("status", after.status, before.status)
    expect(after.body == before.body, f"the body {before.body!r}", after.body)


@SUITE.check("icons.no-search", "DS-ICON-01", "DS-HTTP-06")
def _no_search(_: Deployment) -> Steps:
    """The manifest is the same whatever the query asks for."""
    whole = yield from get("/api/icons")
    for query in ("?q=zz", "?page=2&limit=1", "?app=Nothing"):
        reply = yield from get(f"/api/icons{query}")
        expect_equal("status", reply.status, whole.status)
        expect(reply.body == whole.body, "the whole manifest", reply.body)


@SUITE.check("icons.members", "DS-MANIFEST-03", "DS-MANIFEST-05", "DS-MANIFEST-06", "DS-ICON-04")
def _icon_members(_: Deployment) -> Steps:
    """Every icon has an app, aliases, a credit, the constant source, and a source URL or null."""
    reply = yield from get("/api/icons")
    for icon in _icons(reply):
        aliases = icon.get("aliases")
        texts = [
            icon.get("app"),
            icon.get("credit"),
            *(aliases if isinstance(aliases, list) else ()),
        ]
        is_text = all(isinstance(text, str) and text for text in texts)
        expect(is_text, "app, credit and aliases that are not empty", icon)
        expect(len(texts) > 2, "at least one alias", icon)
        expect_equal("source", icon.get("source"), "installed-app")
        url = icon.get("sourceUrl")
        is_url = url is None or (isinstance(url, str) and url.lower().startswith(_SOURCE_URL))
        expect(is_url, "a sourceUrl that is null or an https URL", icon)
        name = icon["id"]
        parts = name.split("-")
        is_id = name.isascii() and name == name.lower() and all(map(str.isalnum, parts))
        expect(is_id, "an id of lower-case letters, digits and single hyphens", name)


@SUITE.check("icons.id-case", "DS-ICON-04", "DS-ICON-05", "DS-HTTP-01", "DS-HTTP-02")
def _id_case(_: Deployment) -> Steps:
    """The id of an icon in upper case is an unknown path for every method."""
    reply = yield from get("/api/icons")
    icons = [icon for icon in _icons(reply) if icon["id"].upper() != icon["id"]]
    if not icons:
        raise Unchecked("no icon of the manifest has a letter in its id")
    path = f"/api/icons/{icons[0]['id'].upper()}.png"
    for method in ("GET", "HEAD", "OPTIONS", "POST"):
        reply = yield from get(path, method=method)
        expect_equal(f"status of {method} {path}", reply.status, 404)


@SUITE.check("icons.validators", "DS-ICON-09", "DS-CORS-03", "DS-CORS-04")
def _icon_validators(_: Deployment) -> Steps:
    """An icon has the kinds of validators that its static file has, readable by any origin."""
    reply = yield from get("/api/icons")
    icon = _icons(reply)[0]
    static = yield from get(f"/app-icons/{icon['id']}.png")
    image = yield from get(f"/api/icons/{icon['id']}.png")
    for name in ("ETag", "Last-Modified"):
        if static.status == 200 and static.header(name) is not None:
            expect(image.header(name) is not None, f"{name} as on the static file", image.headers)
    exposed = image.header("access-control-expose-headers") or ""
    names = sorted(name.strip().lower() for name in exposed.split(","))
    expect_equal("Access-Control-Expose-Headers", names, ["etag", "last-modified"])


def _icons(reply: Reply) -> list[dict[str, Any]]:
    value = reply.json() if reply.status == 200 else None
    icons = value.get("icons") if isinstance(value, dict) else None
    if not isinstance(icons, list) or not icons:
        raise Unchecked("the manifest lists no icon")
    for icon in icons:
        is_icon = isinstance(icon, dict) and isinstance(icon.get("id"), str)
        expect(is_icon, "an object with an id", icon)
    return icons


@SUITE.check("badge.label", "DS-CONFIG-07", "DS-HEALTH-01")
def _badge_label(_: Deployment) -> Steps:
    """The label of the badge is the name in the health body."""
    health = yield from get("/api/health")
    name = str(health.object().get("service"))
    reply = yield from get("/api/badge.svg")
    shown = reply.body.decode("utf-8", "replace")
    expect(xml_text(name) in shown, f"an SVG with the text {name}", shown)


@SUITE.check("badge.width", "DS-BADGE-06", writes=True)
def _badge_width(deployment: Deployment) -> Steps:
    """The badge is wider for wide characters, and not for characters without a width."""
    widths = {}
    for name, text in (("narrow", "i" * 40), ("wide", "漢" * 40), ("combining", "i\u0301" * 20)):
        now = yield from deployment.now()
        result = yield from write("/api/update", encode(snapshot(now, active_app=text)))
        yield from read_back(deployment, "/api/now", result)
        reply = yield from get("/api/badge.svg")
        widths[name] = _width(reply)
    narrow, wide, combining = widths["narrow"], widths["wide"], widths["combining"]
    expect(wide >= narrow + 40 * 5, "at least 5 px more for each of 40 CJK characters", widths)
    expect(combining <= narrow, "no more for 20 combined letters than for 40 letters", widths)


def _width(reply: Reply) -> float:
    """Return the width of an SVG: of its root, or of its view box."""
    try:
        root = ET.fromstring(reply.body)  # noqa: S314 - badge.svg refuses a document type
        box = (root.get("viewBox") or "0 0 0 0").split()
        return float((root.get("width") or box[2]).removesuffix("px"))
    except (ET.ParseError, ValueError, IndexError):
        raise Unchecked("the width of the badge is not a number", inconclusive=True) from None
