"""Build small HTML tables for notebooks.

Invariant *escaped*: captions, names and cells are shown as text, whatever they contain.
Invariant *bounded*: a table has at most `MAX_ROWS` rows, with the number of the others, and a text
has at most `MAX_TEXT` code points.
Invariant *any theme*: there are no colours, so that the notebook's own apply.
Invariant *accessible*: a table has a caption, and each row and column a header.
"""

from collections.abc import Iterable
from typing import Final

from status_contracts.primitives import printable_xml

__all__ = [
    "MAX_ROWS",
    "MAX_TEXT",
    "html_table",
]

MAX_ROWS: Final = 20
MAX_TEXT: Final = 200

_CELL: Final = ' style="text-align:left;padding-right:1em"'
"""Jupyter aligns cells to the right, and other notebooks leave no space between them."""
_CAPTION: Final = ' style="text-align:left;white-space:nowrap"'


def html_table(
    caption: str,
    head: Iterable[str],
    rows: Iterable[Iterable[str]],
    *,
    more: int = 0,
) -> str:
    """Return the HTML of a table whose first column names the rows; it may have no head.

    A last row states how many `more` there are.
    """
    names = [_cell("th", name, f' scope="col"{_CELL}') for name in head]
    start = f"<thead><tr>{''.join(names)}</tr></thead>" if names else ""
    lines = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    rest = f'<tr><td colspan="{len(names)}"{_CELL}>and {more:,} more</td></tr>' if more else ""
    title = _cell("caption", caption, _CAPTION)
    return f"<table>{title}{start}<tbody>{lines}{rest}</tbody></table>"


def _cells(row: Iterable[str]) -> str:
    first, *others = row
    head = _cell("th", first, f' scope="row"{_CELL}')
    return head + "".join(_cell("td", cell, _CELL) for cell in others)


def _cell(element: str, text: str, attributes: str) -> str:
    from html import escape  # noqa: PLC0415 - loads names of characters, which only notebooks need

    shown = text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
    return f"<{element}{attributes}>{escape(printable_xml(shown))}</{element}>"
