"""The routes and the order of checks, as an exchange: a request in, effects out, a response back.

Source: health-data specification, "Endpoints", "Authentication" and "Errors"; rulings under
"Order", "Headers" and "Links".

Invariant *order of checks*: path, OPTIONS, method, profile, its data, key.
Invariant *any bytes have an answer*: whatever stands in path and query, the answer is one of the
documented ones, and nothing but a well-formed profile id ever reaches the source.
Invariant *fault is not absence*: data that cannot be read are 503, never 404 and never empty.
Invariant *no Host in a body*: an answer depends on path, query, data and configuration alone.
Invariant *answers are remembered*: an answer is made once for a state of a profile; forgetting one
changes nothing but the time.  A profile that is no longer listed is not held.
"""

import re
from collections.abc import Callable, Generator, Mapping
from typing import Any, Final
from urllib.parse import unquote_to_bytes

import attrs

from healthapi.api_docs import manual, markup, openapi
from healthapi.errors import ErrorCode
from healthapi.http import envelope, resources
from healthapi.http.endpoints import ENDPOINTS, KEYS, ROOT, Asked, Endpoint, Kind, PathKey
from healthapi.http.envelope import Prepared
from healthapi.http.links import Links, checked_base
from healthapi.profile import Profile
from purewire.cache import BoundedCache
from purewire.exchange.effects import Effect, EffectFailed, Exchange, read_source
from purewire.http.messages import Request
from purewire.http.responses import JSON, preflight_response
from purewire.http.routes import MethodNotAllowed, PatternRoute, Route, RouteTable
from purewire.json.codec import encode

__all__ = ["Service"]

_HTML: Final = "text/html; charset=utf-8"
_MARKDOWN: Final = "text/markdown; charset=utf-8"
_ALLOW: Final = "GET, HEAD, OPTIONS"
_NOT_ASCII: Final = re.compile(rb"[\x80-\xff]")
_NEVER: Final = "1970-01-01T00:00:00"
"""When a list without a single readable profile was generated."""

_PROFILE_ANSWERS_BYTES: Final = 40 * 1024 * 1024
"""Of one profile: the largest answers are a snapshot and a series of every daily metric (21 MB)."""
_MOST_ANSWERS: Final = 256

_Reading = Generator[Effect, Any, Prepared]


