"""Tests of `explain`: why a record is online or offline, and until when."""

import pytest

from devicestatus import record as stored
from devicestatus.deadlines import Deadline
from devicestatus.explanation import Explanation, explain, explanation_fields
from devicestatus.music_urls import CatalogHosts
from devicestatus.record import Record
from devicestatus.service import Service
from devicestatus.settings import Settings
from devicestatus.status_text import reason_text
from status_contracts.exchange import Stored
from status_contracts.primitives import ABSENT
from support.devicestatus.examples import (
    COVERED_SONG,
    DELAY,
    NOON,
    RECEIVED_AT,
    TOKEN,
    WINDOW_END,
    gap,
    snapshot,
    snapshot_record,
    window,
    window_record,
)

MINUTE = 60_000
REALTIME, ECO = Settings(TOKEN, "realtime"), Settings(TOKEN, "eco")


class TestWithoutRecord:
    @pytest.mark.parametrize("value", [b"", b"{}", b"null", b"\xff", b"[" * 100_000])
    def test_a_corrupt_value_is_offline_and_stays_so(self, value: bytes) -> None:
        found = explain(value, NOON, REALTIME)
        assert found == Explanation(online=False, reason="corrupt")
        assert [*explanation_fields(found, NOON)] == ["next change"]

    @pytest.mark.parametrize("ttl", [59, "", "ECO", True])
    def test_an_invalid_lifetime_has_no_verdict_to_explain(self, ttl: int | str) -> None:
        for record in (None, b"", snapshot_record(), window_record()):
            with pytest.raises(ValueError, match="STATUS_TTL_SECONDS must be 60 to 3600"):
                explain(record, NOON, Settings(TOKEN, ttl))


class TestStoredValues:
    @pytest.mark.parametrize("record", [snapshot_record(), window_record()])
    def test_a_stored_value_is_explained_as_its_record(self, record: Record) -> None:
        value = stored.encode_record(record)
        for now in (NOON, RECEIVED_AT, WINDOW_END + DELAY):
            assert explain(value, now, REALTIME) == explain(record, now, REALTIME)

    def test_it_is_trusted_by_the_configured_catalog(self) -> None:
        value = stored.encode_record(snapshot_record(data=snapshot(music=COVERED_SONG)))
        assert explain(value, NOON, REALTIME).online
        moved = Settings(TOKEN, catalog=CatalogHosts("img.example", frozenset({"example"})))
        assert explain(value, NOON, moved).reason == "corrupt"

    @pytest.mark.parametrize("value", [None, b"", b"{}", stored.encode_record(snapshot_record())])
    def test_the_service_has_the_same_reason(self, value: bytes | None) -> None:
        reading, now = Service(REALTIME, has_store=True, has_assets=False).read(), NOON + 2 * MINUTE
        next(reading)
        with pytest.raises(StopIteration) as done:
            reading.send(Stored(value, now))
        assert done.value.value.status.reason == explain(value, now, REALTIME).reason


class TestSnapshots:
    def test_the_rule_in_force_is_named(self) -> None:
        record = snapshot_record(expires_at=NOON + 3 * MINUTE)
        lowered = explain(record, NOON, REALTIME)
        assert lowered.deadline == Deadline(NOON + MINUTE, "policy")
        assert lowered.next_change_at == NOON + MINUTE
        assert explain(record, NOON, ECO).deadline == Deadline(NOON + 3 * MINUTE, "stored")
        legacy = explain(snapshot_record(expires_at=ABSENT), NOON, ECO)
        assert legacy.deadline == Deadline(NOON + MINUTE, "legacy")


class TestWindows:
    DEADLINE = Deadline(WINDOW_END + DELAY, "projection")

    def test_a_gap_is_named_and_ends(self) -> None:
        hole = gap(RECEIVED_AT - DELAY, RECEIVED_AT - DELAY + 10)
        record = window_record(window(gaps=(hole,)))
        expected = Explanation(
            online=False,
            reason="gap",
            gap=hole,
            deadline=self.DEADLINE,
            next_change_at=RECEIVED_AT + 10,
        )
        assert explain(record, RECEIVED_AT, REALTIME) == expected
        span = "2026-01-01T12:08:01.000Z to 2026-01-01T12:08:01.010Z"
        assert reason_text("gap", hole) == f"playback is in a gap (asleep, {span})"

    def test_in_the_future_it_changes_when_that_time_comes(self) -> None:
        explanation = explain(window_record(), RECEIVED_AT - 1, REALTIME)
        assert (explanation.reason, explanation.next_change_at) == ("future", RECEIVED_AT)
        online = explain(window_record(), RECEIVED_AT, REALTIME)
        assert (online.reason, online.next_change_at) == (None, WINDOW_END + DELAY)
