"""Build the two pages of the site: the status home page and the API reference.

A page is one document: its style and its script are inserted into the HTML, and its content
security policy allows exactly these two, by their hashes.  The policy does not allow artwork of the
music catalog: loading it would disclose the viewer to a third party, so the home page links the
track instead.  The home page plays windows back with `player.js`, a port of
`devicestatus.player.player`.

Invariant *icon without a request*: the icon of a page is a data URL, so that browsers do not
request `/favicon.ico`, which is no path of the service.
Invariant *own origin only*: a page loads only from its own origin, and only the inserted script and
style apply; the policy enforces this.
Invariant *built once*: files are read when a page is built, never during a request.
"""

import hashlib
from base64 import b64encode
from importlib.resources import files
from typing import Final
from urllib.parse import quote

import attrs

from purewire.exchange.effects import Exchange
from purewire.http.messages import Request
from purewire.http.responses import build_response

__all__ = ["Page", "build_api", "build_home"]

_HTML: Final = "text/html; charset=utf-8"
_STYLE: Final = "/*style*/"
_SCRIPT: Final = "/*script*/"
_ICON: Final = "/*icon*/"
_ICON_SVG: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    '<rect x="1" y="2" width="14" height="9" rx="1.5" fill="#1d57b0"/>'
    '<circle cx="8" cy="6.5" r="2" fill="#fff"/><path d="M5 13.5h6" stroke="#1d57b0"'
    ' stroke-width="1.5" stroke-linecap="round"/></svg>'
)
"""A screen with a dot, visible on light and dark tabs."""


@attrs.frozen
class Page:
    """A built page: the document, UTF-8, and its content security policy."""

    body: bytes
    policy: str

    def respond(self, request: Request) -> Exchange:
        """Respond to GET of the page."""
        yield from ()
        headers = (("Cache-Control", "no-cache"), ("Content-Security-Policy", self.policy))
        return build_response(request.method, 200, _HTML, self.body, headers)


def build_home() -> Page:
    """Build the home page from files of the package."""
    scripts = ("player.js", "polling.js", "colors.js", "page.js", "timeline.js", "home.js")
    return _build("home.html", ("site.css", "home.css"), scripts)


def build_api() -> Page:
    """Build the API reference from files of the package; it has no script."""
    return _build("api.html", ("site.css", "api.css"), ())


def _build(document: str, styles: tuple[str, ...], scripts: tuple[str, ...]) -> Page:
    style_text = "".join(map(_read, styles))
    script_text = "".join(map(_read, scripts))
    icon = f"data:image/svg+xml,{quote(_ICON_SVG)}"
    text = _read(document).replace(_ICON, icon)
    text = text.replace(_STYLE, style_text).replace(_SCRIPT, script_text)
    sources = {
        "default-src": "'none'",
        "script-src": _hash(script_text) if scripts else "'none'",
        "style-src": _hash(style_text),
        "connect-src": "'self'",
        "img-src": "'self' data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return Page(text.encode(), "; ".join(f"{name} {value}" for name, value in sources.items()))


def _read(name: str) -> str:
    # Text mode: browsers hash LF line ends, and a checkout may have converted them.
    return (files("devicestatus.adapters.site") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
