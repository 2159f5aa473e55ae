"""Snapshots of this machine: cleaning, time limits, batteries, and the combined sources."""

import json
import logging
import math
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

import attrs
import psutil
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from devicestatus import check_snapshot, limits
from devicestatus.agent.cleaning import clean_app_name, clean_title, names_document
from devicestatus.agent.privacy import PrivacyRules, Switches
from devicestatus.models import Battery, Music, Snapshot, System
from status_agent.capture import dbus, machine, sources, wayland
from status_agent.capture.capture import Capture
from status_agent.capture.machine import Machine
from status_contracts.primitives import ABSENT, Absent, has_control, has_surrogate, is_trimmed

NOON = 1_767_268_800_000
LONG_TIMEOUT = 30.0  # seconds; far more than any reading here needs, even on a busy machine

UNKNOWN_BATTERY = Battery(None, None, "unknown")
UNKNOWN_SYSTEM = System(None, None, None)
SONG = Music("playing", "Song", "Band")

any_text = st.text(st.characters(codec=None), max_size=40) | st.text(max_size=700)


class TestCleaning:
    @given(any_text)
    @example("\x00\x1f\x7f")
    @example("\udcff")
    def test_text_is_fit_or_none(self, text: str) -> None:
        for fit, most in ((clean_app_name(text), 200), (clean_title(text), 500)):
            if fit is not None:
                assert 1 <= len(fit) <= most
                assert is_trimmed(fit)
                assert not has_control(fit)
                assert not has_surrogate(fit)

    @pytest.mark.parametrize(
        "title",
        [
            "~/Videos/clip",
            "../x/clip",
            r"C:\Users\jane\Videos\hearing",
            r"\\nas\share\clip",
            "Playing /home/jane/private/clip",
            "\u200b/home/jane/clip",
            "／home／jane／clip",
            "/\x00home/jane/clip",
            "https://user:secret@nas.example/private/clip.mp4?token=abc",
            "Live: https://radio.example/stream",
            "user:secret@nas.example",
            "jane@nas:/export/clip",
            "anna@laptop: ~/Documents",
            "root@srv: /etc",
            "nas.example/private/clip",
            "www.example.org",
            "192.168.1.5:8000",
            "localhost:8000/live",
            "radio.example:8000",
            "[fe80::1%25eth0]:8096/web",
            "http:/nas.example/clip",
            "mtp:/Phone/clip",
            "nas:/export/clip",
            r"\\?\C:\clip",
            r"Videos\private\clip",
            "file:///home/jane/clip",
            "magnet:?xt=urn:btih:abc",
            "data:audio/wav;base64,AAA",
            "webm&gir=yes&clen=1&ip=203.0.113.9&sig=abc",
            "videoplayback?expire=1&ei=2",
            "2026%20divorce%20hearing",
            "divorce hearing.MP4",
            "divorce hearing .mp4",
            "hearing..mp4",
            ".mp4",
            *(
                f"hearing.{suffix}"
                for suffix in ("3ga", "cda", "divx", "dvr-ms", "h265", "ifo", "tod")
            ),
            *(r"Music\01 - Song.flac", r"Videos\hearing", r"2026\TV"),
            "Hearing.mkv - mpv",
            "clip.\u200bmp4",
            "clip．ｍｐ４",
            "clip․𝐦𝐩𝟒",
            "index.m3u8",
            "x" * 496 + ".mp4",
            "x" * 496 + ".mp4z",
            "x" * 600 + ".mp4",
        ],
    )
    def test_a_path_a_url_and_a_media_file_are_no_titles(self, title: str) -> None:
        assert clean_title(title) is None
        assert names_document(title) == (title[-1] != "z")

    @pytest.mark.parametrize(
        "title",
        r"""AC/DC; 24/7; Yes/No/Maybe; S.O.S.; Mr. Mp3; Re:Stacks; ~Prologue~; Love / Hate; What?
        Q&A; Song (feat. A.B.); 12:30; A & B = C; U.S.A./Canada; ...And Justice; // Intro; S/T
        100% Pure Love; P!nk @ Home; No.1/No.2; 1.2.3.4; w/ you; 7/8 Groove; x: y; Will.I.Am
        ...Au revoir; dj@night: Remix; Monday:/; [1:02] Intro; Mr.Clock 12:30; AC\DC; N\A
        ＡＣ＼ＤＣ; Say ...Au revoir; Kiss My ...Ass; Leben...Tod; A.G. Cook.QT; Sirius.XM; Tik.Tak
        King .. .Mod""".replace("\n", ";").split(";"),
    )
    def test_a_song_with_unusual_signs_is_a_title(self, title: str) -> None:
        assert clean_title(title) == title.strip()

    @pytest.mark.parametrize(
        "text",
        ["\u200b", "\u2060 \u00ad", "\u3164", "\u2800", "\U000e0041", "\x85", "\ufe0f\ufeff"],
    )
    def test_a_text_of_which_nothing_is_visible_is_none(self, text: str) -> None:
        assert (clean_title(text), clean_app_name(text)) == (None, None)
        assert clean_title(f"{text}a") is not None

    def test_a_cut_does_not_leave_a_space_at_the_end(self) -> None:
        assert clean_app_name("a" * 199 + " b") == "a" * 199


