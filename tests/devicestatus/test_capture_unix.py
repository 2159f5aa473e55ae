"""Cases of the sources that use Unix sockets and the session bus."""

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from devicestatus.adapters.capture import gnome, hyprland, sway, unix_socket, wayland
from devicestatus.adapters.capture.unix_socket import SocketSession
from purewire.absent import ABSENT
from support.devicestatus.desktops import (
    HASTY,
    PATIENT,
    GnomeStage,
    HyprlandStage,
    OnStage,
    SwayStage,
    WaylandStage,
    i3_node,
    stages,
    wl_event,
    wl_string,
)


@pytest.fixture
def on_stage(tmp_path: Path) -> Iterator[OnStage]:
    with stages(tmp_path) as on_stage:
        yield on_stage


class TestSway:
    @pytest.mark.parametrize(
        "answer",
        [
            b"i3-ipc" + struct.pack("=II", 2, 4) + b"[]",
            b"i3-ipc" + struct.pack("=II", 2, 7) + b"{}",
            b"x3-ipc" + struct.pack("=II", 2, 4) + b"{}",
            b"i3-ipc" + struct.pack("=II", 9, 4) + b"{}",
            b"i3-ipc" + struct.pack("=II", 2**32 - 1, 4) + b"{}",
            b"i3-ipc" + struct.pack("=II", 13, 4) + b'{"nodes":[7]}',
        ],
    )
    def test_an_answer_that_is_no_tree_is_not_known(self, on_stage: OnStage, answer: bytes) -> None:
        stage = on_stage(SwayStage)
        stage.says(answer)
        source = stage.source(PATIENT)
        assert (source.active_app(), source.is_readable) == (None, False)
        assert (source.running_apps(), source.is_readable) == (ABSENT, False)

    def test_a_window_without_a_name_is_left_out(self, on_stage: OnStage) -> None:
        windows = [
            i3_node("con", window=5, window_properties=None, focused=True),
            i3_node("con", window=6, window_properties={"class": 6}),
            i3_node("con", app_id="named"),
        ]
        body = json.dumps(i3_node("root", nodes=windows)).encode()
        stage = on_stage(SwayStage)
        stage.says(b"i3-ipc" + struct.pack("=II", len(body), 4) + body)
        source = stage.source(PATIENT)
        assert (source.active_app(), source.running_apps()) == (None, ("named",))
        assert source.is_readable

    @pytest.mark.parametrize("variable", ["SWAYSOCK", "I3SOCK"])
    def test_the_environment_names_the_socket(
        self, on_stage: OnStage, variable: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("SWAYSOCK", "I3SOCK"):
            monkeypatch.delenv(name, raising=False)
        assert sway.find() is None
        stage = on_stage(SwayStage)
        stage.shows(["Editor"], 0)
        monkeypatch.setenv(variable, stage.path)
        found = sway.find()
        assert found is not None
        assert found.active_app() == "Editor"


class TestHyprland:
    @pytest.mark.parametrize("old", [False, True])
    def test_the_environment_names_the_instance(
        self, tmp_path: Path, old: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = tmp_path / ("old" if old else "run") / "hypr" / "abc_1"
        monkeypatch.setattr(hyprland, "_OLD_FOLDER", str(tmp_path / "old"))
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
        monkeypatch.delenv("HYPRLAND_INSTANCE_SIGNATURE", raising=False)
        assert hyprland.find() is None
        monkeypatch.setenv("HYPRLAND_INSTANCE_SIGNATURE", "abc_1")
        assert hyprland.find() is None
        folder.mkdir(parents=True)
        stage = HyprlandStage(folder)
        Path(stage.path).rename(folder / ".socket.sock")
        stage.shows(["Editor"], 0)
        found = hyprland.find()
        assert found is not None
        assert found.active_app() == "Editor"
        stage.close()


class TestWayland:
    def test_a_compositor_that_does_not_list_its_windows_is_not_readable(
        self, on_stage: OnStage, caplog: pytest.LogCaptureFixture
    ) -> None:
        stage = on_stage(WaylandStage)
        stage.interfaces = ("wl_compositor", "wl_shm")
        source = stage.source(PATIENT)
        assert (source.active_app(), source.running_apps()) == (None, ABSENT)
        assert caplog.messages == ["Wayland desktop: not readable (LookupError)"]

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
    def test_an_answer_that_is_none_is_not_known(
        self, on_stage: OnStage, caplog: pytest.LogCaptureFixture, answer: bytes, fault: str
    ) -> None:
        stage = on_stage(WaylandStage)
        stage.says(answer)
        assert stage.source(PATIENT).active_app() is None
        assert caplog.messages == [f"Wayland desktop: not readable ({fault})"]

    def test_an_endless_answer_is_not_read_to_its_end(
        self,
        on_stage: OnStage,
        caplog: pytest.LogCaptureFixture,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(wayland, "MAX_ANSWER_BYTES", 1000)
        stage = on_stage(WaylandStage)
        stage.says(wl_event(7, 0, bytes(92)) * 20)
        assert stage.source(PATIENT).running_apps() is ABSENT
        assert caplog.messages == ["Wayland desktop: not readable (ValueError)"]

    def test_the_environment_names_the_display(
        self, on_stage: OnStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
        assert wayland.find() is None
        monkeypatch.setenv("WAYLAND_DISPLAY", "socket")
        assert wayland.find() is None
        stage = on_stage(WaylandStage)
        stage.shows(["Editor"], 0)
        for name in ("socket", stage.path):
            monkeypatch.setenv("WAYLAND_DISPLAY", name)
            found = wayland.find()
            assert found is not None
            assert found.active_app() == "Editor"


class TestGnome:
    def test_a_shell_that_keeps_its_windows_to_itself_is_not_readable(
        self, on_stage: OnStage, caplog: pytest.LogCaptureFixture
    ) -> None:
        stage = on_stage(GnomeStage)
        stage.refuses()
        source = stage.source(PATIENT)
        assert (source.active_app(), source.running_apps()) == (None, ABSENT)
        assert caplog.messages == ["GNOME Shell: not readable (PermissionError)"]

    def test_the_environment_names_the_desktop_and_the_bus(
        self, on_stage: OnStage, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stage = on_stage(GnomeStage)
        stage.shows(["Editor"], 0)
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", stage.address)
        monkeypatch.delenv("XDG_CURRENT_DESKTOP", raising=False)
        assert gnome.find() is None
        monkeypatch.setenv("XDG_CURRENT_DESKTOP", "KDE")
        assert gnome.find() is None
        monkeypatch.setenv("XDG_CURRENT_DESKTOP", "ubuntu:GNOME")
        found = gnome.find()
        assert found is not None
        assert found.active_app() == "Editor"
        monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")
        monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
        assert gnome.find() is None


class TestSocketSession:
    """One connection ends in time, and keeps no more than it may."""

    def test_an_answer_that_is_too_long_is_an_error(
        self, on_stage: OnStage, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(unix_socket, "MAX_ANSWER_BYTES", 100)
        stage = on_stage(HyprlandStage)
        stage.says(b"x" * 101)
        with (
            SocketSession(stage.path, PATIENT) as session,
            pytest.raises(ValueError, match="longer than"),
        ):
            session.receive_exactly(101)
        with SocketSession(stage.path, PATIENT) as session:
            session.send(b"question")
            with pytest.raises(ValueError, match="longer than"):
                session.receive_all()

    def test_nobody_there_is_an_error_and_leaves_nothing_open(self, tmp_path: Path) -> None:
        with (
            pytest.raises(FileNotFoundError),
            SocketSession(str(tmp_path / "no"), PATIENT),
        ):
            pytest.fail("nobody is there")

    def test_time_that_is_over_is_an_error(self, on_stage: OnStage) -> None:
        stage = on_stage(HyprlandStage)
        with SocketSession(stage.path, PATIENT) as session:
            session._deadline = monotonic()
            with pytest.raises(TimeoutError):
                session.send(b"question")

    def test_an_answer_in_drops_ends_in_time(self, on_stage: OnStage) -> None:
        class Dripping(HyprlandStage):
            def answer(self, stream: Any) -> None:
                while not self.released.wait(0.05):
                    stream.write(b" ")

        stage = on_stage(Dripping)
        before = monotonic()
        with pytest.raises(TimeoutError):
            stage.query(HASTY).active_app()
        assert monotonic() - before < PATIENT / 2
