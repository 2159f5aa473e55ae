"""The routes and the order of checks, effect by effect."""

import json
from typing import Any, Final

import pytest

from devicestatus import Settings, limits
from devicestatus.engine.record import decode, encode
from devicestatus.models.window import Window
from devicestatus.validation.music_urls import ITUNES
from purewire.exchange.effects import Effect, ReadAsset, ReadBody, ReadStore, WriteStore
from purewire.http.assets import Asset, Conditions, Unmodified
from purewire.instants import LAST_INSTANT
from purewire.json.codec import encode as to_json
from purewire.structuring.to_builtins import to_builtins
from support.devicestatus.examples import (
    COVERED_SONG,
    DELAY,
    NOON,
    RECEIVED_AT,
    TOKEN,
    WINDOW_END,
    event,
    gap,
    snapshot,
    snapshot_record,
    window,
    window_record,
)
from support.devicestatus.store_story import STATUS_PATHS, WRITE_PATHS
from support.devicestatus.world import JSON_HEADERS, World, error, header

HEALTH_PATHS: Final = ("/api/health", "/health")
ICON_PATHS: Final = ("/api/icons", "/api/icons/editor.png")
UNKNOWN_PATHS: Final = (
    "/api/now/",
    "//api/now",
    "/API/now",
    "/api/%6eow",
    "/api/now%2F",
    "/api/nowx",
    "/timeline",
    "/batch",
    "/music",
    "/apps/active",
    "/device",
    "/icons",
    "/api/icons/",
    "/api/icons/Editor.png",
    "/api/icons/editor.PNG",
    "/api/icons/editor",
    "/api/icons/-editor.png",
    "/api/icons/a--b.png",
    "/api/icons/../index.json",
    "/api/icons/editor.png/",
    "/api/icons/editor.png\n",
    "/api/icons/%65ditor.png",
    "",
    "/api/",
)
ALL_PATHS: Final = (*STATUS_PATHS, *HEALTH_PATHS, *WRITE_PATHS, *ICON_PATHS)

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


def online(**members: Any) -> World:
    """Return a world that holds a snapshot received just now."""
    world = World(files=files())
    world.stored = encode(snapshot_record(data=snapshot(**members)))
    return world


def short(**members: Any) -> Window:
    """Return a window of one minute from `NOON`, the whole of which is still to be played back."""
    return window(window_end=SHORT_END, **members)


def playing(example: Window, *, at: int) -> World:
    """Return a world that holds a window, received at its end, and projects the moment `at`."""
    world = World(files=files())
    world.stored = encode(window_record(example, example.window_end))
    world.now = at + DELAY
    return world


class TestPaths:
    @pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "HEAD", "PUT"])
    def test_paths_compare_exactly_and_undecoded(self, method: str) -> None:
        """A trailing slash is not an alias; an id of another form is an unknown path."""
        world, failures = online(), []
        for path in UNKNOWN_PATHS:
            response = world.send(method, path)
            is_named = method == "HEAD" or error(response) == (404, "not_found")
            if response.status != 404 or not is_named:
                failures.append((path, response))
        assert not failures, failures

    @pytest.mark.parametrize(
        ("legacy", "path"), [("/now", "/api/now"), ("/badge.svg", "/api/badge.svg")]
    )
    def test_legacy_root_paths_answer_the_same_without_redirect(
        self, legacy: str, path: str
    ) -> None:
        world = online()
        assert world.send("GET", legacy) == world.send("GET", path)

    def test_legacy_update_writes(self) -> None:
        world = World()
        assert world.post("/update", to_builtins(snapshot())).status == 200
        assert world.stored is not None


