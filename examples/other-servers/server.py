"""A device-status server that shares no code with this project: only the standard library.

It shows that the contract can be implemented without the packages, and that the kit tests it:

    INGEST_TOKEN=... python server.py 8000
    devicestatus conformance http://127.0.0.1:8000 --write

The record is kept in memory. See README.md beside this file for what it leaves out.
"""

import base64
import hashlib
import hmac
import json
import math
import os
import re
import socket
import sys
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import formatdate, parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import unquote
from xml.sax.saxutils import escape

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MAX_INTEGER = 9007199254740991
BLANKS = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
INVISIBLE = re.compile(
    f"[{BLANKS}\x00-\x20\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]*"
)
POLICY = {
    "upload_interval_seconds": 300,
    "window_seconds": 900,
    "playback_delay_seconds": 420,
    "poll_interval_seconds": 60,
    "sample_interval_seconds": 2,
    "metrics_interval_seconds": 30,
}
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mOQywsgCTGMahjVMHw1AADEwNwBbpyxFwAAAABJRU5E"
    "rkJggg=="
)


# Reading a body


class Refused(Exception):
    """The request is refused with a status and a code."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status, self.code = status, code


class Invalid(Exception):
    """A value breaks a rule of the contract."""


Rule = Callable[[Any], Any]
"""Returns the value to keep; raises Invalid."""


def require(condition: object) -> None:
    """Raise Invalid unless the condition is true."""
    if not condition:
        raise Invalid


def record(required: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None) -> Rule:
    """Return the rule of an object with these members and no others."""
    rules = {**required, **(optional or {})}

    def check(value: Any) -> Any:
        require(isinstance(value, dict) and required.keys() <= value.keys() <= rules.keys())
        return {name: rules[name](value[name]) for name in value}

    return check


def number(low: int, high: int, *, whole: bool = False) -> Rule:
    """Return the rule of a number in a range; 1.0 is the integer 1."""

    def check(value: Any) -> Any:
        require(isinstance(value, (int, float)) and not isinstance(value, bool))
        require(low <= value <= high and not (whole and value % 1))
        return int(value) if whole or not value else value

    return check


def text(longest: int) -> Rule:
    """Return the rule of a text of 1 to `longest` code points without control characters."""

    def check(value: Any) -> Any:
        require(isinstance(value, str) and 1 <= len(value) <= longest)
        require(not re.search(r"[\x00-\x1f\x7f]", value))
        return value

    return check


def one_of(*values: object) -> Rule:
    """Return the rule of a value that is one of a few; true is not 1."""

    def check(value: Any) -> Any:
        require(value in values and isinstance(value, bool) == isinstance(values[0], bool))
        return value

    return check


def nullable(rule: Rule) -> Rule:
    """Return the rule of a value that may be null."""
    return lambda value: None if value is None else rule(value)


def array(rule: Rule, most: int) -> Rule:
    """Return the rule of an array of at most `most` items."""

    def check(value: Any) -> Any:
        require(isinstance(value, list) and len(value) <= most)
        return [rule(item) for item in value]

    return check


def timestamp(digits: str) -> Rule:
    """Return the rule of a timestamp with a pattern for its fraction; keep three digits of it.

    Timestamps that were kept are in order exactly when their texts are.
    """
    pattern = rf"(\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d){digits}Z"

    def check(value: Any) -> Any:
        match = re.fullmatch(pattern, value, re.ASCII) if isinstance(value, str) else None
        require(match)
        assert match is not None
        try:
            datetime.fromisoformat(match[1])
        except ValueError:
            raise Invalid from None
        return f"{match[1]}.{(match[2] or '').ljust(3, '0')}Z"

    return check


def is_catalog_url(url: str, is_host: Callable[[str], bool]) -> bool:
    """Check a URL of the music catalog, parsed as browsers do."""
    match = re.fullmatch(r"(?i:https):[/\\]*([^/\\?#]*).*", url, re.DOTALL)
    if not match or len(url) > 2048 or url != url.strip(BLANKS):
        return False
    user, _, place = match[1].rpartition("@")
    host, colon, port = place.partition(":")
    try:
        name = unquote(host, errors="strict").encode("idna").decode().lower()
    except UnicodeError:
        return False
    if re.search(r"[\x00-\x20\x7f#%/:<>?@\[\\\]^|]", name):
        return False
    is_default_port = (
        not colon or not port or (port.isascii() and port.isdigit() and int(port) == 443)
    )
    return not user.strip(":") and is_default_port and "" not in name.split(".") and is_host(name)


def music(value: Any) -> Any:
    """Check the rules between the members of music."""
    value = MUSIC(value)
    artwork, track = value.get("artwork_url"), value.get("track_url")
    require(("artwork_url" in value) == ("track_url" in value))
    require((artwork is None) == (track is None))
    if artwork is not None:
        require(value["state"] in {"playing", "paused"})
        require((value["track"] or "").strip(BLANKS) and (value["artist"] or "").strip(BLANKS))
        domain = "." + os.environ.get("CATALOG_ARTWORK_DOMAIN", "mzstatic.com")
        hosts = os.environ.get("CATALOG_TRACK_HOSTS", "music.apple.com,itunes.apple.com").split(",")
        require(is_catalog_url(artwork, lambda host: host.endswith(domain)))
        require(is_catalog_url(track, lambda host: host in hosts))
    return value


def running_apps(value: Any) -> Any:
    """Check the names of running apps: at most 64, all different."""
    names = array(text(200), 64)(value)
    require(len({*names}) == len(names))
    return names


def changes(value: Any) -> Any:
    """Check the changes of an event: at least one."""
    kept = record({}, PARTS)(value)
    require(kept)
    return kept


def session_id(value: Any) -> Any:
    """Check a UUID in lower case."""
    kept = text(36)(value)
    require(re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", kept))
    return kept


UTC_TIMESTAMP = timestamp(r"(?:\.(\d{1,3}))?")
MILLISECOND_TIMESTAMP = timestamp(r"\.(\d{3})")
LOAD = nullable(number(0, 100_000))
MUSIC = record(
    {
        "state": one_of("playing", "paused", "stopped", "unavailable"),
        "track": nullable(text(500)),
        "artist": nullable(text(500)),
    },
    {"artwork_url": nullable(text(2048)), "track_url": nullable(text(2048))},
)
REQUIRED_PARTS: dict[str, Rule] = {
    "active_app": nullable(text(200)),
    "battery": record(
        {
            "percent": nullable(number(0, 100)),
            "charging": nullable(one_of(True, False)),  # noqa: FBT003
            "power_source": one_of("ac", "battery", "unknown"),
        }
    ),
    "system": record({"load_1m": LOAD, "load_5m": LOAD, "load_15m": LOAD}),
    "music": music,
}
OPTIONAL_PARTS: dict[str, Rule] = {"running_apps": running_apps}
PARTS = REQUIRED_PARTS | OPTIONAL_PARTS


def snapshot_rule(collected_at: Rule) -> Rule:
    """Return the rule of a snapshot."""
    return record(
        {
            "schema_version": number(1, 1, whole=True),
            "collected_at": collected_at,
            **REQUIRED_PARTS,
        },
        OPTIONAL_PARTS,
    )


SNAPSHOT = snapshot_rule(UTC_TIMESTAMP)
WINDOW = record(
    {
        "schema_version": number(2, 2, whole=True),
        "session_id": session_id,
        "batch_seq": number(1, MAX_INTEGER, whole=True),
        "generated_at": MILLISECOND_TIMESTAMP,
        "window_start": MILLISECOND_TIMESTAMP,
        "window_end": MILLISECOND_TIMESTAMP,
        "baseline": snapshot_rule(MILLISECOND_TIMESTAMP),
        "events": array(
            record(
                {
                    "seq": number(1, MAX_INTEGER, whole=True),
                    "at": MILLISECOND_TIMESTAMP,
                    "changes": changes,
                }
            ),
            2048,
        ),
        "gaps": array(
            record(
                {
                    "start_at": MILLISECOND_TIMESTAMP,
                    "end_at": MILLISECOND_TIMESTAMP,
                    "reason": one_of("sleep", "restart", "collection", "overflow", "clock"),
                }
            ),
            128,
        ),
        "dropped_events": number(0, MAX_INTEGER, whole=True),
    }
)


def milliseconds(instant: str) -> int:
    """Return a timestamp as milliseconds since the epoch."""
    return (datetime.fromisoformat(instant) - EPOCH) // timedelta(milliseconds=1)


def instant(ms: int) -> str:
    """Return milliseconds since the epoch as a timestamp."""
    moment = EPOCH + timedelta(milliseconds=ms)
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def parse_snapshot(value: Any, now: int) -> tuple[Any, int]:
    """Return a valid snapshot and its deadline."""
    kept = SNAPSHOT(value)
    require(abs(milliseconds(kept["collected_at"]) - now) <= 120_000)
    return kept, now + lifetime_seconds() * 1000


def parse_window(value: Any, now: int) -> tuple[Any, int]:
    """Return a valid window and its deadline."""
    kept = WINDOW(value)
    start, end, made = kept["window_start"], kept["window_end"], kept["generated_at"]
    require(start <= end <= made and milliseconds(end) - milliseconds(start) <= 900_000)
    require(milliseconds(made) - milliseconds(end) <= 30_000)
    require(abs(milliseconds(made) - now) <= 120_000)
    require(kept["baseline"]["collected_at"] == start)
    events, gaps = kept["events"], kept["gaps"]
    require(all(start <= event["at"] <= end for event in events))
    require(all(a["seq"] < b["seq"] and a["at"] <= b["at"] for a, b in pairwise(events)))
    require(all(start <= gap["start_at"] < gap["end_at"] <= end for gap in gaps))
    require(all(a["end_at"] <= b["start_at"] for a, b in pairwise(gaps)))
    return kept, milliseconds(end) + 600_000


def parse_json(body: bytes) -> Any:
    """Return the value of JSON text (RFC 8259).

    Raises:
        Refused: it is not JSON text.
        Invalid: it is, and cannot be part of a valid value.

    """

    def constant(name: str) -> None:
        raise ValueError(name)

    def number(text: str) -> float:
        found = float(text)
        return int(found) if found.is_integer() else found

    try:
        content = body.removeprefix(b"\xef\xbb\xbf").decode()
        value = json.loads(
            content,
            parse_constant=constant,
            parse_float=number,
            parse_int=lambda digits: int(digits) if len(digits) < 400 else math.inf,
        )
        json.dumps(value, ensure_ascii=False).encode()  # fails for a lone surrogate
    except RecursionError:  # nested deeper than anyone sends: either code is right
        raise Refused(400, "invalid_json") from None
    except UnicodeEncodeError:
        raise Invalid from None
    except ValueError:
        raise Refused(400, "invalid_json") from None
    return value


# What readers see


class Stored(NamedTuple):
    """The record: a valid snapshot or window, its receive time and its deadline in ms."""

    data: Any
    received_at: int
    expires_at: int


class Status(NamedTuple):
    """What readers see at an instant: a snapshot, the deadline, and playback of a window."""

    snapshot: Any
    expires_at: int
    playback: Mapping[str, object] | None


def status_at(stored: Stored | None, now: int) -> Status | None:
    """Return what readers see; None for offline."""
    if stored is None or now >= stored.expires_at:
        return None
    data = stored.data
    if data["schema_version"] == 1:
        return Status(data, stored.expires_at, None)
    at, end = instant(now - 420_000), data["window_end"]
    in_gap = any(gap["start_at"] <= at < gap["end_at"] for gap in data["gaps"])
    if in_gap or not data["window_start"] <= at < end:
        return None
    state = data["baseline"]
    for event in data["events"]:
        if event["at"] <= at:
            state = {**state, **event["changes"], "collected_at": event["at"]}
    playback = {"mode": "delayed", "delay_seconds": 420, "at": at, "window_end": end}
    return Status(state, milliseconds(end) + 420_000, playback)


def envelope(status: Status, received_at: int) -> dict[str, object]:
    """Return the members that all online bodies have."""
    members: dict[str, object] = {
        "status": "online",
        "updated_at": instant(received_at),
        "expires_at": instant(status.expires_at),
    }
    if status.playback is not None:
        members["playback"] = status.playback
    return members


def app_with_icon(name: str | None) -> dict[str, object] | None:
    """Return an app for the category endpoints."""
    if name is None:
        return None
    wanted = same_name(name)
    found: str | None = None
    if wanted != "system":
        found = next((icon for icon, names in ICON_NAMES if wanted in names), None)
    return {
        "name": name,
        "icon_url": found and f"/app-icons/{found}.png",
        "icon_api_url": found and f"/api/icons/{found}.png",
    }


def same_name(name: str) -> str:
    """Return a name in the form in which names are compared."""
    folded = unicodedata.normalize("NFKC", name)
    return " ".join(re.split(f"[{BLANKS}]+", folded.strip(BLANKS))).lower()


CATEGORIES: dict[str, Callable[[Any], dict[str, object]]] = {
    "/api/music": lambda seen: {
        "music": {"artwork_url": None, "track_url": None, **seen["music"]},
    },
    "/api/apps/active": lambda seen: {"active_app": app_with_icon(seen["active_app"])},
    "/api/apps/running": lambda seen: {
        "running_apps": [app_with_icon(name) for name in seen["running_apps"]]
        if "running_apps" in seen
        else None
    },
    "/api/device": lambda seen: {
        "device": {"battery": seen["battery"], "system": seen["system"]},
    },
}


def timeline(stored: Stored | None, now: int) -> dict[str, object]:
    """Return the body of the timeline."""
    if stored is None or now >= stored.expires_at:
        return {"status": "offline"}
    body: dict[str, object] = {
        "status": "online",
        "server_time": instant(now),
        "updated_at": instant(stored.received_at),
        "expires_at": instant(stored.expires_at),
    }
    if stored.data["schema_version"] == 1:
        return {**stored.data, **body, "mode": "snapshot"}
    return {**body, "mode": "window", "policy": POLICY, "window": stored.data}


def shown(text: str | None) -> str | None:
    """Return the text, or None for one of which nothing is visible."""
    return None if text is None or INVISIBLE.fullmatch(text) else text


def badge(status: Status | None) -> str:
    """Return the badge as SVG."""
    content = "offline"
    if status is not None:
        song = status.snapshot["music"]
        app, track, artist = map(
            shown, (status.snapshot["active_app"], song["track"], song["artist"])
        )
        content = app or "online"
        if song["state"] == "playing" and track:
            content = f"♫ {track}" + (f" — {artist}" if artist else "")
    if len(content) > 64:
        content = content[:61] + "…"
    content = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", content)
    left, right = service_name(), content
    widths = [20 + sum(map(width, part)) for part in (left, right)]
    color = "#555" if status is None else "#1f684e"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{sum(widths)}" height="20" role="img" '
        f'aria-label="{escape(f"{left}: {right}", {chr(34): "&quot;"})}">'
        f'<rect width="{widths[0]}" height="20" fill="#333"/>'
        f'<rect x="{widths[0]}" width="{widths[1]}" height="20" fill="{color}"/>'
        f'<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">'
        f'<text x="10" y="14">{escape(left)}</text>'
        f'<text x="{widths[0] + 10}" y="14">{escape(right)}</text></g></svg>'
    )


def width(character: str) -> int:
    """Return about how many pixels a character takes."""
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 12 if unicodedata.east_asian_width(character) in {"W", "F"} else 7


# Icons and settings

MANIFEST: dict[str, Any] = {
    "version": 1,
    "icons": [
        {
            "id": "terminal",
            "app": "Terminal",
            "aliases": ["Terminal", "Console"],
            "imageUrl": "/api/icons/terminal.png",
            "source": "installed-app",
            "credit": "Drawn for this example",
            "sourceUrl": None,
            "sha256": hashlib.sha256(base64.b64decode(PNG)).hexdigest(),
        }
    ],
}
ICON_NAMES = [
    (icon["id"], {same_name(name) for name in (icon["app"], *icon["aliases"])})
    for icon in MANIFEST["icons"]
]
ASSETS = {
    "index.json": (json.dumps(MANIFEST).encode(), "application/json; charset=utf-8"),
    "terminal.png": (base64.b64decode(PNG), "image/png"),
}
STARTED = int(time.time())


def lifetime_seconds() -> int:
    """Return how long a snapshot is valid.

    Raises:
        Refused: the setting is wrong.

    """
    policy = os.environ.get("STATUS_TTL_SECONDS", "60")
    seconds = {"eco": "180", "realtime": "60"}.get(policy, policy)
    if not re.fullmatch("[1-9][0-9]{1,3}", seconds) or not 60 <= int(seconds) <= 3600:
        raise Refused(503, "service_unavailable")
    return int(seconds)


def service_name() -> str:
    """Return the name of the service."""
    return os.environ.get("SERVICE_NAME", "device-status")


# HTTP


class Response(NamedTuple):
    """A response; `headers` are those beside the ones that every response has."""

    status: int
    body: bytes = b""
    content_type: str = ""
    headers: Sequence[tuple[str, str]] = ()


JSON = "application/json; charset=utf-8"
NO_STORE = (
    ("Cache-Control", "no-store, max-age=0"),
    ("CDN-Cache-Control", "no-store"),
    ("Cloudflare-CDN-Cache-Control", "no-store"),
)
CORS = (
    ("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
    ("Access-Control-Allow-Headers", "Authorization, Content-Type"),
)
ICON_CORS = (
    ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
    ("Access-Control-Allow-Headers", "If-None-Match, If-Modified-Since"),
    ("Access-Control-Expose-Headers", "ETag, Last-Modified"),
)
LEGACY = {"/update", "/now", "/badge.svg", "/health"}
WRITES = {"/api/update": (16_384, parse_snapshot), "/api/batch": (524_288, parse_window)}
READS = {"/api/now", "/api/timeline", "/api/badge.svg", "/api/health", *CATEGORIES}
PAGES = {"/", "/api"}


class Handler(BaseHTTPRequestHandler):
    """Responds to requests; the record is an attribute of the class."""

    protocol_version = "HTTP/1.1"
    timeout = 30
    stored: Stored | None = None
    body_is_read = True

    def __getattr__(self, name: str) -> Callable[[], None]:
        """Handle every method alike."""
        if name.startswith("do_"):
            return self.respond
        raise AttributeError(name)

    def respond(self) -> None:
        """Respond to a request."""
        target = re.sub("^https?://[^/]*", "", self.requestline.split(" ")[1])
        path = target.partition("?")[0]
        path = f"/api{path}" if path in LEGACY else path
        has_body = {"content-length", "transfer-encoding"} & {name.lower() for name in self.headers}
        self.body_is_read = not has_body or self.headers.get("content-length") == "0"
        is_icon = path == "/api/icons" or re.fullmatch(
            "/api/icons/[a-z0-9]+(-[a-z0-9]+)*[.]png", path
        )
        try:
            response = self.icon(path) if is_icon else self.answer(path)
        except Refused as refused:
            extra = {
                401: (("WWW-Authenticate", "Bearer"),),
                405: (("Allow", self.allowed(path, is_icon=bool(is_icon))),),
            }.get(refused.status, ())
            body = json.dumps({"error": refused.code}).encode()
            cors = ICON_CORS if is_icon else ()
            response = Response(refused.status, body, JSON, [*NO_STORE, *cors, *extra])
        self.send(response)

    @staticmethod
    def allowed(path: str, *, is_icon: bool) -> str:
        """Return the methods of a path."""
        if is_icon or path.startswith("/app-icons/"):
            return "GET, HEAD, OPTIONS"
        return "POST, OPTIONS" if path in WRITES else "GET, OPTIONS"

    def icon(self, path: str) -> Response:
        """Respond to a request of an icon endpoint."""
        if self.command == "OPTIONS":
            return Response(204, headers=[*NO_STORE, *ICON_CORS])
        if self.command not in {"GET", "HEAD"}:
            raise Refused(405, "method_not_allowed")
        name = "index.json" if path == "/api/icons" else path.removeprefix("/api/icons/")
        return self.asset(name, ICON_CORS)

    def asset(self, name: str, cors: Sequence[tuple[str, str]]) -> Response:
        """Respond with a file of the icons, or 304."""
        if name not in ASSETS:
            raise Refused(404, "not_found")
        body, content_type = ASSETS[name]
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        headers = [
            ("Cache-Control", "public, max-age=3600"),
            ("ETag", tag),
            ("Last-Modified", formatdate(STARTED, usegmt=True)),
            *cors,
        ]
        tags = self.headers.get_all("if-none-match")
        since = self.headers.get("if-modified-since")
        unchanged = False
        if tags is not None:
            given = re.findall(r'(?:W/)?("[^"]*")', ",".join(tags))
            unchanged = tag in given or "*" in [each.strip() for each in tags]
        elif since is not None:
            with suppress(ValueError):
                unchanged = parsedate_to_datetime(since).timestamp() >= STARTED
        return (
            Response(304, headers=headers)
            if unchanged
            else Response(200, body, content_type, headers)
        )

    def answer(self, path: str) -> Response:
        """Respond to a request of any other path, in the contract's order of checks."""
        if path.startswith("/app-icons/") and self.command in {"GET", "HEAD"}:
            return self.asset(path.removeprefix("/app-icons/"), ())
        if path not in WRITES and path not in READS and path not in PAGES:
            raise Refused(404, "not_found")
        if self.command == "OPTIONS":
            return Response(204, headers=[*NO_STORE, *CORS])
        if self.command != ("POST" if path in WRITES else "GET"):
            raise Refused(405, "method_not_allowed")
        if path in PAGES:
            page = f"<!doctype html><title>{escape(service_name())}</title>".encode()
            return Response(200, page, "text/html; charset=utf-8", NO_STORE)
        if path == "/api/health":
            return json_response({"ok": True, "service": service_name()})
        lifetime_seconds()
        if path in WRITES:
            return json_response(self.write(*WRITES[path]))
        stored, now = Handler.stored, now_ms()
        status = status_at(stored, now)
        if path == "/api/timeline":
            return json_response(timeline(stored, now))
        if path == "/api/badge.svg":
            policy = ("Content-Security-Policy", "default-src 'none'; style-src 'none'; sandbox")
            content_type = "image/svg+xml; charset=utf-8"
            return Response(200, badge(status).encode(), content_type, [*NO_STORE, policy])
        if status is None or stored is None:
            return json_response({"status": "offline"})
        members = envelope(status, stored.received_at)
        if path == "/api/now":
            return json_response({**status.snapshot, **members})
        collected_at = status.snapshot["collected_at"]
        data = CATEGORIES[path](status.snapshot)
        return json_response({**members, "collected_at": collected_at, **data})

    def write(self, limit: int, parse: Callable[[Any, int], tuple[Any, int]]) -> object:
        """Check and store a body; return the result."""
        token = os.environ.get("INGEST_TOKEN", "")
        if not 32 <= len(token) <= 1024 or re.search(r"\s", token):
            raise Refused(503, "service_unavailable")
        given = [line.encode("latin-1") for line in self.headers.get_all("authorization", [])]
        if len(given) != 1 or not hmac.compare_digest(given[0], b"Bearer " + token.encode()):
            raise Refused(401, "unauthorized")
        body = self.read_body(limit)
        now = now_ms()
        try:
            data, expires_at = parse(parse_json(body), now)
        except Invalid:
            raise Refused(400, "invalid_payload") from None
        Handler.stored = Stored(data, now, expires_at)
        return {"ok": True, "updated_at": instant(now), "expires_at": instant(expires_at)}

    def read_body(self, limit: int) -> bytes:
        """Return the body of a write."""
        types = self.headers.get_all("content-type", [])
        media_type = types[0].partition(";")[0] if len(types) == 1 else ""
        if media_type.strip().lower() != "application/json":
            raise Refused(415, "unsupported_media_type")
        lengths = {length.strip() for length in self.headers.get_all("content-length", [])}
        if len(lengths) > 1 or not all(re.fullmatch("[0-9]+", length) for length in lengths):
            raise Refused(413, "payload_too_large")
        length = min(int(next(iter(lengths), "0")[:12]), limit + 1)
        if length > limit:
            raise Refused(413, "payload_too_large")
        coding = ",".join(self.headers.get_all("content-encoding", []))
        if coding.strip().lower() not in {"", "identity"}:
            raise Refused(415, "unsupported_media_type")
        chunked = "chunked" in self.headers.get("transfer-encoding", "").lower()
        body = self.read_chunks(limit) if chunked else self.rfile.read(length)
        self.body_is_read = True
        return body

    def read_chunks(self, limit: int) -> bytes:
        """Return a body in chunks (RFC 9112)."""
        body = b""
        try:
            while size := int(self.rfile.readline(1000).partition(b";")[0], 16):
                if size < 0 or len(body) + size > limit:
                    raise Refused(413, "payload_too_large")
                body += self.rfile.read(size)
                self.rfile.readline(1000)
        except ValueError:
            raise Refused(400, "invalid_json") from None
        while self.rfile.readline(1000).strip():
            pass
        return body

    def send(self, response: Response) -> None:
        """Send a response; close the connection where a body was left unread."""
        self.send_response(response.status)
        headers = [
            ("Access-Control-Allow-Origin", "*"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            *response.headers,
        ]
        if response.content_type:
            headers.append(("Content-Type", response.content_type))
        if response.status not in {204, 304}:
            headers.append(("Content-Length", str(len(response.body))))
        if not self.body_is_read:
            headers.append(("Connection", "close"))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body)
        if not self.body_is_read:
            # Closing with unread bytes would reset the connection before the response arrives.
            self.connection.settimeout(1)
            with suppress(OSError):
                self.connection.shutdown(socket.SHUT_WR)
                left = 1 << 20
                while left > 0 and (part := self.connection.recv(65536)):
                    left -= len(part)


def json_response(value: object) -> Response:
    """Return a response with a JSON body."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(200, body, JSON, NO_STORE)


def now_ms() -> int:
    """Return the time, ms since the epoch."""
    return time.time_ns() // 1_000_000


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    with suppress(KeyboardInterrupt):
        server.serve_forever()
