"""Every source of apps and of music keeps one contract, whatever its desktop answers."""

import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from devicestatus import check_snapshot
from devicestatus.agent.privacy import PrivacyRules
from status_agent.capture import wayland
from status_agent.capture.capture import Capture
from status_agent.capture.sources import Desktop
from status_contracts.primitives import ABSENT, Absent
from support.servers.services import need
from support.status_agent.desktops import (
    LONG_TIMEOUT,
    SHORT_TIMEOUT,
    FakeDesktop,
    FakeLaunchServices,
    FakeWayland,
    FakeWindowsDesktop,
    Manager,
    X11Desktop,
    eventually,
    of_sway,
    running,
    sway,
    x11_desktop,
    x_server,
)

pytestmark = pytest.mark.check

NOON = 1_767_268_800_000


ANSWERING = (FakeWayland, FakeLaunchServices, FakeWindowsDesktop)
ALL = (*ANSWERING, X11Desktop)  # how an X server breaks is in test_capture_desktop


@pytest.fixture
def desktop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FakeDesktop]:
    desktop: FakeDesktop = request.param(tmp_path)
    yield desktop
    desktop.close()


@pytest.fixture
def source(desktop: FakeDesktop) -> Iterator[Desktop]:
    source = desktop.source(LONG_TIMEOUT)
    yield source
    source.close()


every_backend = pytest.mark.parametrize("desktop", ALL, indirect=True, ids=lambda s: s.subject)
every_answering = pytest.mark.parametrize(
    "desktop", ANSWERING, indirect=True, ids=lambda s: s.subject
)

desktop_name = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters='"/\\:'),
    min_size=1,
    max_size=250,
)
"""A name that every protocol can carry."""


@every_backend
class TestWhatADesktopShows:
    """All sources report the apps in front and running alike."""

    def test_foreground_and_running_apps_are_reported(
        self, desktop: FakeDesktop, source: Desktop
    ) -> None:
        desktop.show(["Editor", "Terminal", "Mail"], 1)
        assert source.active_app() == "Terminal"
        assert names_of(source.running_apps()) == {"Editor", "Terminal", "Mail"}

    def test_no_foreground_app_is_none_and_no_failure(
        self, desktop: FakeDesktop, source: Desktop, caplog: pytest.LogCaptureFixture
    ) -> None:
        desktop.show(["Editor"], None)
        assert source.active_app() is None
        assert caplog.messages == []

    def test_at_most_64_apps_are_reported(self, desktop: FakeDesktop, source: Desktop) -> None:
        desktop.show([f"App {n}" for n in range(70)], 69)
        running = source.running_apps()
        assert running is not ABSENT
        assert len(list(running)) == 64

    def test_titles_of_windows_are_in_nothing_that_is_reported(
        self, desktop: FakeDesktop, source: Desktop, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        desktop.show(["Editor"], 0)
        shown = f"{source.active_app()} {source.running_apps()} {source!r} {caplog.text}"
        assert "private" not in shown

    def test_any_app_names_yield_a_valid_snapshot(
        self, desktop: FakeDesktop, source: Desktop
    ) -> None:

        @settings(max_examples=15)
        @given(st.lists(desktop_name, min_size=1, max_size=3))
        @example(["x" * 300, " \u3000 ", "한글 앱 🎵"])
        def obeys(names: list[str]) -> None:
            desktop.show(names, 0)
            taken = Capture(apps=source).take(NOON)
            assert check_snapshot(taken, received_at=NOON) == ()
            assert taken.running_apps is not ABSENT
            assert taken.active_app is None or taken.active_app in taken.running_apps

        obeys()

    @pytest.mark.parametrize("hidden", [f"{'x' * 240} Secret", "\u200eSec\u200b\u00adret"])
    def test_a_hidden_name_does_not_leave_however_it_is_written(
        self, desktop: FakeDesktop, source: Desktop, hidden: str
    ) -> None:
        desktop.show([hidden, "Editor"], 0)
        taken = Capture(apps=source, rules=PrivacyRules(names=["*secret"])).take(NOON)
        assert (taken.active_app, taken.running_apps) == ("System", ("Editor", "System"))

    def test_a_desktop_that_hangs_costs_one_wait_and_is_reported_once(
        self, desktop: FakeDesktop, caplog: pytest.LogCaptureFixture
    ) -> None:
        desktop.show(["Editor"], 0)
        source = desktop.source(SHORT_TIMEOUT)
        desktop.hang()
        before = monotonic()
        assert [source.active_app() for _ in range(5)] == [None] * 5
        assert source.running_apps() is ABSENT
        assert monotonic() - before < LONG_TIMEOUT / 2
        assert len(caplog.messages) in {1, 2}  # timed out, or the other side ended
        assert all(m.startswith(f"{desktop.subject}: not readable (Time") for m in caplog.messages)


@every_answering
class TestFaultyDesktop:
    def test_nonsense_is_not_known_and_reported_without_quoting_it(
        self, desktop: FakeDesktop, source: Desktop, caplog: pytest.LogCaptureFixture
    ) -> None:
        desktop.respond_with(b'"secret \xff')
        assert source.active_app() is None
        assert source.running_apps() is ABSENT
        assert len(caplog.messages) == 1
        assert "secret" not in caplog.text

    def test_no_response_makes_a_reading_raise(self, desktop: FakeDesktop, source: Desktop) -> None:

        @settings(max_examples=15)
        @given(nonsense)
        @example(b"[" * 100_000)
        @example(b"null")
        @example(b"[null]")
        @example(b"{}")
        @example(b"1.0")
        def never_raises(response: bytes) -> None:
            desktop.respond_with(response)
            taken = Capture(apps=source).take(NOON)
            assert check_snapshot(taken, received_at=NOON) == ()

        never_raises()

    def test_a_stopped_desktop_is_not_known(self, desktop: FakeDesktop, source: Desktop) -> None:
        desktop.show(["Editor"], 0)
        assert source.active_app() == "Editor"
        desktop.end()
        assert source.active_app() is None
        assert source.running_apps() is ABSENT

    def test_a_desktop_that_answers_again_is_read_again(
        self, desktop: FakeDesktop, source: Desktop, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO)
        desktop.refuse()
        assert source.active_app() is None
        desktop.show(["Editor"], 0)
        assert source.active_app() == "Editor"
        assert caplog.messages[-1] == f"{desktop.subject}: readable again"
        source.close()
        assert source.active_app() == "Editor"


nonsense = st.binary(max_size=200) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["names", "state", "track", "artist"]), inner, max_size=4)
    ),
    max_leaves=8,
).map(lambda value: json.dumps(value).encode())


