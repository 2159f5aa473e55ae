"""Render a document of blocks as Markdown and as one HTML page.

The text of blocks may use a small part of Markdown: `` `code` `` and
`[text](url)`.

Invariant *self-contained*: the page loads and runs nothing, and contains its style; its content
security policy enforces that.
Invariant *text stays text*: the text of a block cannot become an element of the page.

Contract: HA-HTTP-03, HA-HTTP-04, HA-CACHE-08.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final
from urllib.parse import quote

import attrs

from healthapi.http.api_docs.page_style import STYLE
from purewire.svg.text import xml_text

_STYLE_DIGEST: Final = b64encode(sha256(STYLE.encode()).digest()).decode()
POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_DIGEST}'; img-src data:; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy of a page."""

_ICON: Final = quote(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    '<rect width="16" height="16" rx="3" fill="#12693f"/>'
    '<path d="M2 9h3l2-5 3 8 2-4h2" fill="none" stroke="#fff" stroke-width="1.5"'
    ' stroke-linejoin="round"/></svg>'
)
"""A percent-encoded icon; as a data URL it prevents the request for `/favicon.ico`."""

_INLINE: Final = re.compile(r"`([^`]*)`|\[([^\]]*)\]\(([^)]*)\)")
_BREAKS: Final = re.compile(r"(?<=[\w}]/)(?=[\w{])|(?=\?\w)|(?=&amp;\w)")
"""Positions at which escaped text of a path or a URL may be broken."""
_CONTENTS_LEVEL: Final = 2


@attrs.frozen
class Heading:
    """A heading of level 1 (the title) to 3; its anchor has letters, digits and hyphens."""

    level: int
    text: str
    anchor: str


@attrs.frozen
class Paragraph:
    """A paragraph."""

    text: str


@attrs.frozen
class BulletList:
    """A bullet list."""

    items: tuple[str, ...]


@attrs.frozen
class Code:
    """A code block with the language for highlighting."""

    text: str
    language: str


@attrs.frozen
class Table:
    """A table: caption, header and rows; the first cell of a row is its header."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Block = Heading | Paragraph | BulletList | Code | Table


def markdown(blocks: Iterable[Block]) -> str:
    """Return blocks as Markdown with tables."""
    return "\n\n".join(map(_to_markdown, blocks)) + "\n"


def html(blocks: Sequence[Block]) -> str:
    """Return blocks as a page; the first is its title, headings of level 2 are its contents."""
    title, *rest = blocks
    if not isinstance(title, Heading):
        raise TypeError("the first block of a page must be its title")
    contents = [
        f'<li><a href="#{block.anchor}">{_inline(block.text)}</a></li>'
        for block in rest
        if isinstance(block, Heading) and block.level == _CONTENTS_LEVEL
    ]
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f'<link rel="icon" href="data:image/svg+xml,{_ICON}">',
            f"<title>{xml_text(title.text)}</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            '<a class="skip" href="#main">Skip to content</a>',
            '<main id="main" tabindex="-1">',
            _to_html(title),
            '<nav aria-labelledby="contents"><p id="contents">On this page</p>',
            "<ul>",
            *contents,
            "</ul></nav>",
            *map(_to_html, rest),
            "</main>",
            "</body>",
            "</html>",
            "",
        )
    )


def _to_markdown(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {block.text}"
    if isinstance(block, Paragraph):
        return block.text
    if isinstance(block, BulletList):
        return "\n".join(f"- {item}" for item in block.items)
    if isinstance(block, Code):
        return f"```{block.language}\n{block.text}\n```"
    rows = (block.head, ("---",) * len(block.head), *block.rows)
    escaped = ([cell.replace("|", r"\|") for cell in row] for row in rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in escaped)


def _to_html(block: Block) -> str:
    if isinstance(block, Heading):
        name = f"h{block.level}"
        return f'<{name} id="{block.anchor}">{_inline(block.text)}</{name}>'
    if isinstance(block, Paragraph):
        return f"<p>{_inline(block.text)}</p>"
    if isinstance(block, BulletList):
        items = "".join(f"<li>{_inline(item)}</li>" for item in block.items)
        return f"<ul>{items}</ul>"
    if isinstance(block, Code):
        # `xml_text` escapes line feeds, as attributes need; here they are kept.
        lines = "\n".join(map(_breakable, block.text.split("\n")))
        return f"<pre><code>{lines}</code></pre>"
    head = "".join(f'<th scope="col">{_inline(cell)}</th>' for cell in block.head)
    rows = "".join(_table_row(cells) for cells in block.rows)
    name = xml_text(block.caption)
    return (
        f'<div class="scroll" role="region" aria-label="{name}" tabindex="0"><table>'
        f"<caption>{name}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _table_row(cells: Sequence[str]) -> str:
    first, *others = map(_inline, cells)
    rest = "".join(f"<td>{cell}</td>" for cell in others)
    return f'<tr><th scope="row">{first}</th>{rest}</tr>'


def _inline(text: str) -> str:
    written, end = [], 0
    for found in _INLINE.finditer(text):
        written += [xml_text(text[end : found.start()]), _marked(found)]
        end = found.end()
    return "".join((*written, xml_text(text[end:])))


def _marked(found: re.Match[str]) -> str:
    code, label, address = found.groups()
    if code is not None:
        return f"<code>{_breakable(code)}</code>"
    return f'<a href="{xml_text(address)}">{_breakable(label)}</a>'


def _breakable(text: str) -> str:
    """Escape text and allow breaks after each slash and before each part of a query."""
    return _BREAKS.sub("<wbr/>", xml_text(text))
