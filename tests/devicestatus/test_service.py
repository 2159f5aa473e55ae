"""The routes and the order of checks, effect by effect."""

import json
from itertools import product
from typing import Any, Final

import pytest

from devicestatus import Settings, limits
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.models import Snapshot, Window
from devicestatus.music_urls import ITUNES
from devicestatus.record import decode_record, encode_record
from status_contracts.exchange import ReadAsset, ReadBody, ReadStore, WriteStore
from status_contracts.instants import LAST_INSTANT, format_instant
from status_contracts.json_text import encode as to_json
from status_contracts.messages import Asset
from status_contracts.structuring.converter import unstructure
from support.devicestatus.examples import (
    DELAY,
    JSON_HEADERS,
    NOON,
    RECEIVED_AT,
    TOKEN,
    WINDOW_END,
    body,
    snapshot,
    snapshot_record,
    window,
    window_record,
)
from support.devicestatus.fake_server import FakeServer, error, header
from support.devicestatus.service_client import STATUS_PATHS, WRITE_PATHS
from support.status_contracts.gateways import call_asgi

HEALTH_PATHS: Final = ("/api/health", "/health")
ICON_PATHS: Final = ("/api/icons", "/api/icons/editor.png")
UNKNOWN_PATHS: Final = (
    "/api/now/",
    "/API/now",
    "/api/%6eow",
    "/timeline",
    "/batch",
    "/device",
    "/icons",
    "/api/icons/Editor.png",
    "/api/icons/a--b.png",
    "/api/icons/%65ditor.png",
)

ICON: Final = {
    "id": "editor",
    "app": "Editor",
    "aliases": ["Text Editor"],
    "imageUrl": "/api/icons/editor.png",
    "source": "installed-app",
    "credit": "drawn for a test",
    "sourceUrl": None,
}
MANIFEST: Final = to_json({"version": 1, "icons": [ICON]})
SHORT_END: Final = NOON + 60_000
MODIFIED: Final = "Thu, 01 Jan 2026 00:00:00 GMT"


def files(**more: Asset) -> dict[str, Asset]:
    found = {
        "index.json": Asset(MANIFEST, '"m1"', MODIFIED),
        "editor.png": Asset(b"\x89PNG", '"p1"', MODIFIED),
        "stray.png": Asset(b"\x89PNG"),
    }
    return found | more


def online(**members: Any) -> FakeServer:
    """Return a server with a snapshot received just now."""
    server = FakeServer(files=files())
    server.stored = encode_record(snapshot_record(data=snapshot(**members)))
    return server


def short(**members: Any) -> Window:
    """Return a window of one minute from `NOON`, the whole of which is still to be played back."""
    return window(window_end=SHORT_END, **members)


def playing(example: Window, *, at: int) -> FakeServer:
    """Return a server with a window, received at its end, and projects the moment `at`."""
    server = FakeServer(files=files())
    server.stored = encode_record(window_record(example, example.window_end))
    server.now = at + DELAY
    return server


class TestPaths:
    @pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "HEAD", "PUT"])
    def test_paths_compare_exactly_and_undecoded(self, method: str) -> None:
        """A trailing slash is not an alias; an id of another form is an unknown path."""
        server = online()
        for path in UNKNOWN_PATHS:
            response = server.send(method, path)
            assert response.status == 404, path
            assert method == "HEAD" or error(response) == (404, "not_found"), path


class TestMethods:
    @pytest.mark.parametrize(
        ("paths", "methods", "allow"),
        [
            (
                (*STATUS_PATHS, *HEALTH_PATHS),
                ("POST", "PUT", "DELETE", "PATCH", "HEAD", "get", "TRACE"),
                "GET, OPTIONS",
            ),
            (WRITE_PATHS, ("GET", "PUT", "HEAD", "DELETE"), "POST, OPTIONS"),
            ((*ICON_PATHS, "/api/icons/unlisted.png"), ("POST",), "GET, HEAD, OPTIONS"),
        ],
        ids=["status", "write", "icons"],
    )
    def test_other_methods_are_405_with_those_that_are_allowed(
        self, paths: tuple[str, ...], methods: tuple[str, ...], allow: str
    ) -> None:
        for path, method in product(paths, methods):
            response = online().send(method, path)
            assert (response.status, header(response, "Allow")) == (405, allow), (path, method)


