"""Build small HTML tables for notebooks.

Invariant *escaped*: captions, names and cells are shown as text, whatever they contain.
Invariant *bounded*: a table has at most `MAX_ROWS` rows, with the number of the others, and a text
has at most `MAX_TEXT` code points.
Invariant *any theme*: there are no colours, so that the notebook's own apply.
Invariant *accessible*: a table has a caption, and each row and column a header.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from purewire.text import printable_xml

__all__ = ["MAX_ROWS", "MAX_TEXT", "html_fields", "html_table"]

MAX_ROWS: Final = 20
MAX_TEXT: Final = 200


def html_table(
    caption: str, head: Iterable[str], rows: Iterable[Iterable[str]], *, more: int = 0
) -> str:
    """Return the HTML of a table whose first column names the rows.

    Args:
        caption: any text.
        head: names of the columns.
        rows: the texts of each row that is shown, as many as there are columns.
        more: number of the rows that are left out; a last row states it.

    """
    names = [_cell("th", name, ' scope="col"') for name in head]
    lines = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    rest = f'<tr><td colspan="{len(names)}">and {more:,} more</td></tr>' if more else ""
    return (
        f"<table>{_cell('caption', caption)}<thead><tr>{''.join(names)}</tr></thead>"
        f"<tbody>{lines}{rest}</tbody></table>"
    )


def html_fields(caption: str, fields: Mapping[str, str]) -> str:
    """Return the HTML of a table with a name and a text in each row."""
    lines = "".join(f"<tr>{_cells(pair)}</tr>" for pair in fields.items())
    return f"<table>{_cell('caption', caption)}<tbody>{lines}</tbody></table>"


def _cells(row: Iterable[str]) -> str:
    first, *others = row
    return _cell("th", first, ' scope="row"') + "".join(_cell("td", each) for each in others)


def _cell(element: str, text: str, attribute: str = "") -> str:
    from html import escape  # noqa: PLC0415 - loads names of characters, which only notebooks need

    shown = text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
    # Jupyter aligns cells to the right, and other notebooks differ.
    return (
        f'<{element}{attribute} style="text-align:left">{escape(printable_xml(shown))}</{element}>'
    )
