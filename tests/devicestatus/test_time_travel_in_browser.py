"""The time travel in a real browser: slider, keyboard, sizes, schemes, and without JavaScript."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devicestatus.adapters.notebook import TimeTravel, explore
from support.checks.colour_vision import contrast
from support.devicestatus.examples import DELAY, NOON, event, gap, snapshot, window
from support.devicestatus.sessions import afternoon, minute
from support.servers.axe import accessibility_problems
from support.servers.webdriver import Session

RIGHT, END, ENTER = "\ue014", "\ue010", "\ue007"
MARKUP = "<img src=x onerror=alert(1)>"


class Page:
    """A saved page in the browser."""

    def __init__(self, browser: Session, folder: Path, travel: TimeTravel) -> None:
        self._browser = browser
        travel.save(folder / "page.html")
        browser.resize(1100, 900)
        browser.open((folder / "page.html").as_uri())

    def text(self, name: str) -> str:
        found: str = self._browser.ask(f"document.getElementById('{name}').innerText")
        return " ".join(found.split())

    def facts(self, name: str) -> dict[str, str]:
        rows = self._browser.ask(
            f"[...document.querySelectorAll('#{name} tr')].map("
            "(row) => [...row.children].map((cell) => cell.innerText))"
        )
        return dict(rows)

    def move(self, at: int) -> None:
        """Move the slider to a server time, in whole seconds after its start."""
        self._browser.ask(
            "(() => { const slider = document.getElementById('now');"
            " const { start } = JSON.parse(document.getElementById('data').textContent);"
            f" slider.value = Math.floor(({at} - start) / 1000);"
            " slider.dispatchEvent(new Event('input')); })()"
        )

    def click(self, name: str) -> None:
        self._browser.ask(f"document.getElementById('{name}').click()")

    def press(self, name: str, keys: str) -> None:
        """Focus an element and press keys, as a person does."""
        self._browser.ask(f"document.getElementById('{name}').focus()")
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": actions}
        self._browser.call("POST", "/actions", {"actions": [keyboard]})

    def heads(self) -> list[Any]:
        """Return class and place, in px, of the lines in the picture."""
        found: list[Any] = self._browser.ask(
            "[...document.querySelectorAll('.head')].map((head) =>"
            " [head.className, head.getBoundingClientRect().left + 1])"
        )
        return found


@pytest.fixture(scope="module")
def browser(browser: Session) -> Iterator[Session]:
    """Return the browser with one tab for the whole module."""
    with browser.tab():
        yield browser


@pytest.fixture
def session_page(browser: Session, tmp_path: Path) -> Page:
    return Page(browser, tmp_path, explore(afternoon()))


def test_the_picture_is_readable_on_dark_and_on_light_pages(
    browser: Session, session_page: Page
) -> None:
    """Texts outside blocks have the colours of the theme, and blocks keep those of theirs."""
    session_page.move(minute(16))
    colors = (
        "[...document.querySelectorAll('.picture > svg > g text, .picture > svg > text')]"
        ".filter((text) => text.getAttribute('fill') === null || text.getAttribute('x') === '20')"
        ".map((text) => getComputedStyle(text).fill)"
    )
    for scheme in ("light", "dark"):
        browser.set_media(**{"prefers-color-scheme": scheme})
        back = browser.ask("getComputedStyle(document.body).backgroundColor")
        found = set(browser.ask(colors)) - {"rgb(255, 255, 255)", "rgb(0, 0, 0)"}
        assert len(found) == 2
        for color in found:
            assert contrast(*(as_hex(each) for each in (color, back))) >= 4.5
    browser.set_media()


def as_hex(color: str) -> str:
    return "#" + "".join(f"{int(part):02x}" for part in re.findall("[0-9]+", color))


class TestMoments:
    def test_online(self, session_page: Page) -> None:
        session_page.move(minute(16) + 30_000)
        assert session_page.text("headline") == "Online: App 9"
        assert session_page.text("why") == (
            "The window covers 12:09:30, and no gap does."
            " The state is that of 12:09:00, the last change before it."
        )
        assert session_page.facts("moment") == {
            "moment": "12:09:30, 7 min behind",
            "next change": "12:17:00, in 30 s",
            "deadline": "12:22:00, in 5 min 30 s (420 s after the end of the window)",
            "upload": "3 of 7, batch 3, arrived 12:15:01",
            "window": "12:00:00 to 12:15:00",
            "status page": "plays 12:09:30, 7 min behind",
        }
        assert session_page.facts("state") == {
            "status": "online",
            "foreground app": "App 9",
            "running": "App 9, Files",
            "battery": "81 %, charging unknown, on battery",
            "load": "2.25 unknown 0",
            "music": "playing: Song 9",
        }

    def test_between_uploads_and_after_the_last_deadline(self, session_page: Page) -> None:
        session_page.move(minute(29))
        assert session_page.text("why") == "Playback has passed the end of the window."
        assert session_page.facts("moment")["status page"] == "has played all it has"
        session_page.move(minute(31))
        assert session_page.facts("moment")["status page"] == "is offline"
        assert session_page.facts("moment")["deadline"].startswith("12:27:00, 4 min ago")

    def test_after_an_outage_the_page_is_later_than_the_service(self, session_page: Page) -> None:
        session_page.move(minute(41))
        assert session_page.facts("moment")["moment"] == "12:34:00, 7 min behind"
        assert session_page.facts("moment")["status page"] == (
            "plays 12:25:59, 15 min 1 s behind; missed 3 min from 12:20:00"
        )
        (now, at), (page, page_at) = session_page.heads()
        assert (now, page) == ("head now", "head page")
        assert page_at < at

    def test_markup_in_a_name_is_text(self, browser: Session, tmp_path: Path) -> None:
        of = window(baseline=snapshot(active_app=MARKUP))
        page = Page(browser, tmp_path, explore(of, title=MARKUP))
        assert page.text("headline") == f"Online: {MARKUP}"
        assert browser.ask("document.querySelectorAll('img').length") == 0
        assert browser.ask("document.title") == MARKUP


class TestMoving:
    def test_the_keyboard_moves_the_slider(self, session_page: Page, browser: Session) -> None:
        session_page.move(minute(16))
        session_page.press("now", RIGHT * 3)
        assert session_page.text("clock") == "12:16:03 UTC"
        text = browser.ask("document.getElementById('now').getAttribute('aria-valuetext')")
        assert text == "12:16:03 UTC. Online: App 9"
        session_page.press("now", END)
        assert session_page.text("clock") == "12:59:00 UTC"

    def test_buttons_go_from_change_to_change(self, session_page: Page, browser: Session) -> None:
        session_page.move(minute(18))
        seen = []
        for _ in range(4):
            session_page.press("after", ENTER)
            seen.append((session_page.text("clock"), session_page.text("headline")))
        assert seen == [
            ("12:19:00 UTC", "Offline"),
            ("12:20:01 UTC", "Offline"),
            ("12:21:00 UTC", "Online: App 14"),
            ("12:22:00 UTC", "Online: App 15"),
        ]
        session_page.click("before")
        assert session_page.text("clock") == "12:21:00 UTC"
        session_page.press("now", END)
        assert browser.ask("document.getElementById('after').disabled") is True

    def test_it_plays_and_stops(self, session_page: Page, browser: Session) -> None:
        session_page.click("play")
        assert session_page.text("play") == "Pause"
        started = session_page.text("clock")
        browser.until(f"document.getElementById('clock').textContent !== '{started}'")
        session_page.click("play")
        assert session_page.text("play") == "Play"

    def test_with_reduced_motion_there_is_no_play_button(
        self, session_page: Page, browser: Session
    ) -> None:
        shown = "getComputedStyle(document.getElementById('play')).display"
        browser.set_media(**{"prefers-reduced-motion": "reduce"})
        assert browser.ask(shown) == "none"
        browser.set_media()
        assert browser.ask(shown) != "none"

    def test_the_line_stands_where_the_picture_has_the_instant(
        self, browser: Session, tmp_path: Path
    ) -> None:
        gaps = (gap(NOON + 300_000, NOON + 600_000),)
        events = (event(1, NOON + 300_000, active_app="Later"),)
        page = Page(browser, tmp_path, explore(window(gaps=gaps, events=events)))
        page.move(NOON + 600_000 + DELAY)
        bars = browser.ask(
            "[...document.querySelectorAll('#picture g')].filter((group) =>"
            " group.querySelector('title')?.textContent.includes('Later'))"
            ".map((group) => group.querySelector('rect').getBoundingClientRect().left)"
        )
        ((_, at),) = page.heads()
        assert at == pytest.approx(bars[0], abs=2)


class TestSizes:
    @pytest.mark.parametrize("width", [320, 390, 1100, 1920])
    def test_nothing_is_wider_than_the_page(
        self, session_page: Page, browser: Session, width: int
    ) -> None:
        browser.resize(width, 900)
        assert browser.ask("document.documentElement.scrollWidth") <= width
        is_narrow = width <= 640
        picture = "document.querySelector('#picture svg').getAttribute('width')"
        browser.until(f"{picture} === '{360 if is_narrow else 960}'")

    @pytest.mark.parametrize("at", [minute(4.5), minute(16), minute(20), minute(41)])
    def test_axe_finds_nothing(self, session_page: Page, browser: Session, at: int) -> None:
        session_page.move(at)
        assert accessibility_problems(browser) == []
        browser.set_media()

    def test_axe_finds_nothing_with_the_table_open(
        self, session_page: Page, browser: Session
    ) -> None:
        browser.ask("document.getElementById('changes').open = true")
        assert accessibility_problems(browser) == []
        browser.set_media()


class TestElsewhere:
    def test_it_runs_in_the_frame_of_a_notebook(self, browser: Session, tmp_path: Path) -> None:
        output = explore(afternoon())._repr_html_()
        page = f"<!doctype html><meta charset=utf-8><title>x</title>{output}"
        (tmp_path / "notebook.html").write_text(page, "utf-8")
        browser.open((tmp_path / "notebook.html").as_uri())
        frame = browser.ask("document.querySelector('iframe')")
        browser.call("POST", "/frame", {"id": frame})
        browser.until("document.getElementById('headline').textContent !== ''")
        assert browser.ask("document.getElementById('headline').textContent") == "Online: App 0"
        browser.call("POST", "/frame", {"id": None})

    def test_without_scripts_the_table_and_the_picture_are_shown(
        self, browser: Session, tmp_path: Path
    ) -> None:
        output = explore(afternoon())._repr_html_().replace("sandbox='allow-scripts'", "sandbox")
        (tmp_path / "plain.html").write_text(f"<!doctype html>{output}", "utf-8")
        browser.open((tmp_path / "plain.html").as_uri())
        browser.call("POST", "/frame", {"id": browser.ask("document.querySelector('iframe')")})
        text = " ".join(browser.ask("document.body.innerText").split())
        browser.call("POST", "/frame", {"id": None})
        assert "The slider needs JavaScript. The table below lists every status in order." in text
        assert re.search(r"12:12:00.000Z online App 4|online App 4", text)
        assert "Play" not in text.split()
