"""Build the practice page of a snapshot, and serve it together with the service.

The script of the page reads the public file at `DATA`, which is relative to the page, and draws
everything.  What a browser without the script shows is in the document: the totals of a snapshot.

Invariant *totals do not change the policy*: they contain neither style nor script.
Invariant *a page without data*: where the snapshot cannot be read, there are no totals, and the
script reports what the request for the file returned.
"""

import re
from contextlib import suppress
from html import escape
from importlib.resources import files
from typing import Final

import attrs

from purewire.adapters.pages.parts import read_parts
from purewire.exchange.effects import EffectFailed, Exchange, read_source
from purewire.exchange.router import Params, Route, Router
from purewire.http.endpoints import Endpoint
from purewire.http.messages import Request
from purewire.instants import format_instant
from purewire.pages.page import Page, build_page
from purewire.pages.settings import PageSettings
from purewire.pages.style import DATA as DATA_STYLE
from sitedata.serving.published import Published, Totals
from sitedata.serving.service import PATH, Service

DATA: Final = PATH.removeprefix("/")
"""URL of the file, relative to the page."""
GENERATOR: Final = "status-contracts: sitedata page"
"""Content of the document's `generator`, by which its files are recognized."""
_FOLDER: Final = files("sitedata.adapters.site")
_SCRIPTS: Final = (
    *("days.js", "reading.js", "calendar.js", "listing.js"),  # pure; tests run them under Node
    *("loading.js", "charts.js", "practice.js"),
)
_TOTALS: Final = b"<!--totals-->"
_BUILT: Final = b"<!--built-->"
_HEATMAP: Final = re.compile(
    rb'<svg [^>]*role="img" aria-labelledby="(t[0-9a-f]{12})"[^>]*>'
    rb'<title id="\1">(?:Contributions|Problems)</title>'
)
_DATA_END: Final = b"<!--data end-->"
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
_PAGE: Final = Endpoint(
    "page", "Site", "The practice page", path="/", methods=("GET", "HEAD"), media_type="text/html"
)


def build_practice(settings: PageSettings) -> Page:
    """Build the page without totals; `with_totals` adds those of a snapshot."""
    parts = read_parts(
        _FOLDER,
        "practice.html",
        "Practice",
        _ICON,
        styles=("practice.css",),
        scripts=_SCRIPTS,
        skip_to="the problems",
        content_id="problems",
        meta={
            "referrer": "no-referrer",
            "generator": GENERATOR,
            "description": "Solved programming problems: calendar, streaks, counts and a list.",
        },
        marks={"<!--data-->": escape(DATA)},
    )
    return build_page(attrs.evolve(parts, style=DATA_STYLE + parts.style), settings)


def with_data(page: Page, body: bytes) -> Page:
    """Return the page with the data in it, which it uses where it is opened from a disk.

    The data are a script element that no browser runs; `<` is escaped, so nothing ends it.
    """
    text = body.removeprefix(b"\xef\xbb\xbf").replace(b"<", b"\\u003c")
    element = b'<script type="application/json" id="embedded">' + text + b"</script>"
    return attrs.evolve(page, body=page.body.replace(_DATA_END, element + b"\n" + _DATA_END, 1))


def with_totals(page: Page, published: Published | None) -> Page:
    """Return the page with the totals of a snapshot; of None, with none."""
    totals = b"" if published is None else _totals(published.totals).encode()
    built = b"" if published is None else _built(published.generated_at).encode()
    body = page.body.replace(_TOTALS, totals, 1).replace(_BUILT, built, 1)
    return attrs.evolve(page, body=body)


def is_own_page(document: bytes) -> bool:
    """Check whether a document is one of `build_practice`."""
    return f'<meta name="generator" content="{escape(GENERATOR)}">'.encode() in document


def is_own_heatmap(picture: bytes) -> bool:
    """Check whether a picture is a calendar that `heatmap` drew."""
    return _HEATMAP.match(picture) is not None


def _totals(totals: Totals) -> str:
    span = "" if totals.first_day is None else f"{totals.first_day} to {totals.last_day}"
    cards = (
        ("Solved", totals.problems, span),
        ("Languages", totals.languages, ""),
        (f"{totals.grouping.capitalize()}s", totals.groups, ""),
    )
    return "".join(
        f'<div class="card"><h2>{name}</h2><p class="value">{count:,}</p>'
        f'<p class="detail">{detail}</p></div>'
        for name, count, detail in cards
    )


def _built(generated_at: int) -> str:
    text = format_instant(generated_at)
    day, _, time = text.partition("T")
    return f'Built <time datetime="{text}">{day} {time[:5]} UTC</time>.'


def with_site(service: Service, page: PageSettings | None) -> Router:
    """Return the handler of the service, and of the practice page `/` unless `page` is None.

    The page is read from the package in this call, once; it uses the effect of the service.
    """
    if page is None:
        return service.router
    practice = build_practice(page)

    def respond(request: Request, _params: Params) -> Exchange:
        shown = with_totals(practice, None)
        with suppress(EffectFailed):
            shown = with_totals(practice, (yield from read_source(None)))
        return shown.respond(request)

    return service.router.with_routes(
        [Route(_PAGE, respond, (("Access-Control-Allow-Methods", _PAGE.allow),))]
    )
