"""Parse the column mapping of a producer's tables: TOML, see docs/reference/health-folder.md."""

from typing import Any, Final

import attrs

from healthapi.errors import DataError
from healthapi.rows.mapping import ProfileMap
from status_contracts.adapters import toml_text
from status_contracts.findings import pointer
from status_contracts.structuring.decoder import SettingsError, parse_settings

__all__ = ["COLUMNS_FILE", "COLUMNS_FILE_BYTES", "parse_column_mapping"]

COLUMNS_FILE: Final = "columns.toml"
"""Name of the file."""
COLUMNS_FILE_BYTES: Final = 64 * 1024
"""Size limit; real files have 2 kB."""
_LEVELS: Final = 3
"""Deeper tables have no short forms; a file may nest hundreds."""


def parse_column_mapping(data: bytes, name: str = COLUMNS_FILE) -> ProfileMap:
    """Parse a column mapping; raise DataError with all errors, below `name`."""
    start = pointer(name.split("/")) if name else ""
    try:
        return toml_text.parse_settings(data, lambda one: parse_settings(_in_full(one), ProfileMap))
    except SettingsError as error:
        findings = error.findings
    raise DataError(*(attrs.evolve(one, path=f"{start}{one.path}") for one in findings))


def _in_full(value: Any, *steps: str) -> Any:  # noqa: ANN401 - a plain value
    """Return tables with the short forms written out: a name for a source, a text for a list."""
    match steps:
        case (_, "columns", _) | (_, "columns", _, "sum", _) if isinstance(value, str):
            return {"from": value}
        case (_, "only", _) | (_, "columns", _, "true_when") if isinstance(value, str):
            return [value]
        case (_, "columns", _, "sum") if isinstance(value, list):
            return [_in_full(item, *steps, "") for item in value]
    if len(steps) > _LEVELS or not isinstance(value, dict):
        return value
    return {name: _in_full(member, *steps, name) for name, member in value.items()}
