"""The real X11 desktop (a private Xvfb) and the real session bus (a private dbus-daemon)."""

import os
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import attrs
import pytest
from Xlib import X, Xatom

from devicestatus.models import Music
from status_agent.capture.dbus import Players, find_players
from status_agent.capture.music import Wishes
from status_agent.capture.sources import MUSIC_STOPPED, MUSIC_UNAVAILABLE, Desktop
from status_contracts.primitives import ABSENT
from support.devicestatus.players import (
    LONG_TIMEOUT,
    Answer,
    Player,
    on_the_bus,
    player,
    session_bus,
    song,
)
from support.status_agent.desktops import Manager, x11_desktop, x_server

pytestmark = pytest.mark.check


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    with x_server() as (display, _):
        yield display


@pytest.fixture
def manager(screen: str) -> Iterator[Manager]:
    manager = Manager(screen)
    manager.clear()
    yield manager
    manager.display.close()


@pytest.fixture
def desktop(screen: str) -> Iterator[Desktop]:
    desktop = x11_desktop(screen, LONG_TIMEOUT)
    yield desktop
    desktop.close()


class TestActiveApp:
    def test_a_closed_window_is_no_app_and_no_failure(
        self, manager: Manager, desktop: Desktop, caplog: pytest.LogCaptureFixture
    ) -> None:
        window = manager.window(b"a\0App\0")
        manager.activate(window)
        window.destroy()
        manager.display.sync()
        assert desktop.active_app() is None
        assert caplog.messages == []

    @pytest.mark.parametrize("kind", ["DESKTOP", "DOCK"])
    def test_the_panel_and_the_desktop_itself_are_no_apps(
        self, manager: Manager, desktop: Desktop, kind: str
    ) -> None:
        manager.activate(manager.window(b"panel\0Panel\0", kind))
        assert desktop.active_app() is None

    @pytest.mark.parametrize(
        ("raw", "name"),
        [
            (None, None),
            (b"instance\0", "instance"),
            (b"instance", "instance"),
            (b"\0\0", None),
            (b"instance\0Class", "Class"),
            (b"instance\0Class\0rest\0", "Class"),
            (b"a\0 \t\x01\x7f \0", "a"),
            (b"\xe2\x80\x8b\0 \0", None),
            (b"a\0Two\nLines\x1b\0", "Two\nLines\x1b"),
            (b"a\0Caf\xe9\0", "Café"),
            (b"a\0" + "é".encode() * 9000 + b"\0", "é" * 9000),
            (b"a" * 9000 + b"\0Class\0", "Class"),
        ],
    )
    def test_the_name_is_whole_and_as_the_window_gave_it(
        self, manager: Manager, desktop: Desktop, raw: bytes | None, name: str | None
    ) -> None:
        manager.activate(manager.window(raw))
        assert desktop.active_app() == name

    def test_a_class_that_is_not_read_whole_or_is_no_text_is_no_app(
        self, manager: Manager, desktop: Desktop
    ) -> None:
        long, other = manager.window(None), manager.window(None)
        for part in [b"a\0", *[b"x" * 131_072] * 8, b" Secret\0"]:
            long.change_property(Xatom.WM_CLASS, Xatom.STRING, 8, part, mode=X.PropModeAppend)
        other.change_property(Xatom.WM_CLASS, Xatom.CARDINAL, 32, [1, 2, 3])
        for window in (long, other):
            manager.activate(window)
            assert desktop.active_app() is None


class TestRunningApps:
    def test_the_apps_of_all_windows_are_listed_once(
        self, manager: Manager, desktop: Desktop
    ) -> None:
        manager.list_windows(
            manager.window(b"t\0Terminal\0"),
            manager.window(b"panel\0Panel\0", "DOCK"),
            manager.window(b"e\0Editor\0"),
            manager.window(None),
            manager.window(b"calc\0"),
            manager.window(b"t2\0Terminal\0"),
        )
        assert desktop.running_apps() == ("Terminal", "Editor", "calc")

    def test_windows_without_a_name_are_not_known_and_panels_are_no_windows(
        self, manager: Manager, desktop: Desktop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path))
        panel, nameless = manager.window(b"panel\0Panel\0", "DOCK"), manager.window(None)
        manager.list_windows(panel)
        assert desktop.running_apps() == ()
        manager.list_windows(panel, nameless)
        assert desktop.running_apps() is ABSENT
        process = manager.atom("_NET_WM_PID")
        nameless.change_property(process, Xatom.CARDINAL, 32, [os.getpid()])
        manager.display.sync()
        program = Path("/proc/self/exe").readlink().name
        assert desktop.running_apps() == (program,)

    def test_a_desktop_without_a_list_is_absent(self, manager: Manager, desktop: Desktop) -> None:
        assert desktop.running_apps() is ABSENT

    def test_a_closed_window_is_left_out(
        self, manager: Manager, desktop: Desktop, caplog: pytest.LogCaptureFixture
    ) -> None:
        gone, kept = manager.window(b"g\0Gone\0"), manager.window(b"k\0Kept\0")
        manager.list_windows(gone, kept)
        gone.destroy()
        manager.display.sync()
        assert desktop.running_apps() == ("Kept",)
        assert caplog.messages == []


