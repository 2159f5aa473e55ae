"""Records in the store: which values are valid, which are corrupt, which must be readable."""

import json
from typing import Any

import pytest

from devicestatus import limits
from devicestatus.models import Snapshot, System
from devicestatus.music_urls import ITUNES, CatalogHosts
from devicestatus.record import Record, decode_record, encode_record, wrap_body
from status_contracts.instants import LAST_INSTANT
from status_contracts.json_text import encode as to_json
from status_contracts.primitives import ABSENT
from support.devicestatus.examples import (
    COVERED_SONG,
    NOON,
    WINDOW_END,
    body,
    event,
    gap,
    plain,
    snapshot,
    snapshot_record,
    window,
    window_record,
)

MINUTE = 60_000
FULL = window(
    baseline=snapshot(music=COVERED_SONG, running_apps=("Editor", "名前 🖥")),
    events=(event(1, NOON, active_app=None), event(7, WINDOW_END, system=System(0.1, None, 5))),
    gaps=(gap(NOON, NOON + 5), gap(NOON + 5, WINDOW_END, "clock")),
    dropped_events=3,
)
VALUE = encode_record(snapshot_record())


def read(value: object, catalog: CatalogHosts = ITUNES) -> Record | None:
    return decode_record(value, catalog)


class TestWrapBody:
    """A body becomes the value of its record as it came."""

    @pytest.mark.parametrize("record", [snapshot_record(), window_record(FULL)], ids=["v1", "v2"])
    def test_the_value_of_a_compact_body_is_that_of_its_record(self, record: Any) -> None:
        data = to_json(plain(record.data))
        times = {"received_at": record.received_at, "expires_at": record.expires_at}
        assert wrap_body(data, **times) == encode_record(record)

    def test_any_form_of_a_body_decodes_to_its_record(self) -> None:
        spelt = b"\xef\xbb\xbf \n" + json.dumps(plain(snapshot()), indent=4).encode() + b"\t"
        value = wrap_body(spelt, received_at=NOON, expires_at=NOON + MINUTE)
        assert spelt[3:] in value
        assert read(value) == snapshot_record()

    @pytest.mark.parametrize("name", ["data", "received_at", "expires_at"])
    def test_no_member_of_a_body_takes_the_place_of_another(self, name: str) -> None:
        """What is no valid body is refused before, and would be no record after."""
        value = wrap_body(
            to_json(plain(snapshot()) | {name: 1}), received_at=NOON, expires_at=NOON + MINUTE
        )
        assert read(value) is None


class TestCorruptStructure:
    @pytest.mark.parametrize(
        "value",
        [
            None,
            VALUE.decode(),
            bytearray(VALUE),
            json.loads(VALUE),
            type("Bytes", (bytes,), {})(VALUE),
            snapshot_record(),
        ],
        ids=lambda value: type(value).__name__,
    )
    def test_a_value_of_another_python_type_is_corrupt(self, value: object) -> None:
        """A store must return the bytes that were written."""
        assert read(value) is None


class TestCorruptReceiveTime:
    def test_the_last_instant_is_a_receive_time_and_its_deadline_lies_beyond(self) -> None:
        record = snapshot_record(
            received_at=LAST_INSTANT,
            expires_at=LAST_INSTANT + limits.TTL_MAX_SECONDS * 1000,
            data=snapshot(collected_at=LAST_INSTANT),
        )
        assert read(encode_record(record)) == record

    @pytest.mark.parametrize("received_at", ["1e999", "-1e999", "NaN", "9" * 5000, "1e-400"])
    def test_receive_time_that_is_no_usable_number_is_corrupt(self, received_at: str) -> None:
        value = encode_record(snapshot_record(expires_at=ABSENT))
        assert read(value.replace(str(NOON).encode(), received_at.encode(), 1)) is None


class TestCorruptData:
    """The validation is the one that a write passes; the cases of each rule are ingest's."""

    def test_urls_are_validated_by_the_configured_catalog(self) -> None:
        value = encode_record(snapshot_record(data=snapshot(music=COVERED_SONG)))
        assert read(value) is not None
        moved = CatalogHosts("img.example", frozenset({"music.example"}))
        assert read(value, moved) is None

    def test_a_window_under_a_snapshots_schema_version_is_neither(self) -> None:
        mixed = {**plain(FULL), **plain(snapshot())}
        assert read(body({**json.loads(VALUE), "data": mixed})) is None


@pytest.mark.rule("DS-RECORD-12")
@pytest.mark.parametrize(
    ("data", "size"),
    [(snapshot(), limits.UPDATE_BODY_BYTES), (FULL, limits.BATCH_BODY_BYTES)],
    ids=["update", "batch"],
)
def test_the_largest_body_reads_back(data: Any, size: int) -> None:
    """The value has the body as it came, so that it stays within the limit of a record."""
    record: Any = snapshot_record() if isinstance(data, Snapshot) else window_record(data)
    value = wrap_body(
        body(data).ljust(size), received_at=record.received_at, expires_at=record.expires_at
    )
    assert size < len(value) <= limits.RECORD_BYTES
    assert read(value) == record
