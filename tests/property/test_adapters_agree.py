"""Property: one handler gives byte-equal responses behind the ASGI and the WSGI application."""

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from status_contracts.adapters import asgi, wsgi
from status_contracts.exchange import EffectFailed, Exchange, ReadBody
from status_contracts.messages import Request, Response
from support.status_contracts.echo_handler import LIMIT, Files, Memory, Names, answer, echo
from support.status_contracts.gateways import call_asgi, call_wsgi

TOKEN = "!#$%&'*+-.^`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
JOINED = {b"content-length", b"content-type"}  # a WSGI server keeps one line of these

methods = st.sampled_from(["GET", "HEAD", "POST", "PUT", "OPTIONS", "get"]) | st.text(
    TOKEN, min_size=1, max_size=8
)
octets = st.sampled_from([*b"/abn.;%?#&=", 0x80, 0xC3, 0xFF]) | st.integers(0x21, 0xFF)
known_paths = st.sampled_from(
    [b"/body", b"/store", b"/files/a.png", b"/files/", b"/source", b"/source/a", b"//body", b"/"]
)
octet_strings = st.lists(octets, max_size=12).map(bytes)
paths = known_paths | octet_strings.map(lambda some: b"/" + some)
values = st.lists(st.sampled_from([9, *range(0x20, 0x7F), *range(0x80, 0x100)]), max_size=12)
headers = st.dictionaries(
    st.text(TOKEN, min_size=1, max_size=8).map(lambda name: name.lower().encode())
    | st.sampled_from([b"content-type", b"if-none-match", b"authorization"]),
    values.map(bytes),
    max_size=4,
).map(lambda lines: [(name, value) for name, value in lines.items() if value or name not in JOINED])
bodies = st.binary(max_size=20) | st.integers(LIMIT - 1, LIMIT + 2).map(lambda size: b"x" * size)


def everything(request: Request) -> Exchange:
    """Answer with all there is: the request, the body, and what the echo makes of it."""
    try:
        echoed = yield from echo(request)
    except EffectFailed:
        echoed = answer(500, b"")
    return Response(echoed.status, (*echoed.headers, ("X-Path", repr(request.path))), echoed.body)


def whole(request: Request) -> Exchange:
    """Answer any path with the body."""
    body = yield from ReadBody(LIMIT)
    return answer(413 if body.data is None else 200, body.data or b"", ("X-At", str(body.at)))


def check(
    make: Callable[[Any], Any],
    method: str,
    target: bytes,
    lines: list[tuple[bytes, bytes]],
    body: bytes,
) -> None:
    """Run one request through both applications."""
    framed = [*lines, (b"content-length", str(len(body)).encode())] if body else lines
    by_asgi = call_asgi(make(asgi.Application), method, target, framed, [body])
    by_wsgi = call_wsgi(make(wsgi.Application), method, target, framed, [body])
    assert by_asgi == by_wsgi


class TestAdaptersAgree:
    @given(methods, paths, headers, bodies)
    def test_on_whatever_is_asked(
        self, method: str, target: bytes, lines: list[tuple[bytes, bytes]], body: bytes
    ) -> None:
        world = {"store": Memory(), "assets": Files(), "source": Names(), "clock": lambda: 7}
        check(lambda kind: kind(everything, **world), method, target, lines, body)

    @given(methods, paths, headers, bodies)
    def test_on_bodies_of_any_path(
        self, method: str, target: bytes, lines: list[tuple[bytes, bytes]], body: bytes
    ) -> None:
        check(lambda kind: kind(whole, clock=lambda: 7), method, target, lines, body)
