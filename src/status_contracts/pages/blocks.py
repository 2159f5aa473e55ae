"""Render blocks of text as Markdown, and as the content of a page.

The text of blocks may use a small part of Markdown: `` `code` ``, with an anchor for the page
`` `code`{#anchor} ``, and `[text](url)`.  A notice has plain text; `page.showNotice` of the shared
script (`status_contracts/page_files/page.js`) fills the same block.

Invariant *text stays text*: the text of a block cannot become an element of the page.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final, Literal

import attrs

from status_contracts.pages.settings import Link
from status_contracts.svg.text import xml_text

_INLINE: Final = re.compile(r"`([^`]*)`(?:\{#([\w-]+)\})?|\[([^\]]*)\]\(([^)]*)\)")
_BREAKS: Final = re.compile(r"(?<=[\w}]/)(?=[\w{])|(?<=[\w\]]\.)(?=[\w[\]]+\.\w)|(?=\?\w|&amp;\w)")
"""Positions at which the escaped text of a path, a URL or a long path of a member may be broken."""
_NAMES: Final = re.compile(r"&quot;(?:\\.|[^\\])*?&quot;(?=(:?))")
"""Texts in escaped JSON, of which a colon follows the names of members."""
_SHARED_PART: Final = re.compile(r"^(?:.*(?:\}|/v\d+|/api|/public))?/(?=\w)")
"""What paths have in common, up to the version or to what varies before the last names."""
_CONTENTS: Final = (  # on phones a button opens the list, and names the current section
    '<nav class="contents" aria-label="On this page">'
    '<button type="button" popovertarget="contents">On this page <span></span>▾</button>'
    '<div id="contents" popover="">{}</div></nav>'
)
_SHOWN_ROWS: Final = 12


@attrs.frozen
class BulletList:
    """A bullet list."""

    items: tuple[str, ...]


@attrs.frozen
class Code:
    """A code block; one with a title is folded.  A script adds a button to copy it."""

    text: str
    language: str
    title: str = ""


@attrs.frozen
class Table:
    """A table: caption, header, and rows that begin with their own; a long one is folded."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@attrs.frozen
class Section:
    """A heading and what follows it; the first level is the whole document.

    Attributes:
        title: its text; the path of an endpoint if there is a method.
        anchor: letters, digits and hyphens.
        method: the method of the endpoint that it describes; None for other sections.
        summary: what the endpoint does; on the page it is all that is not folded.

    """

    title: str
    anchor: str
    blocks: tuple["Block", ...]
    method: str | None = None
    summary: str = ""


Block = str | BulletList | Code | Table | Section  # a text is a paragraph


def markdown(document: Section) -> str:
    """Return a document as Markdown with tables; only the page links to parts of itself."""
    text = "\n\n".join(_to_markdown(document, 1))
    return re.sub(r"\[([^]]*)\]\(#[^)]*\)|(?<=`)\{#[\w-]+\}", r"\1", text) + "\n"


def html(document: Section, path: str = "") -> str:
    """Return a document as the content of a page, beside a table of contents.

    `path` is that of the page below the base URL, for `page_files/reference.js`.
    """
    sections = [block for block in document.blocks if isinstance(block, Section)]
    introduction = [block for block in document.blocks if not isinstance(block, Section)]
    title = f'<h1 id="{document.anchor}">{_inline(document.title)}</h1>'
    parts = (
        f'<div class="reference" data-path="{xml_text(path)}">',
        _CONTENTS.format(_contents(sections)),
        *("<div>", '<div class="intro">', title, *map(_to_html, introduction), "</div>"),
        *(*map(_to_html, sections), "</div>", "</div>"),
    )
    return "\n".join(parts)


def _contents(sections: Sequence[Section]) -> str:
    """Return the links to sections, with those to the endpoints in them."""
    links = []
    for one in sections:
        parts = [part for part in one.blocks if isinstance(part, Section) and part.method]
        name = f"`{_SHARED_PART.sub('', one.title)}`" if one.method else one.title
        link = f'<a href="#{one.anchor}">{_inline(name)}</a>'
        links.append(f"<li>{link}{_contents(parts)}</li>")
    return f"<ul>{''.join(links)}</ul>" if links else ""


