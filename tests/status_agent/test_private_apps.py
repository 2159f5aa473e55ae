"""One app has many names: no source shows what a rule hides, and a change of the source hides.

The X server, the session bus, the agent and the service are real; GNOME Shell and the players are
programs on the bus.
"""

import json
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs
import pytest
from Xlib import Xatom

from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.models import Music
from devicestatus.settings import Settings
from status_agent.capture.app_names import app_name, app_of_unit
from status_agent.capture.capture import Capture
from status_agent.capture.dbus import Players
from status_agent.capture.sources import Desktops
from support.devicestatus.players import Answer, on_the_bus, player, song
from support.servers.commands import CANARY, Ended, Process, run_process, started
from support.servers.servers import ask, serve_asgi
from support.status_agent.desktops import (
    LONG_TIMEOUT,
    FakeGnome,
    FakeWayland,
    StartDesktop,
    X11Desktop,
    desktops,
    eventually,
    x_window,
)

pytestmark = pytest.mark.check

NOON = 1_767_268_800_000
UNAVAILABLE = Music("unavailable", None, None)
KEEPASS = "org.keepassxc.KeePassXC"


@pytest.fixture
def start_desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StartDesktop]:
    """Yield a function that starts desktops; no desktop files but those of a test are read."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "data"))
    with desktops(tmp_path) as start:
        yield start


def desktop_file(folder: Path, identity: str, **values: str) -> None:
    """Write the file that describes an app."""
    path = folder / "data" / "applications" / f"{identity}.desktop"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{key.replace('_', '-')}={value}" for key, value in values.items()]
    path.write_text("\n".join(["# a comment", "[Desktop Entry]", *lines, "[Other]", "Name=No"]))


def shown_by(apps: Desktops, rule: str) -> tuple[str | None, object]:
    taken = Capture(apps=apps, rules=PrivacyRules(names=[rule])).take(NOON)
    return taken.active_app, taken.running_apps


class TestWindows:
    @pytest.mark.parametrize(
        "rule", ["Vault", "org.example.Vault.desktop", "SafeBox", "keeper", "Tresor", "instance"]
    )
    def test_a_window_of_x11_is_hidden_by_every_name_of_its_app(
        self, start_desktop: StartDesktop, tmp_path: Path, rule: str
    ) -> None:
        values = {"Name": "SafeBox", "Name[de]": "Tresor", "StartupWMClass": "Vault Window"}
        desktop_file(tmp_path, "org.example.Vault", **values, Exec="env A=1 /usr/bin/keeper %u")
        desktop = start_desktop(X11Desktop)
        desktop.show(["Vault Window"], 0)
        source = desktop.source(LONG_TIMEOUT)
        assert shown_by(source, rule) == ("System", ("System",))
        assert shown_by(source, "Other") == ("SafeBox", ("SafeBox",))

    def test_a_window_of_x11_is_hidden_by_the_name_of_its_process(
        self, start_desktop: StartDesktop, tmp_path: Path
    ) -> None:
        program = tmp_path / "keeper-of-many-secrets"
        shutil.copy(shutil.which("sleep") or "sleep", program)
        process = subprocess.Popen([str(program), "60"])
        desktop = start_desktop(X11Desktop)
        desktop.show([], None)
        window = desktop.display.create_resource_object("window", x_window(desktop.display, "W"))
        atom = desktop.display.intern_atom("_NET_WM_PID")
        window.change_property(atom, Xatom.CARDINAL, 32, [process.pid])
        active = desktop.display.intern_atom("_NET_ACTIVE_WINDOW")
        desktop.root.change_property(active, Xatom.WINDOW, 32, [window.id])
        desktop.display.sync()
        source = desktop.source(LONG_TIMEOUT)
        assert eventually(lambda: shown_by(source, program.name)[0] == "System")
        assert shown_by(source, program.name[:15])[0] == "System"
        process.kill()
        process.wait()
        assert shown_by(source, program.name)[0] == "W"

    @pytest.mark.parametrize("rule", [KEEPASS, "keepassxc", "Passwords", "org.other.Passwords"])
    def test_a_window_of_gnome_is_hidden_by_its_id_class_and_title(
        self, start_desktop: StartDesktop, tmp_path: Path, rule: str
    ) -> None:
        desktop_file(tmp_path, KEEPASS, Name="Passwords")
        desktop = start_desktop(FakeGnome)
        desktop.classes = {KEEPASS: "keepassxc"}
        desktop.show([KEEPASS], 0)
        assert shown_by(desktop.source(LONG_TIMEOUT), rule) == ("System", ("System",))

    def test_apps_of_one_interpreter_are_several_apps(
        self, start_desktop: StartDesktop, tmp_path: Path
    ) -> None:
        for name in ("One", "Two"):
            desktop_file(tmp_path, f"org.example.{name}", Name=name, Exec=f"browser --app={name}")
        desktop = start_desktop(FakeGnome)
        desktop.classes = {"browser": "browser"}
        desktop.show(["browser", "org.example.One"], 0)
        apps = shown_by(desktop.source(LONG_TIMEOUT), "One")
        assert apps == ("browser", ("browser", "System"))


class TestShownNames:
    @pytest.mark.parametrize(
        ("identity", "values", "reported", "shown"),
        [
            ("firefox_firefox", {"Name": "Firefox"}, "firefox_firefox", "Firefox"),
            ("org.gnome.Nautilus", {"Name": "Files", "Name[de]": "Dateien"}, "org.gnome.Nautilus",
             "Files"),
            ("Night City", {"Name": "Night City", "Exec": "steam steam://rungameid/1091500"},
             "steam_app_1091500", "Night City"),
            ("jetbrains-idea", {"Name": "IntelliJ IDEA", "StartupWMClass": "jetbrains-idea-x"},
             "jetbrains-idea-x", "IntelliJ IDEA"),
            ("org.example.Chat", {"Name": "\u200b"}, "org.example.Chat", "org.example.Chat"),
            ("org.example.Other", {"Name": "Other"}, "steam_app_7", "steam_app_7"),
        ],
    )  # fmt: skip
    def test_an_app_is_shown_by_the_title_of_its_desktop_file_and_hidden_by_every_name(
        self,
        identity: str,
        values: Mapping[str, str],
        reported: str,
        shown: str,
        start_desktop: StartDesktop,
        tmp_path: Path,
    ) -> None:
        desktop_file(tmp_path, identity, **values)
        desktop = start_desktop(FakeGnome)
        desktop.show([reported], 0)
        source = desktop.source(LONG_TIMEOUT)
        assert shown_by(source, "Unlisted") == (shown, (shown,))
        assert shown_by(source, reported) == ("System", ("System",))
        assert shown_by(source, shown) == ("System", ("System",))

    def test_a_class_of_several_files_keeps_its_name(
        self, start_desktop: StartDesktop, tmp_path: Path
    ) -> None:
        for name in ("One", "Two"):
            desktop_file(tmp_path, f"org.example.{name}", Name=name, StartupWMClass="Shared")
        desktop = start_desktop(FakeGnome)
        desktop.show(["Shared"], 0)
        assert shown_by(desktop.source(LONG_TIMEOUT), "Unlisted")[0] == "Shared"

    def test_a_frame_for_apps_is_shown_as_the_app_of_its_process(
        self, start_desktop: StartDesktop, tmp_path: Path
    ) -> None:
        desktop_file(tmp_path, "sleep", Name="Sleeper", Exec="/usr/bin/sleep")
        with subprocess.Popen(["sleep", "60"]) as process:
            assert eventually(lambda: app_name("Electron", process=process.pid) == "Sleeper")
            assert app_name("Window", process=process.pid) == "Window"
            process.kill()


class TestCompositorsWithoutAList:
    @pytest.mark.parametrize(
        ("interfaces", "display", "line"),
        [
            (
                ("wl_seat",),
                "",
                "apps: this compositor does not list its windows; no apps are sent",
            ),
            (
                ("wl_seat",),
                ":1",
                "apps: X11 desktop; this compositor does not list its windows",
            ),
            (("zwlr_foreign_toplevel_manager_v1",), "", "apps: Wayland desktop"),
        ],
    )
    def test_it_is_no_source_and_the_first_lines_say_so(
        self,
        interfaces: tuple[str, ...],
        display: str,
        line: str,
        start_desktop: StartDesktop,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        desktop = start_desktop(FakeWayland)
        desktop.interfaces = interfaces
        for name in ("DBUS_SESSION_BUS_ADDRESS", "XDG_CURRENT_DESKTOP"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("WAYLAND_DISPLAY", desktop.path)
        monkeypatch.setenv("XDG_RUNTIME_DIR", "/")
        monkeypatch.setenv("DISPLAY", display)
        assert Capture.for_this_machine().describe()[0] == line
        assert "LookupError" not in "".join(m for m in caplog.messages if "desktop" in m)


ENTRY: Mapping[str, Answer] = {"DesktopEntry": ("s", "org.gnome.Rhythmbox3.desktop")}


class TestPlayers:
    @pytest.mark.parametrize(
        ("app", "bus_name", "properties"),
        [
            ("org.gnome.Rhythmbox3", "rhythmbox", {"Identity": ("s", "Rhythmbox")}),
            ("org.gnome.Rhythmbox3", "any", ENTRY),
            ("org.videolan.VLC", "any", {"DesktopEntry": ("s", "io.github.vlc")}),
            ("com.spotify.Client", "spotify", {}),
            ("com.spotify.Client", "com.spotify.Client.instance42", {}),
            ("spotify_spotify", "spotify", {}),
            ("spotify", "spotify_spotify.instance7", {}),
            ("spotify_spotify", "snap.spotify.spotify", {}),
        ],
    )
    def test_the_music_of_a_hidden_app_is_hidden_however_its_player_is_named(
        self,
        start_desktop: StartDesktop,
        app: str,
        bus_name: str,
        properties: Mapping[str, Answer],
    ) -> None:
        desktop = start_desktop(FakeGnome)
        desktop.classes = {"org.gnome.Rhythmbox3": "Rhythmbox"}
        desktop.show([app, "Editor"], 1)
        players = Players(desktop.address, LONG_TIMEOUT)
        apps = desktop.source(LONG_TIMEOUT)
        capture = Capture(apps=apps, music=players, rules=PrivacyRules(names=[app]))
        heard = player(song(), bus_name)
        heard.properties.update(properties)
        with on_the_bus(desktop.address, heard):
            assert capture.take(NOON).music == UNAVAILABLE
            desktop.show(["Editor"], 0)  # the window is closed, and the music goes on
            assert capture.take(NOON).music == UNAVAILABLE
            other = Capture(apps=apps, music=players, rules=PrivacyRules(names=["Other"]))
            assert other.take(NOON).music == Music("playing", "Song", "Band")
        players.close()


class TestUnits:
    @pytest.mark.parametrize(
        ("unit", "app"),
        [
            ("app-gnome-org.gnome.Rhythmbox3-4711.scope", "org.gnome.Rhythmbox3"),
            ("app-flatpak-org.videolan.VLC-1234567.scope", "org.videolan.VLC"),
            ("app-firefox-1a2b.scope", "firefox"),
            (r"app-gnome-telegram\x2ddesktop-4711.scope", "telegram-desktop"),
            ("app-org.kde.elisa@0f8fad5bd9cb469f.service", "org.kde.elisa"),
            (r"app-gnome-org.example.Notes@autostart.service", "org.example.Notes"),
            ("dbus-:1.2-org.gnome.Nautilus@0.service", "org.gnome.Nautilus"),
            ("snap.vlc.vlc-0f8fad5b-d9cb-469f-a165-70867728950e.scope", "vlc"),
            ("snap.spotify.spotify.0f8fad5b-d9cb-469f-a165-70867728950e.scope", "spotify"),
            ("session-2.scope", None),
            ("vte-spawn-0f8fad5b-d9cb-469f-a165-70867728950e.scope", None),
        ],
    )
    def test_a_unit_names_the_app_that_runs_in_it(self, unit: str, app: str | None) -> None:
        assert list(app_of_unit(unit)) == ([] if app is None else [app])


class TestFilesOfTheDesktop:
    def test_a_file_that_cannot_be_read_names_nothing(
        self, start_desktop: StartDesktop, tmp_path: Path
    ) -> None:
        desktop_file(tmp_path, "org.example.Whole", StartupWMClass="Window")
        (tmp_path / "data/applications/broken.desktop").symlink_to(tmp_path / "nowhere")
        (tmp_path / "data/applications/other.desktop").write_bytes(b"StartupWMClass=Window\n\xff")
        desktop = start_desktop(X11Desktop)
        desktop.show(["Window"], 0)
        source = desktop.source(LONG_TIMEOUT)
        assert shown_by(source, "org.example.Whole")[0] == "System"
        assert shown_by(source, "other")[0] == "Window"

    def test_an_app_that_is_installed_meanwhile_is_known(
        self, start_desktop: StartDesktop, tmp_path: Path
    ) -> None:
        desktop = start_desktop(X11Desktop)
        desktop.show(["Window"], 0)
        source = desktop.source(LONG_TIMEOUT)
        assert shown_by(source, "org.example.New")[0] == "Window"
        desktop_file(tmp_path, "org.example.New", X_SnapInstanceName="Window")
        assert shown_by(source, "org.example.New")[0] == "System"


@attrs.frozen
class Session:
    """A GNOME session with X11 apps, and the agent of its user."""

    gnome: FakeGnome
    x11: X11Desktop
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        return {
            "DBUS_SESSION_BUS_ADDRESS": self.gnome.address,
            "DISPLAY": self.x11.name,
            "INGEST_TOKEN": CANARY,
            "XDG_CURRENT_DESKTOP": "ubuntu:GNOME",
            "XDG_DATA_DIRS": str(self.folder),
            "XDG_DATA_HOME": str(self.folder),
            "XDG_RUNTIME_DIR": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder / "settings"),
            "XDG_STATE_HOME": str(self.folder / "state"),
        }

    @property
    def checkpoint(self) -> str:
        return (self.folder / "state/status-contracts/agent.json").read_text()

    def dry_run(self, *options: str) -> Ended:
        return run_process("agent", "--dry-run", *options, env=self.environment)

    def hide(self, *names: str) -> None:
        """Write the settings of the user."""
        folder = self.folder / "settings/status-contracts"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "agent.toml").write_text(f"[privacy]\nhide = {json.dumps(names)}\n")


@pytest.fixture
def session(start_desktop: StartDesktop, tmp_path: Path) -> Session:
    session = Session(start_desktop(FakeGnome), start_desktop(X11Desktop), tmp_path)
    session.gnome.show(["org.example.Vault", "org.gnome.TextEditor"], 1)
    session.x11.show(["Quiet", "Text-editor"], 0)  # no name of theirs leads to those of the shell
    session.hide("org.example.Vault")
    return session


@pytest.fixture
def url() -> Iterator[str]:
    with serve_asgi(asgi_app(Settings(CANARY), store=MemoryStore())) as url:
        yield url


def agent(url: str) -> tuple[str, ...]:
    return ("agent", "--mode", "buffered", "--url", url)


def wait_for_sample(gnome: FakeGnome, process: Process) -> None:
    """Wait until a sample that began after this call is recorded."""
    # The rest of the present one, the two of the next, and the first of the one after it.
    wanted = gnome.questions + 4
    assert eventually(lambda: gnome.questions >= wanted)
    assert process.process.poll() is None


class TestAnotherSource:
    """Invariant *a change of the source hides*."""

    @pytest.mark.parametrize("fault", ["refuse", "hang"])
    def test_names_that_were_not_confirmed_and_music_do_not_leave(
        self, session: Session, url: str, fault: str
    ) -> None:
        with (
            on_the_bus(session.gnome.address, player(song("First"), "radio")),
            started(*agent(url), env=session.environment) as process,
        ):
            process.wait_for("accepted; next in 300 s")
            before = ask(url, "GET", "/api/timeline").json["window"]["baseline"]
            assert before["active_app"] == "org.gnome.TextEditor"
            assert before["running_apps"] == ["org.gnome.TextEditor", "System"]
            assert before["music"]["track"] == "First"
            getattr(session.gnome, fault)()
            wait_for_sample(session.gnome, process)
            session.gnome.show(["org.gnome.TextEditor"], 0)
            wait_for_sample(session.gnome, process)
            ended = process.stop(signal.SIGTERM)
        saved = session.checkpoint
        assert "Quiet" not in saved + ended.out + ended.err
        assert "X11 desktop: read in place of GNOME Shell; where privacy options" in ended.err
        changes = [event["changes"] for event in json.loads(saved)["window"]["events"]]
        fronts = [each["active_app"] for each in changes if "active_app" in each]
        assert fronts == ["System", "org.gnome.TextEditor"]
        states = [each["music"]["state"] for each in changes if "music" in each]
        assert states == ["unavailable", "playing"]
        session.gnome.refuse()
        with started(*agent(url), env=session.environment) as process:
            process.wait_for("accepted; next in 300 s")
            process.stop(signal.SIGTERM)
        sent = ask(url, "GET", "/api/timeline").json["window"]
        assert "Quiet" not in json.dumps(sent)
        assert sent["events"][-1]["changes"]["active_app"] == "System"

    def test_the_names_that_a_dry_run_confirms_are_shown(self, session: Session, url: str) -> None:
        listed = session.dry_run("--confirm")
        assert listed.code == 0
        assert (
            "X11 desktop, read where the source before it cannot be: Quiet, Text-editor"
            in listed.err
        )
        session.x11.show(["Quiet", "Unseen"], 0)
        session.gnome.refuse()
        with (
            on_the_bus(session.gnome.address, player(song("Heard"), "radio")),
            started(*agent(url), env=session.environment) as process,
        ):
            process.wait_for("accepted; next in 300 s")
            process.stop(signal.SIGTERM)
        sent = ask(url, "GET", "/api/timeline").json["window"]["baseline"]
        assert (sent["active_app"], sent["running_apps"]) == ("Quiet", ["Quiet", "System"])
        assert sent["music"]["state"] == "unavailable"

    def test_one_name_in_all_sources_is_hidden_in_all_without_confirming(
        self, session: Session
    ) -> None:
        session.gnome.show([KEEPASS], 0)
        session.x11.show(["KeePassXC"], 0)
        session.hide("org.keepassxc.keepassxc")
        for _ in range(2):
            shown = session.dry_run()
            assert "KeePassXC" not in shown.out + shown.err
            assert json.loads(shown.out)["running_apps"] == ["System"]
            session.gnome.refuse()


class TestDryRun:
    def test_rules_that_hide_nothing_are_named(self, session: Session) -> None:
        session.hide("Diary", "*bank*", "org.example.Vault")
        text = session.dry_run()
        assert [line for line in text.err.splitlines() if "nothing" in line] == [
            f"{rule} matches nothing: open the app and repeat the dry run, or give the name that"
            " the dry run prints for it"
            for rule in ('hide "diary"', 'hide "*bank*"')
        ]
        found = json.loads(session.dry_run("--json").out)
        assert [(each["kind"], each["text"]) for each in found["unmatched"]] == [
            ("name", "diary"),
            ("pattern", "*bank*"),
        ]
        assert all("open the app" in each["message"] for each in found["unmatched"])
        assert found["snapshot"]["active_app"] == "org.gnome.TextEditor"
        assert found["sources"] == {
            "GNOME Shell": ["System", "org.gnome.TextEditor"],
            "X11 desktop": ["Quiet", "Text-editor"],
        }
        assert found["hidden"][0]["rule"] == {"kind": "name", "text": "org.example.vault"}