@pytest.fixture(scope="module")
def bus() -> Iterator[str]:
    with session_bus() as (address, _):
        yield address


@pytest.fixture
def players(bus: str) -> Iterator[Players]:
    players = Players(bus, LONG_TIMEOUT)
    yield players
    players.close()


def of(
    name: str, *, status: str = "Playing", title: object = "Song", artist: object = ""
) -> Player:
    """Return a player; a title or an artist that is a text is reported as most report it."""
    metadata: dict[str, Answer] = {}
    if title:
        metadata["title"] = title if isinstance(title, tuple) else ("s", title)
    if artist:
        metadata["artist"] = artist if isinstance(artist, tuple) else ("as", [artist])
    return player(metadata, name, status)


def named(made: Player, identity: str) -> Player:
    made.properties["Identity"] = ("s", identity)
    return made


PAGE = "Clinic portal - test results of a patient"
PAGES = ("track: of a browser that is not in music.players",)
DOCUMENTS = ("track: a path, a URL or the name of a file",)
LEFT = ("players of other devices, repeaters and ignored ones: 1",)
FULL = ("playing", "Song", "Band")
NO_SONG = ("playing", None, None)
STOPPED = ("stopped", None, None)
UNKNOWN = ("unavailable", None, None)


class TestMusic:
    @pytest.mark.parametrize(
        ("listed", "music", "withheld"),
        [
            ([], STOPPED, ()),
            ([player(song("Song", "One", "Two"))], ("playing", "Song", "One, Two"), ()),
            # playing comes before paused
            ([of("a", status="Paused", artist="Band"), of("b")], ("playing", "Song", None), ()),
            ([of("a", status="Stopped"), of("b", status="Paused")], ("paused", "Song", None), ()),
            # then a title, then an artist, then the name
            ([of("a", title=""), of("b")], ("playing", "Song", None), ()),
            ([of("a", title="\u200b"), of("b")], ("playing", "Song", None), ()),
            ([of("a", title="Alone"), of("b", artist="Band")], FULL, ()),
            ([of("b", title="Second"), of("a", title="First")], ("playing", "First", None), ()),
            ([of("mpd", status="Paused", title=""), of("s", status="Paused")],
             ("paused", "Song", None), ()),
            # browsers keep their state only
            ([of("chromium.instance77", title=PAGE, artist=("as", [""]))], NO_SONG, PAGES),
            ([of("firefox.instance_1_52", title=PAGE)], NO_SONG, PAGES),
            ([of("firefox_firefox", title=PAGE)], NO_SONG, PAGES),
            ([of("plasma-browser-integration", title=PAGE)], NO_SONG, PAGES),
            ([named(of("any", title=PAGE), "Microsoft Edge")], NO_SONG, PAGES),
            ([named(of("any", title=PAGE), "Mozilla Nightly")], NO_SONG, PAGES),
            ([of("webkit.instance4711-1", title=PAGE)], NO_SONG, PAGES),
            ([of("firefox", title=PAGE), of("spotify", artist="Band")], FULL, ()),
            ([of("chromium", title=""), of("spotify", artist="Band")], FULL, ()),
            # no document is a song
            ([of("mpv", title="/home/jane/Videos/2026 divorce hearing.mp4")], NO_SONG, DOCUMENTS),
            ([of("vlc", title="https://user:secret@nas.example/clip.mp4?token=abc")], NO_SONG,
             DOCUMENTS),
            ([of("mpv", title="webm&gir=yes&clen=1&ip=203.0.113.9&sig=abc")], NO_SONG, DOCUMENTS),
            ([of("mpv", title="a.mp4"), of("z", artist="Band")], FULL, ()),
            # nothing of other devices, of repeaters, and between songs
            ([of("kdeconnect.mpris_b617976e", title="Phone video")], STOPPED, LEFT),
            ([of("playerctld")], STOPPED, LEFT),
            ([named(of("any"), "KDE Connect")], STOPPED, LEFT),
            ([of("kdeconnect.mpris_1"), of("spotify", artist="Band")], FULL, LEFT),
            # a player that reports no state is not known to be stopped
            ([of("a", status="Stopped"), of("b", status="Buffering")], UNKNOWN, ()),
            ([of("a", status="Stopped")], STOPPED, ()),
        ],
    )  # fmt: skip
    def test_one_player_is_shown_and_nothing_of_pages_files_and_other_devices(
        self,
        bus: str,
        players: Players,
        listed: list[Player],
        music: tuple[object, ...],
        withheld: tuple[str, ...],
    ) -> None:
        with on_the_bus(bus, *listed):
            heard = players.music()
        assert attrs.astuple(heard.music)[:3] == music
        assert heard.withheld == withheld

    @pytest.mark.parametrize(
        ("wishes", "track"),
        [
            (Wishes(), "B"),
            (Wishes(players=("mpd",)), "D"),
            (Wishes(players=("gone", "MPD", "spotify")), "D"),
            (Wishes(players=("fire*",)), "C"),
            (Wishes(players=("kdeconnect*", "firefox")), "E"),
            (Wishes(ignore=("spotify",)), "D"),
            (Wishes(ignore=("spotify", "mpd")), None),
            (Wishes(ignore=("spot*", "mpd", "Web Thing")), "A"),
            (Wishes(players=("spotify",), ignore=("spotify",)), "D"),
        ],
    )
    def test_the_user_orders_lists_and_ignores_players(
        self, bus: str, players: Players, wishes: Wishes, track: str | None
    ) -> None:
        listed = [
            of("aimp", status="Paused", title="A", artist="Band"),
            of("spotify", title="B", artist="Band"),
            named(of("firefox.instance_1_52", title="C", artist="Site"), "Web Thing"),
            of("mpd", title="D"),
            of("kdeconnect.mpris_1", title="E", artist="Band"),
        ]
        players.wishes = wishes
        with on_the_bus(bus, *listed):
            assert players.music().music.track == track

    def test_the_player_that_changed_last_is_shown(self, bus: str, players: Players) -> None:
        first, second = of("a", title="Old"), of("b", title="New")
        with on_the_bus(bus, first, second):
            assert players.music().music.track == "Old"
            second.properties.update(of("b", title="Newer").properties)
            assert [players.music().music.track for _ in range(2)] == ["Newer"] * 2
            for each in (first, second):
                each.properties["PlaybackStatus"] = ("s", "Paused")
                track = players.music().music.track
            assert track == "Newer"
            first.properties["PlaybackStatus"] = ("s", "Playing")
            assert players.music().music.track == "Old"

    def test_a_browser_is_known_by_the_category_of_its_desktop_file(
        self, bus: str, players: Players, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "applications").mkdir()
        entry = "[Desktop Entry]\nName=Owl\nCategories=Network;WebBrowser;\n"
        (tmp_path / "applications/org.example.Owl.desktop").write_text(entry)
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        owl = of("owl", title=PAGE, artist="Site")
        owl.properties["DesktopEntry"] = ("s", "org.example.Owl")
        with on_the_bus(bus, owl):
            assert players.music().music == Music("playing", None, None)

    def test_of_more_players_than_are_asked_none_is_stopped(
        self, bus: str, players: Players
    ) -> None:
        ignored = [of(f"site{n:02}") for n in range(18)]
        for each in ignored:
            each.properties["Identity"] = ("s", "Site")
        players.wishes = Wishes(ignore=("Site",))
        with on_the_bus(bus, *ignored[:16]):
            assert players.music().music.state == "stopped"
        with on_the_bus(bus, *ignored):
            assert players.music().music.state == "unavailable"

    def test_what_is_played_between_songs_is_no_song(self, bus: str, players: Players) -> None:
        spot = of("spotify", title="Advertisement", artist="Shop")
        _, metadata = spot.properties["Metadata"]
        assert isinstance(metadata, dict)
        metadata["mpris:trackid"] = ("s", "spotify:ad:0f8fad5b")
        with on_the_bus(bus, spot):
            assert players.music().music == Music("playing", None, None)


