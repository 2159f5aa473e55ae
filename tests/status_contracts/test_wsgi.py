"""The WSGI application in process, for what scripts can do; hosts and mounts of it."""

import gc
import io
from collections.abc import Callable, Generator, Iterable
from http import HTTPStatus
from typing import Any
from wsgiref.validate import validator

import pytest
from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.middleware.proxy_fix import ProxyFix

from status_contracts.adapters.wsgi import Application
from status_contracts.exchange import Exchange, ReadBody
from status_contracts.messages import Request, Response
from support.servers.django_host import django_host
from support.status_contracts.echo_handler import (
    LIMIT,
    AsyncFiles,
    AsyncMemory,
    AsyncNames,
    Files,
    Memory,
    answer,
    echo,
)
from support.status_contracts.gateways import Pieces, call_wsgi, environ_of, exchange_wsgi

SECRET = "canary-text"

WSGIApp = Callable[..., Iterable[bytes]]


class Later(Memory):
    """A store and source whose results are awaitable, though no method is a coroutine function."""

    class Nothing:
        def __await__(self) -> Generator[None, None, None]:
            yield

    def get(self, key: str) -> Any:
        return self.Nothing()

    def put(self, *_: object, **__: object) -> Any:
        return AsyncNames().read(None, 0)

    read = read_asset = put


class HalfAsync(Memory):
    """A store that only writes by coroutine."""

    put: Any = AsyncMemory.put


class TestRequest:
    def seen(self, environ: dict[str, Any]) -> Request:
        requests: list[Request] = []

        def handler(request: Request) -> Exchange:
            requests.append(request)
            yield from ()
            return answer(200, b"")

        exchange_wsgi(Application(handler), environ)
        (request,) = requests
        return request

    def test_the_handler_sees_method_path_and_headers(self) -> None:
        headers = [
            (b"X-A-B", b" 1\t"),
            (b"Content-Type", b"text/plain "),
            (b"Content-Length", b"0"),
        ]
        request = self.seen(environ_of("PATCH", b"/a%2Fb?c=d", headers))
        assert (request.method, request.path, request.query) == ("PATCH", b"/a%2Fb", b"c=d")
        assert sorted(request.headers) == [
            (b"content-length", b"0"),
            (b"content-type", b"text/plain"),
            (b"x-a-b", b"1"),
        ]

    def test_bytes_beyond_ascii_are_kept(self) -> None:
        request = self.seen(environ_of("GET", b"/\xff", [(b"x", b"\x80\xff")]))
        assert (request.path, request.headers) == (b"/\xff", ((b"x", b"\x80\xff"),))

    def test_content_headers_have_one_source_and_are_absent_if_they_are_empty(self) -> None:
        environ = environ_of("GET", b"/", [(b"content-type", b"application/json")])
        environ |= {"HTTP_CONTENT_TYPE": "text/plain", "HTTP_CONTENT_LENGTH": "9"}
        assert self.seen(environ).headers == ((b"content-type", b"application/json"),)
        environ = environ_of("GET", b"/") | {"CONTENT_TYPE": "", "CONTENT_LENGTH": ""}
        assert self.seen(environ).headers == ()

    @pytest.mark.parametrize("name", ["RAW_URI", "REQUEST_URI"])
    def test_encodings_of_a_path_differ_where_the_server_passes_the_target(self, name: str) -> None:
        environ = environ_of("GET", b"/api/%6eow")
        del environ["RAW_URI"]
        assert self.seen(environ | {name: "/api/%6eow?q"}).path == b"/api/%6eow"

    def test_otherwise_the_path_is_encoded(self) -> None:
        environ = environ_of("GET", b"/")
        del environ["RAW_URI"]
        environ["PATH_INFO"] = "/a b/ü?%".encode().decode("latin-1")
        assert self.seen(environ).path == b"/a%20b/%C3%BC%3F%25"

    def test_without_any_path_it_is_empty(self) -> None:
        environ = environ_of("GET", b"/")
        del environ["RAW_URI"], environ["PATH_INFO"], environ["SCRIPT_NAME"]
        assert self.seen(environ).path == b""


