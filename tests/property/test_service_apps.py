"""The ASGI and the WSGI application send the same bytes for every request."""

from hypothesis import given, settings
from hypothesis import strategies as st

from devicestatus import Settings
from devicestatus.adapters import asgi, wsgi
from devicestatus.adapters.memory import MemoryStore
from status_contracts.json.codec import encode
from status_contracts.structuring.to_builtins import to_builtins
from support.devicestatus.app_icons import FOLDER
from support.devicestatus.examples import NOON, TOKEN, snapshot, window
from support.status_contracts.gateways import call_asgi, call_wsgi

PATHS = (
    b"/api/update",
    b"/api/batch",
    b"/api/now",
    b"/api/timeline",
    b"/api/music",
    b"/api/apps/active",
    b"/api/apps/running",
    b"/api/device",
    b"/api/badge.svg",
    b"/api/health",
    b"/api/icons",
    b"/api/icons/terminal.png",
    b"/api/icons/unlisted.png",
    b"/app-icons/terminal.png",
    b"/app-icons/index.json",
    b"/update",
    b"/now",
    b"/",
    b"/api",
    b"/api/%6eow",
    b"//api/now",
    b"/api/now/?x=1",
)
SHORT = window(window_end=NOON + 60_000)
BODIES = (
    b"",
    b"{",
    b"{}",
    encode(to_builtins(snapshot())),
    encode(to_builtins(snapshot(collected_at=NOON + 60_000))),
    encode(to_builtins(SHORT)),
    b" " * 16_385,
)
HEADERS = (
    (b"authorization", b"Bearer " + TOKEN.encode()),
    (b"authorization", b"Bearer wrong"),
    (b"content-type", b"application/json"),
    (b"content-type", b"Application/JSON; charset=utf-8"),
    (b"content-encoding", b"identity"),
    (b"content-encoding", b"gzip"),
    (b"if-none-match", b"*"),
    (b"if-none-match", b'"x"'),
    (b"if-modified-since", b"Thu, 01 Jan 2099 00:00:00 GMT"),
    (b"x-odd", b"\xff\xfe"),
)

requests = st.tuples(
    st.sampled_from(["GET", "POST", "HEAD", "OPTIONS", "PUT", "get"]),
    st.sampled_from(PATHS) | st.binary(max_size=20).map(lambda raw: b"/" + raw.hex().encode()),
    st.lists(st.sampled_from(HEADERS), max_size=5),
    st.sampled_from(BODIES),
    st.sampled_from([NOON, NOON + 60_000, NOON + 430_000, NOON + 2_000_000]),
)
writes = st.tuples(
    st.just("POST"),
    st.sampled_from([b"/api/update", b"/api/batch"]),
    st.just([HEADERS[0], HEADERS[2]]),
    st.sampled_from(BODIES),
    st.sampled_from([NOON, NOON + 60_000]),
)


@settings(max_examples=60)
@given(st.lists(requests | writes, max_size=12))
def test_asgi_and_wsgi_give_byte_equal_responses(
    sent: list[tuple[str, bytes, list[tuple[bytes, bytes]], bytes, int]],
) -> None:
    """Compare status, headers and body over any sequence of requests; each has its own store."""
    now = [NOON]
    config = Settings(TOKEN)
    one = asgi.create_app(config, store=MemoryStore(), assets=FOLDER, clock=lambda: now[0])
    other = wsgi.create_app(config, store=MemoryStore(), assets=FOLDER, clock=lambda: now[0])
    for method, target, headers, body, instant in sent:
        now[0] = instant
        assert call_asgi(one, method, target, headers, [body]) == call_wsgi(
            other, method, target, headers, [body]
        )