class TestMetadata:
    @pytest.mark.parametrize(
        ("metadata", "track", "artist"),
        [
            ({}, None, None),
            ({"title": ("s", "Song")}, "Song", None),
            ({"title": ("s", " \n "), "artist": ("as", ["", " "])}, None, None),
            ({"title": ("s", "Song"), "artist": ("as", ["", "Band", " "])}, "Song", "Band"),
            ({"title": ("s", "Song"), "artist": ("s", "One Name")}, "Song", "One Name"),
            ({"title": ("i", 7), "artist": ("as", ["Band"])}, None, "Band"),
            ({"title": ("v", ("s", "Song")), "artist": ("av", [("s", "One"), ("s", "Two")])},
             "Song", "One, Two"),
            ({"artist": ("v", ("av", [("as", ["One"]), ("i", 7), ("v", ("s", "Two"))]))},
             None, "One, Two"),
            ({"title": ("s", "\u2060\u00ad"), "artist": ("as", ["\u3164", "Band"])}, None, "Band"),
            ({"title": ("s", "So\tng\x07\x7f")}, "So ng", None),
            ({"title": ("s", "한" * 600), "artist": ("as", ["x" * 400] * 3)},
             "한" * 500, "x" * 400 + ", " + "x" * 98)
        ]
    )  # fmt: skip
    def test_only_an_unusable_field_is_null(
        self,
        bus: str,
        players: Players,
        metadata: dict[str, Answer],
        track: str | None,
        artist: str | None,
    ) -> None:
        with on_the_bus(bus, player(metadata)):
            assert players.music().music == Music("playing", track, artist)

    @pytest.mark.parametrize(
        "metadata", [None, ("s", "no metadata"), ("a{ss}", {"xesam:title": "Song"}), ("a{sv}", {})]
    )
    def test_a_player_without_metadata_keeps_its_state(
        self, bus: str, players: Players, metadata: Answer | None
    ) -> None:
        unusual = player({}, status="Paused")
        del unusual.properties["Metadata"]
        if metadata is not None:
            unusual.properties["Metadata"] = metadata
        with on_the_bus(bus, unusual):
            assert players.music().music == Music("paused", None, None)


