"""Build the practice page of a snapshot, and serve it together with the service.

All that the page shows of a snapshot is in the document (`sitedata.views.practice`).  The script
reads the public file at `DATA`, which is relative to the page, and filters the list.

Invariant *what is drawn does not change the policy*: it contains neither style nor script.
Invariant *a page without data*: where the snapshot cannot be read, the status is that of the file,
and a sentence says so.
"""

from functools import lru_cache
from html import escape
from importlib.resources import files
from typing import Final

from sitedata.models import Snapshot
from sitedata.parsing import parse
from sitedata.service import PATH, Published, Service
from sitedata.views.practice import draw_practice
from status_contracts.adapters.page_files import read_parts
from status_contracts.endpoints import Params, Router, page_route
from status_contracts.exchange import EffectFailed, Exchange, ReadSource
from status_contracts.messages import Request
from status_contracts.pages.blocks import Notice, notice_html
from status_contracts.pages.page import DATA_COLORS, Page, build_page, color_rules
from status_contracts.pages.settings import DOCUMENTATION, Link, PageSettings
from status_contracts.svg.palette import FILLS

DATA: Final = PATH.removeprefix("/")
"""URL of the file, relative to the page."""
_FORMAT: Final = f"{DOCUMENTATION}/contract/site-data.html#members-of-a-snapshot"
LEVEL_COLORS: Final = color_rules(
    "level", 0, *([fill for fill, _ in FILLS[theme]] for theme in ("light", "dark"))
)
"""CSS variables of a calendar, with the colours of a heat map."""
GENERATOR: Final = "status-contracts: sitedata page"
"""Content of the document's `generator`, by which its files are recognized."""
_SCRIPTS: Final = (
    *("days.js", "reading.js", "listing.js"),  # pure; tests run them under Node
    *("loading.js", "charts.js", "practice.js"),
)
_CELLS: Final = ((0, 0, 0.35), (1, 0, 0.6), (2, 0, 1), (0, 1, 0.6), (1, 1, 1), (2, 1, 0.35))
_ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    + "".join(
        f'<rect x="{1 + 5 * x}" y="{3 + 5 * y}" width="4" height="4" rx="1"'
        f' fill="#1a9e6b" fill-opacity="{opacity}"/>'
        for x, y, opacity in _CELLS
    )
    + "</svg>"
)
"""Six squares of a calendar, visible on light and dark tabs."""
_HEADING: Final = '<h1 class="visually-hidden">Solved programming problems</h1>'
_WAY_ON: Final = Link("Read it again", "./")
_FAILED: Final = Notice(
    "failed", "The data cannot be read at the moment", "Try again in some minutes.", _WAY_ON
)
_MISSING: Final = Notice(
    "missing", "No data are published yet", "Their owner writes them with: sitedata build", _WAY_ON
)


def build_practice(settings: PageSettings) -> Page:
    """Build the page without data; `with_snapshot` adds what it shows of a snapshot."""
    parts = read_parts(
        files("sitedata") / "page_files",
        "practice",
        _SCRIPTS,
        title="Practice",
        icon=_ICON,
        skip_to="the problems",
        content_id="problems",
        description="Solved programming problems: calendar, streaks, counts and a list.",
        meta={"referrer": "no-referrer", "generator": GENERATOR},
        style=DATA_COLORS + LEVEL_COLORS,
        marks={"<!--data-->": escape(DATA), "<!--format-->": _FORMAT},
    )
    return build_page(parts, settings)


def with_snapshot(page: Page, snapshot: Snapshot) -> Page:
    """Return the page with what it shows of a snapshot."""
    repository = snapshot.repository
    titled = page.titled(f"{repository.owner} / {repository.name}")
    return titled.filled(draw_practice(snapshot))


def _with_notice(page: Page, notice: Notice) -> Page:
    content = f'<div id="problems" tabindex="-1">{notice_html(notice)}</div>'
    return page.filled({"heading": _HEADING, "content": content, "built": ""})


class PracticePage:
    """The page of a service, drawn once for each file; read from the package when it is created."""

    def __init__(self, settings: PageSettings) -> None:
        page = build_practice(settings)
        self.failed = _with_notice(page, _FAILED)
        self.missing = _with_notice(page, _MISSING)
        self._drawn = lru_cache(maxsize=1)(lambda body: with_snapshot(page, parse(body)))

    def of(self, published: Published) -> Page:
        """Return the page of a snapshot; drawing 10,000 problems takes about 0.2 s."""
        return self._drawn(published.asset.body)


def with_site(service: Service, page: PracticePage | None) -> Router:
    """Return the handler of the service, and of the practice page `/` unless `page` is None.

    It uses the effect of the service.
    """
    if page is None:
        return service.router

    def respond(request: Request, _params: Params) -> Exchange:
        try:
            published = yield from ReadSource(None)
        except EffectFailed:
            return page.failed.respond_once(request, 503)
        if published is None:
            return page.missing.respond_once(request, 503)
        return page.of(published).respond(request)

    return service.router.with_routes([page_route("/", respond)])
