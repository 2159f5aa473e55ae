"""Read the files of a page (its content, its style sheets, its scripts) and its settings file.

A style sheet starts with what all pages share, and ends with what paper changes.

Text mode is used for all files: browsers hash LF line ends, and a checkout may have others.
"""

from collections.abc import Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Final

import attrs

from status_contracts.adapters import toml_text
from status_contracts.pages.page import PageParts
from status_contracts.pages.settings import Link, PageSettings, check_link
from status_contracts.structuring.constraints import MapOf, Predicate, Text, optional_defaults
from status_contracts.structuring.decoder import SettingsError, parse_settings

__all__ = [
    "SHARED",
    "SettingsError",
    "build_sheet",
    "load_page_settings",
    "read_parts",
    "reference_files",
]

_FOLDER: Final = files("status_contracts") / "page_files"
SHARED: Final = _FOLDER / "page.js"
"""The functions that the scripts of all pages share."""

_URL: Final = Predicate(check_link, "page.link", "an https, http or mailto URL, or a path")

_Links = Annotated[Mapping[str, Annotated[str, _URL]], MapOf()]


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

    The shared script and `script` precede the scripts, `style` is CSS before that of the folder.
    """
    code = "".join(map(_read, (SHARED, *(folder / script for script in scripts))))
    return PageParts(
        _read(folder / f"{name}.html"),
        style=build_sheet(style + _read(folder / f"{name}.css")),
        script=script + code,
        **others,
    )


def reference_files() -> tuple[str, str]:
    """Return the style sheet and the script of API pages."""
    script = _read(SHARED) + _read(_FOLDER / "reference.js")
    return build_sheet(_read(_FOLDER / "reference.css")), script


def build_sheet(style: str) -> str:
    """Return the style sheet of a page with CSS of its own."""
    return _read(_FOLDER / "page.css") + style + _read(_FOLDER / "print.css")


def _read(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")


@attrs.frozen(field_transformer=optional_defaults)
class _File:
    name: Annotated[str, Text(1, 100)] = ""
    line: Annotated[str, Text(1, 200)] = ""
    artwork: bool = False
    links: _Links = attrs.field(factory=dict)
    pages: _Links = attrs.field(factory=dict)


def load_page_settings(path: Path) -> PageSettings:
    """Read a settings file; raise SettingsError, or OSError if it is unreadable or above 64 KiB."""
    return toml_text.parse_settings(toml_text.read(path), _parse)


def _parse(tables: object) -> PageSettings:
    file = parse_settings(tables, _File)
    links, pages = (tuple(map(Link, table, table.values())) for table in (file.links, file.pages))
    return PageSettings(file.name, file.line, links, pages, file.artwork)
