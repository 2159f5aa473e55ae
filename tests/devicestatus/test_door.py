"""The door of the service, at both front ends: who is let in, when, and what is shown of it.

Everything here goes through the ASGI and the WSGI application with a body that counts what is
taken of it, and a store that counts its calls.
"""

import asyncio
import io
import logging
import pickle
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

import attrs
import pytest

from devicestatus import Settings
from devicestatus.adapters import asgi, wsgi
from devicestatus.adapters.memory import MemoryStore
from devicestatus.http.service import Service
from purewire.exchange.effects import EffectFailed
from purewire.http.messages import Request
from purewire.json.codec import encode
from purewire.structuring.to_builtins import to_builtins
from support.checks import canary
from support.checks.response_watch import locals_of
from support.devicestatus.app_icons import FOLDER
from support.devicestatus.examples import NOON, TOKEN, snapshot, window
from support.purewire.gateways import (
    Pieces,
    Script,
    environ_of,
    exchange_asgi,
    exchange_wsgi,
    scope_of,
)
from support.servers.servers import Answer

Lines = Iterable[tuple[bytes, bytes]]

BEARER = (b"authorization", b"Bearer " + TOKEN.encode())
JSON = (b"content-type", b"application/json")
LET_IN = (BEARER, JSON)
WRITES = (b"/api/update", b"/api/batch", b"/update")
READS = (b"/api/now", b"/api/timeline", b"/api/badge.svg", b"/api/device", b"/now", b"/api/health")
BODY = encode(to_builtins(snapshot()))
LONG_BODY = encode(to_builtins(window(window_end=NOON)))


