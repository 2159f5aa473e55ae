"""Build the header of a page: avatar, name, line, links, and the pages of the owner."""

from html import escape

from purewire.adapters.pages.settings import Link, PageSettings

__all__ = ["header_html"]


def header_html(settings: PageSettings, title: str) -> str:
    """Return the HTML of the header; the owner's texts are escaped.

    Args:
        settings: what the owner chose.
        title: stands where the name of the owner is missing.

    """
    name = settings.name or title
    parts = [_avatar(settings, name), f'<p class="owner-name">{escape(name)}</p>']
    if settings.line:
        parts.append(f'<p class="owner-line">{escape(settings.line)}</p>')
    if settings.links:
        anchors = (_anchor(link, ' rel="me noopener"') for link in settings.links)
        links = "".join(f"<li>{anchor}</li>" for anchor in anchors)
        parts.append(f'<ul class="owner-links" aria-label="Links">{links}</ul>')
    pages = "".join(_anchor(page) for page in settings.pages)
    navigation = f'<nav class="pages" aria-label="Pages">{pages}</nav>' if pages else ""
    return f'<div class="owner" id="owner">{"".join(parts)}</div>{navigation}'


def _avatar(settings: PageSettings, name: str) -> str:
    if settings.avatar_url is not None:
        return f'<img class="avatar" src="{settings.avatar_url}" alt="" width="56" height="56">'
    return f'<span class="avatar" aria-hidden="true">{escape(name[:1].upper())}</span>'


def _anchor(link: Link, attributes: str = "") -> str:
    return f'<a href="{escape(link.url)}"{attributes}>{escape(link.label)}</a>'