class TestMethods:
    @pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "HEAD", "get", "TRACE"])
    def test_status_paths_allow_get_and_options(self, method: str) -> None:
        world, failures = online(), []
        for path in (*STATUS_PATHS, *HEALTH_PATHS):
            response = world.send(method, path)
            if (response.status, header(response, "Allow")) != (405, "GET, OPTIONS"):
                failures.append((path, response))
        assert not failures, failures

    @pytest.mark.parametrize("path", WRITE_PATHS)
    @pytest.mark.parametrize("method", ["GET", "PUT", "HEAD", "DELETE"])
    def test_write_paths_allow_post_and_options(self, method: str, path: str) -> None:
        response = online().send(method, path)
        assert response.status == 405
        assert header(response, "Allow") == "POST, OPTIONS"

    @pytest.mark.parametrize("path", [*ICON_PATHS, "/api/icons/unlisted.png"])
    def test_icon_paths_allow_get_head_and_options(self, path: str) -> None:
        response = online().send("POST", path)
        assert error(response) == (405, "method_not_allowed")
        assert header(response, "Allow") == "GET, HEAD, OPTIONS"
        assert header(response, "Access-Control-Expose-Headers") == "ETag, Last-Modified"

    @pytest.mark.parametrize("path", ALL_PATHS)
    def test_a_method_that_is_not_allowed_asks_for_nothing(self, path: str) -> None:
        world = online()
        world.send("PUT", path)
        assert world.asked == []


