"""Handle requests: routes, order of checks, and the exchange of effects for each endpoint.

Invariant *order of checks*: path, OPTIONS, method, health and icons, binding and lifetime, then for
writes token configuration, authentication, media type, declared length, content coding, body size,
JSON, payload, store.
Invariant *one read, one write*: a GET of a status reads the store once and never writes; an
accepted POST writes it once and never reads; health and icons do not call it.
Invariant *store failures are errors*: a store failure yields 503, never "offline".
Invariant *one time*: a write is validated with the time at which its body was complete, a read with
the time at which the store answered.

Contract: DS-SERVICE-02 to 04, DS-HTTP-02 to 05, DS-HTTP-12, DS-HTTP-13, DS-CORS-04, DS-CORS-05,
DS-BODY-01, DS-BODY-02, DS-UPDATE-01 to 03, DS-ICON-01 to 03, DS-ICON-05 to 07.
"""

import re
from collections.abc import Callable, Generator, Mapping
from typing import Any, Final, TypeVar

import attrs

from devicestatus import limits
from devicestatus.engine.deadlines import response_deadline, window_deadline
from devicestatus.engine.record import decode, wrap_body
from devicestatus.engine.state import Offline, Online, PreparedRecord, prepare_record, state_of
from devicestatus.errors import ContractError, ErrorCode
from devicestatus.http import responses, views
from devicestatus.icons import MANIFEST_NAME, IconIndex, index_icons, parse_manifest
from devicestatus.models.icon_manifest import ICON_ID
from devicestatus.models.responses import Health, UpdateResult
from devicestatus.rendering import badge
from devicestatus.settings import Settings
from devicestatus.validation.parse import parse_snapshot, parse_window
from purewire.cache import LastResultCache
from purewire.exchange.effects import (
    Effect,
    EffectFailed,
    Exchange,
    read_asset,
    read_body,
    read_store,
    write_store,
)
from purewire.http.assets import Asset, Conditions, Unmodified
from purewire.http.conditional import conditions_of
from purewire.http.headers import is_identity, is_length_allowed, media_type
from purewire.http.messages import Request, Response
from purewire.http.responses import (
    JSON,
    NO_STORE,
    PNG,
    SVG,
    Headers,
    build_response,
    preflight_response,
)
from purewire.http.routes import MethodNotAllowed, PatternRoute, Route, RouteTable
from purewire.instants import LAST_INSTANT, SECOND_MS
from purewire.json import codec
from purewire.structuring.to_builtins import to_builtins

_BADGE_POLICY: Final = (
    ("Content-Security-Policy", "default-src 'none'; style-src 'none'; sandbox"),
)
_CHALLENGE: Final = (("WWW-Authenticate", "Bearer"),)

T = TypeVar("T")

_Params = Mapping[str, str]
_EndpointHandler = Callable[["Service", Request, _Params], Exchange]


