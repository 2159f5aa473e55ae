"""Settings of a page: its owner's name, line, avatar and links, the other pages, a theme.

Invariant *no script*: links have the scheme https, http or mailto, or none, and a theme cannot end
the style of the page.
"""

import re
from base64 import b64encode
from typing import Final

import attrs

__all__ = [
    "AVATAR_BYTES",
    "DEFAULT_PAGE",
    "RULES",
    "THEME_BYTES",
    "Link",
    "PageSettings",
    "check_frame_ancestor",
    "check_link",
]

AVATAR_BYTES: Final = 64 * 1024
"""Largest size of an avatar; it is part of each page."""
THEME_BYTES: Final = 16 * 1024
"""Largest size of a theme."""

RULES: Final = {
    "page.avatar": "must be a PNG, JPEG, GIF or WebP image of at most 64 KiB",
    "page.theme": "must be CSS of at most 16 KiB, without `</` and `@import`",
    "page.link": "must be an https, http or mailto URL, or a relative path",
    "page.frame": "must be self, or an origin such as https://example.org, its port 1 to 65535",
}
"""Rule id to what must be."""

_URL: Final = re.compile(
    r"""(?: https?://[^/] | mailto:. | \.{0,2}/(?!/) | [A-Za-z0-9_-]+(?=[/.]|$) ) [^\s"<>\\]*""",
    re.VERBOSE,
)
_ORIGIN: Final = re.compile(
    r"self | https?://(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::([0-9]{1,5}))?", re.VERBOSE
)
_MAX_PORT: Final = 65_535
_SIGNATURES: Final = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF.{4}WEBP", re.DOTALL), "image/webp"),
)


def check_link(text: str) -> None:
    """Raise ValueError if a text is not the URL of a link."""
    if not _URL.fullmatch(text):
        raise ValueError(RULES["page.link"])


def check_frame_ancestor(text: str) -> None:
    """Raise ValueError if a text is not a site that may frame pages."""
    match = _ORIGIN.fullmatch(text)
    if match is None or not 0 < int(match[1] or 1) <= _MAX_PORT:
        raise ValueError(RULES["page.frame"])


@attrs.frozen
class Link:
    """A label and the URL to which it leads; a URL may be relative to the page."""

    label: str
    url: str = attrs.field()

    @url.validator
    def _check(self, _attribute: object, url: str) -> None:
        check_link(url)


def _avatar_type(data: bytes) -> str | None:
    return next((name for start, name in _SIGNATURES if start.match(data)), None)


@attrs.frozen
class PageSettings:
    """Choices of the owner of a page: what it shows, and how it looks.

    Attributes:
        name: the owner's name; empty: the page's own title is shown.
        line: one line of text below it.
        avatar: the bytes of a picture, at most `AVATAR_BYTES`; None: the first letter of the name.
        links: links below the name.
        pages: the pages of the owner, in order; each shows them all, and marks itself by its URL.
        theme: CSS, applied after the style of the page; `docs/reference/pages.md` names its
            variables.
        artwork: whether the status page loads artwork from the music catalog, which tells the
            catalog's operator who looks at the page.
        frame_ancestors: sites whose pages may show this page in a frame: origins such as
            `https://example.org` or `https://*.example.org`, and `self`, the page's own; none by
            default.

    Raises:
        ValueError: the avatar, the theme or an origin is invalid.

    """

    name: str = ""
    line: str = ""
    avatar: bytes | None = attrs.field(default=None, repr=False)
    links: tuple[Link, ...] = ()
    pages: tuple[Link, ...] = ()
    theme: str = attrs.field(default="", repr=False)
    artwork: bool = False
    frame_ancestors: tuple[str, ...] = attrs.field(default=())

    @avatar.validator
    def _check_avatar(self, _attribute: object, data: bytes | None) -> None:
        if data is not None and (len(data) > AVATAR_BYTES or _avatar_type(data) is None):
            raise ValueError(RULES["page.avatar"])

    @theme.validator
    def _check_theme(self, _attribute: object, css: str) -> None:
        lowered = css.lower()
        if len(css.encode()) > THEME_BYTES or "</" in lowered or "@import" in lowered:
            raise ValueError(RULES["page.theme"])

    @frame_ancestors.validator
    def _check_frame_ancestors(self, _attribute: object, sites: tuple[str, ...]) -> None:
        for site in sites:
            check_frame_ancestor(site)

    @property
    def avatar_url(self) -> str | None:
        """The avatar as a data URL; None if there is none."""
        if self.avatar is None:
            return None
        return f"data:{_avatar_type(self.avatar)};base64,{b64encode(self.avatar).decode()}"


DEFAULT_PAGE: Final = PageSettings()
"""A page that shows nothing of its owner; the default of every `create_app`."""