class TestBody:
    def answered(self, body: Iterable[bytes], *lengths: bytes, **environ: object) -> Any:
        headers = [(b"content-length", length) for length in lengths]
        app = Application(echo, clock=lambda: 1)
        return call_wsgi(app, "POST", b"/body", headers, body, **environ)

    @pytest.mark.parametrize("length", [(), (b"",), (b"ten",), (b"-1",), (b"1_0",)])
    def test_where_neither_length_nor_server_ends_it_there_is_none(
        self, length: tuple[bytes, ...]
    ) -> None:
        source = Pieces([b"next request"])
        more = {"wsgi.input_terminated": False, "wsgi.input": source}
        assert self.answered([], *length, **more).body == b""
        assert source.taken == 0

    def test_without_a_terminated_input_the_length_is_not_exceeded(self) -> None:
        source = Pieces([b"abcnext request"])
        more = {"wsgi.input_terminated": False, "wsgi.input": source}
        assert self.answered([], b"3", **more).body == b"abc"
        assert source.taken == 3

    @pytest.mark.parametrize("chunk", [1, 7, LIMIT + 1, 50 * LIMIT])
    @pytest.mark.parametrize("terminated", [True, False])
    def test_reading_stops_one_byte_past_the_limit(self, chunk: int, terminated: bool) -> None:
        source = Pieces([b"x" * chunk] * (2 * LIMIT))
        more = {"wsgi.input_terminated": terminated, "wsgi.input": source}
        assert self.answered([], b"9" * 5000, **more).status == 413
        assert source.taken == LIMIT + 1

    def test_a_request_that_needs_no_body_reads_none(self) -> None:
        source = Pieces([b"abc"])
        environ = environ_of("GET", b"/store") | {"wsgi.input": source}
        exchange_wsgi(Application(echo, store=Memory()), environ)
        assert source.taken == 0


class TestDisconnect:
    @pytest.mark.parametrize("terminated", [True, False])
    @pytest.mark.parametrize("length", [b"4", b"1000", b"1001", b"9" * 5000])
    def test_a_body_shorter_than_its_length_is_not_written(
        self, length: bytes, terminated: bool
    ) -> None:
        store = Memory()
        app = Application(echo, store=store)
        headers = [(b"content-length", length)]
        more = {"wsgi.input_terminated": terminated}
        answered = call_wsgi(app, "PUT", b"/store", headers, [b"abc"], **more)
        assert (answered.status, answered.body) == (400, b"")
        assert store.calls == []

    @pytest.mark.parametrize("fault", [ConnectionResetError(SECRET), ValueError(SECRET)])
    def test_a_failing_input_is_a_disconnected_client(
        self, fault: Exception, caplog: pytest.LogCaptureFixture
    ) -> None:
        class Broken(io.RawIOBase):
            def read(self, size: int = -1, /) -> bytes:
                raise fault

        log: list[str] = []

        def handler(request: Request) -> Exchange:
            try:
                yield from ReadBody(1)
            finally:
                log.append("closed")
            return answer(200, b"")

        environ = environ_of("PUT", b"/") | {"wsgi.input": Broken()}
        answered = exchange_wsgi(Application(handler), environ)
        assert answered.status == 400
        assert log == ["closed"]
        assert caplog.records == []


