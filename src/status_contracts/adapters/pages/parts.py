"""Read the files of a page: its content, its style sheets, its scripts.

A style sheet starts with what all pages share, and ends with what paper changes.

Text mode is used for all files: browsers hash LF line ends, and a checkout may have others.
"""

from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from status_contracts.pages.page import PageParts

_FOLDER: Final = files("status_contracts.adapters.pages")
SHARED: Final = _FOLDER / "page.js"
"""The functions that the scripts of all pages share."""


def read_parts(
    folder: Traversable,
    name: str,
    scripts: Iterable[str],
    *,
    style: str = "",
    script: str = "",
    **others: Any,  # noqa: ANN401 - those of PageParts
) -> PageParts:
    """Return the parts of a page from `NAME.html`, `NAME.css` and the scripts of a folder.

    Args:
        folder: where the files are.
        name: NAME.
        scripts: names of the scripts, which the shared one precedes.
        style: CSS before that of the folder.
        script: what precedes the scripts.
        others: those of `PageParts`.

    """
    code = "".join(map(_read, (SHARED, *(folder / script for script in scripts))))
    return PageParts(
        _read(folder / f"{name}.html"),
        style=build_sheet(style + _read(folder / f"{name}.css")),
        script=script + code,
        **others,
    )


def reference_style() -> str:
    """Return the style sheet of API pages."""
    return build_sheet(_read(_FOLDER / "reference.css"))


def build_sheet(style: str) -> str:
    """Return the style sheet of a page with CSS of its own."""
    return _read(_FOLDER / "page.css") + style + _read(_FOLDER / "print.css")


def _read(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")
