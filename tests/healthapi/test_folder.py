"""Profiles of a folder as `profile` reads them: what is read, when again, and what is refused."""

import errno
import json
import logging
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from healthapi import limits
from healthapi.adapters.column_mapping import COLUMNS_FILE_BYTES
from healthapi.adapters.folder import FolderSource
from healthapi.errors import DataError
from healthapi.omissions import REPORT_BYTES, REPORT_FILE
from healthapi.profile import Profile
from healthapi.rows.mapping import Column, ProfileMap, TableMap
from status_contracts.adapters.files import FileState
from status_contracts.primitives import ABSENT, Absent
from support.checks.descriptors import left_open
from support.healthapi.health_folders import (
    BEATS,
    CANARY,
    FILES,
    RHR,
    content,
    exchange,
    later,
    unprivileged,
    write,
    write_profile,
)

ACTIVITY = "csv/fitbit_activity.csv"
SNAPSHOT = "cache/fitbit_profile_snapshot.json"
USER = '{{"endpoints": {{"profile": {{"ok": true, "data": {{"user": {{{}}}}}}}}}}}'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with one profile, next to a profile that must never be read."""
    write_profile(tmp_path / "outside" / "secret", CANARY)
    write_profile(tmp_path / "root" / "ada", 1)
    return tmp_path / "root"


def numbers(profile: Profile | None) -> list[Any]:
    """Return the number in each file of a profile."""
    assert profile is not None
    rows: tuple[Any, ...] = (profile.activity, profile.sleep, profile.hrv, profile.rhr)
    fields = ("steps", "minutes_asleep", "hrv", "rhr")
    found = [each.cells[field] for each, field in zip(rows, fields, strict=True)]
    saved_at = profile.snapshot.saved_at if profile.snapshot else None
    steps, asleep, hrv, rhr = (cells[-1] if cells else None for cells in found)
    return [steps, asleep, hrv, rhr and rhr - BEATS, saved_at and int(saved_at)]


def current(source: FolderSource) -> Profile | None:
    """Return the current state of `ada`; None if there is none."""
    try:
        return source.profile("ada")
    except KeyError:
        return None


def refused(source: FolderSource) -> list[Any]:
    """Return path and rule of the findings of the invalid profile `ada`."""
    with pytest.raises(DataError) as fault:
        source.profile("ada")
    assert fault.value.code == "service_unavailable"
    return [(finding.path, finding.rule) for finding in fault.value.findings]


@pytest.mark.rule("HA-FILE-16")
class TestListed:
    def test_folders_whose_names_are_ids_sorted_and_nothing_else(self, root: Path) -> None:
        for name in ("Z", "b-2", "b_1", "a" * 128, "0"):
            (root / name).mkdir()
        for name in (".hidden", "a b", "a.b", "é", "a" * 129, "a\nb"):
            (root / name).mkdir()
        (root / "file").touch()
        (root / "link").symlink_to(root.parent / "outside" / "secret")
        (root / "inside").symlink_to(root / "ada")
        os.mkfifo(root / "fifo")
        source = FolderSource(root)
        assert source.ids() == ("0", "Z", "a" * 128, "ada", "b-2", "b_1")
        for name in (
            *("", ".", "..", "bob", "ADA", "ada/", "/ada", "./ada", "ada/.", "ada/../ada"),
            *("../outside/secret", "..\\outside\\secret", "%2e%2e", "%2e%2e%2foutside%2fsecret"),
            *("ada\n", "ada\x00", "\x00", "a" * 129, ".hidden", "é", "ａda", "C:", "CON.txt"),
            *("link", "inside", "file", "fifo"),
        ):
            with pytest.raises(KeyError):
                source.profile(name)

    def test_a_root_that_is_not_there_or_may_not_be_read_is_a_fault(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            FolderSource(tmp_path / "none").profile("ada")
        with unprivileged() as root:
            write_profile(root / "ada")
            source = FolderSource(root)
            root.chmod(0)
            with pytest.raises(PermissionError):
                source.profile("ada")
            root.chmod(0o700)
            assert numbers(current(source)) == [1] * 5

    def test_the_root_may_be_relative_or_a_link_that_is_turned(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        link = root.parent / "current"
        link.symlink_to(root)
        monkeypatch.chdir(root.parent)
        source = FolderSource("current")
        monkeypatch.chdir("/")
        assert numbers(current(source)) == [1] * 5
        write_profile(root.parent / "newer" / "ada", 2)
        link.unlink()
        link.symlink_to(root.parent / "newer")
        assert numbers(current(source)) == [2] * 5


class TestDerived:
    def test_it_is_generated_at_the_time_of_the_persons_zone(self, root: Path) -> None:
        now = 1_769_860_800_000
        source = FolderSource(root, clock=lambda: now)
        assert source.profile("ada").generated_at == "2026-01-31T12:00:00"
        write(root / "ada" / SNAPSHOT, USER.format('"timezone": "Asia/Tokyo"'))
        assert source.profile("ada").generated_at == "2026-01-31T21:00:00"

    @pytest.mark.parametrize(
        ("written", "is_partial"),
        [("2026-01-31T23:59:59+00:00", True), ("2026-02-01T00:00:00+00:00", False)],
    )
    def test_a_last_day_is_over_if_the_tables_were_written_after_it(
        self, root: Path, written: str, *, is_partial: bool
    ) -> None:
        seconds = datetime.fromisoformat(written).timestamp()
        for table in (root / "ada" / "csv").iterdir():
            os.utime(table, (seconds, seconds))
        profile = FolderSource(root).profile("ada")  # read much later
        assert profile.overview.latest_is_partial is is_partial
        assert profile.written_at == written[:19]

    def test_the_report_of_imports_is_read_and_noticed_when_it_changes(self, root: Path) -> None:
        source = FolderSource(root)
        assert source.profile("ada").coverage["sleep"].omissions is ABSENT
        place = {"dataset": "sleep", "column": "efficiency"}
        entry = {**place, "code": "sleep.google-only", "days": []}
        write(root / "ada" / REPORT_FILE, json.dumps({"version": 1, "missing": [entry]}))
        omissions = source.profile("ada").coverage["sleep"].omissions
        assert not isinstance(omissions, Absent)
        assert [each.fields for each in omissions] == [("efficiency",)]


@pytest.mark.rule("HA-COLUMN-11")
class TestColumns:
    def test_a_mapping_as_argument(self, tmp_path: Path) -> None:
        write(tmp_path / "ada/csv/a.csv", "date,rmssd\n2026-01-31,8.5\n")
        columns = ProfileMap(hrv=TableMap("a.csv", {"hrv": Column("rmssd")}))
        found = FolderSource(tmp_path, columns=columns).profile("ada")
        assert numbers(found) == [None, None, 8.5, None, None]

    def test_the_profiles_own_map_beats_that_of_the_root(self, root: Path) -> None:
        source = FolderSource(root)
        other = "[rhr]\nfile = '{}.csv'\n[rhr.columns]\nrhr = 'pulse'"
        for name, pulse in (("own", 50), ("all", 60)):
            write(root / "ada" / "csv" / f"{name}.csv", f"date,pulse\n2026-01-31,{pulse + BEATS}\n")
        assert numbers(current(source)) == [1] * 5
        write(root / "columns.toml", other.format("all"))
        assert numbers(current(source)) == [None, None, None, 60, 1]
        write(root / "ada" / "columns.toml", other.format("own"))
        assert numbers(current(source)) == [None, None, None, 50, 1]
        (root / "ada" / "columns.toml").unlink()
        assert numbers(current(source)) == [None, None, None, 60, 1]
        (root / "columns.toml").unlink()
        assert numbers(current(source)) == [1] * 5

    @pytest.mark.parametrize("name", ["columns.toml", "../columns.toml"])
    def test_a_faulty_map_is_a_fault_of_the_profile(self, root: Path, name: str) -> None:
        source = FolderSource(root)
        write(root / "ada" / name, "[sleep]\nfile = '../secret.csv'\nsecret = 1")
        assert refused(source) == [
            (f"/{name}/sleep/columns", "required"),
            (f"/{name}/sleep/file", "columns.file"),
            (f"/{name}/sleep/secret", "unknown"),
        ]
        (root / "ada" / name).unlink()
        assert numbers(current(source)) == [1] * 5


def _coarse(_: type[FileState], found: os.stat_result) -> FileState:
    """Take a state as from a file system whose clock ticks once a second."""
    times = (int(found.st_mtime) * 10**9, int(found.st_ctime) * 10**9)
    return FileState(found.st_dev, found.st_ino, found.st_nlink, found.st_size, *times)


class TestChanges:
    def test_what_has_not_changed_is_the_same_object(self, root: Path) -> None:
        source = FolderSource(root)
        found = current(source)
        assert current(source) is found
        (root / "ada" / "auth").mkdir()
        (root / "ada" / "csv" / "other.csv").touch()
        os.utime(root / "ada" / RHR, (1, 1))
        assert current(source) is found
        write(root / "ada" / RHR, (root / "ada" / RHR).read_text())
        assert current(source) is found

    @pytest.mark.parametrize("name", FILES)
    def test_a_file_that_is_replaced_removed_and_added(self, root: Path, name: str) -> None:
        source = FolderSource(root)
        place = list(FILES).index(name)
        assert numbers(current(source)) == [1] * 5
        write(root / "ada" / name, content(name, 2))
        assert numbers(current(source))[place] == 2
        (root / "ada" / name).unlink()
        assert numbers(current(source))[place] is None
        write(root / "ada" / name, content(name, 3))
        assert numbers(current(source))[place] == 3

    def test_a_change_within_one_tick_of_the_clock_is_seen(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Same size, same inode, same times: only the content differs."""
        monkeypatch.setattr(FileState, "of", classmethod(_coarse))
        path = root / "ada" / ACTIVITY
        source = FolderSource(root)
        states = set()
        for number in range(10, 30):
            with path.open("r+") as file:
                file.write(content(ACTIVITY, number))
            states.add(FileState.of(path.stat()))
            assert numbers(current(source))[0] == number
        assert len(states) < 10


