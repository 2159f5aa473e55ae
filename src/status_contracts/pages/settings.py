"""Settings of a page: its owner's name, line and links, and the other pages.

Invariant *no script*: links have the scheme https, http or mailto, or none.
"""

import re
from typing import Final

import attrs

__all__ = ["DEFAULT_PAGE", "DOCUMENTATION", "Link", "PageSettings", "check_link"]

_URL: Final = re.compile(
    r"""(?: https?://[^/] | mailto:. | \.{0,2}/(?!/) | [A-Za-z0-9_-]+(?=[/.]|$) ) [^\s"<>\\]*""",
    re.VERBOSE,
)


def check_link(text: str) -> None:
    """Raise ValueError if a text is not the URL of a link."""
    if not _URL.fullmatch(text):
        raise ValueError("must be an https, http or mailto URL, or a relative path")


@attrs.frozen
class Link:
    """A label and the URL to which it leads; a URL may be relative to the page."""

    label: str
    url: str = attrs.field(validator=lambda _link, _field, url: check_link(url))


@attrs.frozen
class PageSettings:
    """Choices of the owner of a page.

    Attributes:
        name: the owner's name; empty: the page's own title is shown.
        line: one line of text below it.
        links: links below the name.
        pages: the pages of the owner, in order; each shows them all, and marks itself by its URL.
        artwork: whether the status page loads artwork from the music catalog, which tells the
            catalog's operator who looks at the page.

    """

    name: str = ""
    line: str = ""
    links: tuple[Link, ...] = ()
    pages: tuple[Link, ...] = ()
    artwork: bool = False


DEFAULT_PAGE: Final = PageSettings()
"""A page that shows nothing of its owner; the default of all applications."""
DOCUMENTATION: Final = "https://status-contracts.readthedocs.io/en/latest"
