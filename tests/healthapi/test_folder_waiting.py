"""Requests for a folder of profiles while its two threads read, and compare it with the disk.

The clock of a source is asked by each read, so a clock that waits makes a profile slow.
"""

import gc
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import attrs
import pytest

from healthapi.adapters import folder
from healthapi.adapters.application import asgi_app, wsgi_app
from healthapi.adapters.folder import FolderSource
from healthapi.errors import DataError
from healthapi.profile import Profile, ProfileSummary
from support.healthapi.health_folders import (
    RHR,
    content,
    found,
    later,
    rhr,
    until,
    write,
    write_profile,
)
from support.servers.servers import ask, serve_asgi, serve_wsgi

TIMEOUT_SECONDS = 30
ROOT = "/api/public/v1"


class HeldClock:
    """A clock at which the next reads wait, as many as `hold` says, until each is released."""

    def __init__(self) -> None:
        self.reads = 0
        self._held = threading.Semaphore(0)
        self._waiting, self._released = threading.Semaphore(0), threading.Semaphore(0)

    def __call__(self) -> int:
        self.reads += 1
        if self._held.acquire(blocking=False):
            self._waiting.release()
            assert self._released.acquire(timeout=TIMEOUT_SECONDS)
        return later()

    def hold(self, count: int = 1) -> None:
        self._held.release(count)

    def until_held(self) -> None:
        """Wait until a read waits."""
        assert self._waiting.acquire(timeout=TIMEOUT_SECONDS)

    def release(self) -> None:
        """Let one read go on, or the next that waits."""
        self._released.release()


