"""A file of build settings as TOML text.

    dates = "first-added"

    [repository]
    host = "git.example.org"
    kind = "gitea"

What stands in it is read by `sitedata.building.settings_file`; here TOML becomes plain tables.

Invariant *one error*: whatever the bytes, the only exception is `SettingsError`.
"""

from typing import Final

from purewire.adapters import toml_text
from purewire.findings import Finding
from sitedata.building.settings import BuildSettings, SettingsError
from sitedata.building.settings_file import read_settings

__all__ = ["CONFIG_FILE", "CONFIG_FILE_BYTES", "RULES", "read_config"]

CONFIG_FILE: Final = "site-data.toml"
"""What the file is usually called."""
CONFIG_FILE_BYTES: Final = 1024 * 1024
"""Real ones have a few kB."""

RULES: Final = {
    "config.size": "the file has no more bytes than anybody writes by hand",
    "config.toml": "the file is TOML text in UTF-8",
}
"""Rule id to the rule in words."""


def read_config(data: bytes | str) -> BuildSettings:
    """Read a file of settings; raises SettingsError with every fault, up to the cap."""
    body = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if len(body) > CONFIG_FILE_BYTES:
        raise _refusal("config.size")
    try:
        tables = toml_text.decode(body)
    except toml_text.TomlTextError:
        raise _refusal("config.toml") from None
    return read_settings(tables)


def _refusal(rule: str) -> SettingsError:
    return SettingsError((Finding("", rule, f"must keep the rule: {RULES[rule]}"),))