class TestAwaitables:
    @pytest.mark.parametrize(
        ("bound", "method"),
        [
            ({"store": AsyncMemory()}, "AsyncMemory.get"),
            ({"store": HalfAsync()}, "HalfAsync.put"),
            ({"assets": AsyncFiles()}, "AsyncFiles.read_asset"),
            ({"source": AsyncNames()}, "AsyncNames.read"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_coroutine_functions_are_rejected_at_creation(
        self, bound: dict[str, Any], method: str
    ) -> None:
        expected = f"{method} is a coroutine function under WSGI: use the ASGI application"
        with pytest.raises(TypeError, match=expected):
            Application(echo, **bound)

    @pytest.mark.parametrize(
        ("method", "path", "effect"),
        [
            ("GET", b"/store", "ReadStore"),
            ("PUT", b"/store", "WriteStore"),
            ("GET", b"/files/a.png", "ReadAsset"),
            ("GET", b"/source", "ReadSource"),
        ],
    )
    def test_an_awaitable_result_is_a_failure_that_names_the_remedy(
        self, method: str, path: bytes, effect: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        """No coroutine is left that was never awaited: warnings are errors here."""
        later = Later()
        app = Application(echo, store=later, assets=later, source=later)
        assert call_wsgi(app, method, path).status == 503
        gc.collect(1)
        (record,) = [record for record in caplog.records if record.name == "status_contracts"]
        assert record.getMessage() == (
            f"{effect} failed: the call returned an awaitable under WSGI: "
            "use the ASGI application, or a store and sources that block"
        )


class TestResponse:
    def of(self, response: Response) -> Application:
        def handler(request: Request) -> Exchange:
            yield from ()
            return response

        return Application(handler)

    @pytest.mark.parametrize(
        ("status", "line"), [(200, "200 OK"), (405, "405 Method Not Allowed"), (599, "599 Unknown")]
    )
    def test_the_status_line_has_a_reason(self, status: int, line: str) -> None:
        lines: list[str] = []
        app = self.of(Response(status, ()))

        def start_response(status: str, headers: object, exc_info: object = None) -> Any:
            lines.append(status)

        app(environ_of("GET", b"/"), start_response)
        assert lines == [line]

    @pytest.mark.parametrize("path", ["/", "/store", "/body", "/files/a.png", "/files/b.png"])
    @pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "POST"])
    def test_the_validator_of_the_standard_library_passes(self, method: str, path: str) -> None:
        def handler(request: Request) -> Exchange:
            response = yield from echo(request)
            kind = () if response.status == HTTPStatus.NO_CONTENT else (("Content-Type", "a/b"),)
            return Response(response.status, (*response.headers, *kind), response.body)

        app = validator(Application(handler, store=Memory(), assets=Files()))
        environ = environ_of(method, path.encode(), [(b"content-length", b"3")])
        environ |= {"wsgi.input": io.BytesIO(b"abc"), "wsgi.errors": io.StringIO()}
        started: list[str] = []

        def start_response(status: str, headers: object, exc_info: object = None) -> Any:
            started.append(status)
            return str  # to be called with bytes, which no one does

        answered = app(environ, start_response)
        list(answered)
        answered.close()  # type: ignore[attr-defined]
        assert len(started) == 1


ECHO = Application(echo, store=Memory(), assets=Files())


class TestMounted:
    @pytest.fixture(params=["flask", "django view", "django dispatch"])
    def parent(self, request: pytest.FixtureRequest) -> WSGIApp:
        """Mount the echo at /x of a Flask or a Django application."""
        if request.param == "flask":
            flask = Flask("host")
            mounted = DispatcherMiddleware(flask.wsgi_app, {"/x": ECHO})
            setattr(flask, "wsgi_app", mounted)  # noqa: B010 - the way of Flask, but a method by type
            return flask
        host = django_host(ECHO)
        return host if request.param == "django view" else DispatcherMiddleware(host, {"/x": ECHO})

    @pytest.mark.parametrize(
        ("target", "path"),
        [
            (b"/x/api/now?a=b", b"b'/api/now'"),
            (b"/x//api/now", b"b'//api/now'"),
            (b"/x/x/now", b"b'/x/now'"),
            (b"/%78/api/now", b"b'/api/now'"),
        ],
    )
    def test_the_mount_point_is_not_part_of_the_path(
        self, parent: WSGIApp, target: bytes, path: bytes
    ) -> None:
        assert path in call_wsgi(parent, "GET", target).body

    def test_behind_a_proxy_that_removes_its_prefix(self, parent: WSGIApp) -> None:
        app = ProxyFix(parent, x_prefix=1)
        headers = [(b"x-forwarded-prefix", b"/proxy")]
        assert b"b'/api/%6eow'" in call_wsgi(app, "GET", b"/x/api/%6eow", headers).body

    def test_alone_behind_a_proxy_whose_prefix_looks_like_a_path(self) -> None:
        app = ProxyFix(ECHO, x_prefix=1)
        headers = [(b"x-forwarded-prefix", b"/api")]
        assert b"b'/api/now'" in call_wsgi(app, "GET", b"/api/now", headers).body
