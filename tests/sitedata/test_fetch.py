"""The HTTP client, sync and async: real servers, broken servers, redirects, timeouts."""

import asyncio
import gzip
import socket
import ssl
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from sitedata.adapters.application import asgi_app, wsgi_app
from sitedata.adapters.fetch import Fetched, fetch, fetch_async
from sitedata.client import CacheState
from sitedata.limits import MAX_BYTES
from sitedata.service import PATH
from status_contracts.adapters.http_clients import UnusableUrl
from support.servers.certificates import self_signed
from support.servers.ports import free_port
from support.servers.raw_server import Script, serve_raw
from support.servers.servers import serve_asgi, serve_wsgi
from support.sitedata.site_versions import LATER, body_of, snapshot_of

pytestmark = pytest.mark.check

FIRST = CacheState()
BODY = body_of(1)
QUICK = 1.0
"""Timeout, in seconds, for servers that do not respond."""
TRUST_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients that need no TLS: to read all authorities takes long."""


def fetch_with(
    url: str,
    state: CacheState = FIRST,
    *,
    verify: ssl.SSLContext = TRUST_NOBODY,
    allow_http: bool = True,
    **options: Any,
) -> Fetched:
    """Fetch by a client of its own, with plain HTTP allowed."""

    async def run() -> Fetched:
        async with httpx2.AsyncClient(verify=verify) as client:
            return await fetch_async(url, state, client=client, allow_http=allow_http, **options)

    return asyncio.run(run())


def message(body: bytes, *lines: str, status: str = "200 OK", length: int | None = None) -> bytes:
    """Return the bytes of a response."""
    declared = len(body) if length is None else length
    head = [f"HTTP/1.1 {status}", f"Content-Length: {declared}", "Connection: close", *lines]
    return "\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body


def respond_with(data: bytes) -> Script:
    """Send the same bytes to every client."""
    return lambda connection, _: connection.sendall(data)


def known_state(tag: str = '"one"') -> CacheState:
    """Return the state after a valid response."""
    fields = [("ETag", tag), ("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")]
    return FIRST.received(200, fields, BODY, now=LATER)[0]


def certified(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return the contexts of a server with its own certificate and of a client that trusts it."""
    server, certificate = self_signed(folder)
    return server, ssl.create_default_context(cafile=certificate)


def sent(head: bytes, name: str) -> list[str]:
    """Return the values of a header of a request."""
    lines = [line.partition(": ") for line in head.decode("latin-1").split("\r\n")[1:]]
    return [value for key, _, value in lines if key.lower() == name.lower()]


class TestService:
    @pytest.mark.parametrize("interface", ["asgi", "wsgi"])
    def test_a_sequence_of_responses(self, interface: str, tmp_path: Path) -> None:
        path = tmp_path / "site-data.json"
        path.write_bytes(BODY)
        served = serve_asgi(asgi_app(path)) if interface == "asgi" else serve_wsgi(wsgi_app(path))
        with served as base_url:
            url = f"{base_url}{PATH}?page=2"
            state, outcome = fetch_with(url)
            assert (outcome.kind, state.snapshot) == ("replaced", snapshot_of(1))
            assert len(state.request()) == 2
            assert 290_000 < state.fresh_until - time.time_ns() // 1_000_000 <= 300_000
            state, outcome = fetch_with(url, state)
            assert (outcome.kind, outcome.status) == ("reused", 304)
            state = CacheState.load(state.dump())
            path.write_bytes(body_of(2))
            state, outcome = fetch_with(url, state)
            assert (outcome.kind, state.snapshot) == ("replaced", snapshot_of(2))
            path.unlink()
            state, outcome = fetch_with(url, state)
            assert (outcome.kind, outcome.status) == ("kept", 503)
            assert state.snapshot == snapshot_of(2)
            state, outcome = fetch_with(f"{base_url}/data/other.json", state)
            assert (outcome.kind, outcome.status) == ("kept", 404)
        state, outcome = fetch_with(url, state)
        assert (outcome.kind, outcome.status) == ("kept", None)
        assert state.snapshot == snapshot_of(2)


