"""Pages on paper: exact colours, everything open, no controls, a date; and how notices look."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Final

import pytest

from status_contracts.adapters.page_files import SHARED, build_sheet
from status_contracts.pages.blocks import Notice, notice_html
from status_contracts.pages.page import Page, PageParts, build_page
from status_contracts.pages.settings import Link, PageSettings
from support.checks.printed import PAPERS, print_page
from support.servers.servers import serve_handler
from support.servers.webdriver import Session

pytestmark = pytest.mark.check

BAR: Final = "#1454de"
ROWS: Final = 40
CONTENT: Final = f"""\
<main id="main"><h1>Steps</h1>
<form><input value="filter"></form><button type="button">Show more</button>
<button type="button" class="is-data"><span class="bar"></span>Monday</button>
<details><summary>All days</summary><p>Hidden until printed</p></details>
{"".join(f'<div class="card"><p>Row {n} starts</p><p>Row {n} ends</p></div>' for n in range(ROWS))}
<div class="notice" id="notice" role="status" hidden></div>
</main><footer class="footer"><p>Data to 21 Jan 2022.</p></footer>
"""
SETTINGS: Final = PageSettings("Ada Example", pages=(Link("Other page", "/other/"),))
SCRIPT: Final = "window.page = page; window.tried = 0;"
STYLE: Final = build_sheet(
    f".bar {{ display: block; width: 5rem; height: 1rem; background: {BAR} }}"
)
DARK_BACKGROUND: Final = "#0d1014"


@pytest.fixture(scope="module")
def page() -> Page:
    script = SHARED.read_text("utf-8") + SCRIPT
    parts = PageParts(CONTENT, "Steps", "<svg/>", "About.", style=STYLE, script=script)
    return build_page(parts, SETTINGS)


@pytest.fixture(scope="module")
def session(page: Page, browser: Session) -> Iterator[Session]:
    """Return a browser that shows the page."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", page.policy)
            self.end_headers()
            self.wfile.write(page.body)

    with serve_handler(Handler) as url, browser.tab():
        browser.open(f"{url}/steps/")
        yield browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("paper", PAPERS)
def test_paper_has_all_content_in_its_colours_and_no_controls(
    session: Session, paper: str, scheme: str
) -> None:
    session.set_media(**{"prefers-color-scheme": scheme})
    printed = print_page(session, paper)
    assert printed.is_inside
    assert len(printed.filled(BAR)) == 1
    assert not printed.filled(DARK_BACKGROUND)
    for text in ("Ada Example", "All days", "Hidden until printed", "Monday", "21 Jan 2022"):
        assert text in printed.text
    for text in ("Other page", "Show more", "filter", "Skip to"):
        assert text not in printed.text
    assert "/steps/" in printed.pages[-1]
    assert "Printed " in printed.pages[-1]


def test_a_card_is_never_cut(session: Session) -> None:
    pages = print_page(session).pages
    assert len(pages) > 1
    for n in range(ROWS):
        (page,) = (text for text in pages if f"Row {n} starts" in text)
        assert f"Row {n} ends" in page


def test_after_printing_the_page_is_as_before(session: Session) -> None:
    before = session.ask("document.documentElement.outerHTML")
    print_page(session)
    session.until("document.querySelector('details[open]') === null")
    assert session.ask("document.documentElement.outerHTML") == before


def test_a_script_fills_the_block_that_html_has(session: Session) -> None:
    notice = Notice("failed", "The data & more cannot be read", "Try later.", Link("API", "./api"))
    session.ask(
        "page.showNotice('notice', {kind: 'failed', title: 'The data & more cannot be read',"
        " text: 'Try later.', link: {label: 'API', url: './api'}})"
    )
    assert session.ask("document.getElementById('notice').outerHTML") == notice_html(notice)


def test_a_notice_can_offer_another_try(session: Session) -> None:
    session.ask(
        "page.showNotice('notice', {kind: 'failed', title: 'No',"
        " retry: () => { window.tried += 1; }})"
    )
    session.ask("document.querySelector('#notice button').click()")
    assert session.ask("window.tried") == 1
    session.ask("page.showNotice('notice', null)")
    assert session.ask("document.getElementById('notice').hidden") is True