def _to_markdown(block: Block, level: int) -> Iterator[str]:
    if isinstance(block, Section):
        title = block.title if block.method is None else f"`{block.method} {block.title}`"
        yield f"{'#' * level} {title}"
        if block.summary:
            yield f"{block.summary}."
        for part in block.blocks:
            yield from _to_markdown(part, level + 1)
    elif isinstance(block, str):
        yield block
    elif isinstance(block, BulletList):
        yield "\n".join(f"- {item}" for item in block.items)
    elif isinstance(block, Code):
        if block.title:
            yield f"{block.title}:"
        yield f"```{block.language}\n{block.text}\n```"
    else:
        yield f"{block.caption}:"
        rows = (block.head, ("---",) * len(block.head), *block.rows)
        escaped = ([cell.replace("|", r"\|") for cell in row] for row in rows)
        yield "\n".join(f"| {' | '.join(row)} |" for row in escaped)


def _to_html(block: Block, level: int = 2) -> str:
    if isinstance(block, Section):
        return _section_html(block, level)
    if isinstance(block, str):
        return f"<p>{_inline(block)}</p>"
    if isinstance(block, BulletList):
        items = "".join(f"<li>{_inline(item)}</li>" for item in block.items)
        return f"<ul>{items}</ul>"
    if isinstance(block, Code):
        # `xml_text` escapes line feeds, as attributes need; here they are kept.
        lines = "\n".join(map(xml_text, block.text.split("\n")))
        if block.language == "json":
            lines = _NAMES.sub(lambda text: f"<b>{text[0]}</b>" if text[1] else text[0], lines)
        code = f'<div class="code"><pre><code>{lines}</code></pre></div>'
        return _folded(_inline(block.title), code) if block.title else code
    head = "".join(f'<th scope="col">{_inline(cell)}</th>' for cell in block.head)
    row = '<tr><th scope="row">{}</th>{}</tr>'
    rows = "".join(
        row.format(_inline(first), "".join(f"<td>{_inline(cell)}</td>" for cell in rest))
        for first, *rest in block.rows
    )
    is_long = len(block.rows) > _SHOWN_ROWS
    caption = _inline(block.caption)
    name = re.sub("<[^>]*>", "", caption)
    table = (
        f'<div class="scroll" role="group" aria-label="{name}"><table>'
        f"{'' if is_long else f'<caption>{caption}</caption>'}"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    return _folded(caption, table) if is_long else table


def _folded(summary: str, content: str, attributes: str = "") -> str:
    return f"<details{attributes}><summary>{summary}</summary>{content}</details>"


def _section_html(section: Section, level: int) -> str:
    """Return a section of level 2, or the card of an endpoint with its first example open."""
    blocks = "\n".join(_to_html(block, level + 1) for block in section.blocks)
    if section.method is None:
        heading = f'<h{level} id="{section.anchor}">{_inline(section.title)}</h{level}>'
        return f'<section aria-labelledby="{section.anchor}">\n{heading}\n{blocks}\n</section>'
    blocks = blocks.replace("<details>", '<details open="">', 1)
    method = "method writes" if section.method == "POST" else "method"
    path = _breakable(_SHARED_PART.sub(r"<i>\g<0></i><wbr/>", xml_text(section.title)))
    title = f'<code><span class="{method}">{section.method}</span> {path}</code>'
    summary = f"<h{level}>{title}</h{level}> <span>{_inline(section.summary)}</span>"
    return _folded(summary, blocks, f' class="endpoint card" id="{section.anchor}"')


def _inline(text: str) -> str:
    return _INLINE.sub(_element, xml_text(text))


def _element(mark: re.Match[str]) -> str:
    code, anchor, label, address = mark.groups()
    if code is None:
        return f'<a href="{address}">{_breakable(label)}</a>'
    target = f' id="{anchor}"' if anchor else ""
    return f"<code{target}>{_breakable(code)}</code>"


def _breakable(text: str) -> str:
    """Allow breaks between the parts of paths, queries and names in escaped text."""
    return _BREAKS.sub("<wbr/>", text)


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