class TestPreflight:
    @pytest.mark.parametrize("path", [*STATUS_PATHS, *HEALTH_PATHS, *WRITE_PATHS])
    def test_status_paths(self, path: str) -> None:
        response = World(Settings(None), has_store=False).send("OPTIONS", path)
        assert (response.status, response.body) == (204, b"")
        assert header(response, "Access-Control-Allow-Methods") == "GET, POST, OPTIONS"
        assert header(response, "Access-Control-Allow-Headers") == "Authorization, Content-Type"
        assert header(response, "Cache-Control") == "no-store, max-age=0"

    @pytest.mark.parametrize("path", [*ICON_PATHS, "/api/icons/unlisted.png"])
    def test_icon_paths(self, path: str) -> None:
        response = World().send("OPTIONS", path)
        assert response.status == 204
        assert header(response, "Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS"
        allowed = header(response, "Access-Control-Allow-Headers")
        assert allowed == "If-None-Match, If-Modified-Since"
        assert header(response, "Access-Control-Expose-Headers") == "ETag, Last-Modified"


class TestHealth:
    @pytest.mark.parametrize("path", HEALTH_PATHS)
    def test_health_needs_nothing(self, path: str) -> None:
        """It reads no store and checks no secret, no lifetime and no device."""
        world = World(Settings(None, "nonsense", "my-status"), has_store=False)
        assert world.get(path) == {"ok": True, "service": "my-status"}
        assert world.asked == []


class TestNow:
    def test_no_record_is_exactly_offline(self) -> None:
        assert World().get("/api/now") == {"status": "offline"}

    @pytest.mark.parametrize("path", STATUS_PATHS)
    def test_every_get_reads_the_store_once_and_never_writes(self, path: str) -> None:
        for world in (World(), online(), playing(short(), at=NOON)):
            assert world.send("GET", path).status == 200
            assert world.count(ReadStore) == 1
            assert world.count(WriteStore) == 0
            assert world.asked[0] == ReadStore("now")

    def test_a_snapshot_is_shown_whole(self) -> None:
        assert online(running_apps=("Editor", "System")).get("/api/now") == {
            "status": "online",
            "schema_version": 1,
            "collected_at": "2026-01-01T12:00:00.000Z",
            "active_app": "Editor",
            "running_apps": ["Editor", "System"],
            "battery": {"percent": 82, "charging": False, "power_source": "battery"},
            "system": {"load_1m": 1.5, "load_5m": 1.25, "load_15m": 1},
            "music": {"state": "playing", "track": "Song", "artist": "Band"},
            "updated_at": "2026-01-01T12:00:00.000Z",
            "expires_at": "2026-01-01T12:01:00.000Z",
        }

    def test_the_url_pair_is_shown_only_when_reported(self) -> None:
        assert "artwork_url" not in online().get("/api/now")["music"]
        music = online(music=COVERED_SONG).get("/api/now")["music"]
        assert music["artwork_url"] == COVERED_SONG.artwork_url
        assert "running_apps" not in online().get("/api/now")

    def test_a_window_is_projected_420_seconds_behind(self) -> None:
        world = playing(short(events=(event(1, NOON + 1000),)), at=NOON + 1000)
        body = world.get("/api/now")
        assert body["active_app"] == "App 1"
        assert body["collected_at"] == "2026-01-01T12:00:01.000Z"
        assert body["updated_at"] == "2026-01-01T12:01:00.000Z"
        assert body["expires_at"] == "2026-01-01T12:08:00.000Z"
        assert body["playback"] == {
            "mode": "delayed",
            "delay_seconds": 420,
            "at": "2026-01-01T12:00:01.000Z",
            "window_end": "2026-01-01T12:01:00.000Z",
        }

    @pytest.mark.parametrize("path", STATUS_PATHS)
    def test_a_gap_is_offline_on_every_projected_path(self, path: str) -> None:
        world = playing(short(gaps=(gap(NOON, NOON + 1000),)), at=NOON)
        response = world.send("GET", path)
        if path == "/api/timeline":
            assert json.loads(response.body)["status"] == "online"
        elif path.endswith(".svg"):
            assert b"offline" in response.body
        else:
            assert response.body == b'{"status":"offline"}'

    def test_an_offline_body_is_exact_whatever_the_reason(self) -> None:
        world = online()
        for stored, now in (
            (world.stored, NOON - 1),
            (world.stored, NOON + 60_000),
            (b"{", NOON),
            ("text", NOON),
            (7, NOON),
        ):
            world.stored, world.now = stored, now
            assert world.send("GET", "/api/now").body == b'{"status":"offline"}'

    def test_the_same_bytes_are_not_decoded_twice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        world = playing(short(), at=NOON)
        first = world.get("/api/now")
        monkeypatch.setattr("devicestatus.http.service.decode", None)
        assert world.get("/api/now") == first


class TestTimeline:
    def test_a_window_is_given_as_it_is_stored(self) -> None:
        example = short(events=(event(1, NOON),), gaps=(gap(NOON, NOON + 1),))
        assert playing(example, at=NOON).get("/api/timeline") == {
            "status": "online",
            "mode": "window",
            "server_time": "2026-01-01T12:07:00.000Z",
            "updated_at": "2026-01-01T12:01:00.000Z",
            "expires_at": "2026-01-01T12:11:00.000Z",
            "policy": {
                "upload_interval_seconds": 300,
                "window_seconds": 900,
                "playback_delay_seconds": 420,
                "poll_interval_seconds": 60,
                "sample_interval_seconds": 2,
                "metrics_interval_seconds": 30,
            },
            "window": to_builtins(example),
        }

    @pytest.mark.parametrize(
        ("now", "status"),
        [
            (SHORT_END - 1, "offline"),
            (SHORT_END, "online"),
            (SHORT_END + 599_999, "online"),
            (SHORT_END + 600_000, "offline"),
        ],
    )
    def test_online_says_only_that_the_window_is_valid(self, now: int, status: str) -> None:
        world = playing(short(), at=NOON)
        world.now = now
        assert world.get("/api/timeline")["status"] == status

    def test_a_snapshot_says_its_mode_and_the_server_time(self) -> None:
        world = online()
        world.now = NOON + 5
        body = world.get("/api/timeline")
        assert body["mode"] == "snapshot"
        assert body["server_time"] == "2026-01-01T12:00:00.005Z"
        assert body["updated_at"] == "2026-01-01T12:00:00.000Z"
        assert body["active_app"] == "Editor"
        assert set(body) - set(world.get("/api/now")) == {"mode", "server_time"}

    def test_an_expired_snapshot_and_no_record_are_exactly_offline(self) -> None:
        world = online()
        world.now = NOON + 60_000
        assert world.send("GET", "/api/timeline").body == b'{"status":"offline"}'
        assert World().send("GET", "/api/timeline").body == b'{"status":"offline"}'


class TestCategories:
    ENVELOPE: Final = {
        "status": "online",
        "updated_at": "2026-01-01T12:00:00.000Z",
        "expires_at": "2026-01-01T12:01:00.000Z",
        "collected_at": "2026-01-01T12:00:00.000Z",
    }

    def test_music_always_has_both_urls(self) -> None:
        bare = {"state": "playing", "track": "Song", "artist": "Band"}
        pair = {"artwork_url": None, "track_url": None}
        assert online().get("/api/music") == self.ENVELOPE | {"music": bare | pair}
        shown = online(music=COVERED_SONG).get("/api/music")["music"]
        assert shown == to_builtins(COVERED_SONG)

    def test_device_has_the_structure_of_the_snapshot(self) -> None:
        plain = to_builtins(snapshot())
        device = {"battery": plain["battery"], "system": plain["system"]}
        assert online().get("/api/device") == self.ENVELOPE | {"device": device}

    def test_a_known_app_has_its_icon(self) -> None:
        app = {
            "name": "Editor",
            "icon_url": "/app-icons/editor.png",
            "icon_api_url": "/api/icons/editor.png",
        }
        world = online()
        assert world.get("/api/apps/active") == self.ENVELOPE | {"active_app": app}
        assert world.count(ReadAsset) == 1

    @pytest.mark.parametrize("name", ["Unknown", "System", " ｓｙｓｔｅｍ "])
    def test_an_unknown_app_keeps_its_name(self, name: str) -> None:
        app = online(active_app=name).get("/api/apps/active")["active_app"]
        assert app == {"name": name, "icon_url": None, "icon_api_url": None}

    def test_no_foreground_app_is_null(self) -> None:
        assert online(active_app=None).get("/api/apps/active")["active_app"] is None

    def test_running_apps_not_reported_are_null_and_none_are_an_empty_list(self) -> None:
        assert online().get("/api/apps/running")["running_apps"] is None
        assert online(running_apps=()).get("/api/apps/running")["running_apps"] == []
        apps = online(running_apps=("text  EDITOR", "B")).get("/api/apps/running")["running_apps"]
        assert [app["name"] for app in apps] == ["text  EDITOR", "B"]
        assert apps[0]["icon_url"] == "/app-icons/editor.png"
        assert apps[1]["icon_url"] is None

    def test_a_projection_says_where_it_stands(self) -> None:
        world = playing(short(), at=NOON + 1)
        for path in ("/api/music", "/api/apps/active", "/api/apps/running", "/api/device"):
            body = world.get(path)
            assert body["playback"]["at"] == "2026-01-01T12:00:00.001Z"
            assert body["collected_at"] == "2026-01-01T12:00:00.000Z"

    @pytest.mark.parametrize("path", ["/api/apps/active", "/api/apps/running"])
    def test_apps_are_shown_without_icons_when_there_are_no_assets(self, path: str) -> None:
        for world in (online(), World(), World(files={}), online()):
            world.stored = encode(snapshot_record(data=snapshot(running_apps=("Editor",))))
            world.fail = {ReadAsset} if world.files else set()
            assert b'"icon_url":null' in world.send("GET", path).body

    def test_an_offline_answer_reads_no_manifest(self) -> None:
        world = World(files=files())
        world.get("/api/apps/active")
        assert world.count(ReadAsset) == 0


class TestBadge:
    def test_it_is_an_svg_with_a_policy_of_its_own(self) -> None:
        response = online().send("GET", "/api/badge.svg")
        assert header(response, "Content-Type") == "image/svg+xml; charset=utf-8"
        policy = "default-src 'none'; style-src 'none'; sandbox"
        assert header(response, "Content-Security-Policy") == policy
        assert header(response, "Cache-Control") == "no-store, max-age=0"

    @pytest.mark.parametrize(
        ("members", "text"),
        [
            ({}, "♫ Song — Band"),
            ({"music": {"artist": None}}, "♫ Song"),
            ({"music": {"state": "paused"}}, "Editor"),
            ({"music": {"track": None}}, "Editor"),
            ({"music": {"state": "stopped"}, "active_app": None}, "online"),
        ],
    )
    def test_its_text_follows_the_priority(self, members: dict[str, Any], text: str) -> None:
        plain = to_builtins(snapshot())
        music = plain["music"] | members.get("music", {})
        world = World()
        assert world.post("/api/update", plain | members | {"music": music}).status == 200
        assert text.encode() in world.send("GET", "/api/badge.svg").body

    def test_no_record_shows_offline_under_the_service_name(self) -> None:
        body = World(Settings(None, service_name="desk")).send("GET", "/api/badge.svg").body
        assert b"offline" in body
        assert b"desk" in body


class TestUpdate:
    def test_an_accepted_snapshot_is_written_once_and_never_read(self) -> None:
        world = World()
        response = world.post("/api/update", to_builtins(snapshot()))
        assert json.loads(response.body) == {
            "ok": True,
            "updated_at": "2026-01-01T12:00:00.000Z",
            "expires_at": "2026-01-01T12:01:00.000Z",
        }
        assert [type(effect) for effect in world.asked] == [ReadBody, WriteStore]
        assert decode(world.stored or b"", ITUNES) == snapshot_record()
        assert world.get("/api/now")["active_app"] == "Editor"

    @pytest.mark.parametrize(
        ("ttl", "seconds"),
        [(None, 60), ("eco", 180), ("realtime", 60), (60, 60), ("3600", 3600)],
    )
    def test_the_policy_sets_the_deadline(self, ttl: int | str | None, seconds: int) -> None:
        world = World(Settings(TOKEN, ttl))
        world.post("/api/update", to_builtins(snapshot()))
        assert world.expires_at == NOON + seconds * 1000
        world.now = NOON + seconds * 1000 - 1
        assert world.get("/api/now")["status"] == "online"
        world.now += 1
        assert world.get("/api/now")["status"] == "offline"

    def test_the_store_expires_by_whole_seconds_rounded_up(self) -> None:
        world = World()
        world.now = NOON + 1
        world.post("/api/update", to_builtins(snapshot()))
        assert world.expires_at == NOON + 61_000

    @pytest.mark.parametrize("name", ["updated_at", "expires_at", "ttl", "status"])
    def test_clients_must_not_send_deadlines(self, name: str) -> None:
        response = World().post("/api/update", to_builtins(snapshot()) | {name: 1})
        assert error(response) == (400, "invalid_payload")

    def test_identical_content_is_a_write_again(self) -> None:
        world = World()
        for _ in range(2):
            world.post("/api/update", to_builtins(snapshot()))
            assert world.count(WriteStore) == 1


class TestBatch:
    def test_an_accepted_window_is_written_once(self) -> None:
        world = World()
        world.now = RECEIVED_AT
        response = world.post("/api/batch", to_builtins(window()))
        assert json.loads(response.body) == {
            "ok": True,
            "updated_at": "2026-01-01T12:15:01.000Z",
            "expires_at": "2026-01-01T12:25:00.000Z",
        }
        assert [type(effect) for effect in world.asked] == [ReadBody, WriteStore]
        assert world.expires_at == WINDOW_END + 600_000

    def test_a_late_or_repeated_batch_cannot_extend_the_deadline(self) -> None:
        world = World()
        for late in (0, 1000, 119_000):
            world.now = WINDOW_END + late
            world.post("/api/batch", to_builtins(window()))
            assert world.expires_at == WINDOW_END + 600_000

    def test_a_batch_overwrites_a_snapshot_and_the_other_way_round(self) -> None:
        world = World()
        world.now = RECEIVED_AT
        world.post("/api/batch", to_builtins(window()))
        assert world.get("/api/timeline")["mode"] == "window"
        world.post("/api/update", to_builtins(snapshot(collected_at=RECEIVED_AT)))
        assert world.get("/api/timeline")["mode"] == "snapshot"


def with_header(name: bytes, *values: bytes) -> tuple[tuple[bytes, bytes], ...]:
    """Return the headers of a write with one of them replaced."""
    others = tuple(line for line in JSON_HEADERS if line[0] != name)
    return (*others, *((name, value) for value in values))


class TestWriteChecks:
    BODY: Final = to_json(to_builtins(snapshot()))

    def send(self, world: World, *headers: tuple[bytes, bytes], body: bytes = BODY) -> Any:
        return world.send("POST", "/api/update", headers, body)

    @pytest.mark.parametrize(
        "lines",
        [
            (),
            (TOKEN.encode(),),
            (b"bearer " + TOKEN.encode(),),
            (b"Bearer  " + TOKEN.encode(),),
            (b"Bearer " + TOKEN.encode() + b" ",),
            (b"Bearer " + TOKEN.encode()[:-1],),
            (b"Bearer " + TOKEN.encode() + b"f",),
            (b"Bearer " + TOKEN.upper().encode(),),
            (b"Bearer \xff\xfe",),
            (b"Basic " + TOKEN.encode(),),
            (b"Bearer " + TOKEN.encode(), b"Bearer " + TOKEN.encode()),
            (b"Bearer " + b"f" * 100_000,),
        ],
    )
    def test_only_the_exact_token_once_is_let_in(self, lines: tuple[bytes, ...]) -> None:
        world = World()
        response = self.send(world, *with_header(b"authorization", *lines))
        assert error(response) == (401, "unauthorized")
        assert world.asked == []

    @pytest.mark.parametrize(
        "lines",
        [
            (),
            (b"text/plain",),
            (b"application/json-patch+json",),
            (b"application/x-json",),
            (b"",),
            (b"application/json", b"application/json"),
            (b"application/json, text/html",),
        ],
    )
    def test_any_other_media_type_is_unsupported(self, lines: tuple[bytes, ...]) -> None:
        response = self.send(World(), *with_header(b"content-type", *lines))
        assert error(response) == (415, "unsupported_media_type")

    @pytest.mark.parametrize(
        "value",
        [b"application/json; charset=utf-8", b"Application/JSON", b"application/json ;x=y"],
    )
    def test_parameters_and_case_of_the_media_type_are_ignored(self, value: bytes) -> None:
        assert self.send(World(), *with_header(b"content-type", value)).status == 200

    @pytest.mark.parametrize(
        "lines",
        [
            (b"16385",),
            (b"-1",),
            (b"+5",),
            (b"1_0",),
            (b"5, 5",),
            (b"",),
            (b"0x10",),
            (b"9" * 5000,),
            (b"10", b"11"),
        ],
    )
    def test_an_illegal_content_length_is_too_large(self, lines: tuple[bytes, ...]) -> None:
        world = World()
        headers = (*JSON_HEADERS, *((b"content-length", line) for line in lines))
        assert error(self.send(world, *headers)) == (413, "payload_too_large")
        assert world.asked == []

    @pytest.mark.parametrize("lines", [(b"16384",), (b"0016384",), (b"10", b"10")])
    def test_a_legal_content_length_is_only_a_promise(self, lines: tuple[bytes, ...]) -> None:
        headers = (*JSON_HEADERS, *((b"content-length", line) for line in lines))
        assert self.send(World(), *headers).status == 200

    @pytest.mark.parametrize("coding", [b"gzip", b"br", b"identity, gzip", b"x", b"identity;q=1"])
    def test_a_compressed_body_is_unsupported(self, coding: bytes) -> None:
        world = World()
        response = self.send(world, *JSON_HEADERS, (b"content-encoding", coding))
        assert error(response) == (415, "unsupported_media_type")
        assert world.asked == []

    @pytest.mark.parametrize("coding", [b"", b"identity", b"Identity"])
    def test_identity_and_empty_codings_are_none(self, coding: bytes) -> None:
        assert self.send(World(), *JSON_HEADERS, (b"content-encoding", coding)).status == 200

    @pytest.mark.parametrize(("path", "limit"), [("/api/update", 16_384), ("/api/batch", 524_288)])
    def test_the_body_limit_is_included(self, path: str, limit: int) -> None:
        world = World()
        world.now = RECEIVED_AT
        model = snapshot(collected_at=RECEIVED_AT) if path == "/api/update" else window()
        body = to_json(to_builtins(model))
        padded = body + b" " * (limit - len(body))
        assert world.post(path, padded).status == 200
        assert world.asked[0] == ReadBody(limit)
        assert error(world.post(path, padded + b" ")) == (413, "payload_too_large")
        assert world.count(WriteStore) == 0

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            (b"", "invalid_json"),
            (b"{", "invalid_json"),
            (b"\xff", "invalid_json"),
            (b"null", "invalid_payload"),
            (b"[]", "invalid_payload"),
            (b"{}", "invalid_payload"),
        ],
    )
    def test_a_refused_body_is_not_written(self, body: bytes, code: str) -> None:
        for path in ("/api/update", "/api/batch"):
            world = World()
            assert error(world.post(path, body)) == (400, code)
            assert world.count(WriteStore) == 0

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
        world = World()
        world.fail = {WriteStore}
        huge = b"{" * (limits.UPDATE_BODY_BYTES + 1)
        for name, repaired, expected in steps:
            assert error(world.send("POST", "/api/update", bad.items(), huge)) == expected
            bad[name] = repaired
        for body, expected in (
            (huge, (413, "payload_too_large")),
            (b"{", (400, "invalid_json")),
            (b"{}", (400, "invalid_payload")),
            (self.BODY, (503, "service_unavailable")),
        ):
            assert error(world.send("POST", "/api/update", bad.items(), body)) == expected

    def test_configuration_comes_before_authentication(self) -> None:
        for world in (
            World(has_store=False),
            World(Settings(TOKEN, "nonsense")),
            World(Settings(None)),
            World(Settings("short")),
            World(Settings(f"{TOKEN} {TOKEN}")),
        ):
            assert error(world.send("POST", "/api/batch")) == (503, "service_unavailable")
            assert world.asked == []

    def test_a_write_is_judged_by_the_time_its_body_was_complete(self) -> None:
        world = World()
        world.now = NOON + limits.CLOCK_SKEW_MS
        assert world.post("/api/update", self.BODY).status == 200
        world.now += 1
        assert error(world.post("/api/update", self.BODY)) == (400, "invalid_payload")