@pytest.mark.rule("DS-CORS-03")
class TestPreflight:
    @pytest.mark.parametrize(
        ("paths", "methods", "names", "exposed"),
        [
            (
                (*STATUS_PATHS, *HEALTH_PATHS, *WRITE_PATHS),
                "GET, POST, OPTIONS",
                "Authorization, Content-Type",
                None,
            ),
            (
                (*ICON_PATHS, "/api/icons/unlisted.png"),
                "GET, HEAD, OPTIONS",
                "If-None-Match, If-Modified-Since",
                "ETag, Last-Modified",
            ),
        ],
        ids=["status", "icons"],
    )
    def test_any_page_may_ask(
        self, paths: tuple[str, ...], methods: str, names: str, exposed: str | None
    ) -> None:
        for path in paths:
            response = FakeServer(Settings(None), has_store=False).send("OPTIONS", path)
            assert (response.status, response.body) == (204, b"")
            assert header(response, "Access-Control-Allow-Methods") == methods
            assert header(response, "Access-Control-Allow-Headers") == names
            assert header(response, "Access-Control-Expose-Headers") == exposed
            cached = None if exposed else "no-store, max-age=0"
            assert header(response, "Cache-Control") == cached


@pytest.mark.rule("DS-HEALTH-01", "DS-HEALTH-02", "DS-QUOTA-07")
class TestHealth:
    @pytest.mark.parametrize("path", HEALTH_PATHS)
    def test_health_needs_nothing(self, path: str) -> None:
        """It reads no store and checks no secret, no lifetime and no device."""
        server = FakeServer(Settings(None, "nonsense", "my-status"), has_store=False)
        assert server.get(path) == {"ok": True, "service": "my-status"}
        assert server.effects == []


@pytest.mark.rule("DS-SERVICE-04")
class TestNow:
    @pytest.mark.parametrize("path", STATUS_PATHS)
    def test_every_get_reads_the_store_once_and_never_writes(self, path: str) -> None:
        for server in (FakeServer(), online(), playing(short(), at=NOON)):
            response = server.send("GET", path)
            assert response.status == 200
            assert header(response, "Cache-Control") == "no-store, max-age=0"
            kind = "image/svg+xml" if path.endswith(".svg") else "application/json"
            assert header(response, "Content-Type") == f"{kind}; charset=utf-8"
            assert server.count(ReadStore) == 1
            assert server.count(WriteStore) == 0
            assert server.effects[0] == ReadStore("now")

    def test_the_same_bytes_are_not_decoded_twice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        server = playing(short(), at=NOON)
        first = server.get("/api/now")
        monkeypatch.setattr("devicestatus.service.decode_record", None)
        assert server.get("/api/now") == first


@pytest.mark.rule("DS-SLICE-10", "DS-SLICE-11")
class TestCategories:
    ENVELOPE: Final = {
        "status": "online",
        "updated_at": "2026-01-01T12:00:00.000Z",
        "expires_at": "2026-01-01T12:01:00.000Z",
        "collected_at": "2026-01-01T12:00:00.000Z",
    }

    def test_a_known_app_has_its_icon(self) -> None:
        app = {
            "name": "Editor",
            "icon_url": "/app-icons/editor.png",
            "icon_api_url": "/api/icons/editor.png",
        }
        server = online()
        assert server.get("/api/apps/active") == self.ENVELOPE | {"active_app": app}
        assert server.count(ReadAsset) == 1

    @pytest.mark.parametrize("path", ["/api/apps/active", "/api/apps/running"])
    def test_apps_are_shown_without_icons_when_there_are_no_assets(self, path: str) -> None:
        for server in (online(), FakeServer(), FakeServer(files={}), online()):
            server.stored = encode_record(snapshot_record(data=snapshot(running_apps=("Editor",))))
            server.fail = {ReadAsset} if server.files else set()
            assert b'"icon_url":null' in server.send("GET", path).body