class TestNamesOfThePlayer:
    @pytest.mark.parametrize(
        ("name", "properties", "names"),
        [
            ("vlc.instance7389", {}, ("vlc.instance7389", "vlc")),
            (
                "org.One",
                {"Identity": ("s", "\u200eOne Player"), "DesktopEntry": ("s", "com.example.One")},
                ("org.One", "\u200eOne Player", "com.example.One"),
            ),
            ("one", {"Identity": ("i", 7), "DesktopEntry": ("as", ["one"])}, ("one",)),
        ],
    )
    def test_music_comes_with_all_names_of_its_player(
        self,
        bus: str,
        players: Players,
        name: str,
        properties: dict[str, Answer],
        names: tuple[str, ...],
    ) -> None:
        played = player(song(), name)
        played.properties.update(properties)
        with on_the_bus(bus, played):
            received = players.music()
        assert received.music == Music("playing", "Song", "Band")
        assert received.players == names

    def test_a_player_that_does_not_say_who_it_is_is_unavailable(self, bus: str) -> None:
        players = Players(bus, 4.0)
        with on_the_bus(bus, attrs.evolve(player(song()), mute=frozenset({"Identity"}))):
            assert players.music() == MUSIC_UNAVAILABLE
        players.close()


class TestSeveralPlayers:
    def test_a_silent_one_does_not_hide_the_others(self, bus: str) -> None:
        silent = Player("a", {}, silent=True)
        players = Players(bus, 8.0)
        with on_the_bus(bus, silent, Player("b", {}, silent=True), player(song(), "c")):
            before = monotonic()
            assert players.music().music == Music("playing", "Song", "Band")
            assert monotonic() - before < 2 * 8.0 / 4  # one wait for both, not one for each
        players.close()


class TestUnreadablePlayers:
    @pytest.mark.parametrize("status", [("s", "Buffering"), ("i", 1), None])
    def test_an_unknown_state_and_an_error_are_unavailable(
        self, bus: str, players: Players, status: Answer | None
    ) -> None:
        properties = {} if status is None else {"PlaybackStatus": status}
        with on_the_bus(bus, Player("one", properties)):
            assert players.music() == MUSIC_UNAVAILABLE

    def test_a_late_answer_is_not_taken_for_a_later_one(self, bus: str) -> None:
        players = Players(bus, 6.0)
        slow = player(song("Old"))
        slow.silent = True
        with on_the_bus(bus, slow):
            assert players.music() == MUSIC_UNAVAILABLE
            slow.silent = False
            slow.properties.update(player(song("New"), status="Paused").properties)
            assert players.music().music == Music("paused", "New", "Band")
        players.close()


class TestFindPlayers:
    def test_the_runtime_folder_has_the_bus_of_a_session(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
        assert find_players() is None
        with session_bus(f"unix:path={tmp_path}/bus"):
            found = find_players()
            assert found is not None
            players = attrs.evolve(found, timeout_seconds=LONG_TIMEOUT)
            assert players.music() == MUSIC_STOPPED
            players.close()