class Counting(MemoryStore):
    """A store that counts its calls, and fails them where it was told to."""

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
class Door:
    """One application and what it touches; `taken` counts what was taken of the last body.

    The application is made when it is first asked.
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
            create = {"asgi": asgi.create_app, "wsgi": wsgi.create_app}[self.kind]
            self._app = create(self.settings, store=self.store, assets=FOLDER, clock=self.clock)
        return self._app

    def ask(
        self, method: str, target: bytes, headers: Lines = (), body: Iterable[bytes] = (BODY,)
    ) -> Answer:
        """Send one request."""
        if self.kind == "asgi":
            receive = Script.of_body(body)
            try:
                asked = exchange_asgi(self.app, scope_of(method, target, headers), receive)
                answer = asyncio.run(asked)
            finally:
                self.taken = receive.taken
            assert answer is not None
            return answer
        pieces = Pieces(body)
        try:
            environ = environ_of(method, target, headers) | {"wsgi.input": pieces}
            return exchange_wsgi(self.app, environ)
        finally:
            self.taken = pieces.taken


@pytest.fixture(params=["asgi", "wsgi"])
def door(request: pytest.FixtureRequest) -> Door:
    return Door(request.param)


STRANGERS: list[list[tuple[bytes, bytes]]] = [
    [],
    [(b"authorization", b"")],
    [(b"authorization", TOKEN.encode())],
    [(b"authorization", b"bearer " + TOKEN.encode())],
    [(b"authorization", b"Bearer  " + TOKEN.encode())],
    [(b"authorization", b"Bearer\t" + TOKEN.encode())],
    [(b"authorization", b"Bearer " + TOKEN.encode()[:-1])],
    [(b"authorization", b"Bearer " + TOKEN.encode() + b"7")],
    [(b"authorization", b"Bearer " + TOKEN.encode() + b"\x00")],
    [(b"authorization", b"Bearer " + TOKEN.upper().encode())],
    [(b"authorization", b"Bearer " + TOKEN.encode("utf-16"))],
    [(b"authorization", b"Bearer \xff\xfe")],
    [(b"authorization", b"Bearer " + b"5" * 100_000)],
    [(b"authorization", b"Basic " + TOKEN.encode())],
    [(b"authorization", b"Digest " + TOKEN.encode())],
    [BEARER, BEARER],
    [BEARER, (b"authorization", b"Bearer other")],
    [(b"cookie", b"token=" + TOKEN.encode())],
    [(b"x-api-key", TOKEN.encode())],
    [(b"x-authorization", BEARER[1])],
    [(b"proxy-authorization", BEARER[1])],
]


class TestStrangers:
    @pytest.mark.parametrize("path", WRITES)
    @pytest.mark.parametrize("lines", STRANGERS, ids=range(len(STRANGERS)))
    def test_are_sent_away_before_the_first_byte_of_the_body(
        self, door: Door, path: bytes, lines: Lines
    ) -> None:
        answer = door.ask("POST", path, [*lines, JSON])
        assert (answer.status, answer.json) == (401, {"error": "unauthorized"})
        assert answer.header("www-authenticate") == "Bearer"
        assert (door.taken, door.store.calls) == (0, [])

    @pytest.mark.parametrize("place", [b"?token=", b"?access_token=", b"?Authorization=Bearer%20"])
    def test_are_strangers_with_a_token_in_the_address(self, door: Door, place: bytes) -> None:
        answer = door.ask("POST", b"/api/update" + place + TOKEN.encode(), [JSON])
        assert (answer.status, door.taken, door.store.calls) == (401, 0, [])

    @pytest.mark.parametrize("lines", STRANGERS, ids=range(len(STRANGERS)))
    def test_may_read_whatever_they_say_of_themselves(self, door: Door, lines: Lines) -> None:
        assert door.ask("GET", b"/api/now", lines) == door.ask("GET", b"/api/now")

    @pytest.mark.parametrize(
        ("lines", "status"),
        [
            ([BEARER], 415),
            ([BEARER, (b"content-type", b"text/plain")], 415),
            ([*LET_IN, (b"content-length", b"524289")], 413),
            ([*LET_IN, (b"content-length", b"1_0")], 413),
            ([*LET_IN, (b"content-length", b"9" * 5000)], 413),
            ([*LET_IN, (b"content-encoding", b"gzip")], 415),
        ],
    )
    def test_what_the_head_tells_is_refused_by_the_head(
        self, door: Door, lines: Lines, status: int
    ) -> None:
        assert door.ask("POST", b"/api/batch", lines).status == status
        assert (door.taken, door.store.calls) == (0, [])

    @pytest.mark.parametrize("token", [None, "short", TOKEN + " "])
    def test_a_service_without_a_token_lets_nobody_in(self, door: Door, token: str | None) -> None:
        door.settings = Settings(token)
        assert door.ask("POST", b"/api/update", LET_IN).status == 503
        assert (door.taken, door.store.calls) == (0, [])


OVERRIDES = [
    (b"x-http-method-override", b"POST"),
    (b"x-http-method", b"POST"),
    (b"x-method-override", b"POST"),
]


class TestOtherDoors:
    """There is no way to write but the three paths, by POST."""

    @pytest.mark.parametrize("path", [*READS, *WRITES, b"/api/icons", b"/", b"/api"])
    @pytest.mark.parametrize(
        "method", ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "post", "POST\t", "QUERY"]
    )
    def test_no_other_method_writes_or_reads_a_body(
        self, door: Door, method: str, path: bytes
    ) -> None:
        door.ask(method, path, [*LET_IN, *OVERRIDES])
        assert door.taken == 0
        assert "put" not in door.store.calls

    @pytest.mark.parametrize(
        "path",
        [
            *(b"/batch", b"/api/update/", b"//api/update", b"/API/update", b"/api/Update"),
            *(b"/api/updat%65", b"/api%2Fupdate", b"/api/./update", b"/api/x/../update"),
            *(b"/api/update;x", b"/api/update%00", b"/api/update%20", b"/app-icons/../api/update"),
            *(b"/api/now", b"/api/icons", b"/", b"/api"),
        ],
    )
    def test_no_other_spelling_of_a_path_writes(self, door: Door, path: bytes) -> None:
        assert door.ask("POST", path, [*LET_IN, *OVERRIDES]).status in {404, 405}
        assert (door.taken, door.store.calls) == (0, [])

    def test_the_way_in_is_open(self, door: Door) -> None:
        for path, body in ((b"/api/update", BODY), (b"/update", BODY), (b"/api/batch", LONG_BODY)):
            assert door.ask("POST", path, LET_IN, [body]).status == 200
        assert door.store.calls == ["put"] * 3


class TestBytesCount:
    """What is declared is not what comes; at most the limit and one piece more is taken."""

    @pytest.mark.parametrize(
        ("path", "limit"), [(b"/api/update", 16_384), (b"/api/batch", 524_288)]
    )
    @pytest.mark.parametrize("size", [1024, 65_536])
    def test_a_body_without_end_is_left_at_the_limit(
        self, door: Door, path: bytes, limit: int, size: int
    ) -> None:
        piece, count = b" " * size, 2 * limit // size + 4
        answer = door.ask("POST", path, LET_IN, [piece] * count)
        assert (answer.status, answer.json) == (413, {"error": "payload_too_large"})
        most = limit // size + 1 if door.kind == "asgi" else limit + 1
        assert door.taken <= most
        assert door.store.calls == []

    @pytest.mark.parametrize("declared", [b"0", b"5", b"16384"])
    def test_a_length_that_is_too_small_hides_nothing(self, door: Door, declared: bytes) -> None:
        lines = [*LET_IN, (b"content-length", declared)]
        answer = door.ask("POST", b"/api/update", lines, [BODY, b" " * 16_384])
        assert (answer.status, door.store.calls) == (413, [])

    @pytest.mark.parametrize("lines", [[b"10", b"11"], [b"11", b"10"], [b"0", b"16384"]])
    def test_two_lengths_that_differ_are_refused(self, door: Door, lines: list[bytes]) -> None:
        lengths = [(b"content-length", line) for line in lines]
        assert door.ask("POST", b"/api/update", [*LET_IN, *lengths]).status == 413
        assert (door.taken, door.store.calls) == (0, [])

    def test_after_two_framings_the_connection_is_closed(self) -> None:
        both = [(b"content-length", b"5"), (b"transfer-encoding", b"chunked")]
        for lines, closes in ((both, "close"), (both[:1], None), (both[1:], None)):
            answer = Door("asgi").ask("POST", b"/api/update", [*LET_IN, *lines])
            assert (answer.status, answer.header("connection")) == (200, closes)

    def test_empty_messages_without_end_are_left(self) -> None:
        door = Door("asgi")
        assert door.ask("POST", b"/api/update", LET_IN, [b""] * 100_000).status == 413
        assert door.taken <= 1001

    @pytest.mark.parametrize("size", [1, 3, 100])
    def test_the_pieces_of_a_body_do_not_matter(self, door: Door, size: int) -> None:
        pieces = [BODY[at : at + size] for at in range(0, len(BODY), size)]
        assert door.ask("POST", b"/api/update", LET_IN, pieces).status == 200


class TestLeaving:
    @pytest.mark.parametrize("before", [0, 1, 40])
    def test_a_client_that_leaves_in_its_body_writes_nothing(
        self, before: int, caplog: pytest.LogCaptureFixture
    ) -> None:
        piece = {"type": "http.request", "body": BODY[:10], "more_body": True}
        receive = Script([*[piece] * before, {"type": "http.disconnect"}])
        store = Counting()
        app = asgi.create_app(Settings(TOKEN), store=store, clock=lambda: NOON)
        with caplog.at_level(logging.DEBUG):
            answer = asyncio.run(
                exchange_asgi(app, scope_of("POST", b"/api/update", LET_IN), receive)
            )
        assert answer is not None
        assert (answer.status, answer.json) == (400, {"error": "invalid_json"})
        assert store.calls == []
        assert [record for record in caplog.records if record.name == "purewire"] == []

    def test_a_body_shorter_than_it_says_writes_nothing(self) -> None:
        door = Door("wsgi")
        length = (b"content-length", str(len(BODY) + 1).encode())
        answer = door.ask("POST", b"/api/update", [*LET_IN, length])
        assert (answer.status, answer.json) == (400, {"error": "invalid_json"})
        assert door.store.calls == []

    @pytest.mark.parametrize("fault", [OSError, RuntimeError, asyncio.InvalidStateError])
    @pytest.mark.parametrize("sent", [0, 1])
    def test_a_client_that_leaves_before_its_answer_leaves_one_write(
        self, fault: type[Exception], sent: int, caplog: pytest.LogCaptureFixture
    ) -> None:
        store = Counting()
        app = asgi.create_app(Settings(TOKEN), store=store, clock=lambda: NOON)
        messages: list[Any] = []

        async def send(message: Any) -> None:
            if len(messages) == sent:
                raise fault(TOKEN)
            messages.append(message)

        with caplog.at_level(logging.DEBUG, "purewire"):
            scope = scope_of("POST", b"/api/update", LET_IN)
            asyncio.run(app(scope, Script.of_body([BODY]), send))
        assert store.calls == ["put"]
        told = [record.getMessage() for record in caplog.records if record.name == "purewire"]
        assert told == [f"a response was not sent: {fault.__qualname__}"]


class Stopped(BaseException):
    """What no front end holds up."""


def frames_of(fault: BaseException | None) -> Iterator[str]:
    """Give the locals in the frames of the packages, of a fault and all that it came from."""
    while fault is not None:
        yield from locals_of(fault.__traceback__)
        fault = fault.__cause__ or fault.__context__


class TestNothingShowsTheToken:
    @pytest.mark.parametrize("path", WRITES)
    def test_no_frame_of_a_request_that_is_torn_away_does(self, door: Door, path: bytes) -> None:
        """The store is stopped, with a request in hand that has the right token."""
        door.store.fault = Stopped(path)
        body = LONG_BODY if path == b"/api/batch" else BODY
        with pytest.raises(Stopped) as raised:
            door.ask("POST", path, LET_IN, [body])
        shown = list(frames_of(raised.value))
        assert any("Request(" in text for text in shown)
        assert not canary.shows(*shown)

    def test_no_frame_of_a_clock_that_fails_does(self, door: Door) -> None:
        def broken() -> NoReturn:
            raise ZeroDivisionError

        door.clock = broken
        with pytest.raises(EffectFailed) as raised:
            door.ask("POST", b"/api/update", LET_IN)
        assert isinstance(raised.value.__cause__, ZeroDivisionError)
        shown = list(frames_of(raised.value))
        assert len(shown) > 5
        assert not canary.shows(*shown, *traceback.format_exception(raised.value))

    @pytest.mark.parametrize("fault", [OSError(TOKEN), KeyError(TOKEN), RuntimeError(TOKEN)])
    def test_no_log_of_a_failing_store_does(
        self, door: Door, fault: Exception, caplog: pytest.LogCaptureFixture
    ) -> None:
        door.store.fault = fault
        with caplog.at_level(logging.DEBUG):
            answer = door.ask("POST", b"/api/update", LET_IN)
        assert (answer.status, answer.json) == (503, {"error": "service_unavailable"})
        assert f"WriteStore failed: {type(fault).__qualname__}" in caplog.text
        assert not canary.shows(caplog.text)

    def test_no_text_of_a_request_does(self) -> None:
        request = Request("POST", b"/api/update", LET_IN)
        assert "authorization" in repr(request)
        assert not canary.shows(repr(request), str(request), f"{request!s:>9}")

    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_nothing_that_holds_it_can_be_pickled(self, protocol: int) -> None:
        settings = Settings(TOKEN)
        for thing in (
            settings,
            settings.token,
            Service(settings, has_store=True, has_assets=False),
            asgi.create_app(settings, store=None),
            wsgi.create_app(settings, store=None),
        ):
            written = io.BytesIO()
            with pytest.raises((TypeError, AttributeError, pickle.PicklingError)):
                pickle.dump(thing, written, protocol)
            assert not canary.shows(repr(written.getvalue()), repr(thing))


HOSTILE = [
    b"\x1b[2J\x1b]0;owned\x07",
    b"line\\nERROR forged",
    b"%0a%0dERROR%20forged",
    "\u202eforged\u2028forged".encode(),
    b"%(message)s %s {0}",
]


class TestLogs:
    @pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
    def test_nothing_of_a_request_gets_into_a_log(
        self, door: Door, text: bytes, caplog: pytest.LogCaptureFixture
    ) -> None:
        mark = b"forged" if b"forged" in text else text
        lines = [(b"x-any", text), (b"user-agent", text), (b"if-none-match", text)]
        body = encode(to_builtins(snapshot(active_app="A forged \u202e name")))
        with caplog.at_level(logging.DEBUG):
            for fault in (None, OSError(text)):
                door.store.fault = fault
                for method, path in (
                    ("GET", b"/api/now?" + text),
                    ("GET", b"/" + text),
                    ("POST", b"/api/update"),
                    ("POST", b"/api/batch"),
                ):
                    door.ask(method, path, [*LET_IN, *lines], [body])
        for record in caplog.records:
            assert mark.decode() not in record.getMessage()
            assert record.getMessage().isprintable()


ODD: list[list[tuple[bytes, bytes]]] = [
    [(b"origin", b"https://evil.example")],
    [(b"origin", b"null")],
    [(b"cookie", b"session=1")],
    [(b"host", b"evil.example")],
    [(b"host", b"a"), (b"host", b"b")],
    [(b"forwarded", b"for=1.1.1.1;host=evil.example;proto=http")],
    [(b"x-forwarded-host", b"evil.example"), (b"x-forwarded-proto", b"http")],
    [(b"x-forwarded-for", b"127.0.0.1"), (b"x-real-ip", b"127.0.0.1")],
    [(b"x-original-url", b"/api/update"), (b"x-rewrite-url", b"/api/update")],
    [(b"accept", b"text/html"), (b"accept-language", b"de"), (b"accept-encoding", b"gzip")],
    [(b"range", b"bytes=0-1"), (b"if-range", b'"x"'), (b"if-match", b'"x"')],
    [(b"access-control-request-method", b"DELETE"), (b"access-control-request-headers", b"x")],
    [(b"user-agent", b"\xff" * 5000), (b"x-odd", b"\x80")],
]


class TestNothingDependsOnWhoAsks:
    def test_the_answer_is_the_same_byte_for_byte(self, door: Door) -> None:
        assert door.ask("POST", b"/api/update", LET_IN).status == 200
        for path in (*READS, b"/api/icons", b"/", b"/api", b"/nothing"):
            for method in ("GET", "OPTIONS"):
                plain = door.ask(method, path)
                assert door.ask(method, path + b"?callback=x&origin=%2a") == plain
                for lines in ODD:
                    assert door.ask(method, path, lines) == plain, (path, lines)
