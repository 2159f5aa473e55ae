"""The parts that the ASGI and the WSGI application share: paths, effects, logging.

Invariant *failures are named, not quoted*: a failing store or source is logged once, on the logger
`status_contracts`, with the effect, the exception type and the rule of a `ContractError`; never
with text, value or traceback.
Invariant *no header injection*: a response with a header that contains a line break, or another
illegal character, raises ValueError: the handler is wrong.
Invariant *no body where HTTP has none*: a response to HEAD, and any 1xx, 204 or 304, has no body.
Invariant *undecoded*: if the gateway passes the raw target, `/api/%6eow` is not `/api/now`, and
`//api/now` is not either.
Invariant *the gateway decides*: a raw target that does not decode to the decoded path (a proxy
rewrote only one of them) is not used; the decoded path is encoded instead.
"""

import logging
import re
from collections.abc import Callable
from functools import lru_cache, partial
from inspect import signature
from typing import Any, ClassVar, Final, ParamSpec, TypeVar
from urllib.parse import quote, unquote_to_bytes

import attrs

from status_contracts.adapters.clocks import system_clock
from status_contracts.adapters.store_gate import StoreGate
from status_contracts.exchange import (
    AssetSource,
    AsyncStore,
    Clock,
    Disconnected,
    Effect,
    Handler,
    ReadAsset,
    ReadSource,
    ReadStore,
    Source,
    Store,
    WriteStore,
)
from status_contracts.findings import ContractError
from status_contracts.messages import Response

_LOG: Final = logging.getLogger("status_contracts")
_NAME: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110 section 5.6.2: token
_VISIBLE: Final = r"[\x21-\x7e\x80-\xff]"
_VALUE: Final = re.compile(rf"(?:{_VISIBLE}(?:[\x20-\x7e\x80-\xff]*{_VISIBLE})?)?")
"""Latin-1 without ASCII control characters and without outer white space (RFC 9110 section 5.5)."""
_FIRST_FINAL: Final = 200
_WITHOUT_BODY: Final = frozenset({204, 304})
_AUTHORITY: Final = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")
_OCTET: Final = re.compile(rb"%[0-9A-Fa-f]{2}|.", re.DOTALL)
_PATH_CHARACTERS: Final = "/:@!$&'()*+,;=~"  # RFC 3986: unencoded in a path

CallEffect = ReadStore | WriteStore | ReadAsset | ReadSource
"""The effects that a call of the store or of a source performs."""

INCOMPLETE: Final = Response(400, (("Content-Length", "0"),))
"""The default response to a request whose body is incomplete."""


class NotConfigured(Exception):
    """The application cannot perform an effect as it was created; the text quotes no input."""


@attrs.frozen(eq=False, repr=False)
class ApplicationBase:
    """A handler, and the store, the sources and the clock that perform its effects.

    Attributes:
        clock: returns the time, ms since the epoch.
        store_calls: how many store calls run at once; None for as many as suit the interface.
        incomplete: the response to a request whose body is incomplete or unreadable; only a
            client that closed just its sending half receives it.
        store_timeout_seconds: how long a store call may wait for its turn, and how long calls may
            run until the store counts as slow (see `status_contracts.adapters.store_gate`).
        source_timeout_seconds: how long a request waits for the future that a source returns.

    """

    handler: Handler
    store: Store | AsyncStore | None = attrs.field(default=None, kw_only=True)
    assets: AssetSource | None = attrs.field(default=None, kw_only=True)
    source: Source | None = attrs.field(default=None, kw_only=True)
    clock: Clock = attrs.field(default=system_clock, kw_only=True)
    store_calls: int | None = attrs.field(default=None, kw_only=True)
    incomplete: Response = attrs.field(default=INCOMPLETE, kw_only=True)
    store_timeout_seconds: float = attrs.field(default=1.0, kw_only=True)
    source_timeout_seconds: float = attrs.field(default=5.0, kw_only=True)
    _gate: StoreGate = attrs.field(init=False)
    default_store_calls: ClassVar[int]

    @_gate.default
    def _make_gate(self) -> StoreGate:
        max_calls = self.store_calls or self.default_store_calls
        return StoreGate(max_calls, self.store_timeout_seconds)

    def call_of(self, effect: CallEffect) -> tuple[object, Callable[[], object]]:
        """Return what performs an effect, and the call to make of it; raise NotConfigured."""
        if isinstance(effect, ReadSource):
            if self.source is None:
                raise NotConfigured("the application has no source")
            return self.source, partial(self.source.read, effect.name, self.clock())
        if isinstance(effect, ReadAsset):
            if self.assets is None:
                raise NotConfigured("the application has no asset source")
            return self.assets, partial(self.assets.read_asset, effect.name, effect.conditions)
        if self.store is None:
            raise NotConfigured("the application has no store")
        if isinstance(effect, ReadStore):
            return self.store, partial(self.store.get, effect.key)
        return self.store, partial(
            self.store.put, effect.key, effect.value, expires_at_ms=effect.expires_at
        )