@pytest.mark.rule("DS-QUOTA-01", "DS-RECORD-01", "DS-RECORD-13")
class TestUpdate:
    @pytest.mark.parametrize(
        ("path", "sent", "now", "deadline"),
        [
            ("/api/update", snapshot(), NOON, NOON + 60_000),
            ("/api/batch", window(), RECEIVED_AT, WINDOW_END + 600_000),
        ],
    )
    @pytest.mark.rule("DS-BATCH-01", "DS-BATCH-02", "DS-BATCH-04")
    def test_an_accepted_body_is_written_once_and_never_read(
        self, path: str, sent: Snapshot | Window, now: int, deadline: int
    ) -> None:
        server = FakeServer()
        server.now = now
        response = server.post(path, unstructure(sent))
        times = {"updated_at": format_instant(now), "expires_at": format_instant(deadline)}
        assert json.loads(response.body) == {"ok": True} | times
        assert [type(effect) for effect in server.effects] == [ReadBody, WriteStore]
        record = window_record() if isinstance(sent, Window) else snapshot_record()
        assert decode_record(server.stored or b"", ITUNES) == record
        assert server.expires_at == deadline

    def test_the_store_expires_by_whole_seconds_rounded_up(self) -> None:
        server = FakeServer()
        server.now = NOON + 1
        server.post("/api/update", unstructure(snapshot()))
        assert server.expires_at == NOON + 61_000


class TestOwnWrites:
    """Invariant *the store decides*."""

    @pytest.mark.parametrize("path", STATUS_PATHS)
    @pytest.mark.parametrize("kind", ["update", "batch"])
    def test_are_read_as_another_process_reads_them(self, kind: str, path: str) -> None:
        server, other = FakeServer(), FakeServer()
        server.now = RECEIVED_AT
        body = window() if kind == "batch" else snapshot(collected_at=RECEIVED_AT)
        assert server.post(f"/api/{kind}", unstructure(body)).status == 200
        other.now, other.stored = server.now, server.stored
        assert server.send("GET", path) == other.send("GET", path)

    def test_are_forgotten_when_the_store_returns_others(self) -> None:
        server, other = FakeServer(), FakeServer()
        server.post("/api/update", unstructure(snapshot(active_app="A")))
        other.post("/api/update", unstructure(snapshot(active_app="B")))
        server.stored = other.stored
        assert server.get("/api/now")["active_app"] == "B"

    @pytest.mark.rule("DS-UPDATE-03")
    def test_are_not_read_if_the_store_refused_them(self) -> None:
        server = FakeServer()
        server.fail = {WriteStore}
        assert server.post("/api/update", unstructure(snapshot())).status == 503
        assert server.get("/api/now") == {"status": "offline"}


@pytest.mark.rule("DS-BODY-06", "DS-BODY-08", "DS-HTTP-13", "DS-SERVICE-02", "DS-TOKEN-03")
class TestTwoAgents:
    """Two agents with one token are named in the log, once."""

    A, B, C = (f"{letter * 8}-0000-4000-8000-000000000000" for letter in "abc")

    @pytest.mark.parametrize(
        ("sessions", "is_logged"),
        [
            ((A, A, A), False),
            ((A, B), False),
            ((A, B, B, C), False),
            ((None, None, A, A), False),
            ((None, A, None, A), False),
            ((A, B, A, B, C, A, B, A), False),
            ((A, B, A, B, A), True),
            ((A, A, B, B, A, B, A, B, A, B), True),
            ((A, None, A, None, A), True),
            ((None, A, None, A, None), True),
        ],
    )
    @pytest.mark.parametrize("several", [False, True])
    def test_uploads_of_two_that_alternate(
        self,
        sessions: tuple[str | None, ...],
        caplog: pytest.LogCaptureFixture,
        *,
        several: bool,
        is_logged: bool,
    ) -> None:
        settings = Settings(TOKEN, service_name="desk")
        app = asgi_app(
            {"desk": settings} if several else settings,
            store=MemoryStore(),
            clock=lambda: SHORT_END,
        )
        for session in sessions:
            sent = snapshot() if session is None else short(session_id=session)
            path = f"{'/desk' if several else ''}/api/{'update' if session is None else 'batch'}"
            answer = call_asgi(app, "POST", path.encode(), JSON_HEADERS, [body(sent)])
            assert answer.status == 200, answer.body
        messages = [record.getMessage() for record in caplog.records]
        words = "two agents, or one in two modes, upload to desk in turn: stop one, or serve"
        assert messages == [f"{words} a device for each"] * is_logged


