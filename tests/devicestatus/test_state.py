"""Public status at a given time: "States and transitions", row by row and at each boundary."""

import json
from typing import Any

import pytest

from devicestatus.record import Record
from devicestatus.state import (
    Offline,
    Online,
    is_valid_window,
    state_of,
)
from support.devicestatus.examples import (
    DELAY,
    NOON,
    WINDOW_END,
    gap,
    plain,
    snapshot_record,
    window,
    window_record,
)
from support.vectors.engine import failures_of


def state(record: Record, now: int, ttl: int = 60) -> Online | Offline:
    return state_of(record, now=now, ttl_seconds=ttl)


class TestSnapshots:
    """online, v1: until server time reaches the record deadline."""

    def test_the_status_is_that_of_the_vectors(self) -> None:
        assert failures_of("devicestatus/records") == failures_of("devicestatus/deadlines") == []


class TestIsValidWindow:
    """`/api/timeline`: online states that the window is valid, not that a moment is covered."""

    def test_it_is_valid_until_600_seconds_after_its_end(self) -> None:
        record = window_record()
        assert is_valid_window(record, WINDOW_END + 600_000 - 1)
        assert not is_valid_window(record, WINDOW_END + 600_000)
        assert not is_valid_window(record, 2**60)

    def test_it_is_valid_through_warm_up_gap_and_exhaustion(self) -> None:
        holes = (gap(NOON, WINDOW_END),)
        for data in (window(gaps=holes), window(), window(window_end=NOON)):
            record = window_record(data, received_at=data.window_end)
            assert is_valid_window(record, data.window_end)
            assert is_valid_window(record, data.window_end + DELAY)


class TestRead:
    def test_a_window_is_prepared_once(self) -> None:
        record = window_record()
        assert record.prepared.window is record.data
        assert record.prepared is record.prepared

    def test_the_text_of_a_window_is_written_once(self) -> None:
        record = window_record()
        assert json.loads(record.window_json) == plain(window())
        assert record.window_json is record.window_json

    def test_the_instant_and_the_lifetime_are_named(self) -> None:
        """Both are whole numbers; by place they could change places."""
        ask: Any = state_of
        with pytest.raises(TypeError):
            ask(snapshot_record(), NOON, 60)