class TestUnavailable:
    @pytest.mark.parametrize("path", STATUS_PATHS)
    def test_a_store_read_failure_is_never_offline(self, path: str) -> None:
        world = online()
        world.fail = {ReadStore}
        response = world.send("GET", path)
        assert error(response) == (503, "service_unavailable")
        assert b"secret" not in response.body

    @pytest.mark.parametrize("ttl", [59, 3601, "", "060", "fast", True, "60.0"])
    def test_an_invalid_lifetime_yields_503_before_any_store_call(self, ttl: int | str) -> None:
        world, failures = World(Settings(TOKEN, ttl)), []
        for path in STATUS_PATHS:
            response = world.send("GET", path)
            if error(response) != (503, "service_unavailable") or world.asked:
                failures.append((path, response, world.asked))
        assert not failures, failures

    @pytest.mark.parametrize("path", STATUS_PATHS)
    def test_a_missing_binding_is_unavailable(self, path: str) -> None:
        assert World(has_store=False).send("GET", path).status == 503

    def test_reads_need_no_token(self) -> None:
        assert World(Settings(None)).get("/api/now") == {"status": "offline"}

    @pytest.mark.parametrize("now", [-1, 0, LAST_INSTANT + 1, 10**15, 10**30])
    def test_a_clock_outside_the_writable_years_is_unavailable(self, now: int) -> None:
        world = online()
        world.now = now
        assert error(world.send("GET", "/api/now")) == (503, "service_unavailable")
        response = world.post("/api/update", to_builtins(snapshot()))
        assert error(response) == (503, "service_unavailable")
        assert world.count(WriteStore) == 0


