"""Read the tables that notebooks show."""

from html.parser import HTMLParser

__all__ = ["texts"]


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.is_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"caption", "th", "td"}:
            self.found.append("")
            self.is_cell = True
        assert tag != "th" or dict(attrs)["scope"] in {"row", "col"}

    def handle_endtag(self, tag: str) -> None:
        self.is_cell = self.is_cell and tag not in {"caption", "th", "td"}

    def handle_data(self, data: str) -> None:
        if self.is_cell:
            self.found[-1] += data


def texts(html: str) -> list[str]:
    """Return the texts of caption and cells, in order; each header must have a scope."""
    reader = _Texts()
    reader.feed(html)
    reader.close()
    return reader.found