HOOK = """
import sys
from healthapi.adapters.folder import FolderSource
from status_contracts.adapters.clocks import system_clock

opened = []
def hook(event, arguments):
    if event == "open" and not isinstance(arguments[0], int):
        opened.append(str(arguments[0]))
sys.addaudithook(hook)
source = FolderSource(sys.argv[1], clock=lambda: system_clock() + 10_000)
first = source.profile("ada")
print(*opened, sep="\\n")
print("--")
opened.clear()
for _ in range(100):
    assert source.profile("ada") is first
print(*opened, sep="\\n")
"""


@pytest.mark.rule("HA-FILE-05", "HA-FILE-06")
class TestOpened:
    def test_unchanged_files_are_not_opened_and_nothing_but_the_files_is_ever_opened(
        self, root: Path
    ) -> None:
        write(root / "ada" / "auth" / "tokens.json", '{"access_token": "canary"}')
        write(root / "ada" / "cache" / "dashboard.json", "{}")
        command = [sys.executable, "-c", HOOK, str(root)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        first, _, others = done.stdout.partition("--\n")
        found = {name for name in first.split("\n") if name and "/lib/" not in name}
        names = [name.rpartition("/")[2] for name in (*FILES, REPORT_FILE, "columns.toml")]
        zones = {name for name in found if "zoneinfo" in name}
        assert sorted(found - zones) == sorted([str(root), "ada", "csv", "cache", *names])
        assert others.strip() == ""

    def test_every_descriptor_is_closed(self, root: Path) -> None:
        source = FolderSource(root)
        for number in range(3):
            write_profile(root / "ada", number)
            source.profile("ada")
        (root / "ada" / RHR).unlink()
        os.mkfifo(root / "ada" / RHR)
        refused(source)
        assert left_open(root) == []


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)  # the path of a socket is short


