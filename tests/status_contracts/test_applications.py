"""What the ASGI and the WSGI application have in common: in process, and on real servers."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager
from threading import Timer
from typing import Any, Final

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from status_contracts.adapters import asgi, wsgi
from status_contracts.exchange import Exchange, ReadBody
from status_contracts.findings import ContractError, Finding
from status_contracts.messages import Request, Response, encoded_headers
from support.checks.costs import assert_linear
from support.servers.servers import Answer, ask, send_raw, serve_asgi, serve_wsgi
from support.status_contracts import echo_handler
from support.status_contracts.echo_handler import LIMIT, Memory, Names, answer, echo
from support.status_contracts.gateways import call_asgi, call_wsgi

SECRET = "canary-text"


@attrs.frozen
class Kind:
    """An application, and the server in process that calls it."""

    make: Callable[..., Any]
    call: Callable[..., Answer]


KINDS: Final = {
    "asgi": Kind(asgi.Application, call_asgi),
    "wsgi": Kind(wsgi.Application, call_wsgi),
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


class Failing:
    """A store and source that raises whatever it is given."""

    def __init__(self, fault: BaseException, *, nonblocking: bool = False) -> None:
        self.fault = fault
        self.nonblocking = nonblocking
        self.calls = 0

    def get(self, *_: object, **__: object) -> Any:
        self.calls += 1
        raise self.fault

    put = read = get


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    records = [record for record in caplog.records if record.name == "status_contracts"]
    assert all(record.exc_info is None for record in records)
    return [record.getMessage() for record in records]


class TestBody:
    @pytest.mark.parametrize("size", [0, 1, LIMIT - 1, LIMIT])
    def test_a_body_up_to_the_limit_is_returned(self, kind: Kind, size: int) -> None:
        body = b"x" * size
        assert kind.call(kind.make(echo), "POST", b"/body", (), [body]).body == body

    def test_content_length_is_ignored(self, kind: Kind) -> None:
        headers = [(b"content-length", b"3")]
        app = kind.make(echo)
        assert kind.call(app, "POST", b"/body", headers, [b"x" * (LIMIT + 1)]).status == 413
        assert kind.call(app, "POST", b"/body", headers, [b"12345"]).body == b"12345"

    @pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
    @given(body=st.binary(max_size=LIMIT + 50), sizes=st.lists(st.integers(1, 200), max_size=10))
    def test_the_sizes_of_chunks_do_not_matter(
        self, kind: Kind, body: bytes, sizes: list[int]
    ) -> None:
        pieces, rest = [], body
        for size in sizes:
            pieces.append(rest[:size])
            rest = rest[size:]
        app = kind.make(echo, clock=lambda: 1)
        bytewise = (body[at : at + 1] for at in range(len(body)))
        whole = kind.call(app, "POST", b"/body", (), [body])
        assert kind.call(app, "POST", b"/body", (), [*pieces, rest]) == whole
        assert kind.call(app, "POST", b"/body", (), bytewise) == whole


class TestStores:
    def test_a_store_serves(self, kind: Kind) -> None:
        app = kind.make(echo, store=Memory(), clock=lambda: 5)
        assert kind.call(app, "GET", b"/store").status == 404
        assert kind.call(app, "PUT", b"/store", (), [b"v"]).status == 204
        answered = kind.call(app, "GET", b"/store")
        assert (answered.body, answered.header("x-at")) == (b"v", "5")

    def test_a_value_has_the_time_at_which_the_store_returned_it(self, kind: Kind) -> None:
        now = [1]

        class Slow(Memory):
            def get(self, key: str) -> bytes | None:
                now[0] = 1000
                return b"v"

        app = kind.make(echo, store=Slow(), clock=lambda: now[0])
        assert kind.call(app, "GET", b"/store").header("x-at") == "1000"

    def test_a_source_is_read_at_the_time_of_the_clock(self, kind: Kind) -> None:
        app = kind.make(echo, source=Names(), clock=lambda: 5)
        assert kind.call(app, "GET", b"/source").body == b"None at 5"
        assert kind.call(app, "GET", b"/source/a").body == b"a at 5"


class Promised:
    """A source whose values are futures."""

    nonblocking = True

    def __init__(self) -> None:
        self.future: Future[object] = Future()

    def read(self, name: str | None, now: int) -> object:
        return self.future


class TestFutures:
    """A request waits for the future that a source returns, for a time."""

    def test_its_value_is_the_result_and_its_exception_a_failure(
        self, kind: Kind, caplog: pytest.LogCaptureFixture
    ) -> None:
        promised = Promised()
        app = kind.make(echo, source=promised)
        Timer(0.01, promised.future.set_result, ["a value"]).start()
        assert kind.call(app, "GET", b"/source/a").body == b"a value"
        promised.future = Future()
        promised.future.set_exception(OSError(SECRET))
        assert kind.call(app, "GET", b"/source/a").status == 503
        assert logged(caplog) == ["ReadSource failed: OSError"]

    def test_after_that_time_it_is_a_failure_and_not_cancelled(
        self, kind: Kind, caplog: pytest.LogCaptureFixture
    ) -> None:
        promised = Promised()
        app = kind.make(echo, source=promised, source_timeout_seconds=0.01)
        assert kind.call(app, "GET", b"/source/a").status == 503
        assert logged(caplog) == ["ReadSource failed: TimeoutError"]
        assert not promised.future.cancelled()
        promised.future.set_result("late")
        assert kind.call(app, "GET", b"/source/a").body == b"late"


class TestFailures:
    @pytest.mark.parametrize("nonblocking", [False, True])
    @pytest.mark.parametrize(
        "fault",
        [
            OSError(SECRET),
            StopIteration(SECRET),
            StopAsyncIteration(SECRET),
            MemoryError(SECRET),
            RecursionError(SECRET),
            ExceptionGroup(SECRET, [OSError(SECRET)]),
        ],
        ids=lambda fault: type(fault).__name__,
    )
    @pytest.mark.parametrize("effect", ["ReadStore", "WriteStore", "ReadSource"])
    def test_a_failure_is_logged_once_by_type_and_raised_in_the_exchange(
        self,
        kind: Kind,
        effect: str,
        fault: Exception,
        nonblocking: bool,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        method = "PUT" if effect == "WriteStore" else "GET"
        path = b"/source" if effect == "ReadSource" else b"/store"
        failing = Failing(fault, nonblocking=nonblocking)
        with caplog.at_level(logging.DEBUG, "status_contracts"):
            app = kind.make(echo, store=failing, source=failing)
            assert kind.call(app, method, path).status == 503
        assert failing.calls == 1
        (message,) = logged(caplog)
        assert message.startswith(f"{effect} failed: ")
        assert SECRET not in caplog.text

    def test_an_error_with_findings_is_logged_with_its_rule(
        self, kind: Kind, caplog: pytest.LogCaptureFixture
    ) -> None:
        error = ContractError("invalid", (Finding(f"/{SECRET}", "file.reading", SECRET),))
        app = kind.make(echo, source=Failing(error))
        assert kind.call(app, "GET", b"/source").status == 503
        assert logged(caplog) == ["ReadSource failed: ContractError: file.reading"]

    @pytest.mark.parametrize(
        ("path", "message"),
        [
            (b"/store", "ReadStore failed: the application has no store"),
            (b"/files/a.png", "ReadAsset failed: the application has no asset source"),
            (b"/source", "ReadSource failed: the application has no source"),
        ],
    )
    def test_an_effect_without_a_store_or_source_fails(
        self, kind: Kind, path: bytes, message: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        assert kind.call(kind.make(echo), "GET", path).status == 503
        assert logged(caplog) == [message]

    @pytest.mark.parametrize("fault", [KeyboardInterrupt(), SystemExit(3)])
    def test_an_exit_passes_through(self, kind: Kind, fault: BaseException) -> None:
        with pytest.raises(type(fault)):
            kind.call(kind.make(echo, store=Failing(fault, nonblocking=True)), "GET", b"/store")

    def test_a_bug_of_the_handler_is_raised(self, kind: Kind) -> None:
        def handler(request: Request) -> Exchange:
            yield from ReadBody(1)
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            kind.call(kind.make(handler), "GET", b"/")


def test_head_runs_the_handler_and_its_effects_once(kind: Kind) -> None:
    store = Memory()
    assert kind.call(kind.make(echo, store=store), "HEAD", b"/store").status == 404
    assert store.calls == ["get"]


class TestResponse:
    def of(self, kind: Kind, response: Response, method: str = "GET") -> Answer:
        def handler(request: Request) -> Exchange:
            yield from ()
            return response

        return kind.call(kind.make(handler), method, b"/")

    @pytest.mark.parametrize(
        ("method", "status"), [("HEAD", 200), ("HEAD", 404), ("GET", 204), ("GET", 304)]
    )
    def test_no_body_where_http_has_none(self, kind: Kind, method: str, status: int) -> None:
        answered = self.of(kind, answer(status, b"body"), method)
        assert (answered.status, answered.body) == (status, b"")
        assert answered.header("content-length") == "4"

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            *(("ETag", f'"{bad}"') for bad in "\r\n\0\t\x7f\x1b"),
            *(("X", value) for value in ("♫", "a\u2028b", "\ud800", " a", "a ", " ", "a\n")),
            ("ETag", '"a"\r\nSet-Cookie: x=y'),
            ("X\r\nY", "a"),
            ("X Y", "a"),
            ("", "a"),
        ],
    )
    def test_a_header_that_could_end_its_line_is_not_sent(
        self, kind: Kind, name: str, value: str
    ) -> None:
        message = "^a header name or value of the response has an illegal character$"
        with pytest.raises(ValueError, match=message):
            self.of(kind, Response(200, ((name, value),)))

    @pytest.mark.parametrize("value", ["", '"é"', 'W/"a b"', '"\x80\xff"'])
    def test_latin_1_values_are_sent(self, kind: Kind, value: str) -> None:
        assert self.of(kind, answer(200, b"", ("ETag", value))).header("etag") == value

    def test_checking_a_header_takes_linear_time(self) -> None:
        assert_linear(
            lambda value: encoded_headers(Response(200, (("X", value),))),
            lambda n: f"{'a ' * n}b",
            100_000,
        )


PROCESSES: Final = {"uvicorn", "granian", "gunicorn", "waitress process", "granian wsgi"}
WSGI: Final = {"waitress", "gunicorn", "waitress process", "granian wsgi"}


def serve_echo(name: str, prefix: str = "") -> AbstractContextManager[str]:
    wire, serve = ("wsgi", serve_wsgi) if name in WSGI else ("asgi", serve_asgi)
    app = getattr(echo_handler, wire)
    target = f"support.status_contracts.echo_handler:{wire}" if name in PROCESSES else app
    return serve(target, server=name.partition(" ")[0], prefix=prefix)


@pytest.fixture(scope="module", params=["uvicorn thread", *sorted(PROCESSES | WSGI)])
def server(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """Return the name and the URL of a server of the echo, in a thread or a process."""
    with serve_echo(request.param) as url:
        yield request.param, url


class TestOnRealServers:
    @pytest.mark.parametrize("target", ["/api/now/", "//api/now", "/api/%6eow", "/%ff"])
    def test_paths_arrive_as_they_were_sent(self, server: tuple[str, str], target: str) -> None:
        name, url = server
        if name != "granian wsgi" or "%" not in target:  # it passes the decoded path only
            assert repr(target.encode()).encode() in ask(url, "GET", f"{target}?q").body

    def test_the_query_is_that_of_the_client(self, server: tuple[str, str]) -> None:
        assert ask(server[1], "GET", "/a?b=%6e&c+").json[3:] == ["b'b=%6e&c+'"]

    def test_an_absolute_target_is_its_path(self, server: tuple[str, str]) -> None:
        assert b"b'/api/now'" in ask(server[1], "GET", "http://else.where/api/now?q").body

    def test_bodies_arrive_whole_in_any_framing(self, server: tuple[str, str]) -> None:
        _, url = server
        body = b"0123456789" * (LIMIT // 10)
        assert ask(url, "POST", "/body", body=body).body == body
        assert ask(url, "POST", "/body").body == b""
        assert ask(url, "POST", "/body", body=[body[:7], body[7:]]).body == body

    @pytest.mark.parametrize("size", [LIMIT + 1, 50 * LIMIT])
    def test_too_long_bodies_are_rejected_in_any_framing(
        self, server: tuple[str, str], size: int
    ) -> None:
        _, url = server
        assert ask(url, "POST", "/body", body=b"x" * size).status == 413
        assert ask(url, "POST", "/body", body=[b"x" * (size - 1), b"x"]).status == 413

    def test_a_value_is_written_and_read(self, server: tuple[str, str]) -> None:
        _, url = server
        assert ask(url, "PUT", "/store", body=b"value").status == 204
        assert ask(url, "GET", "/store").body == b"value"
        head = ask(url, "HEAD", "/store")
        assert (head.header("content-length"), head.body) == ("5", b"")

    def test_an_incomplete_body_is_not_written(self, server: tuple[str, str]) -> None:
        _, url = server
        ask(url, "PUT", "/store", body=b"whole")
        head = b"PUT /store HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n"
        assert b"204" not in send_raw(url, head + b"half").partition(b"\r\n")[0]
        assert ask(url, "GET", "/store").body == b"whole"

    @pytest.mark.parametrize(
        ("name", "prefix", "path"),
        [
            ("uvicorn thread", "/deep/er", "/api/%6eow"),
            ("granian", "/deep", "/deep/api/%6eow"),
            ("waitress", "/deep/er", "/deep/er/api/%6eow"),
            ("gunicorn", "/deep", "/deep/api/%6eow"),
        ],
    )
    def test_a_prefix_is_no_part_of_the_path(self, name: str, prefix: str, path: str) -> None:
        with serve_echo(name, prefix) as url:
            assert b"b'/api/%6eow'" in ask(url, "GET", path).body