class TestTimedReader:
    def test_a_reason_is_reported_once_and_again_after_a_success(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO)
        attempts = sources.TimedReader()
        faults: list[Exception | None] = [
            OSError(), OSError(), KeyError(), None, None, OSError()
        ]  # fmt: skip

        def read() -> int:
            fault = faults.pop(0)
            if fault is not None:
                raise fault
            return 1

        assert [attempts.run("it", read, 0, LONG_TIMEOUT) for _ in range(6)] == [0, 0, 0, 1, 1, 0]
        assert caplog.messages == [
            "it: not readable (OSError)",
            "it: not readable (KeyError)",
            "it: readable again",
            "it: not readable (OSError)",
        ]


Supplies = dict[str, dict[str, str]]


def machine_of(folder: Path, supplies: Supplies) -> Machine:
    """Return a machine with a folder in the form of Linux's power supplies."""
    for name, attributes in supplies.items():
        (folder / name).mkdir()
        for attribute, value in attributes.items():
            (folder / name / attribute).write_text(f"{value}\n")
    return Machine(folder, LONG_TIMEOUT, "linux")


def battery_of(status: str, **attributes: str) -> dict[str, str]:
    return {"type": "Battery", "capacity": "64", "status": status, **attributes}


def energy_of(status: str, now: str, full: str, **attributes: str) -> dict[str, str]:
    shares = {"energy_now": now, "energy_full": full, "capacity": "57"}
    return battery_of(status, **{**shares, **attributes})


MOUSE = {"hidpp_battery_0": battery_of("Discharging", scope="Device")}
MAINS = {"AC": {"type": "Mains", "online": "1"}}
UNPLUGGED = {"AC": {"type": "Mains", "online": "0"}}
PORT = {"ucsi": {"type": "USB", "online": "1"}}
KEYBOARD = {"0003:05AC-battery": battery_of("Discharging", scope="Device", capacity="3")}
PEN = {"wacom_ac_0": {"type": "Mains", "online": "1", "scope": "Device"}}


