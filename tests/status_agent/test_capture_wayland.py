"""Cases of the sources that use Unix sockets and the session bus."""

import struct
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from status_agent.capture import wayland
from status_contracts.primitives import ABSENT
from support.status_agent.desktops import (
    LONG_TIMEOUT,
    SHORT_TIMEOUT,
    FakeWayland,
    StartDesktop,
    desktops,
    wl_event,
    wl_string,
)


@pytest.fixture
def start_desktop(tmp_path: Path) -> Iterator[StartDesktop]:
    with desktops(tmp_path) as start_desktop:
        yield start_desktop


class TestWayland:
    @pytest.mark.parametrize(
        ("answer", "fault"),
        [
            (wl_event(1, 0, struct.pack("=II", 1, 0) + wl_string("no")), "ValueError"),
            (wl_event(2, 0, struct.pack("=II", 1, 400)), "ValueError"),
            (wl_event(2, 0, b""), "error"),
            (struct.pack("=II", 2, 4 << 16), "ValueError"),
            (b"\x00" * 7, "EOFError"),
        ],
    )
    def test_an_invalid_answer_is_not_known(
        self,
        start_desktop: StartDesktop,
        caplog: pytest.LogCaptureFixture,
        answer: bytes,
        fault: str,
    ) -> None:
        desktop = start_desktop(FakeWayland)
        desktop.respond_with(answer)
        assert desktop.source(LONG_TIMEOUT).active_app() is None
        assert caplog.messages == [f"Wayland desktop: not readable ({fault})"]

    def test_an_endless_answer_is_not_read_to_its_end(
        self,
        start_desktop: StartDesktop,
        caplog: pytest.LogCaptureFixture,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(wayland, "_MAX_ANSWER_BYTES", 1000)
        desktop = start_desktop(FakeWayland)
        desktop.respond_with(wl_event(7, 0, bytes(92)) * 20)
        assert desktop.source(LONG_TIMEOUT).running_apps() is ABSENT
        assert caplog.messages == ["Wayland desktop: not readable (ValueError)"]

    def test_the_environment_names_the_display(
        self, start_desktop: StartDesktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
        assert wayland.find() is None
        monkeypatch.setenv("WAYLAND_DISPLAY", "socket")
        assert wayland.find() is None
        desktop = start_desktop(FakeWayland)
        desktop.show(["Editor"], 0)
        for name in ("socket", desktop.path):
            monkeypatch.setenv("WAYLAND_DISPLAY", name)
            found = wayland.find()
            assert found is not None
            assert found.active_app() == "Editor"

    def test_an_answer_that_comes_slowly_ends_in_time(self, start_desktop: StartDesktop) -> None:
        class Slow(FakeWayland):
            def answer(self, stream: Any) -> None:
                while not self.released.wait(0.05):
                    stream.write(b" ")

        desktop = start_desktop(Slow)
        before = monotonic()
        with pytest.raises(TimeoutError):
            desktop.query(SHORT_TIMEOUT).active_app()
        assert monotonic() - before < LONG_TIMEOUT / 2
