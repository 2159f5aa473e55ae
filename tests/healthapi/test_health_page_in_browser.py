"""The health page in a real browser: values, gaps, controls, messages, accessibility, sizes."""

import json
import re
import shutil
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
from PIL import Image

from healthapi.adapters.application import asgi_app
from healthapi.adapters.folder import FolderSource
from healthapi.chart_lines import mean_of, values_until
from healthapi.cli.main import main
from status_contracts.adapters.asgi import Receive, Scope, Send
from status_contracts.pages.settings import Link, PageSettings
from status_contracts.svg.labels import format_minutes
from support.checks.printed import print_page
from support.healthapi import page_profiles
from support.servers.axe import accessibility_problems, axe_problems
from support.servers.servers import ask, serve_asgi
from support.servers.webdriver import Session

pytestmark = pytest.mark.check

ROOT: Final = "/api/public/v1/profiles"
SETTINGS: Final = PageSettings(
    "Ada Example", "One line", pages=(Link("Now", "/"), Link("Health", "/health/"))
)
EXAMPLES: Final = Path(__file__).parents[2] / "examples" / "lifesnaps"
_PATH_OF: Final = (
    "[...document.querySelectorAll('.lane')].find((each) => /variability/.test(each.innerText))"
    ".querySelector('.{}').getAttribute('d')"
)
_LANES: Final = """[...document.querySelectorAll('.lane:has(.plot)')].map((lane) => {
  const band = lane.querySelector(".usual");
  return {
    metric: /tone-(\\w+)/.exec(lane.className)[1],
    label: lane.querySelector("svg").getAttribute("aria-label"),
    ends: [...lane.querySelectorAll(".lane-range .end")].map((each) => each.textContent),
    band: band && ["y", "height", "x"].map((name) => Number(band.getAttribute(name))),
    cut: [...lane.querySelectorAll(".lane-name .detail")].slice(1).map((each) => each.textContent),
    places: [...lane.querySelectorAll(".cut")].map((e) => parseFloat(e.style.insetInlineStart)),
  };
})"""
_TONE: Final = (
    "getComputedStyle(document.documentElement).getPropertyValue("
    "/--data-\\d+/.exec([...document.styleSheets[0].cssRules].find((rule) =>"
    " rule.selectorText === '.tone-KEY').cssText)[0])"
)
_BEFORE: Final = {30: "2026-10-23", 90: "2026-08-24", 365: "2025-11-22"}  # before the days shown
LEFT, HOME, END, ENTER, ESCAPE = "\ue012", "\ue011", "\ue010", "\ue007", "\ue00c"
_FITTING: Final = """[...document.querySelectorAll('.scroll')].filter((each) =>
    each.checkVisibility() && each.scrollWidth <= each.clientWidth).map((each) => {
  each.firstChild.style.visibility = 'hidden';
  const {left, top, width, height} = each.getBoundingClientRect();
  return [Math.floor(left) - 1, Math.floor(top + scrollY) - 1, width + 3, height + 3];
})"""
"""The places of the tables that fit, without what they show."""
_HEADS: Final = """[...document.querySelectorAll('#missing .scroll button')].map((head) => {
  const range = document.createRange();
  range.selectNodeContents(head);
  const boxes = [range, head].map((each) => each.getBoundingClientRect());
  return boxes.map(({left, right}) => [left, right]);
})"""
"""The left and the right end of the text of each head, and of it with its arrow."""
_WATCH: Final = """
window.problems = [];
for (const name of ["error", "unhandledrejection", "securitypolicyviolation"]) {
  window.addEventListener(name, (event) => problems.push(
    `${name} ${event.message ?? event.reason ?? event.blockedURI}`), true);
}
"""


@attrs.frozen
class World:
    """A server of example people, and a browser."""

    url: str
    session: Session

    def open(self, path: str, *, width: int = 1100) -> None:
        """Open a page, which has its data."""
        self.session.resize(width, 900)
        self.session.open(path if ":" in path else f"{self.url}{path}")

    def text(self, selector: str) -> str:
        """Return the visible text of an element."""
        found = self.session.ask(f"document.querySelector({json.dumps(selector)}).innerText")
        return " ".join(str(found).split())

    def texts(self, selector: str) -> list[str]:
        script = f"[...document.querySelectorAll({json.dumps(selector)})].map((e) => e.innerText)"
        return [" ".join(each.split()) for each in self.session.ask(script)]

    def press(self, selector: str, keys: str) -> None:
        found = self.session.call("POST", "/element", {"using": "css selector", "value": selector})
        self.session.call("POST", f"/element/{next(iter(found.values()))}/value", {"text": keys})

    def click(self, selector: str) -> None:
        self.session.ask(f"document.querySelector({json.dumps(selector)}).click()")

    def shades(self, x: float, y: float, width: float, height: float) -> Any:
        """Return the darkest and the lightest grey of a part of the page."""
        clip = {"x": x, "y": y, "width": width, "height": height, "scale": 1}
        shot = {"format": "png", "captureBeyondViewport": True, "clip": clip}
        png = b64decode(self.session.report("Page.captureScreenshot", **shot)["data"])
        return Image.open(BytesIO(png)).convert("L").getextrema()

    def data(self, path: str) -> Any:
        """Return the data of a resource of the API."""
        return ask(self.url, "GET", f"/health{ROOT}/{path}").json["data"]


