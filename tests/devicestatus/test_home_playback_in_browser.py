"""The home page in a real browser while time passes: requests, playback, keyboard."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import attrs
import pytest

from devicestatus.models import Music, System
from status_contracts.exchange import ReadStore
from status_contracts.messages import Asset
from support.devicestatus.examples import NOON, NOTHING, event, gap, plain, snapshot, window
from support.devicestatus.fake_server import FakeServer
from support.devicestatus.home_page import (
    DELAY,
    DOT,
    END,
    ESCAPE,
    HOME,
    HOUR,
    LEFT,
    MANIFEST,
    OTHER_SESSION,
    RIGHT,
    SECOND,
    SPACE,
    TAB,
    LiveDeployment,
)
from support.servers.webdriver import Session

pytestmark = pytest.mark.check


class Stage:
    """A home page with a real service; the test advances the clocks of both."""

    def __init__(self, session: Session, deployment: LiveDeployment, world: FakeServer) -> None:
        self._session = session
        self._deployment = deployment
        self._world = world
        self._batches = 0
        self.ask = session.ask
        session.report("Emulation.setTimezoneOverride", timezoneId="UTC")
        session.open(deployment.url)
        # The viewer's clock is hours behind the server's, and nothing depends on it.
        clock = {"budget": 1, "initialVirtualTime": (NOON - 5 * HOUR) / SECOND}
        session.report("Emulation.setVirtualTimePolicy", policy="advance", **clock)
        self._behind = NOON - float(session.ask("performance.now()"))
        deployment.clock = lambda: self.now

    @property
    def now(self) -> int:
        """Server time."""
        return round(self._behind + float(self._session.ask("performance.now()")))

    def play(self, seconds: int) -> None:
        """Advance the clocks of page and service together."""
        self._session.pass_time(seconds * SECOND)

    def play_to_reading(self) -> None:
        """Advance the clocks until the page has requested again, and show the response."""
        before = self._deployment.readings
        while self._deployment.readings == before:
            self.play(1)
        self.play(1)

    def send(self, **members: Any) -> None:
        """Send the next batch of the device, or the first of a new session, which ends now."""
        self._batches = 1 if "session_id" in members else self._batches + 1
        self._world.now = self.now
        start = members.pop("window_start", max(NOON, self.now - 900 * SECOND))
        data = window(
            batch_seq=self._batches,
            window_start=start,
            window_end=self.now,
            **({"baseline": snapshot(collected_at=start)} | members),
        )
        assert self._world.post("/api/batch", plain(data)).status == 200

    def push(self) -> None:
        """Send a snapshot of the device."""
        self._world.now = self.now
        answer = self._world.post("/api/update", plain(snapshot(collected_at=self._world.now)))
        assert answer.status == 200

    def sleep(self, seconds: int) -> None:
        """Advance the wall clock of the page, but not its steady clock."""
        self._behind += seconds * SECOND
        real = "Date.now.bind(Date)"
        self.ask(f"(real => {{ Date.now = () => real() + {seconds * SECOND} }})({real})")

    def hear(self) -> None:
        """Start to record announcements to screen readers."""
        self.ask(
            "(region => { window.announced = []; new MutationObserver(() => {"
            " window.announced.push(region.textContent) }).observe(region, {childList: true}) })"
            "(document.getElementById('announcement'))"
        )

    def announced(self) -> list[str]:
        """Return the recorded announcements."""
        found: list[str] = self.ask("window.announced")
        return found

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        moves = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        actions = [{"type": "key", "id": "keyboard", "actions": moves}]
        self._session.call("POST", "/actions", {"actions": actions})

    @property
    def valuetext(self) -> object:
        """The text of the slider for screen readers."""
        return self.ask("document.getElementById('slider').getAttribute('aria-valuetext')")

    def requests_overlap(self) -> bool:
        """Check whether a request started before the previous one ended."""
        entries = (
            "performance.getEntriesByType('resource').filter(e => e.name.endsWith('timeline'))"
        )
        spans = self.ask(f"{entries}.map(e => [e.startTime, e.responseEnd])")
        assert len(spans) > 5
        return any(later[0] < earlier[1] for earlier, later in pairwise(spans))

    def shown(self, name: str) -> str | None:
        """Return the text of a visible element, else None."""
        visible = "(found => found.closest('[hidden]') ? null : found.textContent)"
        text = self.ask(f"{visible}(document.getElementById('{name}'))")
        return None if text is None else " ".join(text.split())


@pytest.fixture
def world() -> FakeServer:
    icons = Asset(json.dumps(MANIFEST).encode())
    return FakeServer(files={"index.json": icons, "text-editor.png": Asset(DOT)})


@pytest.fixture
def live(world: FakeServer) -> Iterator[LiveDeployment]:
    with LiveDeployment(world) as deployment:
        yield deployment


@pytest.fixture
def stage(session: Session, live: LiveDeployment, world: FakeServer) -> Stage:
    return Stage(session, live, world)


class TestBetweenReadings:
    """A page never declares a status over on its own."""

    def seen_while_pushing(self, stage: Stage, seconds: int) -> set[tuple[str | None, str | None]]:
        """Return state and music of every third second; the device pushes every 30 s."""
        seen = set()
        for passed in range(0, seconds, 3):
            if passed % 30 == 0:
                stage.push()
            stage.play(3)
            seen.add((stage.shown("state"), stage.shown("artist")))
        return seen

    def test_a_record_of_60_s_that_is_renewed_every_30_s_is_online_without_a_break(
        self, stage: Stage, live: LiveDeployment
    ) -> None:
        self.seen_while_pushing(stage, 123)  # until the reading after the first, which was offline
        readings = live.readings
        assert self.seen_while_pushing(stage, 600) == {("Online", "Playing, by Band")}
        assert 9 <= live.readings - readings <= 10
        assert stage.requests_overlap() is False

        stage.play(125)  # the device pushes no more
        assert (stage.shown("state"), stage.shown("music")) == ("Offline", None)

    def test_failing_once_changes_nothing_and_failing_twice_puts_all_in_the_past_until_asked(
        self, stage: Stage, live: LiveDeployment
    ) -> None:
        stage.play(100)
        stage.push()
        stage.play_to_reading()
        live.unreachable = True
        stage.play_to_reading()
        assert (stage.shown("state"), stage.shown("artist")) == ("Online", "Playing, by Band")
        assert stage.shown("detail") == "Reported 1 minute ago"
        stage.play_to_reading()
        past = "Unreachable", "Was playing, by Band"
        assert (stage.shown("state"), stage.shown("artist")) == past
        assert stage.shown("title") == "The status is unknown"
        assert str(stage.shown("detail")).endswith("Editor. The rest of the page is from then.")
        assert stage.shown("power") == "Was on battery"
        bars = "document.querySelector('#music .bars').getBoundingClientRect().width"
        assert stage.ask(bars) == 0
        live.unreachable = False
        stage.push()
        stage.ask("document.getElementById('retry').focus()")
        stage.press(SPACE)
        stage.play(1)
        assert (stage.shown("state"), stage.shown("artist")) == ("Online", "Playing, by Band")
        assert stage.ask(bars) > 0
        assert (stage.shown("retry"), stage.ask("document.activeElement.id")) == (None, "main")


class TestPlayback:
    """The page with a real service, with simulated time."""

    def test_warm_up_play_gap_outage_buffering_and_resume(
        self, stage: Stage, live: LiveDeployment, world: FakeServer
    ) -> None:
        assert (stage.shown("state"), stage.shown("timeline")) == ("Offline", None)

        stage.play(290)
        stage.send(events=(event(1, NOON + 240 * SECOND, active_app="Mail"),))
        stage.play(75)
        assert stage.shown("state") == "Starting"
        first = r"First status at 12:07, in (4|5)\d s, shown 7 minutes late"
        assert re.fullmatch(first, str(stage.shown("detail")).replace("\xa0", " "))
        assert stage.shown("cards") is None

        stage.play(60)
        assert (stage.shown("state"), stage.shown("title")) == ("Online", "Editor")
        assert str(stage.shown("detail")).endswith(DELAY)
        assert str(stage.shown("flag")).startswith("12:0")

        stage.play(590 - 425)
        holes = (gap(NOON + 400 * SECOND, NOON + 430 * SECOND, "restart"),)
        mail = event(1, NOON + 240 * SECOND, active_app="Mail")
        stage.send(events=(mail, event(2, NOON + 450 * SECOND)), gaps=holes)
        stage.play(75)
        assert (stage.shown("state"), stage.shown("title")) == ("Online", "Mail")

        stage.play(830 - 665)
        assert stage.shown("title") == "The recorder was restarting"
        assert (stage.shown("state"), stage.shown("cards")) == ("No record", None)
        assert re.search(r"The next record is shown in (19|2\d) s", str(stage.shown("detail")))

        world.fail = {ReadStore}
        stage.play(900 - 830)
        assert (stage.shown("state"), stage.shown("title")) == ("Online", "App 2")
        assert str(stage.shown("unread")).startswith("The status cannot be read.")

        live.unreachable = True
        stage.play(1030 - 900)
        assert stage.shown("state") == "Unreachable"
        assert "ffline" not in stage.ask("document.getElementById('main').textContent")
        assert "Last seen" in str(stage.shown("detail"))
        assert stage.ask("document.getElementById('main').className") == "stale"

        live.unreachable = False
        world.fail = set()
        stage.play(65)
        paused = "Paused", "Waiting for the next report"
        assert (stage.shown("state"), stage.shown("title")) == paused
        assert str(stage.shown("updated")).startswith("Updated ")
        is_shown = "document.querySelector('[data-ahead]').checkVisibility()"
        assert not stage.ask(is_shown)  # nothing is still to come
        assert stage.shown("artist") == "Was playing, by Band"
        assert str(stage.shown("flag")).startswith("last shown 12:0")
        assert str(stage.shown("segment-text")).endswith("; was playing Song by Band")

        stage.send(events=(event(3, NOON + 600 * SECOND, active_app="Terminal"),))
        stage.play(65)
        assert (stage.shown("state"), stage.shown("title")) == ("Online", "Terminal")
        assert str(stage.shown("detail")).endswith("shown 9 minutes late")
        assert stage.shown("lost") is None
        assert stage.requests_overlap() is False

    def test_a_long_outage_loses_and_is_reported_until_a_new_session_and_offline(
        self, stage: Stage, live: LiveDeployment
    ) -> None:
        stage.play(600)
        stage.send()
        stage.play(130)
        live.unreachable = True
        stage.play(1500)
        stage.play_to_reading()
        live.unreachable = False
        stage.hear()
        stage.send()
        stage.play_to_reading()
        lost = r"Not played: 1\d min( \d+ s)? between 12:(09|10):\d\d and 12:2\d:\d\d\. "
        assert re.match(lost, str(stage.shown("lost")))

        # This window is read sooner after it was made, so playback is too far behind for it.
        stage.play(110)
        stage.send()
        stage.play_to_reading()
        assert re.match(lost, str(stage.shown("lost")))
        assert sum("Not played: " in message for message in stage.announced()) == 1

        stage.send(session_id=OTHER_SESSION, window_start=stage.now - 10 * SECOND)
        stage.play(130)
        assert (stage.shown("state"), stage.shown("lost")) == ("Starting", None)

        stage.play(575)
        assert (stage.shown("state"), stage.shown("timeline")) == ("Offline", None)
        assert "Last seen" not in str(stage.shown("detail"))
        assert stage.requests_overlap() is False

    def test_what_changes_is_announced_once_and_seconds_are_not(self, stage: Stage) -> None:
        stage.play(300)
        stage.hear()
        stage.send(events=(event(1, NOON + 60 * SECOND), event(2, NOON + 61 * SECOND)))
        stage.play(110)
        assert stage.announced() == ["Starting. First status at\u00a012:07."]
        stage.play(160)
        assert stage.announced()[1:] == [
            "Online. Foreground app: Editor.",
            "Online. Foreground app: App 1.",
            "Online. Foreground app: App 2.",
        ]

    def test_a_notice_is_announced_once_while_apps_change(
        self, stage: Stage, live: LiveDeployment
    ) -> None:
        stage.play(300)
        stage.send(events=tuple(event(n, NOON + n * 20 * SECOND) for n in range(1, 15)))
        stage.play(140)
        stage.hear()
        live.unreachable = True
        stage.play(120)
        announced = stage.announced()
        assert len([message for message in announced if "cannot be read" in message]) == 1
        assert len(announced) >= 5
        assert stage.shown("retry") == "Try again"

    def test_an_app_that_changes_often_is_announced_now_and_then(self, stage: Stage) -> None:
        stage.play(300)
        stage.send(events=tuple(event(n, NOON + n * 2 * SECOND) for n in range(1, 150)))
        stage.play(125)
        stage.hear()
        stage.play(60)
        assert 2 <= len(stage.announced()) <= 5

    def test_the_time_line_is_explored_by_keyboard(self, stage: Stage) -> None:
        stage.play(300)
        holes = (gap(NOON + 30 * SECOND, NOON + 60 * SECOND, "sleep"),)
        stage.send(events=(event(1, NOON + 100 * SECOND),), gaps=holes)
        stage.play(130)
        stage.ask("document.getElementById('slider').focus()")
        assert stage.shown("reset") is None
        stage.press(RIGHT)
        assert stage.shown("segment-text") == "No record: the device was asleep"
        assert stage.shown("segment-times") == "12:00:30 to 12:01:00 (30 s):"
        stage.press(LEFT)
        assert (stage.shown("segment-times"), stage.shown("reset")) == ("Shown now:", None)
        stage.press(RIGHT, RIGHT, RIGHT, RIGHT)
        assert str(stage.valuetext).endswith(": App 1; playing Song by Band, 4 of 4")
        stage.play(3)
        assert stage.shown("segment-text") == "App 1; playing Song by Band"
        stage.press(HOME)
        assert str(stage.valuetext).endswith("1 of 4")
        stage.press(END, LEFT, ESCAPE)
        assert stage.shown("reset") is None
        stage.press(RIGHT, TAB, SPACE)
        assert stage.shown("reset") is None
        assert stage.ask("document.activeElement.id") == "slider"

    def test_the_list_has_every_segment_as_text(self, stage: Stage) -> None:
        stage.play(300)
        holes = (gap(NOON + 30 * SECOND, NOON + 60 * SECOND, "overflow"),)
        stage.send(events=(event(1, NOON + 100 * SECOND, active_app=None),), gaps=holes)
        stage.play(70)
        stage.ask("document.querySelector('#segment-list summary').click()")
        stage.play(85)
        found = stage.ask("[...document.querySelectorAll('#segments li')].map(i => i.textContent)")
        named = stage.ask("document.querySelector('#segment-list summary').textContent")
        assert named == f"{len(found)} segments as a list"
        assert found == [
            "12:00:00 to 12:00:30 Editor; playing Song by Band",
            "12:00:30 to 12:01:00 No record: too much happened to be kept",
            "12:01:00 to 12:01:40 Editor; playing Song by Band",
            "12:01:40 to 12:05:00 App not reported; playing Song by Band",
        ]

    def test_lanes_of_each_window_are_placed_by_its_own_ends(self, stage: Stage) -> None:
        stage.play(300)
        for _ in range(2):  # the second one is longer
            stage.send(events=(event(1, NOON + 99_000, active_app=None, music=NOTHING.music),))
            stage.play(100)
            app, music = stage.ask("""["app", "music"].map((lane) => document.querySelector(
              `#lane-${lane} .block:not([hidden])`).style).map(({left, width}) => [left, width])""")
            assert app == music
            assert app[0] == "0%"

    def test_the_load_of_each_window_is_placed_by_its_own_ends(self, stage: Stage) -> None:
        stage.play(300)
        for _ in range(2):
            stage.send(baseline=attrs.evolve(NOTHING, system=System(2, 2, 2)), events=())
            stage.play(100)
            path = stage.ask("document.getElementById('load-path').getAttribute('d')")
            assert re.fullmatch(r"M0 1V[\d.]+H1V1Z", path)

    def test_paused_music_is_told_as_it_was(self, stage: Stage) -> None:
        stage.play(300)
        stage.send(events=(event(1, NOON + 100 * SECOND, music=Music("paused", "Song", None)),))
        stage.play(450)
        assert (stage.shown("segment-times"), stage.shown("state")) == ("Last:", "Paused")
        assert stage.shown("segment-text") == "Editor; paused Song"

    def test_a_wall_clock_that_is_set_ahead_moves_nothing_for_long(
        self, stage: Stage, live: LiveDeployment
    ) -> None:
        stage.play(300)
        stage.send()
        stage.play(150)
        readings = live.readings
        stage.ask("(real => { Date.now = () => real() + 3600e3 })(Date.now.bind(Date))")
        stage.play(3)
        assert live.readings == readings + 1
        assert (stage.shown("state"), stage.shown("title")) == ("Online", "Editor")
        assert str(stage.shown("detail")).endswith(DELAY)

    def test_a_sleep_that_only_the_wall_clock_counts_is_counted(self, stage: Stage) -> None:
        stage.play(300)
        stage.send(events=(event(1, NOON + 100 * SECOND),))
        stage.play(150)
        assert stage.shown("title") == "Editor"
        stage.sleep(120)
        stage.play(3)
        assert stage.shown("title") == "App 1"
        assert str(stage.shown("detail")).endswith(DELAY)
