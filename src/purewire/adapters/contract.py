"""Read the contract that is shipped with a product."""

from importlib.resources import files

from purewire.adapters import toml_text
from purewire.contract_rules import Contract, parse_contract


def read_contract(product: str) -> Contract:
    """Return the rules of a product: `devicestatus`, for example.

    Raises:
        ModuleNotFoundError: no such package is installed.
        FileNotFoundError: the package has no contract.

    """
    file = files(product) / "contract" / "rules.toml"
    return parse_contract(toml_text.decode(file.read_bytes()))
