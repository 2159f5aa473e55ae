"""Render blocks of text as Markdown, and as the content of a page.

The text of blocks may use a small part of Markdown: `` `code` `` and `[text](url)`.  A notice has
plain text: it stands where a page has nothing to show, and `page.showNotice` of the shared script
(`purewire/adapters/pages/page.js`) fills the same block.

Invariant *text stays text*: the text of a block cannot become an element of the page.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, Literal

import attrs

from purewire.pages.settings import Link
from purewire.svg.text import xml_text

_INLINE: Final = re.compile(r"`([^`]*)`|\[([^\]]*)\]\(([^)]*)\)")
_BREAKS: Final = re.compile(r"(?<=[\w}]/)(?=[\w{])|(?=\?\w)|(?=&amp;\w)")
"""Positions at which escaped text of a path or a URL may be broken."""
_NAME_BREAKS: Final = re.compile(r"(?<=[a-z\]][._])(?=[a-z])")
"""Positions at which the name of a row may be broken."""
_SECTION_LEVEL: Final = 2


@attrs.frozen
class Heading:
    """A heading of level 1 (the title) to 3; its anchor has letters, digits and hyphens.

    Attributes:
        method: the method of the endpoint that the heading begins; None for other headings.

    """

    level: int
    text: str
    anchor: str
    method: str | None = None


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
    """A code block; with a title it is folded on the page."""

    text: str
    language: str
    title: str = ""


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
    """Return blocks as the content of a page; the first is its title.

    A heading of level 2 begins a section, which the table of contents lists; one with a method
    begins an article, which ends before the next heading.
    """
    title, *rest = blocks
    sections = [b for b in rest if isinstance(b, Heading) and b.level == _SECTION_LEVEL]
    links = "".join(f'<li><a href="#{b.anchor}">{_inline(b.text)}</a></li>' for b in sections)
    contents = (
        '<nav class="contents card" aria-labelledby="contents">'
        f'<h2 id="contents">On this page</h2><ul>{links}</ul></nav>'
    )
    written, ends = ['<div class="intro">', _to_html(title)], ["</div>"]
    is_introduction = True
    for block in rest:
        if isinstance(block, Heading):
            is_section = block.level == _SECTION_LEVEL
            while len(ends) > (0 if is_section else 1):
                if is_introduction:
                    written.append(contents)
                    is_introduction = False
                written.append(ends.pop())
            name = "section" if is_section else "article" if block.method else ""
            if name:
                style = "" if is_section else ' class="endpoint card"'
                written.append(f'<{name}{style} aria-labelledby="{block.anchor}">')
                ends.append(f"</{name}>")
        written.append(_to_html(block))
    return "\n".join((*written, *reversed(ends)))


def _to_markdown(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {block.text}"
    if isinstance(block, Paragraph):
        return block.text
    if isinstance(block, BulletList):
        return "\n".join(f"- {item}" for item in block.items)
    if isinstance(block, Code):
        title = f"{block.title}:\n\n" if block.title else ""
        return f"{title}```{block.language}\n{block.text}\n```"
    rows = (block.head, ("---",) * len(block.head), *block.rows)
    escaped = ([cell.replace("|", r"\|") for cell in row] for row in rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in escaped)


def _to_html(block: Block) -> str:
    if isinstance(block, Heading):
        name = f"h{block.level}"
        return f'<{name} id="{block.anchor}">{_heading_text(block)}</{name}>'
    if isinstance(block, Paragraph):
        return f"<p>{_inline(block.text)}</p>"
    if isinstance(block, BulletList):
        items = "".join(f"<li>{_inline(item)}</li>" for item in block.items)
        return f"<ul>{items}</ul>"
    if isinstance(block, Code):
        return _code_html(block)
    head = "".join(f'<th scope="col">{_inline(cell)}</th>' for cell in block.head)
    rows = "".join(_table_row(cells) for cells in block.rows)
    name = xml_text(block.caption)
    return (
        f'<div class="scroll" role="region" aria-label="{name}" tabindex="0"><table>'
        f"<caption>{name}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _heading_text(block: Heading) -> str:
    if block.method is None:
        return _inline(block.text)
    style = "method writes" if block.method == "POST" else "method"
    path = _breakable(block.text.strip("`").removeprefix(f"{block.method} "))
    return f'<code><span class="{style}">{block.method}</span> {path}</code>'


def _code_html(block: Code) -> str:
    """Return the element of code; a click selects a whole request, to copy it."""
    # `xml_text` escapes line feeds, as attributes need; here they are kept.
    lines = "\n".join(map(_breakable, block.text.split("\n")))
    style = ' class="request"' if block.language == "sh" else ""
    code = f"<pre{style}><code>{lines}</code></pre>"
    if not block.title:
        return code
    return f"<details><summary>{_inline(block.title)}</summary>{code}</details>"


def _table_row(cells: Sequence[str]) -> str:
    first, *others = map(_inline, cells)
    if "<a " not in first:
        first = _NAME_BREAKS.sub("<wbr/>", first)
    rest = "".join(f"<td>{cell}</td>" for cell in others)
    return f'<tr><th scope="row">{first}</th>{rest}</tr>'


def _inline(text: str) -> str:
    written, end = [], 0
    for match in _INLINE.finditer(text):
        written += [xml_text(text[end : match.start()]), _marked(match)]
        end = match.end()
    return "".join((*written, xml_text(text[end:])))


def _marked(match: re.Match[str]) -> str:
    code, label, address = match.groups()
    if code is not None:
        return f"<code>{_breakable(code)}</code>"
    return f'<a href="{xml_text(address)}">{_breakable(label)}</a>'


def _breakable(text: str) -> str:
    """Escape text and allow breaks after each slash and before each part of a query."""
    return _BREAKS.sub("<wbr/>", xml_text(text))


@attrs.frozen
class Notice:
    """The reason why nothing is shown, what to do, and where to go on.

    Attributes:
        kind: `empty` (nothing is there yet), `failed` (something could not be read) or `missing`
            (there is no such thing).
        title: what happened, a sentence without its full stop.
        text: what to do, in sentences.
        link: the way on; a notice without one suits only where the page has its own.

    """

    kind: Literal["empty", "failed", "missing"]
    title: str
    text: str = ""
    link: Link | None = None


def notice_html(notice: Notice | None, element_id: str = "notice") -> str:
    """Return the block; without a notice it is hidden, for a script to fill."""
    if notice is None:
        return f'<div class="notice" id="{element_id}" role="status" hidden></div>'
    parts = [f'<p class="notice-title">{escape(notice.title)}</p>']
    if notice.text:
        parts.append(f"<p>{escape(notice.text)}</p>")
    if notice.link is not None:
        label, url = escape(notice.link.label), escape(notice.link.url)
        parts.append(f'<p class="notice-actions"><a href="{url}">{label}</a></p>')
    return (
        f'<div class="notice" id="{element_id}" role="status" data-kind="{notice.kind}">'
        f"{''.join(parts)}</div>"
    )