class TestRequest:
    def test_has_accept_and_user_agent(self) -> None:
        with serve_raw(respond_with(message(BODY))) as served:
            fetch_with(f"{served.url}/x?y=1#z")
        (head,) = served.heads
        assert head.startswith(b"GET /x?y=1 HTTP/1.1\r\n")
        assert sent(head, "Accept") == ["application/json"]
        assert sent(head, "Accept-Encoding") == ["gzip"]
        assert sent(head, "User-Agent") == ["sitedata"]
        for name in ("If-None-Match", "If-Modified-Since", "Cookie", "Authorization", "Referer"):
            assert sent(head, name) == []

    def test_conditions_are_those_of_the_state(self) -> None:
        with serve_raw(respond_with(message(b"", status="304 Not Modified"))) as served:
            state, outcome = fetch_with(served.url, known_state('W/"\xe9"'))
        assert outcome.kind == "reused"
        assert sent(served.heads[0], "If-None-Match") == ['W/"\xe9"']
        assert sent(served.heads[0], "If-Modified-Since") == ["Thu, 01 Jan 2026 00:00:00 GMT"]
        assert state.request() == known_state('W/"\xe9"').request()

    def test_no_cookie_is_sent(self) -> None:
        async def run() -> None:
            async with httpx2.AsyncClient(verify=TRUST_NOBODY, cookies={"c": "d"}) as client:
                await fetch_async(served.url, FIRST, client=client, allow_http=True)

        answer = message(b"", "Set-Cookie: a=b", "Location: /again", status="302 Found")
        with serve_raw(respond_with(answer)) as served:
            asyncio.run(run())
        assert len(served.heads) == 6
        assert not any(sent(head, "Cookie") for head in served.heads)


@pytest.mark.rule("SD-CLIENT-14")
class TestUrl:
    @pytest.mark.parametrize(
        "url", ["//a/x", "https://u:secret@a/", "https://a:0/", "https://a\x00b/", "https://[::1/"]
    )
    def test_an_unusable_url_is_refused(self, url: str) -> None:
        with pytest.raises(UnusableUrl) as caught:
            fetch_with(url)
        assert "secret" not in str(caught.value)

    def test_plain_http_only_if_it_is_allowed(self) -> None:
        with serve_raw(respond_with(message(BODY))) as served:
            with pytest.raises(UnusableUrl, match="must begin with https://; plain HTTP needs"):
                fetch_with(served.url, allow_http=False)
            assert served.heads == []


class TestRedirects:
    @pytest.mark.parametrize("status", [301, 302, 307])
    def test_are_followed_with_the_conditions(self, status: int) -> None:
        def script(connection: socket.socket, head: bytes) -> None:
            moved = message(b"moved", "Location: /new", status=f"{status} Moved")
            connection.sendall(message(BODY) if b" /new " in head else moved)

        with serve_raw(script) as served:
            state, outcome = fetch_with(f"{served.url}/old", known_state())
        assert (outcome.kind, state.snapshot) == ("replaced", snapshot_of(1))
        assert [sent(head, "If-None-Match") for head in served.heads] == [['"one"']] * 2

    @pytest.mark.parametrize(
        ("location", "asked"),
        [
            ("/again", 6),
            ("http://user:secret@127.0.0.1/", 1),
            ("http://127.0.0.1:99999/", 1),
            (f"http://{'a' * 64}.example/", 1),
            ("ftp://127.0.0.1/", 1),
            ("http://[::1/", 1),
            ("http:///", 1),
            ("https://xn--a", 1),
            (":http://[", 1),
        ],
    )
    def test_that_lead_nowhere_keep_the_old_snapshot(self, location: str, asked: int) -> None:
        answer = message(b"", f"Location: {location}", status="301 Moved")
        with serve_raw(respond_with(answer)) as served:
            state, outcome = fetch_with(served.url, known_state())
        assert outcome.kind == "kept"
        assert outcome.status in {301, None}
        assert state.snapshot == snapshot_of(1)
        assert len(served.heads) == asked

    def test_to_plain_http_are_not_followed(self, tmp_path: Path) -> None:
        server, trusting = certified(tmp_path)
        with serve_raw(respond_with(message(BODY))) as plain:
            moved = message(b"", f"Location: {plain.url}/", status="302 Found")
            with serve_raw(respond_with(moved), tls=server) as secure:
                state, outcome = fetch_with(
                    secure.url, known_state(), verify=trusting, allow_http=False
                )
                assert (outcome.kind, outcome.status, plain.heads) == ("kept", 302, [])
                assert state.snapshot == snapshot_of(1)
                _, outcome = fetch_with(secure.url, known_state(), verify=trusting)
                assert (outcome.kind, len(plain.heads)) == ("replaced", 1)


