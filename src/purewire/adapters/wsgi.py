"""Any handler as a WSGI application (PEP 3333).

Invariant *bytes count, not promises*: reading stops one byte past the limit; a body that ends
before the length it declared is not complete, and nothing is done with it.
Invariant *credentials are not shown*: while a request is served no frame here has a local variable
that shows a header's value, as a traceback with locals would.

The path is undecoded where the server tells the request target: gunicorn does (`RAW_URI`), and so
do waitress, Werkzeug, uWSGI and mod_wsgi (`REQUEST_URI`).  Under a server that tells only the
decoded `PATH_INFO` (wsgiref, granian), `/api/%6eow` is `/api/now`.
"""

import inspect
from collections.abc import Iterator, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, Final, Self
from wsgiref.types import InputStream, StartResponse

import attrs

from purewire.adapters.application_base import (
    Bound,
    NotBound,
    body_to_send,
    checked_headers,
    reader_of,
    report_failure,
)
from purewire.adapters.loop_thread import LoopThread
from purewire.adapters.store_gate import StoreGate
from purewire.exchange.drivers import drive
from purewire.exchange.effects import (
    Body,
    Disconnected,
    Effect,
    ReadAsset,
    ReadBody,
    ReadSource,
    ReadStore,
    Stored,
    WriteStore,
)
from purewire.http.headers import bounded_number
from purewire.http.messages import Request
from purewire.http.request_target import wire_path

__all__ = ["STORE_CALLS", "Application"]

Environ = Mapping[str, Any]

STORE_CALLS: Final = 3
"""One less than the threads of waitress: one is left for what needs no store."""
_PHRASES: Final = {int(status): status.phrase for status in HTTPStatus}
_OUTER_SPACE: Final = b" \t"
_HEADER: Final = "HTTP_"
_CONTENT: Final = {"CONTENT_TYPE": b"content-type", "CONTENT_LENGTH": b"content-length"}


@attrs.frozen(eq=False, repr=False)
class Application(Bound):
    """A WSGI application around a handler.

    A failing store or source is logged and thrown into the exchange as `EffectFailed`; any
    other exception is a bug and propagates to the server.

    Attributes:
        store_calls: how many calls of the store run at once; choose one less than the server has
            threads, so that one is left for requests that need no store.

    """

    store_calls: int = attrs.field(default=STORE_CALLS, kw_only=True)
    _gate: StoreGate = attrs.field(init=False)
    _loop: LoopThread = attrs.field(factory=LoopThread, init=False)

    @_gate.default
    def _make_gate(self) -> StoreGate:
        return StoreGate(self.store_calls, self.store_patience)

    def __call__(self, environ: Environ, start_response: StartResponse) -> list[bytes]:
        """Serve one request."""
        request, read = _request(environ), _Input.of(environ).read
        del environ  # it has the token, and the locals of this frame may be shown

        def perform(effect: Effect) -> object:
            if isinstance(effect, ReadBody):
                return Body(read(effect.limit), self.clock())
            try:
                return self._ask(effect)
            except Exception as fault:
                report_failure(effect, fault)
                raise

        try:
            response = drive(self.handler(request), perform)
        except Disconnected:
            response = self.incomplete
        headers, body = checked_headers(response), body_to_send(request.method, response)
        phrase = _PHRASES.get(response.status, "Unknown")
        start_response(f"{response.status:d} {phrase}", list(headers))
        return [body] if body else []

    def close(self) -> None:
        """Stop the event loop of what is awaited, if it runs; a later request starts it anew."""
        self._loop.close()

    def _ask(self, effect: ReadStore | WriteStore | ReadAsset | ReadSource) -> object:
        """Perform an effect of the store or of a source."""
        if isinstance(effect, ReadSource):
            if self.source is None:
                raise NotBound
            return self._result(reader_of(self.source, effect)(effect.name, self.clock()))
        if isinstance(effect, ReadAsset):
            if self.assets is None:
                raise NotBound
            return self._result(self.assets.fetch(effect.name, effect.conditions))
        return self._ask_store(effect)

    def _ask_store(self, effect: ReadStore | WriteStore) -> object:
        if self.store is None:
            raise NotBound
        store, started = self.store, self._gate.start()
        if isinstance(effect, ReadStore):
            key = effect.key
            value = self._gate.call(started, lambda: self._result(store.get(key)))
            return Stored(value, self.clock())
        put = partial(store.put, effect.key, effect.value, expires_at_ms=effect.expires_at)
        return self._gate.call(started, lambda: self._result(put()))

    def _result(self, result: object) -> object:
        return self._loop.run(result) if inspect.isawaitable(result) else result


def _request(environ: Environ) -> Request:
    target = environ.get("RAW_URI") or environ.get("REQUEST_URI")
    headers = tuple(_headers(environ))
    mount = _octets(environ.get("SCRIPT_NAME", ""))
    return Request(
        method=environ["REQUEST_METHOD"],
        path=wire_path(
            None if target is None else _octets(target),
            _octets(environ.get("PATH_INFO", "")),
            mount,
        ),
        headers=headers,
        query=_octets(environ.get("QUERY_STRING", "")),
    )


def _headers(environ: Environ) -> Iterator[tuple[bytes, bytes]]:
    """Give the headers; the server joined lines of one name, and may give empty content ones."""
    for key, value in environ.items():
        if key in _CONTENT:
            if value:
                yield _CONTENT[key], _octets(value).strip(_OUTER_SPACE)
        elif key.startswith(_HEADER) and key.removeprefix(_HEADER) not in _CONTENT:
            name = key.removeprefix(_HEADER).lower().replace("_", "-")
            yield _octets(name), _octets(value).strip(_OUTER_SPACE)


def _octets(text: str) -> bytes:
    """Give the bytes of a native string: PEP 3333 writes each byte as one character."""
    return text.encode("latin-1")


@attrs.frozen
class _Input:
    """Where the body comes from, and what is known of its end."""

    stream: InputStream
    content_length: str
    ends_itself: bool

    @classmethod
    def of(cls, environ: Environ) -> Self:
        """Give the input of a request."""
        length: str = environ.get("CONTENT_LENGTH") or ""
        return cls(environ["wsgi.input"], length, bool(environ.get("wsgi.input_terminated")))

    def read(self, limit: int) -> bytes | None:
        """Read the body, at most one byte past the limit; None where it is longer.

        Where the server does not end the input itself, Content-Length does.
        """
        declared = bounded_number(_octets(self.content_length), limit) or 0
        try:
            body = _read_up_to(limit + 1 if self.ends_itself else declared, self.stream)
        except Exception as fault:  # the client has gone, or what it sends is no body to the server
            raise Disconnected from fault
        if len(body) > limit:
            return None
        if len(body) < declared:
            raise Disconnected
        return body


def _read_up_to(most: int, stream: InputStream) -> bytes:
    body = bytearray()
    while len(body) < most:
        chunk = stream.read(most - len(body))
        if not chunk:
            break
        body += chunk
    return bytes(body)
