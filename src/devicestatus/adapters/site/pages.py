"""Build the two pages of the site: the status home page and the API reference.

The home page plays windows back with `player.js`, a port of `devicestatus.player.player`.
"""

from importlib.resources import files
from typing import Final

from devicestatus.rendering import palette
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from purewire.adapters.pages.page import Page, PageParts, build_page
from purewire.adapters.pages.settings import PageSettings

__all__ = ["build_api", "build_home"]

_FOLDER: Final = files("devicestatus.adapters.site")
_SCRIPTS: Final = (
    *("player.js", "polling.js", "colors.js", "apps.js", "cards.js", "timeline.js"),
    *("headline.js", "home.js"),
)
_ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    '<rect x="1" y="2" width="14" height="9" rx="1.5" fill="#1d57b0"/>'
    '<circle cx="8" cy="6.5" r="2" fill="#fff"/><path d="M5 13.5h6" stroke="#1d57b0"'
    ' stroke-width="1.5" stroke-linecap="round"/></svg>'
)
"""A screen with a dot, visible on light and dark tabs."""


_COLORS: Final = {
    **{f"--app-{index}": color for index, color in enumerate(palette.APPS)},
    "--app-private": palette.OTHER,
    "--music": palette.MUSIC,
}
"""The colours of the timeline picture, as variables of the style."""


def build_home(settings: PageSettings, catalog: CatalogHosts = ITUNES) -> Page:
    """Build the home page.

    Args:
        settings: what the owner chose.
        catalog: the hosts of artwork, which is loaded only where the settings allow it.

    """
    has_artwork = settings.artwork and catalog.artwork_domain != ""
    parts = PageParts(
        _FOLDER / "home.html",
        "Device status",
        _ICON,
        styles=(_FOLDER / "home.css",),
        scripts=[_FOLDER / name for name in _SCRIPTS],
        variables=_COLORS,
        marks={"<!--artwork-->": "yes" if has_artwork else "no"},
        image_origins=[f"https://*.{catalog.artwork_domain}"] if has_artwork else (),
    )
    return build_page(parts, settings)


def build_api(settings: PageSettings) -> Page:
    """Build the API reference; it has no script of its own."""
    parts = PageParts(_FOLDER / "api.html", "API reference", _ICON, (_FOLDER / "api.css",))
    return build_page(parts, settings)
