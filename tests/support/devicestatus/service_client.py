"""A day of a deployment: one request for every endpoint that uses the store, and its clock."""

import json
from typing import Any, Final

import attrs

from devicestatus import Settings
from devicestatus.adapters.application import asgi_app, wsgi_app
from devicestatus.store_contract import AnyStore
from support.devicestatus.examples import JSON_HEADERS, NOON, TOKEN, body, snapshot, window
from support.servers.servers import Answer
from support.status_contracts.gateways import call_asgi, call_wsgi

STATUS_PATHS: Final = (
    "/api/now",
    "/api/timeline",
    "/api/music",
    "/api/apps/active",
    "/api/apps/running",
    "/api/device",
    "/api/badge.svg",
    "/now",
    "/badge.svg",
)
"""Every path whose GET reads the store."""
WRITE_PATHS: Final = ("/api/update", "/api/batch", "/update")
"""Every path whose POST writes it."""
OFFLINE: Final = b'{"status":"offline"}'
UNAVAILABLE: Final = b'{"error":"service_unavailable"}'


def numbered(number: int, at: int) -> bytes:
    """Return the body of a snapshot that shows its number at both ends and in between."""
    mark = f"{number:06}"
    names = tuple(f"{mark}/{each}/{'x' * 180}" for each in range(number % 60))
    song = {"state": "playing", "track": mark, "artist": mark}
    value: dict[str, Any] = json.loads(body(snapshot(collected_at=at, active_app=mark)))
    return body(value | {"running_apps": names, "music": song})


def number_in(value: dict[str, Any]) -> int:
    """Return the number of a numbered snapshot; raises AssertionError where it is not one whole."""
    marks = {value["active_app"], value["music"]["track"], value["music"]["artist"]}
    marks |= {name.split("/")[0] for name in value["running_apps"]}
    (mark,) = marks
    assert len(value["running_apps"]) == int(mark) % 60
    return int(mark)


@attrs.define
class ServiceClient:
    """One application over a store, without pages, asked in process; `now` is its clock."""

    store: AnyStore | None
    kind: str = "asgi"
    settings: Settings = attrs.field(factory=lambda: Settings(TOKEN))
    now: int = NOON
    _app: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Make the application once, as a deployment does."""
        create: Any = asgi_app if self.kind == "asgi" else wsgi_app
        self._app = create(self.settings, store=self.store, clock=lambda: self.now, page=None)

    def ask(self, method: str, path: str, content: bytes = b"") -> Answer:
        """Send one request."""
        call = call_asgi if self.kind == "asgi" else call_wsgi
        return call(self._app, method, path.encode(), JSON_HEADERS, [content] if content else [])

    def get(self, path: str) -> Answer:
        """Send a GET."""
        return self.ask("GET", path)

    def post(self, path: str, content: bytes) -> Answer:
        """Send a POST."""
        return self.ask("POST", path, content)


def day() -> list[tuple[str, str, bytes]]:
    """Return the requests of a day in which each endpoint that uses the store is called."""
    reads = [("GET", path, b"") for path in STATUS_PATHS]
    short = body(window(window_end=NOON + 60_000))
    return [
        *reads[:2],
        ("POST", "/api/update", numbered(31, NOON)),
        *reads[2:5],
        ("GET", "/api/health", b""),
        ("POST", "/api/update", b"{"),
        ("POST", "/api/batch", short),
        *reads[:2],
        ("POST", "/update", numbered(27, NOON)),
        *reads,
    ]
