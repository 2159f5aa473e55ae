"""The practice page in a real browser: content, filters, failures, accessibility, costs."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import date, timedelta
from mimetypes import guess_type
from pathlib import Path
from typing import Any

import attrs
import pytest

import sitedata
from sitedata import Snapshot, encode
from sitedata.adapters.application import asgi_app
from sitedata.cli.main import main
from sitedata.page import build_practice, with_snapshot
from status_contracts.adapters.wsgi import Environ
from status_contracts.pages.settings import Link, PageSettings
from status_contracts.svg.palette import FILLS, TONES
from support.checks.printed import PAPERS, print_page
from support.servers.axe import axe_problems
from support.servers.servers import serve_asgi, serve_wsgi
from support.servers.webdriver import Session
from support.sitedata.site_examples import problem, snapshot

pytestmark = pytest.mark.check

EXAMPLE = Path(__file__).parents[2] / "examples" / "practice" / "site-data.json"
SETTINGS = PageSettings(
    "Ada", "Solves things", pages=(Link("Now", "/now/"), Link("Practice", "./"))
)
MARKUP = "</script><img src=x onerror=alert(1)>"
HOSTILE = (
    MARKUP,
    "\u202e" + "evil" * 5,
    "x" * 5_000,
    "\U0001f3b5" * 400,
    "",
    " \t ",
    "a\nb\0c",
    "漢字" * 300,
    "a\u0301" * 500,
)
INVALID_TIME = (
    "The data file is invalid: /problems/0/submittedAt is not null or a time with an offset"
)
READY = "document.documentElement.dataset.state === 'ready'"
FAILED = "document.querySelector('#notice .notice-actions button') !== null"
CLICK = "new MouseEvent('click', {bubbles: true})"
MEET = """(selector) => {
  const shown = [...document.querySelectorAll(selector)].filter((it) => it.checkVisibility());
  const boxes = shown.map((it) => {
    const range = document.createRange();
    range.selectNodeContents(it);
    return range.getBoundingClientRect();
  });
  const isOver = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom;
  return boxes.some((a, n) => boxes.slice(n + 1).some((b) => isOver(a, b) && b.top < a.bottom));
}"""
"""Whether two texts stand over one another."""
NEW_DAY = "2026-01-31T10:00:00Z"
ENTER, LEFT, UP, HOME, TAB = "\ue007", "\ue012", "\ue013", "\ue011", "\ue004"


@pytest.fixture(scope="module")
def session(browser: Session) -> Iterator[Session]:
    with browser.tab():
        browser.report("Emulation.setFocusEmulationEnabled", enabled=True)
        yield browser


@pytest.fixture(autouse=True)
def usual_window(session: Session) -> None:
    """Set the window of each test, whatever the one before it set."""
    session.set_media()
    session.resize(1100, 900)


WORDS = (
    *("Two", "Sum", "Shortest", "Path", "Range", "Query", "Segment", "Tree", "Longest", "Grid"),
    *("Binary", "Search", "Knapsack", "Prime", "Factor", "Palindrome", "Bracket", "Sequence"),
    *("Rotation", "Minimum", "Cost", "Flow", "Nearly", "Repeating", "Interval", "Order", "Digit"),
)
PLATFORMS = {"codeforces": 41, "atcoder": 30, "leetcode": 16, "luogu": 10, "cses": 7, "kattis": 3}
LANGUAGES = {"C++": 88, "Python": 9, "Rust": 3}
SUFFIXES = {"C++": "cpp", "Python": "py", "Rust": "rs"}
LAST = date(2026, 11, 22)


def large_snapshot(problems: int, days: int = 640) -> dict[str, Any]:
    """Return the plain value of a snapshot: bursts and pauses of practice in the days up to `LAST`.

    It is equal on every machine; twelve problems are without a time.
    """
    draw = random.Random(problems)  # noqa: S311 - reproducible
    weights = [_activity(draw, day) for day in range(days)]
    chosen = sorted(draw.choices(range(days), weights, k=problems))
    listed = [_problem(draw, number, days - 1 - day) for number, day in enumerate(chosen)]
    for each in draw.sample(listed, 12):
        each["submittedAt"] = None
    contributions = Counter(f"{LAST - timedelta(days=days - 1 - day)}" for day in chosen)
    return {
        "repository": {"owner": "ada", "name": "practice", "branch": "main"},
        "generatedAt": f"{LAST.isoformat()}T20:40:00.000Z",
        "sourceRef": "main",
        "commitCount": problems,
        "contributions": contributions,
        "problems": listed,
        "ratings": {},
    }


def _activity(draw: random.Random, day: int) -> float:
    """Return the weight of a day: seasons, and days without practice."""
    season = (day // 60) % 4
    return 0.0 if draw.random() < (0.75, 0.35, 0.9, 0.45)[season] else draw.random() + 0.2


def _problem(draw: random.Random, number: int, days_ago: int) -> dict[str, Any]:
    platform = draw.choices(list(PLATFORMS), list(PLATFORMS.values()))[0]
    language = draw.choices(list(LANGUAGES), list(LANGUAGES.values()))[0]
    words = " ".join(draw.choices(WORDS, k=draw.randint(2, 6)))
    path = f"{platform}/{number:06}.{SUFFIXES[language]}"
    day = (LAST - timedelta(days=days_ago)).isoformat()
    return {
        "path": path,
        "platform": platform,
        "language": language,
        "title": f"{number}. {words}",
        "problemUrl": f"https://judge.example/{platform}/{number}",
        "githubUrl": f"https://github.com/ada/practice/blob/main/{path}",
        "rawUrl": f"https://raw.githubusercontent.com/ada/practice/main/{path}",
        "submittedAt": f"{day}T{draw.randint(8, 22):02}:{draw.randint(0, 59):02}:00+01:00",
    }


@pytest.fixture(scope="module")
def big() -> Iterator[str]:
    """Return the URL of a page of 10,000 problems."""
    with served(large_snapshot(10_000)) as url:
        yield url


@contextmanager
def served(value: Snapshot | Mapping[str, Any] | bytes) -> Iterator[str]:
    """Serve the page of a snapshot."""
    body = json.dumps(value).encode() if isinstance(value, Mapping) else value
    found = sitedata.parse(body) if isinstance(body, bytes) else body
    with serve_asgi(asgi_app(found, page=SETTINGS)) as url:
        yield url


def responding(status: int, body: bytes, pieces: int = 1) -> AbstractContextManager[str]:
    """Serve the page, with any response of a number of equal pieces for the file."""
    page = with_snapshot(build_practice(SETTINGS), snapshot())

    def answer(path: str) -> tuple[int, str, list[bytes]]:
        return (200, "text/html", [page.body]) if path == "/" else (status, "", [body] * pieces)

    return answering(answer, page.policy)


def static(folder: Path) -> AbstractContextManager[str]:
    """Serve the files of a folder."""

    def answer(path: str) -> tuple[int, str, list[bytes]]:
        file = folder / f"{path[1:]}{'index.html' if path.endswith('/') else ''}"
        return 200, guess_type(file.name)[0] or "", [file.read_bytes()]

    return answering(answer)


def answering(
    answer: Callable[[str], tuple[int, str, list[bytes]]], policy: str = ""
) -> AbstractContextManager[str]:
    """Serve what a function answers to a path: status, content type and pieces of the body."""

    def app(environ: Environ, start_response: Callable[..., Any]) -> list[bytes]:
        status, kind, pieces = answer(environ["PATH_INFO"])
        headers = [("Content-Type", kind), ("Content-Security-Policy", policy)]
        start_response(f"{status} Any", headers)
        return pieces

    return serve_wsgi(app)


def show(session: Session, url: str, until: str = READY) -> None:
    """Open a page anew, and wait for it."""
    # Where the browser is at this page, to open it would only change the fragment.
    session.ask("(() => { try { history.replaceState(null, '', '/left') } catch {} })()")
    session.open(url)
    session.until(until)


def text_of(session: Session, selector: str) -> str:
    return texts_of(session, selector)[0]


def texts_of(session: Session, selector: str) -> list[str]:
    found: list[str] = session.ask(
        f"[...document.querySelectorAll({json.dumps(selector)})].map((each) => each.textContent)"
    )
    return found


def press(session: Session, *keys: str) -> None:
    actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
    source = {"type": "key", "id": "keys", "actions": actions}
    session.call("POST", "/actions", {"actions": [source]})


def click(session: Session, selector: str) -> None:
    session.ask(f"document.querySelector({json.dumps(selector)}).click()")


def cards(session: Session) -> dict[str, list[str]]:
    """Return the cards of the page: heading to value and detail."""
    found = session.ask(
        "[...document.querySelectorAll('#totals .card')].map((each) =>"
        " [...each.children].map(({innerText}) => innerText))"
    )
    return {name: rest for name, *rest in found}


class TestContent:
    def test_the_example(self, session: Session) -> None:
        with served(EXAMPLE.read_bytes()) as url:
            show(session, url)
            assert text_of(session, "#found") == "48 problems"
            assert session.ask("document.querySelectorAll('.row').length") == 48
            assert session.ask("document.querySelector('.bar-row .name').offsetWidth") > 130
            assert session.ask("document.title") == "ada / practice · Practice · Ada"
            assert texts_of(session, "nav [aria-current]") == ["Practice"]
            assert session.console() == []

    def test_the_rows_of_the_script_are_those_of_the_document(
        self, session: Session, big: str
    ) -> None:
        """The list of a filter that is cleared is the one that the document had."""
        leetcode = "https://leetcode.com/problems/two/"
        problems = (
            problem("python/a", NEW_DAY, problem_url=leetcode, title="é" * 400 + MARKUP),
            problem("cpp/b", problem_url=leetcode, language="C++", github_url="http://x.example"),
            problem("cpp/c", problem_url="https://", language=" ", title=" "),
            *(
                problem(f"cpp/{url[:4]}", problem_url=url, github_url=url)
                for url in ("javascript:alert(1)", "data:,x", "/1", "")
            ),
        )
        rows = "document.getElementById('rows').innerHTML"
        with served(snapshot(problems=problems)) as url:
            for place in (url, big):
                show(session, place)
                drawn = session.ask(rows)
                session.ask("void (location.hash = '#q=zzz')")
                session.until(f"{rows} === ''")
                click(session, "#clear")
                assert session.ask(rows) == drawn

    def test_hostile_texts_stay_text(self, session: Session) -> None:
        problems = tuple(
            problem(f"{index}/{text[:99]}", platform=text, language=text, title=text)
            for index, text in enumerate(HOSTILE)
        )
        owner = attrs.evolve(snapshot().repository, owner=MARKUP, name="\u202eeman")
        with served(snapshot(problems=problems, repository=owner)) as url:
            show(session, url)
            shown = texts_of(session, ".row .title")
            assert MARKUP in shown
            assert max(map(len, shown)) <= 301
            assert session.ask("document.images.length") == 0
            session.resize(320, 800)
            assert session.ask("document.documentElement.scrollWidth") <= 320
            below = "({firstChild: a, lastChild: b}) => b.offsetTop > a.offsetTop + a.offsetHeight"
            assert not session.ask(f"[...document.querySelectorAll('.bar-row')].some({below})")
            session.resize(1100, 900)
            assert axe_problems(session) == []


class TestFilters:
    def test_typing_filters_and_the_address_follows(self, session: Session, big: str) -> None:
        show(session, big)
        session.ask("document.getElementById('text').focus()")
        press(session, *"two sum")
        found = text_of(session, "#found")
        assert re.fullmatch(r"\d{1,3} of 10,000 problems", found)
        titles = [re.findall(r"\w+", each.lower()) for each in texts_of(session, ".row .title")]
        assert all({"two", "sum"} <= set(words) for words in titles)
        session.until("location.hash === '#q=two+sum'")
        for address in ("#q=two+sum", "?q=two+sum", "?q=two+sum#problems", "?q=x#q=two+sum"):
            show(session, f"{big}/{address}")
            assert text_of(session, "#found") == found
            assert session.ask("document.getElementById('text').value") == "two sum"
        click(session, "#clear")
        session.until("location.href === `${location.origin}/`")

    def test_all_filters_come_from_a_link(self, session: Session, big: str) -> None:
        fragment = "#platform=cses&language=C%2B%2B&since=2026-09-01&until=2026-09-30&sort=oldest"
        show(session, f"{big}/{fragment}")
        assert set(texts_of(session, ".row .platform")) == {"CSES"}
        assert set(texts_of(session, ".row .language")) == {"C++"}
        assert {each[-8:] for each in texts_of(session, ".row .date")} == {"Sep 2026"}
        chosen = "[...document.querySelectorAll('select')].map((each) =>"
        chosen += " each.selectedOptions[0].text.replace(/ \\(.*/, ''))"
        assert session.ask(chosen) == ["CSES", "C++", "Oldest first"]
        assert text_of(session, "#span") == "Sep 2026 ×"
        pressed = "[...document.querySelectorAll('[aria-pressed=true], [aria-current=true]')]"
        assert session.ask(f"{pressed}.length") == 3
        click(session, "#clear")
        assert text_of(session, "#found") == "10,000 problems; 12 without a date at the end"
        session.until("location.hash === '#sort=oldest'")

    @pytest.mark.parametrize(
        ("fragment", "text"),
        [
            ("since=2026-09-01", "since 1 Sep 2026 ×"),
            ("since=2025-01-01&until=2026-12-31", "2025 to 2026 ×"),
            ("since=2025-01-05&until=2026-12-30", "5 Jan 2025 to 30 Dec 2026 ×"),
        ],
    )
    def test_time_spans_are_named(
        self, session: Session, big: str, fragment: str, text: str
    ) -> None:
        show(session, f"{big}/#{fragment}")
        assert text_of(session, "#span") == text
        click(session, "#span")
        assert text_of(session, "#found").startswith("10,000 problems")

    def test_a_row_of_a_span_says_which_day_is_in_it(self, session: Session) -> None:
        """The date of a problem is that of its newest file; it was solved with its oldest."""
        url, times = "https://judge.example/1", ("2024-10-09T10:00:00Z", NEW_DAY)
        problems = [problem(f"a/{time}", time, problem_url=url) for time in times]
        with served(snapshot(problems=(*problems, problem("a/2", times[0])))) as place:
            show(session, f"{place}/#since=2024-01-01&until=2024-12-31")
            dates = ["31 Jan 2026 (solved 9 Oct 2024)", "9 Oct 2024"]
            assert texts_of(session, ".row .date") == dates
            click(session, "#span")
            assert texts_of(session, ".row .date") == ["31 Jan 2026", "9 Oct 2024"]

    def test_where_nothing_matches_a_sentence_says_so(self, session: Session, big: str) -> None:
        show(session, f"{big}/#platform=nowhere&q=sum&since=2026-09-01&until=2026-09-30")
        assert text_of(session, "#found") == "0 of 10,000 problems"
        assert session.ask("platform.selectedOptions[0].text") == "nowhere"
        assert text_of(session, "#nothing .notice-title") == "No problem matches these filters"
        assert session.ask("document.getElementById('clear').hidden")
        assert axe_problems(session) == []
        click(session, "#nothing a")
        assert text_of(session, "#found").startswith("10,000 problems")
        assert session.ask("document.getElementById('nothing').hidden")

    @pytest.mark.parametrize("fragment", ["platform=Codeforces&q=a", "platform=nowhere"])
    def test_a_link_with_a_filter_leads_to_the_list(
        self, session: Session, big: str, fragment: str
    ) -> None:
        top = "document.getElementById('problems').getBoundingClientRect().top"
        show(session, f"{big}/#{fragment}")
        assert -1 < session.ask(top) < 900
        assert session.ask("getComputedStyle(document.activeElement).outlineStyle") == "none"
        show(session, f"{big}/#sort=title")
        assert session.ask("scrollY") == 0

    def test_a_name_in_the_address_may_be_the_shown_one_in_any_case(self, session: Session) -> None:
        names = ("codeforces", "project-euler", "Own", "own")
        with served(snapshot(problems=tuple(problem(f"{name}/x") for name in names))) as url:
            for given in ("CODEFORCES", "project euler", "own", "Own"):
                show(session, f"{url}/#platform={given}&language=python")
                assert text_of(session, "#found") == "1 of 4 problems"
                assert texts_of(session, ".row .platform")[0].lower() == given.lower()

    @pytest.mark.parametrize("bar", ["#platforms .bar-row", "#columns .column"])
    def test_back_from_a_bar_restores_filter_and_place(
        self, session: Session, big: str, bar: str
    ) -> None:
        show(session, f"{big}/#q=two")
        before = json.dumps(text_of(session, "#found"))
        session.ask("counts.scrollIntoView(false)")
        place = session.ask("scrollY")
        session.ask(f"void document.querySelector('{bar}').dispatchEvent({CLICK})")
        session.until(f"scrollY > {place} && found.innerText !== {before}")
        session.ask("history.back()")
        session.until(f"scrollY === {place} && found.innerText === {before}")

    def test_the_skip_link_keeps_the_filter(self, session: Session, big: str) -> None:
        show(session, f"{big}/#q=two")
        before = text_of(session, "#found")
        click(session, ".skip-link")
        session.until("location.hash === '#problems'")
        assert text_of(session, "#found") == before

    def test_bars_and_columns_filter(self, session: Session, big: str) -> None:
        """A bar is a link that adds to the filter, and takes away what it has added."""
        shown = "document.querySelector('.row .{}').textContent === {}"
        show(session, big)
        click(session, "#platforms .bar-row")
        session.until(shown.format("platform", "'Codeforces'"))
        click(session, "#languages .bar-row:not([aria-current=true])")
        session.until("location.hash === '#platform=codeforces&language=C%2B%2B'")
        session.until("document.querySelectorAll('[aria-current=true]').length === 2")
        assert set(texts_of(session, ".row .platform")) == {"Codeforces"}
        assert set(texts_of(session, ".row .language")) == {"C++"}
        click(session, "#languages .bar-row")
        column = "document.querySelector('.column[aria-label^=\"Sep 2026\"]')"
        session.ask(f"void {column}.dispatchEvent({CLICK})")
        assert session.ask(f"{column}.ariaPressed") == "true"
        assert text_of(session, "#span") == "Sep 2026 ×"
        click(session, "#span")
        click(session, "#platforms .bar-row")
        session.until("document.getElementById('found').innerText.startsWith('10,000 problems')")

    def test_more_rows_on_request(self, session: Session, big: str) -> None:
        show(session, big)
        assert session.ask("document.querySelectorAll('.row').length") == 50
        assert text_of(session, "#more") == "Show 50 more of 9,950"
        click(session, "#more")
        assert session.ask("document.querySelectorAll('.row').length") == 100
        assert text_of(session, "#rest") == "9,900 more in the JSON file"
        rows = "[...document.querySelectorAll('.row')]"
        assert session.ask(f"{rows}.indexOf(document.activeElement.closest('li'))") == 50

    @pytest.mark.parametrize("sort", ["title", "platform", "language"])
    def test_other_orders(self, session: Session, big: str, sort: str) -> None:
        show(session, f"{big}/#sort={sort}")
        keys = [
            [int(each) if each.isdigit() else each for each in re.findall(r"\d+|\D+", text)]
            for text in texts_of(session, f".row .{sort}")
        ]
        assert keys == sorted(keys)


class TestCalendar:
    def test_the_bars_are_one_stop_of_the_tab_key(self, session: Session, big: str) -> None:
        show(session, big)
        session.ask("document.querySelector('#days [tabindex=\"0\"]').focus()")
        press(session, TAB)
        assert session.ask("document.activeElement.getAttribute('class')") == "column open"
        press(session, TAB)
        assert session.ask("document.activeElement.className") == "bar-row"

    def test_a_finger_names_a_bar_before_it_lists(self, session: Session, big: str) -> None:
        session.report("Emulation.setTouchEmulationEnabled", enabled=True)
        show(session, big)
        assert text_of(session, "#column") == "Tap a bar twice to list its problems"
        bar = "document.querySelector('.column:has(~ .open)')"
        session.ask(f"void {bar}.dispatchEvent({CLICK})")
        assert text_of(session, "#column").endswith("problems; tap again to list")
        assert text_of(session, "#found").startswith("10,000 problems")
        session.ask(f"void {bar}.dispatchEvent({CLICK})")
        assert " of 10,000 problems" in text_of(session, "#found")
        session.report("Emulation.setTouchEmulationEnabled", enabled=False)

    def test_arrow_keys_move_and_enter_lists_a_day(self, session: Session) -> None:
        contributions = {"2026-01-30": 2, "2026-01-31": 3}
        days = ("2026-01-31T09:00:00+01:00", "2026-01-30T09:00:00+01:00")
        problems = tuple(problem(f"a/{day}", day) for day in days)
        with served(snapshot(contributions=contributions, problems=problems)) as url:
            show(session, url)
            stops = "document.querySelectorAll('#days [tabindex=\"0\"]').length"
            assert session.ask(stops) == 1
            session.ask("document.querySelector('#days [tabindex=\"0\"]').focus()")
            focused = "document.activeElement.getAttribute('aria-label')"
            label = "31 Jan 2026: 3 contributions, 1 solved"
            assert session.ask(focused) == text_of(session, ".below .detail") == label
            press(session, UP)
            assert session.ask(focused).startswith("30 Jan 2026: 2 contributions")
            press(session, LEFT)
            assert session.ask(focused) == "23 Jan 2026: nothing"
            press(session, ENTER)
            assert text_of(session, "#found") == "2 problems"
            press(session, HOME)
            assert session.ask(focused).startswith("1 Feb 2025")
            assert session.ask(stops) == 1
            session.ask("document.querySelector('#days [aria-label*=\"30 Jan 2026\"]').focus()")
            press(session, ENTER)
            assert text_of(session, "#found") == "1 of 2 problems"
            session.until("location.hash === '#since=2026-01-30&until=2026-01-30'")

    def test_the_day_of_the_filter_is_marked_in_its_year(self, session: Session, big: str) -> None:
        show(session, f"{big}/#since=2025-10-23&until=2025-10-23")
        marked = "[...document.querySelectorAll('.day[aria-selected=true]')].map((day) =>"
        marked += " [day.ariaLabel, day.closest('.weeks').id, day.checkVisibility()])"
        ((label, *place),) = session.ask(marked)
        assert [label[:12], *place] == ["23 Oct 2025:", "days-2025", True]
        assert text_of(session, "#days-2025 ~ .below .detail") == label
        click(session, "#clear")
        assert text_of(session, "#days-2025 ~ .below .detail").startswith("Choose a day")

    @pytest.mark.parametrize("width", [320, 600, 1100])
    def test_the_first_choice_of_each_filter_is_not_cut(
        self, session: Session, big: str, width: int
    ) -> None:
        session.resize(width, 844)
        show(session, big)
        cut = """[...document.querySelectorAll(".filters select")].filter((select) => {
          const style = getComputedStyle(select);
          const paper = document.createElement("canvas").getContext("2d");
          paper.font = style.font;
          return paper.measureText(select.options[0].text).width + 18
            > select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        }).map((select) => select.id)"""
        assert session.ask(cut) == []

    @pytest.mark.parametrize(("width", "rows"), [(360, 3), (600, 2), (1100, 1)])
    def test_a_year_is_in_as_many_rows_as_fit(
        self, session: Session, big: str, width: int, rows: int
    ) -> None:
        session.resize(width, 844)
        show(session, big)
        weeks = "[...document.querySelectorAll('.week')].filter((each) => each.checkVisibility())"
        tops = f"new Set({weeks}.map((each) => each.offsetTop))"
        assert session.ask(f"{tops}.size") == rows
        assert session.ask(f"{weeks}.length") == 53
        named = f"{weeks}.map((each) => [each.offsetTop, each.firstChild.innerText])"
        for top in session.ask(f"[...{tops}]"):  # each begins with a month
            assert any([name for at, name in session.ask(named) if at == top][:3])
        assert session.ask("document.querySelector('.day').offsetWidth") >= 9
        session.ask("document.getElementById('year-2025').click()")
        assert session.ask(f"{tops}.size") == rows
        assert text_of(session, "#calendar-name-2025").endswith(" contributions in 2025")
        session.ask("document.querySelector('#days-2025 [tabindex=\"0\"]').focus()")
        assert "31 Dec 2025" in text_of(session, "#days-2025 ~ .below .detail")


class TestFailures:
    @pytest.mark.parametrize(
        ("status", "body", "message"),
        [
            (503, b"{}", "The data file cannot be read: the server answered 503"),
            (200, b"<p>portal", "The data file is invalid: the file is not JSON text in UTF-8"),
            (200, b"[]", "The data file is invalid: the file is not an object"),
            (200, encode(snapshot()).replace(b"2026-01-31T12", b"2026-02-31T12"), INVALID_TIME),
        ],
    )
    def test_a_file_that_cannot_be_used(
        self, session: Session, status: int, body: bytes, message: str
    ) -> None:
        with responding(status, body) as url:
            show(session, url, FAILED)
            assert text_of(session, ".notice-title") == message
            assert texts_of(session, ".notice-actions > *") == ["Try again", "The data file"]
            assert session.ask("document.getElementById('filters').hidden")
            assert len(texts_of(session, ".row")) == 1
            assert axe_problems(session) == []

    def test_a_file_that_is_too_large(self, session: Session) -> None:
        with responding(200, b" " * 1024 * 1024, pieces=66) as url:
            show(session, url, FAILED)
            assert "larger than 64 MiB" in text_of(session, ".notice-title")

    @pytest.mark.parametrize("fragment", ["", "#problems", "#q=newer"])
    def test_a_file_that_is_newer_than_the_page(self, session: Session, fragment: str) -> None:
        """The list is that of the file; the charts of the page are no filters."""
        newer = snapshot(
            generated_at=snapshot().generated_at + 1, problems=(problem("a/1", title="Newer"),)
        )
        with responding(200, encode(newer)) as url:
            show(session, url + fragment)
            assert "not that of this page" in text_of(session, ".notice-title")
            assert texts_of(session, ".row .title") == ["Newer"]
            assert session.ask("document.querySelectorAll('[role=button]').length") == 0
            assert axe_problems(session) == []

    def test_what_is_typed_before_the_file_is_there_counts(self, session: Session) -> None:
        with responding(404, b"") as url:
            show(session, url, FAILED)
            session.ask("void (document.getElementById('text').value = 'zzz')")
            session.ask("void document.getElementById('text').dispatchEvent(new Event('input'))")
            assert text_of(session, "#found") == "The problems are being read…"
        with served(snapshot()) as url:
            source = "document.addEventListener('DOMContentLoaded', () => {text.value = 'zzz'})"
            script = session.report("Page.addScriptToEvaluateOnNewDocument", source=source)
            show(session, url)
            session.report("Page.removeScriptToEvaluateOnNewDocument", **script)
            assert text_of(session, "#found") == "0 of 1 problem"

    def test_a_server_that_is_gone_and_comes_back(self, session: Session) -> None:
        with served(snapshot()) as url:
            show(session, url)
            session.report("Network.enable")
            session.report("Network.setBlockedURLs", urls=["*site-data.json*"])
            show(session, url, FAILED)
            assert "no connection" in text_of(session, ".notice-title")
            assert cards(session)["Solved"][0] == "1"
            session.report("Network.setBlockedURLs", urls=[])
            click(session, ".notice-actions button")
            session.until(READY)
            assert session.ask("document.getElementById('notice').hidden")
            assert not session.ask("document.getElementById('filters').hidden")


class TestLayout:
    def test_the_details_of_a_row_are_in_one_line(self, session: Session) -> None:
        problems = tuple(
            problem(f"{name}/{n}", NEW_DAY, platform=name, language="Go")
            for n, name in enumerate(("nowcoder", "codeforces", "leetcode"))
        )
        tops = "[...row.children].slice(1).map((each) => each.offsetTop)"
        spread = f"Math.max(...{tops}) - Math.min(...{tops})"
        spreads = f"[...document.querySelectorAll('.row')].map((row) => {spread})"
        small = {"width": 320, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        session.report("Emulation.setDeviceMetricsOverride", **small)  # with a scroll bar
        with served(snapshot(problems=problems)) as url:
            show(session, url)
            assert max(session.ask(spreads)) < 10
            last = "document.querySelector('#totals :nth-child(2) > .value')"
            assert session.ask(f"{last}.offsetHeight") < 40  # a day is in one line

    @pytest.mark.parametrize(("width", "percent"), [(180, 100), (360, 150), (360, 200), (768, 200)])
    def test_all_has_room_where_text_is_large(
        self, session: Session, width: int, percent: int
    ) -> None:
        """The first width is that of a phone in texts of twice the size."""
        session.resize(width, 844)
        with served(EXAMPLE.read_bytes()) as url:
            show(session, url)
            session.ask(f"document.documentElement.style.fontSize = '{percent}%'")
            assert session.ask("document.querySelector('.day').offsetWidth") >= percent / 20
            assert session.ask("filters.scrollWidth <= filters.clientWidth")
            for names in ("#days .week b", ".columns .name", "#days .week-days span"):
                assert not session.ask(f"({MEET})({json.dumps(names)})"), names
            widths = "[...document.querySelectorAll('.track, .value')].map((it) =>"
            assert min(session.ask(f"{widths} it.getBoundingClientRect().width)")) > 90
            texts = "[...document.querySelectorAll('.below .detail, .name, .platform')]"
            cut = "it.scrollHeight > it.clientHeight || it.scrollWidth > it.clientWidth"
            assert not session.ask(f"{texts}.some((it) => {cut})")
            assert not session.ask("document.querySelector('.wide').checkVisibility()")
            skip_link = "document.querySelector('.skip-link').getBoundingClientRect()"
            assert session.ask(f"{skip_link}.bottom") <= 0


class TestPlaces:
    def test_a_static_site_below_a_path(self, session: Session, tmp_path: Path) -> None:
        site = tmp_path / "someone" / "practice"
        settings = tmp_path / "page.toml"
        settings.write_text('[pages]\nNow = "../"\nExercises = "./"\n', "utf-8")
        options = ["-o", str(site), "--page-settings", str(settings)]
        assert main(["page", str(EXAMPLE), *options]) == 0
        session.console()  # that of the tests before
        with static(tmp_path) as url:
            for name in ("", "index.html"):
                show(session, f"{url}/someone/practice/{name}")
                assert text_of(session, "#found") == "48 problems"
                assert texts_of(session, "nav [aria-current]") == ["Exercises"]
            assert session.console() == []

    def test_from_a_disk_one_sentence_says_why(self, session: Session, tmp_path: Path) -> None:
        assert main(["page", str(EXAMPLE), "-o", str(tmp_path)]) == 0
        is_said = "document.querySelector('.notice-title') !== null"
        show(session, (tmp_path / "index.html").as_uri(), is_said)
        assert "python3 -m http.server" in text_of(session, "#notice")
        assert cards(session)["Solved"][0] == "48"


class TestPaper:
    """What a person prints: the light colours, each square and each bar, and no form."""

    LEVELS = tuple(color for color, _ in FILLS["light"])

    @pytest.mark.parametrize("paper", PAPERS)
    def test_each_day_and_bar_is_printed(self, session: Session, big: str, paper: str) -> None:
        active = [day for day in large_snapshot(10_000)["contributions"] if day > "2025-11-22"]
        show(session, big)
        session.set_media(**{"prefers-color-scheme": "dark"})
        printed = print_page(session, paper)
        assert printed.is_inside
        squares = [len(printed.filled(color)) for color in self.LEVELS]
        assert sum(squares) == 365 + len(self.LEVELS)  # a year, and the legend
        assert sum(squares[1:]) == len(active) + len(self.LEVELS) - 1
        bars = printed.filled(TONES[0])
        assert len(bars) == 21 + 6 + 3  # months with problems, platforms, languages
        assert all(bar.page == 1 for bar in bars)
        assert "3,892" in printed.pages[0]
        assert "927" in printed.pages[0]
        assert "Newest first" not in printed.text
        assert "9,950 more in the JSON file" in printed.text
        assert "Printed " in printed.pages[-1]
        assert "Built on 22 Nov 2026" in printed.pages[-1]

    def test_names_that_open_are_open(self, session: Session) -> None:
        problems = tuple(problem(f"p{n}/x", NEW_DAY) for n in range(12))
        with served(snapshot(problems=problems)) as url:
            show(session, url)
            printed = print_page(session)
            session.ask("void (location.hash = '#platform=p9')")
            session.until("document.querySelector('#platforms [open] [aria-current=true]')")
            part = "document.querySelector('#platforms .bar').computedStyleMap().get('--part')"
            assert session.ask(f"`${{{part}}}`") == "35%"  # of a bar in the other list
            session.report("Emulation.setEmulatedMedia", media="print")
            styles = "getComputedStyle(document.querySelector('.rows .platform'))"
            assert session.ask(f"[{styles}.overflowWrap, {styles}.textAlign]") == ["normal", "left"]
            session.report("Emulation.setEmulatedMedia", media="")
        assert len(printed.filled(TONES[0])) == 12 + 1
        assert printed.is_inside


class TestAccessibility:
    @pytest.mark.parametrize("line", ["", "Writes about graphs"])
    def test_the_texts_stand_beside_the_middle_of_the_circle(
        self, session: Session, line: str
    ) -> None:
        page = PageSettings("Ada", line=line)
        with serve_asgi(asgi_app(EXAMPLE, page=page)) as url:
            show(session, f"{url}/")
            edges = "(box => [box.top, box.bottom])({}.getBoundingClientRect())"
            top, bottom = session.ask(edges.format("document.querySelector('.initial')"))
            first, _ = session.ask(edges.format("document.querySelector('.owner-name')"))
            _, last = session.ask(edges.format("document.querySelector('.owner').lastElementChild"))
            assert abs((first - top) - (bottom - last)) <= 1

    def test_a_day_without_a_count_is_the_faintest_with_more_contrast(
        self, session: Session, big: str
    ) -> None:
        session.set_media(**{"prefers-contrast": "more"})
        show(session, big)
        style = "getComputedStyle(document.querySelector({})).backgroundColor"
        day, card = style.format("'.day[data-level=\"0\"]'"), style.format("'.card'")
        assert session.ask(day) == session.ask(card)

    def test_levels_are_visible_with_forced_colors(self, session: Session, big: str) -> None:
        session.set_media(**{"forced-colors": "active"})
        show(session, big)
        fill = "getComputedStyle(document.querySelector('.day[data-level=\"{}\"]')).backgroundColor"
        assert len({session.ask(fill.format(level)) for level in range(5)}) == 5

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_the_chosen_year_is_readable_with_forced_colors(
        self, session: Session, big: str, scheme: str
    ) -> None:
        """Forced texts stand on a backplate in the colour of the canvas, whatever is below it."""
        session.set_media(**{"forced-colors": "active", "prefers-color-scheme": scheme})
        show(session, big)
        style = "getComputedStyle(document.querySelector('.year :checked + label'))"
        members = "[it.forcedColorAdjust, it.backgroundColor, it.color]"
        adjust, ground, text = session.ask(f"((it) => {members})({style})")
        assert adjust == "none"
        assert ground != text


class TestCosts:
    """A key changes the rows in view, however long the list is."""

    CHANGED = """(() => {
        const input = document.getElementById('text');
        const observer = new MutationObserver(() => {});
        observer.observe(document.body, {childList: true, subtree: true});
        return ['t', 'tw', 'two', 'two s', 'two sum', 'zzz', '', '1', '12'].map((text) => {
            input.value = text;
            input.dispatchEvent(new InputEvent('input'));
            return observer.takeRecords().reduce((sum, {addedNodes, removedNodes}) =>
                sum + addedNodes.length + removedNodes.length, 0);
        });
    })()"""

    def test_a_key_changes_as_many_elements_in_a_list_of_ten_times_the_length(
        self, session: Session
    ) -> None:
        changed = []
        for count in (5_000, 50_000):
            with served(large_snapshot(count, days=1600)) as url:
                show(session, url)
                changed.append(session.ask(self.CHANGED))
        assert changed[0] == changed[1]
        assert 0 < max(changed[0]) < 500
