"""The two pages of the site, built: the status home page and the API reference.

A page is one document: its style and its script are put into the HTML text when it is built, and
the policy that travels with it allows exactly these two, by their hashes.  The policy leaves no
room for artwork of the music catalog: an image from there would tell a third party who looks at
the page, and when, so the home page links the track instead.  The script of the home page plays the
time line back by an engine of its own, `playback.js`, the twin of `devicestatus.player.player`.

Invariant *an icon without a request*: the icon of a page is a data URL in the page, so that
browsers do not ask for `/favicon.ico`, which is no path of the service.
Invariant *nothing from elsewhere*: a page loads only from its own origin, and nothing runs or
styles it but what was built in; its policy holds a browser to that.
Invariant *built once*: files are read when a page is built, never while a request is answered.
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
"""A screen with a dot, on pages of any colour."""


@attrs.frozen
class Page:
    """A built page: the bytes of the document, and the content security policy it needs."""

    body: bytes
    policy: str

    def respond(self, request: Request) -> Exchange:
        """Answer GET of the page."""
        yield from ()
        headers = (("Cache-Control", "no-cache"), ("Content-Security-Policy", self.policy))
        return build_response(request.method, 200, _HTML, self.body, headers)


def build_home() -> Page:
    """Read the home page from the package."""
    scripts = ("playback.js", "reading.js", "colours.js", "page.js", "timeline.js", "home.js")
    return _build("home.html", ("site.css", "home.css"), scripts)


def build_api() -> Page:
    """Read the API reference from the package; it has no script."""
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
    # As text: a browser hashes line ends as LF, whatever a checkout made of them.
    return (files("devicestatus.adapters.site") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