@contextmanager
def running(people: Path, session: Session) -> Iterator[World]:
    page_profiles.write_full(people / "full")
    page_profiles.write_with_gaps(people / "gaps")
    page_profiles.write_almost_empty(people / "almost")
    page_profiles.write_empty(people / "empty")
    page_profiles.write_account(people / "account")
    page_profiles.write_first_days(people / "first", 1)
    page_profiles.write_first_days(people / "week", 7)
    page_profiles.write_first_days(people / "quarters", 1000)
    page_profiles.write_reasons(people / "reasons")
    page_profiles.write_unfinished(people / "unfinished")
    page_profiles.write_years(people / "years")
    for name, copy in (("person-1", "example"), ("person-2", "second")):
        shutil.copytree(EXAMPLES / name, people / copy)
        shutil.copy(EXAMPLES / "columns.toml", people / copy)
    source = FolderSource(people)
    app = asgi_app(source, page=SETTINGS)

    async def mounted(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, "root_path": "/health"}, receive, send)

    with serve_asgi(mounted) as url, session.tab():
        session.report("Page.addScriptToEvaluateOnNewDocument", source=_WATCH)
        yield World(url, session)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, browser: Session) -> Iterator[World]:
    with running(tmp_path_factory.mktemp("people"), browser) as found:
        yield found


@pytest.fixture(autouse=True)
def no_problems(world: World) -> Iterator[None]:
    """Fail a test that left an error or a violation of the policy in the page."""
    yield
    assert world.session.ask("window.problems") == []
    world.session.set_media()


