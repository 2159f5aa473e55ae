"""What every page keeps in a browser: console, accessibility, each width, paper, no scripts."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import attrs
import pytest

from devicestatus.adapters.application import asgi_app as devices_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.settings import Settings
from healthapi.adapters.application import asgi_app as health_app
from sitedata.adapters.application import asgi_app as practice_app
from support.checks.printed import print_page
from support.devicestatus import home_page
from support.healthapi.page_profiles import write_empty, write_full, write_with_gaps, write_years
from support.servers.axe import accessibility_problems
from support.servers.servers import serve_asgi
from support.servers.webdriver import Session

pytestmark = pytest.mark.check

PRACTICE: Final = Path(__file__).parents[1] / "examples" / "practice" / "site-data.json"
WIDTHS: Final = {390: (320, 768), 1100: (1920,)}  # loaded slowly, as it may move; then resized
LEAST_LARGE: Final = 390
"""Width from which on a page has room for texts of twice the size."""
LONG: Final = ("W" * 200, "日本語" * 60)
HEALTH: Final = "!document.getElementById('content').hidden || document.querySelector('.notice')"


@attrs.frozen
class Kind:
    """A page: its server, its path, when it is complete, and its text without scripts."""

    server: str
    path: str = ""
    ready: str = "true"
    plain: str = ""
    is_quiet: bool = True
    """Whether it leaves the console empty; a browser reports each response with an error."""
    is_printed: bool = True
    """Whether it is made for paper, as lists and references are not."""


def _is(state: str) -> str:
    return f"document.getElementById('state').textContent === '{state}'"


PAGES: Final = {
    "home": Kind("busy", ready=_is("Online"), plain="Reload for a later"),
    "home with the longest name": Kind("long", ready=_is("Online")),
    "home with the longest name of wide signs": Kind("wide", ready=_is("Online")),
    "home of a headless computer": Kind("headless", ready=_is("Online")),
    "home with many apps": Kind("many", ready=_is("Online")),
    "home starting": Kind("starting", ready=_is("Starting")),
    "home offline": Kind("offline", ready=_is("Offline")),
    "home unreachable": Kind("unreachable", ready=_is("Unreachable"), is_quiet=False),
    "home's API": Kind("busy", "api", plain="/api/batch", is_printed=False),
    "devices": Kind("devices", plain="laptop"),
    "health": Kind("health", "full/", HEALTH, "Steps"),
    "health with gaps": Kind("health", "gaps/", HEALTH),
    "health of ten years": Kind("health", "years/", HEALTH),
    "health without data": Kind("health", "empty/", HEALTH, "no days with data"),
    "people": Kind("health", plain="No days with data yet", is_printed=False),
    "health's API": Kind("health", "api/public/v1/docs", plain="/profiles", is_printed=False),
    "practice": Kind(
        "practice", ready="document.documentElement.dataset.state === 'ready'", plain="LOJ"
    ),
}


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Serve all pages; return the name of each server to its URL."""
    people = tmp_path_factory.mktemp("people")
    write_full(people / "full")
    write_with_gaps(people / "gaps")
    write_years(people / "years")
    write_empty(people / "empty")
    names = {"laptop": Settings(None), f"{'a-computer-with-a-long-name-' * 3}"[:63]: Settings(None)}
    scripts: dict[str, home_page.Script] = {
        "busy": lambda _round: home_page.busy_window(),
        "headless": home_page.reports(**home_page.HEADLESS),
        "many": home_page.reports(running_apps=[f"App {n}" for n in range(41)]),
        "starting": lambda _round: home_page.starting(),
        "offline": home_page.in_turn(home_page.OFFLINE),
        "unreachable": home_page.in_turn(home_page.UNAVAILABLE),
    }
    for name, text in zip(("long", "wide"), LONG, strict=True):
        music = {"state": "playing", "track": text * 2, "artist": text * 2}
        scripts[name] = home_page.reports(active_app=text, running_apps=[text], music=music)
    with ExitStack() as stack:
        urls = {
            name: stack.enter_context(
                home_page.Deployment(script, mount="/deep/status", page=home_page.OWNER)
            ).url
            for name, script in scripts.items()
        }
        for name, app in {
            "devices": devices_app(names, store=MemoryStore(), page=home_page.OWNER),
            "health": health_app(people, page=home_page.OWNER),
            "practice": practice_app(PRACTICE, page=home_page.OWNER),
        }.items():
            urls[name] = f"{stack.enter_context(serve_asgi(app))}/"
        yield urls


@pytest.fixture(params=[*PAGES.values()], ids=[*PAGES])
def kind(request: pytest.FixtureRequest) -> Kind:
    found: Kind = request.param
    return found