class TestBattery:
    @pytest.mark.parametrize(
        ("supplies", "expected"),
        [
            ({}, UNKNOWN_BATTERY),
            (MAINS, Battery(None, None, "ac")),
            (UNPLUGGED, UNKNOWN_BATTERY),
            (MOUSE, UNKNOWN_BATTERY),
            ({"UPS": {"type": "UPS", "capacity": "50"}}, UNKNOWN_BATTERY),
            ({"BAT0": battery_of("Charging")}, Battery(64, True, "ac")),
            ({"BAT0": battery_of("Discharging")}, Battery(64, False, "battery")),
            ({"BAT0": battery_of("Full")}, Battery(64, False, "unknown")),
            ({"BAT0": battery_of("Full"), **UNPLUGGED}, Battery(64, False, "battery")),
            ({"BAT0": battery_of("Not charging")}, Battery(64, False, "unknown")),
            ({"BAT0": battery_of("Unknown")}, Battery(64, None, "unknown")),
            # mains power does not imply charging, and charging implies it
            ({"BAT0": battery_of("Not charging"), **MAINS}, Battery(64, False, "ac")),
            *(
                (
                    {"BAT0": battery_of("Not charging"), "AC": {"type": kind, "online": on}},
                    Battery(64, False, "ac"),
                )
                for kind in ("Mains", "USB", "USB_PD", "USB_DCP", "BrickID", "Wireless")
                for on in "12"
            ),
            ({"BAT0": battery_of("Charging"), **UNPLUGGED}, Battery(64, True, "ac")),
            ({"BAT0": battery_of("Discharging"), **MAINS}, Battery(64, False, "ac")),
            # a port may feed something else
            ({"BAT0": battery_of("Discharging"), **PORT}, Battery(64, False, "battery")),
            # any name; none that is absent; no peripheral, wherever its name is in the order
            ({"CMB0": battery_of("Discharging"), **UNPLUGGED}, Battery(64, False, "battery")),
            ({"qcom-battmgr-bat": battery_of("Full"), **MAINS}, Battery(64, False, "ac")),
            (
                {"BAT0": battery_of("Unknown", present="0"), "BAT1": battery_of("Discharging")},
                Battery(64, False, "battery"),
            ),
            ({"BAT0": battery_of("Discharging"), **KEYBOARD}, Battery(64, False, "battery")),
            ({"BAT0": battery_of("Discharging"), **PEN}, Battery(64, False, "battery")),
            # several are one: by energy, else by charge, else by what they report
            (
                {
                    "BAT0": energy_of("Not charging", "22080000", "24000000"),
                    "BAT1": energy_of("Discharging", "3840000", "72000000"),
                },
                Battery(27, False, "battery"),
            ),
            (
                {"A": battery_of("Full", charge_now="3", charge_full="4"), **MAINS},
                Battery(75, False, "ac"),
            ),
            (
                {
                    "A": energy_of("Full", "1", "2", capacity="50"),
                    "B": battery_of("Full", charge_now="3", charge_full="4", capacity="75"),
                },
                Battery(62.5, False, "unknown"),
            ),
            (
                {"A": battery_of("Full", capacity="90"), "B": battery_of("Full", capacity="")},
                Battery(90, False, "unknown"),
            ),
            ({"A": energy_of("Charging", "33333", "50000")}, Battery(66.7, True, "ac")),
            # a little too much is full, more is not known, and nothing is divided by 0
            ({"A": energy_of("Full", "50010000", "50000000")}, Battery(100, False, "unknown")),
            ({"A": energy_of("Full", "55", "50")}, Battery(100, False, "unknown")),
            ({"A": energy_of("Full", "7", "5")}, Battery(None, False, "unknown")),
            ({"A": energy_of("Full", "0", "0")}, Battery(57, False, "unknown")),
            ({"A": energy_of("Full", "0", "0", capacity="")}, Battery(None, False, "unknown")),
            (  # a dead one holds nothing, whatever it says
                {
                    "A": energy_of("Discharging", "10", "50", capacity="20"),
                    "B": energy_of("Unknown", "50", "0", capacity="0"),
                },
                Battery(20, None, "battery"),
            ),
            ({"A": battery_of("Discharging", capacity="103")}, Battery(100, False, "battery")),
            ({"A": battery_of("Discharging", capacity="255")}, Battery(None, False, "battery")),
            ({"A": battery_of("Discharging", capacity="-7")}, Battery(None, False, "battery")),
            ({"A": energy_of("Charging", "lots", "more")}, Battery(57, True, "ac")),
            ({"A": battery_of("Charging", capacity="many")}, Battery(None, True, "ac")),
        ],
    )
    def test_it_is_what_the_supplies_report(
        self, supplies: Supplies, expected: Battery, tmp_path: Path
    ) -> None:
        assert machine_of(tmp_path, supplies).battery() == expected

    @pytest.mark.parametrize("text", [None, b"\xff\xfeCharging\x00"])
    def test_an_attribute_that_cannot_be_read_is_not_known(
        self, text: bytes | None, tmp_path: Path
    ) -> None:
        made = machine_of(tmp_path, {"BAT0": {"type": "Battery", "capacity": "50"}})
        status = tmp_path / "BAT0" / "status"
        status.mkdir() if text is None else status.write_bytes(text)
        assert made.battery() == Battery(50, None, "unknown")

    @pytest.mark.parametrize(
        ("percent", "is_plugged", "expected"),
        [
            (64.25, True, Battery(64.2, None, "ac")),
            (64, False, Battery(64, None, "battery")),
            (101, None, UNKNOWN_BATTERY),
        ],
    )
    def test_elsewhere_psutil_reads_it(
        self,
        percent: float,
        is_plugged: bool | None,
        expected: Battery,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        read = SimpleNamespace(percent=percent, power_plugged=is_plugged)
        monkeypatch.setattr(psutil, "sensors_battery", lambda: read)
        mac = Machine(timeout_seconds=LONG_TIMEOUT, platform="darwin")
        assert (mac.battery(), mac.has_battery()) == (expected, True)
        monkeypatch.setattr(psutil, "sensors_battery", lambda: None)
        assert (mac.battery(), mac.has_battery()) == (UNKNOWN_BATTERY, False)

    @given(
        st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    name: st.sampled_from(["", "0", "1", "-1", "55", "1e9", "9" * 400, "nan"])
                    | st.sampled_from(["Battery", "Mains", "Device", "Charging", "Full"])
                    for name in (
                        "type", "scope", "status", "online", "capacity", "energy_now",
                        "energy_full", "charge_now", "charge_full", "present",
                    )
                },
            ),
            max_size=3,
        )
    )  # fmt: skip
    def test_any_content_of_sysfs_yields_a_valid_battery(
        self, tmp_path_factory: pytest.TempPathFactory, supplies: list[dict[str, str]]
    ) -> None:
        named = dict(zip(("AC0", "BAT0", "BAT1"), supplies, strict=False))
        battery = machine_of(tmp_path_factory.mktemp("supplies"), named).battery()
        found = attrs.evolve(a_snapshot(), battery=battery)
        assert check_snapshot(found, received_at=NOON) == ()