def _link_out(path: Path) -> None:
    outside = path.parents[2].parent / "outside" / "secret"
    path.symlink_to(outside / path.relative_to(path.parents[1]))


def _link_inside(path: Path) -> None:
    path.with_name("inside").write_text("date,steps\n2026-01-31,5\n")
    path.symlink_to(path.with_name("inside"))


OTHERS: list[Callable[[Path], object]] = [
    *(Path.mkdir, os.mkfifo, _socket, _link_out, _link_inside, lambda path: path.symlink_to(path))
]


@pytest.mark.rule("HA-FILE-07", "HA-FILE-08", "HA-FILE-10")
class TestErrors:
    @pytest.mark.parametrize(
        ("name", "make"),
        [
            *((ACTIVITY, make) for make in OTHERS),
            *((SNAPSHOT, _link_out), (REPORT_FILE, _link_out), ("columns.toml", _link_out)),
        ],
    )
    def test_other_than_regular_files_are_rejected_at_once(
        self, root: Path, name: str, make: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        source = FolderSource(root)
        before = current(source)
        path = root / "ada" / name
        path.unlink(missing_ok=True)
        monkeypatch.chdir(path.parent)
        make(path)
        assert refused(source) == refused(source) == [(f"/{name}", "file.kind")]
        path.rmdir() if path.is_dir() else path.unlink()
        if name in FILES:
            write(path, content(name, 1))
        assert numbers(current(source)) == numbers(before)

    @pytest.mark.parametrize("name", ["csv", "cache"])
    @pytest.mark.parametrize("target", ["outside/secret", "root/ada/kept", "nowhere", None])
    def test_a_link_or_a_file_in_place_of_a_folder_is_rejected(
        self, root: Path, name: str, target: str | None
    ) -> None:
        place = root / "ada" / name
        source = FolderSource(root)
        assert numbers(current(source)) == [1] * 5
        place.rename(root / "ada" / "kept")
        if target is None:
            place.touch()
        else:
            goal = root.parent / target
            place.symlink_to(goal / name if target.endswith("secret") else goal)
        assert refused(source) == [(f"/{name}", "file.kind")]
        place.unlink()
        (root / "ada" / "kept").rename(place)
        assert numbers(current(source)) == [1] * 5

    @pytest.mark.parametrize(
        ("name", "most", "limit"),
        [
            (ACTIVITY, 16 * 1024 * 1024, "table 16 MiB"),
            (SNAPSHOT, limits.SNAPSHOT_FILE_BYTES, "snapshot 4 MiB"),
            (REPORT_FILE, REPORT_BYTES, "report of imports 1 MiB"),
            ("columns.toml", COLUMNS_FILE_BYTES, "column mapping 64 KiB"),
            ("../columns.toml", COLUMNS_FILE_BYTES, "column mapping 64 KiB"),
        ],
    )
    def test_a_file_that_is_too_large_is_not_read_and_the_error_has_its_name_and_the_limit(
        self, root: Path, name: str, most: int, limit: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (root / "ada" / name).touch()
        os.truncate(root / "ada" / name, most + 1)
        monkeypatch.setattr(os, "pread", None)
        with pytest.raises(DataError) as fault:
            FolderSource(root).profile("ada")
        (finding,) = fault.value.findings
        assert (finding.path, finding.rule) == (f"/{name}", "file.size")
        assert limit in finding.message

    @pytest.mark.parametrize("name", [ACTIVITY, SNAPSHOT, "csv", "cache", "."])
    def test_an_unreadable_file_is_an_error_until_it_can_be_read(self, name: str) -> None:
        with unprivileged() as root:
            write_profile(root / "ada")
            source = FolderSource(root)
            assert numbers(current(source)) == [1] * 5
            place = root / "ada" / name
            mode = place.stat().st_mode
            place.chmod(0)
            assert refused(source) == [("" if name == "." else f"/{name}", "file.unreadable")]
            place.chmod(mode)
            assert numbers(current(source)) == [1] * 5

    def test_a_fault_is_logged_when_it_changes(
        self, root: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        source = FolderSource(root)
        path = root / "ada" / RHR
        write(path, "date,resting_heart_rate\nnever,x\n")
        assert source.profile("ada").findings["rhr"].total == 1  # no fault of the file
        write(path, "secret\n\n")
        refused(source), refused(source)
        for _ in range(2):
            path.unlink()
            path.mkdir()
            refused(source), refused(source)
            path.rmdir()
            write(path, content(RHR, 1))
            current(source)
        assert [(record.name, record.levelno) for record in caplog.records] == [
            ("healthapi", logging.ERROR)
        ] * 3
        messages = [record.getMessage() for record in caplog.records]
        assert "secret" not in "".join(messages)
        rules = [message.partition("[")[2] for message in messages]
        assert rules == ["file.header]", "file.kind]", "file.kind]"]


def on_each_step(monkeypatch: pytest.MonkeyPatch, action: Callable[[int], object]) -> None:
    """Run an action before each call of this thread that reads the folder, with their number."""
    steps: list[int] = []
    acting: list[bool] = []
    thread = threading.get_ident()  # others may still read the folders of tests before

    def noted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            if not acting and threading.get_ident() == thread:
                acting.append(True)
                action(len(steps))
                steps.append(acting.pop())
            return function(*args, **options)

        return call

    for name in ("open", "lstat", "fstat", "pread"):
        monkeypatch.setattr(os, name, noted(getattr(os, name)))


LONGER = "date,resting_heart_rate\n2026-01-31,101\n2026-02-01,102\n"
CHANGES: dict[str, tuple[Callable[[Path, Path], object], list[Any]]] = {
    "folders": (exchange, [2] * 5),
    "link": (lambda profile, spare: exchange(profile / "csv", spare / "link"), ["file.kind"]),
    "file to link": (lambda profile, spare: exchange(profile / RHR, spare / "l"), ["file.kind"]),
    "removed": (lambda profile, _: (profile / RHR).unlink(), [1, 1, 1, None, 1]),
    "longer": (lambda profile, _: (profile / RHR).write_text(LONGER), [1, 1, 1, 2, 1]),
}
"""Changes of a profile, and what is read after each."""


@pytest.mark.rule("HA-FILE-11", "HA-FILE-12")
class TestWhole:
    """A profile is of one moment, or not served, while files change."""

    @pytest.mark.parametrize("name", CHANGES)
    def test_a_change_before_any_step_of_a_read_is_seen_wholly_or_not_at_all(
        self, root: Path, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        change, other = CHANGES[name]
        done = [True]
        found: list[list[Any]] = []
        while len(done) > len(found):  # until no step is left before which to change something
            profile, spare = root / f"p{len(found)}", root.parent / f"spare{len(found)}"
            write_profile(profile, 1)
            write_profile(spare, 2)
            (spare / "link").symlink_to(root.parent / "outside" / "secret" / "csv")
            (spare / "l").symlink_to(root.parent / "outside" / "secret" / RHR)

            def act(step: int, profile: Path = profile, spare: Path = spare) -> None:
                if step == len(found):
                    done.append(True)
                    change(profile, spare)

            with monkeypatch.context() as patch:
                on_each_step(patch, act)
                try:
                    found.append(numbers(FolderSource(root, clock=later).profile(profile.name)))
                except DataError as error:
                    found.append([each.rule for each in error.findings])
        before = found.index([1] * 5)
        assert before > 20
        assert found == [other] * before + [[1] * 5] * (len(found) - before)

    def test_while_files_keep_changing_the_last_state_is_served(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = root / "ada" / ACTIVITY
        pread = os.pread

        def read_and_touch(descriptor: int, size: int, at: int) -> bytes:
            os.utime(path, ns=(path.stat().st_mtime_ns - 1,) * 2)
            return pread(descriptor, size, at)

        source = FolderSource(root)
        with monkeypatch.context() as patch:
            patch.setattr(os, "pread", read_and_touch)
            assert refused(source) == [("", "file.changed")]
        first = current(source)
        assert numbers(first) == [1] * 5
        write(root / "ada" / RHR, content(RHR, 2))
        with monkeypatch.context() as patch:
            patch.setattr(os, "pread", read_and_touch)
            assert current(source) is first
        assert numbers(source.profile("ada")) == [1, 1, 1, 2, 1]

    def test_a_disk_that_cannot_be_read_is_a_fault(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> bytes:
            raise OSError(errno.EIO, "the disk")

        source = FolderSource(root)
        with monkeypatch.context() as patch:
            patch.setattr(os, "pread", fail)
            assert refused(source) == [(f"/{ACTIVITY}", "file.unreadable")]
        assert numbers(current(source)) == [1] * 5
