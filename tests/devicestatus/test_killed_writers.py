"""Services that are killed while they write: no truncated value, no lost acknowledged write.

Each round a process uploads numbered snapshots through the WSGI application until it is killed by
SIGKILL, at a moment that falls inside of a write more often than not.  Then the store is opened
again, and the record in it must be whole, and the last one that was acknowledged or one that was
begun after it.

The same loop runs over a store that opens its file and writes: it must catch that one, or else it
could not report good from bad.
"""

import os
import random
import signal
import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Final, Literal, NamedTuple

import attrs
import pytest

from devicestatus.music_urls import ITUNES
from devicestatus.record import SnapshotRecord, decode_record
from devicestatus.store_contract import AnyStore
from status_contracts.structuring.converter import unstructure
from support.devicestatus.service_client import ServiceClient, number_in
from support.faults.killed_forks import Forks, forks
from support.faults.killed_writer import CLOCK_MS, open_store

pytestmark = pytest.mark.check

ROUNDS: Final = 150

Verdict = Literal["whole", "truncated", "lost"]


class Round(NamedTuple):
    """What was left after a kill, and whether it fell inside of a write."""

    verdict: Verdict
    inside: bool


@attrs.define
class Writers:
    """The process that forks writers, and what has been received of them.

    Attributes:
        acknowledged: the highest number that was answered 200.
        begun: the highest number that the store was called with.

    """

    forks: Forks
    acknowledged: int = 0
    begun: int = 0

    def hear(self, *, of: bytes) -> None:
        """Listen until a write begins, has been acknowledged, or the writer is gone."""
        while self._take(self.forks.output.readline()) != of:
            pass

    def wait_into_a_write(self, share: float) -> None:
        """Hear a write begin, and wait for a share of the time that the one before has taken."""
        self.hear(of=b"begin")
        began = time.perf_counter()
        self.hear(of=b"done")
        seconds = time.perf_counter() - began
        self.hear(of=b"begin")
        time.sleep(share * seconds)

    def _take(self, line: bytes) -> bytes:
        word, _, number = line.rstrip().partition(b" ")
        assert word in {b"begin", b"done", b"over"}, line
        if word == b"begin":
            self.begun = int(number)
        elif word == b"done":
            self.acknowledged = int(number)
        return word


def verdict(store: AnyStore, received: Writers) -> Verdict:
    """Validate what a store holds; the service must report the same."""
    value = store.get("now")
    record = decode_record(value, ITUNES)
    answer = ServiceClient(store, "wsgi", now=CLOCK_MS).get("/api/now")
    assert answer.status == 200
    if not isinstance(record, SnapshotRecord):
        assert answer.json == {"status": "offline"}
        return "lost" if value is None else "truncated"
    number = number_in(unstructure(record.data))
    assert number_in(answer.json) == number
    assert number <= received.begun, "invented"
    return "whole" if number >= received.acknowledged else "lost"


def rounds_of(kind: str, place: str, rounds: int) -> Generator[Round, None, None]:
    """Kill one writer after the other; check what each leaves."""
    chance = random.Random(kind)  # noqa: S311 - the same moments each time
    with forks("killed_writer", kind, place) as process:
        received = Writers(process)
        for _ in range(rounds):
            pid = process.start(received.begun + 1)
            received.wait_into_a_write(chance.random() * 1.2)
            os.kill(pid, signal.SIGKILL)
            received.hear(of=b"over")
            found = verdict(open_store(kind, place), received)
            yield Round(found, received.begun > received.acknowledged)


class TestKilledServices:
    def test_over_sqlite_tear_and_lose_nothing(self, tmp_path: Path) -> None:
        left = list(rounds_of("sqlite", str(tmp_path / "status.db"), ROUNDS))
        assert [each.verdict for each in left] == ["whole"] * ROUNDS
        assert sum(each.inside for each in left) >= ROUNDS // 3, "too few kills fell into writes"

    def test_over_a_plain_file_are_caught(self, tmp_path: Path) -> None:
        """A file that is opened and written to is truncated by some of the rounds."""
        with closing(rounds_of("plain", str(tmp_path / "status.json"), 4 * ROUNDS)) as rounds:
            assert "truncated" in (each.verdict for each in rounds)