@pytest.fixture
def clock() -> Iterator[HeldClock]:
    made = HeldClock()
    yield made
    for _ in range(9):
        made.release()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two profiles, which is compared all the time."""
    monkeypatch.setattr(folder, "CHECK_SECONDS", 0.01)
    write_profile(tmp_path / "ada", 1)
    write_profile(tmp_path / "bob", 2)
    return tmp_path


def changed(root: Path, number: int = 9) -> None:
    """Change a file of `ada`."""
    write(root / "ada" / RHR, content(RHR, number))


def listed(source: FolderSource) -> dict[str, bool]:
    """Return each profile of the list, and whether its values are known."""
    return {each.id: each.generated_at is not None for each in found(source, None)}


def rules(source: FolderSource) -> list[str]:
    """Return the rules for which `ada` cannot be read; none if it can."""
    try:
        return [] if isinstance(found(source, "ada"), Profile) else ["none"]
    except DataError as fault:
        return [finding.rule for finding in fault.findings]


@pytest.mark.rule("HA-FILE-13")
class TestVisible:
    def test_changed_added_and_removed_files_and_profiles(self, root: Path) -> None:
        source = FolderSource(root)
        assert (rhr(found(source, "ada")), rhr(found(source, "bob"))) == (1, 2)
        changed(root)
        (root / "bob" / RHR).unlink()
        write_profile(root / "eve", 5)
        until(lambda: rhr(found(source, "ada")) == 9)
        until(lambda: not found(source, "bob").rhr)
        until(lambda: listed(source) == dict.fromkeys(("ada", "bob", "eve"), True))
        assert rhr(found(source, "eve")) == 5
        shutil.rmtree(root / "bob")
        until(lambda: found(source, "bob") is None)
        until(lambda: [*listed(source)] == ["ada", "eve"])  # listed by the next comparison

    def test_no_request_is_needed_to_read_a_change(self, root: Path, clock: HeldClock) -> None:
        source = FolderSource(root, clock=clock)
        assert rhr(found(source, "ada")) == 1
        clock.hold()
        changed(root)
        clock.until_held()
        clock.release()
        until(lambda: rhr(source.read("ada", 0)) == 9)
        assert clock.reads == 2

    def test_a_profile_that_is_broken_and_repaired(self, root: Path) -> None:
        source = FolderSource(root)
        assert rules(source) == []
        write(root / "ada" / RHR, "steps\n1\n")
        until(lambda: rules(source) == ["file.header"])
        assert listed(source) == {"ada": False, "bob": True} or listed(source)["ada"] is False
        changed(root)
        until(lambda: rules(source) == [])
        assert rhr(found(source, "ada")) == 9

    def test_a_root_that_is_missing_for_a_while(
        self, root: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        source = FolderSource(root / "none")
        for name in (None, "ada", None, "ada"):
            with pytest.raises(FileNotFoundError):
                found(source, name)
        write_profile(root / "none" / "ada", 3)

        def is_found() -> bool:
            try:
                return rhr(found(source, "ada")) == 3
            except FileNotFoundError:
                return False

        until(is_found)
        messages = [record.getMessage() for record in caplog.records]
        assert messages == ["the profiles cannot be read: No such file or directory"]


class TestLastState:
    def test_it_is_served_at_once_while_a_profile_is_read_anew(
        self, root: Path, clock: HeldClock
    ) -> None:
        source = FolderSource(root, clock=clock)
        first = found(source, "ada")
        found(source, "bob")
        clock.hold()
        changed(root)
        clock.until_held()
        for _ in range(3):
            assert source.read("ada", 0) is first
        assert listed(source) == {"ada": True, "bob": True}
        write_profile(root / "bob", 3)
        until(lambda: rhr(source.read("bob", 0)) == 3)
        assert source.read("ada", 0) is first
        clock.release()
        until(lambda: rhr(source.read("ada", 0)) == 9)

    def test_profile_returns_the_current_one_which_an_earlier_one_does_not_replace(
        self, root: Path, clock: HeldClock
    ) -> None:
        source = FolderSource(root, clock=clock)
        found(source, "ada")
        clock.hold()
        changed(root)
        clock.until_held()
        changed(root, 10)
        now = source.profile("ada")
        assert rhr(now) == 10
        clock.release()
        until(lambda: not source._futures)
        assert source.read("ada", 0) is now


class TestNoState:
    def test_a_slow_profile_is_read_once_and_delays_neither_others_nor_the_list(
        self, root: Path, clock: HeldClock
    ) -> None:
        source = FolderSource(root, clock=clock)
        clock.hold()
        waiting = [source.read("ada", 0) for _ in range(5)]
        clock.until_held()
        assert rhr(found(source, "bob")) == 2
        assert listed(source) == {"ada": False, "bob": True}
        assert found(source, "eve") is None
        clock.release()
        assert {rhr(each.result(TIMEOUT_SECONDS)) for each in map(as_future, waiting)} == {1}
        assert clock.reads == 2

    def test_a_list_waits_for_none_and_has_them_read_after_those_that_requests_wait_for(
        self, root: Path, clock: HeldClock, caplog: pytest.LogCaptureFixture
    ) -> None:
        for name in ("c", "d", "e"):
            write(root / name / RHR, "no header\n")
        source = FolderSource(root, clock=clock)
        clock.hold(2)
        both = [source.read(name, 0) for name in ("ada", "bob")]
        clock.until_held()
        clock.until_held()
        awaited = [ProfileSummary(name, is_awaited=True) for name in ("ada", "bob", "c", "d", "e")]
        assert source.read(None, 0) == tuple(awaited)
        last = as_future(source.read("e", 0))
        clock.release()
        assert isinstance(last.exception(TIMEOUT_SECONDS), DataError)
        until(lambda: len(caplog.records) == 3)
        assert [record.getMessage()[0] for record in caplog.records] == ["e", "c", "d"]
        listed = source.read(None, 0)
        assert isinstance(listed, tuple)
        assert listed[2:] == tuple(map(ProfileSummary, "cde"))
        clock.release()
        assert sorted(rhr(as_future(each).result(TIMEOUT_SECONDS)) for each in both) == [1, 2]

    def test_a_name_that_is_not_listed_is_looked_for_however_busy_the_threads_are(
        self, root: Path, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(folder, "CHECK_SECONDS", TIMEOUT_SECONDS)
        source = FolderSource(root, clock=clock)
        clock.hold(2)
        both = [source.read(name, 0) for name in ("ada", "bob")]
        clock.until_held()
        clock.until_held()
        write_profile(root / "eve", 5)
        eve, none = as_future(source.read("eve", 0)), as_future(source.read("none", 0))
        clock.release()
        assert rhr(eve.result(TIMEOUT_SECONDS)) == 5
        assert none.result(TIMEOUT_SECONDS) is None
        clock.release()
        assert sorted(rhr(as_future(each).result(TIMEOUT_SECONDS)) for each in both) == [1, 2]


def as_future(value: object) -> "Future[Any]":
    assert isinstance(value, Future)
    return value


class TestThreads:
    @pytest.mark.parametrize("create", [asgi_app, wsgi_app])
    def test_only_they_touch_the_folder(
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
        serve = {asgi_app: serve_asgi, wsgi_app: serve_wsgi}[create]
        with serve(create(root)) as base_url:
            for path in ("", "/profiles", "/profiles/ada", "/profiles/eve", "/profiles/bob"):
                status = 404 if "eve" in path else 200
                assert ask(base_url, "GET", f"{ROOT}{path}").status == status
        assert touching == {"healthapi-reading"}

    def test_a_failure_that_no_rule_covers_is_logged_and_does_not_end_them(
        self, root: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        failures = [OverflowError()]

        def clock() -> int:
            if failures:
                raise failures.pop()
            return later()

        source = FolderSource(root, clock=clock)
        with pytest.raises(OverflowError):
            found(source, "ada")
        assert rhr(found(source, "ada")) == 1
        assert [record.getMessage() for record in caplog.records] == ["ada: OverflowError"]

    def test_they_end_with_their_source(self, root: Path) -> None:
        before = set(threading.enumerate())
        source = FolderSource(root)
        assert set(threading.enumerate()) == before
        found(source, "ada")
        started = set(threading.enumerate()) - before
        assert len(started) == 2
        del source
        gc.collect()
        for thread in started:
            thread.join(TIMEOUT_SECONDS)
            assert not thread.is_alive()

    @pytest.mark.parametrize(
        "program",
        [
            pytest.param(
                "import time\n"
                "source = FolderSource(sys.argv[1], clock=lambda: time.sleep(1000))\n"
                "source.read('ada', 0)\n",
                id="the interpreter ends without them",
            ),
            pytest.param(
                "import os\n"
                "source = FolderSource(sys.argv[1])\n"
                "source.profile('ada')\n"
                "child = os.fork()\n"
                "if child == 0:\n"
                "    source.read('bob', 0).result(20)\n"
                "    source.read('bob', 0).id + source.read('ada', 0).id\n"
                "    os._exit(0)\n"
                "sys.exit(os.waitpid(child, 0)[1])\n",
                id="a process may be forked before the first request",
            ),
        ],
    )
    def test_in_a_process(self, root: Path, program: str) -> None:
        start = "import sys; from healthapi.adapters.folder import FolderSource\n"
        command = [sys.executable, "-c", start + program, str(root)]
        subprocess.run(command, check=True, timeout=TIMEOUT_SECONDS)


SERVED: list[Any] = [
    pytest.param(serve_asgi, asgi_app, id="asgi"),
    pytest.param(serve_wsgi, wsgi_app, id="wsgi"),
]


@pytest.mark.rule("HA-FILE-14")
@pytest.mark.parametrize(("serve", "create"), SERVED)
class TestServed:
    """Over real servers: requests that do not need the slow profile do not wait for it."""

    def test_without_a_state_a_request_waits_for_a_time_and_is_told_to_retry(
        self, root: Path, clock: HeldClock, serve: Any, create: Any
    ) -> None:
        app = create(FolderSource(root, clock=clock))
        assert app.source_timeout_seconds == 5
        clock.hold()
        with serve(attrs.evolve(app, source_timeout_seconds=0.05)) as base_url:
            for path in ("ada", "ada/overview"):
                answer = ask(base_url, "GET", f"{ROOT}/profiles/{path}")
                assert (answer.status, answer.header("retry-after")) == (503, "5")
                assert answer.json["error"]["code"] == "service_unavailable"
            until(lambda: ask(base_url, "GET", f"{ROOT}/profiles/bob").status == 200)
            clock.release()
            until(lambda: ask(base_url, "GET", f"{ROOT}/profiles/ada").status == 200)
