"""Read what is shipped with a product: its contract, and its vectors."""

import json
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from purewire.adapters import toml_text
from purewire.contract_rules import Contract, parse_contract

_DISTRIBUTION: Final = "status_contracts"


def read_contract(product: str) -> Contract:
    """Return the rules of a product: `devicestatus`, for example.

    Raises:
        ModuleNotFoundError: no such package is installed.
        FileNotFoundError: the package has no contract.

    """
    file = files(product) / "contract" / "rules.toml"
    return parse_contract(toml_text.decode(file.read_bytes()))


def vectors_folder() -> Traversable:
    """Return the folder of all vectors: that of the installed package, or that of a checkout."""
    shipped = files(_DISTRIBUTION) / "vectors"
    if shipped.is_dir():
        return shipped
    return Path(str(files(_DISTRIBUTION))).parents[1] / "vectors"


def read_vectors(product: str, topic: str) -> list[dict[str, Any]]:
    """Return the cases of a topic."""
    content = json.loads((vectors_folder() / product / f"{topic}.json").read_bytes())
    cases: list[dict[str, Any]] = content["cases"]
    return cases
