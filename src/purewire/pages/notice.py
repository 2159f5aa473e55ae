"""The block that stands where a page has nothing to show: empty, failed, missing.

It says what happened, what to do, and where to go on.  `page.showNotice` of the shared script
(`purewire/adapters/pages/page.js`) fills the same block.
"""

from html import escape
from typing import Literal

import attrs

from purewire.pages.settings import Link

Kind = Literal["empty", "failed", "missing"]


@attrs.frozen
class Notice:
    """The content of a notice.

    Attributes:
        kind: `empty` (nothing is there yet), `failed` (something could not be read) or `missing`
            (there is no such thing).
        title: what happened, a sentence without its full stop.
        text: what to do, in sentences.
        link: the way on; a notice without one suits only where the page has its own.

    """

    kind: Kind
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
