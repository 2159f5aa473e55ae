"""Load the settings of a page for a command, and draw its picture of shared links."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from purewire.adapters.commands.exit_codes import CANNOT, USAGE, Failed
from purewire.adapters.pages.settings_file import load_page_settings
from purewire.pages.page import SOCIAL_IMAGE, SOCIAL_IMAGE_SIZE
from purewire.pages.settings import DEFAULT_PAGE, PageSettings
from purewire.structuring.decoder import SettingsError

_START: Final = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + b"".join(
    length.to_bytes(4, "big") for length in SOCIAL_IMAGE_SIZE
)
_NO_DRAWING: Final = "social_image needs a package: pip install 'status-contracts[social]'"


def page_settings(file: str | None) -> PageSettings:
    """Return the settings in a file, or the default ones; raise Failed with all problems."""
    if file is None:
        return DEFAULT_PAGE
    try:
        settings = load_page_settings(Path(file))
    except SettingsError as error:
        raise Failed(USAGE, *(f"{file}: {finding}" for finding in error.findings)) from None
    if settings.social_image and find_spec("resvg_py") is None:
        raise Failed(CANNOT, f"{file}: {_NO_DRAWING}")
    return settings


def social_files(
    settings: PageSettings, title: str, description: str, drawing: bytes | None = None
) -> dict[str, bytes]:
    """Return the picture of shared links by its name, if the settings have one."""
    if not settings.social_image:
        return {}
    # resvg is an optional extra, so it is imported only where the picture is on
    module = import_module("purewire.adapters.pages.social_image")
    return {SOCIAL_IMAGE: module.draw_social_image(settings, title, description, drawing)}


def is_social_image(data: bytes) -> bool:
    """Check whether bytes are a PNG image of the size of these pictures."""
    return data.startswith(_START)
