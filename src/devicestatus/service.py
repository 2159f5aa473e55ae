"""Handle requests of the status: the order of checks, and the exchange of effects.

Invariant *order of checks*: those of the router, health and icons, binding and lifetime, then for
writes token configuration, authentication, media type, declared length, content coding, body size,
JSON, payload, store.
Invariant *one read, one write*: a GET of a status reads the store once and never writes; an
accepted POST writes it once and never reads; health and icons do not call it.
Invariant *store failures are errors*: a store failure yields 503, never "offline".
Invariant *one time*: a write is validated with the time at which its body was complete, a read with
the time at which the store answered.
Invariant *the store decides*: what was decoded is used only for exactly the bytes that the store
returns, so that several processes may share it.
"""

from collections.abc import Callable, Generator
from typing import Any, Final

import attrs

from devicestatus import badge, limits
from devicestatus import bodies as views
from devicestatus.deadlines import response_deadline, window_deadline
from devicestatus.endpoints import ENDPOINTS
from devicestatus.errors import ContractError
from devicestatus.icon_files import IconFiles
from devicestatus.icons import IconIndex
from devicestatus.parsing import parse_snapshot, parse_window
from devicestatus.record import Record, SnapshotRecord, WindowRecord, decode, wrap_body
from devicestatus.responses import Health, UpdateResult
from devicestatus.settings import Settings
from devicestatus.state import Offline, Online, state_of
from status_contracts import json_text as codec
from status_contracts.endpoints import EndpointHandler, Params, RequestError, Route, Router
from status_contracts.exchange import Effect, Exchange, ReadBody, ReadStore, WriteStore
from status_contracts.instants import LAST_INSTANT, SECOND_MS
from status_contracts.messages import (
    JSON,
    NO_STORE,
    SVG,
    Request,
    Response,
    build_response,
    is_identity,
    is_length_allowed,
    media_type,
)
from status_contracts.structuring.to_builtins import to_builtins

__all__ = ["Service"]

_BADGE_POLICY: Final = (
    ("Content-Security-Policy", "default-src 'none'; style-src 'none'; sandbox"),
)

View = Callable[[Online | Offline], attrs.AttrsInstance]
AppsView = Callable[[Online | Offline, IconIndex], attrs.AttrsInstance]
_Accepted = tuple[Record, int]
"""The record of a valid body, and its deadline, ms since the epoch."""


@attrs.frozen
class _StoreRead:
    """One read of the store: the record, if there is a valid one, and the time of the read."""

    record: Record | None
    now: int
    ttl_seconds: int

    @property
    def state(self) -> Online | Offline:
        if self.record is None:
            return Offline("no-record")
        return state_of(self.record, now=self.now, ttl_seconds=self.ttl_seconds)


