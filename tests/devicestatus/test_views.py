"""The text of a time line is that of its body; a window's part of it is made once."""

import pytest

from devicestatus.bodies import timeline, timeline_json
from devicestatus.record import Record
from status_contracts.json_text import encode
from status_contracts.structuring.converter import unstructure
from support.devicestatus.examples import (
    NOON,
    RECEIVED_AT,
    WINDOW_END,
    snapshot_record,
    window_record,
)

MINUTE = 60_000


def both(record: Record | None, now: int) -> tuple[bytes, bytes]:
    """Return the text, and the text of the body."""
    body = timeline(record, now=now, ttl_seconds=60)
    return timeline_json(record, now=now, ttl_seconds=60), encode(unstructure(body))


class TestTimelineText:
    @pytest.mark.parametrize(
        ("record", "now"),
        [
            (snapshot_record(), NOON),
            (snapshot_record(), NOON + MINUTE),
            (window_record(), RECEIVED_AT),
            (window_record(), RECEIVED_AT - 1),
            (window_record(), WINDOW_END + 10 * MINUTE - 1),
            (window_record(), WINDOW_END + 10 * MINUTE),
        ],
    )
    def test_it_is_the_body(self, record: Record, now: int) -> None:
        text, body = both(record, now)
        assert text == body

    def test_without_a_record_it_is_offline(self) -> None:
        text, body = both(None, NOON)
        assert text == body == b'{"status":"offline"}'

    def test_a_window_is_written_once_for_its_record(self) -> None:
        record = window_record()
        texts = [
            timeline_json(record, now=now, ttl_seconds=60)
            for now in (RECEIVED_AT, RECEIVED_AT + 1)  # both online
        ]
        assert texts[0] != texts[1]
        assert record.window_json is record.window_json
        assert all(text.endswith(record.window_json + b"}") for text in texts)
