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
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Final, Literal, NamedTuple

import attrs
import pytest

from devicestatus.music_urls import ITUNES
from devicestatus.record import SnapshotRecord, decode_record
from devicestatus.store_contract import AnyStore
from status_contracts.structuring.converter import unstructure
from support.devicestatus.service_client import ServiceClient, number_in
from support.faults.killed_writer import CLOCK_MS, open_store

pytestmark = pytest.mark.check

ROUNDS: Final = 150
TESTS = Path(__file__).parents[1]

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

    process: subprocess.Popen[bytes]
    acknowledged: int = 0
    begun: int = 0

    @property
    def output(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    def start(self) -> int:
        """Let a writer go on after the last number that was begun; give its process id."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"%d\n" % (self.begun + 1))
        self.process.stdin.flush()
        word, pid = self.output.readline().split()
        assert word == b"pid"
        return int(pid)

    def hear(self, *, of: bytes) -> None:
        """Listen until a write begins, or has been acknowledged."""
        while self._take(self.output.readline()) != of:
            pass

    def hear_the_end(self) -> None:
        """Listen until the writer is gone."""
        self.hear(of=b"over")

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


@contextmanager
def writers(kind: str, place: str) -> Iterator[Writers]:
    command = [
        sys.executable,
        "-W",
        "error",
        str(TESTS / "support" / "faults" / "killed_writer.py"),
        kind,
        place,
    ]
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as process:
        try:
            yield Writers(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
    assert process.returncode == 0


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


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def rounds_of(kind: str, place: str, rounds: int) -> Generator[Round, None, None]:
    """Kill one writer after the other; check what each leaves."""
    chance = random.Random(kind)  # noqa: S311 - the same moments each time
    with writers(kind, place) as received:
        for _ in range(rounds):
            pid = received.start()
            received.wait_into_a_write(chance.random() * 1.2)
            kill(pid)
            received.hear_the_end()
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
