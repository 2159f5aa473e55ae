"""A WSGI application (PEP 3333) around any handler.

Invariant *bounded body*: reading stops one byte after the limit.  A body that ends before its
Content-Length is incomplete, and the exchange ends.
Invariant *credentials are not shown*: while a request is served, no frame here has a local variable
whose repr contains a header value; tracebacks may show locals.
Invariant *one slow value delays no other*: at most two threads wait long for futures of a source;
other requests for such values wait a quarter of a second.
Invariant *no event loop*: stores and sources block.  One with coroutine functions raises TypeError
when the application is created.

The path is undecoded where the server passes the request target: gunicorn does (`RAW_URI`), and so
do waitress, Werkzeug, uWSGI and mod_wsgi (`REQUEST_URI`).  Servers that pass only the decoded
`PATH_INFO` (wsgiref, granian) make `/api/%6eow` equal to `/api/now`.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from functools import partial
from http import HTTPStatus
from threading import Semaphore
from typing import Any, ClassVar, Final, TypeVar
from wsgiref.types import InputStream, StartResponse

import attrs

from status_contracts import exchange, messages
from status_contracts.adapters.application import ApplicationBase, report_failure

T = TypeVar("T")
Environ = Mapping[str, Any]
_ReadBody = Callable[[int], bytes | None]
"""Reads a body up to a limit; None if it is longer."""

STORE_CALLS: Final = 3
"""One less than the threads of waitress, so that one is free for requests without a store."""
_WAITING: Final = 2  # threads that wait long for a future; servers have four or more
_WAIT_SECONDS: Final = 0.25
"""How long the others wait."""
_PHRASES: Final = {int(status): status.phrase for status in HTTPStatus}
_CONTENT: Final = frozenset({"CONTENT_TYPE", "CONTENT_LENGTH"})
_INSTEAD: Final = "use the ASGI application, or a store and sources that block"


@attrs.frozen(eq=False, repr=False)
class Application(ApplicationBase):
    """A WSGI application around a handler; failures are handled as in the ASGI application.

    Choose one store call less than the server has threads, so that one is free for requests
    without a store.

    Raises:
        TypeError: a method of the store or of a source is a coroutine function.

    """

    default_store_calls: ClassVar[int] = STORE_CALLS
    _waiting: Semaphore = attrs.field(init=False, factory=lambda: Semaphore(_WAITING))

    def __attrs_post_init__(self) -> None:
        owners = {"get": self.store, "put": self.store, "read_asset": self.assets}
        for name, owner in {**owners, "read": self.source}.items():
            if inspect.iscoroutinefunction(getattr(owner, name, None)):
                method = f"{type(owner).__qualname__}.{name}"
                raise TypeError(f"{method} is a coroutine function under WSGI: {_INSTEAD}")

    def __call__(self, environ: Environ, start_response: StartResponse) -> list[bytes]:
        """Serve one request."""
        request, read = _request(environ), _body_reader(environ)
        del environ  # it contains the token, and a traceback may show the locals of this frame

        try:
            response = exchange.drive(self.handler(request), partial(self._perform, read))
        except exchange.Disconnected:
            response = self.incomplete
        messages.encoded_headers(response)  # checks them
        body = messages.body_to_send(request.method, response)
        phrase = _PHRASES.get(response.status, "Unknown")
        start_response(f"{response.status:d} {phrase}", list(response.headers))
        return [body] if body else []

    def _perform(self, read: _ReadBody, effect: exchange.Effect) -> object:
        try:
            if isinstance(effect, exchange.ReadBody):
                return exchange.Body(read(effect.limit), self.clock())
            call = exchange.call_of(effect, self.store, self.assets, self.source, self.clock)
            if isinstance(effect, exchange.ReadStore | exchange.WriteStore):
                call = partial(self._gate.call, call)
            result = _present(call())
            if isinstance(effect, exchange.ReadStore):
                return exchange.Stored(result, self.clock())
            return self._wait(result) if isinstance(result, Future) else result
        except Exception as error:
            report_failure(effect, error)
            raise

    def _wait(self, future: "Future[object]") -> object:
        seconds = self.source_timeout_seconds
        wait([future], min(seconds, _WAIT_SECONDS))
        if not future.done() and self._waiting.acquire(blocking=False):
            try:
                wait([future], seconds - _WAIT_SECONDS)
            finally:
                self._waiting.release()
        return future.result(0)


def _present(result: T) -> T:
    """Return the result of a blocking call; raise NotConfigured if it is awaitable."""
    if not inspect.isawaitable(result):
        return result
    if inspect.iscoroutine(result):
        result.close()  # otherwise Python warns that it was never awaited
    raise exchange.NotConfigured(f"the call returned an awaitable under WSGI: {_INSTEAD}")


def _request(environ: Environ) -> messages.Request:
    target = environ.get("RAW_URI") or environ.get("REQUEST_URI")
    mount = _octets(environ.get("SCRIPT_NAME", ""))
    return messages.Request(
        method=environ["REQUEST_METHOD"],
        path=messages.wire_path(
            None if target is None else _octets(target),
            _octets(environ.get("PATH_INFO", "")),
            mount,
        ),
        headers=tuple(_headers(environ)),
        query=_octets(environ.get("QUERY_STRING", "")),
    )


def _headers(environ: Environ) -> Iterator[tuple[bytes, bytes]]:
    """Return the headers; the server joined repeated ones, and may pass empty content headers."""
    for key, value in environ.items():
        name = key.removeprefix("HTTP_")
        if (key in _CONTENT and value) or (name != key and name not in _CONTENT):
            line_name = _octets(name.lower().replace("_", "-"))
            yield line_name, _octets(value).strip(messages.OUTER_SPACE)


def _octets(text: str) -> bytes:
    """Return the bytes of a native string: PEP 3333 represents each byte as one character."""
    return text.encode("latin-1")


def _body_reader(environ: Environ) -> _ReadBody:
    """Return a function that reads the body, at most one byte more than its limit.

    It returns None for a longer body.  Content-Length ends the body unless the server terminates
    the input stream.
    """
    stream: InputStream = environ["wsgi.input"]
    content_length = _octets(environ.get("CONTENT_LENGTH") or "")
    is_terminated = bool(environ.get("wsgi.input_terminated"))

    def read(limit: int) -> bytes | None:
        declared = messages.parse_bounded_number(content_length, limit) or 0
        max_bytes = limit + 1 if is_terminated else declared
        body = bytearray()
        try:
            while len(body) < max_bytes and (chunk := stream.read(max_bytes - len(body))):
                body += chunk
        except Exception as error:  # the client has disconnected, or the server rejects the body
            raise exchange.Disconnected from error
        if len(body) > limit:
            return None
        if len(body) < declared:
            raise exchange.Disconnected
        return bytes(body)

    return read