class TestIcons:
    def test_the_manifest_is_the_file_itself(self) -> None:
        world = World(files=files())
        response = world.send("GET", "/api/icons")
        assert response.body == MANIFEST
        assert header(response, "Content-Type") == "application/json; charset=utf-8"
        assert header(response, "Cache-Control") == "public, max-age=3600"
        assert header(response, "ETag") == '"m1"'
        assert header(response, "Last-Modified") == MODIFIED
        assert header(response, "Access-Control-Expose-Headers") == "ETag, Last-Modified"
        assert world.count(ReadStore) == 0

    def test_an_icon_works_while_the_device_is_offline(self) -> None:
        world = World(Settings(None, "nonsense"), has_store=False, files=files())
        response = world.send("GET", "/api/icons/editor.png")
        assert (response.status, response.body) == (200, b"\x89PNG")
        assert header(response, "Content-Type") == "image/png"

    @pytest.mark.parametrize("path", ICON_PATHS)
    def test_head_is_get_without_the_body(self, path: str) -> None:
        world = World(files=files())
        get, head = world.send("GET", path), world.send("HEAD", path)
        assert (head.status, head.headers, head.body) == (get.status, get.headers, b"")

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    def test_only_what_the_manifest_lists_is_there(self, method: str) -> None:
        """An id that is not in the manifest is unknown even if a file exists."""
        world = World(files=files())
        for name in ("stray", "unlisted"):
            response = world.send(method, f"/api/icons/{name}.png")
            assert response.status == 404
            assert header(response, "Access-Control-Expose-Headers") == "ETag, Last-Modified"

    def test_a_listed_icon_without_a_file_is_not_found(self) -> None:
        world = World(files={"index.json": Asset(MANIFEST)})
        assert error(world.send("GET", "/api/icons/editor.png")) == (404, "not_found")

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    @pytest.mark.parametrize("path", ICON_PATHS)
    def test_a_missing_or_failing_binding_is_unavailable(self, method: str, path: str) -> None:
        failing = World(files=files())
        failing.fail = {ReadAsset}
        broken = World(files={"index.json": Asset(b"{}"), "editor.png": Asset(b"")})
        for world in (World(), World(files={}), failing, broken):
            assert world.send(method, path).status == 503

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    @pytest.mark.parametrize(("path", "etag"), [(ICON_PATHS[0], b'"m1"'), (ICON_PATHS[1], b'"p1"')])
    def test_conditional_requests_are_answered_304(
        self, method: str, path: str, etag: bytes
    ) -> None:
        world = World(files=files())
        for condition in (
            (b"if-none-match", etag),
            (b"if-none-match", b'"x", W/' + etag),
            (b"if-none-match", b"*"),
            (b"if-modified-since", MODIFIED.encode()),
        ):
            response = world.send(method, path, [condition])
            assert (response.status, response.body) == (304, b"")
            assert header(response, "Cache-Control") == "public, max-age=3600"
            assert header(response, "ETag") == etag.decode()
        assert world.send(method, path, [(b"if-none-match", b'"other"')]).status == 200

    def test_conditions_are_forwarded_to_the_asset_layer(self) -> None:
        world = World(files=files())
        world.send("GET", "/api/icons/editor.png", [(b"if-none-match", b'"a"')])
        assert world.asked == [
            ReadAsset("index.json"),
            ReadAsset("editor.png", Conditions(if_none_match='"a"')),
        ]

    def test_an_asset_layer_may_say_unmodified_itself(self) -> None:
        world = World(files=files())

        def perform(effect: Effect) -> object:
            if isinstance(effect, ReadAsset) and effect.conditions.if_none_match:
                return Unmodified('"p1"', MODIFIED)
            return World.perform(world, effect)

        world.perform = perform  # type: ignore[method-assign]
        for path in ICON_PATHS:
            response = world.send("GET", path, [(b"if-none-match", b'"zzz"')])
            assert response.status == 304
            assert header(response, "ETag") == '"p1"'

    def test_an_invalid_manifest_is_unavailable_to_a_client_that_has_it_too(self) -> None:
        world = World(files=files(**{"index.json": Asset(b"{}")}))

        def perform(effect: Effect) -> object:
            if isinstance(effect, ReadAsset) and effect.conditions.if_none_match:
                return Unmodified('"m1"')
            return World.perform(world, effect)

        world.perform = perform  # type: ignore[method-assign]
        assert world.send("GET", "/api/icons", [(b"if-none-match", b"*")]).status == 503

    @pytest.mark.parametrize("bad", ['"a\r\nX: y"', "bare", '"\u1234"', '"a\x00"'])
    def test_a_validator_that_may_not_be_sent_is_left_out(self, bad: str) -> None:
        world = World(files=files(**{"editor.png": Asset(b"P", bad, "x\r\ny")}))
        response = world.send("GET", "/api/icons/editor.png")
        assert response.status == 200
        assert header(response, "ETag") is None
        assert header(response, "Last-Modified") is None