MAX_SHIFT: Final = 0.02
SLOWER: Final = 4
"""A telephone is as much slower than the machine; then a page is seen before its script runs."""
SHIFT: Final = """new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    sum += list.getEntries().reduce((total, each) => total + each.value, 0);
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 200);
})"""
"""How much of the page has moved while it was loaded, as browsers measure it."""


def show(session: Session, urls: dict[str, str], kind: Kind, *, slower: int = 1) -> None:
    """Open a page, wait until it is complete, and open what can be opened."""
    session.report("Emulation.setCPUThrottlingRate", rate=slower)
    session.open(f"{urls[kind.server]}{kind.path}")
    session.until(kind.ready)
    session.report("Emulation.setCPUThrottlingRate", rate=1)
    assert slower == 1 or session.ask(SHIFT) <= MAX_SHIFT
    session.ask("document.querySelectorAll('details').forEach((each) => { each.open = true; })")


def test_nothing_is_wider_than_the_window_moves_or_is_reported(
    session: Session, urls: dict[str, str], kind: Kind
) -> None:
    for loaded, others in WIDTHS.items():
        session.resize(loaded, 900)
        show(session, urls, kind, slower=SLOWER)
        for width in (loaded, *others):
            session.ask("document.documentElement.style.fontSize = '100%'")
            session.resize(width, 900)
            session.until(f"innerWidth === {width}")
            assert session.ask("document.documentElement.scrollWidth") == width
            if width >= LEAST_LARGE:
                session.ask("document.documentElement.style.fontSize = '200%'")
                assert session.ask("document.documentElement.scrollWidth") == width
    assert session.ask("document.getAnimations().length") == 0
    assert session.console() == [] or not kind.is_quiet


def test_axe_finds_nothing(session: Session, urls: dict[str, str], kind: Kind) -> None:
    show(session, urls, kind)
    assert accessibility_problems(session) == []


@pytest.mark.parametrize(
    "kind", [kind for kind in PAGES.values() if kind.is_printed], indirect=True
)
def test_paper_has_all_of_it_and_the_date(
    session: Session, urls: dict[str, str], kind: Kind
) -> None:
    session.set_media(**{"prefers-color-scheme": "dark"})
    show(session, urls, kind)
    printed = print_page(session)  # on the narrower paper
    assert printed.is_inside
    assert "Ada Example" in printed.pages[0]
    assert "Printed " in printed.pages[-1]


@pytest.mark.parametrize("kind", [kind for kind in PAGES.values() if kind.plain], indirect=True)
def test_without_scripts_there_is_something_to_read(
    session: Session, urls: dict[str, str], kind: Kind
) -> None:
    session.report("Emulation.setScriptExecutionDisabled", value=True)
    session.open(f"{urls[kind.server]}{kind.path}")
    assert kind.plain in session.ask("document.body.innerText")


@pytest.mark.parametrize("name", ["home's API", "health's API"])
def test_an_api_page_is_short_has_its_address_in_examples_and_copies_them(
    session: Session, urls: dict[str, str], name: str
) -> None:
    base, path = urls[PAGES[name].server], PAGES[name].path
    permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"]
    session.report("Browser.grantPermissions", permissions=permissions)
    session.report("Emulation.setFocusEmulationEnabled", enabled=True)
    session.resize(1280, 900)
    session.open(f"{base}{path}#{'now' if path == 'api' else 'profiles'}")
    opened = "document.querySelector('details.endpoint[open]')"
    label = f"{opened}.querySelector('.copy').textContent"
    assert session.ask(f"{opened} === document.querySelector(':target')")
    request = f'curl "{base}api/{"now" if path == "api" else "public/v1/profiles"}"'
    session.ask(f"{opened}.querySelector('.copy').click()")
    session.until(f"{label} === 'Copied'")
    assert session.ask(f"{opened}.querySelector('.copy').ariaLive") == "polite"
    session.until(f"{label} === 'Copy'")
    assert session.ask("navigator.clipboard.readText()") == request
    refused = {"permission": {"name": "clipboard-write"}, "setting": "denied"}
    session.report("Browser.resetPermissions")
    session.report("Browser.setPermission", **refused)
    session.ask(f"{opened}.querySelector('.copy').click()")
    session.until(f"{label} === 'Selected: copy it'")
    assert session.ask("String(getSelection())") == request
    session.until(f"{label} === 'Copy'")
    current = "document.querySelector('.contents [aria-current=true]')"
    session.until(f"{current}?.hash === location.hash")
    arrow = "getComputedStyle(document.querySelector('.pages a'), '::before').content"
    assert session.ask(arrow) == '"← "'
    assert f'First request:\nCopycurl "{base}api' in session.ask("document.body.textContent")
    assert not session.ask("document.querySelector('main').textContent.includes('BASE_URL')")
    examples = "[...document.querySelectorAll('pre')].map((each) => each.textContent).join()"
    session.until(f"!{examples}.includes('$PROFILE')")
    assert ("/profiles/" in session.ask(examples)) == (path != "api")
    unanswered = session.ask("document.body.textContent.split('Request:').length - 1")
    assert unanswered == 2 * (path == "api")  # uploads
    printed = print_page(session).text
    assert ('"dropped_events": 0' if path == "api" else '"chart_weekly": ') in printed
    session.ask(f"{opened}.open = false")
    assert session.ask("document.documentElement.scrollHeight") < 6_200
    session.ask("scrollTo(0, 3000)")
    assert session.ask("document.querySelector('.contents').getBoundingClientRect().top") == 0
    session.ask("scrollTo(0, 0)")
    session.until(f"{current} === null")
    session.resize(360, 900)
    show(session, urls, PAGES[name])
    shown = "new Set([...each.getClientRects()].map((part) => part.top)).size"
    whole = f"{shown} === each.textContent.split('\\n').length"
    assert session.ask(f"[...document.querySelectorAll('pre code')].every((each) => {whole})")