class TestWriteChecks:
    BODY: Final = to_json(unstructure(snapshot()))

    @pytest.mark.parametrize(("path", "limit"), [("/api/update", 16_384), ("/api/batch", 524_288)])
    def test_the_body_limit_is_included(self, path: str, limit: int) -> None:
        server = FakeServer()
        server.now = RECEIVED_AT
        model = snapshot(collected_at=RECEIVED_AT) if path == "/api/update" else window()
        body = to_json(unstructure(model))
        padded = body + b" " * (limit - len(body))
        assert server.post(path, padded).status == 200
        assert server.effects[0] == ReadBody(limit)
        assert error(server.post(path, padded + b" ")) == (413, "payload_too_large")
        assert server.count(WriteStore) == 0

    @pytest.mark.rule("DS-ERROR-01")
    @pytest.mark.parametrize("path", WRITE_PATHS)
    @pytest.mark.parametrize(
        "lines",
        [
            [],
            [(b"authorization", TOKEN.encode())],
            [(b"authorization", b"bearer " + TOKEN.encode())],
            [(b"authorization", b"Bearer " + TOKEN.encode()[:-1])],
            [JSON_HEADERS[0], JSON_HEADERS[0]],
            [(b"cookie", b"token=" + TOKEN.encode())],
            [(b"x-api-key", TOKEN.encode())],
        ],
        ids=range(7),
    )
    def test_without_the_token_no_body_is_read(
        self, path: str, lines: list[tuple[bytes, bytes]]
    ) -> None:
        server = FakeServer()
        response = server.send("POST", path, [*lines, JSON_HEADERS[1]], self.BODY)
        assert (error(response), server.effects) == ((401, "unauthorized"), [])
        assert header(response, "WWW-Authenticate") == "Bearer"

    def test_the_checks_come_in_order(self) -> None:
        """Each step repairs the first fault of the one before."""
        bad = {
            b"authorization": b"Bearer wrong",
            b"content-type": b"text/plain",
            b"content-length": b"x",
            b"content-encoding": b"gzip",
        }
        steps = [
            (b"authorization", JSON_HEADERS[0][1], (401, "unauthorized")),
            (b"content-type", b"application/json", (415, "unsupported_media_type")),
            (b"content-length", b"5", (413, "payload_too_large")),
            (b"content-encoding", b"identity", (415, "unsupported_media_type")),
        ]
        server = FakeServer()
        server.fail = {WriteStore}
        huge = b"{" * (limits.UPDATE_BODY_BYTES + 1)
        for name, repaired, expected in steps:
            assert error(server.send("POST", "/api/update", bad.items(), huge)) == expected
            assert server.effects == []
            bad[name] = repaired
        for sent, expected in (
            (huge, (413, "payload_too_large")),
            (b"{", (400, "invalid_json")),
            (b"{}", (400, "invalid_payload")),
            (self.BODY, (503, "service_unavailable")),
        ):
            assert error(server.send("POST", "/api/update", bad.items(), sent)) == expected

    def test_configuration_comes_before_authentication(self) -> None:
        for server in (
            FakeServer(has_store=False),
            FakeServer(Settings(TOKEN, "nonsense")),
            FakeServer(Settings(None)),
            FakeServer(Settings("short")),
            FakeServer(Settings(f"{TOKEN} {TOKEN}")),
        ):
            assert error(server.send("POST", "/api/batch")) == (503, "service_unavailable")
            assert server.effects == []

    def test_a_write_is_validated_by_the_time_its_body_was_complete(self) -> None:
        server = FakeServer()
        server.now = NOON + limits.CLOCK_SKEW_MS
        assert server.post("/api/update", self.BODY).status == 200
        server.now += 1
        assert error(server.post("/api/update", self.BODY)) == (400, "invalid_payload")


