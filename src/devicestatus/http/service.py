"""The routes and the order of checks, as an exchange: a request in, effects out, a response back.

Source: device-status specification, "Endpoints", "Authentication", "Errors"; rulings under "HTTP".

Invariant *order of checks*: path, OPTIONS, method, health and icons, binding and lifetime, then for
writes token configuration, authentication, media type, declared length, content coding, body size,
JSON, payload, store.
Invariant *one read, one write*: a GET of a status reads the store once and never writes; an
accepted POST writes it once and never reads; health and icons touch it not at all.
Invariant *a store fault is no state*: it answers 503, never offline.
Invariant *one time*: a write is judged by the time its body was complete, a read by the time the
store answered.
"""

import re
from collections.abc import Callable, Generator, Mapping
from typing import Any, Final

import attrs

from devicestatus import limits
from devicestatus.engine.deadlines import window_deadline, writable
from devicestatus.engine.record import decode, splice
from devicestatus.engine.state import Offline, Online, Reading, read, state_of
from devicestatus.errors import ContractError, ErrorCode
from devicestatus.http import responses, views
from devicestatus.icons import MANIFEST_NAME, IconIndex, index_icons, read_manifest
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
from purewire.structuring.to_builtins import to_plain

__all__ = ["Service"]

_BADGE_POLICY: Final = (
    ("Content-Security-Policy", "default-src 'none'; style-src 'none'; sandbox"),
)
_CHALLENGE: Final = (("WWW-Authenticate", "Bearer"),)

_Params = Mapping[str, str]
_Respond = Callable[["Service", Request, _Params], Exchange]


