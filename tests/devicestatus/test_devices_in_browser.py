"""The overview of several devices in a real browser: live, small, without JavaScript, on paper."""

import re
from collections.abc import Iterator
from typing import Final

import attrs
import pytest

from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.record import encode_record
from devicestatus.settings import Settings
from status_contracts.adapters.clocks import system_clock
from status_contracts.instants import MINUTE_MS
from status_contracts.pages.settings import Link, PageSettings
from support.devicestatus.examples import snapshot, snapshot_record, window, window_record
from support.servers.servers import serve_asgi
from support.servers.webdriver import Session

pytestmark = pytest.mark.check

NAMES: Final = ("laptop", "a-computer-with-a-name-of-sixty-three-letters-that-is-long-enou")
UPDATE: Final = 130_000
OWNER: Final = PageSettings("Ada", pages=(Link("Now", "/"), Link("Health", "/health/")))


def put(store: MemoryStore, name: str, app: str = "A" * 200) -> None:
    now = system_clock()
    data = attrs.evolve(snapshot_record().data, collected_at=now, active_app=app)
    record = snapshot_record(received_at=now, data=data, expires_at=now + MINUTE_MS)
    store.put(f"{name}:now", encode_record(record), expires_at_ms=now + MINUTE_MS)


def put_window(store: MemoryStore, name: str, minutes: int) -> None:
    now = system_clock()
    start = now - minutes * MINUTE_MS
    data = window(window_start=start, window_end=now, baseline=snapshot(collected_at=start))
    record = encode_record(window_record(data, received_at=now))
    store.put(f"{name}:now", record, expires_at_ms=now + MINUTE_MS)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def url(store: MemoryStore) -> Iterator[str]:
    settings = {name: Settings(None) for name in NAMES}
    with serve_asgi(asgi_app(settings, store=store, page=OWNER)) as url:
        yield f"{url}/"


STATES: Final = "[...document.querySelectorAll('.device')].map((each) => each.dataset.state)"


def test_a_change_is_shown_within_two_minutes_or_one_where_a_record_ends(
    session: Session, url: str, store: MemoryStore
) -> None:
    session.open(url)
    assert session.ask(STATES) == ["offline", "offline"]
    session.ask("document.querySelector('.device + .device a').focus()")
    focused = session.ask("document.activeElement.href")
    for name, passed, place in ((NAMES[1], UPDATE, 0), (NAMES[0], MINUTE_MS + 10_000, 1)):
        put(store, name)
        session.pass_time(passed)
        session.until(f"{STATES}[{place}] === 'online'")
    assert session.ask("document.querySelector('h1').innerText") == "2 of 2 devices online"
    assert session.ask("document.title") == "2 of 2 devices online · Ada"
    assert session.ask("document.activeElement.href") == focused
    assert session.console() == []


@pytest.mark.parametrize(("is_static", "others"), [(False, ["Health"]), (True, ["Now", "Health"])])
def test_a_device_leads_back_to_the_overview_by_an_arrow(
    session: Session, url: str, is_static: bool, others: list[str]
) -> None:
    session.report("Emulation.setScriptExecutionDisabled", value=is_static)
    session.open(f"{url}laptop/")
    links = session.ask("""[...document.querySelectorAll(".pages a:not([aria-current])")].map(
      (each) => getComputedStyle(each, "::before").content + each.textContent)""")
    assert links == ['"← "All devices', *(f"none{label}" for label in others)]


def test_times_are_those_of_the_reader(session: Session, url: str, store: MemoryStore) -> None:
    session.report("Emulation.setTimezoneOverride", timezoneId="Asia/Kolkata")
    put(store, "laptop")
    session.open(url)
    shown, instant = session.ask(
        "(({ textContent, dateTime }) => [textContent, new Date(dateTime).toLocaleTimeString("
        "'en-GB', { timeStyle: 'short', timeZone: 'Asia/Kolkata' })])"
        "(document.querySelector('#devices time'))"
    )
    assert shown == instant


def test_a_service_that_does_not_answer_is_reported_and_what_was_shown_stays(
    session: Session, store: MemoryStore
) -> None:
    app = asgi_app({"desk": Settings(None), "laptop": Settings(None)}, store=store)
    put(store, "laptop")
    put_window(store, "desk", 1)
    with serve_asgi(app) as url:
        session.open(f"{url}/")
        session.until("document.getElementById('notice').hidden")
    session.ask("void (window.tries = 0, fetch = () => { tries += 1; return Promise.reject(); })")
    session.pass_time(MINUTE_MS + 10_000)  # one record lasts a minute
    session.until("!document.getElementById('notice').hidden")
    title = "document.querySelector('.notice-title').textContent"
    assert session.ask(title) == "The devices cannot be read at the moment"
    assert session.ask("document.querySelector('.notice button').textContent") == "Try again"
    assert session.ask(STATES) == ["starting", "online"]
    edges = "[...document.querySelectorAll('.footer p, main')].map((each) => each.offsetLeft)"
    assert len({*session.ask(edges)}) == 1  # also without the time of the reading
    title = session.ask("document.title")
    assert re.fullmatch(r"1 of 2 devices online at \d\d:\d\d · Device status", title)
    assert session.ask("document.querySelector('.stale')") is None
    session.pass_time(MINUTE_MS + 10_000)
    session.until("document.querySelector('.stale') !== null")
    assert session.ask("tries") == 2
    labels = "[...document.querySelectorAll('.device .state')].map((each) => each.textContent)"
    assert session.ask(labels) == ["Was starting", "Was online"]


def test_an_app_has_its_icon_from_the_start(session: Session, url: str, store: MemoryStore) -> None:
    put(store, "laptop", "Mail")
    source = """new MutationObserver(() => {
      window.letter ??= document.querySelector("#tile .tile:not(img)");
    }).observe(document, { childList: true, subtree: true })"""
    session.report("Page.addScriptToEvaluateOnNewDocument", source=source)
    session.open(f"{url}laptop/")
    requests = "performance.getEntriesByType('resource')"
    session.until(f"{requests}.some(({{ name }}) => name.endsWith('api/icons'))")
    icon = session.ask("document.querySelector('#tile img').src")
    assert icon == f"{url}laptop/api/icons/mail.png"
    assert session.ask("window.letter") is None


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_without_scripts_the_picture_is_whole_and_readable_and_starts_at_the_edge_of_the_text(
    session: Session, url: str, store: MemoryStore, width: int
) -> None:
    put_window(store, "laptop", 15)
    session.report("Emulation.setScriptExecutionDisabled", value=True)
    session.resize(width, 800)
    session.open(f"{url}laptop/")
    (start, end, top), (left, right, above), _ = session.ask("""[
      ...document.querySelectorAll("noscript p, noscript img")
    ].map((each) => ["left", "right", "top"].map((side) => each.getBoundingClientRect()[side]))""")
    scale = (right - left) / 320  # of text of 11 px
    assert left + 12 * scale == pytest.approx(start, abs=1)
    assert right - 12 * scale <= end + 1
    assert 0.8 <= scale <= 1.5
    assert 30.5 <= (top - above) / scale <= 31.5  # below the name, above the times
    assert session.ask("document.scrollingElement.scrollWidth") <= width
    links = "[...document.querySelectorAll('main a, .footer a')].map((each) => each.textContent)"
    assert session.ask(links) == ["JSON", "API"]
