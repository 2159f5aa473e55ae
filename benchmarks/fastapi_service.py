"""Three endpoints of the service in FastAPI and pydantic: same rules, stored bytes, responses.

They are written for speed: bodies go to pydantic as bytes, responses are encoded by pydantic and
sent as they are; nothing is awaited but the body.
"""

import secrets
from http import HTTPStatus
from typing import Any, Final, Literal

from device_data import READERS, REFUSALS, PSnapshot, PWindow, hold_window_object
from fastapi import FastAPI, Request, Response
from msgspec import UNSET
from pydantic import BaseModel, ConfigDict

from devicestatus import limits
from devicestatus.adapters.memory import MemoryStore
from devicestatus.deadlines import projection_deadline, window_deadline
from status_contracts.exchange import Clock
from status_contracts.instants import format_instant, parse_millisecond
from status_contracts.messages import COMMON, JSON, NO_STORE

POLICY: Final = {
    "upload_interval_seconds": limits.UPLOAD_INTERVAL_SECONDS,
    "window_seconds": limits.WINDOW_SECONDS,
    "playback_delay_seconds": limits.PLAYBACK_DELAY_SECONDS,
    "poll_interval_seconds": limits.POLL_INTERVAL_SECONDS,
    "sample_interval_seconds": limits.SAMPLE_INTERVAL_SECONDS,
    "metrics_interval_seconds": limits.METRICS_INTERVAL_SECONDS,
}
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


class PTimeline(BaseModel):
    """The body of `/api/timeline`."""

    status: Literal["online"]
    mode: Literal["window"]
    server_time: str
    updated_at: str
    expires_at: str
    policy: dict[str, int]
    window: PWindow


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


class FastApiService:
    """The endpoints, written as an expert of both libraries would.

    Args:
        store: the store.
        token: the ingest token.
        clock: returns the time, ms since the epoch.

    """

    def __init__(self, store: MemoryStore, *, token: str, clock: Clock) -> None:
        self._store = store
        self._bearer = f"Bearer {token}".encode()
        self._clock = clock

    def app(self) -> FastAPI:
        """Create the application."""
        app = FastAPI(openapi_url=None)
        app.add_api_route("/api/now", self.now)
        app.add_api_route("/api/timeline", self.timeline)
        app.add_api_route("/api/batch", self.batch, methods=["POST"])
        return app

    def _record(self) -> PRecord | None:
        value = self._store.get(limits.STORE_KEY)
        record = None if value is None else decoded(value)
        return None if record is None or record.received_at > self._clock() else record

    async def now(self) -> Response:
        """Handle `GET /api/now`."""
        record = self._record()
        moment = format_instant(self._clock() - limits.PLAYBACK_DELAY_MS)
        seen = None if record is None else replayed(record.data, moment)
        if record is None or seen is None:
            return answer(OFFLINE)
        end = record.data.window_end
        playback = PPlayback(
            mode="delayed",
            delay_seconds=limits.PLAYBACK_DELAY_SECONDS,
            at=moment,
            window_end=end,
        )
        body = PNow.model_construct(
            **seen,
            status="online",
            updated_at=format_instant(record.received_at),
            expires_at=format_instant(projection_deadline(parse_millisecond(end))),
            playback=playback,
        )
        return answer(body.model_dump_json(exclude_unset=True).encode())

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
        headers = request.headers
        if not secrets.compare_digest(headers.get("authorization", "").encode(), self._bearer):
            return answer(b'{"error":"unauthorized"}', HTTPStatus.UNAUTHORIZED)
        if headers.get("content-type", "").partition(";")[0] != "application/json":
            return answer(b'{"error":"unsupported_media_type"}', HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        try:
            window: Any = READERS["pydantic"]["window"](await request.body())
        except REFUSALS:
            return answer(b'{"error":"invalid_payload"}', HTTPStatus.BAD_REQUEST)
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