class TestEncryption:
    def test_an_untrusted_certificate_is_no_response(self, tmp_path: Path) -> None:
        server, _ = certified(tmp_path)
        with serve_raw(respond_with(message(BODY)), tls=server) as served:
            _, outcome = fetch(served.url, FIRST)
        assert (outcome.kind, outcome.status, served.heads) == ("kept", None, [])


class TestCodings:
    @pytest.mark.parametrize(
        ("coding", "body", "rule"),
        [
            ("gzip", gzip.compress(b"{" + BODY), "json.text"),
            ("gzip", gzip.compress(BODY)[:-100], "json.text"),
            ("gzip, gzip", gzip.compress(gzip.compress(BODY)), "json.text"),
            ("deflate", zlib.compress(BODY), "json.text"),
            ("br", b"\x8b\x00\x80", "json.text"),
            ("gzip", gzip.compress(BODY + b" " * 2 * MAX_BYTES), "body.size"),
        ],
        ids=["text", "cut", "twice", "deflate", "br", "bomb"],
    )
    def test_an_undecodable_body_and_a_bomb_are_invalid(
        self, coding: str, body: bytes, rule: str
    ) -> None:
        with serve_raw(respond_with(message(body, f"Content-Encoding: {coding}"))) as served:
            state, outcome = fetch_with(served.url, known_state())
        assert (outcome.kind, state.snapshot) == ("invalid", snapshot_of(1))
        assert outcome.findings[0].rule == rule

    @pytest.mark.parametrize(
        ("coding", "pack"),
        [("gzip", gzip.compress), ("GZIP", gzip.compress), ("identity", bytes), ("", bytes)],
    )
    def test_bodies_are_decoded(self, coding: str, pack: Callable[[bytes], bytes]) -> None:
        with serve_raw(respond_with(message(pack(BODY), f"Content-Encoding: {coding}"))) as served:
            state, outcome = fetch_with(served.url)
        assert (outcome.kind, state.snapshot) == ("replaced", snapshot_of(1))


def in_pieces(*pieces: bytes, pause: float = 0.0) -> Script:
    def script(connection: socket.socket, head: bytes) -> None:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)

    return script


def endless(piece: bytes, begin: bytes, pause: float = 0.0) -> Script:
    """Send until the client closes the connection."""

    def script(connection: socket.socket, head: bytes) -> None:
        connection.sendall(begin)
        for _ in range(200_000):
            connection.sendall(piece)
            time.sleep(pause)

    return script