class TestLoad:
    def test_the_load_is_this_machines(self) -> None:
        if not hasattr(os, "getloadavg"):
            pytest.skip("this system has no load average")
        found = Machine(timeout_seconds=LONG_TIMEOUT).system()
        for reported, real in zip(attrs.astuple(found), os.getloadavg(), strict=True):
            assert reported == pytest.approx(real, abs=5.0)

    @pytest.mark.parametrize(
        ("loads", "is_emulated", "expected"),
        [
            ((0.52001953125, 2.0, 0.0), False, System(0.52, 2, 0)),
            ((0.0, 0.0, 0.0), False, System(0, 0, 0)),
            ((0.0, 0.0, 0.0), True, UNKNOWN_SYSTEM),  # an emulation without samples
            ((0.0, 0.0, 0.01), True, System(0, 0, 0.01)),
            ((math.nan, 100_000.5, 100_000.0), False, System(None, None, 100_000)),
        ],
    )
    def test_it_is_rounded_as_kernels_print_it_and_within_the_limits(
        self, loads: tuple[float, ...], is_emulated: bool, expected: System
    ) -> None:
        assert machine._loads(loads, emulated=is_emulated) == expected


@attrs.define
class ScriptedDesktop:
    """A source passed by the caller: returns fixed values and counts its calls."""

    active: str | None = None
    running: Iterable[str] | Absent = ABSENT
    calls: list[str] = attrs.field(factory=list)

    def active_app(self) -> str | None:
        self.calls.append("active_app")
        return self.active

    def running_apps(self) -> Iterable[str] | Absent:
        self.calls.append("running_apps")
        return self.running

    def close(self) -> None:
        self.calls.append("close")


@attrs.define
class ScriptedPlayer:
    reported: Music = SONG
    names: tuple[str, ...] = ()
    calls: list[str] = attrs.field(factory=list)

    def music(self) -> sources.PlayerMusic:
        self.calls.append("music")
        return sources.PlayerMusic(self.reported, self.names)

    def close(self) -> None:
        self.calls.append("close")


