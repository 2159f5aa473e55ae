"""Requests for a folder of profiles while its thread looks at it, reads and parses.

Events control the reads, so only the tests of times depend on the speed of the machine.
"""

import asyncio
import gc
import os
import pickle
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

import pytest

from healthapi.adapters import asgi, folder, reading, wsgi
from healthapi.adapters.folder import FolderSource
from healthapi.adapters.reading import Job, NonblockingSource, derive_in_process, derive_profile
from healthapi.errors import DataError
from healthapi.profile import Profile
from healthapi.redaction import PRIVATE
from healthapi.rows.mapping import NATIVE
from support.healthapi.health_folders import (
    FILES,
    RHR,
    content,
    later,
    rhr,
    until,
    write,
    write_profile,
)
from support.servers.servers import Answer, ask, serve_asgi, serve_wsgi

TIMEOUT_SECONDS = 30
VISIBLE_SECONDS = 10
"""Two of a machine that has time for it; the tests may run on one that has not."""
"""Within this time the page of the folder promises a change."""
ROOT = "/api/public/v1"
THREAD = "healthapi-reading"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with two profiles."""
    write_profile(tmp_path / "ada", 1)
    write_profile(tmp_path / "bob", 2)
    return tmp_path


def changed(root: Path, number: int = 9) -> None:
    """Change a file of `ada`."""
    write(root / "ada" / RHR, content(RHR, number))


def enlarge(profile: Path) -> None:
    """Add a file that makes a profile large."""
    days = "".join(f"{year:04}-01-01,{60 + year % 10}\n" for year in range(1, 10_000))
    text = f"date,dailyRmssd\n{days}" * 2
    write(profile / "csv" / "fitbit_hrv.csv", text)
    assert len(text) > reading.SMALL_BYTES


def rules(call: Callable[[], object]) -> list[str]:
    """Return the rules of the findings that a call raises."""
    with pytest.raises(DataError) as fault:
        call()
    return [finding.rule for finding in fault.value.findings]


@contextmanager
def threads(count: int, call: Callable[[], object]) -> Iterator[list[threading.Thread]]:
    """Run a call on some threads; they must end soon after the block."""
    found = [threading.Thread(target=call, daemon=True) for _ in range(count)]
    for thread in found:
        thread.start()
    yield found
    for thread in found:
        thread.join(TIMEOUT_SECONDS)
        assert not thread.is_alive()


class Blocked:
    """While it is entered, large profiles are parsed only after `released`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_blocked, self.released = threading.Event(), threading.Event()
        self.read_count = 0
        monkeypatch.setattr(folder, "derive_in_process", self._derive)

    def _derive(self, job: Job) -> Profile | DataError:
        self.read_count += 1
        self.is_blocked.set()
        assert self.released.wait(TIMEOUT_SECONDS)
        return derive_profile(job)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()


@pytest.fixture
def blocked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Blocked]:
    with Blocked(monkeypatch) as made:
        yield made


class TestVisible:
    """Every change is served within two seconds."""

    def test_no_older_state_is_served_without_a_comparison(self) -> None:
        assert folder.CHECK_SECONDS < folder.MAX_AGE_SECONDS <= 2

    def test_changed_added_and_removed_files_and_profiles(self, root: Path) -> None:
        source = FolderSource(root)
        assert rhr(source.read("ada", 0)) == 1
        assert rhr(source.read("bob", 0)) == 2
        changed(root)
        (root / "bob" / RHR).unlink()
        write_profile(root / "eve", 5)
        start = time.monotonic()
        until(lambda: rhr(source.read("ada", 0)) == 9)
        until(lambda: not source.find("bob").rhr)  # type: ignore[union-attr] # a profile
        until(lambda: source.read(None, 0) == ("ada", "bob", "eve"))
        assert rhr(source.read("eve", 0)) == 5
        assert time.monotonic() - start < VISIBLE_SECONDS
        shutil.rmtree(root / "bob")
        assert until(lambda: source.read("bob", 0) is None) < VISIBLE_SECONDS
        assert source.read(None, 0) == ("ada", "eve")

    def test_a_profile_that_is_broken_and_repaired(self, root: Path) -> None:
        source = FolderSource(root)
        assert rhr(source.read("ada", 0)) == 1
        write(root / "ada" / RHR, "steps\n1\n")
        until(lambda: isinstance(source.find("ada"), DataError))
        assert rules(lambda: source.read("ada", 0)) == ["file.header"]
        changed(root)
        until(lambda: isinstance(source.find("ada"), Profile))
        assert rhr(source.read("ada", 0)) == 9

    def test_a_root_that_is_missing_for_a_while(self, root: Path) -> None:
        source = FolderSource(root / "none")
        for name in (None, "ada"):
            with pytest.raises(FileNotFoundError):
                source.read(name, 0)
        (root / "none").mkdir()
        write_profile(root / "none" / "ada", 3)

        def is_found() -> bool:
            try:
                return source.read("ada", 0) is not None
            except FileNotFoundError:
                return False

        assert until(is_found) < VISIBLE_SECONDS