def stay_silent(connection: socket.socket, head: bytes) -> None:
    connection.recv(1)  # until the client has gone


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
TORN: dict[str, Script] = {
    "nothing at all": respond_with(b""),
    "no head": respond_with(b"HTTP/1.1 200 OK\r\nContent-Le"),
    "no HTTP": respond_with(b"SSH-2.0-OpenSSH_9.9\r\n\r\n"),
    "a byte less": respond_with(message(BODY[:-1], length=len(BODY))),
    "no last chunk": respond_with(CHUNKED + b"%x\r\n%s\r\n" % (len(BODY), BODY)),
    "no chunk": respond_with(CHUNKED + b"zz\r\n"),
    "two lengths": respond_with(message(BODY, f"Content-Length: {len(BODY) + 1}")),
    "half of it packed": respond_with(
        message(gzip.compress(BODY)[:50], "Content-Encoding: gzip", length=5000)
    ),
    "no gzip": respond_with(message(BODY, "Content-Encoding: gzip")),
    "endless head": endless(b"X-A: " + b"a" * 1000 + b"\r\n", b"HTTP/1.1 200 OK\r\n"),
}
SLOW: dict[str, Script] = {
    "silence": stay_silent,
    "a body in chunks": endless(b"1\r\n \r\n", CHUNKED, pause=0.05),
    "a body": endless(b" ", message(b"", length=5000), pause=0.05),
    "a head": endless(b"X-A: b\r\n", b"HTTP/1.1 200 OK\r\n", pause=0.05),
    "a head of other responses": endless(b"HTTP/1.1 100 Continue\r\n\r\n", b"", pause=0.05),
    "other responses at once": endless(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000, b""),
    "a chain of redirects": in_pieces(
        b"", message(b"", "Location: /again", status="302 Found"), pause=0.3
    ),
    "not modified, twice": in_pieces(b"", message(b"", status="304 Not Modified"), pause=0.6),
}


@pytest.mark.rule("SD-CLIENT-15")
class TestBrokenServers:
    @pytest.mark.parametrize("name", TORN)
    def test_a_truncated_response_is_no_response(self, name: str) -> None:
        with serve_raw(TORN[name]) as served:
            state, outcome = fetch_with(served.url, known_state())
        assert (outcome.kind, outcome.status) == ("kept", None)
        assert outcome.message.startswith("no response (the connection ")
        assert state == known_state()

    @pytest.mark.parametrize(
        ("begin", "piece"),
        [
            (CHUNKED, b"100000\r\n" + b" " * 1_048_576 + b"\r\n"),
            (b"HTTP/1.0 200 OK\r\n\r\n", b" " * 1_048_576),
            (message(b"", length=10**15), b" " * 1_048_576),
        ],
        ids=["chunked", "until it ends", "declared"],
    )
    def test_an_endless_body_is_too_large(self, begin: bytes, piece: bytes) -> None:
        with serve_raw(endless(piece, begin)) as served:
            state, outcome = fetch_with(served.url, known_state())
        assert (outcome.kind, outcome.findings[0].rule) == ("invalid", "body.size")
        assert state.snapshot == snapshot_of(1)

    @pytest.mark.parametrize("status", [404, 503])
    def test_the_body_of_an_error_is_not_read(self, status: int) -> None:
        begin = message(b"", status=f"{status} No", length=10**15)
        with serve_raw(endless(b" " * 65_536, begin)) as served:
            state, outcome = fetch_with(served.url, known_state())
        assert (outcome.kind, outcome.status, state) == ("kept", status, known_state())

    @pytest.mark.parametrize("name", SLOW)
    def test_all_requests_together_end_in_time(self, name: str) -> None:
        began = time.monotonic()
        with serve_raw(SLOW[name]) as served:
            _, outcome = fetch_with(served.url, timeout_seconds=QUICK)
        assert (outcome.kind, outcome.status) == ("kept", None)
        assert outcome.message == "no response (it took too long)"
        assert QUICK <= time.monotonic() - began < 15

    @pytest.mark.parametrize("origin", ["http://127.0.0.1:{port}", "http://nobody.invalid"])
    def test_no_server_is_no_response(self, origin: str) -> None:
        state, outcome = fetch_with(f"{origin.format(port=free_port())}/", known_state())
        assert (outcome.kind, outcome.status, state) == ("kept", None, known_state())


class TestSecondRequest:
    def test_the_second_response_is_used(self) -> None:
        answers = [message(b"", status="304 Not Modified"), message(BODY)]
        with serve_raw(lambda connection, _: connection.sendall(answers.pop(0))) as served:
            state, outcome = fetch_with(served.url)
        assert (outcome.kind, state.snapshot) == ("replaced", snapshot_of(1))
