"""Parse a settings file of a build, which is TOML text.

    dates = "first-added"

    [repository]
    host = "git.example.org"
    kind = "gitea"

TOML becomes plain tables, which `sitedata.building.settings_file` parses.

Invariant *one error*: for any bytes the only exception is `SettingsError`.
"""

from typing import Final

from sitedata.building.settings import BuildSettings
from sitedata.building.settings_file import read_settings
from status_contracts.adapters import toml_text
from status_contracts.findings import Finding
from status_contracts.structuring.decoder import SettingsError

__all__ = [
    "CONFIG_FILE",
    "CONFIG_FILE_BYTES",
    "RULES",
    "read_config",
]

CONFIG_FILE: Final = "site-data.toml"
"""Name of the file in the root of a repository."""
CONFIG_FILE_BYTES: Final = 1024 * 1024
"""Largest size of the file; real ones have a few kB."""

RULES: Final = {
    "config.size": f"the file has at most {CONFIG_FILE_BYTES} bytes",
    **toml_text.RULES,
}
"""Rule id to its description."""


def read_config(data: bytes | str) -> BuildSettings:
    """Parse a settings file; raise SettingsError with all problems, up to `FINDINGS_CAP`."""
    body = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if len(body) > CONFIG_FILE_BYTES:
        message = f"must have at most {CONFIG_FILE_BYTES} bytes"
        raise SettingsError((Finding("", "config.size", message),))
    return toml_text.parse_settings(body, read_settings)