class TestThread:
    """No request reads a file: one thread does."""

    @pytest.mark.parametrize("create", [asgi.create_app, wsgi.create_app])
    def test_only_the_thread_touches_the_folder(
        self, root: Path, create: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        touching: set[str] = set()

        def noting(function: Callable[..., Any]) -> Callable[..., Any]:
            def call(path: Any, *args: Any, **options: Any) -> Any:
                if options.get("dir_fd") is not None or str(root) in str(path):
                    touching.add(threading.current_thread().name)
                return function(path, *args, **options)

            return call

        for name in ("open", "stat", "lstat", "scandir", "listdir"):
            monkeypatch.setattr(os, name, noting(getattr(os, name)))
        serve = {asgi.create_app: serve_asgi, wsgi.create_app: serve_wsgi}[create]
        with serve(create(root)) as base_url:
            for path in ("", "/profiles", "/profiles/ada", "/profiles/eve", "/profiles/bob"):
                status = 404 if "eve" in path else 200
                assert ask(base_url, "GET", f"{ROOT}{path}").status == status
        assert touching
        assert all(name.startswith(THREAD) for name in touching)

    def test_a_failure_that_no_rule_covers_does_not_end_it(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        source = FolderSource(root)
        with monkeypatch.context() as patch:
            patch.setattr(folder, "Job", {}.popitem)
            assert rules(lambda: source.read("ada", 0)) == ["file.failed"]
        until(lambda: isinstance(source.find("ada"), Profile))
        messages = [record.getMessage() for record in caplog.records]
        assert messages[:2] == ["ada: TypeError", "ada: file.failed"]

    def test_a_log_that_fails_leaves_nobody_waiting(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(reading._LOG, "error", {}.popitem)
        write(root / "ada" / RHR, "day\n")
        source = FolderSource(root)
        with threads(1, lambda: rules(lambda: source.read("ada", 0))):
            until(lambda: isinstance(source.find("ada"), DataError))
        assert not source._wanted

    def test_it_ends_with_its_source(self, root: Path) -> None:
        before = set(threading.enumerate())
        source = FolderSource(root)
        source.read("ada", 0)
        started = set(threading.enumerate()) - before
        assert started
        del source
        gc.collect()
        for thread in started:
            thread.join(TIMEOUT_SECONDS)
            assert not thread.is_alive()

    def test_a_root_that_disappears_while_a_profile_is_read(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise PermissionError(13, "the root")

        source = FolderSource(root)
        source.read(None, 0)
        with monkeypatch.context() as patch:
            patch.setattr(folder, "read_files", fail)
            assert rules(lambda: source.read("ada", 0)) == ["file.unreadable"]
        until(lambda: isinstance(source.find("ada"), Profile))
        assert rhr(source.read("ada", 0)) == 1


class TestEarlierState:
    """Design decision: while a profile is read again, its last complete state is served."""

    def test_while_a_large_profile_is_parsed(self, root: Path, blocked: Blocked) -> None:
        source = FolderSource(root)
        first = source.read("ada", 0)
        enlarge(root / "ada")
        until(lambda: source.read("ada", 0) is first and blocked.is_blocked.is_set())
        for _ in range(3):
            assert source.read("ada", 0) is first
        write_profile(root / "bob", 3)
        assert until(lambda: rhr(source.read("bob", 0)) == 3) < VISIBLE_SECONDS
        assert blocked.read_count == 1
        blocked.released.set()
        until(lambda: source.read("ada", 0) is not first)

    def test_a_faulty_profile_is_faulty_until_it_is_read(
        self, root: Path, blocked: Blocked
    ) -> None:
        write(root / "ada" / RHR, "steps\n1\n")
        source = FolderSource(root)
        assert rules(lambda: source.read("ada", 0)) == ["file.header"]
        enlarge(root / "ada")
        changed(root)
        until(lambda: isinstance(source.find("ada"), DataError) and blocked.is_blocked.is_set())
        assert rules(lambda: source.read("ada", 0)) == ["file.header"]
        blocked.released.set()
        until(lambda: isinstance(source.find("ada"), Profile))

    def test_profile_returns_the_current_state(self, root: Path, blocked: Blocked) -> None:
        """Also while a state of before is parsed, which does not replace it."""
        source = FolderSource(root)
        source.read("ada", 0)
        enlarge(root / "ada")
        until(lambda: source.find("ada") and blocked.is_blocked.is_set())
        changed(root, 10)
        found = source.profile("ada")
        assert rhr(found) == 10
        blocked.released.set()
        until(lambda: "ada" not in source._wanted)
        assert source.read("ada", 0) is found


class TestNoEarlierState:
    def test_two_threads_wait_and_the_others_get_an_error(
        self, root: Path, blocked: Blocked
    ) -> None:
        enlarge(root / "ada")
        source = FolderSource(root)
        found: list[object] = []

        def read() -> None:
            try:
                found.append(rhr(source.read("ada", 0)))
            except DataError as fault:
                found.append(fault.findings[0].rule)

        with threads(6, read) as readers:
            start = time.monotonic()
            assert rules(lambda: source.latest("ada", 0)) == ["file.reading"]
            assert time.monotonic() - start >= folder.WAIT_SECONDS
            until(lambda: len(found) == 4)
            until(lambda: not isinstance(source.find("bob"), Future))
            assert rhr(source.read("bob", 0)) == 2
            assert source.latest("bob", 0) is source.read("bob", 0)
            until(lambda: sum(reader.is_alive() for reader in readers) == 2)
            blocked.released.set()
        assert found == ["file.reading"] * 4 + [1, 1]
        assert blocked.read_count == 1

    def test_on_an_event_loop_all_wait_without_a_thread(self, root: Path, blocked: Blocked) -> None:
        enlarge(root / "ada")

        async def run() -> None:
            source: Any = NonblockingSource(FolderSource(root))
            waiting = [asyncio.create_task(source.read("ada", 0)) for _ in range(50)]
            with ThreadPoolExecutor(1) as other:
                loop = asyncio.get_running_loop()
                assert await loop.run_in_executor(other, blocked.is_blocked.wait, TIMEOUT_SECONDS)
            found = await source.read("bob", 0)
            assert rhr(found) == 2
            assert source.read(None, 0) == ("ada", "bob")
            assert source.read("eve", 0) is None
            assert source.latest("bob", 0) is found
            with pytest.raises(DataError, match=r"file\.reading"):
                await source.latest("ada", 0)
            assert not any(task.done() for task in waiting)
            waiting.pop().cancel()  # A cancelled task does not cancel the read.
            blocked.released.set()
            assert {rhr(each) for each in await asyncio.gather(*waiting)} == {1}
            assert rhr(source.latest("ada", 0)) == 1

        asyncio.run(run())
        assert blocked.read_count == 1

    def test_a_profile_that_is_removed_before_it_is_read(self, root: Path) -> None:
        source = FolderSource(root)
        assert source.read(None, 0) == ("ada", "bob")
        shutil.rmtree(root / "bob")
        assert source.read("bob", 0) is None


SERVED: list[Any] = [
    pytest.param(serve_asgi, asgi.create_app, False, id="asgi"),
    pytest.param(serve_wsgi, wsgi.create_app, True, id="wsgi"),
]


class TestServed:
    """Over real servers: requests that do not need the profile do not wait for it."""

    @pytest.mark.parametrize(("serve", "create", "is_new"), SERVED)
    def test_one_slow_profile_delays_no_other(
        self, root: Path, blocked: Blocked, serve: Any, create: Any, *, is_new: bool
    ) -> None:
        source = FolderSource(root)
        if not is_new:
            source.profile("ada")
        enlarge(root / "ada")
        if not is_new:
            until(lambda: source.find("ada") and blocked.is_blocked.is_set())
        with serve(create(source)) as base_url:
            found: list[Answer] = []

            def read() -> None:
                found.append(ask(base_url, "GET", f"{ROOT}/profiles/ada/datasets/rhr"))

            with threads(12, read):
                assert blocked.is_blocked.wait(TIMEOUT_SECONDS)
                for path in ("/profiles/bob/overview", "/profiles", "", "/docs", "/openapi.json"):
                    assert ask(base_url, "GET", f"{ROOT}{path}").status == 200, path
                listed = ask(base_url, "GET", f"{ROOT}/profiles").json["data"]["profiles"]
                available = {each["id"]: each["available"] for each in listed}
                assert available == {"ada": not is_new, "bob": True}
                blocked.released.set()
        statuses = {answer.status for answer in found}
        assert statuses == ({200, 503} if is_new and serve is serve_wsgi else {200})
        assert blocked.read_count == 1


def job(files: Mapping[str, str] = MappingProxyType({})) -> Job:
    """Return a job for the files of a profile, some of them replaced."""
    texts = {name: content(name, 7) for name in FILES}
    data = {name: text.encode() for name, text in {**texts, **files}.items()}
    return Job("ada", data, NATIVE, PRIVATE, 1_769_860_800_000)


class TestChildProcess:
    """A child process returns the results of this process."""

    def test_the_same_profile(self) -> None:
        files = {"csv/fitbit_hrv.csv": "date,dailyRmssd\n2026-01-30,x\n,\n2026-01-31,5\n"}
        snapshot = '{"token_scope": "sleep", "endpoints": {"a": {"ok": true, "data": [1, {}]}}}'
        files["cache/fitbit_profile_snapshot.json"] = snapshot
        one, other = derive_profile(job(files)), derive_in_process(job(files))
        assert isinstance(one, Profile)
        assert isinstance(other, Profile)
        for name in ("activity", "sleep", "hrv", "rhr", "daily", "weekly", "monthly", "findings"):
            assert getattr(one, name) == getattr(other, name), name
        for name in ("generated_at", "person", "coverage", "overview", "cards", "correlations"):
            assert getattr(one, name) == getattr(other, name), name
        for name in ("sections", "tables", "catalog"):
            assert repr(getattr(one, name)) == repr(getattr(other, name)), name
        assert one.snapshot is not None
        assert other.snapshot is not None
        assert one.snapshot.public("ada") == other.snapshot.public("ada")

    def test_large_profiles_only_are_parsed_there(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        parsed: list[str] = []

        def noted(job: Job) -> Profile | DataError:
            parsed.append(job.profile_id)
            return derive_in_process(job)

        monkeypatch.setattr(folder, "derive_in_process", noted)
        enlarge(root / "ada")
        source = FolderSource(root)
        assert rhr(source.read("bob", 0)) == 2
        until(lambda: isinstance(source.find("ada"), Profile))
        assert parsed == ["ada"]

    def test_a_process_that_is_killed_is_a_fault_until_the_files_change(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(folder, "CHECK_SECONDS", 0.01)
        enlarge(root / "ada")
        source = FolderSource(root, clock=later)
        with monkeypatch.context() as patch:
            patch.setattr(reading, "_PROGRAM", "import os; os.kill(os.getpid(), 9)")
            until(lambda: isinstance(source.find("ada"), DataError))
        assert rules(lambda: source.read("ada", 0)) == ["file.failed"]
        time.sleep(0.1)
        assert rules(lambda: source.read("ada", 0)) == ["file.failed"]
        assert [record.getMessage() for record in caplog.records] == ["ada: file.failed"]
        changed(root)
        until(lambda: isinstance(source.find("ada"), Profile))

    @pytest.mark.parametrize("program", ["/nonexistent/python", "/bin/true", "/bin/echo", None])
    def test_where_there_is_no_python_the_files_are_parsed_here(
        self, program: str | None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "executable", program)
        found = derive_in_process(job())
        assert isinstance(found, Profile)
        assert rhr(found) == 7

    def test_it_ends_when_nothing_reads_its_result(self) -> None:
        """Its output exceeds the buffer of a pipe, so it cannot end by itself."""
        days = "".join(f"{year:04}-01-01,{60 + year % 10}\n" for year in range(1, 2_500))
        command = [sys.executable, "-c", reading._PROGRAM]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            pickle.dump(job({RHR: f"date,resting_heart_rate\n{days}"}), process.stdin)
            process.stdin.close()
            assert process.stdout.read(1)
            process.stdout.close()
            assert process.wait(TIMEOUT_SECONDS) != 0


class TestFuture:
    @pytest.mark.parametrize("seconds", [3600, 10**9])
    def test_a_file_of_the_future_is_read_once(
        self, root: Path, seconds: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = root / "ada" / RHR
        at = path.stat().st_mtime_ns + seconds * 10**9
        os.utime(path, ns=(at, at))
        source = FolderSource(root, clock=later)
        first = source.profile("ada")
        with monkeypatch.context() as patch:
            patch.setattr(os, "open", None)
            assert source.profile("ada") is first
        changed(root)
        os.utime(path, ns=(at, at))
        assert rhr(source.profile("ada")) == 9
