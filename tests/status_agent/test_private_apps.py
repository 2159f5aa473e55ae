"""One app has many names: no source shows what a rule hides.

The X server and the session bus are real; the players are programs on the bus.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from Xlib import Xatom

from devicestatus.agent.privacy import PrivacyRules
from devicestatus.models import Music
from status_agent.capture.app_names import app_name, app_of_unit
from status_agent.capture.capture import Capture
from status_agent.capture.dbus import Players
from status_agent.capture.music import Wishes
from status_agent.capture.sources import Desktop
from support.devicestatus.players import Answer, on_the_bus, player, session_bus, song
from support.servers.commands import run_process
from support.status_agent.desktops import (
    LONG_TIMEOUT,
    FakeWayland,
    StartDesktop,
    X11Desktop,
    desktops,
    eventually,
)

pytestmark = pytest.mark.check

NOON = 1_767_268_800_000
UNAVAILABLE = Music("unavailable", None, None)


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


def shown_by(apps: Desktop, rule: str) -> tuple[str | None, object]:
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
        window = desktop.manager.window(b"instance\0W\0")
        atom = desktop.manager.atom("_NET_WM_PID")
        window.change_property(atom, Xatom.CARDINAL, 32, [process.pid])
        desktop.manager.activate(window)
        source = desktop.source(LONG_TIMEOUT)
        assert eventually(lambda: shown_by(source, program.name)[0] == "System")
        assert shown_by(source, program.name[:15])[0] == "System"
        process.kill()
        process.wait()
        assert shown_by(source, program.name)[0] == "W"


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
        desktop = start_desktop(FakeWayland)
        desktop.show([reported], 0)
        source = desktop.source(LONG_TIMEOUT)
        assert shown_by(source, "Unlisted") == (shown, (shown,))
        assert shown_by(source, reported) == ("System", ("System",))
        assert shown_by(source, shown) == ("System", ("System",))

    def test_a_class_of_an_x11_app_in_wayland_is_read_in_latin_1(
        self, start_desktop: StartDesktop
    ) -> None:
        desktop = start_desktop(FakeWayland)
        desktop.show(["Caf\udce9", "Ca\u00f1on"], 0)
        assert shown_by(desktop.source(LONG_TIMEOUT), "Other") == ("Café", ("Café", "Cañon"))

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
            (("wl_seat",), "", "apps: this compositor does not list its windows; no apps are sent"),
            (("wl_seat",), ":1", "apps: X11 desktop; this compositor does not list its windows"),
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


@pytest.fixture
def bus() -> Iterator[str]:
    with session_bus() as (address, _):
        yield address


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
        bus: str,
        tmp_path: Path,
        app: str,
        bus_name: str,
        properties: Mapping[str, Answer],
    ) -> None:
        desktop_file(tmp_path, "org.gnome.Rhythmbox3", Name="Rhythmbox")
        desktop = start_desktop(FakeWayland)
        desktop.show([app, "Editor"], 1)
        players = Players(bus, LONG_TIMEOUT)
        apps = desktop.source(LONG_TIMEOUT)
        capture = Capture(apps=apps, music=players, rules=PrivacyRules(names=[app]))
        heard = player(song(), bus_name)
        heard.properties.update(properties)
        with on_the_bus(bus, heard):
            assert capture.take(NOON).music == UNAVAILABLE
            desktop.show(["Editor"], 0)  # the window is closed, and the music goes on
            assert capture.take(NOON).music == UNAVAILABLE
            other = Capture(apps=apps, music=players, rules=PrivacyRules(names=["Other"]))
            assert other.take(NOON).music == Music("playing", "Song", "Band")
        players.close()

    @pytest.mark.parametrize(
        "values", [{"Exec": "flatpak run a"}, {"Exec": "b", "Categories": "WebBrowser;"}]
    )
    def test_the_music_of_an_app_that_has_only_a_common_name_of_a_hidden_one_is_shown(
        self, start_desktop: StartDesktop, bus: str, tmp_path: Path, values: Mapping[str, str]
    ) -> None:
        for identity in ("org.example.Talk", "org.example.Tune"):
            desktop_file(tmp_path, identity, Name=identity[-4:], **values)
        desktop = start_desktop(FakeWayland)
        desktop.show(["org.example.Talk"], 0)
        players = Players(bus, LONG_TIMEOUT)
        players.wishes = Wishes(players=("Tune",))
        apps = desktop.source(LONG_TIMEOUT)
        with on_the_bus(bus, player(song(), "org.example.Tune")):
            for hidden, music in (
                ("Talk", Music("playing", "Song", "Band")),
                ("Tune", UNAVAILABLE),
            ):
                rules = PrivacyRules(names=[hidden])
                taken = Capture(apps=apps, music=players, rules=rules).take(NOON)
                assert taken.music == music
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


class TestDryRun:
    def test_rules_that_hide_nothing_are_named(
        self, start_desktop: StartDesktop, tmp_path: Path
    ) -> None:
        desktop = start_desktop(X11Desktop)
        desktop.show(["Vault", "Editor"], 1)
        settings = tmp_path / "agent.toml"
        settings.write_text('[privacy]\nhide = ["Diary", "*bank*", "Vault"]\n')
        environment = {"DISPLAY": desktop.name, "XDG_RUNTIME_DIR": str(tmp_path)}
        command = ("agent", "--dry-run", "--config", str(settings))
        text = run_process(*command, env=environment)
        assert [line for line in text.err.splitlines() if "nothing" in line] == [
            f"{rule} matches nothing: open the app and repeat the dry run, or give the name that"
            " the dry run prints for it"
            for rule in ('hide "diary"', 'hide "*bank*"')
        ]
        found = json.loads(run_process(*command, "--json", env=environment).out)
        assert [(each["kind"], each["text"]) for each in found["unmatched"]] == [
            ("name", "diary"),
            ("name", "*bank*"),
        ]
        assert all("open the app" in each["message"] for each in found["unmatched"])
        assert found["snapshot"]["active_app"] == "Editor"
        assert found["hidden"][0]["rule"] == {"kind": "name", "text": "vault"}
