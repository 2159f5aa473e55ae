"""Read the files of a page: its content, its style sheets, its scripts.

Text mode is used for all files: browsers hash LF line ends, and a checkout may have others.
"""

from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from purewire.pages.page import PageParts

SHARED: Final = files("purewire.adapters.pages") / "page.js"
"""The functions that the scripts of all pages share."""


def read_parts(
    folder: Traversable,
    document: str,
    title: str,
    icon: str,
    *,
    styles: Iterable[str] = (),
    scripts: Iterable[str] = (),
    **others: Any,  # noqa: ANN401 - those of PageParts
) -> PageParts:
    """Return the parts of a page from the files of a folder; `others` are those of `PageParts`.

    The shared script precedes those of the page; a page without any has none.
    """
    paths = [folder / name for name in scripts]
    code = [_read(path) for path in ([SHARED, *paths] if paths else [])]
    style = "".join(_read(folder / name) for name in styles)
    return PageParts(
        _read(folder / document), title, icon, style=style, script="".join(code), **others
    )


def _read(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")
