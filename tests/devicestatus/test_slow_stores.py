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
    ServiceClient,
)

pytestmark = pytest.mark.check

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


class TestOwnExpiry:
    class Expiring(MemoryStore):
        """A store that drops a key at its expiry, by the clock of the service."""

        client: ServiceClient
        gone_at = 0

        def get(self, key: str) -> bytes | None:
            return None if self.client.now >= self.gone_at else super().get(key)

        def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
            self.gone_at = expires_at_ms
            super().put(key, value, expires_at_ms=expires_at_ms)

    @pytest.mark.parametrize("late", [0, 1, 999])
    def test_a_store_with_a_correct_clock_never_drops_early(self, late: int) -> None:
        store = self.Expiring()
        client = store.client = ServiceClient(store, now=NOON + late)
        assert client.post("/api/update", body(snapshot())).status == 200
        for left, online in ((1_000, True), (1, True), (0, False)):
            client.now = NOON + late + 60_000 - left
            assert (client.get("/api/now").body != OFFLINE) == online


class TestValuesThatAreNotBytes:
    def test_they_are_not_remembered_as_the_bytes_that_they_equal(self) -> None:
        """A kind of bytes that is refused may come before the same bytes that are a record."""

        class Branded(bytes):
            pass

        class Both(MemoryStore):
            turns = 0

            def get(self, key: str) -> bytes | None:
                self.turns += 1
                value = super().get(key)
                return value if self.turns % 2 or value is None else Branded(value)

        client = ServiceClient(Both())
        client.post("/api/update", body(snapshot()))
        verdicts = [client.get("/api/now").body == OFFLINE for _ in range(4)]
        assert verdicts == [False, True, False, True]


@pytest.mark.rule("DS-CONFIG-08")
class TestJumpingClocks:
    @each_kind
    def test_one_request_uses_one_time(self, kind: str) -> None:
        """The clock leaps by an hour whenever it is read."""
        client = ServiceClient(MemoryStore(), kind, settings=Settings(TOKEN, 3600))
        clock = iter(range(NOON, NOON + 10**10, 1_800_000))
        create: Any = type(client._app)
        client._app = create(client._app.handler, store=client.store, clock=lambda: next(clock))
        assert client.post("/api/update", body(snapshot())).status == 200
        shown = client.get("/api/timeline").json
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
