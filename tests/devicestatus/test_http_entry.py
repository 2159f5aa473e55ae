"""The HTTP entry of the service over ASGI and WSGI: authentication, size limits, secrets in logs.

The bodies count what the application reads of them, and the store counts its calls.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

import attrs
import pytest

from devicestatus import Settings
from devicestatus.adapters.application import asgi_app, wsgi_app
from devicestatus.adapters.memory import MemoryStore
from status_contracts.json_text import encode
from status_contracts.structuring.converter import unstructure
from support.checks import canary
from support.checks.response_watch import locals_of
from support.devicestatus.app_icons import FOLDER
from support.devicestatus.examples import NOON, TOKEN, snapshot, window
from support.servers.servers import Answer
from support.status_contracts.gateways import (
    Pieces,
    Script,
    environ_of,
    exchange_asgi,
    exchange_wsgi,
    scope_of,
)

Lines = Iterable[tuple[bytes, bytes]]

BEARER = (b"authorization", b"Bearer " + TOKEN.encode())
JSON = (b"content-type", b"application/json")
AUTHORIZED = (BEARER, JSON)
WRITES = (b"/api/update", b"/api/batch", b"/update")
READS = (b"/api/now", b"/api/timeline", b"/api/badge.svg", b"/api/device", b"/now", b"/api/health")
BODY = encode(unstructure(snapshot()))
LONG_BODY = encode(unstructure(window(window_end=NOON)))


class Counting(MemoryStore):
    """A store that counts its calls and can raise an exception."""

    def __init__(self, fault: BaseException | None = None) -> None:
        super().__init__()
        self.fault = fault
        self.calls: list[str] = []

    def get(self, key: str) -> bytes | None:
        self._called("get")
        return super().get(key)

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        self._called("put")
        super().put(key, value, expires_at_ms=expires_at_ms)

    def _called(self, name: str) -> None:
        self.calls.append(name)
        if self.fault is not None:
            raise self.fault


@attrs.define
class Client:
    """A client of one application, with its store and clock; the first request creates it.

    `taken` counts what was read of the last body: messages (ASGI) or bytes (WSGI).
    """

    kind: str
    store: Counting = attrs.Factory(Counting)
    settings: Settings = attrs.Factory(lambda: Settings(TOKEN))
    clock: Callable[[], int] = lambda: NOON
    taken: int = 0
    _app: Any = None

    @property
    def app(self) -> Any:
        if self._app is None:
            create = {"asgi": asgi_app, "wsgi": wsgi_app}[self.kind]
            self._app = create(self.settings, store=self.store, assets=FOLDER, clock=self.clock)
        return self._app

    def send(
        self, method: str, target: bytes, headers: Lines = (), body: Iterable[bytes] = (BODY,)
    ) -> Answer:
        """Send one request."""
        if self.kind == "asgi":
            receive = Script.of_body(body)
            try:
                exchange = exchange_asgi(self.app, scope_of(method, target, headers), receive)
                response = asyncio.run(exchange)
            finally:
                self.taken = receive.taken
            assert response is not None
            return response
        pieces = Pieces(body)
        try:
            environ = environ_of(method, target, headers) | {"wsgi.input": pieces}
            return exchange_wsgi(self.app, environ)
        finally:
            self.taken = pieces.taken


@pytest.fixture(params=["asgi", "wsgi"])
def client(request: pytest.FixtureRequest) -> Client:
    return Client(request.param)


UNAUTHORIZED: list[list[tuple[bytes, bytes]]] = [
    [],
    [(b"authorization", TOKEN.encode())],
    [(b"authorization", b"bearer " + TOKEN.encode())],
    [(b"authorization", b"Bearer " + TOKEN.encode()[:-1])],
    [BEARER, BEARER],
    [(b"cookie", b"token=" + TOKEN.encode())],
    [(b"x-api-key", TOKEN.encode())],
]


class TestUnauthorized:
    @pytest.mark.parametrize("path", WRITES)
    def test_a_request_is_refused_before_the_first_byte_of_the_body(
        self, client: Client, path: bytes
    ) -> None:
        expected = (401, {"error": "unauthorized"}, "Bearer")
        failures = []
        for lines in UNAUTHORIZED:
            response = client.send("POST", path, [*lines, JSON])
            found = (response.status, response.json, response.header("www-authenticate"))
            if found != expected or client.taken or client.store.calls:
                failures.append((lines, found, client.taken, client.store.calls))
        assert not failures, failures

    @pytest.mark.parametrize(
        ("lines", "status"),
        [
            ([BEARER, (b"content-type", b"text/plain")], 415),
            ([*AUTHORIZED, (b"content-length", b"524289")], 413),
            ([*AUTHORIZED, (b"content-encoding", b"gzip")], 415),
        ],
    )
    def test_invalid_headers_are_refused_before_the_body(
        self, client: Client, lines: Lines, status: int
    ) -> None:
        assert client.send("POST", b"/api/batch", lines).status == status
        assert (client.taken, client.store.calls) == (0, [])


OVERRIDES = [
    (b"x-http-method-override", b"POST"),
    (b"x-http-method", b"POST"),
    (b"x-method-override", b"POST"),
]


class TestOtherRequests:
    """Only POST to the three write paths writes."""

    @pytest.mark.parametrize("method", ["GET", "OPTIONS", "PUT", "post", "POST\t"])
    def test_no_other_method_writes_or_reads_a_body(self, client: Client, method: str) -> None:
        failures = []
        for path in (*READS, *WRITES, b"/api/icons", b"/", b"/api"):
            client.send(method, path, [*AUTHORIZED, *OVERRIDES])
            if client.taken or "put" in client.store.calls:
                failures.append((path, client.taken, client.store.calls))
        assert not failures, failures


class TestBodySize:
    """The bytes received count, not those declared; reading stops just after the limit."""

    @pytest.mark.parametrize("declared", [b"0", b"5", b"16384"])
    def test_a_length_that_is_too_small_hides_nothing(
        self, client: Client, declared: bytes
    ) -> None:
        lines = [*AUTHORIZED, (b"content-length", declared)]
        response = client.send("POST", b"/api/update", lines, [BODY, b" " * 16_384])
        assert (response.status, client.store.calls) == (413, [])


class Stopped(BaseException):
    """An exception that no adapter catches."""


def frames_of(fault: BaseException | None) -> Iterator[str]:
    """Generate the locals in the frames of the packages, of a fault and of its causes."""
    while fault is not None:
        yield from locals_of(fault.__traceback__)
        fault = fault.__cause__ or fault.__context__


class TestNothingShowsTheToken:
    @pytest.mark.parametrize("path", WRITES)
    def test_no_frame_of_an_interrupted_request_does(self, client: Client, path: bytes) -> None:
        """The store raises during a request with the right token."""
        client.store.fault = Stopped(path)
        body = LONG_BODY if path == b"/api/batch" else BODY
        with pytest.raises(Stopped) as raised:
            client.send("POST", path, AUTHORIZED, [body])
        shown = list(frames_of(raised.value))
        assert any("Request(" in text for text in shown)
        assert not canary.shows(*shown)

    def test_no_log_of_a_clock_that_fails_does(
        self, client: Client, caplog: pytest.LogCaptureFixture
    ) -> None:
        def broken() -> NoReturn:
            raise ZeroDivisionError(TOKEN)

        client.clock = broken
        response = client.send("POST", b"/api/update", AUTHORIZED)
        assert (response.status, response.json) == (503, {"error": "service_unavailable"})
        assert "ReadBody failed: ZeroDivisionError" in caplog.text
        assert not canary.shows(caplog.text)


HOSTILE = [b"\x1b[2J\x1b]0;owned\x07", "\u202eforged\u2028forged".encode(), b"%(message)s %s {0}"]


class TestLogs:
    @pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
    def test_nothing_of_a_request_gets_into_a_log(
        self, client: Client, text: bytes, caplog: pytest.LogCaptureFixture
    ) -> None:
        mark = b"forged" if b"forged" in text else text
        lines = [(b"x-any", text), (b"user-agent", text), (b"if-none-match", text)]
        body = encode(unstructure(snapshot(active_app="A forged \u202e name")))
        with caplog.at_level(logging.DEBUG):
            for fault in (None, OSError(text)):
                client.store.fault = fault
                for method, path in (
                    ("GET", b"/api/now?" + text),
                    ("GET", b"/" + text),
                    ("POST", b"/api/update"),
                    ("POST", b"/api/batch"),
                ):
                    client.send(method, path, [*AUTHORIZED, *lines], [body])
        for record in caplog.records:
            assert mark.decode() not in record.getMessage()
            assert record.getMessage().isprintable()
