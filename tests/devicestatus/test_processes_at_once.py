"""Four processes that write and read one record at once, each through a service of its own.

Every read is one whole record, and one that was acknowledged to its writer.  To each process time
goes forward: it never reads a record of a writer that is older than one it has read of that writer,
or than its own last one.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from support.devicestatus.service_client import ServiceClient, number_in
from support.faults.killed_writer import CLOCK_MS, open_store

pytestmark = pytest.mark.check

TESTS: Final = Path(__file__).parents[1]
PROCESSES: Final = 4
WRITES: Final = 6  # each is synced to the disk
NUMBERS_EACH: Final = 1000
"""Numbers of one process, so that a number identifies its writer."""

TOGETHER: Final = """
import os, sys
from support.faults.killed_writer import CLOCK_MS, open_store
from support.devicestatus.service_client import ServiceClient, number_in, numbered

kind, place, processes, writes, numbers = *sys.argv[1:3], *map(int, sys.argv[3:6])
gate, opener = os.pipe()

def work(process):
    client = ServiceClient(open_store(kind, place), "wsgi", now=CLOCK_MS)
    client.get("/api/now")
    os.close(opener)
    os.read(gate, 1)  # until the parent lets all of them go at once
    lines = []
    for number in range(process * numbers + 1, process * numbers + writes + 1):
        status = client.post("/api/update", numbered(number, CLOCK_MS)).status
        answer = client.get("/api/now")
        seen = number_in({"running_apps": []} | answer.json)
        lines.append(f"{process} {number} {status} {answer.status} {seen}\\n")
    with open(f"{sys.argv[6]}/{process}", "w") as reported:
        reported.writelines(lines)

for process in range(processes):
    if os.fork() == 0:
        failed = 1
        try:
            work(process)
            failed = 0
        finally:
            os._exit(failed)
os.close(opener)
sys.exit(sum(os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(processes)))
"""


class Turn(NamedTuple):
    """A write of one process, and what it read next."""

    process: int
    number: int
    written: int
    answered: int
    seen: int


def turns(kind: str, place: str, writes: int, folder: Path) -> list[list[Turn]]:
    """Let the processes work; return the turns of each, in order."""
    folder.mkdir()
    counts = map(str, (PROCESSES, writes, NUMBERS_EACH))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", TOGETHER, kind, place, *counts, str(folder)],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [
        [Turn(*map(int, line.split())) for line in (folder / str(process)).read_text().splitlines()]
        for process in range(PROCESSES)
    ]


def check_turns(reported: list[list[Turn]], writes: int) -> None:
    acknowledged = {turn.number for each in reported for turn in each if turn.written == 200}
    assert len(acknowledged) == PROCESSES * writes
    for each in reported:
        newest = [0] * PROCESSES
        for turn in each:
            assert turn.answered == 200
            assert turn.seen in acknowledged
            newest[turn.process] = turn.number
            writer = turn.seen // NUMBERS_EACH
            assert turn.seen >= newest[writer], "a process went back"
            newest[writer] = turn.seen


def test_over_one_sqlite_file_they_read_acknowledged_records_only(tmp_path: Path) -> None:
    """What stays is the last record of one of them."""
    place = str(tmp_path / "status.db")
    check_turns(turns("sqlite", place, WRITES, tmp_path / "reported"), WRITES)
    answer = ServiceClient(open_store("sqlite", place), "wsgi", now=CLOCK_MS).get("/api/now")
    assert number_in({"running_apps": []} | answer.json) % NUMBERS_EACH == WRITES
