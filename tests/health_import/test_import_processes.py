"""`healthapi import` in processes of its own: signals, a terminal, memory, serving."""

import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path

import pytest

from support.health_import.exports import Export, minutes_of, sleep_record
from support.servers.commands import environment, run_process

pytestmark = pytest.mark.check

CLI = "healthapi.cli.main"
TABLES = {f"fitbit_{name}.csv" for name in ("activity", "hrv", "rhr", "sleep")}


def large(days: int) -> Export:
    """Return an export of some days: minutes of steps and energy, and files that are not read."""
    export = Export()
    for number in range(days):
        day = date(2012, 1, 1) + timedelta(number)
        minutes = minutes_of(day)
        export.minutes("steps", str(day), {at: at.minute % 7 for at in minutes})
        export.minutes("calories", str(day), {at: f"{1 + at.minute / 20:.2f}" for at in minutes})
        export.add(f"Global Export Data/heart_rate-{day}.json", "[]" * 60_000)
        export.levels({str(day): (800, 200, 20, 10)}, str(day))
        export.sleeps(sleep_record(str(day), number), name=str(day))
    days_of_all = [str(date(2012, 1, 1) + timedelta(number)) for number in range(days)]
    export.resting(dict.fromkeys(days_of_all, 60.4))
    export.hrv(dict.fromkeys(days_of_all, 33.1))
    return export


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of 15 MB of content."""
    return large(60).zip(tmp_path_factory.mktemp("archive") / "large.zip")


def importing(archive: Path, folder: Path) -> "subprocess.Popen[bytes]":
    """Start an import.

    A signal may interrupt Python while it imports a module; it leaves that file open and warns.
    """
    return subprocess.Popen(
        [sys.executable, "-m", CLI, "import", str(archive), "-o", str(folder)],
        env=environment({"PYTHONWARNINGS": "error,default::ResourceWarning"}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def wait_until_open(process: "subprocess.Popen[bytes]", archive: Path) -> None:
    """Wait until a process has opened the archive (Linux)."""
    opened = Path(f"/proc/{process.pid}/fd")
    while process.poll() is None:
        with suppress(OSError):  # a file was closed meanwhile
            if archive in [link.readlink() for link in opened.iterdir()]:
                return
        time.sleep(0.005)


def content(folder: Path) -> dict[str, bytes]:
    """Return the tables of a profile."""
    return {path.name: path.read_bytes() for path in (folder / "csv").glob("*.csv")}


def test_ctrl_c_leaves_the_folder_as_before(archive: Path, tmp_path: Path) -> None:
    process = importing(archive, tmp_path / "ada")
    wait_until_open(process, archive)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert not (tmp_path / "ada").exists()


def test_a_killed_import_leaves_each_table_old_or_new(archive: Path, tmp_path: Path) -> None:
    """Each old table has a column that the new one keeps, so their rows distinguish the two."""
    folder = tmp_path / "ada"
    (folder / "csv").mkdir(parents=True)
    old = dict.fromkeys(TABLES, b"date,mood\n2001-01-01,good\n")
    started_at = time.monotonic()
    assert run_process("import", archive, "-o", tmp_path / "whole", module=CLI).code == 0
    seconds = time.monotonic() - started_at
    numbers = random.Random(3)  # noqa: S311
    for _ in range(2):
        for name, data in old.items():
            (folder / "csv" / name).write_bytes(data)
        process = importing(archive, folder)
        time.sleep(seconds * numbers.uniform(0.5, 1.1))
        process.kill()
        process.communicate(timeout=60)
        for name, data in content(folder).items():
            assert data == old[name] or (b"2001-01-01" in data and data.count(b"\n") > 2)
    assert run_process("import", archive, "-o", folder, module=CLI).code == 0
    kept = content(folder)
    assert kept.keys() == TABLES
    for name, data in content(tmp_path / "whole").items():
        assert kept[name].count(b"\n") == data.count(b"\n") + 1


def test_memory_does_not_grow_with_the_files_that_are_not_read(tmp_path: Path) -> None:
    """Four times the content takes little more memory: at most 40 kB for each further day."""
    peaks = []
    for days in (20, 80):
        archive = large(days).zip(tmp_path / f"{days}.zip")
        program = (
            "import resource, sys\n"
            "from healthapi.cli.main import main\n"
            f"main(['import', {str(archive)!r}, '-o', {str(tmp_path / 'ada')!r}])\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
        peaks.append(int(done.stderr) * 1024 if sys.platform == "linux" else int(done.stderr))
    assert peaks[1] - peaks[0] < 25_000_000
