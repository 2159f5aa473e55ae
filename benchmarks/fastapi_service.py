"""A port of the service to FastAPI and pydantic: same rules, same stored bytes, same responses.

It is written for speed: bodies go to pydantic as bytes, responses are encoded by pydantic and sent
as they are; nothing is awaited but the body.  The badge is drawn by our function.
`/api/declared` takes a window as `/api/batch` does, but lets FastAPI read the body, which is what
its manual shows.
"""

import secrets
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, Literal

from device_data import (
    READERS,
    REFUSALS,
    PBattery,
    PMusic,
    PSnapshot,
    PSystem,
    PWindow,
    hold_window_object,
)
from fastapi import FastAPI, Request, Response
from msgspec import UNSET
from pydantic import BaseModel, ConfigDict

from devicestatus import badge, limits
from devicestatus.adapters.memory import MemoryStore
from devicestatus.deadlines import projection_deadline, window_deadline
from status_contracts.exchange import Clock
from status_contracts.instants import format_instant, parse_millisecond
from status_contracts.messages import COMMON, JSON, NO_STORE, SVG

__all__ = ["FastApiService", "PRecord", "decoded"]

OFFLINE: Final = b'{"status":"offline"}'
HEADERS: Final = {**dict(COMMON), **dict(NO_STORE), "Content-Type": JSON}


class PRecord(BaseModel):
    """What is stored."""

    model_config = ConfigDict(strict=True, extra="forbid")

    received_at: int
    data: PWindow
    expires_at: int


class PPlayback(BaseModel):
    """Where the delayed projection stands."""

    mode: Literal["delayed"]
    delay_seconds: int
    at: str
    window_end: str


class PNow(PSnapshot):
    """The body of `/api/now`."""

    status: Literal["online"]
    updated_at: str
    expires_at: str
    playback: PPlayback


class PView(BaseModel):
    """The members that the bodies of all categories have."""

    status: Literal["online"]
    updated_at: str
    expires_at: str
    collected_at: str
    playback: PPlayback


class PMusicView(PView):
    """The body of `/api/music`."""

    music: PMusic


class PApp(BaseModel):
    """An app with its icon."""

    name: str
    icon_url: str | None
    icon_api_url: str | None


class PActiveAppView(PView):
    """The body of `/api/apps/active`."""

    active_app: PApp


class PRunningAppsView(PView):
    """The body of `/api/apps/running`."""

    running_apps: list[PApp]


class PDevice(BaseModel):
    """What `/api/device` has of the device."""

    battery: PBattery
    system: PSystem


class PDeviceView(PView):
    """The body of `/api/device`."""

    device: PDevice


class PHealth(BaseModel):
    """The body of `/api/health`."""

    ok: bool
    service: str


class PPolicy(BaseModel):
    """The constants of buffered playback."""

    upload_interval_seconds: int
    window_seconds: int
    playback_delay_seconds: int
    poll_interval_seconds: int
    sample_interval_seconds: int
    metrics_interval_seconds: int


class PTimeline(BaseModel):
    """The body of `/api/timeline`."""

    status: Literal["online"]
    mode: Literal["window"]
    server_time: str
    updated_at: str
    expires_at: str
    policy: PPolicy
    window: PWindow


POLICY: Final = PPolicy(
    upload_interval_seconds=limits.UPLOAD_INTERVAL_SECONDS,
    window_seconds=limits.WINDOW_SECONDS,
    playback_delay_seconds=limits.PLAYBACK_DELAY_SECONDS,
    poll_interval_seconds=limits.POLL_INTERVAL_SECONDS,
    sample_interval_seconds=limits.SAMPLE_INTERVAL_SECONDS,
    metrics_interval_seconds=limits.METRICS_INTERVAL_SECONDS,
)


def decoded(value: bytes) -> PRecord | None:
    """Return the record in a stored value; None if it is invalid."""
    try:
        record = PRecord.model_validate_json(value)
        hold_window_object(record.data)
    except REFUSALS:
        return None
    end = parse_millisecond(record.data.window_end)
    return record if record.expires_at == window_deadline(end) else None


def answer(body: bytes, status: int = HTTPStatus.OK) -> Response:
    """Return a response with the headers of the contract."""
    return Response(body, status, HEADERS)


def refusal(status: int, code: str) -> Response:
    """Return an error response."""
    return answer(b'{"error":"%b"}' % code.encode(), status)


def replayed(window: PWindow, moment: str) -> dict[str, Any] | None:
    """Return the members at a time, given as text that sorts like times."""
    if not window.window_start <= moment < window.window_end:
        return None
    if any(gap.start_at <= moment < gap.end_at for gap in window.gaps):
        return None
    seen = dict(window.baseline)
    for event in window.events:
        if event.at > moment:
            break
        seen["collected_at"] = event.at
        for name in event.changes.model_fields_set:
            seen[name] = getattr(event.changes, name)
    return {name: value for name, value in seen.items() if value is not UNSET}


def viewed(model: type[BaseModel], shown: dict[str, Any] | None) -> Response:
    """Return the response with the members that a model has."""
    if shown is None:
        return answer(OFFLINE)
    members = {name: shown[name] for name in model.model_fields if name in shown}
    body = model.model_construct(**members)
    return answer(body.model_dump_json(exclude_unset=True).encode())


def app_of(name: str) -> PApp:
    """Return an app; the port has no icons."""
    return PApp.model_construct(name=name, icon_url=None, icon_api_url=None)