@pytest.mark.parametrize("name", ["home's API", "health's API"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_entry_of_an_api_page_that_a_reader_chose_is_marked_and_so_is_its_card(
    session: Session, urls: dict[str, str], name: str, width: int
) -> None:
    session.resize(width, 900)
    session.open(f"{urls[PAGES[name].server]}{PAGES[name].path}")
    links = "[...document.querySelectorAll('.contents a')]"
    button = "document.querySelector('nav button')"
    for hash_ in session.ask(f"{links}.map((link) => link.hash)"):
        link = f"{links}.find((one) => one.hash === '{hash_}')"
        session.ask(f"{button}.checkVisibility() && {button}.click()")
        session.until(f"{link}.checkVisibility()")
        session.ask(f"{link}.click()")
        session.ask(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        marked = f"{links}.filter((one) => one.ariaCurrent)"
        assert session.ask(f"{marked}.map((link) => link.hash)") == [hash_]
        assert session.ask(f"{button}.textContent.includes({link}.textContent)")
        assert session.ask(f"{link}.checkVisibility() !== {button}.checkVisibility()")
        assert session.ask("document.querySelector(':target').getBoundingClientRect().top") >= 39
    card = session.ask("location.hash = document.querySelector('.endpoint').id")
    frames = f"['#{card}', '.endpoint:not(:target)']"
    color = "getComputedStyle(document.querySelector(one)).borderColor"
    assert len(set(session.ask(f"{frames}.map((one) => {color})"))) == 2


def test_a_type_leads_to_its_open_table_and_only_what_scrolls_is_a_stop(
    session: Session, urls: dict[str, str]
) -> None:
    session.resize(390, 900)
    page = f"{urls['health']}api/public/v1/docs"
    session.open(page)
    target, folds = "document.querySelector(':target')", "document.querySelectorAll('details')"
    opened = f"{target}.closest('table, p, details').lastElementChild.checkVisibility()"
    for anchor in session.ask("[...document.querySelectorAll('code[id]')].map((one) => one.id)"):
        session.ask(f"{folds}.forEach((one) => {{ one.open = false; }})")
        session.ask(f"document.querySelector('[href=\"#{anchor}\"]').click()")
        session.until(opened)
        assert 39 < session.ask(f"{target}.getBoundingClientRect().top") < 900
    session.ask(f"{folds}.forEach((one) => {{ one.open = true; }})")
    places = "[...document.querySelectorAll('pre, .scroll')]"
    longer = "one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight"
    session.until(f"{places}.every((one) => (one.tabIndex === 0) === ({longer}))")
    name = "/ of |equest|page/.test(one.ariaLabel)"
    assert session.ask(f"{places}.every((one) => one.tabIndex || {name})")
    session.report("Emulation.setScriptExecutionDisabled", value=True)
    for anchor in ("catalog", "type-DailyRow"):
        session.open(f"{page}?{anchor}#{anchor}")
        assert session.ask(opened)
        mark, code = f"{target}.closest('details').firstElementChild", "querySelector('.code pre')"
        assert session.ask(f"getComputedStyle({mark}).listStyleType") == "disclosure-open"
        assert session.ask(f"getComputedStyle({target}.closest('.card').{code}).paddingTop") > "1"