def names_of(apps: Iterable[str] | Absent) -> set[str]:
    assert apps is not ABSENT
    return set(apps)


class TestImports:
    def test_modules_of_one_system_can_be_imported_on_every_other(self) -> None:
        """No library and nothing that only some systems have is touched by an import."""
        code = """
import os, signal, socket, sys
for owner, name in (socket, "AF_UNIX"), (os, "killpg"), (signal, "SIGKILL"):
    delattr(owner, name)
for name in "psutil", "Xlib", "jeepney":
    sys.modules[name] = None
from status_agent.capture import (
    capture, macos, sources, wayland,
)
"""
        subprocess.run([sys.executable, "-c", code], check=True)


@pytest.fixture
def runtime() -> Iterator[Path]:
    """Yield a runtime folder that a compositor may write to; sockets need a short path."""
    with TemporaryDirectory(prefix="capture-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, 65_534)
        yield folder


class TestRealSway:
    def test_its_windows_are_read_over_the_wayland_protocol(self, runtime: Path) -> None:
        terminal = need("foot")
        with sway(runtime) as display:
            query = wayland.Wayland(str(display), LONG_TIMEOUT)
            source = Desktop("Wayland", query, LONG_TIMEOUT)
            assert comes_to_front(source, None)
            assert source.running_apps() == ()
            shown = {**of_sway(runtime), "WAYLAND_DISPLAY": "wayland-1"}
            first = (terminal, "--app-id=org.example.First", "sleep", "60")
            second = (terminal, "--app-id=Second", "sleep", "60")
            with running(*first, environment=shown, unprivileged=True):
                assert comes_to_front(source, "org.example.First")
                with running(*second, environment=shown, unprivileged=True):
                    assert comes_to_front(source, "Second")
                    assert names_of(source.running_apps()) == {"org.example.First", "Second"}
            assert comes_to_front(source, None)
            assert source.running_apps() == ()


class TestRealI3:
    def test_its_windows_are_read_from_the_x_server(self, runtime: Path) -> None:
        i3 = need("i3")
        ipc, config = runtime / "ipc", runtime / "config"
        config.write_text(f"# i3 config file (v4)\nipc-socket {ipc}\n")
        environment = {"HOME": str(runtime), "XDG_RUNTIME_DIR": str(runtime)}
        with (
            x_server() as (name, _),
            running(i3, "-c", str(config), environment={**environment, "DISPLAY": name}),
        ):
            assert eventually(ipc.is_socket)
            source = x11_desktop(name, LONG_TIMEOUT)
            manager = Manager(name)
            for app in ("First", "Second"):
                manager.window(b"instance\0%b\0" % app.encode())
                assert comes_to_front(source, app)
            assert names_of(source.running_apps()) == {"First", "Second"}
            source.close()
            manager.display.close()


def comes_to_front(source: Desktop, app: str | None) -> bool:
    return eventually(lambda: source.active_app() == app and source.running_apps() is not ABSENT)
