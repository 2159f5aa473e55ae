"""A small HTML table for notebooks, in which every word is text and nothing is markup."""

from collections.abc import Iterable

from purewire.svg.text import xml_text

__all__ = ["html_table"]


def html_table(caption: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table; captions, names and cells may be any text."""
    names = "".join(f'<th scope="col">{xml_text(name)}</th>' for name in head)
    lines = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    return (
        f"<table><caption>{xml_text(caption)}</caption>"
        f"<thead><tr>{names}</tr></thead><tbody>{lines}</tbody></table>"
    )


def _cells(row: Iterable[str]) -> str:
    return "".join(f"<td>{xml_text(cell)}</td>" for cell in row)
