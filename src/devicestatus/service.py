"""Handle requests of the status: the order of checks, and the exchange of effects.

An exchange is the generator of one request: it yields effects (read the body, read or write the
store), is sent their results by `drive` or `drive_async`, and returns the response.  So nothing
here does I/O.  Each line calls what follows `>`; a module that is new stands in brackets:

    POST /api/update: [asgi] Application > [exchange] drive_async > [endpoints] Router.__call__
      > [service] Service.update > _write: configuration, token, headers; yields ReadBody
      > [parsing] parse_snapshot > [structuring] decoder > [cross_field] rules between members
      > [record] wrap_body: the stored value; yields WriteStore > [responses] UpdateResult
    POST /api/batch: the same, but [parsing] parse_window > [fast_decoder] FastDecoder.decode
      > [cross_field] part_findings of events and gaps, then models > window_findings
    GET /api/now: the same up to the Router > [service] read: yields ReadStore
      > [record] decode_record, once for each new value > [state] state_of
      > [deadlines] snapshot_deadline, or of a window [projection] projection_at
      > [bodies] now > [responses] OnlineStatus or OfflineStatus

`Router.__call__` makes 503: of a failed effect, and of RequestError("service_unavailable").

A *snapshot* (protocol v1) is the whole state at one time, shown at once and valid for the
configured lifetime (`eco`: 180 s); a *window* (v2) up to 15 minutes of events, shown 420 s late.
The *record* is what the store keeps of either; a *legacy* one is a snapshot without a stored
deadline.  A *state* is a `Snapshot`; a *status*, which `state_of` returns, is `Online` with a
state, or `Offline`.  `received_at` of a record is `updated_at` of responses.  The *catalog* is the
music hosts that URLs may have.  The *millisecond form* is the text of an instant.

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

from devicestatus import badge, bodies, limits
from devicestatus.deadlines import window_deadline
from devicestatus.endpoints import ENDPOINTS
from devicestatus.errors import ContractError
from devicestatus.icon_files import IconFiles
from devicestatus.models import Snapshot, Window
from devicestatus.parsing import parse_snapshot, parse_window
from devicestatus.record import Record, SnapshotRecord, WindowRecord, decode_record, wrap_body
from devicestatus.responses import Health, OfflineStatus, UpdateResult
from devicestatus.settings import Settings
from devicestatus.state import Offline, Online, shown_value, state_of
from status_contracts import json_text
from status_contracts.endpoints import EndpointHandler, Params, RequestError, Route, Router
from status_contracts.exchange import Effect, Exchange, ReadBody, ReadStore, WriteStore
from status_contracts.instants import LAST_INSTANT, SECOND_MS, clamp_instant
from status_contracts.messages import (
    IMAGE_POLICY,
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
from status_contracts.structuring.converter import unstructure

__all__ = ["Service"]

_RETURNS: Final = 3  # of sessions: who tries both modes comes back once or twice


@attrs.frozen
class _StoreRead:
    """One read of the store: the record, if there is a valid one, and the time of the read."""

    record: Record | None
    now: int
    ttl_seconds: int
    is_empty: bool

    @property
    def status(self) -> Online | Offline:
        if self.record is None:
            return Offline("no-record" if self.is_empty else "corrupt")
        return state_of(self.record, now=self.now, ttl_seconds=self.ttl_seconds)

    @property
    def shown(self) -> Window | Snapshot | None:
        """The value that `/api/timeline` has."""
        return shown_value(self.record, now=self.now, ttl_seconds=self.ttl_seconds)


class Service:
    """All status endpoints of one deployment; call it with a request to get its exchange.

    Its only state between requests is a cache of the last stored value and the last manifest,
    decoded, and the sessions of the last two agents.

    Args:
        settings: the configuration; an invalid part of it yields 503 where it is needed.
        has_store: whether a store is bound.
        has_assets: whether icon assets are bound.
        store_key: the key of the record; services that share a store have one each.
        on_two_agents: called once, with the name of the service, when uploads of two sessions, or
            of a session and snapshots, go on to alternate: two agents have its token.

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
        on_two_agents: Callable[[str], object] | None = None,
    ) -> None:
        self._settings = settings
        self._on_two_agents = on_two_agents
        self._sessions: tuple[str | None, str | None] = None, None
        self._returns = 0
        """How often in a row the one before the last session came back."""
        self._store_key = store_key
        self._has_store = has_store
        self._ttl_seconds, self._token = settings.ttl_seconds, settings.token
        self._last: tuple[bytes, Record | None] = b"", None
        """The last stored value that was read or written, and its record."""
        self.icons: Final = IconFiles(has_assets=has_assets)
        handlers = {
            "now": self._shows(bodies.now),
            "timeline": self.timeline,
            "music": self._shows(bodies.music),
            "activeApp": self._shows(bodies.active_app, has_icons=True),
            "runningApps": self._shows(bodies.running_apps, has_icons=True),
            "device": self._shows(bodies.device),
            "badge": self.badge,
            "health": self.health,
            "icons": self.icons.manifest,
            "icon": self.icons.icon,
            "update": self.update,
            "batch": self.batch,
        }
        self.router: Final = Router(
            (
                # Only the endpoints of icons are conditional.
                Route(
                    endpoint,
                    handlers[endpoint.name],
                    bodies.ICON_CORS if endpoint.is_conditional else bodies.STATUS_PREFLIGHT,
                    bodies.ICON_CORS if endpoint.is_conditional else (),
                )
                for endpoint in ENDPOINTS
            ),
            bodies.error_response,
        )

    def __call__(self, request: Request) -> Exchange:
        """Return the exchange that handles a request."""
        return self.router(request)

    def read(self) -> Generator[Effect, Any, _StoreRead]:
        """Read the store once; raises RequestError or EffectFailed."""
        ttl_seconds = self._require_store_and_ttl()
        stored = yield from ReadStore(self._store_key)
        record = self._record_of(stored.value)
        now = _require_valid_instant(stored.at)
        return _StoreRead(record, now, ttl_seconds, is_empty=stored.value is None)

    def _require_store_and_ttl(self) -> int:
        if not self._has_store or self._ttl_seconds is None:
            raise RequestError("service_unavailable")
        return self._ttl_seconds

    def _record_of(self, value: object) -> Record | None:
        if type(value) is not bytes:  # a bytearray may equal bytes
            return None
        last, record = self._last  # one read: another thread may replace the pair meanwhile
        if value != last:
            record = decode_record(value, self._settings.catalog)
            self._last = value, record
        return record

    def _shows(
        self, body_of: Callable[..., attrs.AttrsInstance], *, has_icons: bool = False
    ) -> EndpointHandler:
        def handle(request: Request, _params: Params) -> Exchange:
            status = (yield from self.read()).status
            if isinstance(status, Offline):
                return _json(request, OfflineStatus())
            icons = [(yield from self.icons.index_or_empty())] if has_icons else []
            return _json(request, body_of(status, *icons))

        return handle

    def timeline(self, request: Request, _params: Params) -> Exchange:
        """Handle `GET /api/timeline`."""
        stored = yield from self.read()
        text = bodies.timeline_json(stored.record, now=stored.now, ttl_seconds=stored.ttl_seconds)
        return build_response(request.method, 200, JSON, text, NO_STORE)

    def badge(self, request: Request, _params: Params) -> Exchange:
        """Handle `GET /api/badge.svg`."""
        status = (yield from self.read()).status
        snapshot = status.snapshot if isinstance(status, Online) else None
        text = badge.status_text(snapshot)
        svg = badge.render(self._settings.service_name, text, online=snapshot is not None)
        return build_response(request.method, 200, SVG, svg, (*NO_STORE, IMAGE_POLICY))

    def health(self, request: Request, _params: Params) -> Exchange:
        """Handle `GET /api/health`: no store, no secrets, no device."""
        yield from ()
        return _json(request, Health(self._settings.service_name))

    def update(self, request: Request, _params: Params) -> Exchange:
        """Handle `POST /api/update`."""
        return self._write(request, limits.UPDATE_BODY_BYTES, parse_snapshot)

    def batch(self, request: Request, _params: Params) -> Exchange:
        """Handle `POST /api/batch`."""
        return self._write(request, limits.BATCH_BODY_BYTES, parse_window)

    def _write(
        self, request: Request, limit: int, parse: Callable[..., Snapshot | Window]
    ) -> Exchange:
        ttl_seconds = self._require_store_and_ttl()
        self._check_head(request, limit)
        body = yield from ReadBody(limit)
        if body.data is None:
            raise RequestError("payload_too_large")
        now = _require_valid_instant(body.at)
        try:
            model = parse(body.data, received_at=now, catalog=self._settings.catalog)
        except ContractError as error:
            raise RequestError(error.code) from None
        record: Record
        if isinstance(model, Window):
            expires_at = window_deadline(model.window_end)
            record = WindowRecord(now, model, expires_at)
        else:
            expires_at = now + ttl_seconds * SECOND_MS
            record = SnapshotRecord(now, model, expires_at)
        value = wrap_body(body.data, received_at=now, expires_at=expires_at)
        # Stores expire by whole seconds; rounded up, the deadline drops no valid record.
        store_deadline = -(-expires_at // SECOND_MS) * SECOND_MS
        yield from WriteStore(self._store_key, value, store_deadline)
        self._last = value, record
        self._note_session(record)
        return _json(request, UpdateResult(now, clamp_instant(expires_at)))

    def _note_session(self, record: Record) -> None:
        session = record.data.session_id if isinstance(record, WindowRecord) else "snapshots"
        before, last = self._sessions
        if session == last:
            return
        self._sessions = last, session
        self._returns = self._returns + 1 if session == before else 0
        if self._returns == _RETURNS and self._on_two_agents is not None:
            self._on_two_agents(self._settings.service_name)
            self._on_two_agents = None

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
    return build_response(request.method, 200, JSON, json_text.encode(unstructure(body)), NO_STORE)