class _Refused(Exception):
    """A check failed: the exchange ends with this error answer."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(code)
        self.code: Final = code


@attrs.frozen
class _Endpoint:
    """How a path answers, and which headers its preflight and its errors carry."""

    respond: _Respond
    preflight: Headers
    error_headers: Headers = ()


@attrs.frozen
class _Read:
    """One read of the store: what was there, and the time at which it is judged."""

    reading: Reading | None
    now: int
    ttl_seconds: int

    @property
    def state(self) -> Online | Offline:
        if self.reading is None:
            return Offline("no-record")
        return state_of(self.reading, now=self.now, ttl_seconds=self.ttl_seconds)


@attrs.frozen
class _Accepted:
    """A body that is to be written, when it was received, and its deadline."""

    body: bytes
    received_at: int
    expires_at: int


class Service:
    """All status endpoints of one deployment; call it with a request to get its exchange.

    It keeps nothing between requests but what it can make again from the same bytes: the last
    stored value and the last manifest, decoded.

    Args:
        settings: the configuration; an invalid one is answered with 503 where it matters.
        has_store: whether a store is bound.
        has_assets: whether icon assets are bound.

    """

    def __init__(self, settings: Settings, *, has_store: bool, has_assets: bool) -> None:
        self._settings = settings
        self._has_store = has_store
        self._has_assets = has_assets
        self._read_record = LastResultCache(self._decode_record)
        self._read_icons = LastResultCache(_decode_manifest)

    def __call__(self, request: Request) -> Exchange:
        """Give the exchange that answers a request."""
        match = _ROUTES.resolve(request.method, request.path)
        if match is None:
            return responses.refusal(request.method, "not_found")
        endpoint = match.route.target
        if isinstance(match, MethodNotAllowed):
            headers = (("Allow", match.route.allow), *endpoint.error_headers)
            return responses.refusal(request.method, "method_not_allowed", headers)
        if request.method == "OPTIONS":
            return preflight_response(endpoint.preflight)
        try:
            return (yield from endpoint.respond(self, request, match.params))
        except _Refused as refused:
            headers = _CHALLENGE if refused.code == "unauthorized" else endpoint.error_headers
            return responses.refusal(request.method, refused.code, headers)

    # Reading

    def read(self) -> Generator[Effect, Any, _Read]:
        """Read the store once; raises _Refused."""
        ttl_seconds = self._checked_ttl()
        try:
            stored = yield from read_store(limits.STORE_KEY)
        except EffectFailed:
            raise _Refused("service_unavailable") from None
        # Whatever a store gives that is not bytes is no record; kinds of bytes may equal those that
        # are one, and must not be remembered in their place.
        reading = self._read_record(stored.value) if type(stored.value) is bytes else None
        return _Read(reading, _checked_instant(stored.at), ttl_seconds)

    def _checked_ttl(self) -> int:
        ttl_seconds = self._settings.ttl_seconds
        if not self._has_store or ttl_seconds is None:
            raise _Refused("service_unavailable")
        return ttl_seconds

    def _decode_record(self, value: bytes) -> Reading | None:
        record = decode(value, self._settings.catalog)
        return None if record is None else read(record)

    def badge(self, request: Request, _params: _Params) -> Exchange:
        """Answer `GET /api/badge.svg`."""
        state = (yield from self.read()).state
        snapshot = state.snapshot if isinstance(state, Online) else None
        text = badge.status_text(snapshot)
        svg = badge.render(self._settings.service_name, text, online=snapshot is not None)
        headers = (*NO_STORE, *_BADGE_POLICY)
        return build_response(request.method, 200, SVG, svg, headers)

    def health(self, request: Request, _params: _Params) -> Exchange:
        """Answer `GET /api/health`: no store, no secrets, no device."""
        yield from ()
        return _json(request, Health(self._settings.service_name))

    # Writing

    def update(self, request: Request, _params: _Params) -> Exchange:
        """Answer `POST /api/update`."""

        def accept(body: bytes, received_at: int, ttl_seconds: int) -> _Accepted:
            parse_snapshot(body, received_at=received_at, catalog=self._settings.catalog)
            return _Accepted(body, received_at, received_at + ttl_seconds * SECOND_MS)

        return self._write(request, limits.UPDATE_BODY_BYTES, accept)

    def batch(self, request: Request, _params: _Params) -> Exchange:
        """Answer `POST /api/batch`."""

        def accept(body: bytes, received_at: int, _ttl_seconds: int) -> _Accepted:
            window = parse_window(body, received_at=received_at, catalog=self._settings.catalog)
            return _Accepted(body, received_at, window_deadline(window.window_end))

        return self._write(request, limits.BATCH_BODY_BYTES, accept)

    def _write(
        self, request: Request, limit: int, accept: Callable[[bytes, int, int], _Accepted]
    ) -> Exchange:
        ttl_seconds = self._checked_ttl()
        self._check_head(request, limit)
        body = yield from read_body(limit)
        if body.data is None:
            raise _Refused("payload_too_large")
        try:
            accepted = accept(body.data, _checked_instant(body.at), ttl_seconds)
        except ContractError as error:
            raise _Refused(error.code) from None
        yield from self._put(accepted)
        return _json(request, UpdateResult(accepted.received_at, writable(accepted.expires_at)))

    def _check_head(self, request: Request, limit: int) -> None:
        """Check what comes before the body, in the contract's order."""
        token = self._settings.token
        if token is None:
            raise _Refused("service_unavailable")
        if not token.authorizes(request.lines(b"authorization")):
            raise _Refused("unauthorized")
        if media_type(request.lines(b"content-type")) != b"application/json":
            raise _Refused("unsupported_media_type")
        if not is_length_allowed(request.lines(b"content-length"), limit):
            raise _Refused("payload_too_large")
        if not is_identity(request.lines(b"content-encoding")):
            raise _Refused("unsupported_media_type")

    def _put(self, accepted: _Accepted) -> Generator[Effect, Any, None]:
        # Stores expire by whole seconds; rounded up, none can drop a record that still holds.
        whole = -(-accepted.expires_at // SECOND_MS) * SECOND_MS
        value = splice(
            accepted.body, received_at=accepted.received_at, expires_at=accepted.expires_at
        )
        try:
            yield from write_store(limits.STORE_KEY, value, expires_at=whole)
        except EffectFailed:
            raise _Refused("service_unavailable") from None

    # Icons

    def manifest(self, request: Request, _params: _Params) -> Exchange:
        """Answer `GET /api/icons`."""
        found = yield from self._asset(MANIFEST_NAME, conditions_of(request))
        if isinstance(found, Asset):
            icons = self._read_icons(found.body)
        else:  # also what the client has already is passed on only while it is valid
            icons = yield from self._index()
        if found is None or icons is None:
            raise _Refused("service_unavailable")
        return responses.file_answer(request, found, JSON)

    def icon(self, request: Request, params: _Params) -> Exchange:
        """Answer `GET /api/icons/{id}.png`: only what the manifest lists."""
        icons = yield from self._index()
        if icons is None:
            raise _Refused("service_unavailable")
        if params["id"] not in icons.ids:
            raise _Refused("not_found")
        found = yield from self._asset(f"{params['id']}.png", conditions_of(request))
        if found is None:
            raise _Refused("not_found")
        return responses.file_answer(request, found, PNG)

    def icon_index(self) -> Generator[Effect, Any, IconIndex]:
        """Give the icons in which names are looked up; none where there is no manifest."""
        try:
            return (yield from self._index()) or IconIndex()
        except _Refused:
            return IconIndex()

    def _index(self) -> Generator[Effect, Any, IconIndex | None]:
        """Give the icons of the manifest, None where it is missing or breaks a rule."""
        found = yield from self._asset(MANIFEST_NAME, Conditions())
        return self._read_icons(found.body) if isinstance(found, Asset) else None

    def _asset(
        self, name: str, conditions: Conditions
    ) -> Generator[Effect, Any, Asset | Unmodified | None]:
        if not self._has_assets:
            raise _Refused("service_unavailable")
        try:
            return (yield from read_asset(name, conditions))
        except EffectFailed:
            raise _Refused("service_unavailable") from None


def _checked_instant(instant: int) -> int:
    """Return the instant; raise _Refused where it is not after the epoch, or after year 9999."""
    if not 0 < instant <= LAST_INSTANT:
        raise _Refused("service_unavailable")
    return instant


def _decode_manifest(body: bytes) -> IconIndex | None:
    manifest = read_manifest(body)
    return None if manifest is None else index_icons(manifest)


def _json(request: Request, body: attrs.AttrsInstance) -> Response:
    encoded = codec.encode(to_plain(body))
    return build_response(request.method, 200, JSON, encoded, NO_STORE)


def _timeline(service: Service, request: Request, _params: _Params) -> Exchange:
    found = yield from service.read()
    text = views.timeline_text(found.reading, now=found.now, ttl_seconds=found.ttl_seconds)
    return build_response(request.method, 200, JSON, text, NO_STORE)


def _shows(view: Callable[[Online | Offline], attrs.AttrsInstance]) -> _Respond:
    """Answer with a view of the state."""

    def respond(service: Service, request: Request, _params: _Params) -> Exchange:
        found = yield from service.read()
        return _json(request, view(found.state))

    return respond


def _shows_apps(view: Callable[[Online | Offline, IconIndex], attrs.AttrsInstance]) -> _Respond:
    """Answer with a view of the state that names icons; offline needs none."""

    def respond(service: Service, request: Request, _params: _Params) -> Exchange:
        state = (yield from service.read()).state
        icons = (yield from service.icon_index()) if isinstance(state, Online) else IconIndex()
        return _json(request, view(state, icons))

    return respond


def _status(allow: str, respond: _Respond) -> Route[_Endpoint]:
    return Route(allow, _Endpoint(respond, (*NO_STORE, *responses.STATUS_CORS)))


def _icon(respond: _Respond) -> Route[_Endpoint]:
    return Route("GET, HEAD, OPTIONS", _Endpoint(respond, responses.ICON_CORS, responses.ICON_CORS))


_GET: Final = "GET, OPTIONS"
_UPDATE: Final = _status("POST, OPTIONS", Service.update)
_NOW: Final = _status(_GET, _shows(views.now))
_BADGE: Final = _status(_GET, Service.badge)
_HEALTH: Final = _status(_GET, Service.health)

_ROUTES: Final = RouteTable(
    {
        b"/api/update": _UPDATE,
        b"/api/batch": _status("POST, OPTIONS", Service.batch),
        b"/api/now": _NOW,
        b"/api/timeline": _status(_GET, _timeline),
        b"/api/music": _status(_GET, _shows(views.music)),
        b"/api/apps/active": _status(_GET, _shows_apps(views.active_app)),
        b"/api/apps/running": _status(_GET, _shows_apps(views.running_apps)),
        b"/api/device": _status(_GET, _shows(views.device)),
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
