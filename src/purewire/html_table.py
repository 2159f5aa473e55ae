"""Build a small HTML table for notebooks; all text is escaped."""

from collections.abc import Iterable

from purewire.svg.text import xml_text

__all__ = ["html_table"]


def html_table(caption: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return the HTML of a table; caption, column names and cells may be any text."""
    names = "".join(f'<th scope="col">{xml_text(name)}</th>' for name in head)
    lines = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    return (
        f"<table><caption>{xml_text(caption)}</caption>"
        f"<thead><tr>{names}</tr></thead><tbody>{lines}</tbody></table>"
    )


def _cells(row: Iterable[str]) -> str:
    return "".join(f"<td>{xml_text(cell)}</td>" for cell in row)