class TestFullProfile:
    def test_recovery_and_night_are_those_of_the_api(self, world: World) -> None:
        world.open("/health/full/")
        overview = world.data("full/overview")
        row = world.data("full/dashboard")["charts"]["daily"][-1]
        recovery = world.text("#recovery")
        assert f"{overview['recovery_score']} {overview['recovery_label']}" in recovery
        parts = "36.0 ms, median 40.7 38 Resting .* Sleep 6 h 54 min, goal 7 h 30 min 92 "
        assert re.search(f"Heart rate variability {parts}.* Good from 80, ", recovery)
        night = world.text("#night")
        assert world.text("#night .value") == format_minutes(row["minutes_asleep"])
        assert f"{row['start_time'][11:16]} to {row['end_time'][11:16]}" in night
        assert f"Deep {format_minutes(row['minutes_deep'])}" in night
        assert world.session.ask("document.querySelectorAll('.bar rect').length") == 4

    def test_cards_have_the_latest_value_the_goal_and_the_usual_one(self, world: World) -> None:
        world.open("/health/full/")
        cards = {card["key"]: card for card in world.data("full/metrics")["metrics"]}
        steps, *_, rhr, _ = world.texts(".metric")
        latest = cards["steps"]["latest"]
        assert steps.startswith(f"Steps {latest:,} of 8,000 on 21 Nov, usual 5,112 to 11,368")
        assert rhr.startswith(f"Resting heart rate {cards['rhr']['latest']} bpm")

    def test_sleep_is_written_in_one_way(self, world: World) -> None:
        world.open("/health/full/")
        night = world.text("#night .value")
        world.press("#cursor", END)
        chosen = world.session.ask("document.getElementById('cursor').ariaValueText")
        assert f"Sleep {night}," in chosen
        world.session.ask("document.querySelectorAll('details').forEach((it) => it.open = true)")
        assert night == world.text("#days tbody td:nth-child(3)")
        assert not re.search(r"\d hours?\b", world.text("main"))
        written = world.session.ask("[0, 12, 59.4, 59.6, 366, 600].map(text.duration)")
        assert written == ["0 min", "12 min", "59 min", "1 h 00 min", "6 h 06 min", "10 h 00 min"]

    def test_values_outside_of_the_usual_range_are_marked(self, world: World) -> None:
        world.open("/health/years/")
        view = world.session.ask("JSON.parse(document.getElementById('view').textContent)")
        assert view["outside"]["hrv"] == "below"
        marked = world.texts(".outside")
        assert "▼ below usual" in next(each for each in world.texts(".metric") if "Heart" in each)
        assert len(marked) == 2 * len(view["outside"])  # in cards and beside lanes
        assert all(re.search(r"▲\W+above usual|▼\W+below usual|Sleep s", each) for each in marked)
        assert "below the usual range: heart rate variability for 4 days" in world.text("#sentence")
        assert not re.search(r"\byour\b", world.text("main"))

    @pytest.mark.parametrize("width", [360, 1100])
    def test_a_name_enlarges_its_lane(self, world: World, width: int) -> None:
        """The scale of a large lane has round numbers between its ends, that of others the ends."""
        world.open("/health/years/", width=width)
        numbers = "[...document.querySelectorAll('.lane-range span')].filter((each) =>"
        numbers += " each.closest('.lane').innerText.startsWith('Steps') && each.checkVisibility())"
        height = "document.querySelector('.tone-steps .plot').offsetHeight"
        texts = f"{numbers}.map((each) => each.textContent)"
        ends, low = world.session.ask(texts), world.session.ask(height)
        world.press(".lane.tone-steps button", ENTER)
        shown = world.session.ask(texts)
        assert shown[:2] == ends
        levels = [int(each.replace(",", "")) for each in shown[2:]]
        assert len(levels) > 1
        assert {b - a for a, b in pairwise(levels)} <= {1000, 2000, 5000}
        assert world.session.ask(height) >= 240 > low
        boxes = "['.tall .end', '.tall .plot', '#axis'].map((it) => document.querySelector(it)"
        edges = f"{boxes}.getBoundingClientRect()).map(({{ left, right }}) => [left, right])"
        (number, _), (_, plot), (_, axis) = world.session.ask(edges)
        assert plot == axis
        assert (plot < number) == (width > 360)  # on a phone the numbers are inside
        assert axe_problems(world.session) == []
        world.click("#ranges button:nth-child(3)")
        assert world.session.ask(height) >= 240
        world.click(".lane.tone-steps button")
        world.click("#ranges button:nth-child(2)")
        assert world.session.ask(texts) == ends

    def test_both_ends_and_days_with_space_are_named_and_more_have_a_line(
        self, world: World
    ) -> None:
        grid = "document.querySelectorAll('.plot')[0].querySelectorAll('.grid:not(.levels)')"
        lines = f"[...{grid}].map((each) => each.getAttribute('d')).join('').split('M').length - 1"
        labels = "[...document.querySelectorAll('#axis span')].filter((e) => e.offsetWidth).length"
        firsts = ["24 Oct", "25 Aug", "23 Nov 2025", "Nov 2016"]  # a year says which
        for width, counts in ((1280, (5, 7, 10, 5)), (360, (5, 4, 4, 5))):
            world.open("/health/years/", width=width)
            for number, both in enumerate(zip((6, 8, 14, 7), counts, strict=True), 1):
                world.click(f"#ranges button:nth-child({number})")
                assert tuple(world.session.ask(f"[{lines}, {labels}]")) == both
                assert world.texts("#axis .start") == [firsts[number - 1]]

    @pytest.mark.parametrize("name", ["full", "quarters", "years"])
    def test_the_labels_of_days_do_not_meet_on_a_phone(self, world: World, name: str) -> None:
        world.open(f"/health/{name}/", width=360)
        boxes = "[...document.querySelectorAll('#axis span')].map((e) => e.getBoundingClientRect())"
        edges = f"{boxes}.filter((box) => box.width).map(({{ left, right }}) => [left, right])"
        for number in (1, 2, 3, 4, 3):
            world.click(f"#ranges button:nth-child({number})")
            if number == 4:
                world.click(".lane.tone-sleep_hours button")
            shown = world.session.ask(edges)
            assert len(shown) > 2
            assert all(right + 4 < left for (_, right), (left, _) in pairwise(shown))

    def test_ranges_are_chosen_and_lanes_described(self, world: World) -> None:
        world.open("/health/full/")
        assert world.text("#trends-name") == "90 days to 22 Nov 2026"
        for days in (30, 365, 90):
            world.click(f"#ranges button:nth-child({1 + (30, 90, 365).index(days)})")
            world.session.call("POST", "/refresh", {})  # the address has the choice
            assert world.text("#ranges [aria-pressed=true]") == f"{days} days"
            points = world.data(f"full/series/daily?metrics=hrv&limit={days + 60}")["points"]
            shown = [p["hrv"] for p in points if p["date"] > _BEFORE[days] and p["hrv"] is not None]
            label = world.session.ask("document.querySelector('.lane.tone-hrv svg').ariaLabel")
            assert f"{len(shown)} of {days} days have a value, least {min(shown):g} ms" in label
            assert f"greatest {max(shown):g} ms" in label

    def test_a_day_is_chosen_with_the_keyboard(self, world: World) -> None:
        """Before that, each lane has the last value of its metric; a pointer shows others."""
        world.open("/health/full/")
        assert world.text("#cursor-day").replace(",", "") == "Sun 22 Nov 2026"
        assert " on 21 Nov" in world.text(".lane.tone-steps .detail")
        assert world.text(".lane.tone-hrv .detail") in world.text(".metric.tone-hrv")
        world.press("#cursor", LEFT)
        chosen = world.session.ask("document.getElementById('cursor').ariaValueText")
        assert chosen.startswith("21 Nov 2026: Sleep score")
        *_, point, _ = world.data("full/series/daily?metrics=steps")["points"]
        assert f"Steps {point['steps']:,}" in chosen
        world.press("#cursor", HOME)
        assert "25 Aug 2026" in world.text("#cursor-day")
        chosen = world.text("#lanes")
        place = "document.querySelector('.tone-hrv .plot').getBoundingClientRect()"
        y = world.session.ask(f"{place}.top + {place}.height / 2")
        for x, is_shown in ((700, True), (5, False)):
            world.session.report("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
            assert (world.text("#lanes") == chosen) is not is_shown
        world.press("#cursor", ESCAPE)
        assert "22 Nov 2026" in world.text("#cursor-day")

    def test_tables_sort_and_have_all_rows(self, world: World) -> None:
        world.open("/health/full/")
        world.click("#days summary")
        first = "#days tbody tr:first-child"
        assert world.text(f"{first} th") == "22 Nov 2026"
        assert world.session.ask("document.querySelectorAll('#days tbody tr').length") == 90
        hrv = world.texts("#days tbody td:nth-child(7)")
        assert [each for each in hrv if not re.fullmatch(r"\d+\.\d|– no data", each)] == []
        world.press("#days thead th:nth-child(4) button", ENTER)
        assert world.session.ask("document.querySelector('#days [aria-sort=ascending]') !== null")
        points = world.data("full/series/daily?metrics=steps&limit=150")["points"]
        steps = [p["steps"] for p in points if p["date"] > _BEFORE[90] and p["steps"] is not None]
        assert world.text(f"{first} td:nth-child(4)") == f"{min(steps):,}"
        world.press("#days thead th:nth-child(4) button", ENTER)
        assert world.text(f"{first} td:nth-child(4)") == f"{max(steps):,}"

    def test_the_account_and_what_it_does_not_share(self, world: World) -> None:
        world.open("/health/full/")
        body = world.texts("#body dd")
        assert body == ["61.4 kg, 20 Nov", "21.3 kg/m²", "96.5 %, 22 Nov"]
        missing = world.text("#missing")
        assert "The account does not share: Nutrition." in missing
        assert "The account did not answer: Meals, failed (502)." in missing


class TestToday:
    """Days are those of the person, here in Tokyo, nine hours ahead of UTC."""

    @pytest.mark.parametrize(
        ("now", "day", "night"),
        [
            ("2026-11-22T14:59:59Z", "Today", "Last night"),
            ("2026-11-22T15:00:00Z", "Yesterday", "Last recorded night · to 22 Nov 2026"),
            ("2026-11-24T00:00:00Z", "Latest day · 22 Nov 2026", "Last recorded night"),
        ],
    )
    def test_names_of_days(self, world: World, now: str, day: str, night: str) -> None:
        with at_time(world, now):
            world.open("/health/week/")
        assert world.text("#day").removesuffix(" · not complete") == day
        assert world.text("#night h2").startswith(night)

    def test_only_a_value_of_another_day_than_most_says_its_day(self, world: World) -> None:
        world.open("/health/second/")
        assert world.text("#day") == "Latest day · 14 Sep 2021"
        dates = [re.findall(r"\bon (\d+ Sep)\b", each) for each in world.texts(".metric")]
        assert dates == [[], [], [], ["13 Sep"], [], []]

    def test_no_day_stands_above_values_of_several_days(self, world: World) -> None:
        world.open("/health/gaps/")
        assert world.text("#day") == "Latest values"
        dates = [re.findall(r"\bon (\d+ Nov)\b", each) for each in world.texts(".metric")]
        assert dates == [["18 Nov"], ["18 Nov"], ["18 Nov"], ["20 Nov"], ["21 Nov"], ["18 Nov"]]

    @pytest.mark.parametrize(
        ("now", "start"),
        [
            ("2026-11-23T03:00:00Z", "Below the usual range: heart rate variability for 4"),
            ("2026-11-24T03:00:00Z", "As of 22 Nov 2026, below the usual range: heart"),
        ],
    )
    def test_the_sentence_names_the_day_for_those_who_come_later(
        self, world: World, now: str, start: str
    ) -> None:
        with at_time(world, now):
            world.open("/health/years/")
        assert world.text("#sentence").startswith(start)

    def test_a_date_is_never_broken(self, world: World) -> None:
        world.open("/health/example/", width=360)
        cells = "[...document.querySelectorAll('#missing td')]"
        lines = f"{cells}.map((each) => {{ const range = document.createRange();"
        lines += " range.selectNodeContents(each); return range.getClientRects().length; })"
        assert set(world.session.ask(lines)) == {1}

    def test_a_day_that_has_not_ended_is_marked_and_not_compared(self, world: World) -> None:
        world.open("/health/unfinished/")
        steps, *_, rhr, calories = world.texts(".metric")
        assert "so far, usual 5," in steps
        assert "so far, usual 2," in calories
        assert "so far" not in rhr
        assert world.text("#day").endswith("· not complete")
        assert world.text("#cursor-day").endswith(", not complete")
        note = world.text("#trends-note")
        assert "A circle is a day that is not complete, △ or ▽ one beyond" in note
        lanes = "[...document.querySelectorAll('.lane:has(.plot)')]"
        circles = f"{lanes}.map((lane) => lane.querySelectorAll('.open').length)"
        assert world.session.ask(circles) == [0, 0, 0, 1, 1, 0, 0, 1]  # steps are below the scale
        assert "complete and beyond the scale: 31 on 22 Nov 2026" in world.session.ask(
            "document.querySelector('.tone-steps:has(.plot > .is-early.is-low) svg').ariaLabel"
        )
        assert not any("▼" in each for each in world.texts(".lane.tone-steps"))
        assert world.session.ask("document.querySelectorAll('.sparkline .open').length") == 3
        world.click("#days summary")
        assert world.text("#days tbody th") == "22 Nov 2026, not complete"


@contextmanager
def at_time(world: World, now: str) -> Iterator[None]:
    """Open pages as if it were another time."""
    source = f"Date.now = () => Date.parse({json.dumps(now)});"
    added = world.session.report("Page.addScriptToEvaluateOnNewDocument", source=source)
    try:
        yield
    finally:
        world.session.report("Page.removeScriptToEvaluateOnNewDocument", **added)


class TestGaps:
    def test_lines_are_open_where_days_are_missing(self, world: World) -> None:
        world.open("/health/gaps/")
        points = world.data("gaps/series/daily?metrics=hrv&limit=200")["points"]
        present = [p["date"] for p in points if p["hrv"] is not None and p["date"] > "2026-08-23"]
        points, lines = (
            world.session.ask(_PATH_OF.format(name)).count("M") for name in ("points", "line")
        )
        days = [date.fromisoformat(each).toordinal() for each in present]
        is_start = [n == 0 or day - days[n - 1] > 1 for n, day in enumerate(days)]
        is_alone = [
            start and (n + 1 == len(days) or is_start[n + 1]) for n, start in enumerate(is_start)
        ]
        assert (points, lines) == (len(days), sum(is_start) - sum(is_alone))
        assert sum(is_start) > 3
        world.press("#cursor", LEFT)
        assert "no data" in world.text("#lanes")
        assert not re.search(r"\bNaN\b|undefined|null", world.text("body"))

    def test_reasons_are_the_true_ones(self, world: World) -> None:
        world.open("/health/reasons/")
        assert world.text("#trends-name") == "7 days to 22 Nov 2026"  # since a value that is right
        shown = world.text("#missing")
        assert "Sleep: 1 row left out: a sleep log must have only one row" in shown
        assert "Resting heart rate: 1 value left out: a resting heart rate must be" in shown
        assert (
            "Activity (Steps): 2 days (19 Nov 2026 to 20 Nov 2026) not imported:"
            " minutes of the day are missing or stand twice" in shown
        )
        assert "could not be read" not in shown
        world.open("/health/gaps/")
        shown = world.text("#missing ul")
        assert "Resting heart rate: 1 value left out: not written as a number." in shown

    def test_what_is_not_known_takes_no_room(self, world: World) -> None:
        world.open("/health/almost/")
        assert world.texts(".metric") == [world.text(".metric")]
        assert world.session.ask("document.getElementById('first').hidden")
        assert world.session.ask("document.getElementById('body').hidden")
        assert "No recovery score" in world.text("#missing")
        assert "No night: no duration of sleep on the last 2 days" in world.text("#missing")
        assert "No data at all: Sleep score, Sleep, Active minutes, " in world.text("#missing")
        assert "for a lane" not in world.text("#trends-note")
        assert world.text("#missing ul").count("Heart rate variability") == 1
        lacked = "No file read from the export has values of: Heart rate variability."
        assert lacked in world.text("#missing")


class TestFirstDays:
    """A usual range needs thirty values, and a line two points."""

    def test_one_day_is_compared_with_nothing(self, world: World) -> None:
        world.open("/health/first/")
        assert len(world.texts(".metric")) == 6
        assert not any("usual" in each for each in world.texts(".metric"))
        assert world.text("#sentence").startswith("There is no usual range yet: it takes 30")
        assert "of other days to compare with yet." in world.text("#recovery")
        ring = "getComputedStyle(document.querySelector('.dial .part')).stroke"
        muted = "getComputedStyle(document.querySelector('#recovery h2')).color"
        assert world.session.ask(f"{ring} === {muted}")
        assert world.session.ask("document.querySelectorAll('.sparkline, .lane .line').length") == 0
        assert not world.session.ask("document.getElementById('trends').checkVisibility()")
        assert "No days without a value." in world.text("#missing")

    def test_recovery_says_with_how_few_days_it_is_compared(self, world: World) -> None:
        for page in ("week/", ""):
            world.open(f"/health/{page}")
            assert "heart rates of only 6 other days." in world.text("main")
            rings = "[...document.querySelectorAll('.dial')].map((it) => it.className)"
            assert set(world.session.ask(rings)) >= {"dial alone", *["dial fair"] * (page == "")}

    def test_seven_days_have_lines_and_no_usual_range(self, world: World) -> None:
        world.open("/health/week/")
        assert not any("usual" in each for each in world.texts(".metric"))
        assert "without data" not in world.text("#metrics")
        assert world.text("#trends-name").startswith("7 days to 22 Nov 2026")
        assert world.session.ask("document.querySelectorAll('.usual').length") == 0
        assert "usual range" not in world.text("#trends-note")  # the sentence says so of all
        assert "mean" not in world.text("#trends-note")
        assert world.session.ask(_PATH_OF.format("line")).count("L") == 6


class TestLanes:
    """What the page draws is what `views.usual_ranges` computes."""

    def view(self, world: World) -> Any:
        return world.session.ask("JSON.parse(document.getElementById('view').textContent)")

    def test_bands_and_scales_are_those_of_the_view(self, world: World) -> None:
        world.open("/health/years/")
        view = self.view(world)
        for number, key in enumerate(("30", "90", "365", "all"), 1):
            world.click(f"#ranges button:nth-child({number})")
            for lane in world.session.ask(_LANES):
                low, high = view["scales"][key][lane["metric"]]
                decimals = 0 if isinstance(low, int) and isinstance(high, int) else 1
                ends = [f"{end:,.{decimals}f}" for end in (high, low)]
                if lane["metric"] == "sleep_hours":
                    ends = [format_minutes(round(end * 60)) for end in (high, low)]
                assert lane["ends"] == ends
                usual = None if key == "all" else view["usual"].get(lane["metric"])
                if usual is None:
                    assert lane["band"] is None
                    continue
                y, height, x = lane["band"]
                since = date.fromisoformat(view["since"][lane["metric"]])
                first = date(2026, 11, 22) - timedelta(int(key) - 1)
                assert x == pytest.approx(max(0, (since - first).days / (int(key) - 1)) * 1000, 0.1)
                shares = [(94 - edge) / 88 for edge in (y + height, y)]
                expected = [(end - low) / (high - low) for end in usual]
                assert shares == pytest.approx(expected, abs=0.002)

    def test_an_outlier_is_cut_and_its_value_written(self, world: World) -> None:
        world.open("/health/years/")
        cut = [lane["cut"] for lane in world.session.ask(_LANES) if lane["cut"]]
        assert cut == [["▲ 31,170 on 3 Oct"]]
        (steps,) = (lane for lane in world.session.ask(_LANES) if lane["metric"] == "steps")
        assert steps["ends"][0] == "12,841"
        assert "beyond the scale: 31,170 on 3 Oct 2026" in steps["label"]
        share = (date(2026, 10, 3) - date(2026, 8, 25)).days / 89
        assert steps["places"] == [pytest.approx(100 * share, abs=0.01)]
        points = "document.querySelector('.tone-steps .points')"
        assert world.session.ask(f"getComputedStyle({points}).opacity") == "1"
        drawn = world.session.ask(f"{points}.outerHTML")
        assert "M427 " in drawn  # 2 Oct
        assert "M438.2 " not in drawn  # it is no value at the edge
        assert "▲ and ▼ are days beyond it." in world.text("#trends-note")
        assert "Too few values for a usual range: Resting heart" in world.text("#trends-note")

    def test_lines_are_the_means_that_charts_draw(self, world: World) -> None:
        world.open("/health/gaps/")
        points = world.data("gaps/series/daily?metrics=hrv&limit=200")["points"]
        known = [(date.fromisoformat(p["date"]), p["hrv"]) for p in points if p["hrv"] is not None]
        days = [day.toordinal() for day, _ in known]
        values = [value for _, value in known]
        entries = json.dumps(list(zip(days, values, strict=True)))
        drawn = world.session.ask(f"days.means(new Map({entries}), {days[0]}, {days[-1]})")
        assert 0 < len(drawn) < len(days)
        for each in drawn:
            mean = mean_of(values_until(values, days, days.index(each["day"])))
            assert each["value"] == pytest.approx(mean)

    def test_a_line_needs_three_values_and_is_dashed_up_to_the_next_one(self, world: World) -> None:
        world.open("/health/gaps/")
        known = [1, 2, 3, 6, 14, 15, 16]
        drawn = world.session.ask(
            f"days.means(new Map({known}.map((day) => [day, 6 * day])), 1, 21)"
            ".map(({ day, value }) => [day, value])"
        )
        assert drawn == [[3, 12], [6, 18], [16, 90]]
        days = json.dumps([{"day": day} for day, _ in drawn])
        assert world.session.ask(f"[1, 6].map((n) => days.runs({days}, n).length)") == [3, 2]

    def test_years_are_means_of_months(self, world: World) -> None:
        world.open("/health/years/")
        world.click("#ranges button:last-child")
        assert world.text("#trends-name") == "Means of 121 months to Nov 2026"
        months = world.data("years/series/monthly?metrics=steps")["points"]
        world.click("#days summary")
        assert world.text("#days summary") == "All 121 months as a table"
        assert world.text("#days tbody th") == "Nov 2026, not complete"
        assert world.text("#days tbody td:nth-child(4)") == f"{round(months[-1]['steps']):,}"
        (steps,) = (lane for lane in world.session.ask(_LANES) if lane["metric"] == "steps")
        least = min(month["steps"] for month in months)
        assert f"121 of 121 months have a value, least {least:,.0f}" in steps["label"]
        assert "Of 3,6" in world.text("#missing")
        period = world.session.ask("document.getElementById('period').textContent")
        assert period.startswith("Health data of 3,6")
        world.press("#cursor", LEFT)
        assert world.text("#cursor-day") == "Oct 2026"
        world.open("/health/example/#days=all")  # of less than a year, which has no means of months
        assert world.texts("#ranges button")[2:] == [world.text("#ranges [aria-pressed=true]")]
        world.open("/health/week/")
        assert world.texts("#ranges button") == ["7 days"]

    def test_the_selected_day_stands_above_the_slider_on_a_phone(self, world: World) -> None:
        world.open("/health/full/", width=360)
        world.press("#cursor", LEFT)
        top = "document.getElementById('{}').getBoundingClientRect().top"
        day, slider = (world.session.ask(top.format(name)) for name in ("cursor-day", "cursor"))
        assert 0 <= day < slider < 900

    def test_a_column_without_values_is_left_out(self, world: World) -> None:
        world.open("/health/years/")
        rows = [{"day": "a", "none": None, "n": 1.5, "gone": "", "text": "b", "last": None}]
        columns = [{"key": key, "label": key} for key in rows[0]]
        script = f"table.create('x', {json.dumps(columns)}, {json.dumps(rows)})"
        for part in ("thead", "tbody"):
            found = f"[...{script}.querySelectorAll('{part} tr > *')].map((e) => e.className)"
            assert world.session.ask(found) == ["", "number", ""]
        assert world.session.ask(f"{script}.querySelector('button')") is None  # one row
        world.session.ask(f"document.getElementById('missing').append({script})")
        found = "[...document.querySelectorAll('#missing thead')].map((each) => each.offsetHeight)"
        one, other = world.session.ask(found)
        assert abs(one - other) <= 1  # px, by rounding


class TestPaper:
    """A page is printed for a doctor: all of it, on A4 and Letter, with name, period and date."""

    def test_what_is_for_developers_is_on_the_screen_only(self, world: World) -> None:
        world.open("/health/full/")
        assert "For developers: Snapshot endpoints (9)" in world.texts("#tables summary")
        printed = print_page(world.session)
        assert "Devices (1)" in printed.text
        assert "Snapshot endpoints" not in printed.text
        assert printed.pages[1].endswith(f" 2 / {len(printed.pages)}")

    def test_each_lane_day_and_bar_is_there(self, world: World) -> None:
        world.open("/health/years/")
        printed = print_page(world.session)
        assert "Health data of 90 days, 25 Aug 2026 to 22 Nov 2026" in printed.pages[0]
        assert "below the usual range: heart rate variability for 4 days" in printed.pages[0]
        lanes = "Sleep score .* Calories burned .* 25 Aug 13 Sep .* 22 Nov"  # all on one page
        assert re.search(f"90 days to 22 Nov 2026 .* {lanes}", printed.pages[0])
        for day in range(90):
            shown = date.fromordinal(date(2026, 11, 22).toordinal() - day)
            assert f"{shown.day} {shown:%b %Y}" in printed.text
        assert "31,170" in printed.text
        for stage in ("minutes_deep", "minutes_rem", "minutes_light", "minutes_wake_stages"):
            assert printed.filled(world.session.ask(_TONE.replace("KEY", stage)))
        points = world.data("years/series/daily?limit=90")["points"]
        for lane in world.session.ask(_LANES):
            tone = world.session.ask(_TONE.replace("KEY", lane["metric"]))
            values = sum(point[lane["metric"]] is not None for point in points)
            dots = [dot for dot in printed.outlined(tone) if dot.right - dot.left < 0.5]
            assert len(dots) - values in {0, 1}, lane["metric"]  # a card has that of its last value
            assert len(printed.outlined(tone)) > len(dots)  # the line of the means
            assert lane["band"] is None or printed.filled(tone)


class TestMessages:
    def test_an_empty_profile(self, world: World) -> None:
        world.open("/health/empty/")
        assert world.text("main") == (
            "empty This profile has no days with data yet"
            " They appear here as soon as there are some."
        )

    def test_an_account_without_days(self, world: World) -> None:
        world.open("/health/account/")
        assert "This profile has no days with data yet They appear" in world.text("#notice")
        assert "Weight 61.4 kg" in world.text("#body")
        assert world.session.ask("document.getElementById('trends').hidden")


class TestForm:
    def test_enlarged_text_stays_whole_and_on_a_phone(self, world: World) -> None:
        world.open("/health/", width=320)
        world.session.ask("document.documentElement.style.fontSize = '200%'")
        assert world.session.ask("document.querySelector('.people .detail').offsetWidth") > 100
        for percent, width in ((125, 320), (150, 360), (200, 320)):
            world.open("/health/years/", width=width)
            world.session.ask(f"document.documentElement.style.fontSize = '{percent}%'")
            assert world.session.ask("document.documentElement.scrollWidth") == width
            heights = world.session.ask(
                "[...document.querySelectorAll('.tone-sleep_hours :is(button, .end)')]"
                ".map((each) => each.getBoundingClientRect().height)"
            )
            assert max(heights) < 60 * percent / 100
        world.open("/health/years/", width=768)
        world.session.ask("document.documentElement.style.fontSize = '200%'")
        assert world.session.ask("document.querySelector('.lane .plot').offsetWidth") > 500

    @pytest.mark.parametrize("ratio", [1, 1.25, 1.5, 2, 3])
    def test_a_table_that_fits_has_no_shadow(self, world: World, ratio: float) -> None:
        world.open("/health/years/", width=1280)
        screen = {"width": 1280, "height": 900, "deviceScaleFactor": ratio, "mobile": True}
        world.session.report("Emulation.setDeviceMetricsOverride", **screen)
        world.click("#days summary")
        for place in world.session.ask(_FITTING):
            assert world.shades(*place) == (0xFF, 0xFF)

    @pytest.mark.parametrize("width", [360, 1280])
    def test_heads_of_columns_keep_their_distance(self, world: World, width: int) -> None:
        world.open("/health/years/", width=width)
        heads = world.session.ask(_HEADS)
        assert all(right - end > 5 for (_, end), (_, right) in heads[::3])  # no numbers
        assert all(left - right > 7 for (_, (_, right)), (_, (left, _)) in pairwise(heads))
        assert len(world.session.ask(_FITTING)) == 1

    def test_a_wide_table_keeps_its_first_column(self, world: World) -> None:
        world.open("/health/years/", width=360)
        world.click("#days summary")
        left = "document.querySelector('#days {}').getBoundingClientRect().left"
        world.session.ask("document.querySelector('#days .scroll').scrollBy(300, 0)")
        for cell in ("thead th", "tbody th"):
            assert world.session.ask(f"{left.format(cell)} - {left.format('.scroll')}") == 0

    def test_the_rule_of_the_head_stays_above_rows_that_scroll(self, world: World) -> None:
        world.open("/health/years/")
        world.click("#days summary")
        world.session.ask("document.querySelector('#days .scroll').scrollBy(0, 100)")
        head = "document.querySelector('#days thead th').getBoundingClientRect()"
        x, y = world.session.ask(f"[{head}.left, Math.round({head}.bottom + scrollY) - 1]")
        assert world.shades(x, y, 40, 1)[1] < 0xFF

    def test_the_heads_of_lanes_are_alike_on_a_phone(self, world: World) -> None:
        """Each has the name and the range, below them the value and what is beyond the scale."""
        world.open("/health/years/", width=360)
        plots = "[...document.querySelectorAll('.lanes .plot')].map((plot) =>"
        tops = world.session.ask(f"{plots} plot.offsetTop - plot.parentElement.offsetTop)")
        assert max(tops) - min(tops) <= 1  # px, by rounding
        assert world.session.ask("document.querySelector('#recovery .note').offsetWidth") > 250

    def test_other_colours_and_no_motion(self, world: World) -> None:
        world.open("/health/full/")
        for feature in ("prefers-contrast", "forced-colors"):
            value = {"prefers-contrast": "more", "forced-colors": "active"}[feature]
            world.session.set_media(**{feature: value})
            assert world.session.ask(f"matchMedia('({feature}: {value})').matches")
            assert axe_problems(world.session) == []


class TestStaticSite:
    def test_it_works_from_a_file(self, world: World, tmp_path: Path) -> None:
        people, site = tmp_path / "people", tmp_path / "site"
        page_profiles.write_full(people / "full")
        assert main(["page", str(people), "-o", str(site)]) == 0
        world.open(f"file://{site}/index.html")
        score = world.data("full/overview")["recovery_score"]
        assert world.text("#recovery .value") == str(score)
        assert world.text(".footer").startswith("Data to 22 Nov 2026.")
        assert accessibility_problems(world.session) == []
