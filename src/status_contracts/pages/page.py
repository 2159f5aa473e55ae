"""Build pages: one HTML document each, with its style and its script in it.

All pages have one skeleton: the head, a link that skips the header, the header of the owner, and
the page's own content, `main` and `footer`.  Content may have marks that the caller names.  The
content security policy of a page allows exactly the inserted style and script, by their hashes.

Invariant *own origin only*: a page loads nothing from other origins except images from origins that
the caller names; the policy enforces this.
Invariant *icon without a request*: the icon of a page is a data URL, so that browsers do not
request `/favicon.ico`.
"""

import hashlib
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from html import escape
from typing import Final
from urllib.parse import quote

import attrs

from status_contracts import messages
from status_contracts.pages.settings import Link, PageSettings
from status_contracts.svg import palette

_NAVIGATION: Final = """\
// Marks the link to this page, or the way to the page above it; only the browser knows their URLs.
(() => {
  const pathOf = ({ origin, pathname }) => origin + pathname.replace(/\\/index\\.html$/u, "/");
  const links = [...document.querySelectorAll(".pages a")], own = pathOf(location);
  const here = links.find((link) => pathOf(link) === own);
  const isAbove = (path) => path.endsWith("/") && path !== own && own.startsWith(path);
  const [parent] = links.map(pathOf).filter(isAbove).sort((a, b) => b.length - a.length);
  const above = links.filter((link) => pathOf(link) === parent);
  if (here) here.setAttribute("aria-current", "page");
  else above[0]?.classList.add("above");
  for (const link of above.slice(1)) link.remove();
})();
"""
_HTML: Final = "text/html; charset=utf-8"
_PICTURE: Final = re.compile(
    rb'<svg [^>]*role="img" aria-labelledby="(t[0-9a-f]{12})"[^>]*><title id="\1">'
)
_HEAD_END: Final = '<meta charset="utf-8">\n'
_SKELETON: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<!--head-->
<style>/*style*/</style>
</head>
<body>
<!--skip-->
<div class="page">
<header class="header">
<!--header-->
</header>
{content}</div>
<!--script--></body>
</html>
"""
SIMPLE_CONTENT: Final = """\
<main id="main" tabindex="-1">
<!--main-->
</main>
<footer class="footer"><p><!--footer--></p></footer>
"""
"""Content of a page that needs no other structure."""


@attrs.frozen
class Page:
    """A built page: the document, UTF-8, and its content security policy."""

    body: bytes
    policy: str

    def respond(self, request: messages.Request) -> messages.Response:
        """Return the response to GET or HEAD of the page: 304 to a client that has it."""
        headers = (("Cache-Control", "no-cache"), ("Content-Security-Policy", self.policy))
        return messages.conditional_response(request, self._asset, _HTML, headers)

    def respond_once(self, request: messages.Request, status: int = 200) -> messages.Response:
        """Return the response of a page of the moment or of an error, which no cache may store."""
        headers = (*messages.NO_STORE, ("Content-Security-Policy", self.policy))
        return messages.build_response(request.method, status, _HTML, self.body, headers)

    @cached_property
    def _asset(self) -> messages.Asset:
        return messages.Asset(self.body, messages.etag_of(self.body))

    def filled(self, contents: Mapping[str, str]) -> "Page":
        """Return the page with contents in the place of its marks `<!--name-->`, in one pass."""
        pattern = "|".join(f"<!--{name}-->" for name in contents)
        body = re.sub(
            pattern.encode(), lambda mark: contents[mark[0][4:-3].decode()].encode(), self.body
        )
        return attrs.evolve(self, body=body)

    def titled(self, name: str) -> "Page":
        """Return the page with a name, any text, before its title."""
        start = f"<title>{escape(name)} · "
        return attrs.evolve(self, body=self.body.replace(b"<title>", start.encode(), 1))

    def as_file(self) -> bytes:
        """Return the document with its policy in a `meta` element, for hosts of plain files."""
        rules = [rule for rule in self.policy.split("; ") if not rule.startswith("frame-ancestors")]
        meta = f'<meta http-equiv="Content-Security-Policy" content="{escape("; ".join(rules))}">\n'
        return self.body.replace(_HEAD_END.encode(), (_HEAD_END + meta).encode(), 1)


def color_rules(name: str, first: int, light: Sequence[str], dark: Sequence[str]) -> str:
    """Return numbered variables of colours, and those of dark pages."""
    of_light, of_dark = (
        "".join(f"  --{name}-{n}: {color};\n" for n, color in enumerate(colors, first))
        for colors in (light, dark)
    )
    dark_pages = "@media screen and (prefers-color-scheme: dark)"
    return f":root {{\n{of_light}}}\n{dark_pages} {{\n  :root {{\n{of_dark}  }}\n}}\n"


DATA_COLORS: Final = color_rules(
    "data", 1, palette.TONES + palette.STAGES, palette.TONES_ON_DARK + palette.STAGES_ON_DARK
)
"""CSS variables of pages that draw data, with the colours of pictures."""


@attrs.frozen
class PageParts:
    """The texts of a page.

    Attributes:
        content: the HTML below the header with its marks.
        title: text of the `title` element.
        product: the name of an owner without one, by default the title.
        skip_to: what the link to the content names, such as "the status".
        content_id: the element to which this link leads.
        description: one sentence about the page, for search engines.
        meta: name to content of further `meta` elements.
        style: the style sheet.
        script: the script; without one the page has only that of the navigation.
        marks: further marks, each with the HTML that replaces it.
        image_origins: origins of images in addition to the page's own, as CSP sources.
        here: the URL of a link to the page that is marked also without scripts.

    """

    content: str
    title: str
    icon: str
    description: str
    product: str = ""
    skip_to: str = "the content"
    content_id: str = "main"
    meta: Mapping[str, str] = attrs.Factory(dict)
    style: str = ""
    script: str = ""
    marks: Mapping[str, str] = attrs.Factory(dict)
    image_origins: Sequence[str] = ()
    here: str = ""


def build_page(parts: PageParts, settings: PageSettings) -> Page:
    """Build a page for an owner."""
    style = _shortened(re.sub(r";?\s*([{}])\s*|([:;,])\s+|\s*/\*.*?\*/", r"\1\2", parts.style))
    script, navigation = map(_shortened, (parts.script, _NAVIGATION if settings.pages else ""))
    header = header_html(settings, parts.product or parts.title, parts.here)
    title = f"{parts.title} · {settings.name}" if settings.name else parts.title
    meta = {**parts.meta, "description": parts.description}
    head = [f'<meta name="{name}" content="{escape(text)}">' for name, text in meta.items()]
    head.append(f'<link rel="icon" href="data:image/svg+xml,{quote(parts.icon)}">')
    head.append(f"<title>{escape(title)}</title>")
    marks = {
        "<!--head-->": "\n".join(head),
        "/*style*/": style,
        "<!--skip-->": (
            f'<a class="skip-link" href="#{parts.content_id}">Skip to {parts.skip_to}</a>'
        ),
        "<!--header-->": f"{header}<script>{navigation}</script>" if navigation else header,
        **parts.marks,
        "<!--script-->": f"<script>{script}</script>\n" if script else "",
    }
    pattern = "|".join(map(re.escape, marks))  # one pass: what is inserted is not searched
    document = _SKELETON.replace("{content}", parts.content)
    text = re.sub(pattern, lambda match: marks[match[0]], document)
    return Page(text.encode(), _policy(style, (navigation, script), parts.image_origins))


def is_of_site(file: bytes, generator: str) -> bool:
    """Check whether a file is a page with this `generator`, or a picture of this library."""
    element = f'<meta name="generator" content="{generator}">'
    return element.encode() in file or _PICTURE.match(file) is not None


@lru_cache(maxsize=16)  # the pages of profiles share a sheet and a script
def _shortened(text: str) -> str:
    """Leave out comments, indentation, and line breaks after punctuation.

    No text of a script spans lines or has ` // `.
    """
    lines = re.sub(r"^\s*(?://.*\n\s*)*| // .*$", "", text, flags=re.MULTILINE)
    return re.sub(r"(?<=[{;,(\[])\n", "", lines)


def _policy(style: str, scripts: Sequence[str], image_origins: Sequence[str]) -> str:
    sources = {
        "default-src": "'none'",
        "script-src": " ".join(map(_hash, filter(None, scripts))) or "'none'",
        "style-src": _hash(style),
        "connect-src": "'self'",
        "img-src": " ".join(("'self' data:", *image_origins)),
        **dict.fromkeys(("base-uri", "form-action", "frame-ancestors"), "'none'"),
    }
    return "; ".join(f"{name} {value}" for name, value in sources.items())


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def header_html(settings: PageSettings, title: str, here: str = "") -> str:
    """Return the HTML of the header; the title stands where the name of the owner is missing."""
    name = settings.name or title
    initial = f'<span class="initial" aria-hidden="true">{escape(name[:1].upper())}</span>'
    parts = [f'<p class="owner-name">{escape(name)}</p>']
    if settings.line:
        parts.append(f'<p class="owner-line">{escape(settings.line)}</p>')
    if settings.links:
        anchors = (_anchor(link, ' rel="me noopener"') for link in settings.links)
        links = "".join(f"<li>{anchor}</li>" for anchor in anchors)
        parts.append(f'<ul class="owner-links" aria-label="Links">{links}</ul>')
    marks = {here: ' aria-current="page"'}
    pages = "".join(_anchor(page, marks.get(page.url, "")) for page in settings.pages)
    navigation = f'<nav class="pages" aria-label="Pages">{pages}</nav>' if pages else ""
    return f'<div class="owner" id="owner">{initial}<div>{"".join(parts)}</div></div>{navigation}'


def _anchor(link: Link, attributes: str = "") -> str:
    return f'<a href="{escape(link.url)}"{attributes}>{escape(link.label)}</a>'
