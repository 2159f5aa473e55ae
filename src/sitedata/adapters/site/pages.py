"""Build the practice page of a snapshot, and serve it together with the service.

The script of the page reads the public file at `DATA`, which is relative to the page, and draws
everything.  What a browser without the script shows is in the document: the totals of a snapshot.

Invariant *one place for the data*: the document names the URL of the file once, in a link; the
script takes it from there.
Invariant *totals do not change the policy*: they contain neither style nor script.
Invariant *pass through*: a request for a path other than `/` reaches the given handler unchanged.
Invariant *same order of checks*: as in the service, the path is checked first (404), then OPTIONS
(204), then the method (405).
Invariant *a page without data*: where the snapshot cannot be read, the page is served without
totals; its script then reports what the request for the file returned.
"""

import re
from contextlib import suppress
from html import escape
from importlib.resources import files
from typing import Final

import attrs

from purewire.adapters.pages.page import Page, PageParts, build_page
from purewire.adapters.pages.settings import PageSettings
from purewire.exchange.effects import EffectFailed, Exchange, Handler, read_source
from purewire.http.messages import Request
from purewire.http.responses import preflight_response
from purewire.http.routes import MethodNotAllowed, Route, RouteTable
from purewire.instants import format_instant
from sitedata.serving.published import Published, Totals
from sitedata.serving.service import PATH, error_response

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
_ROUTES: Final = RouteTable({b"/": Route("GET, HEAD, OPTIONS", None)})


def build_practice(settings: PageSettings) -> Page:
    """Build the page without totals; `with_totals` adds those of a snapshot."""
    parts = PageParts(
        _FOLDER / "practice.html",
        "Practice",
        _ICON,
        styles=(_FOLDER / "practice.css",),
        scripts=[_FOLDER / name for name in _SCRIPTS],
        marks={"<!--generator-->": escape(GENERATOR), "<!--data-->": escape(DATA)},
    )
    return build_page(parts, settings)


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


def with_page(handler: Handler, settings: PageSettings) -> Handler:
    """Add the practice page `/` to a handler.

    Args:
        handler: handles all other paths; usually the service.
        settings: what the page shows of its owner.

    Returns:
        A handler for all paths; for the page it uses the effect of the service.  The page is read
        from the package in this call, once.

    """
    page = build_practice(settings)

    def serve(request: Request) -> Exchange:
        match = _ROUTES.resolve(request.method, request.path)
        if match is None:
            return (yield from handler(request))
        if isinstance(match, MethodNotAllowed):
            allow = (("Allow", match.route.allow),)
            return error_response(request.method, "method_not_allowed", allow)
        if request.method == "OPTIONS":
            return preflight_response((("Access-Control-Allow-Methods", match.route.allow),))
        shown = with_totals(page, None)
        with suppress(EffectFailed):
            shown = with_totals(page, (yield from read_source(None)))
        return (yield from shown.respond(request))

    return serve
