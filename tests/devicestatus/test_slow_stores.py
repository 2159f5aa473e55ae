"""Stores that are slow, values that are no bytes, and clocks that jump."""

from typing import Any

import pytest

from devicestatus import Settings
from devicestatus.adapters.memory import MemoryStore
from support.devicestatus.examples import NOON, TOKEN, body, event, snapshot, window
from support.devicestatus.service_client import OFFLINE, ServiceClient


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


def client_of(store: Slow, **members: Any) -> ServiceClient:
    client = ServiceClient(store, **members)
    store.client = client
    return client


@pytest.mark.rule("DS-DEADLINE-09")
class TestSlowReads:
    def test_a_window_is_played_at_the_moment_after_the_answer(self) -> None:
        store = Slow()
        client = client_of(store, now=NOON + 900_000)
        events = tuple(event(each, NOON + each * 60_000) for each in range(1, 15))
        assert client.post("/api/batch", body(window(events=events))).status == 200
        store.get_ms = 180_000
        reported = client.get("/api/now").json
        assert reported["active_app"] == "App 11"  # 15 min and 3 min, less 7 min
        assert reported["playback"]["at"] == "2026-01-01T12:11:00.000Z"


class TestSlowWrites:
    def test_the_receive_time_is_that_of_the_body(self) -> None:
        """The response has no later deadline than the record, however long the write takes."""
        store = Slow(put_ms=59_999)
        client = client_of(store)
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
    def test_one_request_uses_one_time(self) -> None:
        """The clock leaps by an hour whenever it is read."""
        client = ServiceClient(MemoryStore(), settings=Settings(TOKEN, 3600))
        clock = iter(range(NOON, NOON + 10**10, 1_800_000))
        create: Any = type(client._app)
        client._app = create(client._app.handler, store=client.store, clock=lambda: next(clock))
        assert client.post("/api/update", body(snapshot())).status == 200
        shown = client.get("/api/timeline").json
        assert shown["server_time"] == "2026-01-01T12:30:00.000Z"
        assert shown["updated_at"] == "2026-01-01T12:00:00.000Z"