class Service:
    """All status endpoints of one deployment; call it with a request to get its exchange.

    Its only state between requests is a cache of the last stored value and the last manifest,
    decoded.

    Args:
        settings: the configuration; an invalid part of it yields 503 where it is needed.
        has_store: whether a store is bound.
        has_assets: whether icon assets are bound.
        store_key: the key of the record; services that share a store have one each.

    Attributes:
        router: the handler of the endpoints.
        icons: the handlers of the icons.

    """

    def __init__(
        self,
        settings: Settings,
        *,
        has_store: bool,
        has_assets: bool,
        store_key: str = limits.STORE_KEY,
    ) -> None:
        self._settings = settings
        self._store_key = store_key
        self._has_store = has_store
        self._ttl_seconds, self._token = settings.ttl_seconds, settings.token
        self._last: tuple[bytes, Record | None] = b"", None
        """The last stored value that was read or written, and its record."""
        self.icons: Final = IconFiles(has_assets=has_assets)
        handlers = {
            "now": self._view(views.now),
            "timeline": self.timeline,
            "music": self._view(views.music),
            "activeApp": self._apps(views.active_app),
            "runningApps": self._apps(views.running_apps),
            "device": self._view(views.device),
            "badge": self.badge,
            "health": self.health,
            "icons": self.icons.manifest,
            "icon": self.icons.icon,
            "update": self.update,
            "batch": self.batch,
        }
        self.router: Final = Router(
            (
                Route(
                    endpoint,
                    handlers[endpoint.name],
                    views.ICON_CORS if endpoint.is_conditional else views.STATUS_PREFLIGHT,
                    views.ICON_CORS if endpoint.is_conditional else (),
                )
                for endpoint in ENDPOINTS
            ),
            views.error_response,
        )

    def __call__(self, request: Request) -> Exchange:
        """Return the exchange that handles a request."""
        return self.router(request)

    # Reading

    def read(self) -> Generator[Effect, Any, _StoreRead]:
        """Read the store once; raises RequestError or EffectFailed."""
        ttl_seconds = self._require_ttl()
        stored = yield from ReadStore(self._store_key)
        record = self._record_of(stored.value)
        return _StoreRead(record, _require_valid_instant(stored.at), ttl_seconds)

    def _require_ttl(self) -> int:
        if not self._has_store or self._ttl_seconds is None:
            raise RequestError("service_unavailable")
        return self._ttl_seconds

    def _record_of(self, value: object) -> Record | None:
        """Return the record in a stored value; None if it is none."""
        if type(value) is not bytes:  # a bytearray may equal bytes
            return None
        last, record = self._last  # one read: another thread may replace the pair meanwhile
        if value != last:
            record = decode(value, self._settings.catalog)
            self._last = value, record
        return record

    def _view(self, view: View) -> EndpointHandler:
        """Return a handler that responds with a view of the state."""

        def handle(request: Request, _params: Params) -> Exchange:
            stored = yield from self.read()
            return _json(request, view(stored.state))

        return handle

    def _apps(self, view: AppsView) -> EndpointHandler:
        """Return a handler that responds with a view that contains icons; offline needs none."""

        def handle(request: Request, _params: Params) -> Exchange:
            state = (yield from self.read()).state
            if isinstance(state, Offline):
                return _json(request, view(state, IconIndex()))
            return _json(request, view(state, (yield from self.icons.index_or_empty())))

        return handle

    def timeline(self, request: Request, _params: Params) -> Exchange:
        """Handle `GET /api/timeline`."""
        stored = yield from self.read()
        text = views.timeline_json(stored.record, now=stored.now, ttl_seconds=stored.ttl_seconds)
        return build_response(request.method, 200, JSON, text, NO_STORE)

    def badge(self, request: Request, _params: Params) -> Exchange:
        """Handle `GET /api/badge.svg`."""
        state = (yield from self.read()).state
        snapshot = state.snapshot if isinstance(state, Online) else None
        text = badge.status_text(snapshot)
        svg = badge.render(self._settings.service_name, text, online=snapshot is not None)
        headers = (*NO_STORE, *_BADGE_POLICY)
        return build_response(request.method, 200, SVG, svg, headers)

    def health(self, request: Request, _params: Params) -> Exchange:
        """Handle `GET /api/health`: no store, no secrets, no device."""
        yield from ()
        return _json(request, Health(self._settings.service_name))

    # Writing

    def update(self, request: Request, _params: Params) -> Exchange:
        """Handle `POST /api/update`."""

        def accept(body: bytes, received_at: int, ttl_seconds: int) -> _Accepted:
            catalog = self._settings.catalog
            snapshot = parse_snapshot(body, received_at=received_at, catalog=catalog)
            expires_at = received_at + ttl_seconds * SECOND_MS
            return SnapshotRecord(received_at, snapshot, expires_at), expires_at

        return self._write(request, limits.UPDATE_BODY_BYTES, accept)

    def batch(self, request: Request, _params: Params) -> Exchange:
        """Handle `POST /api/batch`."""

        def accept(body: bytes, received_at: int, _ttl_seconds: int) -> _Accepted:
            window = parse_window(body, received_at=received_at, catalog=self._settings.catalog)
            expires_at = window_deadline(window.window_end)
            return WindowRecord(received_at, window, expires_at), expires_at

        return self._write(request, limits.BATCH_BODY_BYTES, accept)

    def _write(
        self, request: Request, limit: int, accept: Callable[[bytes, int, int], _Accepted]
    ) -> Exchange:
        ttl_seconds = self._require_ttl()
        self._check_head(request, limit)
        body = yield from ReadBody(limit)
        if body.data is None:
            raise RequestError("payload_too_large")
        try:
            record, expires_at = accept(body.data, _require_valid_instant(body.at), ttl_seconds)
        except ContractError as error:
            raise RequestError(error.code) from None
        value = wrap_body(body.data, received_at=record.received_at, expires_at=expires_at)
        # Stores expire by whole seconds; the deadline is rounded up so that none drops a valid
        # record.
        store_deadline = -(-expires_at // SECOND_MS) * SECOND_MS
        yield from WriteStore(self._store_key, value, store_deadline)
        self._last = value, record
        return _json(request, UpdateResult(record.received_at, response_deadline(expires_at)))

    def _check_head(self, request: Request, limit: int) -> None:
        """Check the token and the headers, in the contract's order; raises RequestError."""
        if self._token is None:
            raise RequestError("service_unavailable")
        if not self._token.authorizes(request.lines(b"authorization")):
            raise RequestError("unauthorized")
        if media_type(request.lines(b"content-type")) != b"application/json":
            raise RequestError("unsupported_media_type")
        if not is_length_allowed(request.lines(b"content-length"), limit):
            raise RequestError("payload_too_large")
        if not is_identity(request.lines(b"content-encoding")):
            raise RequestError("unsupported_media_type")


def _require_valid_instant(instant: int) -> int:
    """Return the instant; raise RequestError unless it is after the epoch and before year 10000.

    A clock outside of that range is a fault of the server.
    """
    if not 0 < instant <= LAST_INSTANT:
        raise RequestError("service_unavailable")
    return instant


def _json(request: Request, body: attrs.AttrsInstance) -> Response:
    encoded = codec.encode(to_builtins(body))
    return build_response(request.method, 200, JSON, encoded, NO_STORE)
