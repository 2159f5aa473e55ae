"""Properties of stored values: what is written reads back, damage reads as nothing or as whole.

Invariant *validated again*: whatever bytes the store holds, `decode` raises nothing,
and what it gives passes the entry point of a write at the record's own receive time.
"""

import json
from collections.abc import Iterable

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devicestatus.deadlines import window_deadline
from devicestatus.music_urls import ITUNES
from devicestatus.parsing import check_snapshot, check_window
from devicestatus.record import Record, WindowRecord, decode_record, encode_record
from devicestatus.strategies import records
from status_contracts.primitives import ABSENT
from status_contracts.strategies import json_texts
from support.devicestatus import examples

FULL = examples.window(
    baseline=examples.snapshot(music=examples.COVERED_SONG, running_apps=("Editor", "名前 🖥")),
    events=(
        examples.event(1, examples.NOON, active_app=None),
        examples.event(7, examples.WINDOW_END),
    ),
    gaps=(examples.gap(examples.NOON, examples.NOON + 5),),
)
VALUES = {
    "snapshot": encode_record(examples.snapshot_record()),
    "legacy": encode_record(examples.snapshot_record(expires_at=ABSENT)),
    "window": encode_record(examples.window_record(FULL)),
}
each_value = pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)


def read(value: object) -> Record | None:
    return decode_record(value, ITUNES)


def check_damaged(values: Iterable[bytes]) -> None:
    """Check that damage yields nothing, or a record that is as valid as a written one."""
    for value in values:
        record = read(value)
        if record is not None:
            check_trusted(record)


def check_trusted(record: Record) -> None:
    assert read(encode_record(record)) == record
    assert record.received_at > 0
    if isinstance(record, WindowRecord):
        assert check_window(record.data, received_at=record.received_at) == ()
        assert record.expires_at == window_deadline(record.data.window_end)
        return
    assert check_snapshot(record.data, received_at=record.received_at) == ()
    if record.expires_at is not ABSENT:
        assert (record.expires_at - record.received_at) in range(60_000, 3_600_001, 1000)


class TestRoundTrip:
    @settings(max_examples=50)
    @given(records())
    def test_what_is_encoded_decodes_to_the_same_record(self, record: Record) -> None:
        """Types, signs of zeros, absent and null included."""
        value = encode_record(record)
        again = read(value)
        assert again == record
        assert repr(attrs.astuple(again)) == repr(attrs.astuple(record))
        assert again is not None
        assert encode_record(again) == value  # one record has one value

    @settings(max_examples=30)
    @given(st.data(), records())
    def test_any_form_of_the_value_is_the_same_record(
        self, draw: st.DataObject, record: Record
    ) -> None:
        value = draw.draw(json_texts(json.loads(encode_record(record))))
        assert read(value) == record


class TestDamage:
    @each_value
    def test_a_suffix_is_nothing(self, value: bytes) -> None:
        assert [start for start in range(1, len(value)) if read(value[start:]) is not None] == []

    @each_value
    def test_a_missing_byte_is_nothing_or_another_valid_record(self, value: bytes) -> None:
        check_damaged(value[:position] + value[position + 1 :] for position in range(len(value)))

    @each_value
    @pytest.mark.parametrize("byte", [b"\x00", b"\xff", b" "])
    def test_a_block_of_one_byte_over_the_end_is_nothing(self, value: bytes, byte: bytes) -> None:
        """As a file system leaves a file whose last blocks were never written."""
        torn = [value[:end].ljust(len(value), byte) for end in range(len(value) - 1)]
        assert [end for end, value in enumerate(torn) if read(value) is not None] == []

    @each_value
    @pytest.mark.parametrize("other", VALUES.values(), ids=VALUES)
    def test_the_head_of_one_value_and_the_tail_of_another_are_nothing_or_a_valid_record(
        self, value: bytes, other: bytes
    ) -> None:
        shorter = min(len(value), len(other))
        check_damaged(value[:cut] + other[cut:] for cut in range(shorter))