@pytest.mark.rule(
    "DS-BADGE-07",
    "DS-BODY-10",
    "DS-CONFIG-04",
    "DS-QUOTA-04",
    "DS-SERVICE-09",
    "DS-TOKEN-01",
    "DS-TOKEN-10",
)
class TestUnavailable:
    @pytest.mark.parametrize("path", STATUS_PATHS)
    def test_what_cannot_be_read_is_never_offline(self, path: str) -> None:
        """An invalid lifetime and a missing binding are noticed before any store call."""
        failing = online()
        failing.fail = {ReadStore}
        lifetimes: tuple[int | str, ...] = (59, 3601, "fast", True)
        unset = [FakeServer(Settings(TOKEN, ttl)) for ttl in lifetimes]
        for server in (failing, FakeServer(has_store=False), *unset):
            response = server.send("GET", path)
            assert error(response) == (503, "service_unavailable")
            assert b"secret" not in response.body
            assert len(server.effects) == (server is failing)

    @pytest.mark.parametrize("now", [0, LAST_INSTANT + 1])
    def test_a_clock_outside_the_writable_years_is_unavailable(self, now: int) -> None:
        server = online()
        server.now = now
        assert error(server.send("GET", "/api/now")) == (503, "service_unavailable")
        response = server.post("/api/update", unstructure(snapshot()))
        assert error(response) == (503, "service_unavailable")
        assert server.count(WriteStore) == 0


@pytest.mark.rule(
    "DS-CACHE-03", "DS-ICON-01", "DS-ICON-06", "DS-ICON-07", "DS-ICON-10", "DS-ICON-15"
)
class TestIcons:
    def test_the_manifest_is_the_file_itself(self) -> None:
        server = FakeServer(files=files())
        response = server.send("GET", "/api/icons")
        assert response.body == MANIFEST
        assert header(response, "Content-Type") == "application/json; charset=utf-8"
        assert header(response, "Cache-Control") == "public, max-age=3600"
        assert header(response, "ETag") == '"m1"'
        assert header(response, "Last-Modified") == MODIFIED
        assert header(response, "Access-Control-Expose-Headers") == "ETag, Last-Modified"
        assert server.count(ReadStore) == 0

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    def test_only_what_the_manifest_lists_is_there(self, method: str) -> None:
        """An id that is not in the manifest is unknown even if a file exists."""
        server = FakeServer(files=files())
        for name in ("stray", "unlisted"):
            response = server.send(method, f"/api/icons/{name}.png")
            assert response.status == 404
            assert header(response, "Access-Control-Expose-Headers") == "ETag, Last-Modified"

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    @pytest.mark.parametrize("path", ICON_PATHS)
    def test_a_missing_or_failing_binding_is_unavailable(self, method: str, path: str) -> None:
        failing = FakeServer(files=files())
        failing.fail = {ReadAsset}
        broken = FakeServer(files={"index.json": Asset(b"{}"), "editor.png": Asset(b"")})
        for server in (FakeServer(), FakeServer(files={}), failing, broken):
            assert server.send(method, path).status == 503

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    @pytest.mark.parametrize(("path", "etag"), [(ICON_PATHS[0], b'"m1"'), (ICON_PATHS[1], b'"p1"')])
    def test_conditional_requests_yield_304(self, method: str, path: str, etag: bytes) -> None:
        server = FakeServer(files=files())
        for condition in (
            (b"if-none-match", etag),
            (b"if-none-match", b'"x", W/' + etag),
            (b"if-none-match", b"*"),
            (b"if-modified-since", MODIFIED.encode()),
        ):
            response = server.send(method, path, [condition])
            assert (response.status, response.body) == (304, b"")
            assert header(response, "Cache-Control") == "public, max-age=3600"
            assert header(response, "ETag") == etag.decode()
        assert server.send(method, path, [(b"if-none-match", b'"other"')]).status == 200

    def test_an_invalid_manifest_is_unavailable_to_a_client_that_has_it_too(self) -> None:
        server = FakeServer(files=files(**{"index.json": Asset(b"{}")}))
        assert server.send("GET", "/api/icons", [(b"if-none-match", b"*")]).status == 503

    def test_a_listed_icon_without_a_file_is_not_found(self) -> None:
        server = FakeServer(files={"index.json": Asset(MANIFEST)})
        assert error(server.send("GET", "/api/icons/editor.png")) == (404, "not_found")
