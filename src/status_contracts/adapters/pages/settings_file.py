"""Read the settings of a page from a TOML file.

    name = "Ada Example"
    line = "Builds small tools in Kyoto"
    artwork = true            # load artwork from the music catalog

    [links]
    Code = "https://git.example.org/ada"

    [pages]                   # all pages of the owner, in order
    Now = "/"
    Health = "/health/"

Invariant *all errors are reported*: a file with any problem raises `SettingsError` with all, each
with its line.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import attrs

from status_contracts.adapters import toml_text
from status_contracts.findings import Finding
from status_contracts.pages import settings
from status_contracts.pages.settings import Link, PageSettings, check_link
from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring.constraints import MapOf, Predicate, Text
from status_contracts.structuring.decoder import SettingsError, parse_settings

__all__ = ["RULES", "SettingsError", "load_page_settings"]

RULES: Final = {
    "page.file": "must be a file that exists, can be read and has at most 64 KiB",
    **toml_text.RULES,
    **settings.RULES,
}
"""Rule id to its description, in addition to those of
`status_contracts.structuring.constraints`."""

_CAP: Final = 20  # findings that an error reports
_URL: Final = Predicate(check_link, "page.link", "an https, http or mailto URL, or a path")

_Links = Annotated[Mapping[str, Annotated[str, _URL]], MapOf()]


@attrs.frozen
class _File:
    name: Annotated[str, Text(1, 100)] | Absent = ABSENT
    line: Annotated[str, Text(1, 200)] | Absent = ABSENT
    artwork: bool | Absent = ABSENT
    links: _Links | Absent = ABSENT
    pages: _Links | Absent = ABSENT


def load_page_settings(path: Path) -> PageSettings:
    """Read a settings file.

    Raises:
        SettingsError: the file breaks rules, or cannot be read.

    """
    try:
        data = toml_text.read(path)
    except OSError:
        raise SettingsError((Finding("", "page.file", RULES["page.file"]),)) from None
    return toml_text.parse_settings(data, _parse)


def _parse(tables: object) -> PageSettings:
    file = parse_settings(tables, _File, cap=_CAP)
    return PageSettings(
        file.name or "",
        file.line or "",
        _links(file.links),
        _links(file.pages),
        artwork=file.artwork is True,
    )


def _links(table: Mapping[str, str] | Absent) -> tuple[Link, ...]:
    return tuple(Link(label, url) for label, url in (table or {}).items())
