"""The HTTP entry of the service over ASGI and WSGI: no secrets in frames and logs."""

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
from support.devicestatus.examples import NOON, TOKEN, snapshot, window
from support.servers.servers import Answer
from support.status_contracts.gateways import call_asgi, call_wsgi

Lines = Iterable[tuple[bytes, bytes]]

BEARER = (b"authorization", b"Bearer " + TOKEN.encode())
JSON = (b"content-type", b"application/json")
AUTHORIZED = (BEARER, JSON)
WRITES = (b"/api/update", b"/api/batch", b"/update")
BODY = encode(unstructure(snapshot()))
LONG_BODY = encode(unstructure(window(window_end=NOON)))


class Failing(MemoryStore):
    """A store that can raise an exception."""

    fault: BaseException | None = None

    def get(self, key: str) -> bytes | None:
        self._fail()
        return super().get(key)

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        self._fail()
        super().put(key, value, expires_at_ms=expires_at_ms)

    def _fail(self) -> None:
        if self.fault is not None:
            raise self.fault


@attrs.define
class Client:
    """A client of one application, with its store and clock; the first request creates it."""

    kind: str
    store: Failing = attrs.Factory(Failing)
    clock: Callable[[], int] = lambda: NOON
    _app: Any = None

    def send(
        self, method: str, target: bytes, headers: Lines = (), body: Iterable[bytes] = (BODY,)
    ) -> Answer:
        """Send one request."""
        if self._app is None:
            create: Any = {"asgi": asgi_app, "wsgi": wsgi_app}[self.kind]
            self._app = create(Settings(TOKEN), store=self.store, clock=self.clock)
        call = call_asgi if self.kind == "asgi" else call_wsgi
        return call(self._app, method, target, headers, body)


@pytest.fixture(params=["asgi", "wsgi"])
def client(request: pytest.FixtureRequest) -> Client:
    return Client(request.param)


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
