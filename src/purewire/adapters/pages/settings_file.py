"""Read the settings of a page from a TOML file and the files that it names.

    name = "Ada Example"
    line = "Builds small tools in Kyoto"
    avatar = "me.png"         # beside this file
    theme = "theme.css"       # CSS that sets variables of the pages
    artwork = true            # load artwork from the music catalog
    frame_ancestors = ["https://example.org"]   # sites that may frame the pages
    card = ["sleep_hours", "steps", "hrv"]      # metrics of the card of health data
    social_image = "https://example.org/social.png"   # picture of shared links

    [links]
    Code = "https://git.example.org/ada"

    [pages]                   # all pages of the owner, in order
    Now = "/"
    Health = "/health/"

Invariant *all errors are reported*: a file with any problem raises `PageSettingsError` with all.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Final

import attrs

from purewire.absent import ABSENT, Absent
from purewire.adapters import toml_text
from purewire.findings import Finding
from purewire.pages import settings
from purewire.pages.settings import (
    Link,
    PageSettings,
    check_frame_ancestor,
    check_link,
    check_picture_url,
)
from purewire.structuring.constraints import Items, MapOf, Predicate, Text
from purewire.structuring.validator import Validator

__all__ = ["RULES", "PageSettingsError", "load_page_settings"]

RULES: Final = {
    "page.file": "the file exists, is readable and has at most 64 KiB",
    "page.toml": "the file is TOML text in UTF-8",
    **settings.RULES,
}
"""Rule id to its description, in addition to those of `purewire.structuring.constraints`."""

_CAP: Final = 20  # findings that an error reports
_URL: Final = Predicate(check_link, "page.link", "an https, http or mailto URL, or a path")
_PICTURE: Final = Predicate(check_picture_url, "page.social", "the https URL of the picture")
_SITE: Final = Predicate(
    check_frame_ancestor,
    "page.frame",
    "self, or an origin such as https://example.org, its port 1 to 65535",
)


class PageSettingsError(ValueError):
    """The settings of a page break rules.

    Attributes:
        findings: one per problem, at least one.

    """

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__("; ".join(map(str, findings)))
        self.findings = findings


_Links = Annotated[Mapping[str, Annotated[str, _URL]], MapOf()]


@attrs.frozen
class _File:
    name: Annotated[str, Text(1, 100)] | Absent = ABSENT
    line: Annotated[str, Text(1, 200)] | Absent = ABSENT
    avatar: Annotated[str, Text(1, 1000)] | Absent = ABSENT
    theme: Annotated[str, Text(1, 1000)] | Absent = ABSENT
    artwork: bool | Absent = ABSENT
    frame_ancestors: Annotated[tuple[Annotated[str, _SITE], ...], Items()] | Absent = ABSENT
    card: Annotated[tuple[Annotated[str, Text(1, 100)], ...], Items()] | Absent = ABSENT
    social_image: Annotated[str, _PICTURE] | Absent = ABSENT
    links: _Links | Absent = ABSENT
    pages: _Links | Absent = ABSENT


_VALIDATOR: Final = Validator(_File, cap=_CAP)


def load_page_settings(path: Path) -> PageSettings:
    """Read a settings file; the names of files in it are relative to its folder.

    Raises:
        PageSettingsError: it, or a file that it names, breaks rules.

    """
    data = _read(path)
    if data is None:
        raise _error("", "page.file")
    try:
        tables = toml_text.decode(data)
    except toml_text.TomlTextError as error:
        message = f"must be TOML text in UTF-8, but is {error}"
        raise PageSettingsError((Finding("", "page.toml", message),)) from None
    file, findings = _VALIDATOR.validate(tables)
    if findings or not isinstance(file, _File):
        raise PageSettingsError(findings)
    chosen = PageSettings(
        file.name or "",
        file.line or "",
        links=_links(file.links),
        pages=_links(file.pages),
        artwork=file.artwork is True,
        frame_ancestors=file.frame_ancestors or (),
        card=file.card or (),
        social_image=file.social_image or "",
    )
    if file.avatar:
        avatar = _read_part(path.parent / file.avatar, "avatar")
        chosen = _evolve("avatar", lambda: attrs.evolve(chosen, avatar=avatar))
    if file.theme:
        theme = _read_part(path.parent / file.theme, "theme")
        return _evolve("theme", lambda: attrs.evolve(chosen, theme=theme.decode("utf-8-sig")))
    return chosen


def _links(table: Mapping[str, str] | Absent) -> tuple[Link, ...]:
    return tuple(Link(label, url) for label, url in (table or {}).items())


def _read_part(path: Path, member: str) -> bytes:
    data = _read(path)
    if data is None:
        raise _error(f"/{member}", "page.file")
    return data


def _evolve(member: str, evolve: Callable[[], PageSettings]) -> PageSettings:
    """Return settings with the content of a file."""
    try:
        return evolve()
    except ValueError:
        raise _error(f"/{member}", f"page.{member}") from None


def _read(path: Path) -> bytes | None:
    """Read a whole file; return None if it cannot be read or is too large."""
    try:
        return toml_text.read(path)
    except OSError:
        return None


def _error(path: str, rule: str) -> PageSettingsError:
    return PageSettingsError((Finding(path, rule, RULES[rule]),))
