"""Load the settings of a page for a command."""

from pathlib import Path

from status_contracts.adapters.page_files import load_page_settings
from status_contracts.cli.exit_codes import USAGE, Failed
from status_contracts.pages.settings import DEFAULT_PAGE, PageSettings
from status_contracts.structuring.decoder import SettingsError


def page_settings(file: str | None) -> PageSettings:
    """Return the settings in a file, or the default ones; raise Failed with all problems."""
    if file is None:
        return DEFAULT_PAGE
    try:
        return load_page_settings(Path(file))
    except SettingsError as error:
        raise Failed(USAGE, *(f"{file}: {finding}" for finding in error.findings)) from None
