"""Public status at a given time: "States and transitions", row by row and at each boundary."""

import json
from typing import Any

import pytest

from devicestatus.state import state_of
from support.devicestatus.examples import NOON, plain, snapshot_record, window, window_record


class TestRead:
    def test_a_window_is_prepared_and_written_once(self) -> None:
        record = window_record()
        assert record.prepared.window is record.data
        assert record.prepared is record.prepared
        assert json.loads(record.window_json) == plain(window())
        assert record.window_json is record.window_json

    def test_the_instant_and_the_lifetime_are_named(self) -> None:
        """Both are whole numbers; by place they could change places."""
        ask: Any = state_of
        with pytest.raises(TypeError):
            ask(snapshot_record(), NOON, 60)