class FastApiService:
    """The endpoints, written as an expert of both libraries would.

    Args:
        store: the store.
        token: the ingest token.
        clock: returns the time, ms since the epoch.
        read: returns the record in a stored value; `decoded`, or a cache of it.
        label: the label of the badge.

    """

    def __init__(
        self,
        store: MemoryStore,
        *,
        token: str,
        clock: Clock,
        read: Callable[[bytes], PRecord | None],
        label: str = "",
    ) -> None:
        self._store = store
        self._bearer = f"Bearer {token}".encode()
        self._clock = clock
        self._read = read
        self._label = label

    def app(self) -> FastAPI:
        """Create the application."""
        app = FastAPI(openapi_url=None)
        app.add_api_route("/api/now", self.now)
        app.add_api_route("/api/timeline", self.timeline)
        app.add_api_route("/api/music", self.music)
        app.add_api_route("/api/apps/active", self.active_app)
        app.add_api_route("/api/apps/running", self.running_apps)
        app.add_api_route("/api/device", self.device)
        app.add_api_route("/api/badge.svg", self.badge)
        app.add_api_route("/api/health", self.health)
        app.add_api_route("/api/batch", self.batch, methods=["POST"])
        app.add_api_route("/api/declared", self.declared, methods=["POST"])
        return app

    def _shown(self) -> dict[str, Any] | None:
        """Return all members of the delayed projection; None if there is none."""
        record = self._record()
        moment = format_instant(self._clock() - limits.PLAYBACK_DELAY_MS)
        seen = None if record is None else replayed(record.data, moment)
        if record is None or seen is None:
            return None
        end = record.data.window_end
        return seen | {
            "status": "online",
            "updated_at": format_instant(record.received_at),
            "expires_at": format_instant(projection_deadline(parse_millisecond(end))),
            "playback": PPlayback(
                mode="delayed",
                delay_seconds=limits.PLAYBACK_DELAY_SECONDS,
                at=moment,
                window_end=end,
            ),
        }

    def _record(self) -> PRecord | None:
        value = self._store.get(limits.STORE_KEY)
        record = None if value is None else self._read(value)
        return None if record is None or record.received_at > self._clock() else record

    async def now(self) -> Response:
        """Handle `GET /api/now`."""
        return viewed(PNow, self._shown())

    async def music(self) -> Response:
        """Handle `GET /api/music`."""
        return viewed(PMusicView, self._shown())

    async def active_app(self) -> Response:
        """Handle `GET /api/apps/active`."""
        shown = self._shown()
        if shown is not None:
            shown["active_app"] = app_of(shown["active_app"])
        return viewed(PActiveAppView, shown)

    async def running_apps(self) -> Response:
        """Handle `GET /api/apps/running`."""
        shown = self._shown()
        if shown is not None:
            shown["running_apps"] = [app_of(name) for name in shown["running_apps"]]
        return viewed(PRunningAppsView, shown)

    async def device(self) -> Response:
        """Handle `GET /api/device`."""
        shown = self._shown()
        if shown is not None:
            shown["device"] = PDevice.model_construct(
                battery=shown["battery"], system=shown["system"]
            )
        return viewed(PDeviceView, shown)

    async def badge(self) -> Response:
        """Handle `GET /api/badge.svg`."""
        shown = self._shown()
        seen: Any = None if shown is None else PSnapshot.model_construct(**shown)
        svg = badge.render(self._label, badge.status_text(seen), online=shown is not None)
        return Response(svg, headers={**HEADERS, "Content-Type": SVG})

    async def health(self) -> Response:
        """Handle `GET /api/health`."""
        return answer(PHealth(ok=True, service=self._label).model_dump_json().encode())

    async def timeline(self) -> Response:
        """Handle `GET /api/timeline`."""
        record = self._record()
        if record is None or self._clock() >= record.expires_at:
            return answer(OFFLINE)
        body = PTimeline.model_construct(
            status="online",
            mode="window",
            server_time=format_instant(self._clock()),
            updated_at=format_instant(record.received_at),
            expires_at=format_instant(record.expires_at),
            policy=POLICY,
            window=record.data,
        )
        return answer(body.model_dump_json(exclude_unset=True).encode())

    async def batch(self, request: Request) -> Response:
        """Handle `POST /api/batch`."""
        if refused := self._refused(request):
            return refused
        try:
            window: Any = READERS["pydantic"]["window"](await request.body())
        except REFUSALS:
            return refusal(HTTPStatus.BAD_REQUEST, "invalid_payload")
        return self._accepted(window)

    async def declared(self, request: Request, window: PWindow) -> Response:
        """Handle the same request with a body that FastAPI has read."""
        if refused := self._refused(request):
            return refused
        hold_window_object(window)
        return self._accepted(window)

    def _refused(self, request: Request) -> Response | None:
        headers = request.headers
        given = headers.get("authorization", "").encode()
        if not secrets.compare_digest(given, self._bearer):
            refused = refusal(HTTPStatus.UNAUTHORIZED, "unauthorized")
            refused.headers["WWW-Authenticate"] = "Bearer"
            return refused
        if headers.get("content-type", "").partition(";")[0] != "application/json":
            return refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type")
        if int(headers.get("content-length", "0")) > limits.BATCH_BODY_BYTES:
            return refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "payload_too_large")
        return None

    def _accepted(self, window: PWindow) -> Response:
        received_at = self._clock()
        expires_at = window_deadline(parse_millisecond(window.window_end))
        record = PRecord.model_construct(
            received_at=received_at, data=window, expires_at=expires_at
        )
        value = record.model_dump_json(exclude_unset=True).encode()
        self._store.put(limits.STORE_KEY, value, expires_at_ms=expires_at)
        updated, expires = format_instant(received_at), format_instant(expires_at)
        body = f'{{"ok":true,"updated_at":"{updated}","expires_at":"{expires}"}}'
        return answer(body.encode())