class _Refused(Exception):
    """A check failed: the exchange ends with this error answer."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(code)
        self.code: Final = code


@attrs.frozen(eq=False)
class _Known:
    """A state of a profile, and the answers that were made of it."""

    profile: Profile
    answers: BoundedCache[Prepared]


class Service:
    """All health-data endpoints of one deployment; call it with a request to get its exchange.

    It reads `ReadSource` effects: with None the ids of all profiles, with an id a `Profile`, or
    None where there is no such profile.

    Args:
        base_url: URL of the mount point, with which links begin; without it links are relative to
            the URL of the answer.

    Raises ValueError for a base URL that is no absolute http or https URL.

    """

    def __init__(self, *, base_url: str | None = None) -> None:
        self._base = None if base_url is None else checked_base(base_url)
        self._documents: dict[Kind, Prepared] = {}
        self._known: dict[str, _Known] = {}

    def __call__(self, request: Request) -> Exchange:
        """Give the exchange that answers a request."""
        match = _ROUTES.resolve(request.method, _in_ascii(request.path))
        if match is None:
            return envelope.refusal(request.method, "not_found")
        if isinstance(match, MethodNotAllowed):
            allow = (("Allow", match.route.allow),)
            return envelope.refusal(request.method, "method_not_allowed", allow)
        if request.method == "OPTIONS":
            return preflight_response(envelope.CORS)
        try:
            prepared = yield from self._prepare(match.route.target, match.params, request.query)
        except _Refused as refused:
            return envelope.refusal(request.method, refused.code)
        return prepared.respond(request)

    def _prepare(self, endpoint: Endpoint, params: Mapping[str, str], query: bytes) -> _Reading:
        if endpoint.of_profile:
            known = yield from self._profile(params["profile_id"])
            key = None if endpoint.key is None else params[endpoint.key.name]
            return self._of_profile(known, endpoint, _asked(endpoint, key, query))
        if endpoint.reads:
            return (yield from self._overall(endpoint))
        return self._document(endpoint.kind)

    def _links(self, endpoint: Endpoint) -> Links:
        if self._base is None:
            return Links.relative_to(endpoint.path)
        return Links.from_base(self._base)

    # Profiles

    def _profile(self, encoded: str) -> Generator[Effect, Any, _Known]:
        """Read the profile of a path."""
        profile_id = _found(KEYS["profile_id"], encoded)
        profile = yield from _read(profile_id)
        if profile is None:
            self._known.pop(profile_id, None)
            raise _Refused("profile_not_found")
        known = self._known.get(profile_id)
        if known is None or known.profile is not profile:
            known = _Known(profile, _answers())
            self._known[profile_id] = known
        return known

    def _of_profile(self, known: _Known, endpoint: Endpoint, asked: Asked) -> Prepared:
        """Return the answer of an endpoint below a profile, the cached one where there is one."""
        name = endpoint.resource, asked
        prepared = known.answers.get(name)
        if prepared is None:
            prepared = _made(known.profile, endpoint, asked, self._links(endpoint))
            known.answers.put(name, prepared, len(prepared.asset.body))
        return prepared

    # The whole

    def _overall(self, endpoint: Endpoint) -> _Reading:
        links = self._links(endpoint)
        profile_ids: tuple[str, ...] = yield from _read(None)
        for gone in set(self._known).difference(profile_ids):
            self._known.pop(gone, None)
        if endpoint.resource == "index":
            sample = yield from _first_readable(profile_ids)
            content = resources.index(profile_ids, sample, links)
            generated_at = _NEVER if sample is None else sample.generated_at
        else:
            found = yield from _readable(profile_ids)
            content = resources.profiles(found, links)
            moments = [each.generated_at for each in found.values() if each is not None]
            generated_at = max(moments, default=_NEVER)
        return envelope.enveloped(endpoint.resource, generated_at, None, content)

    def _document(self, kind: Kind) -> Prepared:
        prepared = self._documents.get(kind)
        if prepared is None:
            prepared = self._documents[kind] = _DOCUMENTS[kind](self._base)
        return prepared


def _read(name: str | None) -> Generator[Effect, Any, Any]:
    try:
        return (yield from read_source(name))
    except EffectFailed:
        raise _Refused("service_unavailable") from None


def _readable(
    profile_ids: tuple[str, ...],
) -> Generator[Effect, Any, dict[str, Profile | None]]:
    """Read profiles, for each of which an earlier state will do.

    None stands for one that cannot be read; one that has gone is left out.
    """
    found: dict[str, Profile | None] = {}
    for profile_id in profile_ids:
        try:
            profile = yield from read_source(profile_id, at_once=True)
        except EffectFailed:
            found[profile_id] = None
        else:
            if profile is not None:
                found[profile_id] = profile
    return found


def _first_readable(
    profile_ids: tuple[str, ...],
) -> Generator[Effect, Any, Profile | None]:
    for profile_id in profile_ids:
        found = yield from _readable((profile_id,))
        profile = found.get(profile_id)
        if profile is not None:
            return profile
    return None


def _asked(endpoint: Endpoint, encoded: str | None, query: bytes) -> Asked:
    if endpoint.key is None or encoded is None:
        return endpoint.ask("", query)
    key = _found(endpoint.key, encoded)
    try:
        return endpoint.ask(key, query)
    except KeyError:  # a granularity that there is not
        raise _Refused(endpoint.key.missing) from None


def _made(profile: Profile, endpoint: Endpoint, asked: Asked, links: Links) -> Prepared:
    if endpoint.kind == "svg":
        return envelope.chart(*resources.chart(profile, asked))
    content = resources.OF_PROFILE[endpoint.resource](profile, asked, links)
    if content is None:
        raise _Refused("snapshot_endpoint_not_found")
    return envelope.enveloped(endpoint.resource, profile.generated_at, profile.id, content)


def _answers() -> BoundedCache[Prepared]:
    return BoundedCache(max_bytes=_PROFILE_ANSWERS_BYTES, max_results=_MOST_ANSWERS)


def _in_ascii(path: bytes) -> bytes:
    """Spell bytes that are not ASCII as the percent-encoding that they mean."""
    return _NOT_ASCII.sub(lambda found: b"%%%02X" % found[0][0], path)


def _found(key: PathKey, encoded: str) -> str:
    """Give the key that a part of a path means, percent-decoded."""
    try:
        found = key.find(unquote_to_bytes(encoded).decode("utf-8"))
    except UnicodeDecodeError:
        found = None
    if found is None:
        raise _Refused(key.missing)
    return found


_DOCUMENTS: Final[Mapping[Kind, Callable[[str | None], Prepared]]] = {
    "html": lambda base: envelope.document(
        manual.page(base), _HTML, (("Content-Security-Policy", markup.POLICY),)
    ),
    "markdown": lambda base: envelope.document(manual.text(base), _MARKDOWN),
    "openapi": lambda base: envelope.document(encode(openapi.document(base)), JSON),
}
_ROUTES: Final = RouteTable(
    {
        f"{ROOT}{endpoint.path}".encode("ascii"): Route(_ALLOW, endpoint)
        for endpoint in ENDPOINTS
        if not endpoint.keys
    },
    [
        PatternRoute(endpoint.form, Route(_ALLOW, endpoint))
        for endpoint in ENDPOINTS
        if endpoint.keys
    ],
)
