"""Stores that are slow, eventually consistent, or expire by their own clock; clocks that jump."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from devicestatus import Settings
from devicestatus.adapters.memory import MemoryStore
from support.devicestatus.examples import NOON, TOKEN, body, event, snapshot, window
from support.devicestatus.service_client import (
    OFFLINE,
    STATUS_PATHS,
    ServiceClient,
    numbered,
)

JSON_PATHS: Final = tuple(path for path in STATUS_PATHS if "badge" not in path)
each_kind = pytest.mark.parametrize("kind", ["asgi", "wsgi"])
TESTS: Final = Path(__file__).parents[1]


class Slow(MemoryStore):
    """A store in whose calls the clock of the service advances."""

    def __init__(self, *, get_ms: int = 0, put_ms: int = 0) -> None:
        super().__init__()
        self.client: ServiceClient | None = None
        self.get_ms = get_ms
        self.put_ms = put_ms

    def get(self, key: str) -> bytes | None:
        value = super().get(key)
        self.pass_time(self.get_ms)
        return value

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        self.pass_time(self.put_ms)
        super().put(key, value, expires_at_ms=expires_at_ms)

    def pass_time(self, milliseconds: int) -> None:
        assert self.client is not None
        self.client.now += milliseconds


def client_of(store: Slow, kind: str, **members: Any) -> ServiceClient:
    client = ServiceClient(store, kind, **members)
    store.client = client
    return client


@pytest.mark.rule("DS-DEADLINE-09")
class TestSlowReads:
    @each_kind
    @pytest.mark.parametrize(("takes", "online"), [(59_999, True), (60_000, False)])
    @pytest.mark.parametrize("path", JSON_PATHS)
    def test_freshness_is_checked_after_the_answer(
        self, path: str, takes: int, online: bool, kind: str
    ) -> None:
        """A record that was fresh when it was asked for may have expired when it comes."""
        store = Slow(get_ms=takes)
        client = client_of(store, kind)
        client.post("/api/update", body(snapshot()))
        assert (client.get(path).body != OFFLINE) == online

    @each_kind
    def test_a_window_is_played_at_the_moment_after_the_answer(self, kind: str) -> None:
        store = Slow()
        client = client_of(store, kind, now=NOON + 900_000)
        events = tuple(event(each, NOON + each * 60_000) for each in range(1, 15))
        assert client.post("/api/batch", body(window(events=events))).status == 200
        store.get_ms = 180_000
        reported = client.get("/api/now").json
        assert reported["active_app"] == "App 11"  # 15 min and 3 min, less 7 min
        assert reported["playback"]["at"] == "2026-01-01T12:11:00.000Z"


class TestSlowWrites:
    @each_kind
    def test_the_receive_time_is_that_of_the_body(self, kind: str) -> None:
        """The response has no later deadline than the record, however long the write takes."""
        store = Slow(put_ms=59_999)
        client = client_of(store, kind)
        answer = client.post("/api/update", body(snapshot()))
        assert answer.json == {
            "ok": True,
            "updated_at": "2026-01-01T12:00:00.000Z",
            "expires_at": "2026-01-01T12:01:00.000Z",
        }
        shown = client.get("/api/now").json
        assert (shown["updated_at"], shown["expires_at"]) == (
            answer.json["updated_at"],
            answer.json["expires_at"],
        )
        client.now += 1
        assert client.get("/api/now").body == OFFLINE

    @each_kind
    def test_one_that_outlasts_its_record_shows_nothing(self, kind: str) -> None:
        store = Slow(put_ms=60_000)
        client = client_of(store, kind)
        assert client.post("/api/update", body(snapshot())).status == 200
        assert client.get("/api/now").body == OFFLINE


@pytest.mark.rule("DS-CACHE-05", "DS-SERVICE-07")
class TestReplicas:
    """Reads that go back and forth between what was written and what was there before."""

    class Behind(MemoryStore):
        def __init__(self) -> None:
            super().__init__()
            self.past: list[bytes | None] = [None]
            self.behind = 0

        def get(self, key: str) -> bytes | None:
            return self.past[max(len(self.past) - 1 - self.behind, 0)]

        def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
            self.past.append(value)

    def test_each_read_reports_one_whole_record_with_its_own_deadline(self) -> None:
        store = self.Behind()
        client = ServiceClient(store)
        for number in range(5):
            client.now = NOON + number * 20_000
            client.post("/api/update", numbered(number, client.now))
        for behind in (0, 3, 1, 5, 2, 0, 4):
            store.behind = behind
            shown = client.get("/api/now").json
            number = 4 - behind
            expires = NOON + number * 20_000 + 60_000
            if number < 0 or expires <= client.now:
                assert shown == {"status": "offline"}
            else:
                assert shown["active_app"] == f"{number:06}"
                assert (
                    shown["updated_at"]
                    == f"2026-01-01T12:{number // 3:02}:{number % 3 * 20:02}.000Z"
                )

    def test_a_written_record_that_is_not_seen_yet_is_offline(self) -> None:
        store = self.Behind()
        store.behind = 1
        client = ServiceClient(store)
        assert client.post("/api/update", body(snapshot())).status == 200
        assert client.get("/api/now").body == OFFLINE


class TestOwnExpiry:
    class Expiring(MemoryStore):
        """A store that drops a key at its expiry, by a clock that is off."""

        def __init__(self, off_ms: int) -> None:
            super().__init__()
            self.off_ms = off_ms
            self.gone_at = 0
            self.client: ServiceClient | None = None

        def get(self, key: str) -> bytes | None:
            assert self.client is not None
            gone = self.client.now + self.off_ms >= self.gone_at
            return None if gone else super().get(key)

        def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
            self.gone_at = expires_at_ms
            super().put(key, value, expires_at_ms=expires_at_ms)

    @pytest.mark.parametrize("off_ms", [-5_000, -1, 0, 1, 5_000])
    @pytest.mark.parametrize("late", [0, 1, 999])
    def test_around_the_deadline_it_is_a_record_or_offline(self, off_ms: int, late: int) -> None:
        """A store with a correct clock never drops early: its deadline is rounded up to seconds."""
        store = self.Expiring(off_ms)
        client = store.client = ServiceClient(store)
        client.now = NOON + late
        assert client.post("/api/update", body(snapshot())).status == 200
        for left in (6_000, 5_000, 4_999, 1_001, 1_000, 1, 0, -1, -1_000, -10_000):
            client.now = NOON + late + 60_000 - left
            answer = client.get("/api/now")
            assert answer.status == 200
            if left <= 0:
                assert answer.body == OFFLINE
            elif off_ms <= 0:
                assert answer.json["status"] == "online"


@pytest.mark.rule("DS-CONFIG-08")
class TestJumpingClocks:
    @each_kind
    def test_one_request_uses_one_time(self, kind: str) -> None:
        """The clock leaps by an hour whenever it is read."""

        class Leaping(ServiceClient):
            reads = 0

        client = Leaping(MemoryStore(), kind, settings=Settings(TOKEN, 3600))
        clock = iter(range(NOON, NOON + 10**10, 1_800_000))
        reads: list[int] = []

        def read() -> int:
            reads.append(next(clock))
            return reads[-1]

        create: Any = type(client._app)
        client._app = create(client._app.handler, store=client.store, clock=read)
        assert client.post("/api/update", body(snapshot())).status == 200
        assert len(reads) == 1
        shown = client.get("/api/timeline").json
        assert len(reads) == 2
        assert shown["server_time"] == "2026-01-01T12:30:00.000Z"
        assert shown["updated_at"] == "2026-01-01T12:00:00.000Z"


STORY = """
import hashlib, os, sys, time
from devicestatus.adapters.memory import MemoryStore
from support.devicestatus.service_client import ServiceClient, day
for zone in sys.argv[1:]:
    os.environ["TZ"] = zone
    time.tzset()
    client, digest = ServiceClient(MemoryStore(), "wsgi"), hashlib.sha256()
    for request in day():
        answer = client.ask(*request)
        digest.update(repr((answer.status, answer.headers, answer.body)).encode())
    print(digest.hexdigest(), time.localtime(0).tm_gmtoff)
"""


class TestZones:
    def test_the_zone_of_the_host_changes_no_byte(self) -> None:
        zones = ("UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia")
        run = subprocess.run(
            [sys.executable, "-W", "error", "-c", STORY, *zones],
            env={**os.environ, "PYTHONPATH": str(TESTS)},
            capture_output=True,
            text=True,
            check=True,
        )
        reported = [line.split() for line in run.stdout.splitlines()]
        assert len({digest for digest, _ in reported}) == 1
        assert len({offset for _, offset in reported}) == len(zones)  # the zones were in force