@attrs.define
class ScriptedMachine:
    calls: list[str] = attrs.field(factory=list)

    def battery(self) -> Battery:
        self.calls.append("battery")
        return Battery(50, charging=True, power_source="ac")

    def system(self) -> System:
        self.calls.append("system")
        return System(1, 2, 3)


def hiding(*names: str) -> PrivacyRules:
    return PrivacyRules(names=names)


def a_snapshot() -> Snapshot:
    return Capture().take(NOON)


def json_bytes(snapshot: Snapshot) -> int:
    """Return the bytes of the snapshot as JSON, with the longest form of its time."""
    value = attrs.asdict(snapshot, filter=lambda _, member: member is not ABSENT)
    value["collected_at"] = "2026-01-01T12:00:00.000Z"
    return len(json.dumps(value, ensure_ascii=False).encode())


class TestTake:
    def test_without_sources_every_metric_is_its_null_value(self) -> None:
        taken = Capture().take(NOON)
        assert taken == Snapshot(
            NOON, None, UNKNOWN_BATTERY, UNKNOWN_SYSTEM, Music("unavailable", None, None), ABSENT
        )
        assert check_snapshot(taken, received_at=NOON) == ()

    def test_the_sources_are_combined(self) -> None:
        apps: sources.AppSource = ScriptedDesktop("Editor", ("Terminal", "Editor", "Terminal"))
        music: sources.MusicSource = ScriptedPlayer()
        computer: sources.MachineSource = ScriptedMachine()
        assert Capture(apps=apps, music=music, machine=computer).take(NOON) == Snapshot(
            NOON,
            "Editor",
            Battery(50, charging=True, power_source="ac"),
            System(1, 2, 3),
            Music("playing", "Song", "Band"),
            ("Editor", "Terminal"),
        )

    @pytest.mark.parametrize(
        ("switch", "question"),
        [
            ("apps", "active_app"),
            ("running_apps", "running_apps"),
            ("music", "music"),
            ("battery", "battery"),
            ("system", "system"),
        ],
    )
    def test_a_metric_that_is_off_is_null_and_not_even_read(
        self, switch: str, question: str
    ) -> None:
        apps = ScriptedDesktop("Editor", ("Editor",))
        player, computer = ScriptedPlayer(), ScriptedMachine()
        rules = PrivacyRules(switches=Switches(**{switch: False}))
        taken = Capture(apps=apps, music=player, machine=computer, rules=rules).take(NOON)
        member = {"apps": "active_app"}.get(switch, switch)
        assert getattr(taken, member) == getattr(a_snapshot(), member)
        calls = [*apps.calls, *player.calls, *computer.calls]
        assert question not in calls
        assert len(calls) == 4
        assert check_snapshot(taken, received_at=NOON) == ()

    @given(
        st.builds(
            ScriptedDesktop,
            active=st.none() | any_text,
            running=st.just(ABSENT) | st.lists(any_text, max_size=90),
        ),
        st.builds(
            Music,
            state=st.sampled_from(["playing", "paused", "stopped", "unavailable"]),
            track=st.none() | any_text,
            artist=st.none() | any_text,
        ),
        st.builds(PrivacyRules, names=st.lists(any_text | st.text("*a", max_size=3), max_size=5)),
    )
    @example(
        ScriptedDesktop("\U0001f3b5" * 300, ["\U0001f3b5" * 150 + str(n) for n in range(80)]),
        Music("playing", "\U0001f3b5" * 600, "\U0001f3b5" * 600),
        PrivacyRules(),
    )
    @example(
        ScriptedDesktop('"' * 300, ['"' * 150 + str(n) for n in range(80)]),
        Music("paused", '"' * 600, "\\" * 600),
        PrivacyRules(),
    )
    def test_whatever_the_sources_say_the_snapshot_obeys_the_contract(
        self, desktop: ScriptedDesktop, music: Music, rules: PrivacyRules
    ) -> None:
        taken = Capture(apps=desktop, music=ScriptedPlayer(music), rules=rules).take(NOON)
        assert check_snapshot(taken, received_at=NOON) == ()
        assert taken.music.state == music.state
        assert (taken.running_apps is ABSENT) == (desktop.running is ABSENT)
        assert json_bytes(taken) <= limits.UPDATE_BODY_BYTES
        assert rules.public(taken) == taken


