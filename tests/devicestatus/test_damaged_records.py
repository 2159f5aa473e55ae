"""Damaged values in the store: readers see offline, or exactly what the bytes still contain."""

import json
from collections.abc import Iterable
from typing import Final

import pytest

from devicestatus.music_urls import ITUNES
from devicestatus.record import decode_record, encode_record
from status_contracts.primitives import ABSENT
from support.devicestatus.examples import (
    DELAY,
    NOON,
    WINDOW_END,
    event,
    gap,
    snapshot,
    snapshot_record,
    window,
)
from support.devicestatus.examples import window_record as record_of
from support.devicestatus.fake_server import FakeServer
from support.devicestatus.service_client import OFFLINE, STATUS_PATHS

pytestmark = pytest.mark.check

FULL: Final = window(
    baseline=snapshot(running_apps=("Editor", "名前 🖥")),
    events=(event(1, NOON, active_app=None), event(7, WINDOW_END)),
    gaps=(gap(NOON, NOON + 5),),
)
VALUES: Final = {
    "snapshot": encode_record(snapshot_record()),
    "legacy": encode_record(snapshot_record(expires_at=ABSENT)),
    "window": encode_record(record_of(FULL)),
}
MOST_ASKED: Final = ("/api/now", "/api/timeline")
TIMES: Final = {
    "snapshot": NOON + 59_999,
    "legacy": NOON + 59_999,
    "window": WINDOW_END + DELAY - 1,
}
DIGITS: Final = b"0123456789"
each_kind = pytest.mark.parametrize("kind", VALUES)


def server(kind: str) -> FakeServer:
    made = FakeServer()
    made.now = TIMES[kind]
    return made


def changed_bytes(value: bytes, others: Iterable[int]) -> Iterable[bytes]:
    for place, byte in enumerate(value):
        for other in others:
            if other != byte and (others is not DIGITS or byte in DIGITS):
                yield value[:place] + bytes([other]) + value[place + 1 :]


def readable(values: Iterable[bytes]) -> Iterable[bytes]:
    """Leave out what is no record, which is offline: flipped bits show that, too."""
    return (value for value in values if decode_record(value, ITUNES) is not None)


def written_again(value: bytes) -> bytes:
    """Read a value with another reader of JSON, which believes everything, and write it."""
    return json.dumps(json.loads(value)).encode()


class TestTruncatedRecords:
    @each_kind
    @pytest.mark.parametrize("path", STATUS_PATHS)
    def test_every_prefix_is_offline_on_every_path(self, kind: str, path: str) -> None:
        served = server(kind)
        offline = served.send("GET", path)
        step = 1 if path in MOST_ASKED else 7  # the others read as `/api/now` does
        for end in range(0, len(VALUES[kind]), step):
            served.stored = VALUES[kind][:end]
            response = served.send("GET", path)
            assert (response.status, response.body) == (200, offline.body)
        served.stored = VALUES[kind]
        assert served.send("GET", path).body != offline.body

    @each_kind
    def test_a_prefix_after_the_whole_record_is_not_taken_for_it(self, kind: str) -> None:
        """What was decoded last is remembered, by all of its bytes."""
        served = server(kind)
        for end in range(1, 40):
            served.stored = VALUES[kind]
            assert served.send("GET", "/api/now").body != OFFLINE
            served.stored = VALUES[kind][:-end]
            assert served.send("GET", "/api/now").body == OFFLINE


class TestChangedBytes:
    def check(self, kind: str, values: Iterable[bytes], paths: tuple[str, ...]) -> None:
        served, other = server(kind), server(kind)
        online = 0
        for value in values:
            served.stored = value
            for path in paths:
                response = served.send("GET", path)
                assert response.status == 200
                if response.body == OFFLINE:
                    continue
                online += 1
                other.stored = written_again(value)
                assert response.body == other.send("GET", path).body
        assert online > 0

    @each_kind
    def test_a_flipped_bit_is_offline_or_the_content_of_the_bytes(self, kind: str) -> None:
        flips = (
            VALUES[kind][:place] + bytes([byte ^ 1 << bit]) + VALUES[kind][place + 1 :]
            for place, byte in enumerate(VALUES[kind])
            for bit in range(8)
        )
        self.check(kind, readable(flips) if kind == "window" else flips, ("/api/now",))

    def test_no_byte_makes_a_record_last_longer(self) -> None:
        """At the deadline it is offline, whichever digit is another one."""
        for kind, deadline in (("snapshot", NOON + 60_000), ("window", WINDOW_END + DELAY)):
            served = server(kind)
            served.now = deadline
            for value in readable(changed_bytes(VALUES[kind], DIGITS)):
                served.stored = value
                assert served.send("GET", "/api/now").body == OFFLINE