A = TypeVar("A")
P = ParamSpec("P")


def app_factory(application: Callable[..., A], bind: Callable[P, dict[str, Any]]) -> Callable[P, A]:
    """Return the `create_app` of a product: it has the parameters and the docstring of `bind`.

    Args:
        application: creates the application.
        bind: returns the arguments of the application.

    """

    def create_app(*args: P.args, **kwargs: P.kwargs) -> A:
        return application(**bind(*args, **kwargs))

    create_app.__doc__ = bind.__doc__
    vars(create_app)["__signature__"] = signature(bind).replace(return_annotation=application)
    return create_app


def report_failure(effect: Effect, error: Exception) -> None:
    """Log that performing an effect raised, unless the client has disconnected."""
    if isinstance(error, Disconnected):
        return
    reason = str(error) if isinstance(error, NotConfigured) else type(error).__qualname__
    if isinstance(error, ContractError):
        reason = f"{reason}: {error.findings[0].rule}"
    _LOG.error("%s failed: %s", type(effect).__name__, reason)


def encoded_headers(response: Response) -> list[tuple[bytes, bytes]]:
    """Return the headers of a response as ASGI sends them; raise ValueError if one is not legal."""
    return [_encoded(name, value) for name, value in response.headers]


@lru_cache(maxsize=512)  # a service sends few lines that differ
def _encoded(name: str, value: str) -> tuple[bytes, bytes]:
    if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
        raise ValueError("a header name or value of the response has an illegal character")
    return name.lower().encode("ascii"), value.encode("latin-1")


def body_to_send(method: str, response: Response) -> bytes:
    """Return the body to send: empty where the method or the status allows none."""
    status = response.status
    if method == "HEAD" or status < _FIRST_FINAL or status in _WITHOUT_BODY:
        return b""
    return response.body


def wire_path(target: bytes | None, decoded: bytes, mount: bytes = b"") -> bytes:
    """Return the path below the mount point as it was sent, without the query.

    A gateway passes the decoded path below the mount point, and most also the raw request target.
    The decoded path is authoritative; the raw target only restores the percent-encoding, of its
    end: before that it may have the mount point, or what a proxy has left of it.  A target with a
    fragment, or bytes that are not UTF-8, which gateways cut and replace, is no path of a service.

    Args:
        target: the raw request target, None if it is unknown.
        decoded: the decoded path below the mount point.
        mount: the decoded mount point.

    """
    decoded = _without_authority(decoded)
    if target is not None:
        raw = _without_authority(target).partition(b"?")[0]
        if raw == decoded and b"%" not in raw:  # nearly every request
            return raw
        octets = _OCTET.findall(raw)
        start = max(0, len(octets) - len(decoded))
        before, path = unquote_to_bytes(b"".join(octets[:start])), b"".join(octets[start:])
        if b"#" in raw or not _is_utf8(unquote_to_bytes(raw)):
            return raw.removeprefix(mount)
        if unquote_to_bytes(path) == decoded:
            if mount.endswith(before):
                return path
            if not before.strip(b"/"):  # leading slashes that the gateway collapsed
                return before + path
    return quote(decoded, safe=_PATH_CHARACTERS).encode("ascii")


def _is_utf8(octets: bytes) -> bool:
    try:
        octets.decode()
    except UnicodeDecodeError:
        return False
    return True


def _without_authority(target: bytes) -> bytes:
    """Reduce an absolute-form target (RFC 9112 section 3.2.2) to its path and query."""
    authority = _AUTHORITY.match(target)
    if authority is None:
        return target
    rest = target[authority.end() :]
    return rest if rest.startswith(b"/") else b"/" + rest
