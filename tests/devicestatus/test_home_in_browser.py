"""The home page in a real browser: content, polling, playback and content security policy."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any, Final

import attrs
import pytest

from devicestatus.lane_values import MUSIC, lane_values
from devicestatus.models import Music, System
from status_contracts.messages import Response
from status_contracts.pages.settings import Link, PageSettings
from support.checks.printed import print_page
from support.devicestatus.examples import event, gap, snapshot, window
from support.devicestatus.home_page import (
    BROKEN_OFF,
    HEADLESS,
    MARKUP,
    OFFLINE,
    OWNER,
    SECOND,
    TRACK,
    UNAVAILABLE,
    Deployment,
    Script,
    Shown,
    Visit,
    at,
    busy_window,
    in_turn,
    online,
    playing,
    reply,
    reports,
    starting,
    wait_until,
)
from support.servers.webdriver import Session

pytestmark = pytest.mark.check


Look = Callable[..., Shown]
"""Open the home page of a service; errors in the browser fail the test."""
OpenHome = Callable[..., Visit]
"""Open the home page and return its content after this many seconds of browser time."""
Show = Callable[..., Session]
"""Open the home page of an answer, at a width (px), and wait until it is shown."""


@pytest.fixture
def visit(browser: Session) -> OpenHome:
    def visit(deployment: Deployment, *, seconds: int = 5) -> Visit:
        with browser.tab():
            browser.open(deployment.url)
            browser.pass_time_until(seconds * SECOND)
            page: str = browser.ask("document.documentElement.outerHTML")
            return Visit(Shown(page), browser.console())

    return visit


@pytest.fixture
def look(visit: OpenHome) -> Look:
    def look(script: Script, *, seconds: int = 5) -> Shown:
        with Deployment(script) as deployment:
            result = visit(deployment, seconds=seconds)
        assert result.console == []
        return result.shown

    return look


@pytest.fixture
def show(session: Session) -> Iterator[Show]:
    with ExitStack() as stack:

        def show(answer: Response, width: int = 800, page: PageSettings | None = None) -> Session:
            session.resize(width, 800)
            session.open(stack.enter_context(Deployment(in_turn(answer), page=page)).url)
            session.ask("void (window.all = (name) => [...document.querySelectorAll(name)])")
            return session

        yield show


class TestPrint:
    NAMES = ("Mail", "Krita", "Steam", "Blender")

    def test_paper_has_each_segment_in_its_colour_and_as_text(self, show: Show) -> None:
        events = tuple(
            event(n, n * 100 * SECOND, active_app=name) for n, name in enumerate(self.NAMES, 1)
        )
        gaps = (gap(560 * SECOND, 600 * SECOND, "sleep"),)
        played = attrs.evolve(window(), window_start=0, events=events)
        colors = lane_values(played).colors  # those of the picture
        session = show(playing(events=events, gaps=gaps))
        session.set_media(**{"prefers-color-scheme": "dark"})
        printed = print_page(session)
        assert printed.is_inside
        assert len(printed.pages) == 1
        lanes = min(shape.top for shape in printed.filled(MUSIC))
        for name in ("Editor", *self.NAMES):
            # filled before the playhead, outlined after it
            blocks = [*printed.filled(colors[name]), *printed.outlined(colors[name])]
            assert [each for each in blocks if each.top < lanes], name
            assert f"{name}; playing Song by Band" in printed.text
        assert "No record: the device was asleep" in printed.text
        assert "Printed " in printed.text
        assert re.search(r"Since \d\d:\d\d:\d\d, ", printed.text)
        assert " ago" not in printed.text
        assert "Back to now" not in printed.text
        assert session.console() == []


class TestPlayhead:
    CUT = """[...document.querySelectorAll("#lanes .block > bdi")].filter((name) => {
      const [box, block] = [name, name.parentElement].map((each) => each.getBoundingClientRect());
      const head = document.getElementById("playhead").getBoundingClientRect().left;
      return box.top < block.bottom && box.left < head && head < box.right;
    }).map((name) => name.textContent)"""

    def test_it_cuts_no_name_of_an_app_or_a_track(self, show: Show) -> None:
        apps = {60: "Spreadsheets", 240: "Mail"}  # the playhead is at 180 s
        events = tuple(
            event(n, second * SECOND, active_app=app, music=Music("playing", "البريد", None))
            for n, (second, app) in enumerate(apps.items(), 1)
        )
        session = show(playing(events=events))
        width = "document.getElementById('lanes').style"
        for pixels in range(40, 1000, 20):
            session.ask(f"({width}.width = '{pixels}px')")
            assert session.ask(self.CUT) == [], pixels

    def test_a_name_is_on_each_side_of_it_where_it_has_space(self, show: Show) -> None:
        session = show(playing(events=(event(1, 60 * SECOND, active_app="Presentation"),)))
        for pixels, expected in ((900, [True, True]), (90, [False, True]), (40, [False] * 2)):
            session.ask(f"(document.getElementById('lanes').style.width = '{pixels}px')")
            session.pass_time(1_000)
            sides = session.ask("""[...document.querySelectorAll("#lane-app bdi")].filter(
              (name) => name.textContent === "Presentation").map(
              (name) => name.offsetTop < name.parentElement.clientHeight)""")
            assert sides == expected, pixels

    def test_a_long_title_is_shortened_and_not_left_out(self, show: Show) -> None:
        title = Music("playing", "Bohemian Rhapsody - Remastered 2011", None)
        session = show(playing(events=(event(1, 300 * SECOND, music=title),)), 360)
        shown = session.ask("""(([, name]) => [name.textContent,
          name.offsetTop < name.parentElement.offsetHeight, name.offsetWidth > 48])(
          document.querySelectorAll("#lane-music .ahead > bdi"))""")
        assert shown == [title.track, True, True]

    def test_visits_of_seconds_are_seen_and_a_click_selects_what_is_outlined(
        self, show: Show
    ) -> None:
        events = tuple(event(n, n * 4 * SECOND) for n in range(1, 80))
        session = show(playing(events=events))
        for width in (360, 180):
            session.resize(width, 800)
            blocks = "[...document.querySelectorAll('#lane-app .block:not([hidden])')]"
            seen = session.ask(f"{blocks}.map((block) => block.clientWidth)")
            assert width == 180 or sorted(seen)[2] > 0  # the playhead cuts one in two
            box = "document.getElementById('slider').getBoundingClientRect()"
            left, y, whole = session.ask(f"[{box}.x, {box}.y, {box}.width]")
            for x in range(round(left) + 3, round(left + whole), 6):
                mouse = partial(session.report, "Input.dispatchMouseEvent", x=x, y=y + 2)
                mouse(type="mouseMoved")
                outlined = session.ask("document.getElementById('segment-text').textContent")
                mouse(type="mousePressed", button="left", buttons=1)
                mouse(type="mouseReleased", button="left")
                selected = session.ask("document.getElementById('slider').ariaValueText")
                assert f": {outlined}, " in selected
                assert session.ask(f"{box}.y") == y

    def test_a_block_without_space_for_its_name_has_the_icon_or_the_letter_of_its_app(
        self, show: Show
    ) -> None:
        names = ["Terminal", "Mail", "Wiki"] * 12
        events = tuple(event(n, n * 16 * SECOND, active_app=app) for n, app in enumerate(names, 1))
        session = show(playing(events=events), 1280)
        session.until("document.querySelector('#lane-app img') !== null")
        signs = session.ask("""[...document.querySelectorAll(".block:not([hidden])")]
          .filter(({ dataset: { cut, end, start } }) => cut === start || cut === end)
          .map((block) => block.firstElementChild)
          .filter((sign) => sign.scrollHeight <= sign.clientHeight)
          .map((sign) => sign.querySelector("img") ? "▣" : sign.textContent).join("")""")
        shown = f"E{'▣MW' * 12}"
        assert signs == shown[:11] + shown[12:]  # the playhead is in one

    @pytest.mark.parametrize(("width", "expected"), [(360, ["Wo"]), (600, ["Wi", "Wo"])])
    def test_a_block_has_the_sign_of_the_legend_or_none(
        self, show: Show, width: int, expected: list[str]
    ) -> None:
        names = ["Wiki", "Words"] * 9
        events = tuple(event(n, n * 30 * SECOND, active_app=app) for n, app in enumerate(names, 1))
        session = show(playing(events=events), width)
        found, is_whole = session.ask("""((signs) => [signs.map((sign) => sign.textContent),
          signs.every((sign) => sign.scrollWidth <= sign.clientWidth)])(
          [...document.querySelectorAll(".block.ahead:not([hidden]) + .block > .pair")].filter(
          (sign) => sign.scrollHeight <= sign.clientHeight))""")
        assert (sorted({*found}), is_whole) == (expected, True)

    def test_its_time_is_above_its_middle_and_inside_at_an_edge(self, show: Show) -> None:
        base = snapshot(music=Music("stopped", None, None))
        session = show(playing(baseline=base))
        for pixels in (600, 60):  # the playhead is at three tenths
            session.ask(f"(document.getElementById('lanes').style.width = '{pixels}px')")
            aside, start, below = session.ask("""((flag, head, lane, ticks) => [
              (flag.left + flag.right) / 2 - head.left, flag.left - lane.left,
              ticks.top - lane.bottom])(...["flag", "playhead", "lane-app", "ticks"].map(
              (id) => document.getElementById(id).getBoundingClientRect()))""")
            assert (abs(aside) < 1, abs(start) < 1) == (pixels == 600, pixels == 60)
            assert below < 5

    def test_gaps_after_it_are_hatched_and_named_whole_if_at_all(self, show: Show) -> None:
        session = show(playing(gaps=(gap(300 * SECOND, 400 * SECOND),)))
        block = "document.querySelector('.block.ahead[data-gap]')"
        image = session.ask(f"getComputedStyle({block}).backgroundImage")
        for pixels, is_named in ((240, False), (600, True)):
            session.ask(f"(document.getElementById('lanes').style.width = '{pixels}px')")
            name = f"{block}.querySelector('bdi')"
            assert session.ask(f"{name}.offsetTop < {block}.clientHeight") == is_named
        assert image.startswith("repeating-linear-gradient")

    @pytest.mark.parametrize(("minutes", "least"), [(1, 2), (4, 4), (9, 4), (15, 3)])
    def test_a_window_has_times_on_its_axis(self, look: Look, minutes: int, least: int) -> None:
        ticks = str(look(lambda _round: starting(minutes))["ticks"])
        assert re.fullmatch(rf"(\d\d:\d\d(:\d\d)?){{{least},{least + 1}}}", ticks)


class TestOnline:
    def test_a_snapshot_is_shown(self, look: Look) -> None:
        shown = look(reports())
        assert (shown["state"], shown["title"]) == ("Online", "Text Editor")
        assert shown.title == "Text Editor · Device status"
        assert (shown["track"], shown["artist"]) == ("Gymnopédie No. 1", "Playing, by Erik Satie")
        assert (shown["percent"], shown["power"]) == ("81.4 %", "On battery")
        assert shown["load-detail"] == "0.3 over 5 min"
        assert shown["missing"] is shown["lost"] is shown["unread"] is None
        assert shown["timeline"] is None

    def test_ages_go_by_the_clock_of_the_server(self, look: Look) -> None:
        shown = look(reports(ahead=-400 * 86_400 * SECOND))
        assert re.fullmatch(r"Reported 2[05] seconds ago", str(shown["detail"]))
        assert shown["state"] == "Online"

    def test_apps_stand_with_their_icons_or_with_letters_that_differ(self, look: Look) -> None:
        apps = ["Editor Pro", "Terminal", "Music", "System", "ünknown", "Mumble"]
        shown = look(reports(running_apps=apps))
        assert shown["apps"] == "Editor ProTerminalMuMusic•Private appÜünknownMmMumble"
        assert shown.images == [*["api/icons/text-editor.png"] * 2, "api/icons/second.png"]

    def test_of_many_apps_twelve_are_shown_at_once(self, look: Look) -> None:
        shown = look(reports(running_apps=[f"App {n}" for n in range(41)]))
        assert (shown["apps-name"], shown["more-name"]) == ("Open apps: 41", "29 more")
        counts = [str(shown[name]).count("App ") for name in ("apps", "further-apps")]
        assert counts == [12, 29]

    def test_texts_begin_in_line_and_no_card_is_stretched(self, show: Show) -> None:
        names = [f"App {n}" for n in range(41)]
        session = show(reply(online(running_apps=names, music=HEADLESS["music"])), 1280)
        lefts, height = session.ask("""[["state", "title", "detail", "missing"].map((id) =>
          document.getElementById(id).getBoundingClientRect().left),
          document.getElementById("battery").offsetHeight]""")
        assert (len({*lefts}), height < 150) == (1, True)

    def test_the_track_is_a_link_and_the_artwork_is_not_loaded(self, look: Look) -> None:
        shown = look(reports())
        assert shown.links["Gymnopédie No. 1"] == TRACK
        assert not [src for src in shown.images if src and "mzstatic" in src]

    @pytest.mark.parametrize("address", ["javascript:alert(1)", "http://music.apple.com/1"])
    def test_another_address_is_no_link(self, look: Look, address: str) -> None:
        music = {"state": "paused", "track": "A", "artist": None, "track_url": address}
        shown = look(reports(music=music))
        assert "A" not in shown.links
        assert (shown["track"], shown["artist"]) == ("A", "Paused")

    def test_loads_have_the_same_number_of_decimals(self, look: Look) -> None:
        shown = look(reports(system={"load_1m": 0.7, "load_5m": 1, "load_15m": 1.25}))
        assert (shown["load-value"], shown["load-span"]) == ("0.7", "over 1 min")
        assert shown["load-detail"] == "1.0 over 5 min, 1.3 over 15 min"

    def test_what_is_not_reported_takes_no_room_and_is_named_in_one_line(self, look: Look) -> None:
        shown = look(reports(**HEADLESS))
        assert (shown["state"], shown["title"]) == ("Online", "This device is on")
        assert shown.title == "Online · Device status"
        assert shown["tile"] is shown["music"] is shown["battery"] is shown["running"] is None
        line = "Not reported: the foreground app, music, battery, and open apps."
        assert shown["missing"] == line

    def test_no_open_apps_and_no_music_are_distinguished_from_nothing_reported(
        self, look: Look
    ) -> None:
        music = {"state": "stopped", "track": "Left over", "artist": None}
        battery = {"percent": None, "charging": True, "power_source": "ac"}
        shown = look(reports(running_apps=[], music=music, battery=battery))
        assert shown["missing"] == "No open apps."
        locked = look(reports(active_app=None, running_apps=[]))
        assert locked["missing"] == "No apps shown."
        assert shown["running"] is locked["running"] is None
        assert shown["music"] is shown["power"] is None
        assert (shown["battery-name"], shown["percent"]) == ("Power", "Charging, on mains power")
        untitled = look(reports(music={"state": "playing", "track": None, "artist": None}))
        assert (untitled["track"], untitled["artist"]) == ("", "Playing, title not reported")

    def test_a_snapshot_past_its_deadline_stays_with_its_age(self, look: Look) -> None:
        late = look(reports(expires_at=at(30 * SECOND)), seconds=50)
        assert (late["state"], late["title"]) == ("Online", "Text Editor")
        assert late["detail"] == "Reported 1 minute ago"
        assert (late["artist"], late["percent"]) == ("Playing, by Erik Satie", "81.4 %")


class TestTab:
    def test_the_icon_changes_with_the_state(self, look: Look, visit: OpenHome) -> None:
        icons = [look(script).icon for script in (reports(), in_turn(OFFLINE))]
        with Deployment(in_turn(UNAVAILABLE)) as deployment:
            icons.append(visit(deployment).shown.icon)
        icons.append(look(in_turn(playing(gaps=(gap(0, 600 * SECOND),)))).icon)
        assert len(set(icons)) == 4
        for icon in icons:
            assert re.fullmatch(r'<svg xmlns="http://www.w3.org/2000/svg" [^>]+>.+</svg>', icon)


class TestArtwork:
    ARTWORK = "https://is1-ssl.mzstatic.com/image/1.jpg"

    def test_the_image_has_a_text_and_is_loaded_without_a_referrer(self, session: Session) -> None:
        source = (
            "new MutationObserver(() => {"
            " window.artwork ??= document.querySelector('.artwork')?.cloneNode()"
            " }).observe(document, {childList: true, subtree: true})"
        )
        session.report("Page.addScriptToEvaluateOnNewDocument", source=source)
        with Deployment(reports(), page=PageSettings(artwork=True)) as deployment:
            session.open(deployment.url)
            session.until("window.artwork !== undefined")
            read = "(({ src, alt, referrerPolicy: from, loading }) => [src, alt, from, loading])"
            shown = session.ask(f"{read}(window.artwork)")
        assert shown == [self.ARTWORK, "Artwork of Gymnopédie No. 1", "no-referrer", "lazy"]


class TestNotOnline:
    def test_offline_is_announced_and_asks_for_no_icons(self, visit: OpenHome) -> None:
        with Deployment(in_turn(OFFLINE)) as deployment:
            shown = visit(deployment).shown
        assert deployment.requests == ["/"]
        assert (shown["state"], shown["title"]) == ("Offline", "Not reporting")
        assert shown.title == "Offline · Device status"
        assert shown["cards"] is shown["tile"] is shown["missing"] is None

    @pytest.mark.parametrize(
        "answer",
        [UNAVAILABLE, BROKEN_OFF, reply({"status": "offline"}, 500)],
        ids=["503", "broken off", "offline with an error's status"],
    )
    @pytest.mark.parametrize("earlier", [(), (reply(online()),)], ids=["at first", "later"])
    def test_what_cannot_be_read_is_not_known_and_never_offline(
        self, visit: OpenHome, answer: Response, earlier: tuple[Response, ...]
    ) -> None:
        with Deployment(in_turn(*earlier, answer)) as deployment:
            shown = visit(deployment, seconds=250).shown
        assert (shown["state"], shown["title"]) == ("Unreachable", "The status is unknown")
        assert shown["retry"] == "Try again"
        assert (shown["cards"] is None) == (earlier == ())
        assert "ffline" not in shown.texts["main"]


class TestTimeline:
    def test_a_window_is_played_420_seconds_behind(self, look: Look) -> None:
        events = (event(1, 170 * SECOND, active_app="Mail"), event(2, 300 * SECOND))
        shown = look(in_turn(playing(events=events)))
        assert (shown["state"], shown["title"], shown["percent"]) == ("Online", "Mail", "82 %")
        assert shown["lost"] is shown["unread"] is None
        assert re.fullmatch(r"\d\d:\d\d:\d\d", str(shown["flag"]))
        selected = str(shown.attributes["slider"]["aria-valuetext"])
        assert selected.endswith(": Mail; playing Song by Band, 2 of 3")

    @pytest.mark.parametrize(
        ("members", "expected"),
        [
            ({}, "For at least 3 minutes"),
            ({"events": (event(1, 170 * SECOND), event(2, 200 * SECOND))}, "For 10 seconds"),
            ({"gaps": (gap(20 * SECOND, 60 * SECOND, "sleep"),)}, "For at least 2 minutes"),
        ],
    )
    def test_since_when_the_app_is_in_front(self, look: Look, members: Any, expected: str) -> None:
        shown = look(in_turn(playing(**members)), seconds=3)
        assert shown["detail"] == f"{expected}, shown 7 minutes late"

    def test_the_legend_has_the_time_of_each_app_and_of_each_gap(self, look: Look) -> None:
        names = [*(f"App {n}" for n in range(15)), "Editor"]
        events = tuple(
            event(n, n * 30 * SECOND, active_app=name) for n, name in enumerate(names, 1)
        )
        gaps = (gap(560 * SECOND, 600 * SECOND, "sleep"),)
        legend = str(look(in_turn(playing(events=events, gaps=gaps)))["legend"])
        assert legend.startswith("EEditor 1 min 50 s")
        assert legend.endswith("4 other apps 2 minasleep 40 sstill to come")

    def test_a_headless_computer_has_the_curve_of_its_load(self, look: Look) -> None:
        base = snapshot(active_app=None, music=Music("unavailable", None, None))
        events = tuple(
            event(n, n * 30 * SECOND, system=System(n / 10, None, None)) for n in range(1, 20)
        )
        shown = look(in_turn(playing(events=events, baseline=base)))
        assert shown["legend"] == "Load average 0.1 to 1.9still to come"
        assert re.fullmatch(r"Load 0\.\d", str(shown["segment-text"]))
        assert shown["lane-app"] is shown["lane-music"] is None
        assert str(shown.attributes["load-path"]["d"]).count("M") == 20

    def test_the_timeline_has_icons_of_one_app_before_it_is_played(self, visit: OpenHome) -> None:
        now = time.time_ns() // 1_000_000
        base = snapshot(active_app="Terminal")
        names = ("Text Editor", "Editor Pro")
        events = tuple(event(n, (540 + n) * SECOND, active_app=names[n - 1]) for n in (1, 2))
        sent = {"window_start": now - 60 * SECOND, "baseline": base, "events": events}
        script = in_turn(playing(window_end=now, **sent))
        with Deployment(script) as deployment:
            shown = visit(deployment).shown
        assert shown["state"] == "Starting"
        assert shown.images == ["api/icons/second.png"] * 5  # in both parts, wide or short; legend
        assert str(shown["legend"]).startswith("EEditor Pro 58 sTerminal 1 sTxText Editor 1 s")

    def test_gaps_are_hatched_by_their_reasons_and_named(self, look: Look) -> None:
        reasons: tuple[Any, ...] = ("sleep", "restart", "collection", "overflow", "clock")
        gaps = tuple(
            gap(n * 50 * SECOND, (n * 50 + 20) * SECOND, reason)
            for n, reason in enumerate(reasons, 4)
        )
        shown = look(in_turn(playing(gaps=gaps)))
        assert shown.gaps == [*reasons] * 5  # in both parts of two lanes and in the legend
        assert str(shown["legend"]).endswith(
            "asleep 20 srestarting 20 snot readable 20 stoo many changes 20 s"
            "clock changed 20 sstill to come"
        )

    def test_markup_in_a_window_stays_text(self, look: Look) -> None:
        events = (event(1, 1, active_app=MARKUP, music=Music("paused", MARKUP, MARKUP)),)
        shown = look(in_turn(playing(events=events)))
        assert shown["title"] == shown["track"] == MARKUP
        valuetext = str(shown.attributes["slider"]["aria-valuetext"])
        assert f": {MARKUP}; paused {MARKUP} by {MARKUP}, " in valuetext
        assert shown.images == []

    def test_thousands_of_changes_are_drawn(self, look: Look) -> None:
        shown = look(in_turn(playing(events=tuple(event(n, n * 290) for n in range(1, 2049)))))
        assert shown["state"] == "Online"
        assert str(shown.attributes["slider"]["aria-valuetext"]).endswith("of 2,049")


@pytest.mark.rule("DS-SERVICE-05")
class TestPolling:
    def test_one_request_a_round_and_the_icons_once(self, visit: OpenHome) -> None:
        with Deployment(reports()) as deployment:
            visit(deployment, seconds=125)
        paths = deployment.requests
        assert sorted({*paths}) == [
            *("/", "/api/icons", "/api/icons/second.png", "/api/icons/text-editor.png"),
            "/api/timeline",
        ]
        assert paths.count("/api/icons") == 1

    def test_without_icons_the_status_is_shown_all_the_same(self, visit: OpenHome) -> None:
        with Deployment(reports()) as deployment:
            deployment.icons_missing = True
            shown = visit(deployment, seconds=130).shown
        assert (shown["state"], shown["title"], shown["tile"]) == ("Online", "Text Editor", "Te")
        assert shown.images == []
        assert deployment.requests.count("/api/icons") == 2


class TestInView:
    def test_a_hidden_page_does_not_read_and_reads_at_once_when_seen_again(
        self, session: Session
    ) -> None:
        with Deployment(reports()) as deployment:
            session.open(deployment.url)
            page = session.call("GET", "/window")
            other = session.call("POST", "/window/new", {"type": "tab"})["handle"]
            session.report("Target.activateTarget", targetId=other)
            session.until("document.hidden")
            session.pass_time(600 * SECOND)
            assert deployment.readings == 1
            session.report("Target.activateTarget", targetId=page)
            session.until("!document.hidden")
            session.pass_time(5 * SECOND)
            assert deployment.readings == 2

    def test_a_reading_leaves_the_keyboard_where_it_was(self, session: Session) -> None:
        with Deployment(reports()) as deployment:
            session.open(deployment.url)
            session.ask("document.querySelector('#track a').focus()")
            session.pass_time(125 * SECOND)
            wait_until(lambda: deployment.readings == 2)
            assert session.ask("document.activeElement.href") == TRACK


class TestNavigation:
    @pytest.mark.parametrize("path", ["", "api"])
    def test_the_current_page_is_marked_by_its_url_whatever_its_label(
        self, session: Session, path: str
    ) -> None:
        pages = (
            Link("Jetzt", "/deep/status/?x#y"),
            Link("Now", "/"),
            Link("Schnittstelle", "api"),
            Link("Device status", "https://status.example/deep/status/"),
        )
        with Deployment(reports(), mount="/deep/status", page=PageSettings(pages=pages)) as at_url:
            session.open(f"{at_url.url}{path}")
            found = "[...document.querySelectorAll('[aria-current=page]')].map(e => e.textContent)"
            assert session.ask(found) == ["Schnittstelle" if path == "api" else "Jetzt"]
            assert session.console() == []


class TestRoom:
    """What is cut, wrapped or left out, on a phone and on a desk."""

    def test_a_phone_has_app_title_and_artist_of_a_segment(self, show: Show) -> None:
        music = Music("playing", "Blinding Lights", "The Weeknd")
        session = show(playing(baseline=snapshot(active_app="Firefox", music=music)), 360)
        assert session.ask("all('.segment').every((e) => e.scrollHeight <= e.clientHeight)")

    @pytest.mark.parametrize("count", [20, 60])
    def test_a_list_reads_down_and_scrolls_where_it_is_long(self, show: Show, count: int) -> None:
        session = show(playing(events=tuple(event(n, n * 9_000) for n in range(1, count))), 1280)
        session.ask("void (all('#segment-list')[0].open = true)")
        found = session.ask("""(([list, first, second]) => [second.offsetTop > first.offsetTop,
          list.scrollHeight > list.clientHeight, list.tabIndex])(all(".segments, .segments li"))""")
        assert found == [True, count > 30, -1 if count < 30 else 0]

    def test_the_times_of_a_short_axis_are_inside_its_lane(self, show: Show) -> None:
        sides = "all('#ticks span').map((each) => getComputedStyle(each).justifyContent)"
        assert show(starting()).ask(sides) == ["start", "end"]

    @pytest.mark.parametrize("end", [500, 600])
    def test_what_is_to_come_is_named_where_it_is_drawn(self, show: Show, end: int) -> None:
        session = show(playing(gaps=(gap(100 * SECOND, end * SECOND),)))
        assert session.ask("all('[data-ahead]')[0].checkVisibility()") == (end < 600)

    def test_three_apps_and_a_large_load_have_a_line_each_and_icons_an_edge_in_the_dark(
        self, show: Show
    ) -> None:
        session = show(reply(online(system={"load_1m": 42.3, "load_5m": 1, "load_15m": 1})), 1280)
        assert session.ask("new Set(all('#apps li').map((each) => each.offsetTop)).size") == 1
        assert session.ask("all('#load-value')[0].parentElement.offsetHeight") < 50
        session.until("all('img.tile').length > 0")
        light = session.ask(edge := "getComputedStyle(all('img.tile')[0]).filter")
        session.set_media(**{"prefers-color-scheme": "dark"})
        assert session.ask(edge) != light


class TestAccessibility:
    def test_text_of_twice_the_size_is_whole_on_a_phone(self, show: Show) -> None:
        session = show(busy_window(), 180, page=OWNER)  # as 360 px have it then
        names, is_above, wide, state = session.ask("""[
          [...document.querySelectorAll(".legend bdi")].map((name) => name.offsetWidth > 25),
          ["flag", "name-app"].every((id) => (
            document.getElementById(id).getBoundingClientRect().bottom
            <= document.getElementById("lane-app").getBoundingClientRect().top)),
          document.documentElement.scrollWidth, document.getElementById("state").offsetHeight]
          """)
        assert {*names} == {True}
        assert (is_above, wide) == (True, 180)
        assert state < 30  # one line

    SEEN: Final = (
        "swatch('none').backgroundColor !== getComputedStyle(all('.card')[0]).backgroundColor",
        """['none', 'music=paused'].every((kind) => new Set(all(`.block[data-${kind}]`)
          .map((block) => getComputedStyle(block).backgroundColor)).size === 2)""",  # past, to come
        "getComputedStyle(all('#title')[0]).textAlign === 'left'",  # whatever its script
        "swatch('music=paused').borderColor === 'rgb(166, 50, 146)'",  # that of music
        "all('.footer a').every((each) => Math.min(each.offsetWidth, each.offsetHeight) >= 24)",
        "all('#artist > span')[0].textContent.startsWith('Paused, by Two')",  # the artist is cut
        "getComputedStyle(all('.segments bdi')[0]).display === 'inline'",  # and whole
        """['outlineStyle', 'clipPath'].map((style) => getComputedStyle(
          all('.block[data-music=paused]')[0], '::after')[style]).join() === 'dashed,none'""",
    )

    def test_small_things_are_seen_and_large_enough_for_a_finger(self, show: Show) -> None:
        music = Music("paused", "A", "Two lines of an artist, " * 4)
        locked = event(1, 170 * SECOND, active_app=None, running_apps=(), music=music)
        session = show(playing(events=(locked,)))
        swatch = "getComputedStyle(all(`.swatch[data-${kind}]`)[0])"
        session.ask(f"void (window.swatch = (kind) => {swatch})")
        assert [each for each in self.SEEN if not session.ask(each)] == []

    @pytest.mark.parametrize("feature", ["forced-colors: active", "prefers-contrast: more"])
    def test_who_asks_for_contrast_gets_it(self, show: Show, feature: str) -> None:
        name, value = feature.split(": ")
        session = show(busy_window(), page=OWNER)
        color = "getComputedStyle(document.querySelector('{}')).color"
        muted, text = color.format(".owner-line"), color.format("h1")
        assert session.ask(f"{muted} === {text}") is False
        session.set_media(**{name: value})
        assert session.ask(f"{muted} === {text}") is True
