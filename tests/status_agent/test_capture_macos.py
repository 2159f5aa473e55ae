"""The sources of macOS: recorded output of its programs, printed by a program of the test's own."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from devicestatus import check_snapshot
from devicestatus.models import Music
from status_agent.capture import macos
from status_agent.capture.capture import Capture
from status_agent.capture.sources import PlayerMusic
from status_contracts.primitives import ABSENT
from support.status_agent.desktops import (
    LONG_TIMEOUT,
    FakeLaunchServices,
    FakeMusicPlayers,
    StartDesktop,
    desktops,
)

NOON = 1_767_268_800_000

MUSIC_UNAVAILABLE = Music("unavailable", None, None)
MUSIC_STOPPED = Music("stopped", None, None)


@pytest.fixture
def start_desktop(tmp_path: Path) -> Iterator[StartDesktop]:
    with desktops(tmp_path) as start_desktop:
        yield start_desktop


RECORDED = """\
 1) "loginwindow" ASN:0x0-0x2002:
    bundleID="com.apple.loginwindow"
    bundle path="/System/Library/CoreServices/loginwindow.app"
    executable path="/System/Library/CoreServices/loginwindow.app/Contents/MacOS/loginwindow"
    pid = 390 type="Foreground" flavor=3 Version="9.0" fileType="APPL" creator="lgnw" Arch=ARM64
 2) "ControlCenter" ASN:0x0-0x12012:
    bundleID="com.apple.controlcenter"
    pid = 601 type="UIElement" flavor=3 Version="1" fileType="APPL" creator="????" Arch=ARM64
 3) "Say "Hi" ASN: now" ASN:0x0-0x1e01e: (in front)
    bundleID=[ NULL ]
    bundle path=[ NULL ]
    pid = 702 type="Foreground" flavor=3 Version=[ NULL ] fileType="????" creator="????" Arch=ARM64
 4) "backgroundd" ASN:0x0-0x1f01f:
    pid = 703 type="BackgroundOnly" flavor=1
"""


class TestMacosApps:
    def test_only_apps_of_the_dock_are_running_apps(self, start_desktop: StartDesktop) -> None:
        desktop = start_desktop(FakeLaunchServices)
        desktop.write("list", RECORDED.encode())
        assert desktop.source(LONG_TIMEOUT).running_apps() == ("loginwindow", 'Say "Hi" ASN: now')

    @pytest.mark.parametrize(
        ("front", "name", "expected"),
        [
            ("ASN:0x0-0x1e01e:", '"LSDisplayName"="Say "Hi""', 'Say "Hi"'),
            ("ASN:0x0-0x1e01e", '"name"="Safari"', "Safari"),
            ("[ NULL ]", "", None),
            ("", "", None),
        ],
    )
    def test_the_foreground_app_has_its_displayed_name(
        self, start_desktop: StartDesktop, front: str, name: str, expected: str | None
    ) -> None:
        desktop = start_desktop(FakeLaunchServices)
        desktop.write("front", f"{front}\n".encode())
        desktop.write("name", f"{name}\n".encode())
        desktop.write("list", RECORDED.encode())
        assert desktop.source(LONG_TIMEOUT).active_app() == expected

    @pytest.mark.parametrize(
        ("front", "name"),
        [("-only name ASN:0x0-0x1:", ""), ("ASN:0x0-0x1:", ""), ("ASN:0x0-0x1:", "[ NULL ]")],
    )
    def test_an_unknown_output_is_a_failure(
        self, start_desktop: StartDesktop, front: str, name: str
    ) -> None:
        desktop = start_desktop(FakeLaunchServices)
        desktop.write("front", front.encode())
        desktop.write("name", name.encode())
        source = desktop.source(LONG_TIMEOUT)
        assert (source.active_app(), source.running_apps()) == (None, ABSENT)

    def test_a_machine_without_the_programs_has_no_source(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        finders: list[tuple[str, Callable[[], object]]] = [
            ("LSAPPINFO", macos.find),
            ("OSASCRIPT", macos.find_players),
        ]
        for name, find in finders:
            monkeypatch.setattr(macos, name, str(tmp_path / "none"))
            assert find() is None
            monkeypatch.setattr(macos, name, str(tmp_path))
            assert find() is not None


def playing(
    track: object = "Song", artist: object = "Band", state: object = "playing"
) -> dict[str, object]:
    return {"state": state, "track": track, "artist": artist}


class TestMacosMusic:
    @pytest.mark.parametrize(
        ("players", "music"),
        [
            ((playing(), None), Music("playing", "Song", "Band")),
            ((None, playing()), Music("playing", "Song", "Band")),
            ((playing(state="paused"), playing("Other")), Music("playing", "Other", "Band")),
            ((playing(state="paused"), None), Music("paused", "Song", "Band")),
            ((playing(state="fast forwarding"), None), Music("playing", "Song", "Band")),
            ((playing(state="stopped"), None), MUSIC_STOPPED),
            ((None, None), MUSIC_STOPPED),
            ((playing(state=None), None), MUSIC_UNAVAILABLE),
            ((playing(state="buffering"), playing(state=7)), MUSIC_UNAVAILABLE),
            ((playing(state=None), playing()), Music("playing", "Song", "Band")),
            ((playing(7, ["Band"]), None), Music("playing", None, None)),
            (({"state": "playing"}, None), Music("playing", None, None)),
        ],
    )
    def test_state_and_metadata_are_independent_and_a_playing_player_comes_first(
        self, start_desktop: StartDesktop, players: tuple[object, ...], music: Music
    ) -> None:
        desktop = start_desktop(FakeMusicPlayers)
        desktop.play(*players)
        source = desktop.players()
        assert source.music().music == music
        source.close()

    @pytest.mark.parametrize(
        ("players", "names"),
        [
            ((playing(), None), ("com.apple.Music", "Music")),
            ((None, playing()), ("com.spotify.client", "Spotify")),
            (
                (playing() | {"names": ["Musik", None, 7]}, None),
                ("com.apple.Music", "Music", "Musik"),
            ),
        ],
    )
    def test_music_comes_with_all_names_of_its_player(
        self, start_desktop: StartDesktop, players: tuple[object, ...], names: tuple[str, ...]
    ) -> None:
        desktop = start_desktop(FakeMusicPlayers)
        desktop.play(*players)
        assert desktop.players().music().players == names

    def test_a_program_that_is_gone_is_unavailable(self, start_desktop: StartDesktop) -> None:
        desktop = start_desktop(FakeMusicPlayers)
        desktop.end()
        assert desktop.players().music() == PlayerMusic(MUSIC_UNAVAILABLE)

    def test_any_output_yields_a_valid_snapshot(self, start_desktop: StartDesktop) -> None:
        desktop = start_desktop(FakeMusicPlayers)
        source = desktop.players()
        facts = st.dictionaries(
            st.sampled_from(["state", "track", "artist"]),
            st.none() | st.text(max_size=5) | st.integers() | st.just("playing"),
        )

        @settings(max_examples=25)
        @given(st.binary(max_size=50) | st.lists(facts).map(lambda v: json.dumps(v).encode()))
        @example(b"{}")
        @example(b"null")
        def obeys(output: bytes) -> None:
            desktop.respond_with(output)
            taken = Capture(music=source).take(NOON)
            assert check_snapshot(taken, received_at=NOON) == ()

        obeys()