class TestPrivateNames:
    def test_a_window_without_a_name_is_not_made_into_a_private_app(self) -> None:
        capture = Capture(apps=ScriptedDesktop("\x00", (" ", "A")), rules=hiding("*"))
        taken = capture.take(NOON)
        assert (taken.active_app, taken.running_apps) == (None, ("System",))

    def test_a_private_app_leaves_its_place_to_an_app_that_a_full_list_would_cut(self) -> None:
        names = [f"app {n:02}" for n in range(limits.RUNNING_APPS + 9)]
        rules = hiding("app 0*")
        taken = Capture(apps=ScriptedDesktop(None, names), rules=rules).take(NOON)
        assert taken.running_apps == (*names[10:], "System")

    def test_a_name_that_is_private_only_when_it_is_shortened_is_hidden(self) -> None:
        capture = Capture(apps=ScriptedDesktop("x" * 250), rules=hiding("x" * 200))
        review = capture.review(NOON)
        assert review.public.active_app == "System"
        assert [each.member for each in review.hidden] == ["active_app"]


PLATFORM = "status_agent.capture.capture.sys"
DESKTOP_NAMES = (
    "DISPLAY",
    "DBUS_SESSION_BUS_ADDRESS",
    "WAYLAND_DISPLAY",
    "XDG_CURRENT_DESKTOP",
    "XDG_RUNTIME_DIR",
)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A Linux without desktop and session."""
    monkeypatch.setattr(PLATFORM, SimpleNamespace(platform="linux"))
    for name in DESKTOP_NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(dbus, "_SYSTEM_BUS", "/nonexistent")
    return monkeypatch


NO_LOCK = "apps are sent while the screen is locked: no answer of running lockers"
NO_DESKTOP = "not found: Wayland desktop, X11 desktop"


class TestForThisMachine:
    def test_a_machine_without_desktop_reports_battery_and_load(
        self, bare: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        bare.setattr(machine, "Machine", lambda: Machine(tmp_path, LONG_TIMEOUT))
        capture = Capture.for_this_machine()
        assert capture.describe() == (
            f"apps: {NO_DESKTOP}",
            f"running_apps: {NO_DESKTOP}",
            "music: not found: players on the session bus",
            "battery: not found: a battery in /sys/class/power_supply",
            "system: this machine",
            f"locked: {NO_LOCK}",
        )
        taken = capture.take(NOON)
        capture.close()
        assert check_snapshot(taken, received_at=NOON) == ()
        assert (taken.active_app, taken.running_apps) == (None, ABSENT)
        assert taken.music == Music("unavailable", None, None)
        assert (taken.system != UNKNOWN_SYSTEM) == hasattr(os, "getloadavg")

    def test_a_source_is_not_even_looked_for_when_its_metrics_are_off(
        self, bare: pytest.MonkeyPatch
    ) -> None:
        switches = Switches(
            apps=False, running_apps=False, music=False, battery=False, system=False
        )
        capture = Capture.for_this_machine(PrivacyRules(switches=switches))
        assert (capture.apps, capture.music, capture.machine) == (None, None, None)
        assert {line.split(": ")[1] for line in capture.describe()} == {"switched off"}
        assert capture.take(NOON) == a_snapshot()

    @pytest.mark.parametrize(
        ("library", "module", "lines"),
        [
            ("psutil", "machine", {"battery", "system"}),
            ("Xlib", "x11", {"apps", "running_apps"}),
            ("jeepney", "dbus", {"music"}),
        ],
    )
    def test_a_library_that_is_not_installed_is_named(
        self, bare: pytest.MonkeyPatch, library: str, module: str, lines: set[str]
    ) -> None:
        for loaded in [m for m in sys.modules if m.split(".")[0] == library]:
            bare.delitem(sys.modules, loaded)
        bare.delitem(sys.modules, f"status_agent.capture.{module}", raising=False)
        bare.setitem(sys.modules, library, None)
        capture = Capture.for_this_machine()
        lines_with_reason = {line for line in capture.describe()[:-1] if "installed" in line}
        assert lines_with_reason == {f"{metric}: {library} is not installed" for metric in lines}
        assert check_snapshot(capture.take(NOON), received_at=NOON) == ()

    @pytest.mark.parametrize(
        ("platform", "folder", "apps", "music"),
        [
            ("darwin", "", "Launch Services", "Music app and Spotify"),
            ("darwin", "none", "not found: Launch Services", "not found: Music app and Spotify"),
            ("win32", "", "windows", "no source on this system"),
        ],
    )
    def test_each_system_has_its_sources(
        self, bare: pytest.MonkeyPatch, tmp_path: Path, platform: str, folder: str, apps: str,
        music: str,
    ) -> None:  # fmt: skip
        bare.setattr(PLATFORM, SimpleNamespace(platform=platform))
        for name in ("LSAPPINFO", "OSASCRIPT"):
            bare.setattr(f"status_agent.capture.macos.{name}", str(tmp_path / folder))
        bare.setattr("status_agent.capture.windows.find", SimpleNamespace)
        expected = (f"apps: {apps}", f"running_apps: {apps}", f"music: {music}")
        assert Capture.for_this_machine().describe()[:3] == expected

    @pytest.mark.rule("DS-PRIVACY-08")
    def test_apps_come_from_the_preferred_source_alone(self, bare: pytest.MonkeyPatch) -> None:
        other = ScriptedDesktop("Editor", ("Editor",))
        bare.setattr("status_agent.capture.wayland.find", lambda: wayland.Wayland("/nonexistent"))
        bare.setattr("status_agent.capture.x11.find", lambda: other)
        capture = Capture.for_this_machine()
        assert capture.describe()[0] == "apps: Wayland desktop"
        taken = capture.take(NOON)
        assert (taken.active_app, taken.running_apps, other.calls) == (None, ABSENT, [])


@attrs.define
class ScriptedScreen:
    """A screen that a test locks."""

    is_locked: bool = True

    def presence(self, idle_ms: int) -> sources.Presence:
        return sources.Presence(is_locked=self.is_locked, is_idle=idle_ms < 1000)

    def close(self) -> None:
        """Hold nothing."""


class TestALockedScreen:
    @staticmethod
    def capture(apps: ScriptedDesktop, screen: ScriptedScreen) -> Capture:
        return Capture(apps=apps, presence=sources.Presences({"screen": screen}))

    def test_no_app_is_read_while_it_lasts(self) -> None:
        apps, screen = ScriptedDesktop("Editor"), ScriptedScreen()
        capture = self.capture(apps, screen)
        locked = capture.review(NOON)
        assert (locked.public.active_app, locked.public.running_apps) == (None, ABSENT)
        assert (locked.is_locked, locked.is_idle) == (True, None)
        assert apps.calls == []
        screen.is_locked = False
        shown = capture.review(NOON)
        assert (shown.public.active_app, shown.is_locked) == ("Editor", False)

    @pytest.mark.parametrize("idle_ms", [None, 1000, 999])
    def test_no_app_is_read_after_the_time_without_input_that_the_user_allows(
        self, idle_ms: int | None
    ) -> None:
        apps = ScriptedDesktop("Editor", ("Editor",))
        capture = self.capture(apps, ScriptedScreen(is_locked=False))
        found = attrs.evolve(capture, idle_ms=idle_ms).review(NOON)
        assert found.is_idle is (None if idle_ms is None else idle_ms == 999)
        assert bool(found.is_idle) == (found.public.active_app is None) == (apps.calls == [])
        assert bool(found.is_idle) == (found.public.running_apps is ABSENT)


class TestClose:
    def test_the_sources_are_closed(self) -> None:
        apps, player = ScriptedDesktop(), ScriptedPlayer()
        Capture(apps=apps, music=player).close()
        assert (apps.calls, player.calls) == (["close"], ["close"])
