"""Requests for a folder of profiles while one of them is read.

Events control the reads, so no test depends on the speed of the machine.
"""

import asyncio
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

import pytest

from healthapi.adapters import asgi, child_process, folder, wsgi
from healthapi.adapters.async_folder import AsyncFolderSource
from healthapi.adapters.child_process import Job, derive_in_process, derive_profile
from healthapi.adapters.folder import FolderSource
from healthapi.adapters.worker_threads import WorkerPool
from healthapi.errors import DataError
from healthapi.profile import Profile
from healthapi.redaction.walk import PRIVATE
from healthapi.rows.columns import NATIVE
from purewire.adapters.clocks import system_clock
from support.healthapi.health_folders import FILES, LATER, write, write_profile
from support.servers.servers import Answer, ask, serve_asgi, serve_wsgi

TIMEOUT_SECONDS = 30
ROOT = "/api/public/v1"
RHR = "csv/fitbit_rhr.csv"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with two profiles."""
    write_profile(tmp_path / "ada", 1)
    write_profile(tmp_path / "bob", 2)
    return tmp_path


@pytest.fixture
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "_WAIT_SECONDS", 0)
    monkeypatch.setattr(folder, "_LIST_WAIT_SECONDS", 0)


class BlockedSource:
    """A source whose read of `ada` blocks until `released`; `is_blocked` is set when it blocks."""

    def __init__(self, root: Path) -> None:
        self.is_blocked, self.released = threading.Event(), threading.Event()
        self.read_count = 0
        self.source = FolderSource(root, clock=later, progress=self._progress)

    def _progress(self, profile_id: str, done: int, _total: int) -> None:
        if profile_id == "ada" and not self.is_blocked.is_set():
            self.read_count += 1
            self.is_blocked.set()
            assert self.released.wait(TIMEOUT_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()


def later() -> int:
    """Return a time at which the times of all files have settled."""
    return system_clock() + LATER


def changed(root: Path, number: int = 9) -> None:
    """Change a file of `ada`."""
    write(root / "ada" / RHR, FILES[RHR].format(date="2026-01-31", number=number))


def rhr(profile: Profile | None) -> Any:
    """Return the number in the changed file."""
    assert profile is not None
    return profile.rhr[-1].rhr


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


def read_and_change(root: Path, blocked: BlockedSource) -> Profile:
    """Read `ada`, change it so that it is read again, and return the first state."""
    blocked.is_blocked.set()
    first = blocked.source.profile("ada")
    blocked.is_blocked.clear()
    changed(root)
    return first


@pytest.mark.usefixtures("_no_waiting")
class TestEarlierState:
    """Design decision: while a profile is read again, its last complete state is served."""

    def test_while_a_read_runs_the_last_state_is_served(self, root: Path) -> None:
        with BlockedSource(root) as blocked:
            first = read_and_change(root, blocked)
            for _ in range(3):
                assert blocked.source.read("ada", later()) is first
                assert blocked.source.latest("ada", later()) is first
                assert blocked.is_blocked.wait(TIMEOUT_SECONDS)
        assert rhr(blocked.source.profile("ada")) == 9
        assert rhr(blocked.source.read("ada", later())) == 9

    def test_concurrent_requests_share_one_read(self, root: Path) -> None:
        with BlockedSource(root) as blocked:
            first = read_and_change(root, blocked)
            assert blocked.source.read("ada", later()) is first
            assert blocked.is_blocked.wait(TIMEOUT_SECONDS)
            found: list[Profile | None] = []
            with threads(12, lambda: found.append(blocked.source.read("ada", later()))):
                pass
            assert found == [first] * 12
        assert rhr(blocked.source.profile("ada")) == 9
        assert blocked.read_count == 1

    def test_a_profile_that_was_faulty_is_faulty_until_it_is_read(self, root: Path) -> None:
        with BlockedSource(root) as blocked:
            write(root / "ada" / RHR, "steps\n1\n")
            blocked.is_blocked.set()
            assert rules(lambda: blocked.source.profile("ada")) == ["file.header"]
            blocked.is_blocked.clear()
            changed(root)
            assert rules(lambda: blocked.source.read("ada", later())) == ["file.header"]
        assert rhr(blocked.source.profile("ada")) == 9

    def test_profile_returns_the_current_state(self, root: Path) -> None:
        """Also during a read that started before the last change."""
        with BlockedSource(root) as blocked:
            read_and_change(root, blocked)
            blocked.source.read("ada", later())
            assert blocked.is_blocked.wait(TIMEOUT_SECONDS)
            changed(root, 10)
            found: list[Any] = []
            with threads(1, lambda: found.append(rhr(blocked.source.profile("ada")))):
                blocked.released.set()
            assert found == [10]

    def test_the_request_that_notices_a_change_waits_a_little(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(folder, "_WAIT_SECONDS", TIMEOUT_SECONDS)
        source = FolderSource(root)
        source.profile("ada")
        changed(root)
        assert rhr(source.read("ada", later())) == 9


@pytest.mark.usefixtures("_no_waiting")
class TestNoEarlierState:
    def test_two_threads_wait_and_the_others_get_an_error(self, root: Path) -> None:
        with BlockedSource(root) as blocked:
            found: list[object] = []

            def read() -> None:
                try:
                    found.append(blocked.source.read("ada", later()))
                except DataError as fault:
                    found.append(fault.findings[0].rule)

            with threads(6, read) as readers:
                while len(found) < 4:
                    time.sleep(0.001)
                assert found == ["file.reading"] * 4
                assert rules(lambda: blocked.source.latest("ada", later())) == ["file.reading"]
                while sum(reader.is_alive() for reader in readers) > 2:
                    time.sleep(0.001)  # the last of the four may still be ending
                assert sum(reader.is_alive() for reader in readers) == 2
                blocked.released.set()
            assert [rhr(each) for each in found[4:] if isinstance(each, Profile)] == [1, 1]
        assert blocked.read_count == 1

    def test_on_an_event_loop_all_wait_without_a_thread(self, root: Path) -> None:
        async def run(blocked: BlockedSource) -> None:
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
            source = AsyncFolderSource(blocked.source)
            waiting = [asyncio.create_task(source.read("ada", later())) for _ in range(50)]
            with ThreadPoolExecutor(1) as other:
                begun = asyncio.get_running_loop().run_in_executor(
                    other, blocked.is_blocked.wait, TIMEOUT_SECONDS
                )
                assert await begun
            found = await source.read("bob", later())
            assert isinstance(found, Profile)
            assert await source.read(None, later()) == ("ada", "bob")
            assert await source.read("eve", later()) is None
            assert await source.latest("bob", later()) is found
            with pytest.raises(DataError, match=r"file\.reading"):
                await source.latest("ada", later())
            assert not any(task.done() for task in waiting)
            waiting.pop().cancel()  # A cancelled task does not cancel the read.
            blocked.released.set()
            results = await asyncio.gather(*waiting)
            assert {rhr(each) for each in results if isinstance(each, Profile)} == {1}
            assert rhr(await source.latest("ada", later())) == 1

        with BlockedSource(root) as blocked:
            asyncio.run(run(blocked))
        assert blocked.read_count == 1

    def test_all_waiting_requests_raise_the_error(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise PermissionError("the root")

        monkeypatch.setattr(folder, "read_files", fail)
        source = FolderSource(root)
        for _ in range(2):
            with pytest.raises(PermissionError):
                source.read("ada", later())

    def test_a_forked_process_reads_for_itself(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with (
            BlockedSource(root) as blocked,
            threads(1, lambda: blocked.source.read("ada", later())),
        ):
            assert blocked.is_blocked.wait(TIMEOUT_SECONDS)
            with monkeypatch.context() as patch:
                patch.setattr(os, "getpid", lambda: -1)
                assert rhr(blocked.source.profile("ada")) == 1
            blocked.released.set()


SERVED: list[Any] = [
    pytest.param(serve_asgi, asgi.create_app, id="asgi"),
    pytest.param(serve_wsgi, wsgi.create_app, id="wsgi"),
]


class TestServed:
    """Over real servers: requests that do not need the profile do not wait for it."""

    @pytest.mark.usefixtures("_no_waiting")
    @pytest.mark.parametrize(("serve", "create"), SERVED)
    @pytest.mark.parametrize("is_new", [True, False])
    def test_one_slow_profile_delays_no_other(
        self, root: Path, serve: Any, create: Any, *, is_new: bool
    ) -> None:
        with BlockedSource(root) as blocked, serve(create(blocked.source)) as base_url:
            if not is_new:
                read_and_change(root, blocked)
            blocked.source.profile("bob")
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
        answered = [
            answer.json["data"]["rows"][0]["rhr"] for answer in found if answer.status == 200
        ]
        assert set(answered) <= ({1} if is_new else {1, 9})
        assert len(answered) >= (2 if is_new else 12)
        assert {answer.status for answer in found} <= {200, 503}
        assert blocked.read_count == 1


def job(files: Mapping[str, str] = MappingProxyType({})) -> Job:
    """Return a job for the files of a profile, some of them replaced."""
    texts = {name: text.format(date="2026-01-31", number=7) for name, text in FILES.items()}
    data = {name: text.encode() for name, text in {**texts, **files}.items()}
    return Job("ada", data, NATIVE, PRIVATE, 1_769_860_800_000)


class TestChildProcess:
    """A child process returns the results of this process."""

    def test_the_same_profile(self) -> None:
        files = {"csv/fitbit_hrv.csv": "date,dailyRmssd\n2026-01-30,x\n,\n2026-01-31,5\n"}
        snapshot = '{"token_scope": "sleep", "endpoints": {"a": {"ok": true, "data": [1, {}]}}}'
        files["cache/fitbit_profile_snapshot.json"] = snapshot
        steps: list[int] = []
        one, other = derive_profile(job(files), None), derive_in_process(job(files), steps.append)
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
        assert steps
        assert steps == sorted(steps)
        assert derive_in_process(job(files), None) is not None

    def test_the_same_fault(self) -> None:
        found = derive_in_process(job({RHR: "steps\n1\n"}), None)
        assert isinstance(found, DataError)
        assert [(each.path, each.rule) for each in found.findings] == [(f"/{RHR}", "file.header")]

    def test_large_files_are_parsed_there(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[str] = []

        def noted(job: Job, progress: Any) -> Any:
            asked.append(job.profile_id)
            return derive_in_process(job, progress)

        monkeypatch.setattr(folder, "derive_in_process", noted)
        size = sum((root / "bob" / name).stat().st_size for name in FILES)
        monkeypatch.setattr(child_process, "SMALL_BYTES", size)
        source = FolderSource(root)
        assert rhr(source.profile("bob")) == 2
        assert asked == []
        write(root / "bob" / RHR, FILES[RHR].format(date="2026-01-31", number=33))
        assert rhr(source.profile("bob")) == 33
        assert asked == ["bob"]

    def test_a_process_that_ends_early_is_a_fault_until_the_files_change(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(child_process, "SMALL_BYTES", 0)
        source = FolderSource(root, clock=later)
        with monkeypatch.context() as patch:
            program = f"import sys; sys.stdout.buffer.write({child_process._READY!r})"
            patch.setattr(child_process, "_PROGRAM", program)
            assert rules(lambda: source.profile("ada")) == ["file.failed"]
        assert rules(lambda: source.profile("ada")) == ["file.failed"]
        assert [record.getMessage() for record in caplog.records] == ["ada: file.failed"]
        changed(root)
        assert rhr(source.profile("ada")) == 9

    @pytest.mark.parametrize("program", ["/nonexistent/python", "/bin/true", "/bin/echo", None])
    def test_where_there_is_no_python_the_files_are_parsed_here(
        self, program: str | None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "executable", program)
        found = derive_in_process(job(), None)
        assert isinstance(found, Profile)
        assert rhr(found) == 7

    def test_it_ends_with_the_process_that_started_it(self) -> None:
        """Its output exceeds the buffer of a pipe, so it cannot end by itself."""
        days = "".join(f"{year:04}-01-01,{year}\n" for year in range(1, 10_000))
        large = job({RHR: f"date,resting_heart_rate\n{days}"})
        command = [sys.executable, "-I", "-c", child_process._PROGRAM]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            pickle.dump(sys.path, process.stdin)
            pickle.dump((large, False), process.stdin)
            process.stdin.flush()
            assert process.stdout.read(len(child_process._READY)) == child_process._READY
            assert process.stdout.read(1)
            assert process.poll() is None
            process.stdin.close()
            assert process.wait(TIMEOUT_SECONDS) == 1


class TestWorkerPool:
    def test_no_more_run_at_a_time_than_it_may(self) -> None:
        pool, go_on, done = WorkerPool(2), threading.Event(), threading.Semaphore(0)
        running: list[int] = []

        def work(number: int) -> None:
            running.append(number)
            assert go_on.wait(TIMEOUT_SECONDS)
            done.release()

        for number in range(5):
            pool.submit(partial(work, number))
        while len(running) < 2:
            time.sleep(0.001)
        assert sorted(running) == [0, 1]
        go_on.set()
        for _ in range(5):
            assert done.acquire(timeout=TIMEOUT_SECONDS)
        assert sorted(running) == [0, 1, 2, 3, 4]


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