class _RequestError(Exception):
    """A failed check: the exchange ends with this error response."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(code)
        self.code: Final = code


@attrs.frozen
class _Endpoint:
    """The handler of a path, and the headers of its preflight and error responses."""

    handle: _EndpointHandler
    preflight: Headers
    error_headers: Headers = ()


@attrs.frozen
class _StoreRead:
    """One read of the store: the record, if there is a valid one, and the time of the read."""

    record: PreparedRecord | None
    now: int
    ttl_seconds: int

    @property
    def state(self) -> Online | Offline:
        if self.record is None:
            return Offline("no-record")
        return state_of(self.record, now=self.now, ttl_seconds=self.ttl_seconds)


@attrs.frozen
class _Accepted:
    """A valid body, when it was received, and its deadline (ms since the epoch)."""

    body: bytes
    received_at: int
    expires_at: int


class Service:
    """All status endpoints of one deployment; call it with a request to get its exchange.

    Its only state between requests is a cache of the last stored value and the last manifest,
    decoded.

    Args:
        settings: the configuration; an invalid part of it yields 503 where it is needed.
        has_store: whether a store is bound.
        has_assets: whether icon assets are bound.

    """

    def __init__(self, settings: Settings, *, has_store: bool, has_assets: bool) -> None:
        self._settings = settings
        self._has_store = has_store
        self._has_assets = has_assets
        self._cached_record = LastResultCache(self._decode_record)
        self._cached_icons = LastResultCache(_decode_manifest)

    def __call__(self, request: Request) -> Exchange:
        """Return the exchange that handles a request."""
        match = _ROUTES.resolve(request.method, request.path)
        if match is None:
            return responses.error_response(request.method, "not_found")
        endpoint = match.route.target
        if isinstance(match, MethodNotAllowed):
            headers = (("Allow", match.route.allow), *endpoint.error_headers)
            return responses.error_response(request.method, "method_not_allowed", headers)
        if request.method == "OPTIONS":
            return preflight_response(endpoint.preflight)
        try:
            return (yield from endpoint.handle(self, request, match.params))
        except _RequestError as error:
            headers = _CHALLENGE if error.code == "unauthorized" else endpoint.error_headers
            return responses.error_response(request.method, error.code, headers)

    # Reading

    def read(self) -> Generator[Effect, Any, _StoreRead]:
        """Read the store once; raises _RequestError."""
        ttl_seconds = self._require_ttl()
        stored = yield from _required(read_store(limits.STORE_KEY))
        # A value of another type is no record.  A bytearray may equal cached bytes, so it must not
        # reach the cache.
        record = self._cached_record(stored.value) if type(stored.value) is bytes else None
        return _StoreRead(record, _require_valid_instant(stored.at), ttl_seconds)

    def _require_ttl(self) -> int:
        ttl_seconds = self._settings.ttl_seconds
        if not self._has_store or ttl_seconds is None:
            raise _RequestError("service_unavailable")
        return ttl_seconds

    def _decode_record(self, value: bytes) -> PreparedRecord | None:
        record = decode(value, self._settings.catalog)
        return None if record is None else prepare_record(record)

    def badge(self, request: Request, _params: _Params) -> Exchange:
        """Handle `GET /api/badge.svg`."""
        state = (yield from self.read()).state
        snapshot = state.snapshot if isinstance(state, Online) else None
        text = badge.status_text(snapshot)
        svg = badge.render(self._settings.service_name, text, online=snapshot is not None)
        headers = (*NO_STORE, *_BADGE_POLICY)
        return build_response(request.method, 200, SVG, svg, headers)

    def health(self, request: Request, _params: _Params) -> Exchange:
        """Handle `GET /api/health`: no store, no secrets, no device."""
        yield from ()
        return _json(request, Health(self._settings.service_name))

    # Writing

    def update(self, request: Request, _params: _Params) -> Exchange:
        """Handle `POST /api/update`."""

        def accept(body: bytes, received_at: int, ttl_seconds: int) -> _Accepted:
            parse_snapshot(body, received_at=received_at, catalog=self._settings.catalog)
            return _Accepted(body, received_at, received_at + ttl_seconds * SECOND_MS)

        return self._write(request, limits.UPDATE_BODY_BYTES, accept)

    def batch(self, request: Request, _params: _Params) -> Exchange:
        """Handle `POST /api/batch`."""

        def accept(body: bytes, received_at: int, _ttl_seconds: int) -> _Accepted:
            window = parse_window(body, received_at=received_at, catalog=self._settings.catalog)
            return _Accepted(body, received_at, window_deadline(window.window_end))

        return self._write(request, limits.BATCH_BODY_BYTES, accept)

    def _write(
        self, request: Request, limit: int, accept: Callable[[bytes, int, int], _Accepted]
    ) -> Exchange:
        ttl_seconds = self._require_ttl()
        self._check_head(request, limit)
        body = yield from read_body(limit)
        if body.data is None:
            raise _RequestError("payload_too_large")
        try:
            accepted = accept(body.data, _require_valid_instant(body.at), ttl_seconds)
        except ContractError as error:
            raise _RequestError(error.code) from None
        yield from self._put(accepted)
        expires_at = response_deadline(accepted.expires_at)
        return _json(request, UpdateResult(accepted.received_at, expires_at))

    def _check_head(self, request: Request, limit: int) -> None:
        """Check the token and the headers, in the contract's order; raises _RequestError."""
        token = self._settings.token
        if token is None:
            raise _RequestError("service_unavailable")
        if not token.authorizes(request.lines(b"authorization")):
            raise _RequestError("unauthorized")
        if media_type(request.lines(b"content-type")) != b"application/json":
            raise _RequestError("unsupported_media_type")
        if not is_length_allowed(request.lines(b"content-length"), limit):
            raise _RequestError("payload_too_large")
        if not is_identity(request.lines(b"content-encoding")):
            raise _RequestError("unsupported_media_type")

    def _put(self, accepted: _Accepted) -> Generator[Effect, Any, None]:
        # Stores expire by whole seconds; the deadline is rounded up so that none drops a valid
        # record.
        store_deadline = -(-accepted.expires_at // SECOND_MS) * SECOND_MS
        value = wrap_body(
            accepted.body, received_at=accepted.received_at, expires_at=accepted.expires_at
        )
        yield from _required(write_store(limits.STORE_KEY, value, expires_at=store_deadline))

    # Icons

    def manifest(self, request: Request, _params: _Params) -> Exchange:
        """Handle `GET /api/icons`."""
        found = yield from self._asset(MANIFEST_NAME, conditions_of(request))
        if found is None:
            raise _RequestError("service_unavailable")
        if isinstance(found, Asset):
            self._icons_of(found)
        else:  # 304 also requires a valid manifest
            yield from self._index()
        return responses.file_response(request, found, JSON)

    def icon(self, request: Request, params: _Params) -> Exchange:
        """Handle `GET /api/icons/{id}.png`: only icons that the manifest lists."""
        icons = yield from self._index()
        if params["id"] not in icons.ids:
            raise _RequestError("not_found")
        found = yield from self._asset(f"{params['id']}.png", conditions_of(request))
        if found is None:
            raise _RequestError("not_found")
        return responses.file_response(request, found, PNG)

    def icon_index(self) -> Generator[Effect, Any, IconIndex]:
        """Return the index of icons; empty if there is no valid manifest."""
        try:
            return (yield from self._index())
        except _RequestError:
            return IconIndex()

    def _index(self) -> Generator[Effect, Any, IconIndex]:
        """Return the index of icons; raise _RequestError if there is no valid manifest."""
        return self._icons_of((yield from self._asset(MANIFEST_NAME, Conditions())))

    def _icons_of(self, found: Asset | Unmodified | None) -> IconIndex:
        icons = self._cached_icons(found.body) if isinstance(found, Asset) else None
        if icons is None:
            raise _RequestError("service_unavailable")
        return icons

    def _asset(
        self, name: str, conditions: Conditions
    ) -> Generator[Effect, Any, Asset | Unmodified | None]:
        if not self._has_assets:
            raise _RequestError("service_unavailable")
        return (yield from _required(read_asset(name, conditions)))


def _required(effect: Generator[Effect, Any, T]) -> Generator[Effect, Any, T]:
    """Perform an effect; raise _RequestError if it fails."""
    try:
        return (yield from effect)
    except EffectFailed:
        raise _RequestError("service_unavailable") from None


def _require_valid_instant(instant: int) -> int:
    """Return the instant; raise _RequestError unless it is after the epoch and before year 10000.

    A clock outside of that range is a fault of the server.
    """
    if not 0 < instant <= LAST_INSTANT:
        raise _RequestError("service_unavailable")
    return instant


def _decode_manifest(body: bytes) -> IconIndex | None:
    manifest = parse_manifest(body)
    return None if manifest is None else index_icons(manifest)


def _json(request: Request, body: attrs.AttrsInstance) -> Response:
    encoded = codec.encode(to_builtins(body))
    return build_response(request.method, 200, JSON, encoded, NO_STORE)


def _timeline(service: Service, request: Request, _params: _Params) -> Exchange:
    found = yield from service.read()
    text = views.timeline_json(found.record, now=found.now, ttl_seconds=found.ttl_seconds)
    return build_response(request.method, 200, JSON, text, NO_STORE)


def _view_handler(view: Callable[[Online | Offline], attrs.AttrsInstance]) -> _EndpointHandler:
    """Return a handler that responds with a view of the state."""

    def handle(service: Service, request: Request, _params: _Params) -> Exchange:
        found = yield from service.read()
        return _json(request, view(found.state))

    return handle


def _apps_handler(
    view: Callable[[Online | Offline, IconIndex], attrs.AttrsInstance],
) -> _EndpointHandler:
    """Return a handler that responds with a view that contains icons; offline needs none."""

    def handle(service: Service, request: Request, _params: _Params) -> Exchange:
        state = (yield from service.read()).state
        icons = (yield from service.icon_index()) if isinstance(state, Online) else IconIndex()
        return _json(request, view(state, icons))

    return handle


def _status(allow: str, handle: _EndpointHandler) -> Route[_Endpoint]:
    return Route(allow, _Endpoint(handle, (*NO_STORE, *responses.STATUS_CORS)))


def _icon(handle: _EndpointHandler) -> Route[_Endpoint]:
    return Route("GET, HEAD, OPTIONS", _Endpoint(handle, responses.ICON_CORS, responses.ICON_CORS))


_GET: Final = "GET, OPTIONS"
_UPDATE: Final = _status("POST, OPTIONS", Service.update)
_NOW: Final = _status(_GET, _view_handler(views.now))
_BADGE: Final = _status(_GET, Service.badge)
_HEALTH: Final = _status(_GET, Service.health)

_ROUTES: Final = RouteTable(
    {
        b"/api/update": _UPDATE,
        b"/api/batch": _status("POST, OPTIONS", Service.batch),
        b"/api/now": _NOW,
        b"/api/timeline": _status(_GET, _timeline),
        b"/api/music": _status(_GET, _view_handler(views.music)),
        b"/api/apps/active": _status(_GET, _apps_handler(views.active_app)),
        b"/api/apps/running": _status(_GET, _apps_handler(views.running_apps)),
        b"/api/device": _status(_GET, _view_handler(views.device)),
        b"/api/badge.svg": _BADGE,
        b"/api/health": _HEALTH,
        b"/api/icons": _icon(Service.manifest),
        b"/update": _UPDATE,
        b"/now": _NOW,
        b"/badge.svg": _BADGE,
        b"/health": _HEALTH,
    },
    (
        PatternRoute(
            re.compile(rf"/api/icons/(?P<id>{ICON_ID})\.png".encode()), _icon(Service.icon)
        ),
    ),
)
